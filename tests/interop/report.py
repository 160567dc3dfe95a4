"""Checks are counted one by one; a check that raises has failed."""
import subprocess
import sys
import time


class Skip(Exception):
    """Raised with the reason by a check that cannot run."""


class Report:
    def __init__(self, wanted):
        self.wanted = wanted
        self.passed = self.failed = self.skipped = 0

    def check(self, name, function, *arguments):
        """Runs one check. What it returns, if anything, is printed behind its name."""
        if self.wanted and not any(text in name for text in self.wanted):
            return
        begin = time.monotonic()
        try:
            note = function(*arguments)
        except Skip as reason:
            self.skipped += 1
            line = f"skipped  {name}: {reason}"
        except (AssertionError, subprocess.SubprocessError, OSError, ValueError, KeyError, RuntimeError) as error:
            self.failed += 1
            line = f"FAILED   {name}: {type(error).__name__}: {error}"
        else:
            self.passed += 1
            line = f"ok       {name}" + (f": {note}" if note else "")
        print(f"{line} ({time.monotonic() - begin:.1f} s)", flush=True)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.exit(1 if self.failed else 0)
