"""One model, converted by the command under test, and the checks that its graph files pass."""
import functools
import json
import shutil

import arrays
import tools
from report import Skip


class Subject:
    """`arguments`: of convert. `sizes`: of open dimensions when it runs. `not_for`: {peer: why it cannot read it}."""

    def __init__(self, ours, folder, name, model, arguments=(), tolerance=None, sizes=None, not_for=None):
        self.ours, self.name, self.model, self.arguments = ours, name, model, list(arguments)
        self.tolerance, self.sizes, self.not_for = tolerance or arrays.PLAIN, sizes, not_for or {}
        self.folder = folder / name
        self.folder.mkdir(parents=True)

    # --- what the checks start from; made when first asked for ---

    @functools.cached_property
    def graph(self):
        path = self.folder / "ours.webnn"
        self.ours.convert(self.model, self.arguments, path)
        return path

    @functools.cached_property
    def text(self):
        return self.graph.read_text(encoding="utf-8")

    @functools.cached_property
    def parsed(self):
        return tools.parse(self.graph)

    @functools.cached_property
    def original_names(self):
        return arrays.original_names(self.text, self.parsed)

    @functools.cached_property
    def feeds(self):
        """An archive by identifiers."""
        path = self.folder / "feeds.safetensors"
        arrays.save(arrays.make_feeds(self.parsed["inputs"], self.sizes), path)
        return path

    @functools.cached_property
    def numbers(self):
        """Our results, by identifiers."""
        return self.run(self.graph)

    def run(self, graph):
        results = graph.with_suffix(".results.safetensors")
        self.ours.run(graph, self.feeds, results)
        identifiers = {original: identifier for identifier, original in self.original_names.items()}
        return arrays.rename(arrays.load(results), identifiers)

    def peer_folder(self, peer):
        if peer in self.not_for:
            raise Skip(self.not_for[peer])
        folder = self.folder / peer
        folder.mkdir(exist_ok=True)
        return folder

    # --- our files there ---

    def archive_is_canonical(self):
        written, expected = arrays.reference_bytes(self.graph.with_suffix(".safetensors"))
        assert written == expected, "the safetensors library writes other bytes for these tensors"
        return f"{len(written)} bytes"

    def weights_stay_packed(self):
        constants = [c for c in self.parsed["consts"].values() if c["dataType"] in ("int4", "uint4")]
        assert constants, "there are no 4-bit constants in the graph"
        return f"{len(constants)} constants"

    def webnn_graph_accepts(self):
        tools.webnn_graph("validate", self.graph)

    def webnn_graph_prints_the_same(self):
        parsed = self.peer_folder("webnn-graph") / "parsed.json"
        parsed.write_text(json.dumps(self.parsed), encoding="utf-8")
        printed = tools.webnn_graph("serialize", parsed)
        difference = tools.first_difference(tools.normalised(self.text), printed)
        assert difference is None, f"first difference: {difference}"
        return f"{len(printed.splitlines())} lines"

    def rustnn_accepts(self):
        said = tools.rustnn(self.graph, cwd=self.peer_folder("rustnn"))
        operations = int(said.split(" operands and ")[1].split()[0])
        assert operations == len(self.parsed["nodes"]), f"{operations} of {len(self.parsed['nodes'])} operators"
        return f"{operations} operators"

    def rustnn_computes_the_same(self):
        folder = self.peer_folder("rustnn")
        model = folder / "converted.onnx"
        tools.rustnn(self.graph, "--convert", "onnx", "--convert-output", model, cwd=folder)
        tools.python("run_onnx.py", model, self.feeds, folder / "results.safetensors", cwd=folder)
        return arrays.must_equal(arrays.load(folder / "results.safetensors"), self.numbers, self.tolerance)

    def pywebnn_computes_the_same(self):
        folder = self.peer_folder("pywebnn")
        if self.operands_in_options():
            raise Skip("it takes operands of options by number only, and drops the options otherwise")
        tools.python("run_pywebnn.py", self.graph, self.feeds, folder / "results.safetensors", cwd=folder)
        return arrays.must_equal(arrays.load(folder / "results.safetensors"), self.numbers, self.tolerance)

    def operands_in_options(self):
        """Operators whose options name operands, such as the bias of a convolution."""
        names = {*self.parsed["inputs"], *self.parsed["consts"]}
        for node in self.parsed["nodes"]:
            names.update(node["outputs"] or [node["id"]])
        return [node["op"] for node in self.parsed["nodes"]
                if any(isinstance(value, str) and value in names for value in node["options"].values())]

    def model_computes_the_same(self):
        return self.compare_with(self.model, self.peer_folder("model"), self.pinned())

    def emitted_computes_the_same(self):
        """The model lies beside the graph: it refers to the graph's archive."""
        model = self.graph.with_suffix(".onnx")
        self.ours.emit("onnx", self.graph, model)
        tools.python("check_onnx.py", model)
        return self.compare_with(model, self.peer_folder("emitted"), {})

    def compare_with(self, model, folder, more):
        """An ONNX model with original names, and `more` to feed."""
        feeds = arrays.rename(arrays.load(self.feeds), self.original_names)
        arrays.save({**more, **feeds}, folder / "feeds.safetensors")
        tools.python("run_onnx.py", model, folder / "feeds.safetensors", folder / "results.safetensors")
        identifiers = {original: identifier for identifier, original in self.original_names.items()}
        reference = arrays.rename(arrays.load(folder / "results.safetensors"), identifiers)
        return arrays.must_equal(reference, self.numbers, self.tolerance)

    def pinned(self):
        """Inputs that the conversion fixed."""
        pins = (word.split("=") for option, word in zip(self.arguments, self.arguments[1:]) if option == "--pin-input")
        return {name: arrays.numpy.array(int(value), arrays.numpy.int64) for name, value in pins}

    # --- their files here ---

    def same_here(self, graph):
        """A file of a peer loads here and computes the same bits."""
        self.ours.inspect(graph)
        return arrays.must_equal(self.numbers, self.run(graph), arrays.EXACT)

    def webnn_graph_text_here(self):
        folder = self.peer_folder("webnn-graph")
        shutil.copy(self.graph.with_suffix(".safetensors"), folder / "printed.safetensors")
        (folder / "parsed.json").write_text(json.dumps(self.parsed), encoding="utf-8")
        (folder / "printed.webnn").write_text(tools.webnn_graph("serialize", folder / "parsed.json"), encoding="utf-8")
        return self.same_here(folder / "printed.webnn")

    def webnn_graph_json_here(self):
        folder = self.peer_folder("webnn-graph")
        shutil.copy(self.graph.with_suffix(".safetensors"), folder / "parsed.safetensors")
        (folder / "parsed.json").write_text(tools.webnn_graph("parse", self.graph), encoding="utf-8")
        return self.same_here(folder / "parsed.json")

    def rustnn_text_here(self):
        graph = self.peer_folder("rustnn") / "rewritten.webnn"
        tools.rewrite(self.graph, graph)
        return self.same_here(graph)

    def rustnn_json_here(self):
        graph = self.peer_folder("rustnn") / "inline.json"
        tools.rewrite(self.graph, graph)
        return self.same_here(graph)

    def blob_here(self):
        folder = self.peer_folder("blob")
        tools.rewrite(self.graph, folder / "inline.json")
        tools.webnn_graph("extract-weights", "--input", folder / "inline.json", "--output-dir", folder,
                          "--weights", folder / "extracted.weights", "--manifest", folder / "extracted.manifest.json",
                          "--output-graph", folder / "extracted.json")
        return self.same_here(folder / "extracted.json")

    CHECKS = (
        ("archive is the safetensors library's, byte for byte", archive_is_canonical),
        ("webnn-graph accepts it", webnn_graph_accepts),
        ("webnn-graph prints the same text", webnn_graph_prints_the_same),
        ("rustnn accepts it", rustnn_accepts),
        ("rustnn's ONNX gives our numbers", rustnn_computes_the_same),
        ("pywebnn gives our numbers", pywebnn_computes_the_same),
        ("the model in ONNX Runtime gives our numbers", model_computes_the_same),
        ("our ONNX model gives our numbers", emitted_computes_the_same),
        ("webnn-graph's text loads here", webnn_graph_text_here),
        ("webnn-graph's JSON loads here", webnn_graph_json_here),
        ("rustnn's text and archive load here", rustnn_text_here),
        ("rustnn's JSON loads here", rustnn_json_here),
        ("webnn-graph's blob and manifest load here", blob_here),
    )

    def check(self, report):
        if self.tolerance is arrays.FOUR_BIT:
            report.check(f"{self.name}: 4-bit weights stay packed", self.weights_stay_packed)
        for name, function in self.CHECKS:
            report.check(f"{self.name}: {name}", function, self)
