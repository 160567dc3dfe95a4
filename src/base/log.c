#include "base/log.h"

#include "base/arena.h"
#include "base/text.h"

/* Whether the caller's struct is recent enough to have the member. Size 0 is a zeroed struct. */
#define HAS(e, member) \
    ((e) && ((e)->size == 0 || (e)->size >= offsetof(o2w_environment, member) + sizeof(e)->member))

const o2w_allocator *environment_allocator(const o2w_environment *e)
{
    return HAS(e, allocator) && e->allocator.resize ? &e->allocator : &mem_default;
}

bool log_enabled(const o2w_environment *e, o2w_log_level level)
{
    return HAS(e, log) && e->log && level != O2W_LOG_OFF && level <= e->log_level;
}

void log_text(const o2w_environment *e, o2w_log_level level, const char *format, ...)
{
    if (!log_enabled(e, level))
        return;
    char text[2048]; /* longer ones are cut: a log must not need memory */
    va_list args;
    va_start(args, format);
    if (text_vformat(text, sizeof text, format, args) >= 0)
        e->log(HAS(e, user) ? e->user : NULL, level, text);
    va_end(args);
}

bool progress_wanted(const o2w_environment *e)
{
    return HAS(e, progress) && e->progress;
}

o2w_status progress_poll(const o2w_environment *e, const char *stage, uint64_t done, uint64_t total)
{
    if (!progress_wanted(e))
        return O2W_OK;
    return e->progress(HAS(e, user) ? e->user : NULL, stage, done, total) ? O2W_CANCELLED : O2W_OK;
}
