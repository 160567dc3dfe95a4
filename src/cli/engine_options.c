#include "cli/engine_options.h"

#include "base/number.h"

static const uint64_t *read_seeds(struct cli *c, const struct text_list *texts, int *status)
{
    uint64_t *seeds = ARENA_ARRAY(&c->arena, texts->count + 1, uint64_t);
    *status = 1;
    for (size_t i = 0; seeds && i < texts->count; i++)
        if (number_parse_u64(span_of(texts->items[i]), &seeds[i]) != O2W_OK || !seeds[i]) {
            *status = cli_usage(c, NULL,
                                "option '--seed' is '%s', must be an integer from 1 to "
                                "18446744073709551615",
                                texts->items[i]);
            return NULL;
        }
    return seeds;
}

bool judge_options(const struct judge_args *j, struct cli *c, const char *backend,
                   o2w_validate_options *out, int *status)
{
    *out = (o2w_validate_options){ .size = sizeof *out,
                                   .backend = backend,
                                   .backend_options = j->engine.options.items,
                                   .backend_option_count = j->engine.options.count,
                                   .require_backend = j->engine.require,
                                   .threads = (unsigned)j->engine.threads,
                                   .seeds = read_seeds(c, &j->seeds, status),
                                   .seed_count = j->seeds.count,
                                   .tolerances = j->tolerances.items,
                                   .tolerance_count = j->tolerances.count,
                                   .reference_optimization =
                                       (o2w_reference_optimization)j->optimization,
                                   .strict_reference = j->strict_reference,
                                   .environment = &c->environment };
    return out->seeds != NULL;
}
