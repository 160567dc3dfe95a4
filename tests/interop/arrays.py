"""Feeds, archives and comparison."""
import json
import re
import zlib

import numpy
import safetensors
from safetensors.numpy import load_file, save_file

TYPES = {"float32": numpy.float32, "float16": numpy.float16, "int32": numpy.int32, "uint32": numpy.uint32,
         "int64": numpy.int64, "uint64": numpy.uint64, "int8": numpy.int8, "uint8": numpy.uint8}
DIRECTIVE = re.compile(r'^  # o2w name (\w+) (".*")$', re.M)

# docs/validation.md: absolute and relative tolerance of floating-point results.
PLAIN = {numpy.dtype(numpy.float32): (1e-5, 1e-4), numpy.dtype(numpy.float16): (1e-3, 1e-2)}
FOUR_BIT = {**PLAIN, numpy.dtype(numpy.float32): (1e-3, 1e-3)}
EXACT = {}


def original_names(text, parsed):
    """{identifier: name in the source model} of inputs and outputs, as the directives of a text say."""
    interface = {*parsed["inputs"], *parsed["outputs"]}
    return {identifier: json.loads(name) for identifier, name in DIRECTIVE.findall(text) if identifier in interface}


def make_feeds(inputs, sizes=None):
    """{name: array} for the inputs of a parsed graph: floats in [-1, 1), integers 0 to 6. An open dimension has
    the size that `sizes` gives its name, else its maximum. 4-bit elements are packed, to be saved as such."""
    feeds = {}
    for name, descriptor in inputs.items():
        shape = [dim if isinstance(dim, int) else (sizes or {}).get(dim["name"], dim["maxSize"])
                 for dim in descriptor["shape"]]
        random = numpy.random.default_rng(zlib.crc32(name.encode()))
        if descriptor["dataType"].endswith("int4"):
            feeds[name] = random.integers(0, 256, -(-int(numpy.prod(shape)) // 2), numpy.uint8)
            continue
        dtype = TYPES[descriptor["dataType"]]
        values = random.integers(0, 7, shape) if numpy.issubdtype(dtype, numpy.integer) else random.uniform(-1, 1, shape)
        feeds[name] = numpy.asarray(values, dtype)
    return feeds


def save(arrays, path, packed=False):
    """`packed`: uint8 arrays of rank 1 may stand for 4-bit ones."""
    metadata = {"rustnn.webnn.packed4": "1"} if packed else None
    save_file({name: numpy.array(array, order="C") for name, array in arrays.items()}, path, metadata)


def load(path):
    return load_file(path)


def rename(arrays, names):
    return {names.get(name, name): array for name, array in arrays.items()}


def error(reference, result, tolerance):
    """None, or how far the arrays are apart where they differ by more than allowed."""
    if reference.shape != result.shape or reference.dtype != result.dtype:
        return f"{reference.dtype}{list(reference.shape)} and {result.dtype}{list(result.shape)}"
    if reference.dtype not in tolerance:
        differ = ~((reference == result) | ((reference != reference) & (result != result)))
    else:
        absolute, relative = tolerance[reference.dtype]
        r, g = reference.astype(numpy.float64), result.astype(numpy.float64)
        with numpy.errstate(invalid="ignore"):
            near = numpy.abs(g - r) <= absolute + relative * numpy.abs(r)
        differ = ~((r == g) | (near & numpy.isfinite(r) & numpy.isfinite(g)) | (numpy.isnan(r) & numpy.isnan(g)))
    if not differ.any():
        return None
    at = tuple(int(i[0]) for i in numpy.nonzero(differ))
    return f"{int(differ.sum())} of {differ.size} elements, first {list(at)}: {reference[at]} and {result[at]}"


def must_equal(reference, result, tolerance):
    """Two sets of named arrays; returns the largest difference of floating-point elements as a note."""
    assert sorted(reference) == sorted(result), f"results {sorted(reference)} and {sorted(result)}"
    largest = 0.0
    for name, array in reference.items():
        problem = error(array, result[name], tolerance)
        assert problem is None, f"'{name}': {problem}"
        if array.dtype.kind == "f" and array.size:
            with numpy.errstate(invalid="ignore"):
                gap = numpy.abs(array.astype(numpy.float64) - result[name].astype(numpy.float64))
            largest = max(largest, float(numpy.nanmax(numpy.where(numpy.isfinite(gap), gap, 0))))
    return f"largest difference {largest:.1e}"


def reference_bytes(path):
    """(bytes of an archive, bytes that the safetensors library writes for the same tensors and metadata)"""
    with open(path, "rb") as file:
        data = file.read()
    header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
    tensors = {name: {"dtype": NAMES[tensor["dtype"]], "shape": tensor["shape"], "data": bytes(tensor["data"])}
               for name, tensor in safetensors.deserialize(data)}
    return data, safetensors.serialize(tensors, metadata=header.get("__metadata__"))


# The library's own names of the types when it writes.
NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32": "int32",
         "I16": "int16", "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool"}
