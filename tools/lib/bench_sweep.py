"""The table of sweeps: many small models against the same native runs, memory, a download, digests."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build/release/bin"
TOOL = BIN / "onnx2webnn"
MODELS, REPO = 40, "tests/models"


def own_hub():
    """The modules that make models and a hub of the tests' own."""
    os.environ.setdefault("O2W_BIN", str(BIN))
    sys.path.insert(0, str(ROOT / "tests/sweep"))
    import model
    import support
    return model, support


def resident(parent):
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == parent:
                total += int((stat.parent / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
        except (OSError, IndexError):
            continue
    return total


def sweep(place, manifest, *more):
    """Wall seconds, peak of the cases' memory, the document."""
    peak = 0
    begin = time.perf_counter()
    process = subprocess.Popen([*place.arguments(manifest, *more), "--json"], cwd=place.folder, env=place.environ(),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    out = []
    reader = threading.Thread(target=lambda: out.append(process.stdout.read()))
    reader.start()
    while process.poll() is None:
        peak = max(peak, resident(process.pid))
        time.sleep(0.005)
    seconds = time.perf_counter() - begin
    reader.join()
    if process.returncode != 0:
        sys.exit(f"a sweep failed:\n{out[0]}")
    return seconds, peak, json.loads(out[0])


def native(paths):
    begin = time.perf_counter()
    for path, dims in paths:
        subprocess.run([TOOL, "run", "--quiet", "--reference", path, *dims], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def small_models(table, row, rounds):
    model, support = own_hub()
    place = support.Place()
    entries, paths = [], []
    for i in range(MODELS):
        data = model.product(64 + 8 * i, seed=i)
        place.hub.add(REPO, f"m{i}.onnx", data)
        entries.append(support.entry(f"m{i}.onnx", override_dims={"batch_size": 4}))
        path = place.folder / f"m{i}.onnx"
        path.write_bytes(data)
        paths.append((path, ["--override-dim", "batch_size=4"]))
    manifest = place.manifest(entries)
    table(f"sweep of {MODELS} small models", "first s", "again s", f"{MODELS} native runs s", "again / native")
    for jobs in ("1", "2"):
        shutil.rmtree(place.root, ignore_errors=True)
        shutil.rmtree(place.folder / "webnn", ignore_errors=True)
        first = sweep(place, manifest, "--jobs", jobs)[0]
        again, runs = [], []
        for _ in range(rounds):
            again.append(sweep(place, manifest, "--jobs", jobs)[0])
            runs.append(native(paths))
        row(f"jobs {jobs}", f"{first:.2f}", f"{min(again):.2f}", f"{min(runs):.2f}", f"{min(again) / min(runs):.2f}")
    place.close()
    print()


def memory(table, row):
    """Cases whose results are larger than their files tell."""
    model, support = own_hub()
    place = support.Place()
    place.hub.add(REPO, "a.onnx", model.product(512))
    manifest = place.manifest([support.entry("a.onnx", override_dims={"batch_size": 49152 + i}) for i in range(4)])
    table("memory of 4 cases, jobs 4", "limit MB", "peak MB", "peak / limit")
    for limit in (600 << 20, 1400 << 20):
        for name in ("first", "again"):
            if name == "first":
                shutil.rmtree(place.folder / "webnn", ignore_errors=True)
            peak = sweep(place, manifest, "--jobs", "4", "--memory-limit", str(limit))[1]
            row(name, f"{limit / 1e6:.0f}", f"{peak / 1e6:.0f}", f"{peak / limit:.2f}")
    place.close()
    print()


def download(table, row, rounds):
    """1 GB over loopback, with its digest, against curl and openssl. The tests' server bounds both."""
    model, support = own_hub()
    place = support.Place()
    head, zeros, tail = model.huge(16000)
    data = head + bytes(zeros) + tail
    place.hub.add(REPO, "big.onnx", data)
    manifest = place.manifest([support.entry("big.onnx", override_dims={"batch_size": 1})])
    ours, theirs = [], []
    for _ in range(rounds):
        shutil.rmtree(place.root, ignore_errors=True)
        ours.append(sweep(place, manifest)[2]["cases"][0]["timesMs"]["download"] / 1e3)
        theirs.append(curl(place, f"{place.hub.url}/{REPO}/resolve/main/big.onnx"))
    table("download", "MB", "s", "curl, then openssl s", "ratio")
    row("loopback", f"{len(data) / 1e6:.0f}", f"{min(ours):.1f}", f"{min(theirs):.1f}", f"{min(ours) / min(theirs):.2f}")
    place.close()
    print()


def curl(place, url):
    out = place.folder / "curl.onnx"
    begin = time.perf_counter()
    subprocess.run(["curl", "-sfL", "-o", out, url], check=True)
    subprocess.run(["openssl", "dgst", "-sha256", out], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def digests(table, row):
    """SHA-256 of one block after another, one thread."""
    ours = int(subprocess.run([BIN / "bench_digest"], check=True, capture_output=True, text=True).stdout)
    said = subprocess.run(["openssl", "speed", "-seconds", "2", "-bytes", "1048576", "-evp", "sha256"], check=True,
                          capture_output=True, text=True).stdout
    theirs = float(said.split()[-1].rstrip("k")) * 1000 / 1e6
    table("SHA-256", "MB/s", "openssl speed MB/s", "ratio of times")
    row("one thread", f"{ours}", f"{theirs:.0f}", f"{theirs / ours:.2f}")
    print()


def bench_sweep(table, row, rounds):
    small_models(table, row, rounds)
    memory(table, row)
    download(table, row, rounds)
    digests(table, row)
