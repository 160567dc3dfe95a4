#include "support/test.h"

#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct temp_folder folder;

static int begin(void **state)
{
    (void)state;
    temp_folder_create(&folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    temp_folder_remove(&folder);
    return 0;
}

/* Bytes that differ from place to place. */
static uint8_t *pattern(size_t size)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(i ^ i >> 8 ^ i >> 16);
    return bytes;
}

static const char *text(const char *format, const char *path)
{
    static char texts[512];
    snprintf(texts, sizeof texts, format, path);
    return texts;
}

/* ---- reading ---- */

static void a_file_is_mapped_and_read(void **state)
{
    (void)state;
    struct file *f;
    struct span bytes, again;
    char part[4] = "";
    assert_ok(file_open(temp_write(&folder, "f", "0123456789", 10), NULL, NULL, &f));
    assert_int_equal(f->size, 10);
    assert_ok(file_bytes(f, NULL, &bytes));
    assert_span(bytes, "0123456789");
    assert_ok(file_bytes(f, NULL, &again));
    assert_ptr_equal(bytes.data, again.data);
    assert_ok(file_read(f, 3, part, 3, NULL));
    assert_string_equal(part, "345");
    assert_ok(file_read(f, 10, part, 0, NULL));
    assert_ok(file_unchanged(f, NULL));
    file_release(f);
}

static void an_empty_file_has_no_bytes(void **state)
{
    (void)state;
    struct file *f;
    struct span bytes = SPAN("x");
    assert_ok(file_open(temp_write(&folder, "f", "", 0), NULL, NULL, &f));
    assert_ok(file_bytes(f, NULL, &bytes));
    assert_int_equal(bytes.size, 0);
    file_release(f);
}

static void two_paths_of_one_file_have_one_identity(void **state)
{
    (void)state;
    struct file *a, *b, *c;
    assert_ok(file_open(temp_write(&folder, "f", "x", 1), NULL, NULL, &a));
    assert_int_equal(symlink("f", temp_path(&folder, "g")), 0);
    assert_ok(file_open(temp_path(&folder, "g"), NULL, NULL, &b));
    assert_ok(file_open(temp_write(&folder, "h", "x", 1), NULL, NULL, &c));
    assert_true(a->device == b->device && a->inode == b->inode);
    assert_true(a->inode != c->inode);
    file_release(a);
    file_release(b);
    file_release(c);
}

static void what_cannot_be_opened_is_said_in_the_systems_words(void **state)
{
    (void)state;
    struct file *f = NULL;
    struct diags d;
    diags_init(&d, NULL);
    const char *path = temp_path(&folder, "none");
    assert_status(file_open(path, NULL, &d, &f), O2W_IO);
    assert_diag(&d, 0, DIAG_FILE_READ, text("cannot open '%s': no such file or directory", path));
    assert_string_equal(d.first->file, path);
    assert_null(f);
    diags_free(&d);
}

static void only_regular_files_are_opened(void **state)
{
    (void)state;
    struct file *f = NULL;
    struct diags d;
    diags_init(&d, NULL);
    assert_status(file_open(folder.path, NULL, &d, &f), O2W_IO);
    assert_diag(&d, 0, DIAG_FILE_READ,
                text("'%s' is a folder, expected a regular file", folder.path));
    const char *pipe_path = temp_path(&folder, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_status(file_open(pipe_path, NULL, &d, &f), O2W_IO);
    assert_diag(&d, 1, DIAG_FILE_READ, text("'%s' is a pipe, expected a regular file", pipe_path));
    assert_status(file_open("/dev/null", NULL, &d, &f), O2W_IO);
    assert_diag(&d, 2, DIAG_FILE_READ, "'/dev/null' is a device, expected a regular file");
    diags_free(&d);
}

static void a_file_that_was_cut_is_an_error(void **state)
{
    (void)state;
    struct file *f;
    struct diags d;
    char to[10];
    diags_init(&d, NULL);
    const char *path = temp_write(&folder, "f", "0123456789", 10);
    assert_ok(file_open(path, NULL, NULL, &f));
    assert_int_equal(truncate(path, 5), 0);
    assert_status(file_read(f, 0, to, 10, &d), O2W_IO);
    assert_diag(&d, 0, DIAG_FILE_CHANGED,
                text("'%s' ends before byte 10: it was changed while it was read", path));
    assert_status(file_unchanged(f, &d), O2W_IO);
    assert_diag(&d, 1, DIAG_FILE_CHANGED, text("'%s' was changed while it was read", path));
    assert_status(file_read(f, UINT64_MAX, to, 2, &d), O2W_IO);
    file_release(f);
    diags_free(&d);
}

static void a_newer_time_is_a_change(void **state)
{
    (void)state;
    struct file *f;
    const char *path = temp_write(&folder, "f", "0123456789", 10);
    assert_ok(file_open(path, NULL, NULL, &f));
    struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1000 } };
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_status(file_unchanged(f, NULL), O2W_IO);
    file_release(f);
}

static void who_opens_one_file_shares_one_object(void **state)
{
    (void)state;
    struct file *a, *b, *c;
    const char *path = temp_write(&folder, "f", "old", 3);
    assert_int_equal(symlink("f", temp_path(&folder, "g")), 0);
    assert_ok(file_open_shared(path, NULL, &a));
    assert_ok(file_open_shared(temp_path(&folder, "g"), NULL, &b));
    assert_ptr_equal(a, b);
    temp_write(&folder, "new", "newer", 5);
    assert_int_equal(rename(temp_path(&folder, "new"), path), 0);
    assert_ok(file_open_shared(path, NULL, &c));
    assert_ptr_not_equal(a, c);
    assert_span(a->mapping, "old");
    assert_span(c->mapping, "newer");
    file_release(a);
    file_release(c);
    file_release(b);
    assert_ok(file_open_shared(path, NULL, &a));
    file_release(a);
    assert_status(file_open_shared(folder.path, NULL, &a), O2W_IO);
}

static void memory_can_be_a_file(void **state)
{
    (void)state;
    struct file *f;
    struct span bytes;
    char part[4] = "";
    assert_ok(file_from_bytes(SPAN("0123456789"), "memory", NULL, &f));
    assert_string_equal(f->path, "memory");
    assert_ok(file_bytes(f, NULL, &bytes));
    assert_span(bytes, "0123456789");
    assert_ok(file_read(f, 7, part, 3, NULL));
    assert_string_equal(part, "789");
    assert_status(file_read(f, 8, part, 3, NULL), O2W_IO);
    assert_ok(file_unchanged(f, NULL));
    assert_ptr_equal(file_retain(f), f);
    file_release(f);
    assert_int_equal(f->references, 1);
    file_release(f);
    file_release(NULL);
}

static void a_whole_file_is_read_up_to_a_limit(void **state)
{
    (void)state;
    struct arena a;
    struct span bytes;
    struct diags d;
    arena_init(&a, NULL);
    diags_init(&d, NULL);
    const char *path = temp_write(&folder, "f", "0123456789", 10);
    assert_ok(file_read_all(path, 10, &a, NULL, &bytes));
    assert_span(bytes, "0123456789");
    assert_int_equal(bytes.data[10], 0);
    assert_status(file_read_all(path, 9, &a, &d, &bytes), O2W_RANGE);
    assert_diag(&d, 0, DIAG_LIMIT, "file size 10 exceeds the limit 9");
    diags_free(&d);
    arena_free(&a);
}

/* ---- writing ---- */

static void a_file_appears_when_it_is_committed(void **state)
{
    (void)state;
    struct file_writer *w;
    const char *path = temp_write(&folder, "f", "old", 3);
    assert_ok(file_create(path, NULL, NULL, &w));
    assert_ok(file_write(w, "new ", 4, NULL));
    assert_ok(file_write(w, "text", 4, NULL));
    assert_int_equal(file_written(w), 8);
    assert_file(path, "old", 3);
    assert_int_equal(temp_count(&folder), 2);
    assert_ok(file_commit(w, true, NULL));
    assert_file(path, "new text", 8);
    assert_int_equal(temp_count(&folder), 1);
}

static void a_discarded_file_leaves_the_old_one(void **state)
{
    (void)state;
    struct file_writer *w;
    const char *path = temp_write(&folder, "f", "old", 3);
    assert_ok(file_create(path, NULL, NULL, &w));
    assert_ok(file_write(w, "new", 3, NULL));
    file_discard(w);
    file_discard(NULL);
    assert_file(path, "old", 3);
    assert_int_equal(temp_count(&folder), 1);
}

static void writes_of_any_size_keep_their_order(void **state)
{
    (void)state;
    static const size_t sizes[] = { 1, 1000, 1048575, 2, 1048576, 0, 3000000, 7, 500000, 600000 };
    struct file_writer *w;
    uint8_t *bytes = pattern(8000000);
    size_t total = 0;
    const char *path = temp_path(&folder, "f");
    assert_ok(file_create(path, NULL, NULL, &w));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_ok(file_write(w, bytes + total, sizes[i], NULL));
        total += sizes[i];
        assert_int_equal(file_written(w), total);
    }
    assert_ok(file_commit(w, false, NULL));
    assert_file(path, bytes, total);
    free(bytes);
}

static void ranges_are_copied_from_file_to_file(void **state)
{
    (void)state;
    enum { SIZE = 5000000 };
    uint8_t *bytes = pattern(SIZE), *wanted = pattern(SIZE);
    struct file_writer *w;
    struct file *from, *memory;
    const char *path = temp_path(&folder, "to");
    assert_ok(file_open(temp_write(&folder, "from", bytes, SIZE), NULL, NULL, &from));
    assert_ok(file_from_bytes((struct span){ bytes, SIZE }, "m", NULL, &memory));
    assert_ok(file_create(path, NULL, NULL, &w));
    assert_ok(file_write(w, "head", 4, NULL));
    assert_ok(file_write_from(w, from, 123, 3000001, NULL));
    assert_ok(file_write_from(w, from, 7, 1000, NULL));
    assert_ok(file_write_from(w, from, 0, 0, NULL));
    assert_ok(file_write_from(w, memory, 99, 1500000, NULL));
    assert_ok(file_write(w, "tail", 4, NULL));
    assert_ok(file_commit(w, false, NULL));
    memcpy(wanted, "head", 4);
    memcpy(wanted + 4, bytes + 123, 3000001);
    memcpy(wanted + 3000005, bytes + 7, 1000);
    memcpy(wanted + 3001005, bytes + 99, 1500000);
    memcpy(wanted + 4501005, "tail", 4);
    assert_file(path, wanted, 4501009);
    file_release(from);
    file_release(memory);
    free(bytes);
    free(wanted);
}

static void a_source_that_was_cut_fails_the_copy(void **state)
{
    (void)state;
    enum { SIZE = 1000000 };
    uint8_t *bytes = pattern(SIZE);
    struct file_writer *w;
    struct file *from;
    struct diags d;
    diags_init(&d, NULL);
    const char *path = temp_write(&folder, "from", bytes, SIZE);
    assert_ok(file_open(path, NULL, NULL, &from));
    assert_int_equal(truncate(path, SIZE / 2), 0);
    assert_ok(file_create(temp_path(&folder, "to"), NULL, NULL, &w));
    assert_status(file_write_from(w, from, 0, SIZE, &d), O2W_IO);
    assert_int_equal(d.first->code, DIAG_FILE_CHANGED);
    assert_status(file_write(w, "x", 1, &d), O2W_IO);
    assert_status(file_commit(w, false, &d), O2W_IO);
    assert_int_equal(d.count, 1);
    assert_int_equal(temp_count(&folder), 1);
    file_release(from);
    diags_free(&d);
    free(bytes);
}

static void a_missing_folder_is_an_error(void **state)
{
    (void)state;
    struct file_writer *w = NULL;
    struct diags d;
    diags_init(&d, NULL);
    const char *path = temp_path(&folder, "none/f");
    assert_status(file_create(path, NULL, &d, &w), O2W_IO);
    assert_diag(&d, 0, DIAG_FILE_WRITE, text("cannot write '%s': no such file or directory", path));
    assert_null(w);
    diags_free(&d);
}

static void only_files_are_replaced(void **state)
{
    (void)state;
    struct file_writer *w;
    struct diags d;
    diags_init(&d, NULL);
    const char *path = temp_path(&folder, "sub");
    assert_int_equal(mkdir(path, 0777), 0);
    assert_status(file_create(path, NULL, &d, &w), O2W_IO);
    assert_diag(&d, 0, DIAG_FILE_WRITE,
                text("cannot write '%s': it is a folder, expected a file", path));
    assert_status(file_create(temp_path(&folder, "sub/"), NULL, &d, &w), O2W_IO);
    assert_status(file_create("/dev/null", NULL, &d, &w), O2W_IO);
    assert_diag(&d, 2, DIAG_FILE_WRITE,
                "cannot write '/dev/null': it is a device, expected a file");
    diags_free(&d);
}

static void a_folder_that_moves_takes_the_file_along(void **state)
{
    (void)state;
    struct file_writer *w;
    assert_int_equal(mkdir(temp_path(&folder, "a"), 0777), 0);
    assert_ok(file_create(temp_path(&folder, "a/f"), NULL, NULL, &w));
    assert_ok(file_write(w, "x", 1, NULL));
    assert_int_equal(rename(temp_path(&folder, "a"), temp_path(&folder, "b")), 0);
    assert_ok(file_commit(w, false, NULL));
    assert_file(temp_path(&folder, "b/f"), "x", 1);
}

static void the_current_folder_needs_no_name(void **state)
{
    (void)state;
    struct file_writer *w;
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder.path), 0);
    assert_ok(file_create("f", NULL, NULL, &w));
    assert_ok(file_commit(w, false, NULL));
    assert_int_equal(chdir(before), 0);
    assert_file(temp_path(&folder, "f"), "", 0);
}

/* A process that may write files of up to one million bytes only. */
static void a_full_disk_fails_once_and_leaves_nothing(void **state)
{
    (void)state;
    struct file_writer *w;
    struct diags d;
    struct rlimit before, small;
    uint8_t *bytes = pattern(3000000);
    diags_init(&d, NULL);
    const char *path = temp_path(&folder, "f");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_ok(file_create(path, NULL, &d, &w));
    o2w_status first = file_write(w, bytes, 3000000, &d);
    o2w_status second = file_write(w, bytes, 10, &d);
    o2w_status third = file_commit(w, false, &d);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_status(first, O2W_IO);
    assert_status(second, O2W_IO);
    assert_status(third, O2W_IO);
    assert_diag(&d, 0, DIAG_FILE_WRITE, text("cannot write '%s': file too large", path));
    assert_int_equal(d.count, 1);
    assert_int_equal(temp_count(&folder), 0);
    diags_free(&d);
    free(bytes);
}

static void no_space_has_a_code_of_its_own(void **state)
{
    (void)state;
    struct file_writer *w;
    struct diags d;
    diags_init(&d, NULL);
    assert_ok(file_create(temp_path(&folder, "f"), NULL, &d, &w));
    /* The descriptor of the temporary becomes one of a device that is always full. */
    int full = open("/dev/full", O_RDWR), last = dup(full);
    assert_true(full >= 0);
    for (int fd = 3; fd < last; fd++) {
        struct stat s;
        if (fd != full && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 0)
            assert_int_equal(dup2(full, fd), fd);
    }
    close(last);
    close(full);
    assert_ok(file_write(w, "x", 1, &d));
    assert_status(file_commit(w, false, &d), O2W_IO);
    assert_int_equal(d.first->code, DIAG_FILE_SPACE);
    assert_int_equal(temp_count(&folder), 0);
    diags_free(&d);
}

static void a_signal_removes_all_temporaries(void **state)
{
    (void)state;
    struct file_writer *a, *b;
    const char *path = temp_write(&folder, "f", "old", 3);
    assert_ok(file_create(path, NULL, NULL, &a));
    assert_ok(file_create(temp_path(&folder, "g"), NULL, NULL, &b));
    assert_int_equal(temp_count(&folder), 3);

    pid_t child = fork(); /* another process: not its files */
    if (child == 0) {
        files_discard_all();
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(temp_count(&folder), 3);

    files_discard_all();
    assert_int_equal(temp_count(&folder), 1);
    assert_status(file_commit(a, false, NULL), O2W_IO);
    file_discard(b);
    assert_file(path, "old", 3);
}

static void temporaries_are_named_after_the_process(void **state)
{
    (void)state;
    struct file_writer *w;
    char command[256];
    assert_ok(file_create(temp_path(&folder, "f"), NULL, NULL, &w));
    snprintf(command, sizeof command, "ls -A %s | grep -qE '^\\.o2w-%ld-[0-9]+\\.tmp$'",
             folder.path, (long)getpid());
    assert_int_equal(system(command), 0);
    file_discard(w);
}

static void as_many_writers_as_there_are_places(void **state)
{
    (void)state;
    enum { MOST = 256 };
    static struct file_writer *writers[MOST];
    struct diags d;
    struct file_writer *w;
    struct rlimit files;
    diags_init(&d, NULL);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_cur < MOST * 2 + 20)
        skip();
    const char *path = temp_path(&folder, "f");
    for (int i = 0; i < MOST; i++)
        assert_ok(file_create(path, NULL, NULL, &writers[i]));
    assert_status(file_create(path, NULL, &d, &w), O2W_RANGE);
    assert_int_equal(d.first->code, DIAG_LIMIT);
    for (int i = 0; i < MOST; i++)
        file_discard(writers[i]);
    assert_ok(file_create(path, NULL, NULL, &w));
    file_discard(w);
    diags_free(&d);
}

static o2w_status use_files(const o2w_allocator *allocator, void *user)
{
    (void)user;
    struct file *f;
    struct span bytes;
    struct arena a;
    struct file_writer *w;
    const char *path = temp_path(&folder, "f");
    TRY(file_create(path, allocator, NULL, &w));
    o2w_status status = file_write(w, "text", 4, NULL);
    if (status == O2W_OK)
        status = file_commit(w, false, NULL);
    else
        file_discard(w);
    TRY(status);
    TRY(file_open(path, allocator, NULL, &f));
    file_release(f);
    TRY(file_from_bytes(SPAN("x"), "x", allocator, &f));
    file_release(f);
    TRY(file_open_inside(folder.path, SPAN("f"), allocator, NULL, &f));
    file_release(f);
    arena_init(&a, allocator);
    status = file_read_all(path, 100, &a, NULL, &bytes);
    arena_free(&a);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_allocations(use_files, NULL) > 8);
    assert_int_equal(temp_count(&folder), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_is_mapped_and_read),
        TEST(an_empty_file_has_no_bytes),
        TEST(two_paths_of_one_file_have_one_identity),
        TEST(what_cannot_be_opened_is_said_in_the_systems_words),
        TEST(only_regular_files_are_opened),
        TEST(a_file_that_was_cut_is_an_error),
        TEST(a_newer_time_is_a_change),
        TEST(who_opens_one_file_shares_one_object),
        TEST(memory_can_be_a_file),
        TEST(a_whole_file_is_read_up_to_a_limit),
        TEST(a_file_appears_when_it_is_committed),
        TEST(a_discarded_file_leaves_the_old_one),
        TEST(writes_of_any_size_keep_their_order),
        TEST(ranges_are_copied_from_file_to_file),
        TEST(a_source_that_was_cut_fails_the_copy),
        TEST(a_missing_folder_is_an_error),
        TEST(only_files_are_replaced),
        TEST(a_folder_that_moves_takes_the_file_along),
        TEST(the_current_folder_needs_no_name),
        TEST(a_full_disk_fails_once_and_leaves_nothing),
        TEST(no_space_has_a_code_of_its_own),
        TEST(a_signal_removes_all_temporaries),
        TEST(temporaries_are_named_after_the_process),
        TEST(as_many_writers_as_there_are_places),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
