#include "cli/cli.h"

#include "base/number.h"

const uint64_t *cli_seeds(struct cli *c, const struct text_list *texts, int *status)
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
