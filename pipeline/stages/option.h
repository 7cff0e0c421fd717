// SPDX-License-Identifier: MIT
// The option table of a stage: read by the command line, the recipe, --print-config and -h alike.
//
// Names carry units ("max_gap_s", on the command line --max-gap-s). Values are kept as checked
// text: what was asked for is what goes into the provenance, digit for digit.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ug_option_type {
    UG_OPTION_FLAG = 0, ///< true or false; on the command line --name or --no-name
    UG_OPTION_INTEGER,
    UG_OPTION_REAL,
    UG_OPTION_TEXT,
    UG_OPTION_CHOICE, ///< one of `choices`
    UG_OPTION_LIST,   ///< texts; repeat the option, or separate by commas
} ug_option_type;

typedef struct ug_option {
    const char *name; ///< snake_case, unit as suffix
    ug_option_type type;
    const char *initial; ///< default as text; NULL: not set
    double low, high;    ///< range of INTEGER and REAL, both included
    const char *choices; ///< "cubic|rigid" for CHOICE
    const char *help;    ///< one line
    bool is_path;        ///< TEXT or LIST of files: a recipe gives them relative to itself
    int names;           ///< TEXT or LIST that may name built-in data: 1 + ug_catalog_kind
} ug_option;

/// Resolved values of one table. Flags beat the recipe beats the defaults.
typedef struct ug_option_values {
    const ug_option *table; ///< borrowed
    size_t count;
    char ***values; ///< owned; per option a list of texts
    size_t *value_counts;
    bool *given; ///< set by user or recipe, not by default
} ug_option_values;

/// Every option at its default. @return UG_E_NOMEM
UG_CHECKED ug_status ug_option_values_init(ug_option_values *values, const ug_option *table,
                                           size_t count, ug_error *err);

/// Releases what is below. NULL is fine.
void ug_option_values_fini(ug_option_values *values);

/// Deep copy into `to`. @return UG_E_NOMEM
UG_CHECKED ug_status ug_option_values_copy(ug_option_values *to, const ug_option_values *from,
                                           ug_error *err);

/// Index of `name` ('-' and '_' are one), or -1.
ptrdiff_t ug_option_find(const ug_option *table, size_t count, const char *name);

/// Replace the value(s) of option `index` after checking them against the table.
///
/// @return UG_E_USAGE naming the option, its unit and range
UG_CHECKED ug_status ug_option_values_set(ug_option_values *values, size_t index,
                                          const char *const *texts, size_t text_count,
                                          ug_error *err);

/// Append to a LIST (commas separate). @return UG_E_USAGE, UG_E_NOMEM
UG_CHECKED ug_status ug_option_values_append(ug_option_values *values, size_t index,
                                             const char *text, ug_error *err);

// Typed access; the name must be in the table and of that type (asserted).
bool ug_option_flag(const ug_option_values *values, const char *name);
long long ug_option_integer(const ug_option_values *values, const char *name);
double ug_option_real(const ug_option_values *values, const char *name);
const char *ug_option_text(const ug_option_values *values, const char *name); ///< NULL: not set
char *const *ug_option_list(const ug_option_values *values, const char *name, size_t *count);
bool ug_option_is(const ug_option_values *values, const char *name, const char *choice);
bool ug_option_given(const ug_option_values *values, const char *name);

/// Resolved values as one JSON object; free() it. NULL when out of memory.
char *ug_option_values_to_json(const ug_option_values *values);

/// The name most like `word` among `count` texts, or NULL when none is close: for error messages.
const char *ug_option_nearest(const ug_option *table, size_t count, const char *word);
