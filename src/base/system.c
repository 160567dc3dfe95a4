#include "base/system.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__linux__)

static unsigned affinity_cores(void)
{
    enum { MOST = 8192 };
    cpu_set_t *set = CPU_ALLOC(MOST);
    size_t size = CPU_ALLOC_SIZE(MOST);
    int count = 0;
    if (set && sched_getaffinity(0, size, set) == 0)
        count = CPU_COUNT_S(size, set);
    if (set)
        CPU_FREE(set);
    return count > 0 ? (unsigned)count : 0;
}

/* "QUOTA PERIOD" or "max PERIOD": cores that a container may use, 0 for no bound. */
static unsigned quota_cores(void)
{
    char text[64];
    int file = open("/sys/fs/cgroup/cpu.max", O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    char *end;
    unsigned long quota = strtoul(text, &end, 10), period = strtoul(end, NULL, 10);
    if (end == text || quota == 0 || period == 0)
        return 0;
    unsigned long cores = (quota + period - 1) / period;
    return cores < 8192 ? (unsigned)cores : 0;
}

#else

static unsigned affinity_cores(void)
{
    return 0;
}

static unsigned quota_cores(void)
{
    return 0;
}

#endif

unsigned system_cores(void)
{
    unsigned cores = affinity_cores(), quota = quota_cores();
    long online = cores ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    if (cores == 0)
        cores = online > 0 ? (unsigned)online : 1;
    return quota && quota < cores ? quota : cores;
}

const char *system_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

const char *system_cache_folder(struct arena *a)
{
    const char *base = system_variable("XDG_CACHE_HOME"), *home = system_variable("HOME");
    if (base && base[0] == '/')
        return base;
#if defined(__APPLE__)
    return home ? arena_printf(a, "%s/Library/Caches", home) : NULL;
#else
    return home ? arena_printf(a, "%s/.cache", home) : NULL;
#endif
}

/* The number in a file of the system; 0 for "max" and what is no number. */
static uint64_t file_number(const char *path, const char *key)
{
    char line[256];
    uint64_t value = 0;
    FILE *f = fopen(path, "re");
    while (f && !value && fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0)
            value = strtoull(line + strlen(key), NULL, 10);
    if (f)
        (void)fclose(f);
    return value;
}

uint64_t system_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
    uint64_t free_now = file_number("/proc/meminfo", "MemAvailable:") * 1024;
    uint64_t group = file_number("/sys/fs/cgroup/memory.max", "");
    if (free_now && free_now < all)
        all = free_now;
    return group && group < all ? group : all;
}

void system_return_large_blocks(void)
{
#if defined(__GLIBC__)
    enum {
        LARGE = 1 << 20
    }; /* else grows to that of the largest block freed so far, up to 32 MiB */
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, LARGE);
#endif
}

const char *system_signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = { { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
                  { SIGILL, "SIGILL" },   { SIGABRT, "SIGABRT" }, { SIGKILL, "SIGKILL" },
                  { SIGTERM, "SIGTERM" }, { SIGINT, "SIGINT" },   { SIGHUP, "SIGHUP" },
                  { SIGPIPE, "SIGPIPE" }, { SIGTRAP, "SIGTRAP" }, { SIGSYS, "SIGSYS" },
                  { SIGXCPU, "SIGXCPU" }, { SIGXFSZ, "SIGXFSZ" } };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "a signal";
}

uint64_t system_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const void *system_zeros(uint64_t size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *zeros;
    static uint64_t held;
    pthread_mutex_lock(&lock);
    if (size > held && size <= SIZE_MAX / 2) {
        uint64_t want = size > held * 2 ? size : held * 2; /* earlier ones stay where they are */
        void *more =
            mmap(NULL, (size_t)want, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (more != MAP_FAILED) {
            zeros = more;
            held = want;
        }
    }
    const void *result = size <= held ? zeros : NULL;
    pthread_mutex_unlock(&lock);
    return result;
}
