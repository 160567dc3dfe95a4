/* What the parts of the hub client share. */
#ifndef HUB_INTERNAL_H
#define HUB_INTERNAL_H

#include "base/file.h"
#include "base/system.h"
#include "hub/cache.h"
#include "hub/http.h"
#include "hub/hub.h"

enum { HUB_TRIES = 5, HUB_REDIRECTS = 5 };

struct hub {
    const o2w_allocator *allocator;
    const o2w_environment *environment;
    struct arena arena;
    const char *root, *endpoint, *token;
    bool offline, refresh;
    unsigned jobs;
    struct http *http; /* NULL until it is needed */
    struct map *refreshed;
};

/* Where a file of a repository is asked for, percent-encoded. NULL when memory is out. */
const char *hub_url(const struct hub *h, const char *repository, const char *revision,
                    const char *path, struct arena *a);
/* The token when it may go to that URL, else NULL. */
const char *hub_token_for(const struct hub *h, const char *url);
/* hub.offline, hub.library: the network may be used now. `what` is for the message. */
o2w_status hub_online(struct hub *h, const char *what, struct diags *d);
/* Waits, asking the caller whether to go on. */
o2w_status hub_pause(struct hub *h, double seconds, struct diags *d);

/* How one URL is asked; `context` is the caller's. */
typedef o2w_status (*hub_call_fn)(void *context, const char *url, struct diags *d,
                                  struct http_answer *out);
struct hub_call {
    hub_call_fn call;
    void *context;
};
/* Calls for the URL and where its redirects lead; with `stay` those to another host are the answer. hub.protocol. */
o2w_status hub_follow(const char *url, bool stay, struct arena *a, struct diags *d,
                      struct http_answer *out, struct hub_call call);
bool hub_is_redirect(long status);
/* One step of it, number `count` from 0: where the answer leads. */
o2w_status hub_redirect(const char *url, const struct http_answer *answer, unsigned count,
                        struct arena *a, struct diags *d, char **next);
/* The same with repetitions, for answers without a body. hub.unreachable. */
o2w_status hub_ask(struct hub *h, const char *url, bool stay, struct diags *d,
                   struct http_answer *out, struct hub_call call);
o2w_status hub_gave_up(const char *url, const struct http_answer *a, struct diags *d);
/* A whole answer to a range under If-Range, because large files lie on a storage with etags of its own: without
 * If-Range it sends ranges, and the digest tells whether they fit together. */
bool hub_is_foreign_etag(const struct hub_about *about, const struct http_answer *a, bool plain);
/* Whether it is worth another try. */
bool hub_is_transient(const struct http_answer *a);
/* The seconds to wait in front of try number `next` (from 2). */
double hub_delay(const struct http_answer *a, unsigned next);
/* The failure that a final status is: hub.unauthorized, hub.not-found, hub.protocol. */
o2w_status hub_refused(const struct hub_request *r, const struct http_answer *a, struct diags *d);

o2w_status hub_head(struct hub *h, const struct hub_request *r, struct diags *d,
                    struct hub_about *out);

/* --- one file ----------------------------------------------------------------------------------------- */

/* A blob being fetched: what both ways of downloading need. */
struct hub_download {
    struct hub *hub;
    const struct hub_request *request;
    const struct hub_about *about;
    const struct hub_places *places;
    const char *url, *stage;
    struct hub_digest *digest;
    uint64_t fetched; /* over the network */
    uint64_t begun_ns;
    char text[HTTP_TEXT];
};
/* Tells the caller how far it is, with rate and time left; O2W_CANCELLED. */
o2w_status hub_progress(struct hub_download *g, uint64_t done, struct diags *d);
/* Complete and verified content at *path, or a failure; *wrong: the content is not what the etag says. */
o2w_status hub_fetch_sequential(struct hub_download *g, struct arena *a, struct diags *d,
                                const char **path, bool *wrong);
o2w_status hub_fetch_parallel(struct hub_download *g, struct arena *a, struct diags *d,
                              const char **path, bool *wrong, bool *no_ranges);
/* A file in the cache, downloaded when it is not there. */
o2w_status hub_get_file(struct hub *h, const struct hub_request *r, struct diags *d,
                        struct hub_about *about, uint64_t *downloaded);

#endif
