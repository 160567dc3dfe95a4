/* JSON values as values of a document. */
#ifndef FORMAT_JSON_VALUES_H
#define FORMAT_JSON_VALUES_H

#include "base/json.h"
#include "format/document.h"

/* Appends the value that json_next just returned, with all it contains. `copy`: texts are copied to
 * the document's arena, else they stay where the reader has them. Errors go to the reader's sink. */
o2w_status json_push(struct document *doc, struct json_reader *r, const struct json_value *v,
                     bool copy);

#endif
