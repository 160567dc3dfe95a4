#!/usr/bin/env python3
"""What conformance cases must give, computed again in exact arithmetic and rounded once.

    tools/gen/exact.py           writes tests/data/wpt-exact.json
    tools/gen/exact.py --check   fails when it is not what would be written

The expected data of some operators were computed in single precision, step by step, and are off the exact value
themselves. `wpt --audit` measures results of these operators against the numbers made here, from the formulas of the
specification: rational numbers, and 50 digits for sigmoid and tanh. Attributes are rounded to float32 before they are
used, as the specification's decompositions have it. Needs nothing but Python.
"""
import decimal
import glob
import json
import os
import struct
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OUTPUT = "tests/data/wpt-exact.json"

decimal.getcontext().prec = 50


def float32(x):
    """The float32 nearest to a rational, ties to even."""
    if x == 0:
        return 0.0
    sign, x, exponent = (-1 if x < 0 else 1), abs(x), -149
    while x / Fraction(2) ** exponent >= 1 << 24:
        exponent += 1
    whole, rest = divmod(x / Fraction(2) ** exponent, 1)
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1)
    return sign * float(Fraction(whole) * Fraction(2) ** exponent)


def exponential(x):
    d = decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)
    return Fraction(d.exp())


def sigmoid(x):
    return 1 / (1 + exponential(-x))


ACTIVATIONS = {"relu": lambda x: max(x, Fraction(0)), "sigmoid": sigmoid, "tanh": lambda x: 2 * sigmoid(2 * x) - 1}


def tensor(t):
    count = 1
    for size in t["shape"]:
        count *= size
    return [Fraction(v) for v in struct.unpack("<%df" % count, bytes.fromhex(t["hex"]))]


class Call:
    """One operator of a case: its operands and options."""

    def __init__(self, test):
        step = test["operators"][0]
        self.inputs, self.options, self.outputs = test["inputs"], step["options"], step["outputs"]
        self.args = {a["name"]: a["value"] for a in step["args"]}
        self.name = step["op"]

    def shape(self, name):
        return self.inputs[self.args[name]["operand"]]["shape"]

    def operand(self, name, count=0):
        """The elements of an argument or option, or zeros."""
        value = self.args.get(name) or self.options.get(name)
        return tensor(self.inputs[value["operand"]]) if value else [Fraction(0)] * count


def leaky_relu(call):
    slope = Fraction(struct.unpack("f", struct.pack("f", call.options.get("alpha", 0.01)))[0])
    return [[x if x >= 0 else slope * x for x in call.operand("input")]]


class Cell:
    def __init__(self, call, kind, single):
        self.gates = 4 if kind == "lstm" else 3
        self.order = call.options.get("layout", "iofg" if kind == "lstm" else "zrn")
        self.hidden, self.size = call.args["hiddenSize"], call.shape("input")[-1]
        self.batch, self.steps = call.shape("input")[-2], 1 if single else call.args["steps"]
        self.directions = 1 if single else call.shape("weight")[0]
        rows, states = self.directions * self.gates * self.hidden, self.directions * self.batch * self.hidden
        self.x, self.w, self.r = (call.operand(n) for n in ("input", "weight", "recurrentWeight"))
        self.b, self.rb = call.operand("bias", rows), call.operand("recurrentBias", rows)
        self.h = call.operand("hiddenState" if single else "initialHiddenState", states)
        self.c = call.operand("cellState" if single else "initialCellState", states)
        self.peephole = call.operand("peepholeWeight", self.directions * 3 * self.hidden)
        self.reset_after = call.options.get("resetAfter", True)
        fallback = ["sigmoid", "tanh", "tanh"] if kind == "lstm" else ["sigmoid", "tanh"]
        self.f = [ACTIVATIONS[a] for a in call.options.get("activations", fallback)]
        self.step = self.lstm if kind == "lstm" else self.gru

    def row(self, gate, unit):
        return (self.direction * self.gates + self.order.index(gate)) * self.hidden + unit

    def given(self, gate, unit):
        row = self.row(gate, unit)
        x = self.x[(self.t * self.batch + self.n) * self.size:]
        return self.b[row] + sum(self.w[row * self.size + i] * x[i] for i in range(self.size))

    def recalled(self, gate, unit, states):
        row = self.row(gate, unit)
        return self.rb[row] + sum(self.r[row * self.hidden + i] * states[i] for i in range(self.hidden))

    def both(self, gate, unit, states):
        return self.given(gate, unit) + self.recalled(gate, unit, states)

    def gru(self, h, cells):
        units = range(self.hidden)
        z = [self.f[0](self.both("z", u, h)) for u in units]
        r = [self.f[0](self.both("r", u, h)) for u in units]
        scaled = [r[u] * h[u] for u in units]
        inner = [r[u] * self.recalled("n", u, h) if self.reset_after else self.recalled("n", u, scaled) for u in units]
        new = [self.f[1](self.given("n", u) + inner[u]) for u in units]
        return [z[u] * h[u] + (1 - z[u]) * new[u] for u in units], cells

    def lstm(self, h, cells):
        units, at = range(self.hidden), self.direction * 3 * self.hidden
        p = [self.peephole[at + k * self.hidden:] for k in range(3)]
        i, o, f = ([self.f[0](self.both(gate, u, h) + p[k][u] * cells[u]) for u in units]
                   for k, gate in enumerate("iof"))
        g = [self.f[1](self.both("g", u, h)) for u in units]
        cells = [f[u] * cells[u] + i[u] * g[u] for u in units]
        return [o[u] * self.f[2](cells[u]) for u in units], cells

    def run(self, backward):
        """Last states, last cells, states of each step."""
        states = self.batch * self.hidden
        sequence = [Fraction(0)] * (self.steps * self.directions * states)
        for self.direction in range(self.directions):
            for self.n in range(self.batch):
                at = (self.direction * self.batch + self.n) * self.hidden
                h, c = self.h[at:at + self.hidden], self.c[at:at + self.hidden]
                for k in range(self.steps):
                    self.t = self.steps - 1 - k if backward or self.direction else k
                    h, c = self.step(h, c)
                    to = self.t * self.directions * states + at
                    sequence[to:to + self.hidden] = h
                self.h[at:at + self.hidden], self.c[at:at + self.hidden] = h, c
        return self.h, self.c, sequence


def recurrent(call):
    single, kind = call.name.endswith("Cell"), call.name.replace("Cell", "")
    h, c, sequence = Cell(call, kind, single).run(call.options.get("direction") == "backward")
    results = [h] + ([c] if kind == "lstm" else [])
    return results + ([sequence] if call.options.get("returnSequence") else [])


OPERATORS = {"leakyRelu": leaky_relu, "gru": recurrent, "gruCell": recurrent, "lstm": recurrent, "lstmCell": recurrent}


def expected():
    cases = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/data/wpt/*.json"))):
        with open(path, encoding="utf-8") as file:
            tests = json.load(file)["tests"]
        for test in tests:
            steps = test["operators"]
            plain = all(o["dataType"] == "float32" for o in test["outputs"].values())
            if len(steps) != 1 or steps[0]["op"] not in OPERATORS or not plain:
                continue
            call = Call(test)
            results = OPERATORS[call.name](call)
            cases[os.path.basename(path) + ": " + test["name"]] = {
                name: dict({k: test["outputs"][name][k] for k in ("dataType", "shape")},
                           hex=struct.pack("<%df" % len(values), *map(float32, values)).hex())
                for name, values in zip(call.outputs, results) if name in test["outputs"]}
    return json.dumps({"source": "tools/gen/exact.py, do not edit", "cases": cases}, indent=1) + "\n"


def main():
    path, text = os.path.join(ROOT, OUTPUT), expected()
    if sys.argv[1:] == ["--check"]:
        with open(path, encoding="utf-8") as file:
            return 0 if file.read() == text else 1
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
