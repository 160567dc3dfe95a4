#include "support/decoder_model.h"

#include <stdio.h>

enum { FLOAT = 1, INT64 = 7, WIDTH = DECODER_HEADS * DECODER_HEAD_SIZE, POSITIONS = 64 };

static void weight(struct model_builder *b, const char *name, int64_t rows, int64_t columns)
{
    float values[POSITIONS * DECODER_VOCABULARY];
    uint32_t state = (uint32_t)name[0] * 2654435761u + (uint32_t)name[1];
    for (int64_t i = 0; i < rows * columns; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    }
    mb_floats(b, name, DIMS(rows, columns), values, (size_t)(rows * columns));
}

static void interface(struct model_builder *b)
{
    mb_input_named(b, "input_ids", INT64, "1 seq");
    mb_input_named(b, "position_ids", INT64, "1 seq");
    mb_input_named(b, "past_key", FLOAT, "1 2 past 4");
    mb_input_named(b, "past_value", FLOAT, "1 2 past 4");
    mb_output(b, "logits", FLOAT, DIMS(1, -1, DECODER_VOCABULARY));
    mb_output(b, "present_key", FLOAT, DIMS(1, DECODER_HEADS, -1, DECODER_HEAD_SIZE));
    mb_output(b, "present_value", FLOAT, DIMS(1, DECODER_HEADS, -1, DECODER_HEAD_SIZE));
}

static void transpose(struct model_builder *b, const char *from, const char *to,
                      const int64_t *order, size_t rank)
{
    mb_node_open(b, "Transpose", from, to);
    mb_int_list(b, "perm", order, rank);
    mb_close(b);
}

/* x · weight as [1, heads, seq, head size]. */
static void project(struct model_builder *b, const char *matrix, const char *product,
                    const char *split, const char *heads)
{
    char inputs[32], shaped[32];
    (void)snprintf(inputs, sizeof inputs, "x %s", matrix);
    (void)snprintf(shaped, sizeof shaped, "%s by_heads", product);
    mb_node(b, "MatMul", inputs, product);
    mb_node(b, "Reshape", shaped, split);
    transpose(b, split, heads, INTS(0, 2, 1, 3));
}

static void grow(struct model_builder *b, const char *inputs, const char *output)
{
    mb_node_open(b, "Concat", inputs, output);
    mb_int(b, "axis", 2);
    mb_close(b);
}

/* allowed [1, seq, total]: place of the key <= position of the query. */
static void mask(struct model_builder *b)
{
    mb_node_open(b, "ReduceSum", "present_key by_key", "marks");
    mb_int(b, "keepdims", 0);
    mb_close(b);
    mb_node(b, "Mul", "marks nothing", "zeros");
    mb_node(b, "Add", "zeros unit", "ones");
    mb_node(b, "CumSum", "ones last", "counted");
    mb_node(b, "Sub", "counted unit", "places");
    mb_node(b, "Unsqueeze", "places middle", "place_rows");
    mb_node_open(b, "Cast", "position_ids", "positions");
    mb_int(b, "to", FLOAT);
    mb_close(b);
    mb_node(b, "Unsqueeze", "positions last_axis", "position_columns");
    mb_node(b, "LessOrEqual", "place_rows position_columns", "allowed");
}

static void attend(struct model_builder *b)
{
    transpose(b, "present_key", "keys", INTS(0, 1, 3, 2));
    mb_node(b, "MatMul", "q_heads keys", "raw");
    mb_node(b, "Mul", "raw scale", "scores");
    mb_node(b, "Where", "allowed scores least", "masked");
    mb_node_open(b, "Softmax", "masked", "share");
    mb_int(b, "axis", -1);
    mb_close(b);
    mb_node(b, "MatMul", "share present_value", "seen");
    transpose(b, "seen", "seen_rows", INTS(0, 2, 1, 3));
    mb_node(b, "Reshape", "seen_rows by_width", "joined");
    mb_node(b, "MatMul", "joined wo", "mixed");
    mb_node(b, "Add", "mixed x", "out");
    mb_node(b, "MatMul", "out uw", "logits");
}

void mb_decoder(struct model_builder *b)
{
    weight(b, "embedding", DECODER_VOCABULARY, WIDTH);
    weight(b, "places_of", POSITIONS, WIDTH);
    weight(b, "wq", WIDTH, WIDTH);
    weight(b, "wk", WIDTH, WIDTH);
    weight(b, "wv", WIDTH, WIDTH);
    weight(b, "wo", WIDTH, WIDTH);
    weight(b, "uw", WIDTH, DECODER_VOCABULARY);
    mb_int64s(b, "by_heads", INTS(4), INTS(0, -1, DECODER_HEADS, DECODER_HEAD_SIZE));
    mb_int64s(b, "by_width", INTS(3), INTS(0, -1, WIDTH));
    mb_int64s(b, "by_key", INTS(2), INTS(1, 3));
    mb_int64s(b, "middle", INTS(1), INTS(1));
    mb_int64s(b, "last_axis", INTS(1), INTS(2));
    mb_int64s(b, "last", SCALAR, INTS(-1));
    mb_floats(b, "nothing", SCALAR, FLOATS(0));
    mb_floats(b, "unit", SCALAR, FLOATS(1));
    mb_floats(b, "scale", SCALAR, FLOATS(0.5f));
    mb_floats(b, "least", SCALAR, FLOATS(-1e9f));
    interface(b);
    mb_node(b, "Gather", "embedding input_ids", "tokens");
    mb_node(b, "Gather", "places_of position_ids", "where_they_are");
    mb_node(b, "Add", "tokens where_they_are", "x");
    project(b, "wq", "q", "q_split", "q_heads");
    project(b, "wk", "k", "k_split", "k_heads");
    project(b, "wv", "v", "v_split", "v_heads");
    grow(b, "past_key k_heads", "present_key");
    grow(b, "past_value v_heads", "present_value");
    mask(b);
    attend(b);
}
