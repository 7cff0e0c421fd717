// SPDX-License-Identifier: MIT
// Named numbers of a VSK file and arithmetic on them. Private to the VSK reader.
#pragma once

#include "motion/status.h"

#include <stddef.h>

typedef struct ug_vsk_parameter {
    char *name; ///< owned
    double value;
} ug_vsk_parameter;

typedef struct ug_vsk_parameters {
    size_t count, capacity;
    ug_vsk_parameter *items; ///< owned
} ug_vsk_parameters;

void ug_vsk_parameters_fini(ug_vsk_parameters *parameters);

/// Append, or set anew. O(count). @return UG_E_FORMAT (too many); UG_E_NOMEM
UG_CHECKED ug_status ug_vsk_parameters_set(ug_vsk_parameters *parameters, const char *name,
                                           double value, ug_error *err);

/// Numbers separated by blanks: "0 -UpperLegLength 2*(a+b)". A name may stand in quotes.
/// At most `capacity` are stored; `*count` is how many there are.
///
/// @return UG_E_FORMAT: unknown parameter, not an expression, not finite
UG_CHECKED ug_status ug_vsk_numbers(double values[], size_t capacity, size_t *count,
                                    const char *text, const ug_vsk_parameters *parameters,
                                    ug_error *err);
