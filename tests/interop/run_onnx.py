"""run_onnx.py MODEL FEEDS RESULTS: an ONNX model in ONNX Runtime, on archives of the safetensors library."""
import sys

import onnxruntime
from safetensors.numpy import load_file, save_file

model, feeds, results = sys.argv[1:]
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
options.log_severity_level = 3
session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
given = load_file(feeds)
taken = {node.name: given[node.name] for node in session.get_inputs()}
names = [node.name for node in session.get_outputs()]
save_file(dict(zip(names, session.run(names, taken))), results)
