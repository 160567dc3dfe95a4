/* The cache's folders, and the digests that name what lies there. */
#ifndef HUB_CACHE_H
#define HUB_CACHE_H

#include "hub/http.h"
#include "hub/hub.h"

enum { HUB_ETAG = 128 };

/* What a server says of a file. */
struct hub_about {
    char commit[HTTP_TEXT], etag[HUB_ETAG];
    uint64_t length;
};

/* --- digests ------------------------------------------------------------------------------------------ */

enum hub_digest_kind { HUB_DIGEST_NONE, HUB_DIGEST_SHA256, HUB_DIGEST_GIT };
enum hub_digest_kind hub_digest_of(const char *etag);
struct hub_digest;
/* `length` of the whole file: a git blob's digest begins with it. NULL when memory is out. */
struct hub_digest *hub_digest_new(const char *etag, uint64_t length, struct arena *a);
void hub_digest_restart(struct hub_digest *g);
void hub_digest_add(struct hub_digest *g, struct span data);
/* Whether everything added is what the etag says; true for etags that say nothing. */
bool hub_digest_matches(struct hub_digest *g, const char *etag);
/* SHA-256 of a file as hexadecimal text. */
o2w_status hub_file_sha256(struct hub *h, const char *path, struct diags *d, char text[65]);

/* --- the cache ---------------------------------------------------------------------------------------- */

/* The places of a repository: <root>/models--ORG--REPO and what is below. */
struct hub_places {
    const char *folder, *blobs, *snapshots, *refs, *locks;
};
o2w_status hub_places(const struct hub *h, const char *repository, struct arena *a, struct diags *d,
                      struct hub_places *out);
/* An exclusive lock between processes, released by closing the descriptor. */
o2w_status hub_lock(struct hub *h, const struct hub_places *p, const char *etag, struct diags *d,
                    int *descriptor);
/* snapshots/<commit>/<path> → blobs/<etag>, refs/<revision>; both atomically. */
o2w_status hub_link(const struct hub_places *p, const struct hub_request *r,
                    const struct hub_about *about, struct arena *a, struct diags *d);
/* The path in the snapshot of a commit. */
const char *hub_snapshot_path(const struct hub_places *p, const char *commit, const char *path,
                              struct arena *a);
/* The commit of a revision as the cache knows it; false: unknown. */
bool hub_cached_commit(const struct hub_places *p, const char *revision, struct arena *a,
                       char commit[HTTP_TEXT]);
/* Writes a small file through a temporary one, to disk. */
o2w_status hub_write_text(const char *path, const char *text, struct diags *d);
/* hub.disk-full unless `needed` bytes and a reserve of 64 MiB fit into the folder. */
o2w_status hub_check_space(const char *folder, uint64_t needed, struct diags *d);

#endif
