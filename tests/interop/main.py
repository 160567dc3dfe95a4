"""Runs all checks of tools/interop, which has built the peers. docs/interop.md says what they are."""
import argparse
import pathlib
import shlex
import shutil
import sys

import numpy

import arrays
import models
import tools
from report import Report, Skip
from subject import Subject

WORK = tools.ROOT / "build/interop"
REAL = ("ppocr2_cls", "magika", "silero_vad")
RANDOM_GRAPHS = 700
NO_PACKED_BLOB = "webnn-graph's writer of blobs takes 4-bit constants for 8-bit ones"
OLD_RESOLVER = "its resolver of weights is older than packed 4-bit constants"


def real_model(ours, name):
    """A subject over a model of tools/get-models, with the arguments listed there."""
    tools.run(tools.ROOT / "tools/get-models", name)
    arguments = shlex.split(tools.run(tools.ROOT / "tools/get-models", "--arguments", name))
    return Subject(ours, WORK, name, tools.ROOT / f".deps/models/{name}.onnx", arguments)


def made_model(ours, make, arguments=(), **more):
    """A subject over a model of models.py."""
    path = WORK / f"{make.__name__}.onnx"
    make(path)
    return Subject(ours, WORK, make.__name__, path, arguments, **more)


# --- files that the peers make from something else than ours ---

def compare_with_onnx(ours, graph, model, rename):
    """`graph` here against `model` in ONNX Runtime; rename: the names of the model -> those of the graph."""
    feeds = arrays.make_feeds(tools.parse(graph)["inputs"])
    folder = graph.parent
    arrays.save(feeds, folder / "feeds.safetensors")
    ours.run(graph, folder / "feeds.safetensors", folder / "ours.safetensors")
    back = {rename(name): name for name in models.input_names(model)}
    arrays.save(arrays.rename(feeds, back), folder / "model-feeds.safetensors")
    tools.python("run_onnx.py", model, folder / "model-feeds.safetensors", folder / "model.safetensors")
    reference = {rename(name): array for name, array in arrays.load(folder / "model.safetensors").items()}
    return arrays.must_equal(reference, arrays.load(folder / "ours.safetensors"), arrays.PLAIN)


def identifier(name):
    """The name that webnn-graph's converter makes of a name in the model."""
    name = name.replace("::", "__")
    for character in ":./":
        name = name.replace(character, "_")
    return "_" + name if name[:1].isdigit() else name


def converter(ours, model, arguments, inline):
    folder = WORK / "webnn-graph" / (model.stem + ("-inline" if inline else ""))
    folder.mkdir(parents=True)
    graph = folder / "theirs.webnn"
    weights = ["--inline-weights"] if inline else ["--weights", folder / "theirs.weights", "--manifest",
                                                   folder / "theirs.manifest.json"]
    tools.webnn_graph("convert-onnx", "--input", model, "--output", graph, *weights, *arguments)
    return compare_with_onnx(ours, graph, model, identifier)


def rustnn_saves(ours):
    folder = WORK / "rustnn"
    folder.mkdir()
    graph, model = folder / "built.webnn", folder / "built.onnx"
    tools.rustnn_build(graph)
    tools.rustnn(graph, "--convert", "onnx", "--convert-output", model, cwd=folder)
    return compare_with_onnx(ours, graph, model, str)


def pywebnn_saves(ours):
    """pywebnn has read a text of webnn-graph's converter and saved it again; it names operands of options by number,
    which is refused, so this graph has none."""
    folder = WORK / "pywebnn"
    folder.mkdir()
    model, graph, saved = WORK / "open_batch.onnx", folder / "read.webnn", folder / "saved.webnn"
    models.open_batch(model)
    tools.webnn_graph("convert-onnx", "--input", model, "--output", graph, "--inline-weights", "--override-dim",
                      "batch=3")
    feeds = folder / "feeds.safetensors"
    arrays.save(arrays.make_feeds(tools.parse(graph)["inputs"]), feeds)
    tools.python("run_pywebnn.py", graph, feeds, folder / "theirs.safetensors", saved, cwd=folder)
    ours.run(saved, feeds, folder / "ours.safetensors")
    return arrays.must_equal(arrays.load(folder / "theirs.safetensors"), arrays.load(folder / "ours.safetensors"),
                             arrays.PLAIN)


# --- ours again ---

def shared_archive(ours):
    """Two graphs beside one archive, which every reader finds by its name."""
    folder = WORK / "shared"
    folder.mkdir()
    model = folder / "source.onnx"
    models.open_batch(model)
    graphs = {batch: folder / f"batch{batch}.webnn" for batch in (2, 5)}
    for batch, graph in graphs.items():
        ours.convert(model, ["--override-dim", f"batch={batch}", "--weights", folder / "model.safetensors"], graph)
    for batch, graph in graphs.items():
        feeds, theirs = folder / f"feeds{batch}.safetensors", folder / f"batch{batch}.onnx"
        parsed = tools.parse(graph)
        arrays.save(arrays.make_feeds(parsed["inputs"]), feeds)
        tools.rustnn(graph, "--convert", "onnx", "--convert-output", theirs, cwd=folder)
        tools.python("run_onnx.py", theirs, feeds, folder / "theirs.safetensors", cwd=folder)
        ours.run(graph, feeds, folder / "ours.safetensors")
        names = {original: name for name, original in arrays.original_names(graph.read_text(), parsed).items()}
        mine = arrays.rename(arrays.load(folder / "ours.safetensors"), names)
        arrays.must_equal(arrays.load(folder / "theirs.safetensors"), mine, arrays.PLAIN)
    assert not list(folder.glob("batch*.safetensors")), "a graph has an archive of its own"
    return "2 graphs"


# --- what needs no model ---

def archive_of_every_type(ours):
    """Results in an archive of ours against the library's bytes, for every data type of a graph."""
    folder = WORK / "archives"
    folder.mkdir()
    shapes = {"float32": [2, 3], "float16": [5], "int32": [], "uint32": [1, 1, 2], "int64": [2], "uint64": [3],
              "int8": [7], "uint8": [9]}
    inputs = "".join(f"    in_{name}: {name[0]}{name.lstrip('floatuin')}{shape};\n" for name, shape in shapes.items())
    nodes = "".join(f"    out_{name} = identity(in_{name});\n" for name in shapes)
    outputs = " ".join(f"out_{name};" for name in shapes)
    graph = folder / "types.webnn"
    graph.write_text(f'webnn_graph "types" v1 {{\n  inputs {{\n{inputs}  }}\n\n  nodes {{\n{nodes}  }}\n\n'
                     f"  outputs {{ {outputs} }}\n}}\n", encoding="utf-8")
    random = numpy.random.default_rng(5)
    given = {}
    for name, shape in shapes.items():
        dtype = numpy.dtype(arrays.TYPES[name])
        bits = random.integers(0, 256, [*shape, dtype.itemsize], numpy.uint8)
        given["in_" + name] = bits.view(dtype).reshape(shape)
    arrays.save(given, folder / "in.safetensors")
    ours.run(graph, folder / "in.safetensors", folder / "out.safetensors")
    written, expected = arrays.reference_bytes(folder / "out.safetensors")
    assert written == expected, "the safetensors library writes other bytes for these tensors"
    arrays.save({name.replace("in_", "out_"): array for name, array in given.items()}, folder / "expected.safetensors")
    assert written == (folder / "expected.safetensors").read_bytes(), "values changed on their way"
    return f"{len(shapes)} data types"


class RandomGraphs:
    """Graphs over all operators, with strange names and open dimensions, written by our writer."""

    def __init__(self, ours):
        self.ours, self.folder = ours, WORK / "random"
        self.folder.mkdir()
        ours.random_graphs(self.folder, RANDOM_GRAPHS)
        self.graphs = [self.folder / f"{i}.webnn" for i in range(RANDOM_GRAPHS)]

        for graph in self.graphs:
            graph.with_suffix(".parsed.json").write_text(tools.webnn_graph("parse", graph), encoding="utf-8")

    def printed_the_same(self):
        for graph in self.graphs:
            parsed = graph.with_suffix(".parsed.json")
            ours = tools.normalised(graph.read_text(encoding="utf-8"))
            difference = tools.first_difference(ours, tools.webnn_graph("serialize", parsed))
            assert difference is None, f"{graph.name}: first difference: {difference}"
        return f"{len(self.graphs)} graphs"

    def json_means_the_same(self):
        for graph in self.graphs:
            printed = [tools.webnn_graph("serialize", graph.with_suffix(suffix)) for suffix in (".json", ".parsed.json")]
            difference = tools.first_difference(*printed)
            assert difference is None, f"{graph.stem}: first difference: {difference}"
        return f"{len(self.graphs)} graphs"

    def onnx_accepts(self):
        """What ONNX can't say is refused when it is written: equal names of an input and an output, sizes that the
        operators of ONNX Runtime must know."""
        models, refused = [], []
        for graph in self.graphs:
            try:
                self.ours.emit("onnx", graph, graph.with_suffix(".onnx"))
                models.append(graph.with_suffix(".onnx"))
            except tools.Failed as failure:
                assert "[model.name]" in str(failure) or "must be all numbers" in str(failure), f"{graph.name}: {failure}"
                refused.append(graph)
        assert len(refused) < 0.05 * RANDOM_GRAPHS, f"{len(refused)} of {RANDOM_GRAPHS} graphs are refused"
        for first in range(0, len(models), 100):
            tools.python("check_onnx.py", *models[first:first + 100])
        return f"{len(models)} models"

    def archives_canonical(self):
        for graph in self.graphs:
            written, expected = arrays.reference_bytes(graph.with_suffix(".safetensors"))
            assert written == expected, f"{graph.stem}.safetensors: the library writes other bytes"
        return f"{len(self.graphs)} archives"

    def rewritten(self):
        """(ours, rustnn's) of every graph that rustnn can load: it refuses a slice of nothing."""
        refused = []
        for graph in self.graphs:
            theirs = graph.with_suffix(".rewritten.webnn")
            try:
                tools.rewrite(graph, theirs)
            except tools.Failed as failure:
                refused.append((graph, str(failure)))
            else:
                yield graph, theirs
        (self.folder / "refused.txt").write_text("".join(f"{g.name}: {why}\n" for g, why in refused), encoding="utf-8")

    def rewritten_load_here(self):
        count = 0
        for graph, theirs in self.rewritten():
            feeds = graph.with_suffix(".feeds.safetensors")
            parsed = tools.parse(graph)
            arrays.save(arrays.make_feeds(parsed["inputs"]), feeds, packed=True)
            results = []
            for path in (graph, theirs):
                self.ours.run(path, feeds, path.with_suffix(".results.safetensors"))
                results.append(arrays.load(path.with_suffix(".results.safetensors")))
            names = {original: name for name, original in
                     arrays.original_names(graph.read_text(encoding="utf-8"), parsed).items()}
            try:
                arrays.must_equal(arrays.rename(results[0], names), results[1], arrays.EXACT)
            except AssertionError as difference:
                raise AssertionError(f"{graph.name}: {difference}") from None
            count += 1
        assert count >= 0.98 * RANDOM_GRAPHS, f"rustnn loads {count} of {RANDOM_GRAPHS} graphs: see random/refused.txt"
        return f"{count} of {RANDOM_GRAPHS} graphs"


# --- guests ---

def guests(ours):
    """T104: what guests print here and in the other host; the script is a test of its own."""
    folder = WORK / "guests"
    folder.mkdir()
    model = tools.ROOT / ".deps/models/ppocr2_cls.onnx"
    tools.run(tools.ROOT / "tools/get-models", model.stem)
    numpy.random.default_rng(3).random((3, 48, 192), numpy.float32).tofile(folder / "picture.bin")
    out = tools.run(tools.ROOT / "tests/wasi/second-runtime", ours.bin, ours.bin.parent / "tests/wasi/guests", model,
                    folder / "picture.bin", "1x3x48x192")
    lines = out.strip().splitlines()
    if lines[-1].endswith("1 skipped"):
        raise Skip(lines[0].removeprefix("skipped: "))
    return lines[-1]


def all_checks(ours, report):
    for name in REAL:
        real_model(ours, name).check(report)
    made_model(ours, models.four_bit, tolerance=arrays.FOUR_BIT,
               not_for={"pywebnn": OLD_RESOLVER, "blob": NO_PACKED_BLOB}).check(report)
    made_model(ours, models.open_batch, ["--experimental-dynamic-inputs", "--max-dim", "batch=16"],
               sizes={"batch": 5}).check(report)
    for make in (models.convolutions, models.attention):
        path = WORK / f"{make.__name__}.onnx"
        make(path)
        for inline in (False, True):
            where = "inside" if inline else "in a blob"
            report.check(f"{make.__name__}: webnn-graph's conversion, weights {where}, gives ONNX Runtime's numbers",
                         converter, ours, path, ["--optimize"], inline)
    report.check("rustnn's own graph gives its ONNX's numbers", rustnn_saves, ours)
    report.check("pywebnn's JSON in a .webnn file gives its numbers", pywebnn_saves, ours)
    report.check("archive of every data type is the safetensors library's, byte for byte", archive_of_every_type, ours)
    report.check("two graphs with one archive: rustnn gives our numbers", shared_archive, ours)
    random = RandomGraphs(ours)
    report.check("random graphs: webnn-graph prints the same text", random.printed_the_same)
    report.check("random graphs: webnn-graph reads our JSON as our text", random.json_means_the_same)
    report.check("random graphs: archives are the safetensors library's, byte for byte", random.archives_canonical)
    report.check("random graphs: ONNX's checker accepts our models", random.onnx_accepts)
    report.check("random graphs: what rustnn writes loads here", random.rewritten_load_here)
    report.check("guests print the same in Wasmtime's own host", guests, ours)


def main():
    parser = argparse.ArgumentParser(prog="tools/interop")
    parser.add_argument("--build", type=pathlib.Path, default=tools.ROOT / "build/release")
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    arguments = parser.parse_args()
    ours = tools.Ours(arguments.build)
    for program in (ours.program, ours.bin / "interop-graphs"):
        if not program.exists():
            sys.exit(f"interop: error: '{program}' is missing: make build")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    report = Report(arguments.texts)
    all_checks(ours, report)
    report.finish()


main()
