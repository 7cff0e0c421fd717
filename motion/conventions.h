// SPDX-License-Identifier: MIT
// The one place that says what a number means inside ugoki, and how a foreign frame maps to it.
//
// Metres, seconds, radians. Right-handed, Y up, character forward +Z, the character's left +X.
// Quaternions are unit, w first, v' = q v q*; q_parent_child maps child coordinates to the
// parent's. Arrays are row-major with time slowest. A missing sample is NaN and not PRESENT.
// Conversion happens only in formats/, in both directions.
#pragma once

#include "motion/quat.h"
#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>

#define UG_PI 3.14159265358979323846
#define UG_DEG (UG_PI / 180.0) ///< radians per degree

/// A signed permutation of axes: our component i is `sign[i]` times the source's `from[i]`.
/// Always a proper rotation (determinant +1), so float samples survive both ways bit for bit.
typedef struct ug_axes {
    int from[3];
    int sign[3];
} ug_axes;

#define UG_AXES_IDENTITY ((ug_axes){ { 0, 1, 2 }, { 1, 1, 1 } })

/// The axes of a source that has `up` as its vertical ("+Y", "z", "-X") and `right` along our +X
/// ("+X"; NULL or "" takes +X, or +Y where X is up: other axes keep their names wherever they can).
///
/// @return UG_E_USAGE when either is no axis or both are the same
UG_CHECKED ug_status ug_axes_from_names(ug_axes *axes, const char *up, const char *right,
                                        ug_error *err);

/// "+X+Z-Y": which source axis gives our x, y and z. `text` holds 7 bytes.
void ug_axes_to_text(char text[7], ug_axes axes);

/// Inverse of ug_axes_to_text. @return false when it is not such a text or not a rotation
bool ug_axes_from_text(ug_axes *axes, const char *text);

/// Source coordinates -> ours, and back.
ug_vec3 ug_axes_import(ug_axes axes, ug_vec3 source);
ug_vec3 ug_axes_export(ug_axes axes, ug_vec3 ours);

/// In place on `count` float triples, bit-exact, NaN included.
void ug_axes_import_f32(ug_axes axes, float *xyz, size_t count);
void ug_axes_export_f32(ug_axes axes, float *xyz, size_t count);

/// The rotation q with ug_axes_import(axes, v) = q v q*.
ug_quat ug_axes_to_quat(ug_axes axes);

/// Metres in one `unit` ("mm", "cm", "m", "in", "ft", "millimeters", any case); 0 when unknown.
double ug_unit_to_metres(const char *unit);
