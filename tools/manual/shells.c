/* Completions: modes, options, words of choices, backends, files. */
#include "manual.h"

#include <string.h>

/* --- bash ------------------------------------------------------------------------------------------------- */

/* "a|b" with blanks between. */
static void put_words(FILE *out, const char *words, char between)
{
    for (; *words; words++)
        (void)fputc(*words == '|' ? between : *words, out);
}

static void put_backends(FILE *out)
{
    const char *id;
    for (size_t i = 0; (id = webnn_backend_id(i)); i++)
        (void)fprintf(out, "%s%s", i ? " " : "", id);
}

static void bash_options(FILE *out, const struct command *c)
{
    for (size_t i = 0; i < c->option_count; i++) {
        (void)fprintf(out, "%s--%s", i ? " " : "", c->options[i].name);
        if (c->options[i].letter)
            (void)fprintf(out, " -%c", c->options[i].letter);
    }
}

/* What follows an option of one mode: nothing for switches. */
static void bash_values(FILE *out, const struct command *c, const struct option_row *row)
{
    if (!option_takes_value(row))
        return;
    (void)fprintf(out, "        %s:--%s", c->name, row->name);
    if (row->letter)
        (void)fprintf(out, "|%s:-%c", c->name, row->letter);
    (void)fputs(")\n            ", out);
    if (row->kind == OPTION_CHOICE) {
        (void)fputs("COMPREPLY=($(compgen -W '", out);
        put_words(out, row->values, ' ');
        (void)fputs("' -- \"$word\"))", out);
    } else if (is_backend_option(row)) {
        (void)fputs("COMPREPLY=($(compgen -W '", out);
        put_backends(out);
        (void)fputs("' -- \"$word\"))", out);
    } else if (is_path_option(row)) {
        (void)fputs("COMPREPLY=($(compgen -f -- \"$word\"))", out);
    } else {
        (void)fputs("COMPREPLY=()", out);
    }
    (void)fputs("\n            return ;;\n", out);
}

void write_bash(FILE *out)
{
    (void)fputs("# bash completion for onnx2webnn\n_onnx2webnn() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
                "mode=${COMP_WORDS[1]}\n"
                "    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W '",
                out);
    for (size_t i = 0; i < command_count; i++)
        (void)fprintf(out, "%s ", commands[i]->name);
    (void)fputs("--help --version' -- \"$word\"))\n        return\n    fi\n"
                "    case $mode:$before in\n",
                out);
    for (size_t i = 0; i < command_count; i++)
        for (size_t k = 0; k < commands[i]->option_count; k++)
            bash_values(out, commands[i], &commands[i]->options[k]);
    (void)fputs("    esac\n    case $word in\n    -*)\n        case $mode in\n", out);
    for (size_t i = 0; i < command_count; i++) {
        (void)fprintf(out, "        %s) COMPREPLY=($(compgen -W '", commands[i]->name);
        bash_options(out, commands[i]);
        (void)fputs("' -- \"$word\")) ;;\n", out);
    }
    (void)fputs("        esac ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
                "complete -o filenames -F _onnx2webnn onnx2webnn\n",
                out);
}

/* --- zsh ---------------------------------------------------------------------------------------------------- */

/* Inside '…[…]': quotes, brackets and colons would end it. */
static void zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            (void)fprintf(out, "\\%c", *text);
        else
            (void)fputc(*text, out);
    }
}

static void zsh_value(FILE *out, const struct option_row *row)
{
    if (!option_takes_value(row))
        return;
    (void)fputc(':', out);
    zsh_text(out, option_metavar(row));
    (void)fputc(':', out);
    if (row->kind == OPTION_CHOICE) {
        (void)fputc('(', out);
        put_words(out, row->values, ' ');
        (void)fputc(')', out);
    } else if (is_backend_option(row)) {
        (void)fputc('(', out);
        put_backends(out);
        (void)fputc(')', out);
    } else if (is_path_option(row)) {
        (void)fputs("_files", out);
    }
}

static void zsh_option(FILE *out, const struct option_row *row)
{
    const char *repeat = option_repeats(row) ? "*" : "",
               *equals = option_takes_value(row) ? "=" : "";
    (void)fprintf(out, "        '%s--%s%s[", repeat, row->name, equals);
    zsh_text(out, row->help);
    (void)fputc(']', out);
    zsh_value(out, row);
    (void)fputs("' \\\n", out);
    if (!row->letter)
        return;
    (void)fprintf(out, "        '%s-%c%s[", repeat, row->letter,
                  option_takes_value(row) ? "+" : "");
    zsh_text(out, row->help);
    (void)fputc(']', out);
    zsh_value(out, row);
    (void)fputs("' \\\n", out);
}

void write_zsh(FILE *out)
{
    (void)fputs("#compdef onnx2webnn\n_onnx2webnn() {\n    local -a modes\n    modes=(\n", out);
    for (size_t i = 0; i < command_count; i++) {
        (void)fprintf(out, "        '%s:", commands[i]->name);
        zsh_text(out, commands[i]->summary);
        (void)fputs("'\n", out);
    }
    (void)fputs(
        "    )\n    if (( CURRENT == 2 )); then\n        _describe mode modes\n        return\n"
        "    fi\n    local mode=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
        "    case $mode in\n",
        out);
    for (size_t i = 0; i < command_count; i++) {
        (void)fprintf(out, "    %s)\n        _arguments \\\n", commands[i]->name);
        for (size_t k = 0; k < commands[i]->option_count; k++)
            zsh_option(out, &commands[i]->options[k]);
        (void)fputs(commands[i]->positional ? "        '*:file:_files' ;;\n" : "        ;;\n", out);
    }
    (void)fputs("    esac\n}\n_onnx2webnn \"$@\"\n", out);
}

/* --- fish --------------------------------------------------------------------------------------------------- */

static void fish_text(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            (void)fputc('\\', out);
        (void)fputc(*text, out);
    }
    (void)fputc('\'', out);
}

static void fish_option(FILE *out, const struct command *c, const struct option_row *row)
{
    (void)fprintf(out, "complete -c onnx2webnn -n '__fish_seen_subcommand_from %s' -l %s", c->name,
                  row->name);
    if (row->letter)
        (void)fprintf(out, " -s %c", row->letter);
    if (option_takes_value(row))
        (void)fputs(is_path_option(row) ? " -r -F" : " -x", out);
    if (row->kind == OPTION_CHOICE) {
        (void)fputs(" -a '", out);
        put_words(out, row->values, ' ');
        (void)fputc('\'', out);
    } else if (is_backend_option(row)) {
        (void)fputs(" -a '", out);
        put_backends(out);
        (void)fputc('\'', out);
    }
    (void)fputs(" -d ", out);
    fish_text(out, row->help);
    (void)fputc('\n', out);
}

void write_fish(FILE *out)
{
    (void)fputs("# fish completion for onnx2webnn\n", out);
    for (size_t i = 0; i < command_count; i++) {
        (void)fprintf(out, "complete -c onnx2webnn -n __fish_use_subcommand -f -a %s -d ",
                      commands[i]->name);
        fish_text(out, commands[i]->summary);
        (void)fputc('\n', out);
    }
    (void)fputs(
        "complete -c onnx2webnn -n __fish_use_subcommand -l help -s h -d 'the modes'\n"
        "complete -c onnx2webnn -n __fish_use_subcommand -l version -s V -d 'the version'\n",
        out);
    for (size_t i = 0; i < command_count; i++)
        for (size_t k = 0; k < commands[i]->option_count; k++)
            fish_option(out, commands[i], &commands[i]->options[k]);
}
