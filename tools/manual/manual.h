/* Writers of the manual: everything comes from the option rows. */
#ifndef MANUAL_MANUAL_H
#define MANUAL_MANUAL_H

#include "cli/command.h"

#include <stdio.h>

void write_man(FILE *out);
void write_bash(FILE *out);
void write_zsh(FILE *out);
void write_fish(FILE *out);

/* Whether the value of the option is a path. */
bool is_path_option(const struct option_row *row);
/* Whether the value is a backend's id. */
bool is_backend_option(const struct option_row *row);

#endif
