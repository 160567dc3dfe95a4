/* Inputs and outputs whose operands carry another type's values: int64 the bits of uint64, 8-bit integers those of
 * 4 bits. Only emitters ask for such graphs (legalise.h): they convert at the border. */
#ifndef WEBNN_CARRIED_H
#define WEBNN_CARRIED_H

#include "tensor/dtype.h"

struct graph;

struct graph_carried {
    bool output;
    uint32_t index; /* among the inputs or outputs */
    enum dtype dtype;
};

/* The data type of an input or output as its users see it. */
enum dtype graph_input_dtype(const struct graph *g, size_t index);
enum dtype graph_output_dtype(const struct graph *g, size_t index);

#endif
