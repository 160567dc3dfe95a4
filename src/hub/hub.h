/* The model hub and its cache, in the layout of the official clients: what they wrote is used, what is written here
 * they read. */
#ifndef HUB_HUB_H
#define HUB_HUB_H

#include "base/diag.h"

struct hub;

/* Zero: places, endpoint and token of the environment, 4 requests at a time. */
struct hub_options {
    bool offline, refresh;
    unsigned jobs; /* ranges of one file at a time */
    const o2w_environment *environment;
};

/* cache.folder: no place for the cache can be derived. No socket is opened and no library loaded yet. */
o2w_status hub_open(const struct hub_options *options, struct diags *d, struct hub **out);
void hub_close(struct hub *h); /* NULL is fine */

/* One model: a file of a repository, with the files its tensors lie in. */
struct hub_request {
    const char *repository, *path; /* "org/repo", "onnx/model.onnx": a safe relative path */
    const char *revision;          /* NULL: "main" */
    const char *sha256;            /* of the file; NULL: not declared */
    const char *record;            /* "file@revision#sha256": names the completion record */
};

struct hub_model {
    const char *path;    /* of the file in the snapshot; in the caller's arena */
    char sha256[65];     /* of the file's bytes */
    uint64_t bytes;      /* of all files */
    uint64_t downloaded; /* of them now */
    bool hit;            /* nobody was asked */
};

/* Finds the model in the cache or downloads what is missing. A refresh asked for by the options happens once for
 * each file. Every failure leaves the cache as the official clients would: whole files only, and partial ones
 * under names that say so. hub.*, path.unsafe, file.*, the codes of reading a model. */
o2w_status hub_get(struct hub *h, const struct hub_request *request, struct arena *a,
                   struct diags *d, struct hub_model *out);

/* Reads ranges of a file without downloading it: what the skeleton of a model needs. */
struct hub_file;
o2w_status hub_file_open(struct hub *h, const struct hub_request *request, struct diags *d,
                         struct hub_file **out);
void hub_file_close(struct hub_file *f); /* NULL is fine */
uint64_t hub_file_size(const struct hub_file *f);
const char *hub_file_etag(const struct hub_file *f);
/* Exactly `size` bytes. hub.no-range: the server sends whole files only, and this one has more than 64 MiB. */
o2w_status hub_file_read(struct hub_file *f, uint64_t offset, void *to, size_t size,
                         struct diags *d);
/* Asks again what the file is, after its ranges were read: hub.corrupt when it is another one by now. */
o2w_status hub_file_unchanged(struct hub_file *f, struct diags *d);

#endif
