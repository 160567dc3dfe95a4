"""The recipe of contrib/slurm on a real Slurm of one machine; skipped with the reason where that does not start."""
import json
import os
import pathlib

import model
import slurm
from support import REPO, TOOL, Skip, entry, equal, expect, main
from test_sweep import normal

RECIPE = pathlib.Path(__file__).parent.parent.parent / "contrib/slurm/sweep"


def test_sweep(place):
    """parts of an array and a merging job give the report of one machine; a second submission runs what is left"""
    entries = []
    for i in range(4):
        place.hub.add(REPO, f"m{i}.onnx", model.unsupported() if i == 2 else model.scaled(float(i + 1)))
        entries += [entry(f"m{i}.onnx", override_dims={"batch_size": n}) for n in (1, 2)]
    manifest = place.manifest(entries)
    whole = place.run(manifest, "--json", "--results", place.folder / "whole")
    try:
        engine = slurm.Slurm()
    except slurm.Unavailable as reason:
        raise Skip(f"Slurm cannot start here: {reason}") from None
    results = place.folder / "shared"
    line = [str(RECIPE), "--parts", "3", "--results", str(results), "--sbatch", "--ntasks=1", "--", "--manifest",
            str(manifest), "--selection", "all", "--backend", "cpu"]
    environment = {**place.environ(), "ONNX2WEBNN": TOOL}
    environment.pop("PATH")
    try:
        submit(engine, line, environment)
        merged = json.loads((results / "report.json").read_text())
        equal(normal(merged), normal(whole.json))
        text = (results / "report.txt").read_text()
        equal(text, place.run(manifest, "--results", place.folder / "whole").out)
        equal((results / "status").read_text(), "1\n")
        equal(sorted(p.name for p in (results / "log").iterdir()), ["1.txt", "2.txt", "3.txt", "merge.txt"])
        times = {p.name: p.stat().st_mtime_ns for p in (results / "records").glob("*.json")}
        place.hub.add(REPO, "m2.onnx", model.scaled(3.0))
        for link in place.repo.glob("snapshots/*/m2.onnx"):
            link.unlink()
        submit(engine, line, environment)
        equal((results / "status").read_text(), "0\n")
        again = {p.name for p in (results / "records").glob("*.json") if times.get(p.name) != p.stat().st_mtime_ns}
        equal(len(again), 2, again)
        expect("Overall: 8/8 passed (100.0%)" in (results / "report.txt").read_text(), "the second report")
        print((results / "report.txt").read_text())
    finally:
        engine.close()


def submit(engine, line, environment):
    done = engine.run(*line, env=environment)
    equal(done.returncode, 0, done.stdout + done.stderr)
    jobs = dict(row.split(": ") for row in done.stdout.splitlines())
    engine.wait(jobs["parts"])
    engine.wait(jobs["merge"])


if __name__ == "__main__":
    main(globals())
