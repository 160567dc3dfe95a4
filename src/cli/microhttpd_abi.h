/* What is used of libmicrohttpd 0.9.71 or newer (its soname 12), which is loaded when a folder is served. */
#ifndef CLI_MICROHTTPD_ABI_H
#define CLI_MICROHTTPD_ABI_H

#include <stddef.h>
#include <stdint.h>

#define MICROHTTPD_SONAME "libmicrohttpd.so.12"

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;

enum { HTTPD_NO, HTTPD_YES };
enum { HTTPD_INTERNAL_POLLING_THREAD = 8, HTTPD_IPV6 = 16, HTTPD_AUTO = 65536 };
enum { HTTPD_OPTION_END = 0, HTTPD_OPTION_CONNECTION_LIMIT = 2, HTTPD_OPTION_SOCK_ADDR = 6 };
enum { HTTPD_HEADER_KIND = 1 };
enum { HTTPD_COPY = 2 };

typedef int mhd_handler(void *user, struct MHD_Connection *connection, const char *url,
                        const char *method, const char *version, const char *upload,
                        size_t *upload_size, void **state);

/* The functions, by name. */
struct microhttpd {
    struct MHD_Daemon *(*start)(unsigned flags, uint16_t port, void *accept, void *accept_user,
                                mhd_handler *handler, void *handler_user, ...);
    void (*stop)(struct MHD_Daemon *daemon);
    struct MHD_Response *(*from_file)(uint64_t size, int descriptor, uint64_t offset);
    struct MHD_Response *(*from_buffer)(size_t size, void *buffer, int mode);
    int (*add_header)(struct MHD_Response *response, const char *name, const char *value);
    int (*queue)(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);
    void (*destroy)(struct MHD_Response *response);
    const char *(*header)(struct MHD_Connection *connection, int kind, const char *name);
};

#endif
