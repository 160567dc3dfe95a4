#include "cli/model_options.h"

void model_options(const struct model_args *m, struct cli *c, o2w_convert_options *out)
{
    *out = (o2w_convert_options){ .size = sizeof *out,
                                  .dims = m->dims.items,
                                  .dim_count = m->dims.count,
                                  .max_dims = m->max_dims.items,
                                  .max_dim_count = m->max_dims.count,
                                  .pins = m->pins.items,
                                  .pin_count = m->pins.count,
                                  .constant_folding = m->constant_folding,
                                  .dynamic_inputs = m->dynamic_inputs,
                                  .keep_inputs = m->keep_inputs,
                                  .subgraph = m->subgraph,
                                  .bounds = m->bounds.items,
                                  .bound_count = m->bounds.count,
                                  .assume_known_categories = m->assume == 1,
                                  .target = m->target,
                                  .assume_int32 = m->assume_int32.items,
                                  .assume_int32_count = m->assume_int32.count,
                                  .environment = &c->environment };
    out->unroll_loop = out->unroll_scan = out->unroll_steps = (uint32_t)m->unroll;
}
