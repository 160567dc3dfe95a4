#!/usr/bin/env python3
"""How many cases show what each ONNX operator does, by version.

    tools/gen/tested.py           writes src/convert/generated/tested.inc
    tools/gen/tested.py --check   fails when it is not what would be written

Counted are the cases that must pass on every run of the tests: those of tests/operators/*.c, and the must-pass cases
of tests/data/onnx-node and tests/data/op-models. Cases that show a refusal, and those that an engine is excused from,
do not count (there).
"""
import collections
import glob
import json
import os
import re

from generator import ROOT, keep

OUTPUT = "src/convert/generated/tested.inc"

CASE = re.compile(r'\.op = "([^"]+)"(.*?)(?=\.rule = |\Z)', re.S)


def split_name(name):
    domain, _, op = name.rpartition(":")
    return domain or "ai.onnx", op


def count_operator_tests(counts):
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/operators/*.c"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for name, rest in CASE.findall(text):
            opset = re.search(r"\.opset = (\d+)", rest)
            if opset is None or ".refused" in rest or ".dispatch" in rest:
                continue
            key = (*split_name(name), int(opset.group(1)))
            counts[key][0] += 1
            counts[key][1] += ".engine" not in rest


def count_data(counts, name):
    with open(os.path.join(ROOT, "tests/data", name, "cases.json"), encoding="utf-8") as f:
        cases = json.load(f)
    for case in cases:
        domain, op = split_name(case["operator"])
        opset = case["opset"].get(domain)
        if case["expect"] == "must-pass" and opset is not None:
            counts[domain, op, opset][0] += 1


def write():
    counts = collections.defaultdict(lambda: [0, 0])
    count_operator_tests(counts)
    for name in ("onnx-node", "op-models"):
        count_data(counts, name)
    lines = ["/* Cases by operator and opset: on cpu, on onnx. Written by tools/gen/tested.py; do not edit. */\n"]
    lines += ['{ "%s", "%s", %d, %d, %d },\n' % (*key, *counts[key]) for key in sorted(counts)]
    return "".join(lines)


if __name__ == "__main__":
    keep("tools/gen/tested.py", __doc__, {OUTPUT: write})
