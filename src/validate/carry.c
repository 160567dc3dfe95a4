#include "validate/carry.h"

#include "base/number.h"

#include <math.h>

static const struct {
    enum dtype model, graph;
} pairs[] = {
    { DTYPE_BOOL, DTYPE_UINT8 },       { DTYPE_FLOAT64, DTYPE_FLOAT32 },
    { DTYPE_BFLOAT16, DTYPE_FLOAT32 }, { DTYPE_INT16, DTYPE_INT32 },
    { DTYPE_UINT16, DTYPE_INT32 },     { DTYPE_INT64, DTYPE_INT32 },
    { DTYPE_UINT64, DTYPE_INT32 },     { DTYPE_INT64, DTYPE_UINT32 },
    { DTYPE_INT4, DTYPE_INT8 },        { DTYPE_UINT4, DTYPE_UINT8 },
};

bool carry_has_pair(enum dtype model, enum dtype graph)
{
    if (model == graph)
        return model < DTYPE_COUNT && dtype_info(model)->class != DTYPE_CLASS_OTHER;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].model == model && pairs[i].graph == graph)
            return true;
    return false;
}

bool carry_is_plain(enum dtype model, enum dtype graph)
{
    return model == graph || (model == DTYPE_BOOL && graph == DTYPE_UINT8);
}

static bool integer_fits(const struct tensor *from, uint64_t i, enum dtype to)
{
    if (!dtype_is_signed(from->dtype))
        return tensor_get_u64(from, i) <= dtype_max(to);
    int64_t v = tensor_get_i64(from, i);
    return v >= dtype_min(to) && (v < 0 || (uint64_t)v <= dtype_max(to));
}

static o2w_status refuse(const char *name, const struct tensor *from, uint64_t i, enum dtype to,
                         struct diags *d)
{
    char text[NUMBER_TEXT];
    if (dtype_is_float(from->dtype))
        number_print_double(tensor_get_double(from, i), text);
    else if (dtype_is_signed(from->dtype))
        number_print_i64(tensor_get_i64(from, i), text);
    else
        number_print_u64(tensor_get_u64(from, i), text);
    return diag_error(d, DIAG_FEED_RANGE,
                      "input '%s': value %s at index %llu does not fit %s of the graph", name, text,
                      (unsigned long long)i, dtype_name(to));
}

static o2w_status carry_integers(const char *name, const struct tensor *from, struct tensor *to,
                                 struct diags *d)
{
    uint64_t count = tensor_count(from);
    for (uint64_t i = 0; i < count; i++) {
        if (!integer_fits(from, i, to->dtype))
            return refuse(name, from, i, to->dtype, d);
        if (dtype_is_signed(from->dtype))
            tensor_put_i64(to, i, tensor_get_i64(from, i));
        else
            tensor_put_u64(to, i, tensor_get_u64(from, i));
    }
    return O2W_OK;
}

static o2w_status carry_floats(const char *name, const struct tensor *from, bool given,
                               struct tensor *to, struct diags *d)
{
    uint64_t count = tensor_count(from), changed = 0, first = 0;
    char text[NUMBER_TEXT];
    for (uint64_t i = 0; i < count; i++) {
        double v = tensor_get_double(from, i);
        tensor_put_double(to, i, v);
        double carried = tensor_get_double(to, i);
        if (isfinite(v) && !isfinite(carried))
            return refuse(name, from, i, to->dtype, d);
        if (carried < v || carried > v) {
            first = changed ? first : i;
            changed++;
        }
    }
    if (given && changed) {
        number_print_double(tensor_get_double(from, first), text);
        diag_warning(d, DIAG_FEED_ROUNDED,
                     "input '%s': %llu of %llu values are rounded to %s of the graph, first %s at "
                     "index %llu",
                     name, (unsigned long long)changed, (unsigned long long)count,
                     dtype_name(to->dtype), text, (unsigned long long)first);
    }
    return O2W_OK;
}

o2w_status carry_feed(const char *name, const struct tensor *from, bool given, struct tensor *to,
                      struct diags *d)
{
    return dtype_is_float(from->dtype) ? carry_floats(name, from, given, to, d)
                                       : carry_integers(name, from, to, d);
}
