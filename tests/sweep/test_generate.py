"""tools/generate-manifest against the tests' own hub."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

import model
from support import equal, expect, main

ROOT = pathlib.Path(__file__).parent.parent.parent
FLOAT, INT64, BOOL = 1, 7, 9


def query(task):
    return "/api/models?" + urllib.parse.urlencode({"filter": "transformers.js", "pipeline_tag": task, "sort": "likes",
                                                    "direction": "-1", "limit": "20"})


def repository(place, name, models, config=None):
    """models: {path: [(input, dtype, dims)]}; each has a megabyte of weights in front of its inputs."""
    names = ["config.json", *models]
    place.hub.api[f"/api/models/{name}"] = {"id": name, "siblings": [{"rfilename": n} for n in names]}
    place.hub.add(name, "config.json", json.dumps(config or {}).encode())
    for path, inputs in models.items():
        weight = model.tensor("w", FLOAT, [1 << 18], bytes(1 << 20))
        data = model.model(model.graph([model.node("Identity", ["w"], ["y"])], [model.value(*i) for i in inputs],
                                       [model.value("y", FLOAT, [1 << 18])], [weight]))
        place.hub.add(name, path, data)


def generate(place, *more, tasks=("fill-mask",)):
    line = [sys.executable, str(ROOT / "tools/generate-manifest"), "--manifest", str(place.folder / "m.json"),
            "--unsupported-file", str(place.folder / "excluded.md"), *more]
    for task in tasks:
        line += ["--task", task]
    return subprocess.run(line, capture_output=True, text=True, env={**os.environ, "HF_ENDPOINT": place.hub.url, "HF_TOKEN": ""})


TEXT = [("input_ids", INT64, ["batch_size", "sequence_length"])]


def test_most_liked(place):
    """the most liked repository, 8-bit files, dimensions by the policy; nothing is written without --apply"""
    repository(place, "a/liked", {"onnx/model_quantized.onnx": TEXT, "onnx/model.onnx": TEXT})
    place.hub.api[query("fill-mask")] = [{"id": "a/less", "likes": 2}, {"id": "a/liked", "likes": 9}]
    done = generate(place)
    want = {"file": "a--liked/onnx/model_quantized.onnx", "override_dims": {"batch_size": 1, "sequence_length": 128}}
    equal(done.stdout, f"+ {json.dumps(want)}\n", done.stderr)
    expect(not (place.folder / "m.json").exists(), "nothing is written")
    equal(generate(place, "--apply").returncode, 0)
    equal(json.loads((place.folder / "m.json").read_text()), [want])
    equal(generate(place).stdout, "")
    expect(place.hub.sent < 1 << 20, "weights were read")


def test_excluded(place):
    """excluded repositories are passed over; one without a reason is an error"""
    repository(place, "a/next", {"onnx/model.onnx": TEXT})
    place.hub.api[query("fill-mask")] = [{"id": "a/liked", "likes": 9}, {"id": "a/next", "likes": 1}]
    (place.folder / "excluded.md").write_text("| task | repository | reason |\n|---|---|---|\n| fill-mask | `a/liked` | too large |\n")
    expect("a--next/onnx/model.onnx" in generate(place).stdout, "the next one")
    (place.folder / "excluded.md").write_text("| fill-mask | `a/liked` | |\n")
    expect("a/liked has no reason" in generate(place).stderr, "a reason is needed")


def test_branches(place):
    """an encoder and a decoder; one case for each branch of use_cache_branch; the configured dtype"""
    decoder = [("input_ids", INT64, ["batch_size", "decoder_sequence_length"]),
               ("encoder_hidden_states", FLOAT, ["batch_size", "encoder_sequence_length / 2", 8]),
               ("past_key_values.0.decoder.key", FLOAT, ["batch_size", 4, "past_decoder_sequence_length", 8]),
               ("use_cache_branch", BOOL, [1])]
    encoder = [("input_ids", INT64, ["batch_size", "encoder_sequence_length"])]
    repository(place, "a/b", {"onnx/encoder_model_fp16.onnx": encoder, "onnx/decoder_model_merged_q4.onnx": decoder},
               {"transformers.js_config": {"dtype": {"encoder_model": "fp16", "decoder_model_merged": "q4"}}})
    place.hub.api[query("translation")] = [{"id": "a/b", "likes": 1}]
    equal(generate(place, "--apply", tasks=["translation"]).returncode, 0)
    got = json.loads((place.folder / "m.json").read_text())
    equal([c["file"].split("/")[-1] for c in got], ["encoder_model_fp16.onnx"] + ["decoder_model_merged_q4.onnx"] * 2)
    equal([c.get("pin_inputs") for c in got], [None, {"use_cache_branch": 0}, {"use_cache_branch": 1}])
    equal([c["override_dims"].get("past_decoder_sequence_length") for c in got], [None, 0, 64])
    equal(got[1]["override_dims"]["encoder_sequence_length / 2"], 64)


def test_by_hand(place):
    """fields set by hand stay with cases that are the same; new ones get none; the order is canonical"""
    repository(place, "a/liked", {"onnx/model.onnx": TEXT})
    place.hub.api[query("fill-mask")] = [{"id": "a/liked", "likes": 9}]
    dims = {"batch_size": 1, "sequence_length": 128}
    old = [{"heavy": True, "override_dims": dims, "coreml_slow": "slow", "revision": "main", "file": "a--liked/onnx/model.onnx"},
           {"file": "a--gone/onnx/model.onnx", "heavy": True}]
    (place.folder / "m.json").write_text(json.dumps(old))
    done = generate(place, "--apply")
    equal(done.stdout, '- {"file": "a--gone/onnx/model.onnx", "heavy": true}\n')
    equal(list(json.loads((place.folder / "m.json").read_text())[0]), ["file", "revision", "heavy", "override_dims", "coreml_slow"])


def test_unknown_dimension(place):
    """a dimension that the policy does not know gives no entry, and says so"""
    repository(place, "a/odd", {"onnx/model.onnx": [("x", FLOAT, ["batch_size", "what_is_this"])]})
    place.hub.api[query("fill-mask")] = [{"id": "a/odd", "likes": 9}]
    done = generate(place)
    equal(done.stdout, "")
    expect("fill-mask: a/odd: the policy has no size for the dimension 'what_is_this'" in done.stderr, done.stderr)


def test_models_page(place):
    """docs/models.md has a row for each case; records and skeletons fill them, grouped by what is in the way"""
    page = ROOT / "tools/models-page"
    equal(subprocess.run([sys.executable, str(page), "--check"]).returncode, 0)
    for part in ("docs", "tests/models", "tools"):
        (place.folder / part).mkdir(parents=True)
    shutil.copy(page, place.folder / "tools")
    entries = [{"file": "a--b/m.onnx", "override_dims": {"n": 1}}, {"file": "a--b/n.onnx"}, {"file": "a--b/o.onnx"}]
    (place.folder / "tests/models/manifest.json").write_text(json.dumps(entries))
    shutil.copy(ROOT / "docs/models.md", place.folder / "docs")
    (place.folder / "r").mkdir()
    record = {"label": "a--b/m.onnx [dims: n=1]", "result": "failed", "stage": "convert", "code": "lower.unsupported", "message": "a | b"}
    (place.folder / "r/1.json").write_text(json.dumps(record))
    (place.folder / "s.txt").write_text("ok a--b/n.onnx\nFAIL a--b/o.onnx: hub.not-found: gone\n0 passed, 0 failed, 0 skipped\n")
    equal(subprocess.run([sys.executable, "tools/models-page", "--results", "r", "--skeletons", "s.txt"], cwd=place.folder).returncode, 0)
    text = (place.folder / "docs/models.md").read_text()
    for row in ("| a--b/n.onnx | ok | not run here |", "### In the way: `convert: lower.unsupported` (1)",
                "| a--b/m.onnx [dims: n=1] | not run here | convert: a \\| b |", "### In the way: `structure: hub.not-found` (1)"):
        expect(row in text, row)


def test_shipped_list(place):
    """the list of excluded models is one that the program reads"""
    repository(place, "a/liked", {"onnx/model.onnx": TEXT})
    place.hub.api[query("fill-mask")] = [{"id": "a/liked", "likes": 9}]
    done = generate(place, "--unsupported-file", str(ROOT / "docs/transformersjs_excluded_models.md"))
    equal((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    main(globals())
