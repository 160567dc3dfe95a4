"""Runs of manifests: cases in processes of their own, reports, records, shards. Numbers are of the contract's list."""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

import model
from support import REPO, TOOL, Place, entry, equal, expect, failed_with, main

MODELS = pathlib.Path(__file__).parent.parent / "models"


def three(place):
    """Three small models of which the second cannot be converted."""
    place.hub.add(REPO, "a.onnx", model.scaled(2.0))
    place.hub.add(REPO, "b.onnx", model.unsupported())
    place.hub.add(REPO, "c.onnx", model.scaled(3.0))
    return place.manifest([entry(n, override_dims={"batch_size": 2}) for n in ("a.onnx", "b.onnx", "c.onnx")])


def test_55(place):
    """55: three cases, the second fails, three at a time: the report is in the manifest's order"""
    done = place.run(three(place), "--jobs", 3)
    equal(done.status, 1, done)
    label = "tests--models/{}.onnx [dims: batch_size=2]"
    lines = done.out.splitlines()
    equal(lines[0], "Validation of manifest.json on cpu", done)
    equal(lines[1:4], ["Succeeded (2):", "  " + label.format("a"), "  " + label.format("c")], done)
    equal(lines[4:6], ["Failed (1):", "  " + label.format("b")], done)
    expect(lines[6].startswith("    convert: "), done)
    equal(lines[-1], "Overall: 2/3 passed (66.7%)", done)
    expect(re.search(r"^ok   tests--models/a.onnx \[dims: batch_size=2\] \(\d+\.\d s\)$", done.err, re.M), done)
    expect(re.search(r"^FAIL tests--models/b.onnx .*: convert: .* \(\d+\.\d s\)$", done.err, re.M), done)
    expect("--selection 'match=tests--models/b.onnx [dims: batch_size=2]' --backend cpu" in done.err, done)
    place.check_cache()


def test_56(place):
    """56: the runtime ends the process of one case, the others run"""
    place.hub.add(REPO, "a.onnx", model.scaled(2.0))
    place.hub.add(REPO, "crash.onnx", model.crashing())
    place.hub.add(REPO, "c.onnx", model.scaled(3.0))
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": 2}), entry("crash.onnx"),
                               entry("c.onnx", override_dims={"batch_size": 2})])
    done = place.run(manifest, "--json")
    equal(done.status, 1, done)
    cases = done.json["cases"]
    equal([c["result"] for c in cases], ["passed", "failed", "passed"], done)
    equal(cases[1]["code"], "case.crashed", done)
    equal(cases[1]["stage"], "reference", done)
    expect(cases[1]["message"].startswith("ended by SIGFPE at stage reference"), done)
    place.check_cache()


def test_validate_crash(place):
    """'validate' whose runtime ends the process says so, at which stage, and leaves nothing"""
    (place.folder / "crash.onnx").write_bytes(model.crashing())
    for line in (["convert", "--model", "crash.onnx", "-o", "c.webnn"],):
        equal(subprocess.run([TOOL, *line], cwd=place.folder, env=place.environ(), capture_output=True).returncode, 0)
    line = [TOOL, "validate", "--onnx", "crash.onnx", "--webnn", "c.webnn", "--backend", "cpu", "--save-outputs", "out"]
    done = subprocess.run(line, cwd=place.folder, env=place.environ(), capture_output=True, text=True)
    equal((done.returncode, done.stdout), (1, ""), done.stderr)
    expect(done.stderr.startswith("error[case.crashed]: ended by SIGFPE at stage reference\n  hint: "), done.stderr)
    done = subprocess.run([*line, "--json"], cwd=place.folder, env=place.environ(), capture_output=True, text=True)
    got = json.loads(done.stdout)
    equal((got["schema"], got["ok"], got["result"]), ("onnx2webnn.validate", False, "error"))
    equal((got["diagnostics"][0]["code"], got["diagnostics"][0]["stage"]), ("case.crashed", "reference"))
    place.check_cache()


def test_gate(place):
    """the gate manifest end to end: the hub serves a small model under that repository's name, with its own digest"""
    gate = json.loads((MODELS / "ci-validation.json").read_text())
    dims = ["batch_size", "num_choices", "sequence_length"]
    data = model.model(model.graph(
        [model.node("Gather", ["table", "input_ids"], ["y"])], [model.value("input_ids", model.INT64, dims)],
        [model.value("y", model.FLOAT, dims + [4])], [model.floats("table", [i / 8 for i in range(32)], [8, 4])]))
    for item in gate:
        repository, path = item["file"].split("/", 1)
        file = place.hub.add(repository.replace("--", "/", 1), path, data, commit=item["revision"])
        item["sha256"] = file.sha256
    done = place.run(place.manifest(gate), "--json", backend="onnx")
    equal((done.status, done.json["passed"]), (0, len(gate)), done)
    equal(done.json["cases"][0]["validation"]["inputs"][0]["shape"], [1, 2, 16])
    place.check_cache()


def test_timeout(place):
    """a case that takes too long is ended, with its stage"""
    place.hub.add(REPO, "a.onnx", model.product(512))
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": 16384})])
    done = place.run(manifest, "--case-timeout", 1, "--json", "--seed", 1, "--seed", 2, "--seed", 3, "--seed", 4,
                     "--seed", 5, "--seed", 6, "--seed", 7, "--seed", 8)
    failed_with(done, "case.timeout", "not finished after 1 s, stage ")
    place.check_cache()


def test_json(place):
    """the document's members, and a record for each case"""
    done = place.run(three(place), "--json")
    got = done.json
    equal(got["schema"], "onnx2webnn.validate-manifest")
    equal((got["result"], got["passed"], got["failed"], got["notRun"], got["shard"]), ("failed", 2, 1, 0, [1, 1]))
    for case in got["cases"]:
        record = json.loads((place.folder / "webnn/results" / f"{case['key']}-cpu-d.json").read_text())
        equal(record, case)
        equal(record["schema"], "onnx2webnn.result")
        expect(record["peakRssBytes"] > 1 << 20 and re.fullmatch("[0-9a-f]{64}", record["sourceSha256"]), record)
    first = got["cases"][0]
    equal(first["validation"]["runs"][0]["result"], "passed")
    expect(first["nodes"] == 1 and first["operators"] == 1 and first["weightBytes"] == 16, first)
    expect(all(first["timesMs"][k] >= 0 for k in ("download", "convert", "build", "reference", "dispatch", "compare")),
           first)


def test_second_run(place):
    """a second sweep converts and downloads nothing"""
    manifest = three(place)
    place.run(manifest)
    place.hub.clear()
    before = {p: p.stat().st_mtime_ns for p in (place.folder / "webnn").glob("*.webnn")}
    done = place.run(manifest, "--json")
    cases = done.json["cases"]
    equal([c["reused"] for c in cases], [True, False, True], done)
    equal(cases[0]["nodes"], 1)
    equal(place.hub.log, [])
    equal({p: p.stat().st_mtime_ns for p in (place.folder / "webnn").glob("*.webnn")}, before)


def test_changed_graph(place):
    """a graph that is not its record's any more is made anew"""
    manifest = three(place)
    place.run(manifest)
    graph = next((place.folder / "webnn").glob("a-*.webnn"))
    graph.write_text(graph.read_text().replace("mul", "add"))
    done = place.run(manifest, "--json")
    equal([c["result"] for c in done.json["cases"]], ["passed", "failed", "passed"], done)
    equal(done.json["cases"][0]["reused"], False)


def test_shared_archive(place):
    """two cases of one file share an archive and each keeps its graph"""
    place.hub.add(REPO, "m.onnx", model.product(64))
    manifest = place.manifest([entry("m.onnx", override_dims={"batch_size": n}) for n in (1, 2, 3)])
    done = place.run(manifest, "--jobs", 3, "--json")
    equal([c["result"] for c in done.json["cases"]], ["passed"] * 3, done)
    archives = list((place.folder / "webnn").glob("*.safetensors"))
    equal(len(archives), 1, archives)
    expect(archives[0].stat().st_size < 64 * 64 * 4 + 4096, archives)
    equal(len(list((place.folder / "webnn").glob("*.webnn"))), 3)
    equal(len(place.hub.requests("GET", "m.onnx")), 1)


def normal(report):
    """A report without what measuring changes."""
    def strip(case):
        case = dict(case)
        for key in ("timesMs", "peakRssBytes", "downloadedBytes", "reused"):
            case.pop(key, None)
        return case
    return [strip(c) for c in report["cases"]]


def test_57(place):
    """57: shards are disjoint and complete, no file is in both, the merged report is the unsharded one"""
    names = [f"m{i}.onnx" for i in range(5)]
    entries = []
    for i, name in enumerate(names):
        place.hub.add(REPO, name, model.unsupported() if i == 3 else model.scaled(float(i)))
        entries += [entry(name, override_dims={"batch_size": n}) for n in (1, 2)]
    entries[8]["heavy"] = True
    manifest = place.manifest(entries)
    whole = place.run(manifest, "--json", "--results", place.folder / "whole")
    labels = []
    for i in (1, 2):
        done = place.run(manifest, "--json", "--shard", f"{i}/2", "--results", place.folder / f"part{i}")
        equal(done.json["shard"], [i, 2])
        labels.append({c["label"] for c in done.json["cases"]})
    equal(labels[0] & labels[1], set())
    equal(labels[0] | labels[1], {c["label"] for c in whole.json["cases"]})
    files = [{label.split(" ")[0] for label in part} for part in labels]
    equal(files[0] & files[1], set())
    merged = place.run(manifest, "--merge", place.folder / "part1", "--merge", place.folder / "part2", "--json", backend=None)
    equal(merged.status, whole.status)
    equal(normal(merged.json), normal(whole.json))
    text = [place.run(manifest, "--results", place.folder / "whole").out,
            place.run(manifest, "--merge", place.folder / "part1", "--merge", place.folder / "part2", backend=None).out]
    equal(text[1], text[0])
    partly = place.run(manifest, "--merge", place.folder / "part1", backend=None)
    equal(partly.status, 1)
    expect("    not run" in partly.out, partly)
    bad = place.folder / "part1" / "odd.json"
    bad.write_text('{"schema":"onnx2webnn.result","version":2}')
    failed_with(place.run(manifest, "--merge", place.folder / "part1", backend=None), "manifest.record")


def test_58(place):
    """58: stopped in the second case, resumed: the first does not run again"""
    place.hub.add(REPO, "a.onnx", model.scaled(2.0))
    place.hub.add(REPO, "slow.onnx", model.product(512))
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": 2}),
                               entry("slow.onnx", override_dims={"batch_size": 16384})])
    line = place.arguments(manifest, "--seed", 1, "--seed", 2, "--seed", 3, "--seed", 4)
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place.folder,
                               env=place.environ())
    while "ok   " not in process.stderr.readline():
        expect(process.poll() is None, "the sweep ended early")
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    equal(process.returncode, 130, out + err)
    expect("Interrupted: 1 cases not run" in out and "error[interrupted]" in err, out + err)
    equal(out.splitlines()[-1], "Overall: 1/1 passed (100.0%)")
    place.check_cache()
    expect(not list((place.folder / "webnn").glob(".o2w*")), "temporary files stayed")
    record = next((place.folder / "webnn/results").glob("*.json"))
    before = record.stat().st_mtime_ns
    small = place.manifest([entry("a.onnx", override_dims={"batch_size": 2}),
                            entry("slow.onnx", override_dims={"batch_size": 4})])
    done = place.run(small, "--resume", "--seed", 1, "--seed", 2, "--seed", 3, "--seed", 4)
    equal(done.status, 0, done)
    expect("a.onnx" not in done.err and "slow.onnx" in done.err, done)
    equal(record.stat().st_mtime_ns, before)
    equal(done.out.splitlines()[-1], "Overall: 2/2 passed (100.0%)")


def test_resume_judges_identity(place):
    """a resumed sweep runs a case again whose seeds or source differ"""
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": 2})])
    place.hub.add(REPO, "a.onnx", model.scaled(2.0))
    place.run(manifest)
    expect("ok   " not in place.run(manifest, "--resume").err, "resumed")
    expect("ok   " in place.run(manifest, "--resume", "--seed", 9).err, "other seeds")
    place.hub.add(REPO, "a.onnx", model.scaled(5.0))
    expect("ok   " in place.run(manifest, "--resume", "--refresh").err, "other source")


def test_expected_failures(place):
    """expected failures do not count; an unexpected pass fails; unknown labels are errors"""
    manifest = three(place)
    label = "tests--models/{}.onnx [dims: batch_size=2]"
    expected = place.folder / "expected.json"
    expected.write_text(json.dumps({label.format("b"): "no such operator"}))
    done = place.run(manifest, "--expected-failures", expected)
    equal(done.status, 0, done)
    expect("Expected (1):" in done.out and "Overall: 2/2 passed (100.0%)" in done.out, done)
    expected.write_text(json.dumps({label.format("a"): "?"}))
    failed_with(place.run(manifest, "--expected-failures", expected, "--json"), "case.unexpected-pass")
    expected.write_text('{"nobody": "?"}')
    failed_with(place.run(manifest, "--expected-failures", expected), "manifest.label", "expected.json:1:2")


def test_heavy(place):
    """heavy cases run last and alone, or are skipped"""
    place.hub.add(REPO, "h.onnx", model.scaled(2.0))
    place.hub.add(REPO, "a.onnx", model.scaled(3.0))
    manifest = place.manifest([entry("h.onnx", heavy=True), entry("a.onnx")])
    done = place.run(manifest, "--jobs", 2)
    equal(done.status, 0, done)
    expect(done.err.index("a.onnx") < done.err.index("h.onnx"), done)
    expect(done.out.index("h.onnx") < done.out.index("a.onnx"), done)
    done = place.run(manifest, "--skip-heavy")
    equal(done.status, 0, done)
    expect("Skipped (1):\n  tests--models/h.onnx: heavy\n" in done.out, done)


def test_fail_fast(place):
    """no further case starts after a failure"""
    done = place.run(three(place), "--fail-fast")
    equal(done.status, 1)
    expect("Not run (1):" in done.out and "c.onnx" not in done.err, done)


def test_junit(place):
    """JUnit XML has a case for each case"""
    place.run(three(place), "--junit", place.folder / "j.xml")
    suite = xml.etree.ElementTree.parse(place.folder / "j.xml").getroot()[0]
    equal((suite.get("tests"), suite.get("failures")), ("3", "1"))
    equal([len(c) for c in suite], [0, 1, 0])
    expect("validate-manifest" in suite[1][0].text, "the command that repeats it")


def test_baseline(place):
    """--baseline shows what changed since an earlier report"""
    manifest = three(place)
    report = place.folder / "report.json"
    report.write_text(place.run(manifest, "--json").out)
    expect("Nothing changed since report.json" in place.run(manifest, "--baseline", report).out, "the same")
    place.hub.add(REPO, "b.onnx", model.scaled(7.0))
    done = place.run(manifest, "--refresh", "--baseline", report)
    expect("Changed since report.json:\n  tests--models/b.onnx [dims: batch_size=2]: failed -> passed" in done.out, done)


def test_memory_limit(place):
    """cases wait for memory; one that is larger than the limit runs alone with a warning"""
    manifest = three(place)
    done = place.run(manifest, "--jobs", 3, "--memory-limit", "1M")
    expect("warning[case.memory]" in done.err, done)
    equal(done.out.splitlines()[-1], "Overall: 2/3 passed (66.7%)")


def memory_of(parent):
    """Resident bytes of the processes that `parent` started."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rsplit(")", 1)[1].split()[1]) == parent:
                total += int((stat.parent / "statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
        except (OSError, IndexError):
            continue
    return total


def test_memory_seen(place):
    """cases that take more than was estimated: the youngest ends and starts again alone; the limit holds"""
    rows, limit = 49152, 600 << 20
    place.hub.add(REPO, "a.onnx", model.product(512))
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": rows + i}) for i in range(3)])
    process = subprocess.Popen(place.arguments(manifest, "--jobs", 3, "--memory-limit", limit), cwd=place.folder,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=place.environ())
    peak = 0
    while process.poll() is None:
        peak = max(peak, memory_of(process.pid))
        time.sleep(0.002)
    out, err = process.communicate()
    equal(out.splitlines()[-1], "Overall: 3/3 passed (100.0%)", err)
    expect(peak < limit * 1.1, f"{peak} bytes of memory\n{err}")
    expect("wait tests--models/a.onnx" in err, f"peak {peak}\n{err}")


def test_progress(place):
    """on a terminal each running case has a line, with its stage; none stays"""
    place.hub.add(REPO, "a.onnx", model.product(512))
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": 16384 + i}) for i in range(2)])
    screen, end = pty.openpty()
    process = subprocess.Popen(place.arguments(manifest, "--jobs", 2), cwd=place.folder, stdout=subprocess.PIPE,
                               stderr=end, env=place.environ({"TERM": "xterm"}))
    os.close(end)
    shown = b""
    try:
        while part := os.read(screen, 65536):
            shown += part
    except OSError:
        pass  # the other end was closed
    os.close(screen)
    process.communicate()
    shown = shown.decode()
    expect(re.search(r"of 2 cases\r?\n  \w+ \(\d+ s\) tests--models/a.onnx \[dims: batch_size=1638[45]", shown), repr(shown))
    expect("\x1b[A\x1b[K" in shown, repr(shown))


def test_mismatch_line(place):
    """a failing comparison is told in one line"""
    place.hub.add(REPO, "a.onnx", model.scaled(2.1))
    manifest = place.manifest([entry("a.onnx", override_dims={"batch_size": 2})])
    place.run(manifest)
    graph = next((place.folder / "webnn").glob("a-*.webnn"))
    # A graph of another model under the same record cannot be made; what can is a tolerance that nothing meets.
    done = place.run(manifest, "--tolerance", "float32=0,0")
    expect(graph.exists() and done.status in (0, 1), done)
    if done.status == 1:
        expect(re.search(r"compare: output 'y': \d+ of 8 values outside 0 \+ 0\*\|ref\|, max normalized ", done.out), done)


def kill_and_rerun(place, manifest, want, delay):
    process = subprocess.Popen(place.arguments(manifest, "--jobs", 2), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, cwd=place.folder, env=place.environ())
    time.sleep(delay)
    process.kill()
    process.wait()
    done = place.run(manifest, "--resume", "--jobs", 2)
    equal(done.out, want, done)
    place.check_cache()


def test_kills(place):
    """killed at random points: every rerun completes with the same report"""
    rounds = int(os.environ.get("O2W_SWEEP_KILLS", "12"))
    other = Place(place.hub)
    manifest = three(place)
    want = other.run(manifest).out
    for i in range(rounds):
        own = Place(place.hub)
        kill_and_rerun(own, manifest, want, (i * 37 % 100) / 100 * 0.35)
        subprocess.run(["rm", "-r", str(own.folder)], check=True)


if __name__ == "__main__":
    main(globals())
