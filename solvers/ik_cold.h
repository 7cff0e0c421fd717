// SPDX-License-Identifier: MIT
// The first pose of a take, found from nothing but the markers of one frame.
//
// A library of postures is laid on the measured cloud, each by the best rigid motion; the best few
// are refined with losses that narrow, and the cheapest wins. Up and facing are not needed.
// When NOT: a pose of the frame before is at hand and good (solvers/ik_step.h alone is quicker).
// Needs the segments' roles for anything but the rest pose; a skeleton without a FREE root is
// not moved as a whole.
#pragma once

#include "motion/skeleton.h"
#include "solvers/ik_step.h"

typedef struct ug_ik_library {
    size_t count, pose_size, capacity;
    double *poses; ///< (count x pose_size), owned
} ug_ik_library;

/// Canonical postures of a humanoid: T, A, arms down, forward and up, elbows bent, strides, one
/// leg, sitting, squats, a bow; after them the rest pose and, for every limited hinge, the middle
/// of its range. The skeleton stands in its rest pose, facing +Z with +Y up, arms in any posture.
///
/// @param out  must be empty; ug_ik_library_fini() it
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_ik_library_create(ug_ik_library *out, const ug_ik_model *model,
                                          const ug_skeleton *skeleton, ug_error *err);

/// Append a copy of `pose` (pose_size). @return UG_E_NOMEM
UG_CHECKED ug_status ug_ik_library_add(ug_ik_library *library, const double *pose, ug_error *err);

/// Releases what is below. NULL is fine.
void ug_ik_library_fini(ug_ik_library *library);

/// Move the whole body so that its markers lie on the measured ones as well as one rigid motion
/// can: every FREE root turns and shifts. Nothing happens without a FREE root or visible marker.
///
/// @param frame  scratch, shows the pose given; the caller's
/// @return weighted mean squared distance that is left, m²; INFINITY when nothing is visible
double ug_ik_place(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                   ug_ik_frame *frame, double *scratch);

/// Doubles of `scratch` in ug_ik_place.
size_t ug_ik_place_doubles(const ug_ik_model *model);

/// Bytes of workspace for ug_ik_cold_solve.
size_t ug_ik_cold_bytes(const ug_ik_model *model, const ug_ik_library *library,
                        const ug_ik_stepper *stepper);

enum { UG_IK_COLD_KEEP = 3 };

/// Find a pose. Losses: Huber 100 mm (8 iterations), 20 mm (15), 50 mm (15); the last is the cost
/// that ranks. `options` gives sigma, prior, step cap and stepper.
///
/// @param pose       (pose_size) written
/// @param keep       candidates to refine, 1 … UG_IK_COLD_KEEP
/// @param workspace  ug_ik_cold_bytes() bytes, 8-byte aligned, owned by this thread
/// @return cost with Huber 50 mm; INFINITY when nothing is visible (pose = the first posture)
/// Allocates nothing. About 3 ms for a body of 50 degrees of freedom.
ug_ik_result ug_ik_cold_solve(double *pose, const ug_ik_model *model, const ug_ik_target *target,
                              const ug_ik_library *library, const ug_ik_options *options,
                              size_t keep, void *workspace);
