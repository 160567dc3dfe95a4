"""Tests of tools/: test_tools.py PROJECT. Each check gets a small project with one thing planted and must name it."""
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

PROJECT = os.path.abspath(sys.argv[1])
FUNCTION = "int f(int x);\n\nint f(int x)\n{\n%s    return x;\n}\n"

# check, file, its text, what the finding must say
PLANTED = [
    ("layers", "src/wire/a.c", '#include "onnx/model.h"\n', "layer wire may not include 'onnx/model.h'"),
    ("layers", "src/base/a.c", '#include "base/gone.h"\n', "there is no 'base/gone.h'"),
    ("layers", "src/nowhere/a.c", "int a;\n", "'nowhere' is no layer"),
    ("layers", "src/base/a.h", '#include "base/b.h"\n', "headers include each other"),
    ("layers", "include/onnx2webnn/c.h", '#include "base/b.h"\n', "a public header includes the internal"),
    ("sizes", "src/base/a.c", FUNCTION % ("    x++;\n" * 100), "f has 101 lines"),
    ("sizes", "src/base/a.h", "\n" * 121, "121 lines, more than 120"),
    ("sizes", "include/onnx2webnn/a.h", "\n" * 301, "301 lines, more than 300"),
    ("sizes", "src/base/a.c", "\n" * 1201, "1201 lines, more than 1200"),
    ("sizes", "src/base/a.c", FUNCTION % ("    x++;\n" * 15), "the median function has 16 lines"),
    ("sizes", "tools/check/sizes.allow", "src/base/b.h short\n", "needs no exemption"),
    ("words", "src/base/a.c", "/* TO" + "DO: more */\n", "unfinished work"),
    ("words", "docs/a.md", "see /ro" + "ot/notes\n", "absolute path"),
    ("words", "docs/a.md", "from py" + "pi.org\n", "registry host name"),
    ("headers", "src/base/a.h", "size_t a;\n", "src/base/a.h: does not compile alone"),
    ("headers", "include/onnx2webnn/a.h", "static inline int *a(void *p) { return p; }\n", "c++17"),
    ("format", "src/base/a.c", "int  a;\n", "src/base/a.c: not formatted"),
    ("scripts", "tools/a", "#!/bin/sh\necho $1\n", "SC2086"),
    ("scripts", "tools/a", "#!/usr/bin/env python3\nif:\n", "SyntaxError"),
    ("generated", "tools/gen/a", "#!/bin/sh\nexit 1\n", "tools/gen/a: its output differs"),
    ("dependencies", "src/base/a.c", 'const char *a = "libextra.so.2";\n', "libextra: loaded by src/base/a.c"),
    ("dependencies", "tools/packages/debian.txt", "bison  parser\n", "bison: fetched by"),
    ("dependencies", "docs/dependencies.md", "| `wasmtime` | 1.2.3 | x | y |\n", "pins 50.0.1"),
    ("warnings", "src/base/a.c", "int f(long x);\n\nint f(long x)\n{\n    return x;\n}\n", "shorten-64-to-32"),
]

SUMMARIES = [  # output, [passed, failed, skipped] or None
    ("1 passed, 2 failed, 3 skipped\n", [1, 2, 3]),
    ("x\n7 passed, 0 failed\n\n", [7, 0, 0]),
    ("7 passed, 0 failed\nand then died", None),
    ("", None),
    ("[==========] Running 3 test(s).\n[  PASSED  ] 1 test(s).\n[  SKIPPED ] 1 test(s), listed below:\n"
     "[  SKIPPED ] b\n[  FAILED  ] 1 test(s), listed below:\n", [1, 1, 1]),
    ("[==========] g: Running 1 test(s).\n[  PASSED  ] 1 test(s).\n[==========] Running 2 test(s).\n", None),
]

CASES = [  # status, output, is it a fixture, counts
    ("run", "3 passed, 0 failed, 1 skipped", False, [3, 0, 1]),
    ("fail", "3 passed, 0 failed, 1 skipped", False, [3, 1, 1]),
    ("fail", "3 passed, 2 failed, 1 skipped", False, [3, 2, 1]),
    ("fail", "Segmentation fault", False, [0, 1, 0]),
    ("run", "no summary at all", False, [0, 1, 0]),
    ("notrun", "", False, [0, 1, 0]),
    ("disabled", "", False, [0, 0, 1]),
    ("run", "", True, [0, 0, 0]),
    ("fail", "", True, [0, 1, 0]),
]


def run(arguments, cwd, **more):
    done = subprocess.run(arguments, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    return done.returncode, done.stdout


def make_project(folder):
    """A small project that passes every check."""
    for path in ("tools", "cmake", ".clang-format", "docs/dependencies.md", "CMakePresets.json",
                 "tests/interop/nn-host/Cargo.toml"):
        source, target = os.path.join(PROJECT, path), os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("gen", "__pycache__", "manual"))
        else:
            shutil.copy(source, target)
    write(folder, "tools/check/sizes.allow", "")
    write(folder, "src/base/b.h", '#include "base/a.h"\n')
    write(folder, "src/base/a.h", "#include <stddef.h>\n")
    write(folder, "src/onnx/model.h", "")
    write(folder, "include/onnx2webnn/common.h", "")
    write(folder, "CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(p VERSION 1.0.0 LANGUAGES C)\n"
          "include(cmake/flags.cmake)\ninclude(cmake/layers.cmake)\n")
    run(["git", "init", "-q"], folder)


def write(folder, path, text):
    full = os.path.join(folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)
    if path.startswith("tools/") and text.startswith("#!"):
        os.chmod(full, 0o755)


def check_planted(check, path, text, says):
    with tempfile.TemporaryDirectory() as folder:
        make_project(folder)
        if path in ("tools/packages/debian.txt", "docs/dependencies.md"):
            with open(os.path.join(folder, path), encoding="utf-8") as file:
                text = file.read() + text
        write(folder, path, text)
        status, output = run(["tools/check/" + check], folder)
        if status == 0 or says not in output:
            return f"exit status {status}, expected '{says}' in:\n{output}"
    return None


def check_clean(check):
    with tempfile.TemporaryDirectory() as folder:
        make_project(folder)
        write(folder, "src/base/a.c", FUNCTION % "")
        status, output = run(["tools/check/" + check], folder)
        return f"exit status {status}:\n{output}" if status else None


def load_run_tests():
    path = os.path.join(PROJECT, "tools", "run-tests")
    loader = importlib.machinery.SourceFileLoader("run_tests", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def check_summary(tests, output, counts):
    got = tests.closing_counts(output)
    return None if got == counts else f"{output!r} gives {got}"


def check_case(tests, status, output, is_fixture, counts):
    case = xml.Element("testcase", name="t", status=status)
    xml.SubElement(case, "system-out").text = output
    got = tests.judge(case, is_fixture)[0]
    return None if got == counts else f"{status} {output!r} gives {got}"


def check_usage(arguments, status, says):
    got, output = run(arguments, PROJECT)
    return None if got == status and says in output else f"exit status {got}:\n{output}"


def check_offline():
    """What is here is not fetched again: with a client that fails, setup and get-models succeed."""
    with tempfile.TemporaryDirectory() as folder:
        return run_offline(folder)


def run_offline(folder):
    for tool in ("python3", "npm"):
        write(folder, tool, "#!/bin/sh\nexit 1\n")
        os.chmod(os.path.join(folder, tool), 0o755)
    environment = dict(os.environ, PATH=folder + ":" + os.environ["PATH"])
    for command, part in (("tools/setup", "onnxruntime"), ("tools/get-models", "ppocr4_det")):
        status, output = run([command, part], PROJECT, env=environment)
        if status:
            return output
    return None


def with_tools(scripts, command, status, says, leaves=()):
    """Runs a tool of a project copy with stand-ins for programs first in PATH; then exactly `leaves` is in .deps."""
    with tempfile.TemporaryDirectory() as folder:
        make_project(folder)
        for name, script in scripts.items():
            write(folder, "bin/" + name, "#!/bin/sh\n" + script)
            os.chmod(os.path.join(folder, "bin", name), 0o755)
        environment = dict(os.environ, PATH=os.path.join(folder, "bin") + ":" + os.environ["PATH"])
        got, output = run(command, folder, env=environment)
        left = sorted(os.path.relpath(os.path.join(path, name), os.path.join(folder, ".deps"))
                      for path, _, names in os.walk(os.path.join(folder, ".deps")) for name in names)
        left = [name for name in left if not name.startswith(".lock")]
        if got != status or says not in output or left != sorted(leaves):
            return f"exit status {got}, files {left}:\n{output}"
    return None


NO_PACKAGE = {"dpkg-query": "exit 1\n", "id": "echo 1000\n", "sudo": "exit 1\n"}
OTHER_MACHINE = {"uname": 'case $1 in -s) echo Plan9;; *) echo mips;; esac\n'}
BAD_CLIENT = {"python3": 'while [ $# -gt 1 ]; do [ "$1" = -d ] && echo bad >"$2/bad.whl"; shift; done; exit 0\n',
              "uname": 'case $1 in -s) echo Linux;; *) echo x86_64;; esac\n'}


def main():
    tests = load_run_tests()
    cases = [(f"{check} finds '{says}'", check_planted, (check, path, text, says))
             for check, path, text, says in PLANTED]
    cases += [(f"{check} on a clean project", check_clean, (check,)) for check in sorted({row[0] for row in PLANTED})]
    cases += [(f"summary {output!r}", check_summary, (tests, output, counts)) for output, counts in SUMMARIES]
    cases += [(f"test case {row}", check_case, (tests, *row)) for row in CASES]
    cases += [
        ("setup --list", check_usage, (["tools/setup", "--list"], 0, "onnxruntime==")),
        ("setup refuses an unknown part", check_usage, (["tools/setup", "cuda"], 2, "usage:")),
        ("setup without root names the packages", with_tools,
         (NO_PACKAGE, ["tools/setup", "packages"], 1, "apt-get install -y --no-install-recommends make git")),
        ("setup where there is no engine", with_tools,
         (OTHER_MACHINE, ["tools/setup", "onnxruntime", "litert"], 0, "litert: left out, there is no package for Plan9")),
        ("setup refuses a wrong engine", with_tools,
         (BAD_CLIENT, ["tools/setup", "onnxruntime"], 1, "SHA-256 differs from the pinned one")),
        ("get-models refuses a wrong package", with_tools,
         (BAD_CLIENT, ["tools/get-models", "magika"], 1, "SHA-256 differs from the pinned one")),
        ("get-models --list", check_usage, (["tools/get-models", "--list"], 0, "ppocr4_det")),
        ("get-models refuses an unknown model", check_usage, (["tools/get-models", "nope"], 1, "no model 'nope'")),
    ]
    skipped = 0
    here = [os.path.join(PROJECT, ".deps", path) for path in ("stamps/onnxruntime", "models/ppocr4_det.onnx")]
    if all(map(os.path.exists, here)):
        cases.append(("what is here is not fetched again", check_offline, ()))
    else:
        print("SKIPPED: what is here is not fetched again: nothing was fetched")
        skipped = 1
    failed = 0
    for name, check, arguments in cases:
        problem = check(*arguments)
        if problem:
            failed += 1
            print(f"FAILED: {name}: {problem}")
    print(f"{len(cases) - failed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
