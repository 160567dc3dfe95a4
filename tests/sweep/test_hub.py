"""The hub client against every fault of a server, and its cache beside the official clients'. Numbers are of the
contract's list."""
import hashlib
import json
import os
import random
import subprocess
import sys
import threading
import time

import hub as hubs
import model
from support import REPO, Place, Skip, entry, equal, expect, failed_with, main

SIZE = 640  # 1.6 MB of weights
LOCK = threading.Lock()
_large = {}


def large(size=SIZE, seed=1):
    """A model of some MB; made once."""
    with LOCK:
        if (size, seed) not in _large:
            _large[size, seed] = model.product(size, seed=seed)
        return _large[size, seed]


def one(place, data=None, **more):
    """(file at the hub, manifest) of a single large model."""
    file = place.hub.add(REPO, "m.onnx", data or large())
    return file, place.manifest([entry("m.onnx", **more)])


def path(name="m.onnx", revision="main"):
    return f"/{REPO}/resolve/{revision}/{name}"


def stored(file):
    return f"/stored/{file.sha256}"


def succeed(place, manifest, *more, **keywords):
    done = place.run(manifest, *more, **keywords)
    equal(done.status, 0, done)
    place.check_cache()
    return done


def fail(place, manifest, code, *words, more=(), **keywords):
    done = place.run(manifest, *more, "--json", **keywords)
    failed_with(done, code, *words)
    place.check_cache()
    return done


def test_layout(place):
    """blobs, a relative link in the snapshot, the ref, the completion record; the second run asks nobody"""
    file, manifest = one(place)
    succeed(place, manifest)
    equal(place.blob(file).read_bytes() == file.data, True)
    link = place.repo / "snapshots" / hubs.COMMIT / "m.onnx"
    equal(os.readlink(link), f"../../blobs/{file.etag}")
    equal((place.repo / "refs/main").read_text(), hubs.COMMIT)
    name = hashlib.sha256(b"tests--models/m.onnx@main#").hexdigest()
    record = json.loads((place.root / ".onnx2webnn-validation" / f"{name}.complete.json").read_text())
    equal(record, {"format": 3, "repository": REPO, "revision": "main", "commit": hubs.COMMIT, "sha256": None,
                   "primary": "m.onnx", "files": [{"path": "m.onnx", "length": len(file.data)}]})
    expect((place.root / ".locks/models--tests--models" / f"{file.etag}.lock").exists(), "the lock file")
    place.hub.clear()
    succeed(place, manifest)
    equal(place.hub.log, [])


def test_small_file(place):
    """a file that is no large one is verified by its git digest"""
    file = place.hub.add(REPO, "sub/a.onnx", model.scaled())
    equal(len(file.etag), 40)
    succeed(place, place.manifest([entry("sub/a.onnx")]))
    equal(os.readlink(place.repo / "snapshots" / hubs.COMMIT / "sub/a.onnx"), f"../../../blobs/{file.etag}")


def test_59(place):
    """59: a download that was cut at half goes on with one range request from there"""
    file, manifest = one(place)
    half = len(file.data) // 2
    blobs = place.repo / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"{file.etag}.incomplete").write_bytes(file.data[:half])
    succeed(place, manifest)
    ranges = [r["range"] for r in place.hub.requests("GET", "/stored/")]
    equal(ranges, [f"bytes={half}-"])
    equal(place.hub.requests("GET", "/stored/")[0]["if-range"], f'"{file.etag}"')


def test_foreign_etags(place):
    """a storage with etags of its own: downloads go on all the same, and the digest is what counts"""
    file, manifest = one(place)
    place.hub.storage_etag = "5d41402abc4b2a76b9719d911017c592-3"
    place.hub.faults[stored(file)] = [{"cut": 300000}]
    succeed(place, manifest)
    equal([r["range"] for r in place.hub.requests("GET", "/stored/")], [None, "bytes=300000-", "bytes=300000-"])
    equal([r["if-range"] for r in place.hub.requests("GET", "/stored/")][1:], [f'"{file.etag}"', None])
    other = big(place)
    succeed(place, place.manifest([entry("m.onnx", override_dims={"batch_size": 2})]), "--refresh")
    expect(len(place.hub.requests("GET", stored(other))) > 5, "ranges")


def test_cut(place):
    """a connection that breaks is taken up where it broke"""
    file, manifest = one(place)
    place.hub.faults[stored(file)] = [{"cut": 300000}, {"cut": 200000}]
    succeed(place, manifest)
    equal([r["range"] for r in place.hub.requests("GET", "/stored/")], [None, "bytes=300000-", "bytes=500000-"])


def test_wrong_partial(place):
    """a partial file with other content is thrown away"""
    file, manifest = one(place)
    (place.repo / "blobs").mkdir(parents=True)
    (place.repo / "blobs" / f"{file.etag}.incomplete").write_bytes(b"x" * 1000)
    succeed(place, manifest)
    (place.repo / "blobs" / "gone.incomplete").write_bytes(b"")


def test_too_long_partial(place):
    """a partial file that is longer than the file is begun anew"""
    file, manifest = one(place)
    (place.repo / "blobs").mkdir(parents=True)
    (place.repo / "blobs" / f"{file.etag}.incomplete").write_bytes(file.data + b"more")
    succeed(place, manifest)


def test_transient(place):
    """408, 429 and 5xx are tried again, Retry-After is respected"""
    file, manifest = one(place)
    soon = {"Retry-After": "0"}
    place.hub.faults[f"HEAD {path()}"] = [{"status": 503, "headers": soon}, {"status": 408, "headers": soon}]
    place.hub.faults[path()] = [{"status": 500, "headers": soon}]
    place.hub.faults[stored(file)] = [{"status": 429, "headers": {"Retry-After": "1"}}, {"status": 502, "headers": soon}]
    begun = time.monotonic()
    succeed(place, manifest)
    expect(time.monotonic() - begun >= 1, "Retry-After")


def test_gives_up(place):
    """five tries, then one clear error"""
    _, manifest = one(place)
    place.hub.always[f"HEAD {path()}"] = {"status": 503, "headers": {"Retry-After": "0"}}
    fail(place, manifest, "hub.unreachable", "5 tries failed, last: status 503", "--offline")
    equal(len(place.hub.requests("HEAD")), 5)


def test_61(place):
    """61: a complete cache needs no network; --offline with an empty one is an error"""
    _, manifest = one(place)
    succeed(place, manifest)
    succeed(place, manifest, env={"HF_ENDPOINT": "http://127.0.0.1:9"})
    succeed(place, manifest, "--offline")
    other = Place(place.hub)
    place.hub.clear()
    fail(other, other.manifest([entry("m.onnx")]), "hub.offline", "the network is switched off", more=["--offline"])
    fail(other, other.manifest([entry("m.onnx")]), "hub.offline", env={"HF_HUB_OFFLINE": "YES"})
    equal(place.hub.log, [])
    subprocess.run(["rm", "-r", str(other.folder)], check=True)


def test_unreachable(place):
    """nobody listens: five tries with pauses"""
    _, manifest = one(place)
    begun = time.monotonic()
    fail(place, manifest, "hub.unreachable", "HF_ENDPOINT", env={"HF_ENDPOINT": "http://127.0.0.1:9"})
    expect(15 <= time.monotonic() - begun < 40, "1.5 + 3 + 4.5 + 6 seconds")


def test_60(place):
    """60: a wrong digest in the manifest: exactly one refresh, then hub.sha256"""
    file, manifest = one(place, revision="main", sha256="0" * 64)
    fail(place, manifest, "hub.sha256", file.sha256, "0" * 64, "also after a refresh")
    equal(len(place.hub.requests("GET", "/stored/")), 2)


def test_digest_on_reuse(place):
    """a declared digest is computed on every reuse: a changed blob is fetched again"""
    file = place.hub.add(REPO, "m.onnx", large())
    manifest = place.manifest([entry("m.onnx", revision="main", sha256=file.sha256)])
    succeed(place, manifest)
    blob = place.blob(file)
    data = bytearray(blob.read_bytes())
    data[1000] ^= 1
    blob.write_bytes(data)
    succeed(place, manifest)
    equal(blob.read_bytes() == file.data, True)


def test_62(place):
    """62: the token goes to the endpoint's host alone"""
    _, manifest = one(place)
    succeed(place, manifest, env={"HF_TOKEN": "secret-token"})
    for request in place.hub.log:
        want = None if request["path"].startswith("/stored/") else "Bearer secret-token"
        equal(request["authorization"], want, request)
    equal({r["host"].split(":")[0] for r in place.hub.log}, {"127.0.0.1", "localhost"})


def test_token_file(place):
    """the token of the official clients' file; never printed; not sent in clear text to other machines"""
    _, manifest = one(place)
    home = place.folder / "hf"
    home.mkdir()
    (home / "token").write_text("file-token\n")
    done = succeed(place, manifest, "--debug")
    expect("file-token" not in done.out + done.err, "the token is printed")
    equal(place.hub.log[0]["authorization"], "Bearer file-token")


def test_redirects(place):
    """relative redirects are followed, at most five; none from TLS to clear text"""
    file = place.hub.add(REPO, "moved.onnx", large())
    place.hub.faults[f"HEAD {path('m.onnx')}"] = [{"location": path("moved.onnx")}]
    place.hub.faults[path("m.onnx")] = [{"location": path("moved.onnx")}]
    succeed(place, place.manifest([entry("m.onnx")]))
    expect(place.blob(file).exists(), "the blob")
    place.hub.always[f"HEAD {path('loop.onnx')}"] = {"location": path("loop.onnx")}
    fail(place, place.manifest([entry("loop.onnx")]), "hub.protocol", "more than 5 redirects")


def test_refusals(place):
    """gated, private, missing: what to do stands in the message"""
    one(place)
    place.hub.always[f"HEAD {path('gated.onnx')}"] = {"status": 403}
    place.hub.always[f"HEAD {path('private.onnx')}"] = {"status": 401}
    place.hub.always[f"HEAD {path('hidden.onnx')}"] = {"status": 401, "headers": {"X-Error-Code": "RepoNotFound"}}
    fail(place, place.manifest([entry("gated.onnx")]), "hub.unauthorized", "403 for tests/models", "HF_TOKEN")
    fail(place, place.manifest([entry("private.onnx")]), "hub.unauthorized", "401 for tests/models")
    fail(place, place.manifest([entry("hidden.onnx")]), "hub.not-found", "no repository tests/models", "HF_TOKEN")
    fail(place, place.manifest([entry("none.onnx")]), "hub.not-found", "no file 'none.onnx' in tests/models")
    fail(place, place.manifest([entry("m.onnx", revision="v9")]), "hub.not-found", "no revision 'v9'")
    fail(place, place.manifest([{"file": "no--body/m.onnx"}]), "hub.not-found", "no repository no/body")


def test_protocol(place):
    """answers without a commit or an etag are no hub's"""
    _, manifest = one(place)
    place.hub.faults[f"HEAD {path()}"] = [{"status": 200}]
    fail(place, manifest, "hub.protocol", "X-Repo-Commit")
    place.hub.faults[f"HEAD {path()}"] = [{"etag": "../../evil"}]
    fail(place, manifest, "hub.protocol", "ETag")
    place.hub.faults[f"HEAD {path()}"] = [{"status": 418}]
    fail(place, manifest, "hub.protocol", "418")


def test_wrong_etag(place):
    """content that is not what its etag says: one more try, then hub.corrupt, and nothing stays"""
    file, manifest = one(place)
    wrong = "f" * 64
    place.hub.always[f"HEAD {path()}"] = {"etag": wrong}
    fail(place, manifest, "hub.corrupt", wrong)
    equal(len(place.hub.requests("GET", "/stored/")), 2)
    equal([p.name for p in (place.repo / "blobs").iterdir()], [])
    del file


def test_wrong_length(place):
    """a length that is not true is found out"""
    file, manifest = one(place)
    place.hub.faults[f"HEAD {path()}"] = [{"length": len(file.data) - 7}]
    fail(place, manifest, "hub.corrupt")
    place.hub.faults[f"HEAD {path()}"] = [{"length": len(file.data) + 7}]
    done = place.run(manifest, "--json", timeout=120)
    expect(done.status == 1, done)
    place.check_cache()
    succeed(place, manifest)


def test_changed_content(place):
    """content that changes between two ranges is noticed"""
    file, manifest = one(place)
    other = bytes(len(file.data))
    place.hub.faults[stored(file)] = [{"cut": 400000}, {"data": other, "etag": "another"}]
    succeed(place, manifest)
    equal(place.blob(file).read_bytes() == file.data, True)


def test_corrupt_once(place):
    """wrong bytes once: fetched anew"""
    file, manifest = one(place)
    place.hub.faults[stored(file)] = [{"data": bytes(len(file.data))}]
    succeed(place, manifest)


def test_ranges_ignored(place):
    """a server that ignores ranges sends the whole file again"""
    file, manifest = one(place)
    place.hub.always[stored(file)] = {"whole": True}
    place.hub.faults[stored(file)] = [{"cut": 500000}]
    succeed(place, manifest)


def test_unsafe_external(place):
    """external data outside of the model's folder is not asked for"""
    place.hub.add(REPO, "m.onnx", model.product(8, external="../w.bin"))
    fail(place, place.manifest([entry("m.onnx")]), "path.unsafe", "'../w.bin' leaves the model's folder")
    equal([r for r in place.hub.log if "w.bin" in r["path"]], [])


def test_external(place):
    """external files come with the model, also those that only branches name"""
    place.hub.add(REPO, "onnx/m.onnx", model.product(64, external="m.onnx_data"))
    place.hub.add(REPO, "onnx/m.onnx_data", model.weights(64))
    done = succeed(place, place.manifest([entry("onnx/m.onnx")]), "--json")
    equal(len(done.json["cases"]), 1)
    place.hub.add(REPO, "if.onnx", model.branching())
    place.hub.add(REPO, "then.bin", b"\0" * 16)
    place.hub.add(REPO, "sub/else.bin", b"\0\0\x80\x3f" * 4)
    done = place.run(place.manifest([entry("if.onnx", pin_inputs={"use_cache_branch": False})]), "--json")
    # ONNX Runtime refuses symbolic links to the data of tensors in branches; the conversion does not.
    expect(done.status == 0 or (done.json["cases"][0]["stage"] == "reference" and "symbolic link" in done.out), done)
    place.check_cache()
    for name in ("onnx/m.onnx_data", "then.bin", "sub/else.bin"):
        equal(len(place.hub.requests("GET", name)), 1, name)


def test_missing_external(place):
    """an external file that the repository does not have fails the case, and the rerun completes"""
    place.hub.add(REPO, "m.onnx", model.product(64, external="m.bin"))
    manifest = place.manifest([entry("m.onnx")])
    fail(place, manifest, "hub.not-found", "m.bin")
    place.hub.add(REPO, "m.bin", model.weights(64))
    succeed(place, manifest)


def test_refresh(place):
    """--refresh downloads anew, once for each file"""
    file = place.hub.add(REPO, "m.onnx", large())
    manifest = place.manifest([entry("m.onnx"), entry("m.onnx", override_dims={"batch_size": 2})])
    succeed(place, manifest)
    succeed(place, manifest, "--refresh")
    equal(len(place.hub.requests("GET", stored(file))), 2)
    succeed(place, manifest, env={"O2W_MODEL_CACHE_REFRESH": "1"})
    equal(len(place.hub.requests("GET", stored(file))), 3)


def test_tls(place):
    """TLS with a certificate that SSL_CERT_FILE names; without it the certificate is refused"""
    names = hubs.certificate(place.folder)
    secure = Place(hubs.Hub(tls=names))
    try:
        file, manifest = one(secure)
        succeed(secure, manifest, env={"SSL_CERT_FILE": names[0], "HF_TOKEN": "t"})
        expect(secure.blob(file).exists(), "the blob")
        other = Place(secure.hub)
        fail(other, other.manifest([entry("m.onnx")]), "hub.unreachable", "certificate")
        subprocess.run(["rm", "-r", str(other.folder)], check=True)
    finally:
        secure.close()


def big(place):
    """A file that is fetched in parallel ranges: external data of 68 MB."""
    size = 4224
    place.hub.add(REPO, "m.onnx", model.product(size, external="m.bin"))
    with LOCK:
        if size not in _large:
            _large[size] = hubs.File(model.weights(size))
    return place.hub.add(REPO, "m.bin", _large[size])


def test_parallel(place):
    """from 64 MiB on: ranges of 16 MiB, several at a time, with failures in between"""
    file = big(place)
    place.hub.faults[stored(file)] = [{"cut": 5000000}, {"status": 503, "headers": {"Retry-After": "0"}},
                                      {"cut": 100}]
    done = succeed(place, place.manifest([entry("m.onnx")]), "--json")
    equal(done.json["cases"][0]["downloadedBytes"] >= len(file.data), True)
    ranges = {r["range"] for r in place.hub.requests("GET", stored(file))}
    expect("bytes=16777216-33554431" in ranges and "bytes=67108864-71368703" in ranges, ranges)
    equal([p for p in (place.repo / "blobs").iterdir() if ".o2w" in p.name], [])


def test_parallel_resumes(place):
    """finished ranges are not asked for again after a kill"""
    file = big(place)
    manifest = place.manifest([entry("m.onnx")])
    place.hub.always[stored(file)] = {"step": 1 << 20, "pause": 0.02}
    process = subprocess.Popen(place.arguments(manifest, "--download-jobs", 2), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=place.environ())
    part = place.repo / "blobs" / f"{file.etag}.o2w-part.map"
    deadline = time.monotonic() + 60
    while not (part.exists() and 1 in part.read_bytes()):
        expect(time.monotonic() < deadline and process.poll() is None, "no range was finished")
        time.sleep(0.01)
    process.kill()
    process.wait()
    finished = [i for i, done in enumerate(part.read_bytes()) if done]
    place.hub.always.clear()
    place.hub.clear()
    succeed(place, manifest)
    asked = {int(r["range"][6:].split("-")[0]) // (16 << 20) for r in place.hub.requests("GET", stored(file))}
    equal(asked & set(finished), set())


def test_parallel_without_ranges(place):
    """a server without ranges is asked for the whole"""
    file = big(place)
    place.hub.always[stored(file)] = {"whole": True}
    succeed(place, place.manifest([entry("m.onnx")]))


def test_kills(place):
    """killed at random points of a download: the rerun completes, the cache is never wrong"""
    file, manifest = one(place)
    place.hub.always[stored(file)] = {"step": 65536, "pause": 0.01}
    chance = random.Random(7)
    for _ in range(int(os.environ.get("O2W_SWEEP_KILLS", "12"))):
        process = subprocess.Popen(place.arguments(manifest), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=place.environ())
        time.sleep(chance.random() * 0.4)
        process.kill()
        process.wait()
        for blob in (place.repo / "blobs").glob("*"):
            expect(blob.suffix == ".incomplete" or blob.read_bytes() == file.data, blob)
    place.hub.always.clear()
    succeed(place, manifest)


def test_interrupted_download(place):
    """Ctrl-C keeps what is there, for the next time"""
    file, manifest = one(place)
    place.hub.always[stored(file)] = {"step": 65536, "pause": 0.05}
    process = subprocess.Popen(place.arguments(manifest), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=place.environ())
    partial = place.repo / "blobs" / f"{file.etag}.incomplete"
    while not (partial.exists() and partial.stat().st_size > 100000):
        expect(process.poll() is None, "ended early")
        time.sleep(0.01)
    process.send_signal(2)
    out, err = process.communicate(timeout=20)
    equal(process.returncode, 130, out + err)
    expect("Interrupted: 1 cases not run" in out, out)
    expect(partial.exists(), "the partial file")
    place.hub.always.clear()
    succeed(place, manifest)
    expect(place.hub.requests("GET", stored(file))[-1]["range"].startswith("bytes="), "it goes on")


def test_two_processes(place):
    """two processes fetch a file once"""
    file, manifest = one(place)
    place.hub.always[stored(file)] = {"step": 65536, "pause": 0.02}
    both = [subprocess.Popen(place.arguments(manifest, "--results", place.folder / f"r{i}"), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=place.environ()) for i in range(2)]
    said = [p.communicate(timeout=120) for p in both]
    equal([p.returncode for p in both], [0, 0], said)
    equal(len(place.hub.requests("GET", stored(file))), 1)
    expect(any("waiting for another process" in err for _, err in said), said)
    place.check_cache()


def test_full_disk(place):
    """no room: one clear error before the first byte, and a rerun that completes"""
    mount = place.folder / "small"
    mount.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=66m", "tmpfs", str(mount)], capture_output=True).returncode:
        raise Skip("no small file system can be mounted here")
    try:
        file, manifest = one(place, data=large(1200))
        env = {"HF_HUB_CACHE": str(mount / "hub")}
        done = place.run(manifest, "--json", env=env)
        failed_with(done, "hub.disk-full", "GB needed in", "GB free")
        equal(place.hub.requests("GET", stored(file)), [])
        subprocess.run(["mount", "-o", "remount,size=200m", str(mount)], check=True)
        equal(place.run(manifest, env=env).status, 0)
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def official():
    """A Python that has the official client; see tools/setup hub."""
    python = os.environ.get("O2W_HUB_PYTHON", os.path.join(os.environ["O2W_BIN"], "../../../.deps/hub/bin/python"))
    if not os.path.exists(python):
        raise Skip("the official client is not here: tools/setup hub")
    return python


def test_official_reads_ours(place):
    """the official client finds what was downloaded here, offline"""
    python = official()
    file, manifest = one(place)
    succeed(place, manifest)
    code = ("import sys; from huggingface_hub import hf_hub_download as get\n"
            f"print(get('{REPO}', 'm.onnx', local_files_only=True))")
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=place.environ())
    equal(done.returncode, 0, done.stderr)
    equal(open(done.stdout.strip(), "rb").read() == file.data, True)


def test_we_read_official(place):
    """what the official client downloaded is used offline, and not downloaded again"""
    python = official()
    file, manifest = one(place)
    code = f"from huggingface_hub import hf_hub_download as get; get('{REPO}', 'm.onnx')"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=place.environ())
    equal(done.returncode, 0, done.stderr)
    place.hub.clear()
    succeed(place, manifest, "--offline")
    equal(place.hub.log, [])
    name = hashlib.sha256(b"tests--models/m.onnx@main#").hexdigest()
    (place.root / ".onnx2webnn-validation" / f"{name}.complete.json").unlink()
    succeed(place, manifest)
    equal(place.hub.requests("GET"), [])
    del file


def test_official_goes_on(place):
    """a download that was interrupted here is finished by the official client"""
    python = official()
    file, manifest = one(place)
    place.hub.faults[stored(file)] = [{"cut": 700000}]
    place.hub.faults[path()] = [{}] + [{"status": 404}]
    place.run(manifest)
    partial = place.repo / "blobs" / f"{file.etag}.incomplete"
    expect(partial.exists() and partial.stat().st_size >= 600000, "a partial file")
    place.hub.faults.clear()
    place.hub.clear()
    code = f"from huggingface_hub import hf_hub_download as get; get('{REPO}', 'm.onnx')"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=place.environ())
    equal(done.returncode, 0, done.stderr)
    place.check_cache()


if __name__ == "__main__":
    main(globals())
