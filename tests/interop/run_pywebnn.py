"""run_pywebnn.py GRAPH FEEDS RESULTS [SAVED]: a graph file in pywebnn, which runs it on ONNX Runtime; SAVED is where
pywebnn writes the graph again, as JSON with the weights inside. It leaves files in the working folder."""
import sys

import numpy
import webnn
from safetensors.numpy import load_file, save_file

graph_path, feeds, results = sys.argv[1:4]
graph = webnn.MLGraph.load(graph_path)
if len(sys.argv) > 4:
    graph.save(sys.argv[4])
context = webnn.ML().create_context(accelerated=False)
computed = context.compute(graph, load_file(feeds))
# It returns all floating-point results as float64.
exact = {name: array.astype(numpy.float32) if array.dtype == numpy.float64 else array for name, array in computed.items()}
save_file({name: numpy.array(array, order="C") for name, array in exact.items()}, results)
