/* A host for WebAssembly guests in a program: two guests one after the other, which share the graph that they load by
 * name. The guests are run by Wasmtime 50, which must be here (O2W_WASMTIME or tools/setup).
 *
 *   cc wasi_host.c $(pkg-config --cflags --libs onnx2webnn) -lonnx2webnn-wasmtime -o wasi_host
 *   ./wasi_host add model.onnx guest.wasm
 */
#include <onnx2webnn/wasi_nn_wasmtime.h>

#include <onnx2webnn/webnn.h>

#include <stdio.h>

static int failed(o2w_error *error)
{
    fputs(o2w_error_text(error), stderr);
    o2w_error_free(error);
    return 1;
}

/* What a guest does wrong comes here, with words. */
static void log_line(void *user, o2w_log_level level, const char *text)
{
    (void)user;
    if (level <= O2W_LOG_WARN)
        fprintf(stderr, "guest: %s\n", text);
}

static int run(const wasinn_wasmtime *engine, wasinn_host *host, const char *guest)
{
    const wasinn_run_options options = { .size = sizeof options,
                                         .max_memory = 64 << 20,
                                         .timeout_ms = 10000 };
    wasinn_run_result result;
    o2w_error *error = NULL;
    if (wasinn_wasmtime_run(engine, host, guest, &options, &result, &error) != O2W_OK)
        return failed(error);
    if (result.end == WASINN_END_EXIT)
        printf("status %d after %llu calls\n", result.status,
               (unsigned long long)result.stats.calls);
    else
        fprintf(stderr, "guest: %s\n", result.message);
    fflush(stdout); /* the next guest writes to the same descriptor */
    webnn_text_free(result.message);
    return result.end == WASINN_END_EXIT ? result.status : 1;
}

int main(int argc, char **argv)
{
    /* Guests load by name only; a compute may take a second. */
    const wasinn_host_options options = { .size = sizeof options,
                                          .backends = "webnn:cpu",
                                          .policy = WASINN_NO_LOAD_BYTES,
                                          .limits = { .compute_ms = 1000 },
                                          .log = log_line };
    const wasinn_wasmtime *engine;
    wasinn_host *host;
    o2w_error *error = NULL;
    if (argc != 4) {
        fprintf(stderr, "usage: wasi_host NAME MODEL.onnx GUEST.wasm\n");
        return 2;
    }
    const wasinn_graph_source graph = { .size = sizeof graph, .name = argv[1], .path = argv[2] };
    if (wasinn_wasmtime_open(NULL, &engine, &error) != O2W_OK ||
        wasinn_host_new(&options, &host, &error) != O2W_OK)
        return failed(error);
    int status = 0;
    if (wasinn_host_add_graph(host, &graph, &error) != O2W_OK ||
        wasinn_host_seal(host, &error) != O2W_OK)
        status = failed(error);
    for (int i = 0; i < 2 && status == 0; i++)
        status = run(engine, host, argv[3]);
    wasinn_host_free(host);
    return status;
}
