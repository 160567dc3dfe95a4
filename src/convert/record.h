/* The conversion record beside a graph: what it was made from, and whether that still holds. */
#ifndef CONVERT_RECORD_H
#define CONVERT_RECORD_H

#include "convert/conversion.h"

#include "base/json.h"

struct record_file {
    struct span path; /* as it stands in the record */
    uint64_t bytes, mtime_ns;
    struct span sample, sha256; /* hexadecimal; sha256 empty where it was not known */
};

struct record {
    struct span tool; /* version of the program that wrote it */
    struct record_file source;
    const struct record_file *external;
    size_t external_count;
    const struct dim_binding *dims;
    size_t dim_count;
    const struct lower_pin *pins;
    size_t pin_count;
    bool constant_folding, dynamic_inputs;
    const struct span *zero_filled, *pruned, *empty;
    size_t zero_filled_count, pruned_count, empty_count;
    uint64_t graph_bytes, nodes, operators, weight_bytes; /* counts: of manifest runs */
    struct span graph_sha256, weights_file, entries;
};

/* Size and sampled bytes of an open file as 64 hexadecimal digits, NUL-terminated: first and last
 * 64 KiB and 64 windows of 4 KiB. */
o2w_status record_sample(struct file *f, struct diags *d, char text[65]);

/* Writes `<graph stem>.o2w.json`. */
o2w_status record_write(const o2w_conversion *c, const o2w_convert_options *o,
                        const struct format_written *written, const char *graph_path,
                        struct arena *a, struct diags *d, const char **path);
/* The record of a graph; *found is false when there is none. Unreadable ones are warnings
 * cache.record and count as none. In the arena. */
o2w_status record_read(const char *graph_path, struct arena *a, struct diags *d, struct record *out,
                       bool *found);
/* Whether the model at `path` is still what the record says. */
o2w_status record_is_fresh(const struct record *r, const char *model, struct diags *d, bool *fresh);

#endif
