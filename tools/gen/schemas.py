#!/usr/bin/env python3
"""The published operators of ONNX and ONNX Runtime as one table.

    tools/gen/schemas.py           writes src/onnx/generated/schemas.inc
    tools/gen/schemas.py --check   fails when it is not what would be written

Sources: data/onnx-schemas.jsonl, data/ms-schemas.jsonl. Needs nothing but Python.
"""
import json
import os

from generator import keep

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUT = "src/onnx/generated/schemas.inc"

DOMAINS = ["ai.onnx", "ai.onnx.ml", "com.microsoft"]
OPTIONS = {"required": "SLOT_REQUIRED", "optional": "SLOT_OPTIONAL", "variadic": "SLOT_VARIADIC"}

# Names of element types in type constraints, by their number in onnx.proto.
ELEMENTS = ["undefined", "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16",
            "double", "uint32", "uint64", "complex64", "complex128", "bfloat16", "float8e4m3fn", "float8e4m3fnuz",
            "float8e5m2", "float8e5m2fnuz", "uint4", "int4", "float4e2m1", "float8e8m0", "uint2", "int2"]
ATTRIBUTES = {"FLOAT": 1, "INT": 2, "STRING": 3, "TENSOR": 4, "GRAPH": 5, "FLOATS": 6, "INTS": 7, "STRINGS": 8,
              "TENSORS": 9, "GRAPHS": 10, "SPARSE_TENSOR": 11, "SPARSE_TENSORS": 12, "TYPE_PROTO": 13}


def load():
    schemas = []
    for name in ("onnx-schemas.jsonl", "ms-schemas.jsonl"):
        with open(os.path.join(HERE, "data", name), encoding="utf-8") as f:
            schemas += [json.loads(line) for line in f]
    return sorted(schemas, key=lambda s: (DOMAINS.index(s["domain"]), s["name"].encode(), s["since"]))


class Pool:
    """Texts one behind the other, each once."""

    def __init__(self):
        self.offsets, self.texts, self.size = {}, [], 0

    def add(self, text):
        if text not in self.offsets:
            self.offsets[text] = self.size
            self.texts.append(text)
            self.size += len(text.encode()) + 1
        return self.offsets[text]


def slot_types(schema, slot):
    """(bits of the tensor types, whether other kinds of values are allowed)."""
    bits, other = 0, 0
    for name in schema["types"].get(slot["type"], [slot["type"]]):
        if name.startswith("tensor("):
            bits |= 1 << ELEMENTS.index(name[7:-1])
        else:
            other = 1
    return bits, other


def write():
    pool, slots, attributes, rows = Pool(), [], [], []
    for s in load():
        rows.append("{ %d, %d, %d, %d, %d, %d, %d, %d, %d }"
                    % (pool.add(s["name"]), DOMAINS.index(s["domain"]), s["since"], s["deprecated"], len(slots),
                       len(attributes), len(s["inputs"]), len(s["outputs"]), len(s["attributes"])))
        for slot in s["inputs"] + s["outputs"]:
            bits, other = slot_types(s, slot)
            slots.append("{ %d, 0x%x, %s, %d }" % (pool.add(slot["name"]), bits, OPTIONS[slot["option"]], other))
        for a in s["attributes"]:
            attributes.append("{ %d, %d, %d }" % (pool.add(a["name"]), ATTRIBUTES[a["type"]], a["required"]))
    lines = ["/* The published operators. Written by tools/gen/schemas.py; do not edit. */\n",
             "static const char *const domains[] = { %s };\n" % ", ".join('"%s"' % d for d in DOMAINS),
             "static const char texts[] =\n"]
    lines += ['    "%s\\0"\n' % t for t in pool.texts]
    lines.append("    ;\n")
    for kind, items in (("schema_row rows", rows), ("schema_slot slots", slots), ("schema_attribute attributes", attributes)):
        lines.append("static const struct %s[] = {\n" % kind)
        lines += ["    %s,\n" % item for item in items]
        lines.append("};\n")
    return "".join(lines)


if __name__ == "__main__":
    keep("tools/gen/schemas.py", __doc__, {OUTPUT: write})
