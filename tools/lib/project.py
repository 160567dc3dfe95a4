"""What the checks share: the project's files, and one way to report findings."""
import os
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def files(*suffixes, under=()):
    """Paths, relative to the project, of its files (tracked or new, not ignored) with one of the suffixes."""
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z", "--", *under], cwd=ROOT,
                             check=True, stdout=subprocess.PIPE).stdout.decode()
    return sorted(path for path in set(listing.split("\0"))
                  if path and (not suffixes or path.endswith(suffixes))
                  and os.path.isfile(os.path.join(ROOT, path)))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def is_generated(text):
    """Generated files say so in their first lines."""
    return "do not edit" in "\n".join(text.split("\n", 3)[:3]).lower()


def rows(path):
    """The rows of a table with `#` comments, split at tabs."""
    return [line.split("\t") for line in read(path).splitlines() if line and not line.startswith("#")]


def finish(findings, summary):
    """Prints findings and ends the program: 1 when there are any."""
    for finding in findings:
        print(finding)
    name = os.path.basename(sys.argv[0])
    print(f"{name}: {len(findings)} findings" if findings else f"{name}: {summary}")
    sys.exit(1 if findings else 0)
