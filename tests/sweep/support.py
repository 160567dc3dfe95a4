"""What the tests of sweeps share: a cache and a hub of their own, the command, counting."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

import hub as hubs

TOOL = os.path.join(os.environ["O2W_BIN"], "onnx2webnn")
REPO = "tests/models"  # org/repo of most cases


class Skip(Exception):
    pass


class Place:
    """A folder of one test with its caches; the hub that the command asks."""

    def __init__(self, hub=None, folder=None):
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="o2w-sweep-"))
        self.hub = hub or hubs.Hub()
        self.environment = {"HF_ENDPOINT": self.hub.url, "HF_HOME": str(self.folder / "hf"),
                            "O2W_WEBNN_CACHE": str(self.folder / "webnn"), "HOME": str(self.folder)}

    @property
    def root(self):
        return self.folder / "hf" / "hub"

    @property
    def repo(self):
        return self.root / "models--tests--models"

    def environ(self, extra=None):
        keep = ("PATH", "ORT_DYLIB_PATH", "O2W_ENGINE_DIR", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TMPDIR")
        env = {k: os.environ[k] for k in keep if k in os.environ}
        # A sanitizer leaves the signal of a division to the program, whose report is tested.
        env["ASAN_OPTIONS"] = ":".join(filter(None, (env.get("ASAN_OPTIONS"), "handle_sigfpe=0")))
        env.update(self.environment)
        env.update(extra or {})
        return {k: v for k, v in env.items() if v is not None}

    def manifest(self, entries, name="manifest.json"):
        path = self.folder / name
        path.write_text(json.dumps(entries, indent=1))
        return path

    def arguments(self, manifest, *more, backend="cpu"):
        line = [TOOL, "validate-manifest", "--manifest", str(manifest)]
        if not {"--merge", "--selection"} & set(more):
            line += ["--selection", "all"]
        if backend and "--backend" not in more:
            line += ["--backend", backend]
        return line + [str(m) for m in more]

    def run(self, manifest, *more, backend="cpu", env=None, timeout=300):
        done = subprocess.run(self.arguments(manifest, *more, backend=backend), cwd=self.folder, text=True,
                              capture_output=True, env=self.environ(env), timeout=timeout)
        return Done(done)

    def blob(self, file):
        return self.repo / "blobs" / file.etag

    def check_cache(self):
        """Only whole files under final names; links lead to blobs; nothing half-written."""
        import hashlib
        for path in self.root.glob("models--*/blobs/*"):
            name = path.name
            if name.endswith((".incomplete", ".o2w-part", ".o2w-part.map")):
                continue
            data = path.read_bytes()
            if re.fullmatch("[0-9a-f]{64}", name):
                expect(hashlib.sha256(data).hexdigest() == name, f"blob {name} is not what its name says")
            elif re.fullmatch("[0-9a-f]{40}", name):
                git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
                expect(git == name, f"blob {name} is not what its name says")
        for path in self.root.glob("models--*/snapshots/**/*"):
            if path.is_symlink():
                expect(path.exists() and path.resolve().parent.name == "blobs", f"{path} leads nowhere")
        left = [p for p in self.folder.rglob(".o2w-*.tmp")]
        expect(not left, f"temporary files stayed: {left}")

    def close(self):
        self.hub.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Done:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"status {self.status}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def expect(condition, message):
    if not condition:
        raise AssertionError(str(message)[:3000])


def equal(got, want, what=""):
    expect(got == want, f"{what}: got {got!r}, must be {want!r}")


def failed_with(done, code, *words):
    expect(done.status == 1, f"must fail\n{done}")
    text = done.out + done.err
    expect(code in text or f'"code":"{code}"' in text, f"must say {code}\n{done}")
    for word in words:
        expect(word in text, f"must say {word!r}\n{done}")


def entry(path, **more):
    return {"file": f"{REPO.replace('/', '--')}/{path}", **more}


def main(tests):
    """Runs functions whose names begin with test_; an argument is a part of a name."""
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    passed = failed = skipped = 0
    for name, test in list(tests.items()):
        if not name.startswith("test_") or only not in name:
            continue
        title = (test.__doc__ or name).strip().splitlines()[0]
        place = Place()
        try:
            test(place)
            passed += 1
        except Skip as reason:
            print(f"skip {title}: {reason}")
            skipped += 1
        except Exception:  # noqa: a test that fails in any way is a failed test
            failed += 1
            print(f"FAILED: {title}")
            traceback.print_exc(file=sys.stdout)
        finally:
            place.close()
        sys.stdout.flush()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed or not passed + skipped else 0)
