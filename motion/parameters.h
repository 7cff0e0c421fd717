// SPDX-License-Identifier: MIT
// The parameter section of a C3D file as a tree of typed arrays, kept so that a take goes back
// out with everything its makers wrote into it. Values are stored in the machine's own byte order.
//
// Not an interface for new settings: only what a source file carried lives here.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// C3D parameter types; the value is the byte length of one element, -1 for text.
typedef enum ug_parameter_type {
    UG_PARAMETER_CHAR = -1,
    UG_PARAMETER_BYTE = 1,
    UG_PARAMETER_INT16 = 2,
    UG_PARAMETER_FLOAT = 4,
} ug_parameter_type;

enum { UG_PARAMETER_DIMENSIONS_MAX = 7 };

typedef struct ug_parameter {
    char *name;        ///< owned, upper case as a rule
    char *description; ///< owned, "" when there is none
    bool locked;
    ug_parameter_type type;
    int dimension_count;
    uint8_t dimensions[UG_PARAMETER_DIMENSIONS_MAX]; ///< first one fastest, as in the file
    size_t size; ///< bytes in `data`: element length times the dimensions
    void *data;  ///< owned; char, int8, int16 or float32 values
} ug_parameter;

typedef struct ug_parameter_group {
    char *name;        ///< owned
    char *description; ///< owned
    int id;            ///< positive number of the group in the file
    bool locked;
    size_t count;
    ug_parameter *items; ///< owned
} ug_parameter_group;

typedef struct ug_parameters {
    size_t count;
    ug_parameter_group *groups; ///< owned
} ug_parameters;

/// Releases everything below; the struct itself is the caller's. NULL is fine.
void ug_parameters_fini(ug_parameters *parameters);

/// Deep copy into `to`, which must be empty. @return UG_E_NOMEM, `to` empty then
UG_CHECKED ug_status ug_parameters_copy(ug_parameters *to, const ug_parameters *from,
                                        ug_error *err);

/// NULL when there is none. Names compare without case. Borrowed.
ug_parameter_group *ug_parameters_group(const ug_parameters *parameters, const char *group);
ug_parameter *ug_parameters_find(const ug_parameters *parameters, const char *group,
                                 const char *name);

/// Elements of `parameter`: the product of its dimensions, 1 for a scalar.
size_t ug_parameter_count(const ug_parameter *parameter);

/// Element `index` whatever its numeric type; NAN when there is no such element or it is text.
/// Bytes and int16 are read as unsigned where `is_unsigned`.
double ug_parameter_number(const ug_parameter *parameter, size_t index, bool is_unsigned);

/// String `index` of a char array without trailing blanks, as fresh text; NULL when there is no
/// such string or memory. free() it.
char *ug_parameter_string(const ug_parameter *parameter, size_t index);

/// Strings in a char parameter: product of all dimensions but the first; 0 for numbers.
size_t ug_parameter_string_count(const ug_parameter *parameter);

/// Create or replace a parameter (and its group, with the next free id). `data` is copied.
///
/// @return UG_E_NOMEM, the tree unchanged
UG_CHECKED ug_status ug_parameters_set(ug_parameters *parameters, const char *group,
                                       const char *name, ug_parameter_type type,
                                       int dimension_count, const uint8_t dimensions[],
                                       const void *data, ug_error *err);
