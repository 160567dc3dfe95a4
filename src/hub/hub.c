/* Settings: where the cache is, whom to ask, with which token. */
#include "hub/internal.h"

#include "base/intern.h"
#include "base/log.h"
#include "base/system.h"

#include <string.h>
#include <strings.h>
#include <time.h>

enum { TOKEN_LIMIT = 64 << 10, DEFAULT_JOBS = 4 };

static const char default_endpoint[] = "https://huggingface.co";

/* --- settings ----------------------------------------------------------------------------------------- */

static const char *below(struct arena *a, const char *folder, const char *name)
{
    return folder ? arena_printf(a, "%s/%s", folder, name) : NULL;
}

static const char *find_root(struct arena *a)
{
    const char *first[] = { system_variable("O2W_ONNX_CACHE"),
                            below(a, system_variable("O2W_CACHE_DIR"), "onnx"),
                            system_variable("HF_HUB_CACHE"),
                            system_variable("HUGGINGFACE_HUB_CACHE"),
                            below(a, system_variable("HF_HOME"), "hub"),
                            below(a, system_cache_folder(a), "huggingface/hub") };
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i])
            return first[i];
    return NULL;
}

static o2w_status set_root(struct hub *h, struct diags *d)
{
    const char *root = find_root(&h->arena);
    if (!root) {
        o2w_status s =
            diag_error(d, DIAG_CACHE_FOLDER, "no place for the model cache can be derived");
        diag_hint(d, "set O2W_CACHE_DIR, HF_HUB_CACHE, HF_HOME or HOME");
        return s;
    }
    char *canonical;
    TRY(folder_create(root, 0700, d));
    TRY(path_canonical(root, &h->arena, d, &canonical));
    h->root = canonical;
    return O2W_OK;
}

/* The first line of the token file, without blanks; none where the file cannot be read. */
static const char *read_token(struct hub *h, const char *path)
{
    struct span text;
    if (!path || !path_is_file(path) ||
        file_read_all(path, TOKEN_LIMIT, &h->arena, NULL, &text) != O2W_OK)
        return NULL;
    text = span_trim(text);
    return text.size ? arena_text(&h->arena, text) : NULL;
}

static bool is_token(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c == 0x7f)
            return false;
    return *text != '\0';
}

static void set_token(struct hub *h)
{
    struct arena *a = &h->arena;
    const char *given = system_variable("HF_TOKEN"), *path = system_variable("HF_TOKEN_PATH");
    const char *home = system_variable("HF_HOME");
    if (!home)
        home = below(a, system_cache_folder(a), "huggingface");
    if (given)
        h->token = arena_text(a, span_trim(span_of(given)));
    else
        h->token = read_token(h, path ? path : below(a, home, "token"));
    if (h->token && !is_token(h->token))
        h->token = NULL;
}

static bool is_yes(const char *text)
{
    static const char *const words[] = { "1", "true", "yes", "on" };
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static o2w_status set_endpoint(struct hub *h, struct diags *d)
{
    struct url url;
    const char *given = system_variable("HF_ENDPOINT");
    struct span text = span_of(given ? given : default_endpoint);
    while (span_ends(text, SPAN("/")))
        text.size--;
    h->endpoint = arena_text(&h->arena, text);
    if (!h->endpoint)
        return diag_memory(d);
    if (url_parse(h->endpoint, &url))
        return O2W_OK;
    o2w_status s = diag_error(d, DIAG_HUB_PROTOCOL,
                              "HF_ENDPOINT is '%s', must be http://… or https://…", h->endpoint);
    return s;
}

static o2w_status set_up(struct hub *h, struct diags *d)
{
    TRY(set_root(h, d));
    TRY(set_endpoint(h, d));
    set_token(h);
    h->refreshed = ARENA_NEW(&h->arena, struct map);
    if (!h->refreshed)
        return diag_memory(d);
    map_init(h->refreshed, h->allocator);
    return O2W_OK;
}

o2w_status hub_open(const struct hub_options *o, struct diags *d, struct hub **out)
{
    const o2w_allocator *allocator = environment_allocator(o->environment);
    struct hub *h = mem_alloc(allocator, sizeof *h);
    if (!h)
        return diag_memory(d);
    *h = (struct hub){ .allocator = allocator,
                       .environment = o->environment,
                       .offline = o->offline || is_yes(system_variable("HF_HUB_OFFLINE")),
                       .refresh = o->refresh || system_variable("O2W_MODEL_CACHE_REFRESH"),
                       .jobs = o->jobs ? o->jobs : DEFAULT_JOBS };
    arena_init(&h->arena, allocator);
    o2w_status s = set_up(h, d);
    if (s == O2W_OK)
        *out = h;
    else
        hub_close(h);
    return s;
}

void hub_close(struct hub *h)
{
    if (!h)
        return;
    http_close(h->http);
    if (h->refreshed)
        map_free(h->refreshed);
    arena_free(&h->arena);
    mem_free(h->allocator, h, sizeof *h);
}

/* --- network ------------------------------------------------------------------------------------------ */

/* Percent-encodes everything but unreserved characters and '/'. */
static const char *encoded(struct arena *a, const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_array(a, strlen(text) + 1, 3, 1), *to = out;
    for (const char *c = text; out && *c; c++) {
        uint8_t byte = (uint8_t)*c, lower = byte | 0x20;
        bool plain =
            (lower >= 'a' && lower <= 'z') || (byte >= '0' && byte <= '9') || strchr("-._~/", byte);
        if (plain) {
            *to++ = *c;
        } else {
            *to++ = '%';
            *to++ = digits[byte >> 4];
            *to++ = digits[byte & 15];
        }
    }
    return out;
}

const char *hub_url(const struct hub *h, const char *repository, const char *revision,
                    const char *path, struct arena *a)
{
    const char *repo = encoded(a, repository), *rev = encoded(a, revision), *p = encoded(a, path);
    return repo && rev && p ? arena_printf(a, "%s/%s/resolve/%s/%s", h->endpoint, repo, rev, p)
                            : NULL;
}

const char *hub_token_for(const struct hub *h, const char *url)
{
    struct url to, home;
    if (!h->token || !url_parse(url, &to) || !url_parse(h->endpoint, &home))
        return NULL;
    return url_same_origin(&to, &home) && url_is_private(&to) ? h->token : NULL;
}

o2w_status hub_online(struct hub *h, const char *what, struct diags *d)
{
    if (h->offline)
        return diag_error(d, DIAG_HUB_OFFLINE,
                          "%s is not in the cache and the network is switched off", what);
    return h->http ? O2W_OK : http_open(h->allocator, d, &h->http);
}

o2w_status hub_pause(struct hub *h, double seconds, struct diags *d)
{
    const struct timespec step = { .tv_nsec = 50000000 };
    uint64_t until = system_clock_ns() + (uint64_t)(seconds * 1e9);
    while (system_clock_ns() < until) {
        if (progress_poll(h->environment, "waiting for the hub", 0, 0) != O2W_OK)
            return diag_error(d, DIAG_INTERRUPTED, "cancelled by the caller");
        nanosleep(&step, NULL);
    }
    return O2W_OK;
}
