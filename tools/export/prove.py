#!/usr/bin/env python3
"""Converts and validates every model of a folder that tools/export-models made, on each engine; a line per case.

usage: tools/export/prove.py [--tool ONNX2WEBNN] [--models DIR] [--work DIR] [--markdown FILE] [NAME.VARIANT]...

A model with the input use_cache_branch makes two cases, one per branch. Dimensions are bound by their names, from one
table. A line is: model, branch, engine, `passed` or the first error. Exit status 1 when one did not pass. Without ONNX Runtime
there is nothing to compare with: each model is converted, and skipped.
"""
import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENGINES = ("cpu", "onnx")
VARIANTS = ("plain", "dynamo", "fp16", "q8", "q4", "fused")
# The first row whose text the dimension's name holds decides.
SIZES = [("past", 4), ("batch", 1), ("feature", 3000), ("encoder_sequence", 6), ("decoder_sequence", 1), ("sequence", 6),
         ("num_samples", 400), ("num_channels", 3), ("height", 32), ("width", 32), ("channels", 3)]
AXES = {("input_ids", 1): "sequence", ("attention_mask", 1): "sequence", ("pixel_values", 1): "num_channels",
        ("pixel_values", 2): "height", ("pixel_values", 3): "width"}
SIZES_OF = {"mobilevit": [("height", 64), ("width", 64)], "patchtst": [("sequence", 32)], "wav2vec2": [("sequence", 400)],
            "segformer": [("height", 64), ("width", 64)], "detr": [("height", 64), ("width", 64)]}


def size_of(name, model, axis):
    """By the name, else (the newer exporter makes names up) by the axis of an input."""
    terms = name.split(" + ")
    if len(terms) > 1:
        return sum(size_of(term, model, axis) for term in terms)
    if name.strip().isdigit():
        return int(name)
    for word in (name, AXES.get(axis, "")):
        for part, size in SIZES_OF.get(model, []) + SIZES:
            if part in word:
                return size
    return 1


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def first_error(text):
    lines = [line for line in text.splitlines() if line.strip()]
    for at, line in enumerate(lines):
        if line.startswith("error["):
            place = lines[at + 1].strip() if at + 1 < len(lines) and lines[at + 1].startswith("  at:") else ""
            return f"{line} {place}".strip()
    return lines[-1] if lines else "no message"


def bindings(tool, path):
    """Where each named dimension stands first, and whether there is a branch to choose."""
    _, out, _ = run([tool, "inspect", "--json", path])
    found = json.loads(out)
    names = {}
    for value in found["inputs"]:
        for axis, dim in enumerate(value["shape"]):
            if isinstance(dim, str):
                names.setdefault(dim, (value["name"], axis))
    merged = any(value["name"] == "use_cache_branch" for value in found["inputs"])
    return names, merged


def cases(tool, path, model):
    names, merged = bindings(tool, path)
    for branch in ("false", "true") if merged else (None,):
        arguments = [] if branch is None else ["--pin-input", f"use_cache_branch={branch}"]
        for name in sorted(names):
            size = 0 if branch == "false" and name.startswith("past_") else size_of(name, model, names[name])
            arguments += ["--override-dim", f"{name}={size}"]
        yield branch, arguments


def judge(options, path, graph, engine):
    """`passed`, `skipped`, or the first error."""
    if not options.reference:
        return "skipped"
    code, _, problem = run([options.tool, "validate", "-q", "--onnx", path, "--webnn", graph, "--backend", engine])
    return "passed" if code == 0 else first_error(problem)


def prove(options, folder, file):
    model = folder.split(".")[0]
    path = os.path.join(options.models, folder, file)
    label = folder if file == "model.onnx" else f"{folder}/{file.removesuffix('.onnx')}"
    for branch, arguments in cases(options.tool, path, model):
        graph = os.path.join(options.work, f"{label.replace('/', '.')}.{branch or 'only'}.webnn")
        status, _, err = run([options.tool, "convert", "-q", "--model", path, "-o", graph, *arguments])
        results = {}
        for engine in ENGINES:
            results[engine] = first_error(err) if status else judge(options, path, graph, engine)
        yield label, branch, results


def table(rows):
    """A row per architecture, a column per variant: how many cases, or the first that failed and why."""
    cells = {}
    for label, branch, results in rows:
        model, variant = label.split("/")[0].split(".")
        cell = cells.setdefault(model, {}).setdefault(variant, [0, None])
        cell[0] += 1
        failed = [f"`{engine}`: {results[engine]}" for engine in ENGINES if results[engine] != "passed"]
        if failed and not cell[1]:
            cell[1] = f"{label.split('/')[-1]} {branch or ''} {failed[0]}".replace("|", "\\|")
    yield "| model | " + " | ".join(VARIANTS) + " |"
    yield "|---|" + "---|" * len(VARIANTS)
    for model, made in sorted(cells.items()):
        line = [made[v][1] or str(made[v][0]) if v in made else "" for v in VARIANTS]
        yield f"| `{model}` | " + " | ".join(line) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "release", "bin", "onnx2webnn"))
    parser.add_argument("--models", default=os.path.join(ROOT, ".deps", "export", "models"))
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "export"))
    parser.add_argument("--markdown", metavar="FILE")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    options.reference = run([options.tool, "backends", "--backend", "onnx"])[0] == 0
    if not options.reference:
        print("skip: ONNX Runtime is not here: no reference to compare with (tools/setup onnxruntime)")
    rows = []
    for folder in options.names or sorted(os.listdir(options.models)):
        files = sorted(f for f in os.listdir(os.path.join(options.models, folder)) if f.endswith(".onnx"))
        for file in files:
            for label, branch, results in prove(options, folder, file):
                rows.append((label, branch, results))
                for engine in ENGINES:
                    print(f"{label}\t{branch or '-'}\t{engine}\t{results[engine]}", flush=True)
    passed = sum(all(result == "passed" for result in row[2].values()) for row in rows)
    skipped = sum(all(result == "skipped" for result in row[2].values()) for row in rows)
    failed = len(rows) - passed - skipped
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write("\n".join(table(rows)) + "\n")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed != 0)


main()
