"""What every generator ends with: its files are written, or compared with what is committed."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def keep(name, usage, outputs):
    """outputs: {path below ROOT: function of no argument that gives the text}"""
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(usage)
    stale = []
    for path, make in outputs.items():
        full, text = os.path.join(ROOT, path), make()
        old = open(full, encoding="utf-8").read() if os.path.exists(full) else None
        if old == text:
            continue
        stale.append(path)
        if not check:
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
    if check and stale:
        raise SystemExit(f"not what {name} writes: {', '.join(stale)}")
