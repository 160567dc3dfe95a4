#!/usr/bin/env python3
"""Operator tables from the standard's: the public header and the descriptor rows.

    tools/gen/operators.py           writes the files of OUTPUTS
    tools/gen/operators.py --check   fails when one of them is not what would be written

Source: data/webnn-ops.json, corrected by the tables below. Needs nothing but Python.
"""
import json
import os
import re

from generator import keep

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_RANK = 16
MAX_SLOTS = 11

DTYPES = ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8", "int4", "uint4"]
SHORT = dict(zip(DTYPES, ["F32", "F16", "I32", "U32", "I64", "U64", "I8", "U8", "I4", "U4"]))
PACKED = ["int4", "uint4"]

# ---------------------------------------------------------------- corrections of the text

# Builder methods that are not operators.
NOT_OPERATORS = {"input", "constant", "build"}

# What the text's tables get wrong: (operator, operand, field) -> value.
ERRATA_LIMITS = {
    # A scalar index into a vector gives a scalar.
    ("gather", "output", "allowedRanks"): {"min": 0, "max": None},
}

# int4 and uint4, which the text does not have yet, in the operators made for them.
ADDED_DTYPES = {
    ("dequantizeLinear", "input"): PACKED,
    ("quantizeLinear", "zeroPoint"): PACKED,
}

# Defaults that the text gives in words: None depends on the shapes, absent means "not given".
ABSENT = object()
DEFAULTS_IN_WORDS = {
    "-Infinity (spec text says Infinity: bug)": ABSENT,
    "+Infinity (spec text says -Infinity: bug)": ABSENT,
    "all axes": ABSENT,
    "reversed axes": ABSENT,
    "all 1": ABSENT,
    "[1..rank-1], or [] if rank<=1": ABSENT,
    "[inputHeight,inputWidth]": ABSENT,
    # Beside outputSizes too: implementations and recorded cases keep the padding.
    "[0,0,0,0] (also forced when outputSizes is given)": [0, 0, 0, 0],
}
# scales = [1, 1] counts only where sizes is absent, which resolving decides.
ERRATA_DEFAULTS = {("resample2d", "scales"): ABSENT}

# Operators whose attributes are one struct.
FAMILIES = {"MLReduceOptions": "reduce", "MLPool2dOptions": "pool2d", "MLArgMinMaxOptions": "arg_min_max"}

# Names in graph files where they are not the standard's.
FILE_NAMES = {("cast", "dataType"): "to"}

# A file must hold them although the builder has a default.
REQUIRED_IN_FILES = {("gru", "resetAfter"), ("gruCell", "resetAfter")}
# Canonical text holds them even when they are the default.
ALWAYS_WRITTEN = {
    "split": ["axis"],
    "transpose": ["permutation"],
    "resample2d": ["mode", "axes", "sizes", "scales"],
    "gru": ["direction", "layout", "returnSequence", "resetAfter"],
    "gruCell": ["layout", "resetAfter"],
    "lstm": ["direction", "layout", "returnSequence"],
    "lstmCell": ["layout"],
}
# [] differs from absent.
EMPTY_MEANS_NONE = {"axes": ["reduce", "layerNormalization", "reverse"]}

# Lists of sizes, where an expression over dimensions may stand.
DIMENSION_LISTS = {("expand", "newShape"), ("reshape", "newShape"), ("slice", "sizes")}

ENUM_NAMES = {
    "MLInputOperandLayout": "INPUT_LAYOUT",
    "MLConv2dFilterOperandLayout": "CONV2D_FILTER_LAYOUT",
    "MLConvTranspose2dFilterOperandLayout": "CONV_TRANSPOSE2D_FILTER_LAYOUT",
    "MLGruWeightLayout": "GRU_WEIGHT_LAYOUT",
    "MLLstmWeightLayout": "LSTM_WEIGHT_LAYOUT",
    "MLRecurrentNetworkActivation": "ACTIVATION",
    "MLRecurrentNetworkDirection": "DIRECTION",
    "MLPaddingMode": "PADDING_MODE",
    "MLRoundingType": "ROUNDING",
    "MLInterpolationMode": "INTERPOLATION",
}

# ---------------------------------------------------------------- rules

RULES = {
    "abs ceil cos erf exp floor identity log neg reciprocal roundEven sin sign sqrt tan elu gelu hardSigmoid "
    "hardSwish leakyRelu linear relu sigmoid softplus softsign tanh triangular logicalNot isNaN isInfinite": "same",
    "add sub mul div max min pow prelu equal notEqual greater greaterOrEqual lesser lesserOrEqual "
    "logicalAnd logicalOr logicalXor": "binary",
    "softmax cumulativeSum": "along_axis",
    "argMin argMax": "arg_min_max",
    "averagePool2d l2Pool2d maxPool2d": "pool2d",
    "reduceL1 reduceL2 reduceLogSum reduceLogSumExp reduceMax reduceMean reduceMin reduceProduct reduceSum "
    "reduceSumSquare": "reduce",
    "quantizeLinear dequantizeLinear": "quantize",
}
RESOLVERS = {
    "reduceL1 reduceL2 reduceLogSum reduceLogSumExp reduceMax reduceMean reduceMin reduceProduct reduceSum "
    "reduceSumSquare": "reduce",
    "averagePool2d l2Pool2d maxPool2d": "pool2d",
    "reverse": "reverse",
    "layerNormalization": "layer_normalization",
    "resample2d": "resample2d",
    "slice": "slice",
    "transpose": "transpose",
    "convTranspose2d": "conv_transpose2d",
}


def by_operator(table, name):
    for names, value in table.items():
        if name in names.split():
            return value
    return None


# ---------------------------------------------------------------- the model

def snake(name):
    if name == "isNaN":
        return "is_nan"
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def enumerator(text):
    return re.sub(r"[^A-Za-z0-9]", "_", text).upper()


def enum_prefix(webidl):
    return "WEBNN_" + ENUM_NAMES[webidl]


class Attribute:
    """A positional argument or a member of the options that is not an operand."""

    def __init__(self, operator, data, position):
        self.operator, self.position = operator, position
        self.idl = data["type"]
        self.key = FILE_NAMES.get((operator, data["name"]), data["name"])
        self.member = snake(self.key)
        self.values, self.enum = None, None
        self.kind = self.find_kind(data["name"])
        self.default = self.find_default(data)
        self.required = position > 0 or (operator, self.key) in REQUIRED_IN_FILES
        self.always_written = self.required or self.key in ALWAYS_WRITTEN.get(operator, [])
        lists = EMPTY_MEANS_NONE.get(self.key, [])
        self.empty_means_none = (any(operator.startswith(o) for o in lists)
                                 or self.required and self.kind in ("U32S", "DIMS", "SPLITS"))

    def find_kind(self, name):
        idl = self.idl.replace("[EnforceRange] ", "")
        if (self.operator, name) in DIMENSION_LISTS:
            return "DIMS"
        element = re.fullmatch(r"sequence<(ML\w+)>", idl)
        if element:
            idl = element.group(1)
        if idl in ENUM_NAMES:
            self.enum = idl
            return "ENUMS" if element else "ENUM"
        return {"unsigned long": "U32", "long": "I32", "boolean": "BOOL", "double": "DOUBLE", "MLNumber": "NUMBER",
                "MLOperandDataType": "DTYPE", "sequence<unsigned long>": "U32S", "sequence<float>": "DOUBLES",
                "(unsigned long or sequence<unsigned long>)": "SPLITS"}[idl]

    def find_default(self, data):
        if (self.operator, data["name"]) in ERRATA_DEFAULTS:
            return ERRATA_DEFAULTS[self.operator, data["name"]]
        if "default" in data:
            text = data["default"]
            if self.kind in ("ENUM", "DTYPE"):
                return text
            return json.loads(text)
        words = data.get("effectiveDefault")
        if words is None:
            return ABSENT
        return DEFAULTS_IN_WORDS[words] if words in DEFAULTS_IN_WORDS else json.loads(words)

    def c_type(self):
        return {"BOOL": "bool ", "U32": "uint32_t ", "I32": "int32_t ", "DOUBLE": "double ", "ENUM": "uint32_t ",
                "DTYPE": "uint32_t ", "NUMBER": "struct webnn_number ", "U32S": "struct webnn_u32s ",
                "ENUMS": "struct webnn_u32s ", "DOUBLES": "struct webnn_doubles ", "DIMS": "struct webnn_dims ",
                "SPLITS": "struct webnn_splits "}[self.kind]

    def comment(self):
        if self.kind == "ENUM":
            return "enum " + enum_prefix(self.enum).lower()
        if self.kind == "ENUMS":
            return "each an enum " + enum_prefix(self.enum).lower()
        if self.kind == "DTYPE":
            return "enum webnn_data_type"
        return ""

    def c_scalar(self, value):
        if self.kind in ("ENUM", "ENUMS"):
            return enum_prefix(self.enum) + "_" + enumerator(value)
        if self.kind == "DTYPE":
            return "WEBNN_" + value.upper()
        if self.kind == "BOOL":
            return "true" if value else "false"
        if self.kind in ("DOUBLE", "DOUBLES"):
            return repr(float(value))
        return str(value)

    def parts(self):
        """The default as [(member path, C value)]; nothing where it is zero or absent."""
        if self.default is ABSENT:
            return []
        if self.kind == "NUMBER":
            assert self.default == 0
            return [(".kind", "WEBNN_NUMBER_INT")]
        if isinstance(self.default, list):
            items = [(".items[%d]" % i, self.c_scalar(v)) for i, v in enumerate(self.default) if v != 0]
            return [(".given", "true"), (".count", str(len(self.default)))] + items
        value = self.c_scalar(self.default)
        return [] if value in ("0", "false", "0.0") else [("", value)]


class Slot:
    """An operand or a result."""

    def __init__(self, operator, data, kind, named, slots):
        self.key = data["operand"]
        self.name, self.kind, self.named = self.short_name(), kind, named
        fields = {f: ERRATA_LIMITS.get((operator, self.key, f), data[f])
                  for f in ("allowedTypes", "requiredTypes", "allowedRanks", "requiredRanks")}
        other = self.other(fields["allowedTypes"], slots)
        self.same = slots.index(other) if other else -1
        self.dtypes = list(other.dtypes if other else fields["allowedTypes"])
        self.dtypes += [t for t in ADDED_DTYPES.get((operator, self.key), []) if t not in self.dtypes]
        self.required = fields["requiredTypes"]
        self.ranks = self.range(fields["allowedRanks"], slots)
        self.required_ranks = self.range(fields["requiredRanks"], slots)

    def short_name(self):
        text = self.key.split(" if ")[0]
        text = text.replace("outputs[", "output").replace("[]", "").replace("]", "")
        return text

    @staticmethod
    def other(field, slots):
        """The slot that the words "same as X" name."""
        if not isinstance(field, str):
            return None
        name = field.removeprefix("same as ").removesuffix("'s items")
        return next(s for s in slots if s.name == name)

    def range(self, field, slots):
        other = self.other(field, slots)
        if other:
            return other.ranks
        return field["min"], MAX_RANK if field["max"] is None else field["max"]


class Operator:
    def __init__(self, data):
        self.name = data["name"]
        self.snake = snake(self.name)
        self.id = "WEBNN_" + self.snake.upper()
        self.list_result = data["returns"].startswith("sequence")
        self.read_slots(data)
        self.read_attributes(data)
        self.rule = by_operator(RULES, self.name) or self.snake
        self.resolver = by_operator(RESOLVERS, self.name)

    def read_slots(self, data):
        positional = {i["name"]: i["type"] for i in data["inputs"]}
        options = [o["name"] for o in data["options"] if o["type"] == "MLOperand"]
        limits = {l["operand"].replace("[]", ""): l for l in data["limits"]}
        results = [n for n in limits if n.startswith("output")]
        if sorted(limits) != sorted(list(positional) + options + results):
            raise SystemExit("%s: operands and limits differ" % self.name)
        slots = []
        for name in list(positional) + options:
            sequence = positional.get(name, "").startswith("sequence")
            kind = "VARIADIC" if sequence else "OPTIONAL" if name in options else "REQUIRED"
            slots.append(Slot(self.name, limits[name], kind, name in options, slots))
        self.operands = list(slots)
        for name in results:
            slots.append(Slot(self.name, limits[name], "OPTIONAL" if " if " in name else "REQUIRED", False, slots))
        self.results = slots[len(self.operands):]
        if len(slots) > MAX_SLOTS:
            raise SystemExit("%s has more than %d slots" % (self.name, MAX_SLOTS))

    def read_attributes(self, data):
        rows = [Attribute(self.name, p, i + 1) for i, p in enumerate(data["params"])]
        rows += [Attribute(self.name, o, 0) for o in data["options"]
                 if o["name"] != "label" and o["type"] != "MLOperand"]
        self.members = rows
        self.attributes = sorted(rows, key=lambda a: a.key.encode())
        self.struct = "webnn_%s_attributes" % FAMILIES.get(data["optionsType"], self.snake)


def load():
    with open(os.path.join(HERE, "data", "webnn-ops.json"), encoding="utf-8") as f:
        data = json.load(f)
    return data["$meta"], [Operator(o) for o in data["ops"] if o["name"] not in NOT_OPERATORS]


# ---------------------------------------------------------------- the public header

HEADER_TOP = """\
/* The operators of WebNN and their attributes. Written by tools/gen/operators.py; do not edit. */
#ifndef ONNX2WEBNN_WEBNN_OPERATORS_H
#define ONNX2WEBNN_WEBNN_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WEBNN_MAX_RANK = %(max_rank)d };

/* An MLNumber: an exact 64-bit integer or a double. NONE: not given. */
enum webnn_number_kind { WEBNN_NUMBER_NONE, WEBNN_NUMBER_INT, WEBNN_NUMBER_UINT, WEBNN_NUMBER_DOUBLE };

struct webnn_number {
    enum webnn_number_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
    };
};

/* Lists. `given` false: absent, the operator's rule decides; count 0 with `given`: the empty list. */
struct webnn_u32s {
    bool given;
    uint32_t count;
    uint32_t items[WEBNN_MAX_RANK];
};

struct webnn_doubles {
    bool given;
    uint32_t count;
    double items[4];
};

/* Sizes: >= 0 is a number, < 0 a dimension expression of the graph. */
struct webnn_dims {
    bool given;
    uint32_t count;
    int64_t items[WEBNN_MAX_RANK];
};

/* equal: `count` equal parts, `items` is not read. Else the parts' sizes, borrowed. */
struct webnn_splits {
    bool equal;
    uint32_t count;
    const uint32_t *items;
};
"""

HEADER_END = """
#ifdef __cplusplus
}
#endif

#endif
"""


def enum_block(name, members, count=None):
    lines = ["enum %s {" % name]
    lines += ["    %s = %d," % (m, i) for i, m in enumerate(members)]
    if count:
        lines.append("    %s = %d," % (count, len(members)))
    lines[-1] = lines[-1].rstrip(",")
    return lines + ["};", ""]


def attribute_struct(op):
    lines = ["struct %s {" % op.struct]
    for a in op.members:
        note = a.comment()
        lines.append("    %s%s;%s" % (a.c_type(), a.member, " /* %s */" % note if note else ""))
    return lines + ["};", ""]


def defaults_inline(op):
    lines = ["static inline struct %s webnn_%s_defaults(void)" % (op.struct, op.snake), "{",
             "    struct %s a;" % op.struct, "    memset(&a, 0, sizeof a);"]
    for a in op.members:
        lines += ["    a.%s%s = %s;" % (a.member, path, value) for path, value in a.parts()]
    return lines + ["    return a;", "}", ""]


def header(meta, operators):
    lines = (HEADER_TOP % {"max_rank": MAX_RANK}).splitlines() + [""]
    lines.append("/* Element types. int4 and uint4 hold two elements per byte, low nibble first. */")
    lines += enum_block("webnn_data_type", ["WEBNN_" + t.upper() for t in DTYPES], "WEBNN_DATA_TYPE_COUNT")
    for idl in ENUM_NAMES:
        prefix = enum_prefix(idl)
        lines += enum_block(prefix.lower(), [prefix + "_" + enumerator(v) for v in meta["enums"][idl]])
    lines += enum_block("webnn_operator", [op.id for op in operators], "WEBNN_OPERATOR_COUNT")
    lines += ["/* The attributes of each operator that has some, and their defaults. A list whose default",
              " * depends on the operands' shapes is not given there. */", ""]
    written = set()
    for op in operators:
        if op.members and op.struct not in written:
            lines += attribute_struct(op)
            written.add(op.struct)
        if op.members:
            lines += defaults_inline(op)
    while lines[-1] == "":
        lines.pop()
    return "\n".join(lines) + "\n" + HEADER_END


# ---------------------------------------------------------------- the typed calls

BUILDER_TOP = """\
/* Recording operators: webnn_op for any of them, and a call for each. Included by webnn.h. Written by
 * tools/gen/operators.py; do not edit. */
#ifndef ONNX2WEBNN_WEBNN_CALLS_H
#define ONNX2WEBNN_WEBNN_CALLS_H

#include <onnx2webnn/common.h>
#include <onnx2webnn/webnn_operators.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct webnn_builder webnn_builder; /* webnn_builder_create */

/* An operand of one builder, which refuses those of others, or of one graph; 0 is absent. */
typedef uint32_t webnn_operand;
enum { WEBNN_ABSENT = 0 };

/* Any operator. operands by slot of the standard's signature, then its operand options in the order of
 * their dictionary, WEBNN_ABSENT where not given; for concat as many as there are. attributes: the
 * operator's struct of webnn_operators.h, NULL for defaults. A label for messages, or NULL. results has
 * room for *result_count. A call that fails records nothing. */
O2W_API o2w_status webnn_op(webnn_builder *builder, enum webnn_operator kind,
                            const webnn_operand *operands, size_t operand_count,
                            const void *attributes, const char *label, webnn_operand *results,
                            size_t *result_count, o2w_error **error);

/* The same with an argument per slot; WEBNN_ABSENT for optional ones that are not given. */
"""

BUILDER_END = """
#ifdef __cplusplus
}
#endif

#endif
"""


def wrapped(head, parameters):
    """A declaration within 100 columns."""
    lines, line = [], head + "("
    for i, parameter in enumerate(parameters):
        piece = parameter + (", " if i + 1 < len(parameters) else ")")
        if len(line) + len(piece.rstrip()) > 100:
            lines.append(line.rstrip())
            line = " " * (len(head) + 1)
        line += piece
    return lines + [line]


def operator_call(op):
    variadic = any(slot.kind == "VARIADIC" for slot in op.operands)
    parameters = ["webnn_builder *builder"]
    if variadic:
        parameters += ["const webnn_operand *%s" % op.operands[0].name, "size_t count"]
    else:
        parameters += ["webnn_operand %s" % snake(slot.name) for slot in op.operands]
    if op.members:
        parameters.append("const struct %s *attributes" % op.struct)
    parameters.append("const char *label")
    if op.list_result:
        parameters += ["webnn_operand *outputs", "size_t *output_count"]
    else:
        parameters.append("webnn_operand *output")
    parameters.append("o2w_error **error")
    body = []
    if variadic:
        operands, count = op.operands[0].name, "count"
    else:
        operands, count = "operands", str(len(op.operands))
        body += wrapped("    const webnn_operand operands[] = {",
                        [snake(slot.name) for slot in op.operands])
        body[0] = body[0].replace("{(", "{ ")
        body[-1] = body[-1][:-1] + " };"
    if not op.list_result:
        body.append("    size_t count_of_results = 1;")
    results = ["outputs", "output_count"] if op.list_result else ["output", "&count_of_results"]
    body += wrapped("    return webnn_op", ["builder", op.id, operands, count,
                                            "attributes" if op.members else "NULL", "label"] + results + ["error"])
    body[-1] += ";"
    return wrapped("static inline o2w_status webnn_" + op.snake, parameters) + ["{"] + body + ["}", ""]


def calls(meta, operators):
    lines = BUILDER_TOP.splitlines() + [""]
    for op in operators:
        lines += operator_call(op)
    return "\n".join(lines[:-1]) + "\n" + BUILDER_END


# ---------------------------------------------------------------- the rows

ROWS_TOP = """\
/* The descriptors of all operators. Written by tools/gen/operators.py; do not edit. */
#include "webnn/infer/rules.h"
#include "webnn/operator.h"

#include <stddef.h>

#define LINK(anchor) "https://www.w3.org/TR/webnn/#dom-mlgraphbuilder-" anchor
#define COUNT(array) (uint32_t)(sizeof array / sizeof *array)
"""


def dtype_text(dtypes):
    return " | ".join(SHORT[t] for t in DTYPES if t in dtypes)


def slot_text(slot):
    fields = [".name = \"%s\"" % slot.name, ".kind = SLOT_%s" % slot.kind]
    if slot.named:
        fields.append(".named = true")
    fields.append(".same_dtype_as = %d" % slot.same)
    types = [".dtypes = " + dtype_text(slot.dtypes), ".required_dtypes = " + dtype_text(slot.required)]
    ranks = [".rank_min = %d" % slot.ranks[0], ".rank_max = %s" % rank_text(slot.ranks[1]),
             ".required_rank_min = %d" % slot.required_ranks[0],
             ".required_rank_max = %s" % rank_text(slot.required_ranks[1])]
    return "    { %s,\n      %s,\n      %s },\n" % (", ".join(fields), ",\n      ".join(types), ", ".join(ranks))


def rank_text(rank):
    return "MAX_RANK" if rank == MAX_RANK else str(rank)


def attribute_text(op, a):
    fields = [".name = \"%s\"" % a.key, ".type = ATTRIBUTE_" + a.kind,
              ".offset = offsetof(struct %s, %s)" % (op.struct, a.member)]
    for flag in ("required", "always_written", "empty_means_none"):
        if getattr(a, flag):
            fields.append(".%s = true" % flag)
    if a.position:
        fields.append(".position = %d" % a.position)
    if a.enum:
        values = "values_" + ENUM_NAMES[a.enum].lower()
        fields += [".values = " + values, ".value_count = COUNT(%s)" % values]
    return "    { " + ", ".join(fields) + " },\n"


def defaults_text(op):
    fields = ["    .%s%s = %s,\n" % (a.member, path, value) for a in op.members for path, value in a.parts()]
    if not fields:
        return "static const struct %s %s_defaults;\n" % (op.struct, op.snake)
    return "static const struct %s %s_defaults = {\n%s};\n" % (op.struct, op.snake, "".join(fields))


def operator_tables(op):
    text = ["/* %s */\n" % op.name]
    for name, slots in (("operands", op.operands), ("results", op.results)):
        text.append("static const struct slot_row %s_%s[] = {\n%s};\n"
                    % (op.snake, name, "".join(slot_text(s) for s in slots)))
    if op.attributes:
        text.append("static const struct attribute_row %s_attributes[] = {\n%s};\n"
                    % (op.snake, "".join(attribute_text(op, a) for a in op.attributes)))
        text.append(defaults_text(op))
    return "".join(text) + "\n"


def operator_row(op):
    lines = ["    [%s] = {" % op.id,
             "        .name = \"%s\"," % op.name,
             "        .link = LINK(\"%s\")," % op.name.lower(),
             "        .operands = %s_operands," % op.snake,
             "        .operand_count = COUNT(%s_operands)," % op.snake,
             "        .results = %s_results," % op.snake,
             "        .result_count = COUNT(%s_results)," % op.snake]
    if op.list_result:
        lines.append("        .list_result = true,")
    if op.attributes:
        lines += ["        .attributes = %s_attributes," % op.snake,
                  "        .attribute_count = COUNT(%s_attributes)," % op.snake,
                  "        .attribute_size = sizeof(struct %s)," % op.struct,
                  "        .defaults = &%s_defaults," % op.snake]
    lines.append("        .infer = infer_%s," % op.rule)
    if op.resolver:
        lines.append("        .resolve = resolve_%s," % op.resolver)
    return "\n".join(lines) + "\n    },\n"


def rows(meta, operators):
    text = [ROWS_TOP]
    text += ["#define %s DTYPE_BIT(DTYPE_%s)\n" % (SHORT[t], t.upper()) for t in DTYPES]
    text.append("\n")
    text += ["_Static_assert((int)WEBNN_%s == (int)DTYPE_%s, \"\");\n" % (t.upper(), t.upper()) for t in DTYPES]
    text.append("_Static_assert((int)WEBNN_MAX_RANK == (int)MAX_RANK, \"\");\n\n")
    used = {a.enum for op in operators for a in op.attributes}
    for idl in ENUM_NAMES:
        if idl in used:
            text.append("static const char *const values_%s[] = { %s };\n"
                        % (ENUM_NAMES[idl].lower(), ", ".join('"%s"' % v for v in meta["enums"][idl])))
    text.append("\n")
    text += [operator_tables(op) for op in operators]
    text.append("const struct operator_row webnn_operator_rows[WEBNN_OPERATOR_COUNT] = {\n")
    text += [operator_row(op) for op in operators]
    text.append("};\n")
    return "".join(text)


# ---------------------------------------------------------------- files

OUTPUTS = {
    "include/onnx2webnn/webnn_operators.h": header,
    "include/onnx2webnn/webnn_calls.h": calls,
    "src/webnn/generated/operators_rows.c": rows,
}


def outputs():
    meta, operators = load()
    return {path: lambda make=make: make(meta, operators) for path, make in OUTPUTS.items()}


if __name__ == "__main__":
    keep("tools/gen/operators.py", __doc__, outputs())
