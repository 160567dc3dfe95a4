"""Manifests: the schema with line and column, labels, selection. Numbers are of the contract's list."""
import json
import pathlib
import re
import subprocess

from support import TOOL, entry, equal, expect, failed_with, main

MODELS = pathlib.Path(__file__).parent.parent / "models"


def refused(place, text, position, *words):
    path = place.folder / "manifest.json"
    path.write_text(text)
    done = place.run(path, "--list", backend=None)
    failed_with(done, "error[", f"manifest.json:{position}", *words)
    equal(done.out, "", done)


def test_53(place):
    """53: former fields, a digest without a revision, a path that leads out: line and column of each"""
    refused(place, '[\n {"file": "a--b/c.onnx",\n  "validation": {}}]', "3:3", "validation", "tiers were removed")
    refused(place, '[{"file": "a--b/c.onnx", "sha256": "%s"}]' % ("0" * 64), "1:2", "revision")
    refused(place, '[\n{"file": "a--b/../c.onnx"}]', "2:10", "..")


def test_fields(place):
    """every other way to be wrong has its place too"""
    cases = [('{}', "1:1", "array"), ('[]', "1:1", "empty"), ('[1]', "1:2", "object"),
             ('[{}]', "1:2", "'file' is missing"),
             ('[{"file": 1}]', "1:11", "string"),
             ('[{"file": "a/c.onnx"}]', "1:11", "ORG--REPOSITORY/PATH"),
             ('[{"file": "a--/c.onnx"}]', "1:11", "ORG--REPOSITORY/PATH"),
             ('[{"file": "a--b"}]', "1:11", "ORG--REPOSITORY/PATH"),
             ('[{"file": "a--b/"}]', "1:11", "nothing"),
             ('[{"file": "a--b/c\\\\d"}]', "1:11", "backslash"),
             ('[{"file": "a--b/c", "revision": "x/y"}]', "1:33", "revision"),
             ('[{"file": "a--b/c", "revision": ".."}]', "1:33", "revision"),
             ('[{"file": "a--b/c", "revision": "m", "sha256": "%s"}]' % ("A" * 64), "1:48", "lower-case"),
             ('[{"file": "a--b/c", "heavy": 1}]', "1:30", "true or false"),
             ('[{"file": "a--b/c", "override_dims": {"n": -1}}]', "1:44", "2147483647"),
             ('[{"file": "a--b/c", "override_dims": {"n": 1.0}}]', "1:44", "integer"),
             ('[{"file": "a--b/c", "override_dims": {"n": 2147483648}}]', "1:44", "2147483647"),
             ('[{"file": "a--b/c", "override_dims": {"": 1}}]', "1:39", "name"),
             ('[{"file": "a--b/c", "override_dims": {"n": 1, " n": 1}}]', "1:38", "twice"),
             ('[{"file": "a--b/c", "pin_inputs": {"n": 9223372036854775808}}]', "1:41", "integer"),
             ('[{"file": "a--b/c", "pin_inputs": {"n": 0.5}}]', "1:41", "integer"),
             ('[{"file": "a--b/c", "coreml_slow": ""}]', "1:36", "reason"),
             ('[{"file": "a--b/c", "file": "a--b/c"}]', "1:21", "file"),
             ('[{"file": "a--b/c"}, {"file": "a--b/c"}]', "1:22", "twice"),
             ('[{"file": "a--b/c", "pin_inputs": {"n": 1}}, {"file": "a--b/c", "pin_inputs": {"n": true}}]', "1:46", "twice"),
             ('[{"file": "a--b/c"}] x', "1:22", "end"), ('[{"file": "a--b/c"}', "1:20", "end")]
    for text, position, *words in cases:
        refused(place, text, position, *words)


def test_54(place):
    """54: a selection of nothing downloads nothing"""
    manifest = place.manifest([entry("a.onnx"), entry("b.onnx")])
    failed_with(place.run(manifest, "--selection", "match=nothing"), "manifest.selection",
                "'match=nothing' selects none of 2 entries", "--list")
    equal(place.hub.log, [])


def test_labels(place):
    """labels: revision cut to 8, keys sorted by their bytes; they are what match= looks at"""
    manifest = place.manifest([entry("a.onnx", revision="0123456789abcdef", override_dims={"z": 1, "B": 0, "a b": 7},
                                     pin_inputs={"use": True, "k": -3}), entry("b.onnx")])
    done = place.run(manifest, "--list", "--selection", "match=[pins: k=-3, use=1]", backend=None)
    equal(done.out, "tests--models/a.onnx@01234567 [dims: B=0, a b=7, z=1] [pins: k=-3, use=1]\n", done)
    equal(place.run(manifest, "--list", "--json", backend=None).json["cases"][1], "tests--models/b.onnx")


def test_shipped(place):
    """both shipped manifests are read; the default one is found beside the command"""
    equal(len(place.run(MODELS / "manifest.json", "--list", backend=None).out.splitlines()), 51)
    line = [TOOL, "validate-manifest", "--selection", "all", "--list"]
    for env in ({}, {"O2W_MANIFEST": str(MODELS / "manifest.json")}):
        done = subprocess.run(line, capture_output=True, text=True, env=place.environ(env))
        equal(len(done.stdout.splitlines()), 51, done.stderr)
    equal(len(place.run(MODELS / "ci-validation.json", "--list", backend=None).out.splitlines()), 1)


def test_gate(place):
    """the gate manifest: pinned by commit and digest, nothing heavy, keys unique"""
    entries = json.loads((MODELS / "ci-validation.json").read_text())
    expect(entries, "not empty")
    for item in entries:
        expect(re.fullmatch("[0-9a-f]{40}", item["revision"]) and re.fullmatch("[0-9a-f]{64}", item["sha256"]), item)
        expect(not item.get("heavy"), item)
    equal(len({json.dumps(e, sort_keys=True) for e in entries}), len(entries))


def test_usage(place):
    """usage errors"""
    manifest = place.manifest([entry("a.onnx")])
    for more in (["--jobs", "0"], ["--shard", "0/2"], ["--shard", "3/2"], ["--shard", "1/10000"], ["--shard", "1"],
                 ["--offline", "--refresh"], ["--memory-limit", "x"], ["--memory-limit", "0"], ["--weights", "generated"],
                 ["--selection", "smoke"], ["--selection", "match="], ["--merge", "d", "--resume"], ["--seed", "0"]):
        done = place.run(manifest, *more)
        equal(done.status, 2, f"{more}\n{done}")
    equal(place.run(manifest, backend=None).status, 2)


if __name__ == "__main__":
    main(globals())
