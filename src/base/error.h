/* From diagnostics to the error object of the public interface. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/diag.h"

/* Ends a public call: returns `status`. When it is a failure and `error` is not NULL, all items of
 * `d` move into a new error object, with one made from the status where there are none; `d` is
 * empty then, else as it was. `d` may be NULL. When memory is out, the object is a static one that
 * still has the status. */
o2w_status error_from_diags(struct diags *d, o2w_status status, o2w_error **error);

#endif
