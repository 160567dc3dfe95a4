"""The skeleton sweep, against the tests' own hub. Numbers are of the contract's list."""
import os
import re
import subprocess

import hub as hubs
import model
from support import REPO, entry, equal, expect, main

PROGRAM = os.path.join(os.environ["O2W_BIN"], "model_skeletons")


class Swept:
    def __init__(self, place, manifest, models="hub", **env):
        env = {"O2W_MANIFEST": str(manifest), "O2W_SKELETON_CACHE": str(place.folder / "skeletons"),
               "O2W_SKELETON_BACKEND": "cpu", "O2W_MODELS": models, **env}
        process = subprocess.Popen([PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=place.environ(env), cwd=place.folder)
        self.out, self.err = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.peak = usage.ru_maxrss * 1024

    def last(self):
        return self.out.splitlines()[-1]

    def __str__(self):
        return f"status {self.status}\n{self.out}\n{self.err}"


def gigabyte(place, name="big.onnx"):
    return place.hub.add(REPO, name, hubs.Virtual(*model.huge(16384)))


def test_64(place):
    """64: a model with 1 GiB of weights: built, less than 1 % of it read, memory of the weights near zero"""
    file = gigabyte(place)
    manifest = place.manifest([entry("big.onnx", override_dims={"batch_size": 1})])
    for backend in ("onnx", "cpu"):
        done = Swept(place, manifest, O2W_SKELETON_BACKEND=backend)
        equal((done.status, done.last()), (0, "1 passed, 0 failed, 0 skipped"), done)
        expect(done.out.startswith("ok tests--models/big.onnx [dims: batch_size=1]\n"), done)
        expect(done.peak < 300 << 20, f"{backend}: {done.peak} bytes of memory")
    expect(place.hub.sent < len(file) / 100, place.hub.sent)


def test_revalidated(place):
    """a skeleton is used again as long as the etag is the same"""
    gigabyte(place)
    manifest = place.manifest([entry("big.onnx", override_dims={"batch_size": n}) for n in (1, 2)])
    Swept(place, manifest)
    first = len(place.hub.requests("GET"))
    done = Swept(place, manifest)
    equal(done.last(), "2 passed, 0 failed, 0 skipped", done)
    equal(len(place.hub.requests("GET")), first)
    changed = hubs.Virtual(*model.huge(16384))
    changed.etag = changed.sha256 = "d" * 64
    place.hub.add(REPO, "big.onnx", changed)
    Swept(place, manifest)
    expect(len(place.hub.requests("GET")) > first, "fetched anew")


def test_63(place):
    """63: a server that ignores ranges and 1 GiB: hub.no-range, no download; a small model comes whole"""
    file = gigabyte(place)
    small = place.hub.add(REPO, "small.onnx", model.product(600))
    for path in (f"/stored/{file.sha256}", f"/stored/{small.sha256}"):
        place.hub.always[path] = {"whole": True}
    done = Swept(place, place.manifest([entry("big.onnx"), entry("small.onnx")]))
    equal(done.last(), "1 passed, 1 failed, 0 skipped", done)
    expect("FAIL tests--models/big.onnx: hub.no-range: " in done.out, done)
    expect(place.hub.sent < 64 << 20, place.hub.sent)


def test_foreign_etags(place):
    """a storage with etags of its own sends ranges all the same; a file that changed meanwhile is noticed"""
    file = gigabyte(place)
    place.hub.storage_etag = "5d41402abc4b2a76b9719d911017c592-3"
    manifest = place.manifest([entry("big.onnx", override_dims={"batch_size": 1})])
    equal(Swept(place, manifest).last(), "1 passed, 0 failed, 0 skipped")
    expect(place.hub.sent < len(file) / 100, place.hub.sent)
    place.hub.faults[f"HEAD /{REPO}/resolve/main/big.onnx"] = [{"etag": "d" * 64}, {"etag": "e" * 64}]
    done = Swept(place, manifest)
    expect("hub.corrupt: tests/models/big.onnx changed while it was read" in done.out, done)


def test_broken(place):
    """cut and odd wire data are errors with their place"""
    data = model.product(64)
    place.hub.add(REPO, "cut.onnx", data[:len(data) // 2])
    place.hub.add(REPO, "odd.onnx", b"\x0b" + data)
    place.hub.add(REPO, "none.onnx", b"")
    done = Swept(place, place.manifest([entry("cut.onnx"), entry("odd.onnx"), entry("gone.onnx")]))
    equal(done.last(), "0 passed, 3 failed, 0 skipped", done)
    for words in ("cut.onnx: protobuf.truncated", "odd.onnx: protobuf.wire-type", "gone.onnx: hub.not-found"):
        expect(words in done.out, done)


def test_same_structure(place):
    """a stripped model converts to the same graph; small external tensors are taken in, large ones are left out"""
    folder = place.folder / "models" / "tests--models"
    folder.mkdir(parents=True)
    (folder / "m.onnx").write_bytes(model.product(64, external="m.bin"))
    (folder / "m.bin").write_bytes(model.weights(64))
    (folder / "s.onnx").write_bytes(model.branching())
    (folder / "then.bin").write_bytes(bytes(16))
    (folder / "sub").mkdir()
    (folder / "sub/else.bin").write_bytes(bytes(16))
    manifest = place.manifest([entry("m.onnx"), entry("s.onnx", pin_inputs={"use_cache_branch": 1})])
    done = Swept(place, manifest, models=f"strip={place.folder}/models")
    equal(done.last(), "2 passed, 0 failed, 0 skipped", done)
    skeletons = [p.read_bytes() for p in (place.folder / "skeletons").glob("*.onnx")]
    expect(all(len(s) < 1000 for s in skeletons) and any(b"m.bin" in s for s in skeletons), "sizes")
    expect(not any(b"then.bin" in s for s in skeletons), "small external data")
    (folder / "m.bin").unlink()
    done = Swept(place, manifest, models=f"dir={place.folder}/models")
    equal(done.last(), "2 passed, 0 failed, 0 skipped", done)


def test_variables(place):
    """modes, skips, and what is no mode"""
    place.hub.add(REPO, "a.onnx", model.scaled())
    manifest = place.manifest([entry("a.onnx", heavy=True)])
    equal(Swept(place, manifest, models="").last(), "0 passed, 0 failed, 1 skipped")
    equal(Swept(place, manifest, models="", CI="1").last(), "1 passed, 0 failed, 0 skipped")
    equal(Swept(place, manifest, O2W_MODEL_TEST_SKIP_HEAVY="1").last(), "0 passed, 0 failed, 1 skipped")
    for env in ({"models": "all"}, {"O2W_MODEL_FETCH_JOBS": "0"}, {"O2W_MODEL_TEST_JOBS": "x"}):
        done = Swept(place, manifest, **env)
        equal(done.status, 2, done)
        expect(re.search("O2W_MODEL\\w* is '.*', must be", done.err), done)


if __name__ == "__main__":
    main(globals())
