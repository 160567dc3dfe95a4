/* Small ONNX models as bytes: protobuf by hand. Nested messages are written into buffers of their own. */
#ifndef UNIT_ORT_MODEL_BYTES_H
#define UNIT_ORT_MODEL_BYTES_H

#include <stdint.h>
#include <string.h>

struct bytes {
    uint8_t data[4096];
    size_t size;
};

static inline void put_varint(struct bytes *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        b->data[b->size++] = (uint8_t)(v | 0x80);
    b->data[b->size++] = (uint8_t)v;
}

static inline void put_int(struct bytes *b, unsigned field, uint64_t v)
{
    put_varint(b, field << 3);
    put_varint(b, v);
}

static inline void put_data(struct bytes *b, unsigned field, const void *data, size_t size)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, size);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static inline void put_text(struct bytes *b, unsigned field, const char *text)
{
    put_data(b, field, text, strlen(text));
}

static inline void put_message(struct bytes *b, unsigned field, const struct bytes *message)
{
    put_data(b, field, message->data, message->size);
}

/* ValueInfoProto of a float tensor; dim 0 is called "n" and open where it is 0. */
static inline void put_float_port(struct bytes *graph, unsigned field, const char *name,
                                  const int64_t *dims, size_t rank)
{
    struct bytes port = { .size = 0 }, type = { .size = 0 }, tensor = { .size = 0 },
                 shape = { .size = 0 };
    for (size_t i = 0; i < rank; i++) {
        struct bytes size = { .size = 0 };
        if (dims[i])
            put_int(&size, 1, (uint64_t)dims[i]);
        else
            put_text(&size, 2, "n");
        put_message(&shape, 1, &size);
    }
    put_int(&tensor, 1, 1);
    put_message(&tensor, 2, &shape);
    put_message(&type, 1, &tensor);
    put_text(&port, 1, name);
    put_message(&port, 2, &type);
    put_message(graph, field, &port);
}

/* ModelProto around a graph, opsets ai.onnx 21 and ai.onnx.ml 3. */
static inline void put_model(struct bytes *model, struct bytes *graph)
{
    struct bytes core = { .size = 0 }, ml = { .size = 0 };
    put_text(graph, 2, "g");
    put_int(&core, 2, 21);
    put_text(&ml, 1, "ai.onnx.ml");
    put_int(&ml, 2, 3);
    put_int(model, 1, 10);
    put_message(model, 7, graph);
    put_message(model, 8, &core);
    put_message(model, 8, &ml);
}

#endif
