// Loads a graph, or converts a model in memory, and runs it on zeros: C++ over the same calls.
//
//   c++ -std=c++17 run.cpp $(pkg-config --cflags --libs onnx2webnn) -o run && ./run model.webnn
#include <onnx2webnn/convert.h>
#include <onnx2webnn/webnn.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <typename T, void (*Free)(T *)>
struct deleter {
    void operator()(T *object) const { Free(object); }
};

using context = std::unique_ptr<webnn_context, deleter<webnn_context, webnn_context_free>>;
using graph = std::unique_ptr<webnn_graph, deleter<webnn_graph, webnn_graph_free>>;
using tensor = std::unique_ptr<webnn_tensor, deleter<webnn_tensor, webnn_tensor_free>>;
using conversion = std::unique_ptr<o2w_conversion, deleter<o2w_conversion, o2w_conversion_free>>;

// Turns an error into an exception with its text.
class check {
public:
    operator o2w_error **() { return &error_; }
    void operator()(o2w_status status) const
    {
        if (status == O2W_OK)
            return;
        std::string text = o2w_error_text(error_);
        o2w_error_free(error_);
        throw std::runtime_error(text);
    }

private:
    o2w_error *error_ = nullptr;
};

context make_context()
{
    webnn_context *made = nullptr;
    check error;
    error(webnn_context_create(nullptr, &made, error));
    return context(made);
}

graph load(const std::string &path)
{
    check error;
    if (path.size() > 5 && path.compare(path.size() - 5, 5, ".onnx") == 0) {
        o2w_conversion *made = nullptr;
        error(o2w_convert_file(path.c_str(), nullptr, &made, error));
        conversion owner(made);
        return graph(o2w_conversion_take_graph(made));
    }
    webnn_graph *made = nullptr;
    error(webnn_graph_load(path.c_str(), nullptr, &made, error));
    return graph(made);
}

tensor make_tensor(const context &c, const webnn_descriptor &d)
{
    webnn_tensor *made = nullptr;
    webnn_tensor_options options{};
    check error;
    options.size = sizeof options;
    options.readable = options.writable = true;
    error(webnn_tensor_create(c.get(), &d, &options, &made, error));
    return tensor(made);
}

std::string shape_of(const webnn_descriptor &d)
{
    std::string text = "[";
    for (uint32_t i = 0; i < d.rank; i++)
        text += (i ? ", " : "") + std::to_string(d.dims[i]);
    return text + "]";
}

void run(const std::string &path)
{
    context c = make_context();
    graph g = load(path);
    check error;
    std::vector<tensor> owners;
    std::vector<webnn_named_tensor> inputs, outputs;
    std::vector<webnn_descriptor> shapes;
    webnn_port port;
    error(webnn_graph_compile(c.get(), g.get(), error));
    for (size_t i = 0; webnn_graph_input(g.get(), i, &port); i++) {
        owners.push_back(make_tensor(c, port.descriptor));
        inputs.push_back({port.name, owners.back().get()});
        shapes.push_back(port.descriptor);
    }
    for (size_t i = 0; webnn_graph_output(g.get(), i, &port); i++) {
        webnn_descriptor d;
        error(webnn_output_shape(g.get(), shapes.data(), shapes.size(), i, &d, error));
        owners.push_back(make_tensor(c, d));
        outputs.push_back({port.name, owners.back().get()});
        std::printf("%s: %s\n", port.name, shape_of(d).c_str());
    }
    error(webnn_dispatch(c.get(), g.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                         error));
    std::printf("ran on %s\n", webnn_context_backend(c.get())->name);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: run GRAPH.webnn|MODEL.onnx\n");
        return 2;
    }
    try {
        run(argv[1]);
        return 0;
    } catch (const std::exception &e) {
        std::fputs(e.what(), stderr);
        return 1;
    }
}
