/* What a call says and asks while it works, through the caller's environment. `e` may be NULL. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/span.h"

const o2w_allocator *environment_allocator(const o2w_environment *e);
/* Whether a text of this level goes anywhere: ask before costly preparations. */
bool log_enabled(const o2w_environment *e, o2w_log_level level);
/* One text without final newline; nothing when the level is off. */
void log_text(const o2w_environment *e, o2w_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether the caller listens: without it progress_poll always says O2W_OK. */
bool progress_wanted(const o2w_environment *e);
/* O2W_CANCELLED when the caller wants the work to stop, else O2W_OK. `total` 0: unknown. */
o2w_status progress_poll(const o2w_environment *e, const char *stage, uint64_t done,
                         uint64_t total);

#endif
