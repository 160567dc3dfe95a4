#!/usr/bin/env python3
"""Runs every `$ onnx2webnn …` line of the fenced blocks of README.md and docs/, in order, in a folder of its own that
holds the models named, and compares what it printed with the lines below it; numbers may differ, words may not.

  run_commands.py ROOT ONNX2WEBNN
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

root, tool = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
passed = failed = skipped = 0


def blocks(path):
    """Pairs of a command and the lines that follow it."""
    inside, found = False, []
    for line in path.read_text().splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        elif inside and line.startswith("$ "):
            found.append((line[2:], []))
        elif inside and found and line.strip():
            found[-1][1].append(line)
        elif not inside and found:
            yield from found
            found = []
    yield from found


def plain(text):
    return re.sub(r"[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?", "#", text)


def prepare(words, folder):
    """Models that are read, by the name that tools/get-models knows."""
    for before, word in zip(["", *words], words):
        name = pathlib.Path(word)
        if name.suffix == ".onnx" and before != "-o" and not (folder / name).exists():
            subprocess.run([root / "tools/get-models", name.stem], check=True, capture_output=True)
            shutil.copy(root / f".deps/models/{name.name}", folder / name)


def check(source, command, expected, folder):
    global passed, failed, skipped
    line, _, remark = command.partition("  # ")
    words = shlex.split(line)
    if words[0] != "onnx2webnn":
        print(f"skip {source}: `{line}`: run by other tests")
        skipped += 1
        return
    prepare(words, folder)
    done = subprocess.run([str(tool), *words[1:]], cwd=folder, capture_output=True, text=True)
    printed = {plain(line) for line in (done.stdout + done.stderr).splitlines()}
    missing = [line for line in expected if plain(line) not in printed and line != "…"]
    if (done.returncode != 0) == ("fails" in remark) and not missing:
        passed += 1
        return
    failed += 1
    print(f"FAIL {source}: `{line}` exit {done.returncode}")
    for line in missing:
        print(f"  not printed: {line}")
    print("  " + (done.stdout + done.stderr).replace("\n", "\n  "))


for source in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
    with tempfile.TemporaryDirectory() as folder:
        for command, expected in blocks(source):
            check(source.relative_to(root), command, expected, pathlib.Path(folder))
same = subprocess.run([root / "tools/docs", "--check"], env={**os.environ, "O2W_TOOL": str(tool)}, capture_output=True, text=True)
if same.returncode == 0:
    passed += 1
else:
    failed += 1
    print("FAIL docs/operators.md\n" + same.stdout + same.stderr)
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed else 0)
