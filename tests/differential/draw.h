/* Random parts of programs. Everything follows from the seed. */
#ifndef DIFFERENTIAL_DRAW_H
#define DIFFERENTIAL_DRAW_H

#include "program.h"

struct draw {
    uint64_t state;
    struct program *p;
    struct arena *arena;
    bool plain; /* values without NaN, infinities and extremes */
};

uint64_t draw_bits(struct draw *d);
/* 0 … count-1; 0 when count is 0. */
uint32_t draw_below(struct draw *d, uint32_t count);
/* Inclusive. */
int64_t draw_between(struct draw *d, int64_t low, int64_t high);
/* True once in `n` times. */
bool once_in(struct draw *d, uint32_t n);
#define DRAW_OF(d, ...)                            \
    ((const int64_t[]){ __VA_ARGS__ })[draw_below( \
        (d), (uint32_t)(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)))]

struct dims {
    uint32_t rank;
    int64_t sizes[MAX_RANK];
};
#define DIMS_OF(...) \
    ((struct dims){ sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), { __VA_ARGS__ } })

/* Ranks low … high of small sizes; now and then one is 0. */
struct dims draw_dims(struct draw *d, uint32_t low, uint32_t high);
struct dims dims_of(const struct tensor *t);
/* A shape that broadcasts to `to`: fewer axes, ones. */
struct dims draw_broadcastable(struct draw *d, struct dims to);
/* One dtype of the set that flows through graphs; float32 most often. */
enum dtype draw_dtype(struct draw *d, dtype_set set);

/* New values. `known` makes an initializer, else it is one sometimes. */
int draw_value(struct draw *d, enum dtype t, struct dims dims, bool known);
int draw_plain(struct draw *d, enum dtype t, struct dims dims, bool known);
/* Integers low … high, inclusive, in any numeric dtype. */
int draw_range(struct draw *d, enum dtype t, struct dims dims, int64_t low, int64_t high,
               bool known);
/* A known list of int64 or int32. */
int known_list(struct draw *d, enum dtype t, const int64_t *v, size_t count);
int known_scalar(struct draw *d, enum dtype t, double v);
struct tensor *drawn(struct draw *d, int value);

/* An input of the row's slot: an older value where one fits, else a new one. Dims: ranks low … high. */
int draw_input(struct draw *d, const struct node *n, size_t slot, uint32_t low, uint32_t high);
/* A value of this dtype and shape: an older one where one fits exactly. */
int draw_like(struct draw *d, enum dtype t, struct dims dims);
dtype_set slot_dtypes(const struct node *n, size_t slot);
/* The dtype that the type variable of the slot has by the inputs so far, else one of the slot's. */
enum dtype bound_dtype(struct draw *d, const struct node *n, size_t slot);
/* -rank … rank-1; from 0 before opset 11. */
int64_t draw_axis(struct draw *d, uint32_t rank);
/* Some axes of the rank, without repetition. */
size_t draw_axes(struct draw *d, uint32_t rank, int64_t *out);

void push_input(struct node *n, int value);
/* The attributes of the row that are not there yet: some of them, by type, name and allowed values. */
void draw_attributes(struct draw *d, struct node *n, uint32_t rank);
bool row_has_attribute(const struct onnx_row *row, const char *name);

/* Fills inputs and attributes; false: nothing valid came of it. */
typedef bool recipe_function(struct draw *d, struct node *n);
struct recipe {
    const char *ops; /* names, separated by blanks */
    recipe_function *make;
};
extern const struct recipe elementwise_recipes[], movement_recipes[], image_recipes[],
    product_recipes[], sequence_recipes[];
/* Adds a node with its inputs; its outputs are numbered without values. */
bool draw_node(struct draw *d, const struct onnx_row *row, struct node *n);
/* Whether rows of this name have a recipe. */
recipe_function *recipe_of(const struct onnx_row *row);

#endif
