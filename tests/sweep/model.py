"""Small ONNX models, written byte by byte: what the tests of sweeps need and no more."""
import struct

FLOAT, INT64 = 1, 7


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, data):
    if isinstance(data, str):
        data = data.encode()
    return varint(field << 3 | 2) + varint(len(data)) + data


def tensor(name, dtype, dims, raw=None, external=None):
    """external: (location, offset, length)"""
    out = b"".join(number(1, d) for d in dims) + number(2, dtype) + chunk(8, name)
    if external is None:
        return out + chunk(9, raw)
    entries = zip(("location", "offset", "length"), map(str, external))
    return out + b"".join(chunk(13, chunk(1, k) + chunk(2, v)) for k, v in entries) + number(14, 1)


def floats(name, values, dims=None):
    return tensor(name, FLOAT, dims or [len(values)], struct.pack(f"<{len(values)}f", *values))


def int64s(name, values, dims=None):
    return tensor(name, INT64, [len(values)] if dims is None else dims, struct.pack(f"<{len(values)}q", *values))


def value(name, dtype, dims):
    shape = b"".join(chunk(1, number(1, d) if isinstance(d, int) else chunk(2, d)) for d in dims)
    return chunk(1, name) + chunk(2, chunk(1, number(1, dtype) + chunk(2, shape)))


def node(op, inputs, outputs, attributes=b"", domain=""):
    out = b"".join(chunk(1, i) for i in inputs) + b"".join(chunk(2, o) for o in outputs) + chunk(4, op)
    return out + attributes + (chunk(7, domain) if domain else b"")


def graph_attribute(name, graph):
    return chunk(5, chunk(1, name) + chunk(6, graph) + number(20, 5))


def tensor_attribute(name, data):
    return chunk(5, chunk(1, name) + chunk(5, data) + number(20, 4))


def graph(nodes, inputs, outputs, initializers=(), name="g"):
    return (b"".join(chunk(1, n) for n in nodes) + chunk(2, name) + b"".join(chunk(5, t) for t in initializers) +
            b"".join(chunk(11, v) for v in inputs) + b"".join(chunk(12, v) for v in outputs))


def model(main, functions=(), opsets=(("", 17),)):
    imports = b"".join(chunk(8, (chunk(1, d) if d else b"") + number(2, v)) for d, v in opsets)
    return number(1, 8) + chunk(7, main) + imports + b"".join(chunk(25, f) for f in functions)


def scaled(factor=2.0, count=4, dims=("batch_size", 4)):
    """y = x * factor"""
    return model(graph([node("Mul", ["x", "w"], ["y"])], [value("x", FLOAT, dims)], [value("y", FLOAT, dims)],
                       [floats("w", [factor] * count)]))


def product(size, external=None, seed=1):
    """y = x · W with W of size × size; external: the file that W lies in, from its beginning."""
    if external:
        weight = tensor("w", FLOAT, [size, size], external=(external, 0, size * size * 4))
    else:
        weight = tensor("w", FLOAT, [size, size], weights(size, seed))
    return model(graph([node("MatMul", ["x", "w"], ["y"])], [value("x", FLOAT, ["batch_size", size])],
                       [value("y", FLOAT, ["batch_size", size])], [weight]))


def weights(size, seed=1):
    """size × size floats in -0.5 … 0.5, the same for the same seed."""
    row = [((i * 7919 + seed * 104729) % 2003 - 1001) / 2048 for i in range(size)]
    return b"".join(struct.pack(f"<{size}f", *(row[k:] + row[:k])) for k in (j % size for j in range(size)))


def crashing():
    """y = (x * 0 + least int64) / -1, which ends native runtimes by SIGFPE."""
    return model(graph([node("Mul", ["x", "zero"], ["a"]), node("Add", ["a", "least"], ["b"]),
                        node("Div", ["b", "minus"], ["y"])],
                       [value("x", INT64, [2])], [value("y", INT64, [2])],
                       [int64s("zero", [0, 0]), int64s("least", [-(1 << 63)] * 2), int64s("minus", [-1, -1])]))


def huge(size):
    """(head, zeros, tail) of y = x · W with W of size × size zeros."""
    count = size * size * 4
    tensor_head = number(1, size) * 2 + number(2, FLOAT) + chunk(8, "w") + varint(9 << 3 | 2) + varint(count)
    before = chunk(1, node("MatMul", ["x", "w"], ["y"])) + chunk(2, "g")
    before += varint(5 << 3 | 2) + varint(len(tensor_head) + count) + tensor_head
    after = chunk(11, value("x", FLOAT, ["batch_size", size])) + chunk(12, value("y", FLOAT, ["batch_size", size]))
    head = number(1, 8) + varint(7 << 3 | 2) + varint(len(before) + count + len(after)) + before
    return head, count, after + chunk(8, number(2, 17))


def unsupported():
    """An operator that nothing lowers."""
    return model(graph([node("NoSuchOperator", ["x"], ["y"])], [value("x", FLOAT, [2])], [value("y", FLOAT, [2])]))


def branching():
    """Weights in both branches of an If, each in a file of its own."""
    def body(name, location):
        weight = tensor(name, FLOAT, [4], external=(location, 0, 16))
        return graph([node("Mul", ["x", name], [name + "_y"])], [], [value(name + "_y", FLOAT, [4])], [weight])
    branches = graph_attribute("then_branch", body("a", "then.bin")) + graph_attribute("else_branch", body("b", "sub/else.bin"))
    return model(graph([node("If", ["use_cache_branch"], ["y"], branches)],
                       [value("use_cache_branch", 9, []), value("x", FLOAT, [4])], [value("y", FLOAT, [4])]))
