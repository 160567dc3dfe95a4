"""The exporters: what tools/export-models runs in its virtual environment.

usage: export.py DIR [--list] [NAME[:VARIANT]]...
"""
import os
import shutil
import sys
import tempfile
import warnings

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
warnings.filterwarnings("ignore")

import onnx
import torch
from architectures import ARCHITECTURES

VARIANTS = {"decoder": ["plain", "fp16", "q8", "q4", "fused"], "text encoder": ["plain", "dynamo", "fp16", "q8", "fused"],
            "encoder-decoder": ["plain", "q8"], "speech": ["plain", "q8", "fused"],
            "vision": ["plain", "dynamo", "q8", "fused"], "text and vision": ["plain", "q8", "fused"], "time series": ["plain", "q8"]}
# What the optimiser takes a model for. It finds nothing in opt, stops at phi and bart, and makes of t5 what the runtime has no kernel for.
FUSED = {"bert": ["bert", "roberta", "xlm_roberta", "distilbert", "electra", "albert", "mpnet", "roformer"],
         "gpt2": ["gpt2", "llama", "qwen2", "mistral", "gemma", "gpt_neox", "bloom"], "bart": ["whisper"],
         "vit": ["vit", "deit", "yolos"], "clip": ["clip", "siglip"], "swin": ["swin"]}


def make(name):
    torch.manual_seed(0)
    entry = ARCHITECTURES[name]
    return entry.model(entry.config()).eval(), entry.task


def export_plain(name, folder):
    from optimum.exporters.onnx import onnx_export_from_model

    model, task = make(name)
    onnx_export_from_model(model, folder, task=task, opset=18, do_validation=False)


def example_inputs(model, task):
    import optimum.exporters.onnx.model_configs  # noqa: F401  registers what follows
    from optimum.exporters.tasks import TasksManager

    try:
        config = TasksManager.get_exporter_config_constructor("onnx", model, task=task)(model.config)
        return config.generate_dummy_inputs(framework="pt"), list(config.outputs), config.inputs
    except (KeyError, IndexError):  # unknown there, or only with a published preprocessor
        if model.main_input_name != "pixel_values":
            raise
    size = model.config.image_size
    return {"pixel_values": torch.randn(2, 3, size, size)}, ["logits"], {"pixel_values": {0: "batch_size"}}


def export_dynamo(name, folder):
    model, task = make(name)
    inputs, outputs, axes = example_inputs(model, task)
    shapes = {key: {axis: torch.export.Dim.DYNAMIC for axis in axes.get(key, {})} for key in inputs}
    torch.onnx.export(model, (), os.path.join(folder, "model.onnx"), kwargs=inputs, dynamic_shapes=shapes, dynamo=True, opset_version=18,
                      input_names=list(inputs), output_names=outputs, external_data=False, verbose=False)


def rewritten(name, folder, rewrite):
    """Every file of the plain export through rewrite(source, target)."""
    with tempfile.TemporaryDirectory() as plain:
        export_plain(name, plain)
        for file in sorted(os.listdir(plain)):
            if file.endswith(".onnx"):
                rewrite(os.path.join(plain, file), os.path.join(folder, file))


def to_fp16(source, target):
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(onnx.load(source), keep_io_types=False), target)


def to_q8(source, target):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, weight_type=QuantType.QUInt8, extra_options={"EnableSubgraph": True})


def to_q4(source, target):
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    quantizer = MatMulNBitsQuantizer(onnx.load(source), block_size=16, is_symmetric=False)
    quantizer.process()
    onnx.save(quantizer.model.model, target)


def export_fused(name, folder):
    from onnxruntime.transformers.optimizer import optimize_model

    form = next((form for form, names in FUSED.items() if name in names), None)
    if not form:
        raise ValueError("the optimiser has no form for it")

    def rewrite(source, target):
        if any(node.op_type == "If" for node in onnx.load(source).graph.node):
            return  # branches: it would drop them
        # level 0: the optimiser's own rewriting, not the runtime's
        optimize_model(source, form, num_heads=4, hidden_size=32, opt_level=0).save_model_to_file(target)

    rewritten(name, folder, rewrite)


EXPORTS = {
    "plain": export_plain,
    "dynamo": export_dynamo,
    "fp16": lambda name, folder: rewritten(name, folder, to_fp16),
    "q8": lambda name, folder: rewritten(name, folder, to_q8),
    "q4": lambda name, folder: rewritten(name, folder, to_q4),
    "fused": export_fused,
}


def export(name, variant, into):
    """One variant, whole or not at all: what stopped it, or None."""
    folder = os.path.join(into, f"{name}.{variant}")
    work = tempfile.mkdtemp(dir=into)
    try:
        EXPORTS[variant](name, work)
    except Exception as problem:  # of any exporter: it is told, the others go on
        return f"{type(problem).__name__}: {str(problem).strip().splitlines()[0] if str(problem).strip() else ''}"
    else:
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(work, folder)
        return None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def chosen(names):
    for name in names or ARCHITECTURES:
        base, _, variant = name.partition(":")
        if base not in ARCHITECTURES or variant not in ("", *EXPORTS):
            sys.exit(f"export-models: no model '{name}'; --list shows them")
        for each in [variant] if variant else VARIANTS.get(ARCHITECTURES[base].group, ["plain"]):
            yield base, each


def main():
    into, *names = sys.argv[1:]
    listing = "--list" in names
    names = [name for name in names if name != "--list"]
    os.makedirs(into, exist_ok=True)
    for name, variant in chosen(names):
        if listing:
            print(f"{name}:{variant}\t{ARCHITECTURES[name].group}")
            continue
        problem = export(name, variant, into)
        print(f"{name}:{variant}\t{problem or 'made'}", flush=True)


main()
