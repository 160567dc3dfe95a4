#include "cli/cli.h"

struct version_args {
    struct common_args common;
};

static const struct option_row version_options[] = { COMMON_OPTIONS(struct version_args),
                                                     COMMON_JSON(struct version_args) };

static int run_version(struct cli *c, const void *args, const struct text_list *positionals)
{
    size_t count;
    const webnn_backend_info *all = webnn_backends(&count);
    (void)args;
    (void)positionals;
    cli_print(c,
              "onnx2webnn %s\nonnx opsets 1-26\nwebnn format 2\ncompiled backends:", o2w_version());
    json_key(&c->json, "opsets");
    json_open(&c->json, '{');
    json_key(&c->json, "min");
    json_put_i64(&c->json, 1);
    json_key(&c->json, "max");
    json_put_i64(&c->json, 26);
    json_close(&c->json, '}');
    json_key(&c->json, "formats");
    json_open(&c->json, '[');
    json_put_i64(&c->json, 1);
    json_put_i64(&c->json, 2);
    json_close(&c->json, ']');
    json_key(&c->json, "backends");
    json_open(&c->json, '[');
    for (size_t i = 0; i < count; i++) {
        cli_print(c, " %s", all[i].name);
        json_put_text(&c->json, all[i].name);
    }
    json_close(&c->json, ']');
    cli_print(c, "\n");
    return cli_finish(c, "listed", 0);
}

const struct command command_version = { .name = "version",
                                         .summary = "version, opsets, formats, backends",
                                         ROWS(version_options),
                                         .args_size = sizeof(struct version_args),
                                         .run = run_version };
