/* What etags say of the bytes: SHA-256 of large files, the git object's SHA-1 of others. */
#include "base/system.h"
#include "base/text.h"
#include "hub/internal.h"
#include "onnx/sha1.h"

#include "base/log.h"

#include <string.h>

struct hub_digest {
    enum hub_digest_kind kind;
    uint64_t length;
    struct sha256 sha256;
    struct sha1 sha1;
};

enum hub_digest_kind hub_digest_of(const char *etag)
{
    size_t size = strlen(etag);
    if (strspn(etag, "0123456789abcdef") != size)
        return HUB_DIGEST_NONE;
    return size == 64 ? HUB_DIGEST_SHA256 : size == 40 ? HUB_DIGEST_GIT : HUB_DIGEST_NONE;
}

struct hub_digest *hub_digest_new(const char *etag, uint64_t length, struct arena *a)
{
    struct hub_digest *g = ARENA_NEW(a, struct hub_digest);
    if (!g)
        return NULL;
    g->kind = hub_digest_of(etag);
    g->length = length;
    hub_digest_restart(g);
    return g;
}

void hub_digest_restart(struct hub_digest *g)
{
    char head[40];
    sha256_begin(&g->sha256);
    sha1_begin(&g->sha1);
    int size = text_format(head, sizeof head, "blob %llu", (unsigned long long)g->length);
    sha1_add(&g->sha1, head, (size_t)size + 1); /* its NUL too */
}

void hub_digest_add(struct hub_digest *g, struct span data)
{
    if (g->kind == HUB_DIGEST_SHA256)
        sha256_add(&g->sha256, data.data, data.size);
    else if (g->kind == HUB_DIGEST_GIT)
        sha1_add(&g->sha1, data.data, data.size);
}

bool hub_digest_matches(struct hub_digest *g, const char *etag)
{
    uint8_t bytes[32];
    char text[65];
    if (g->kind == HUB_DIGEST_NONE)
        return true;
    if (g->kind == HUB_DIGEST_SHA256)
        sha256_end(&g->sha256, bytes);
    else
        sha1_end(&g->sha1, bytes);
    hex_print(bytes, g->kind == HUB_DIGEST_SHA256 ? 32 : 20, text);
    return strcmp(text, etag) == 0;
}

o2w_status hub_file_sha256(struct hub *h, const char *path, struct diags *d, char text[65])
{
    enum { BLOCK = 1 << 20 };
    struct file *f;
    struct sha256 sum;
    uint8_t digest[32], *buffer = mem_alloc(h->allocator, BLOCK);
    if (!buffer)
        return diag_memory(d);
    o2w_status s = file_open(path, h->allocator, d, &f);
    uint64_t size = s == O2W_OK ? f->size : 0;
    sha256_begin(&sum);
    for (uint64_t at = 0; s == O2W_OK && at < size;) {
        size_t part = size - at < BLOCK ? (size_t)(size - at) : BLOCK;
        s = file_read(f, at, buffer, part, d);
        sha256_add(&sum, buffer, part);
        at += part;
        if (s == O2W_OK && progress_poll(h->environment, "verifying", at, size) != O2W_OK)
            s = diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
    }
    if (size || s == O2W_OK)
        file_release(f);
    mem_free(h->allocator, buffer, BLOCK);
    sha256_end(&sum, digest);
    hex_print(digest, sizeof digest, text);
    return s;
}
