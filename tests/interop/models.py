"""Small ONNX models, made here so that every value is known."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

RANDOM_SEED = 7


class Builder:
    """Nodes and weights of one graph; the last result is the output unless outputs are named."""

    def __init__(self, opset):
        self.opset, self.nodes, self.weights, self.inputs = opset, [], [], []
        self.random = numpy.random.default_rng(RANDOM_SEED)

    def input(self, name, dtype, shape):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def weight(self, name, *shape):
        return self.constant(name, (self.random.integers(-64, 64, shape) / 128).astype(numpy.float32))

    def constant(self, name, array):
        self.weights.append(numpy_helper.from_array(numpy.asarray(array), name))
        return name

    def node(self, kind, inputs, results=1, **attributes):
        name = f"{kind.lower()}.{len(self.nodes)}"
        names = [name] if results == 1 else [f"{name}:{i}" for i in range(results)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=name, **attributes))
        return names[0] if results == 1 else names

    def save(self, path, *outputs):
        results = [helper.make_tensor_value_info(name, dtype, shape) for name, dtype, shape in outputs]
        graph = helper.make_graph(self.nodes, "small", self.inputs, results, self.weights)
        imports = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=10)
        onnx.checker.check_model(model)
        onnx.save(model, path)


def four_bit(path):
    """Two MatMulNBits of 4 bits, with zero points and without, around an activation; the second does not fill
    its last block."""
    b = Builder(21)
    x = b.input("x", TensorProto.FLOAT, [3, 96])

    def product(name, x, k, n, with_zero_points):
        blocks = -(-k // 32)
        packed = b.random.integers(0, 256, (n, blocks, 16), numpy.uint8)
        scales = (b.random.integers(1, 64, n * blocks) / 1024).astype(numpy.float32)
        operands = [x, b.constant(name + ".quant", packed), b.constant(name + ".scales", scales)]
        if with_zero_points:
            zero_points = b.random.integers(0, 256, n * ((blocks + 1) // 2), numpy.uint8)
            operands.append(b.constant(name + ".zero_points", zero_points))
        return b.node("MatMulNBits", operands, domain="com.microsoft", K=k, N=n, bits=4, block_size=32)

    hidden = b.node("Tanh", [product("layers.0.up", x, 96, 40, True)])
    b.save(path, (product("layers.0.down", hidden, 40, 56, False), TensorProto.FLOAT, [3, 56]))


def convolutions(path):
    b = Builder(17)
    x = b.input("image", TensorProto.FLOAT, [1, 3, 16, 16])
    y = b.node("Conv", [x, b.weight("w.0", 8, 3, 3, 3), b.weight("b.0", 8)], kernel_shape=[3, 3], strides=[2, 2],
               pads=[1, 1, 1, 1])
    y = b.node("Relu", [y])
    y = b.node("MaxPool", [y], kernel_shape=[2, 2], strides=[2, 2])
    y = b.node("Conv", [y, b.weight("w.1", 8, 1, 3, 3)], kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=8)
    y = b.node("AveragePool", [b.node("Sigmoid", [y])], kernel_shape=[2, 2], strides=[2, 2])
    y = b.node("GlobalAveragePool", [y])
    y = b.node("Flatten", [y], axis=1)
    y = b.node("Gemm", [y, b.weight("w.2", 5, 8), b.weight("b.2", 5)], transB=1)
    y = b.node("Softmax", [y], axis=1)
    b.save(path, (y, TensorProto.FLOAT, [1, 5]))


def attention(path):
    """Without Split and Reshape, which webnn-graph 0.4.0 converts wrongly: it loses the sizes of the one and takes
    other dimensions for the other."""
    b = Builder(17)
    ids = b.input("ids", TensorProto.INT64, [1, 6])
    x = b.node("Gather", [b.weight("embedding", 7, 16), ids], axis=0)
    scale, bias = b.weight("norm.weight", 16), b.weight("norm.bias", 16)
    x = b.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=1e-6)
    q, k, v = (b.node("MatMul", [x, b.weight(f"{name}.weight", 16, 16)]) for name in "qkv")
    scores = b.node("MatMul", [q, b.node("Transpose", [k], perm=[0, 2, 1])])
    scores = b.node("Mul", [scores, b.constant("factor", numpy.float32(0.25))])
    mask = b.node("Trilu", [b.constant("far", numpy.full((6, 6), -100, numpy.float32)), b.constant("k", numpy.int64(1))],
                  upper=1)
    attended = b.node("MatMul", [b.node("Softmax", [b.node("Add", [scores, mask])], axis=-1), v])
    x = b.node("Concat", [b.node("Tanh", [attended]), b.node("Erf", [attended])], axis=2)
    x = b.node("Slice", [x, b.constant("from", numpy.array([1])), b.constant("to", numpy.array([5])),
                         b.constant("axes", numpy.array([1]))])
    x = b.node("Pow", [b.node("Sigmoid", [x]), b.constant("two", numpy.float32(2))])
    b.save(path, (b.node("ReduceMean", [x], axes=[1], keepdims=0), TensorProto.FLOAT, [1, 32]))


def open_batch(path):
    b = Builder(17)
    x = b.input("x", TensorProto.FLOAT, ["batch", 8])
    y = b.node("Relu", [b.node("Add", [b.node("MatMul", [x, b.weight("w.0", 8, 12)]), b.weight("b.0", 12)])])
    b.save(path, (b.node("MatMul", [y, b.weight("w.1", 12, 4)]), TensorProto.FLOAT, ["batch", 4]))


def input_names(path):
    """Names of the inputs that have no initializer."""
    graph = onnx.load(path, load_external_data=False).graph
    return [value.name for value in graph.input if value.name not in {weight.name for weight in graph.initializer}]
