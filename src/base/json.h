/* One strict JSON reader (pull) and writer. Exact 64-bit integers, line and column per value,
 * bounded memory and nesting, duplicate keys refused. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/diag.h"
#include "base/intern.h"

enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,  /* begin; items follow */
    JSON_OBJECT, /* begin; members follow */
    JSON_END     /* of the array or object entered last */
};

struct json_value {
    enum json_kind kind;
    struct span key;  /* decoded; inside an object, else empty */
    struct span text; /* decoded string, or the number's own text */
    bool boolean;
    uint32_t line, column; /* from 1, column in bytes */
    uint32_t key_line, key_column;
};

/* Texts without escapes are spans of the input, decoded ones live in the arena: both stay valid. */
struct json_reader {
    struct span input, name;
    struct diags *diags;
    struct arena *arena;
    /* Codes of what is found; json_begin sets the json.* ones. */
    enum diag_code syntax, type, duplicate;
    size_t position, line_start;
    uint32_t line, depth;
    bool root_read;
    struct json_level *levels;
};

/* Begins to read; the whole input must be one JSON text (trailing bytes are an error). Nesting up
 * to 64. `name` is the file for positions. */
o2w_status json_begin(struct json_reader *r, struct span input, struct span name,
                      struct arena *arena, struct diags *diags);
/* The next value: an item, a member (with key), or JSON_END. */
o2w_status json_next(struct json_reader *r, struct json_value *v);
/* Skips what is left of the value that json_next just returned (whole array or object). */
o2w_status json_skip(struct json_reader *r, const struct json_value *v);
/* After the root value: nothing but blanks may follow. */
o2w_status json_finish(struct json_reader *r);
/* json.type at the value: "KEY must be WANTED, found KIND". */
o2w_status json_wrong(struct json_reader *r, const struct json_value *v, const char *wanted);
/* Typed readings of a value that was returned. */
o2w_status json_i64(struct json_reader *r, const struct json_value *v, int64_t *out);
o2w_status json_u64(struct json_reader *r, const struct json_value *v, uint64_t *out);
o2w_status json_double(struct json_reader *r, const struct json_value *v, double *out);
o2w_status json_bool(struct json_reader *r, const struct json_value *v, bool *out);
o2w_status json_string(struct json_reader *r, const struct json_value *v, struct span *out);
bool json_is_integer(const struct json_value *v); /* a number without . e E */

/* Writes to a growing buffer. `indent` 0: compact; else blanks per level. Commas, quotes, escapes
 * are the writer's work; non-finite numbers become the strings "NaN", "Infinity", "-Infinity". */
struct json_writer {
    VEC(char) text;
    unsigned indent, depth;
    bool first, after_key, failed;
};

void json_writer_init(struct json_writer *w, const o2w_allocator *allocator, unsigned indent);
void json_writer_free(struct json_writer *w);
void json_open(struct json_writer *w, char bracket);  /* '{' or '[' */
void json_close(struct json_writer *w, char bracket); /* '}' or ']' */
void json_key(struct json_writer *w, const char *key);
void json_key_span(struct json_writer *w, struct span key);
void json_put_string(struct json_writer *w, struct span s);
void json_put_text(struct json_writer *w, const char *s); /* NULL gives null */
void json_put_i64(struct json_writer *w, int64_t v);
void json_put_u64(struct json_writer *w, uint64_t v);
void json_put_double(struct json_writer *w, double v);
void json_put_bool(struct json_writer *w, bool v);
void json_put_null(struct json_writer *w);
void json_put_raw(struct json_writer *w, struct span text); /* a JSON value as it is */
/* A member of an object: its key and value. */
void json_member_text(struct json_writer *w, const char *key, const char *text);
void json_member_u64(struct json_writer *w, const char *key, uint64_t v);
void json_member_bool(struct json_writer *w, const char *key, bool v);
/* The items as a JSON array, as `--json` documents have them. */
void diags_json(const struct diags *d, struct json_writer *w);
/* O2W_NO_MEMORY when any call ran out of memory; the text is then cut. */
o2w_status json_written(const struct json_writer *w, struct span *out);

#endif
