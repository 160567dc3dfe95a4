"""The table of WASI-NN: what the host costs beside ONNX Runtime called directly, and how the command starts."""
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build/release/bin"
GUESTS = ROOT / "build/release/tests/wasi/guests"
TOOL = BIN / "onnx2webnn"


def part(*arguments):
    out = subprocess.run([BIN / "bench_wasi", *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split() for line in out.splitlines())}


def command(*arguments):
    """The least of some wall times of the command over a guest, in ms."""
    best = float("inf")
    for _ in range(11):
        begun = time.perf_counter()
        done = subprocess.run([TOOL, "wasi", "-q", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took = time.perf_counter() - begun
        if done.returncode != 0:
            return None
        best = min(best, took)
    return best * 1e3


def threads(row, backend):
    t = part("threads", backend)
    ratio = t["all"] / t["single"]
    idle = t["threads"] * t["single_us"] / t["all_us"]
    row("T105", f"`{backend}`: {t['threads']:.0f} threads on one graph, computes per second; by processor time",
        f"≥ {0.9 * t['threads']:.1f} × one", f"{t['single']:.0f}, {t['all']:.0f}: {ratio:.2f} ×; {idle:.2f} ×")


def loop(row):
    l = part("loop")
    row("T106", "set_input, compute, get_output against native, 3 products of 8 × 1024 × 1024", "≤ 1.05 ×",
        f"{l['large_guest'] / 1e3:.2f} ms: {l['large_guest'] / l['large_native']:.3f} ×")
    row("T106", "the same for one addition of four numbers", "≤ 3 µs more", f"{l['small_guest'] - l['small_native']:.2f} µs more")


def calls(row):
    c = part("copies")
    row("T108", "set_input · get_output of 16 MiB against memcpy", "≥ 0.80 ×", f"{c['set_input']:.2f} × · {c['get_output']:.2f} ×")
    row("T108", "set_input · get_output of 16 bytes", "≤ 200 ns", f"{c['set_ns']:.0f} · {c['get_ns']:.0f} ns")
    h = part("handles")
    row("T109", "load_by_name · init_execution_context", "≤ 5 · 20 µs", f"{h['load_by_name']:.2f} · {h['init']:.2f} µs")
    row("T109", "allocations of a repeated compute, `onnx` · `webnn:cpu`", "0",
        f"{h['allocations']:.0f} · {h['allocations_cpu']:.0f}")
    i = part("instances")
    row("T110", "an instance beside its memory and buffers; sessions of 100 instances", "≤ 1 MiB; 1",
        f"{max(i['instance'], 0) / 1024:.0f} KiB; {i['sessions']:.0f}")


def loads(row, model):
    native, guest, cpu = (part("load", how, model) for how in ("native", "onnx", "webnn:cpu"))
    size = native["model"]
    row("T111", f"peak memory of a load of {size / 1e6:.0f} MB on `onnx` against native", "≤ 1.05 ×", f"{guest['peak'] / native['peak']:.3f} ×")
    row("T111", "the same on `webnn:cpu`: copies of the model beside the guest's", "1, and what the engine packs",
        f"{(cpu['peak'] - size) / size:.2f}")


def commands(row):
    if not (GUESTS / "exit.wasm").exists() or command(GUESTS / "exit.wasm") is None:
        row("T112", "the command", "", "skipped: no Wasmtime, or no compiler for guests, here")
        return
    size = (GUESTS / "exit.wasm").stat().st_size
    isolated, plain = command("--isolate", "on", GUESTS / "exit.wasm"), command("--isolate", "off", GUESTS / "exit.wasm")
    row("T112", f"command to the end of a guest of {size / 1024:.0f} KiB that does nothing", "≤ 120 ms", f"{plain:.0f} ms")
    row("T112", "isolation", "≤ 5 ms more", f"{isolated - plain:.1f} ms more")
    small, large = command(GUESTS / "lowered_bad_pointer.wat"), command(GUESTS / "component_large.wat")
    if large is not None:
        base = small if small is not None else command("--graph", f"add={GUESTS / 'add.onnx'}", GUESTS / "component_add.wat")
        row("T114", "a component's tensor, per MiB", "published", f"{(large - base) / (2796000 / 2**20):.0f} ms")


def shapes(row):
    for backend in ("webnn:cpu", "webnn:onnx"):
        s = part("shapes", backend)
        row("T113", f"`{backend}`: first · second compute of new sizes", "no compile in the second",
            f"{s['rows4_0']:.3f} · {s['rows4_1']:.3f} ms")


def bench_wasi(table, row, model):
    table("", "what", "goal", "measured")
    for backend in ("onnx", "webnn:cpu"):
        threads(row, backend)
    loop(row)
    calls(row)
    loads(row, model)
    commands(row)
    shapes(row)
    print()
