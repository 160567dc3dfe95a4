/* What the files of the file layer share. */
#ifndef BASE_FILE_INTERNAL_H
#define BASE_FILE_INTERNAL_H

#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>

/* To open a folder as a place to start from; it need not be readable where the system allows. */
#ifdef O_PATH
enum { FOLDER_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC };
#else
enum { FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif

/* file.read: "cannot VERB 'PATH': REASON", with the file. */
o2w_status file_read_failed(struct diags *d, const char *verb, const char *path,
                            const char *reason);
/* "a folder", "a device" …: what a file is that should be regular. */
const char *file_kind(mode_t mode);
/* Wraps a descriptor, which is closed on failure. What is not a regular file fails with `code`. */
o2w_status file_from_descriptor(int descriptor, const char *path, enum diag_code code,
                                const o2w_allocator *allocator, struct diags *d, struct file **out);

#endif
