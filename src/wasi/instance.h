/* One guest: its handles, what it holds, its last failure. */
#ifndef WASI_INSTANCE_H
#define WASI_INSTANCE_H

#include "base/json.h"
#include "wasi/host.h"

/* Handles grow and are never used again. */
struct nn_table {
    VEC(struct nn_slot {
        uint32_t handle;
        void *object;
    })
    slots; /* sorted; objects are NULL where they were removed */
    size_t alive;
    uint32_t next, last;
};

struct nn_input {
    void *block;
    size_t block_size;
    struct tensor tensor; /* in the carried dtype */
    bool set;
};

struct nn_context {
    struct nn_graph *graph;
    struct nn_input *inputs;
    struct tensor *tensors; /* of the inputs, for a run */
    struct nn_results results;
    bool computed, holds_model;  /* of a graph without handle */
    uint64_t held, outputs_held; /* of the instance's, for inputs and for outputs */
};

struct nn_tensor {       /* of a component */
    bool taken;          /* lent to a call, or consumed by it */
    uint32_t type, rank; /* rank may be more than is accepted; then dims are not kept */
    uint32_t dims[MAX_RANK];
    void *data;
    size_t size;
    struct failure verdict; /* what was wrong with it from the start */
};

struct nn_error {
    wasinn_code code;
    char text[FAILURE_TEXT];
};

struct nn_call {
    uint64_t begin_ns, backend_ns, bytes, deadline_ns;
    uint32_t handle;
    const char *tensor, *type;
    uint32_t rank;
    int64_t dims[MAX_RANK];
    const struct nn_graph *graph;
    bool asks_for_last, asks_for_size; /* failures that are not kept as the last, or no mistakes */
};

struct wasinn_instance {
    wasinn_host *host;
    const o2w_allocator *allocator;
    wasinn_dtypes dtypes;
    struct nn_table tables[4]; /* by wasinn_resource */
    _Atomic bool busy, ending, stop;
    uint64_t held;
    uint32_t logged;
    struct failure failure;  /* of the call that runs */
    char last[FAILURE_TEXT]; /* text of the last call that failed */
    wasinn_stats stats;
    struct nn_call call;
    struct nn_watched watched;        /* by the host, where calls can be overdue */
    VEC(wasinn_named_tensor) outputs; /* of the last compute of a component */
    VEC(char) text;                   /* of describe */
};

/* instance.c. One call of a guest: false where another thread is in one. */
bool instance_enter(wasinn_instance *i);
/* Counts, traces, logs; returns the fault. */
enum fault instance_leave(wasinn_instance *i, const char *function, enum fault fault);
/* The deadline of a step of at most so many ms: FAULT_TIMEOUT when all time is used. */
enum fault instance_deadline(wasinn_instance *i, const char *what, uint32_t ms);
/* FAULT_TOO_LARGE when `more` bytes do not fit beside what is held. */
enum fault instance_hold(wasinn_instance *i, uint64_t more, const char *what);

/* table.c. 0: memory or handles are out; *full tells. */
void table_init(struct nn_table *t, wasinn_resource kind, const o2w_allocator *a);
uint32_t table_add(struct nn_table *t, void *object, bool *full);
void *table_find(const struct nn_table *t, uint32_t handle);
void *table_remove(struct nn_table *t, uint32_t handle);

/* dtypes.c */
bool dtype_of_code(wasinn_dtypes n, uint32_t code, enum dtype *out);
bool code_of_dtype(wasinn_dtypes n, enum dtype t, uint32_t *code);
/* What carries a model's dtype to the guest: bool goes as u8. */
enum dtype dtype_for_guest(enum dtype model);
/* With WASINN_WIDEN: the wider type of an output that has no code; false: there is none. */
bool dtype_widened(enum dtype model, enum dtype *out);
const char *dtypes_name(wasinn_dtypes n); /* "2023" */

/* operations.c: both interfaces, on host values. */
struct nn_model {
    const wasinn_bytes *builders;
    size_t count;
    wasinn_encoding encoding;
    wasinn_target target;
};
enum fault op_load(wasinn_instance *i, const struct nn_model *m, uint32_t *handle);
enum fault op_load_by_name(wasinn_instance *i, struct span name, uint32_t *handle);
enum fault op_new_context(wasinn_instance *i, uint32_t graph, uint32_t *handle);
enum fault op_drop(wasinn_instance *i, wasinn_resource kind, uint32_t handle);
enum fault op_find_graph(wasinn_instance *i, uint32_t handle, struct nn_graph **out);
enum fault op_find_context(wasinn_instance *i, uint32_t handle, struct nn_context **out);
/* Frees an object that was taken from its table. */
void object_free(wasinn_instance *i, wasinn_resource kind, void *object);

/* describe.c: JSON of a port, without the end. In i->text. */
enum fault describe_port(wasinn_instance *i, const struct nn_port *p, struct span *out);
void put_port(struct json_writer *w, const struct nn_port *p);

#endif
