// SPDX-License-Identifier: MIT
// Typed access to a ug_yaml tree, with messages that name the key, the line and what is allowed.
//
// Every function returns UG_E_FORMAT and sets err->where to "path:line" when the file is wrong.
#pragma once

#include "formats/yaml_tree.h"

/// Fail at `line` of the node's file. Returns UG_E_FORMAT.
ug_status ug_yaml_fail(const ug_yaml *node, int line, ug_error *err, const char *fmt, ...)
    UG_PRINTF(4, 5);

/// Value of `key`, or NULL when it is absent.
const ug_yaml *ug_yaml_get(const ug_yaml *mapping, const char *key);

/// True for an unquoted "~", "null" or nothing at all.
bool ug_yaml_is_null(const ug_yaml *node);

/// `node` is a mapping whose keys are all in `allowed` (NULL-terminated), and it has every key of
/// `needed` (NULL-terminated, may be NULL). `what` names it in messages: "joint 'l_hand'".
UG_CHECKED ug_status ug_yaml_check_keys(const ug_yaml *node, const char *what,
                                        const char *const allowed[], const char *const needed[],
                                        ug_error *err);

/// A text that is neither null nor empty. Borrowed from the tree.
UG_CHECKED ug_status ug_yaml_text(const char **text, const ug_yaml *node, const char *name,
                                  ug_error *err);

/// One finite decimal ("0.2s", "1,5", "nan" and "0x10" are refused).
UG_CHECKED ug_status ug_yaml_number(double *value, const ug_yaml *node, const char *name,
                                    ug_error *err);

/// A whole number in [low, high].
UG_CHECKED ug_status ug_yaml_integer(long *value, const ug_yaml *node, const char *name, long low,
                                     long high, ug_error *err);

/// "true" or "false", nothing else ("yes" and "on" are refused).
UG_CHECKED ug_status ug_yaml_bool(bool *value, const ug_yaml *node, const char *name,
                                  ug_error *err);

/// A sequence of exactly `count` numbers.
UG_CHECKED ug_status ug_yaml_numbers(double *values, size_t count, const ug_yaml *node,
                                     const char *name, ug_error *err);

/// Position of the text in `choices` (NULL-terminated).
UG_CHECKED ug_status ug_yaml_choice(int *index, const ug_yaml *node, const char *name,
                                    const char *const choices[], ug_error *err);

/// A sequence.
UG_CHECKED ug_status ug_yaml_sequence(const ug_yaml *node, const char *name, ug_error *err);
