#include "hub/http.h"

#include <string.h>
#include <strings.h>

static bool same_text(struct span a, struct span b)
{
    return a.size == b.size &&
           (a.size == 0 || strncasecmp((const char *)a.data, (const char *)b.data, a.size) == 0);
}

static struct span port_of(const struct url *u)
{
    if (u->port.size)
        return u->port;
    return same_text(u->scheme, SPAN("https")) ? SPAN("443") : SPAN("80");
}

/* "user@" in front of a host is dropped; an address in brackets keeps them. */
static void cut_host(struct span authority, struct url *u)
{
    const uint8_t *at = authority.size ? memrchr(authority.data, '@', authority.size) : NULL;
    if (at)
        authority = (struct span){ at + 1, (size_t)(authority.data + authority.size - at) - 1 };
    u->host = authority;
    u->port = (struct span){ authority.data + authority.size, 0 };
    for (size_t i = authority.size; i-- > 0 && authority.data[i] != ']';)
        if (authority.data[i] == ':') {
            u->host.size = i;
            u->port = (struct span){ authority.data + i + 1, authority.size - i - 1 };
            break;
        }
}

bool url_parse(const char *text, struct url *out)
{
    const char *mark = strstr(text, "://");
    if (!mark)
        return false;
    const char *authority = mark + 3;
    size_t size = strcspn(authority, "/?#");
    out->scheme = (struct span){ (const uint8_t *)text, (size_t)(mark - text) };
    out->path = span_of(authority + size);
    cut_host((struct span){ (const uint8_t *)authority, size }, out);
    return out->host.size > 0 &&
           (same_text(out->scheme, SPAN("http")) || same_text(out->scheme, SPAN("https")));
}

bool url_same_origin(const struct url *a, const struct url *b)
{
    return same_text(a->scheme, b->scheme) && same_text(a->host, b->host) &&
           span_equal(port_of(a), port_of(b));
}

bool url_is_private(const struct url *u)
{
    return same_text(u->scheme, SPAN("https")) || same_text(u->host, SPAN("localhost")) ||
           span_is(u->host, "[::1]") || span_starts(u->host, SPAN("127."));
}
