/* A guest without an engine: a plain buffer as its memory, and models made here. */
#ifndef WASI_GUEST_H
#define WASI_GUEST_H

#include <onnx2webnn/wasi_nn.h>

#include "support/model_builder.h"
#include "support/test.h"

#include <string.h>

enum { GUEST_MEMORY = 1 << 20, LOG_SIZE = 1 << 16 };

struct guest {
    wasinn_host *host;
    wasinn_instance *instance;
    uint8_t *memory; /* GUEST_MEMORY bytes, ending exactly at the end of its allocation */
    uint32_t top;    /* what guest_put has given out */
    char log[LOG_SIZE];
    size_t log_size;
};

/* The backend that the tests run on, NULL: the host's default. */
extern const char *the_backend;
bool backend_is_webnn(void);
/* Whether there is an ONNX Runtime. */
bool runtime_is_there(void);

/* The host that `options` ask for on the_backend, sealed with the graphs named, and one instance. */
struct guest_graph {
    const char *name;
    struct span model;
    bool lazy;
    const char *path;
};
void guest_begin_with(struct guest *g, const wasinn_host_options *options,
                      const struct guest_graph *graphs, size_t count);
void guest_begin(struct guest *g);
/* The same with the options as they are: nothing of them is filled in, no log is kept. */
void guest_begin_host(struct guest *g, const wasinn_host_options *options,
                      const struct guest_graph *graphs, size_t count);
void guest_end(struct guest *g);

/* Bytes into the guest's memory; where they lie. */
uint32_t guest_put(struct guest *g, const void *data, size_t size);
uint32_t guest_word(struct guest *g, uint32_t value);
uint32_t guest_read(const struct guest *g, uint32_t at);
#define CALL(g, function, ...)                                                                 \
    wasinn_call((g)->instance, (function), guest_memory(g), (const uint32_t[]){ __VA_ARGS__ }, \
                sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
wasinn_memory guest_memory(const struct guest *g);

enum { ENC_ONNX = 1, ENC_AUTO = 5 };
/* load of one builder; the errno. *handle is set on success. */
uint32_t guest_load(struct guest *g, struct span model, uint32_t encoding, uint32_t *handle);
/* Load and context in one; fails the test. */
uint32_t guest_context(struct guest *g, struct span model);
/* A tensor record; where it lies. */
uint32_t guest_tensor(struct guest *g, uint32_t type, const uint32_t *dims, size_t rank,
                      const void *data, size_t size);
#define UDIMS(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4
#define NO_DIMS    (const uint32_t *)0, 0
uint32_t guest_set(struct guest *g, uint32_t ctx, uint32_t index, uint32_t type,
                   const uint32_t *dims, size_t rank, const void *data, size_t size);
/* get_output into `to`; the errno, *size what it wrote there. */
uint32_t guest_get(struct guest *g, uint32_t ctx, uint32_t index, void *to, uint32_t room,
                   uint32_t *size);
/* An output has exactly these bytes. */
#define assert_output(g, ctx, index, expected) \
    assert_output_bytes((g), (ctx), (index), (expected), sizeof(expected), __FILE__, __LINE__)
void assert_output_bytes(struct guest *g, uint32_t ctx, uint32_t index, const void *expected,
                         size_t size, const char *file, int line);
void assert_errno(const struct guest *g, uint32_t found, uint32_t wanted, const char *file,
                  int line);
#define E(g, expression, wanted) assert_errno((g), (expression), (wanted), __FILE__, __LINE__)
bool log_has(const struct guest *g, const char *text);
/* From host to end on the_backend: the model (f32 [N,4] to the same) loaded from bytes and by name, and
 * computed once. The first errno that is none; 5 where the host or instance did not come to be. */
uint32_t guest_life(const o2w_environment *e, struct span model);

/* Models; good until models_free. */
struct span model_add(void);                /* y = x + 1, f32 [N,4] */
struct span model_identity(int onnx_dtype); /* y = Identity(x), [4] */
struct span model_sub(void);                /* y = a - b, f32 [N,2] each */
struct span model_classifier(void);    /* label int64 [N], probabilities f32 [N,3] of x [N,4] */
struct span model_scalar(void);        /* y = x + 1 of rank 0 */
struct span model_gather(void);        /* f32 data [4], int64 indices [2] */
struct span model_bytes(void);         /* y f32 [N,3] of x u8 [N,4] */
struct span model_mixed(void);         /* f32, bool, int8, string outputs of x [2] */
struct span model_zipmap(void);        /* label and ZipMap of x [N,4] by ai.onnx.ml operators */
struct span model_sequence(void);      /* y f32, s sequence of x [2] */
struct span model_join(void);          /* y = a above b, f32 [?,2] each, the dims without name */
struct span model_join_question(void); /* the same with dims that are called "?" */
struct span model_external(const char *where); /* y = x + w, w elsewhere */
struct span model_custom(void);                /* com.example Foo, Bar */
struct span model_long(void);                  /* y = -x, f32 [1]; the name of x has 70,000 bytes */
struct span model_loop(int64_t trips);         /* x doubled so often, f32 [1] */
/* y = x after (N - 1) * 4096 sines, f32 [N,1]: where loops are unrolled, nothing for N = 1, and more than a
 * graph may have with N = 4097 */
struct span model_unrolled(void);
/* y = x + the sum of a chain of so many products with a matrix of n times n elements, known or made of x,
 * f32 [1] */
struct span model_products(int64_t n, int count, bool known);
void models_free(void);

/* Runs the tests once on each backend that is there; the rest is skipped with its reason. */
int run_on_backends(const char *group, const struct CMUnitTest *tests, size_t count);

#endif
