/* Command lines against rows of their own, and the rows of all commands. */
#include "cli/command.h"
#include "support/test.h"

#include <string.h>

struct args {
    struct common_args common;
    bool flag, off;
    const char *text, *name;
    uint64_t number;
    unsigned choice;
    struct text_list texts;
    struct dim_list dims, bounds;
    struct pin_list pins;
    struct pair_list pairs;
    struct tolerance_list tolerances;
};

static const struct option_row rows[] = {
    OPT_SWITCH(struct args, flag, "flag", .letter = 'f', .help = ""),
    OPT_(struct args, off, "no-off", OPTION_OFF, .help = ""),
    OPT_TEXT(struct args, text, "text", "PATH", .letter = 't', .help = ""),
    OPT_NAME(struct args, name, "name", "NAME", .help = ""),
    OPT_NUMBER(struct args, number, "number", 1, 10, .help = ""),
    OPT_CHOICE(struct args, choice, "choice", "a|bb|ccc", .help = ""),
    OPT_(struct args, texts, "texts", OPTION_TEXTS, .help = ""),
    OPT_(struct args, dims, "dim", OPTION_BINDINGS, .help = ""),
    OPT_(struct args, bounds, "bound", OPTION_BINDINGS, .low = 2, .high = 5, .help = ""),
    OPT_(struct args, pins, "pin", OPTION_PINS, .help = ""),
    OPT_(struct args, pairs, "pair", OPTION_PAIRS, .help = ""),
    OPT_(struct args, tolerances, "tolerance", OPTION_TOLERANCES, .help = ""),
};

static const struct command sample = { .name = "sample",
                                       .summary = "",
                                       ROWS(rows),
                                       .args_size = sizeof(struct args),
                                       .positional = "FILE",
                                       .positional_max = 2,
                                       .positional_optional = true };

struct outcome {
    struct arena arena;
    struct diags diags;
    struct args args;
    struct text_list positionals;
    bool help;
    o2w_status status;
};

/* Arguments end at NULL. */
static struct outcome *parse(const char *const *arguments)
{
    static struct outcome o;
    static char copies[32][400];
    static char *argv[32];
    int argc = 0;
    arena_free(&o.arena);
    diags_free(&o.diags);
    o = (struct outcome){ .help = false };
    arena_init(&o.arena, NULL);
    diags_init(&o.diags, NULL);
    for (; arguments[argc]; argc++) {
        strcpy(copies[argc], arguments[argc]);
        argv[argc] = copies[argc];
    }
    o.status =
        options_parse(&sample, argc, argv, &o.arena, &o.diags, &o.args, &o.positionals, &o.help);
    return &o;
}

#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })

static void assert_good(const struct outcome *o)
{
    assert_int_equal(o->diags.count, 0);
    assert_ok(o->status);
}

static void assert_usage(const struct outcome *o, const char *message)
{
    assert_status(o->status, O2W_USAGE);
    assert_int_equal(o->diags.count, 1); /* the first one only */
    assert_string_equal(o->diags.first->message, message);
    assert_non_null(strstr(o->diags.first->hint, "see 'onnx2webnn sample --help'"));
}

static void every_form_of_a_value(void **state)
{
    (void)state;
    static const char *const forms[][3] = {
        { "--text", "v" }, { "--text=v" }, { "-t", "v" }, { "-tv" }, { "-t=v" }
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct outcome *o = parse(forms[i]);
        assert_good(o);
        assert_string_equal(o->args.text, "v");
    }
    assert_string_equal(PARSE("--text", "-")->args.text, "-");
    assert_string_equal(PARSE("--text=--flag")->args.text, "--flag");
    assert_string_equal(PARSE("--text=a=b")->args.text, "a=b");
}

static void switches(void **state)
{
    (void)state;
    assert_true(PARSE("--flag")->args.flag);
    assert_true(PARSE("-f")->args.flag);
    assert_usage(PARSE("--flag=1"), "option '--flag' takes no value, '1' is given");
    assert_usage(PARSE("-f", "--flag"), "option '--flag' given twice for 'sample'");
    assert_usage(PARSE("-ft"), "option '-f' takes no value, short options are not bundled: '-ft'");
}

static void numbers_are_whole_and_inside(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--number", "10")->args.number, 10);
    assert_int_equal(PARSE("--number", "007")->args.number, 7);
    static const char *const wrong[] = {
        "0", "11", "+1", "1.0", " 1", "0x1", "99999999999999999999"
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char message[100];
        (void)strcpy(message, "option '--number' is '");
        strcat(strcat(message, wrong[i]), "', must be an integer from 1 to 10");
        assert_usage(PARSE("--number", wrong[i]), message);
    }
}

static void words_of_a_choice(void **state)
{
    (void)state;
    assert_int_equal(PARSE("--choice", "ccc")->args.choice, 2);
    assert_usage(PARSE("--choice", "b"), "option '--choice' is 'b', must be one of a, bb, ccc");
    assert_usage(PARSE("--choice", "a|bb"),
                 "option '--choice' is 'a|bb', must be one of a, bb, ccc");
}

static void lists_keep_their_order(void **state)
{
    (void)state;
    struct outcome *o =
        PARSE("--texts", "a", "--texts=b", "--texts", "c", "--texts", "d", "--texts", "e");
    assert_good(o);
    assert_int_equal(o->args.texts.count, 5);
    assert_string_equal(o->args.texts.items[0], "a");
    assert_string_equal(o->args.texts.items[4], "e");
}

static void bindings_are_cut_at_the_last_equals_sign(void **state)
{
    (void)state;
    struct outcome *o = PARSE("--dim", " a=b = 4 ", "--dim", "n=0", "--dim=x=2147483647");
    assert_good(o);
    assert_string_equal(o->args.dims.items[0].name, "a=b");
    assert_int_equal(o->args.dims.items[0].value, 4);
    assert_int_equal(o->args.dims.items[1].value, 0);
    assert_int_equal(o->args.dims.items[2].value, INT32_MAX);
    assert_usage(PARSE("--bound", "n=6"),
                 "option '--bound': the value of 'n' is '6', must be an integer from 2 to 5");
    assert_usage(
        PARSE("--dim", "n=2147483648"),
        "option '--dim': the value of 'n' is '2147483648', must be an integer from 0 to 2147483647");
    assert_usage(PARSE("--dim", "=1"), "option '--dim' is '=1', must be NAME=VALUE");
    char longest[300];
    memset(longest, 'n', sizeof longest);
    strcpy(longest + 255, "=1");
    assert_good(PARSE("--dim", longest));
    strcpy(longest + 255, "n=1");
    assert_status(PARSE("--dim", longest)->status, O2W_USAGE);
}

static void pins_are_words_or_integers(void **state)
{
    (void)state;
    struct outcome *o = PARSE("--pin", "a=true", "--pin", "b=false", "--pin",
                              "c=-9223372036854775808", "--pin", "a=1");
    assert_good(o);
    assert_true(o->args.pins.items[0].is_bool && o->args.pins.items[0].value == 1);
    assert_true(o->args.pins.items[1].is_bool && o->args.pins.items[1].value == 0);
    assert_true(o->args.pins.items[2].value == INT64_MIN);
    assert_usage(PARSE("--pin", "a=1", "--pin", "a=2"),
                 "option '--pin' gives 'a' two values, 1 and 2");
    assert_status(PARSE("--pin", "a=0.5")->status, O2W_USAGE);
    assert_status(PARSE("--pin", "a=True")->status, O2W_USAGE);
    assert_status(PARSE("--pin", "a=9223372036854775808")->status, O2W_USAGE);
}

static void later_pairs_win(void **state)
{
    (void)state;
    struct outcome *o = PARSE("--pair", "k=1", "--pair", "l=", "--pair", "k=a=b");
    assert_good(o);
    assert_int_equal(o->args.pairs.count, 2);
    assert_string_equal(o->args.pairs.items[0].value, "a=b");
    assert_string_equal(o->args.pairs.items[1].value, "");
    assert_usage(PARSE("--pair", "=1"), "option '--pair' is '=1', must be KEY=VALUE");
}

static void tolerances_are_two_numbers(void **state)
{
    (void)state;
    struct outcome *o = PARSE("--tolerance", "float32=1e-3,0", "--tolerance=int8=1,0.5");
    assert_good(o);
    assert_true(o->args.tolerances.items[0].absolute == 1e-3 &&
                o->args.tolerances.items[1].relative == 0.5);
    static const char *const wrong[] = { "float32", "float32=1", "float32=1,", "float32=-1,0",
                                         "float32=a,1" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_status(PARSE("--tolerance", wrong[i])->status, O2W_USAGE);
}

static void names_must_be_utf8_and_paths_need_not(void **state)
{
    (void)state;
    assert_good(PARSE("--text", "a\xff"));
    assert_usage(PARSE("--name", "a\xff"), "the value of option '--name' is not UTF-8: 'a\\xFF'");
    assert_status(PARSE("--dim", "a\xff=1")->status, O2W_USAGE);
}

static void positionals(void **state)
{
    (void)state;
    struct outcome *o = PARSE("a", "--flag", "--", "--flag");
    assert_good(o);
    assert_int_equal(o->positionals.count, 2);
    assert_string_equal(o->positionals.items[1], "--flag");
    assert_usage(PARSE("a", "b", "c"),
                 "unexpected argument 'c' for 'sample', which takes one FILE");
}

static void help_is_found_before_the_end_of_options(void **state)
{
    (void)state;
    assert_true(PARSE("--bogus", "-h")->help);
    assert_true(PARSE("--text", "--help")->help);
    assert_false(PARSE("--", "--help")->help);
}

/* --- the rows of the real commands ---------------------------------------------------------------------------- */

static bool names_exist(const struct command *c, const char *words)
{
    while (words && *words) {
        size_t size = strcspn(words, " ");
        if (!option_find(c, (struct span){ (const uint8_t *)words, size }))
            return false;
        words += size + (words[size] == ' ');
    }
    return true;
}

static void rows_are_consistent(void **state)
{
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const struct command *c = commands[i];
        assert_ptr_equal(command_by_name(span_of(c->name)), c);
        for (size_t k = 0; k < c->option_count; k++) {
            const struct option_row *row = &c->options[k];
            assert_ptr_equal(option_find(c, span_of(row->name)), row);
            assert_true(!row->letter || option_find_letter(c, row->letter) == row);
            assert_true(row->offset < c->args_size);
            assert_true(row->help && *row->help);
            assert_true(names_exist(c, row->excludes) && names_exist(c, row->needs));
            assert_true(row->kind != OPTION_CHOICE || (row->values && *row->values));
            assert_true(row->kind != OPTION_NUMBER || row->min <= row->max);
        }
        assert_non_null(option_find(c, SPAN("help")));
        assert_non_null(option_find(c, SPAN("debug")));
        assert_non_null(option_find(c, SPAN("quiet")));
        assert_non_null(option_find(c, SPAN("color")));
    }
}

static void help_names_every_option(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a, NULL);
    for (size_t i = 0; i < command_count; i++) {
        const char *text = help_command(commands[i], &a);
        for (size_t k = 0; k < commands[i]->option_count; k++) {
            char *option = arena_printf(&a, "--%s", commands[i]->options[k].name);
            assert_non_null(strstr(text, option));
            assert_non_null(strstr(text, commands[i]->options[k].help));
        }
    }
    assert_non_null(strstr(help_overview(&a), "convert"));
    arena_free(&a);
}

/* --- older words -------------------------------------------------------------------------------------------- */

static void values_that_are_no_longer_taken(void **state)
{
    static const struct command manifest = { .name = "validate-manifest" };
    static const char *const values[][2] = { { "weights", "generated" },
                                             { "selection", "smoke" },
                                             { "selection", "extended" } };
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct diags d;
        diags_init(&d, NULL);
        assert_status(legacy_value(&manifest, values[i][0], values[i][1], &d), O2W_USAGE);
        assert_non_null(strstr(d.first->message, values[i][1]));
        assert_ok(legacy_value(&manifest, values[i][0], "all", &d));
        assert_ok(legacy_value(&sample, values[i][0], values[i][1], &d));
        diags_free(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_a_value),
        cmocka_unit_test(switches),
        cmocka_unit_test(numbers_are_whole_and_inside),
        cmocka_unit_test(words_of_a_choice),
        cmocka_unit_test(lists_keep_their_order),
        cmocka_unit_test(bindings_are_cut_at_the_last_equals_sign),
        cmocka_unit_test(pins_are_words_or_integers),
        cmocka_unit_test(later_pairs_win),
        cmocka_unit_test(tolerances_are_two_numbers),
        cmocka_unit_test(names_must_be_utf8_and_paths_need_not),
        cmocka_unit_test(positionals),
        cmocka_unit_test(help_is_found_before_the_end_of_options),
        cmocka_unit_test(values_that_are_no_longer_taken),
        cmocka_unit_test(rows_are_consistent),
        cmocka_unit_test(help_names_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
