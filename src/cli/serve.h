/* A static web server over one folder. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "base/diag.h"

struct server;

/* Serves `folder` at address:port from threads of its own. backend.unavailable: the library is not here; file.read: no
 * such folder; usage: the address is none, or the port is taken. */
o2w_status server_start(const char *folder, const char *address, uint16_t port, struct diags *d,
                        struct server **out);
void server_stop(struct server *s); /* NULL is fine */

/* serve_range.c: what a Range header asks of `size` bytes. */
enum range_kind { RANGE_ALL, RANGE_PART, RANGE_OUTSIDE };
enum range_kind range_read(const char *header, uint64_t size, uint64_t *begin, uint64_t *count);
/* The media type of a file name. */
const char *media_type(struct span name);

#endif
