"""check_onnx.py MODEL...: what ONNX's own checker says of models, with its shape inference and their external data."""
import sys

import onnx

for path in sys.argv[1:]:
    try:
        onnx.checker.check_model(path, full_check=True)
    except Exception as error:
        sys.exit(f"{path}: {error}")
