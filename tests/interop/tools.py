"""The command under test and its peers, as functions."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PEERS = ROOT / ".deps/interop/bin"
TIMEOUT = 600


class Failed(RuntimeError):
    """A program ended with another status than 0; holds the end of what it said."""


def run(*command, cwd=None):
    """stdout of a program."""
    environment = dict(os.environ, RUST_BACKTRACE="0")
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)
    if done.returncode != 0:
        program = pathlib.Path(command[0]).name
        raise Failed(f"{program} {command[1]}: status {done.returncode}: {(done.stderr or done.stdout).strip()[-800:]}")
    return done.stdout


class Ours:
    """onnx2webnn of one build folder."""

    def __init__(self, build):
        self.bin = pathlib.Path(build).resolve() / "bin"
        self.program = self.bin / "onnx2webnn"

    def convert(self, model, arguments, to):
        run(self.program, "convert", "--quiet", "--model", model, "--output", to, *arguments)

    def inspect(self, path, *more):
        return json.loads(run(self.program, "inspect", "--json", path, *more))

    def run(self, path, feeds, to, *more):
        run(self.program, "run", "--quiet", "--input", feeds, "--output", to, path, *more)

    def emit(self, form, path, to, *more):
        run(self.program, "emit", form, "--output", to, path, *more)

    def random_graphs(self, folder, count):
        run(self.bin / "interop-graphs", folder, count)


def webnn_graph(*arguments):
    return run(PEERS / "webnn-graph", *arguments)


def parse(path):
    """The peer's JSON of a text."""
    return json.loads(webnn_graph("parse", path))


def rustnn(path, *more, cwd=None):
    return run(PEERS / "rustnn", path, *more, cwd=cwd)


def rewrite(path, to):
    """What rustnn's library writes after it has loaded `path`."""
    run(PEERS / "interop-peer", "rewrite", path, to)


def rustnn_build(to):
    """A graph of rustnn's own builder, saved by it."""
    run(PEERS / "interop-peer", "build", to)


def python(script, *arguments, cwd=None):
    """A script of this folder in a process of its own, where a crash or a stray file does no harm."""
    return run(sys.executable, pathlib.Path(__file__).parent / script, *arguments, cwd=cwd)


BLOCK = re.compile(r"^  (inputs|consts) \{\n(.*?)^  \}\n", re.M | re.S)
OUTPUTS = re.compile(r"^  outputs \{ (.*); \}$", re.M)
DECIMAL = re.compile(r"(?<![\w.])(-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)(?![\w.])")


def normalised(text):
    """A text without directives and with its declarations sorted by name, which is how the peer prints."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("  # o2w ")]

    def declarations(match):
        rows = sorted(match[2].splitlines(keepends=True), key=lambda row: row.split(":")[0].encode())
        return f"  {match[1]} {{\n{''.join(rows)}  }}\n"

    def outputs(match):
        return f"  outputs {{ {'; '.join(sorted(match[1].split('; '), key=str.encode))}; }}"

    return OUTPUTS.sub(outputs, BLOCK.sub(declarations, "".join(lines)))


def same_number(ours, theirs):
    """The peer's parser rounds some doubles wrongly in the last bit and reads integers above 2^63 - 1 as doubles."""
    if ours == theirs:
        return True
    if ours.lstrip("-").isdigit() and int(ours) < 2**63:
        return False
    return abs(float(ours) - float(theirs)) <= 3e-16 * abs(float(ours))


def same_line(ours, theirs):
    if ours == theirs:
        return True
    a, b = DECIMAL.split(ours), DECIMAL.split(theirs)
    return len(a) == len(b) and a[::2] == b[::2] and all(map(same_number, a[1::2], b[1::2]))


def first_difference(ours, theirs):
    """None, or the first lines that differ."""
    rows = zip(ours.splitlines() + ["<end>"], theirs.splitlines() + ["<end>"])
    return next((f"{x.strip()[:300]!r} and {y.strip()[:300]!r}" for x, y in rows if not same_line(x, y)), None)
