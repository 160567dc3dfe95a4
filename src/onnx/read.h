/* How the model view is made from the bytes of the file. */
#ifndef ONNX_READ_H
#define ONNX_READ_H

#include "onnx/model.h"
#include "onnx/proto.h"
#include "onnx/store.h"

/* Bytes of a name: as an escaped string, with what lowering appends, the text of a graph must hold it. */
enum { ONNX_NAME_LIMIT = 10000 };

struct onnx_read {
    struct onnx_model *model;
    struct wire_source source;
    struct arena *arena;
    struct map names; /* texts of values to their ids */
    unsigned depth;   /* of subgraphs and types being read */
    bool blamed;      /* the failure already names its node */
};

/* ModelProto: everything but what linking finds out. */
o2w_status onnx_read_model(struct onnx_read *rd, struct span bytes);
o2w_status onnx_read_graph(struct onnx_read *rd, const struct wire_message *m,
                           const struct onnx_graph *parent, struct onnx_graph *graph);
o2w_status onnx_read_attribute(struct onnx_read *rd, const struct wire_message *m,
                               const struct onnx_graph *owner, struct onnx_attribute *a);
/* Into their final place: external tensors are remembered by address. */
o2w_status onnx_read_tensor(struct onnx_read *rd, const struct wire_message *m,
                            struct onnx_tensor *t);
o2w_status onnx_read_sparse_tensor(struct onnx_read *rd, const struct wire_message *m,
                                   struct onnx_sparse_tensor *s);
o2w_status onnx_read_value_info(struct onnx_read *rd, const struct wire_message *m,
                                struct onnx_value_info *v);
o2w_status onnx_read_type(struct onnx_read *rd, const struct wire_message *m,
                          struct onnx_type *type);
o2w_status onnx_read_entry(struct onnx_read *rd, const struct wire_message *m,
                           struct onnx_entry *e);

/* The id of a value's name; error limit, model.name for one with a byte 0. */
o2w_status onnx_read_name(struct onnx_read *rd, struct span text, name_id *id);
/* All `count` values of one repeated field. */
o2w_status onnx_read_i64s(struct onnx_read *rd, const struct wire_message *m,
                          const struct wire_schema *schema, uint32_t field, size_t count,
                          const int64_t **out);
o2w_status onnx_read_texts(struct onnx_read *rd, const struct wire_message *m,
                           const struct wire_schema *schema, uint32_t field, size_t count,
                           const struct span **out);
/* wire_tally whose counts fit the view's 32 bits. */
o2w_status onnx_read_tally(struct onnx_read *rd, const struct wire_message *m,
                           const struct wire_schema *schema, size_t counts[WIRE_FIELD_LIMIT]);
/* A piece of a singular message. */
o2w_status onnx_read_piece(struct onnx_read *rd, const struct wire_reader *r,
                           struct wire_message *m);
/* One level deeper; the error limit when that is too deep. */
o2w_status onnx_read_enter(struct onnx_read *rd, const char *what, const struct wire_message *m);
void onnx_read_leave(struct onnx_read *rd);

#endif
