// SPDX-License-Identifier: MIT
// A synthetic capture: a humanoid that walks, turns and jumps, seen by imperfect cameras, with the
// truth beside it.
//
// For demonstrations, and for tests that need to know the answer. Joint angles of walking are
// published ones (datasets/synth_curves.h says whose and what was checked); a planted foot does
// not move at all in the truth; the pelvis flies on a parabola. Not a study of human movement:
// arms, trunk, crouch and landing are set by hand, and there are no forces.
//
// Same options and seed give the same take: bit for bit on one machine, to the last bits of the
// maths library elsewhere.
#pragma once

#include "motion/progress.h"
#include "motion/take.h"

typedef struct ug_synth_opts {
    uint64_t seed;         ///< default 0
    ug_rate rate;          ///< default 120 Hz
    double stature_m;      ///< 1.0 … 2.5. Default 1.75
    int strides;           ///< left heel strikes to the stop, 2 … 200. Default 6
    double turn_deg;       ///< on the way, left positive, at most 45 a stride. Default 90
    double jump_m;         ///< apex over take-off, 0.05 … 0.6. Default 0.25
    double noise_mm;       ///< standard deviation per axis, >= 0. Default 0.5
    double skin_sigma;     ///< markers off their default place, in sigmas of the set. Default 0.5
    double occluded_share; ///< of samples, in bursts per marker, 0 … 0.5. Default 0.04
    int swaps;             ///< exchanges of two labels. Default 3
    int ghosts;            ///< unlabelled points that flicker. Default 4
    double dropout_share;  ///< of single samples lost on their own, 0 … 0.5. Default 0.002
    const ug_progress *progress; ///< NULL: nobody listens. Default NULL
} ug_synth_opts;

typedef enum ug_synth_fault_kind {
    UG_FAULT_GAP = 0,   ///< `marker` hidden
    UG_FAULT_SWAP = 1,  ///< `marker` and `other` carry each other's label
    UG_FAULT_GHOST = 2, ///< `marker` (a point "*n") is there and is nothing
} ug_synth_fault_kind;

/// What was done to the capture: frames first … last, from 0, both included.
typedef struct ug_synth_fault {
    ug_synth_fault_kind kind;
    size_t marker, other;
    size_t first, last;
} ug_synth_fault;

typedef struct ug_synth {
    ug_take captured; ///< markers only, in millimetres: what an optical system would hand over
    /// markers (clean, the same table without ghosts), skeleton, attachments, clip, contacts.
    /// Contacts of kind PLANTED say when heel and ball do not move, and where they are; LOAD when
    /// they carry.
    ug_take truth;
    size_t fault_count;
    ug_synth_fault *faults; ///< owned; in the order gaps, swaps, ghosts
} ug_synth;

ug_synth_opts ug_synth_default_opts(void);

/// @param out       overwritten; ug_synth_fini() it
/// @param humanoid  a template with roles, T-pose, hinge knees about x ("humanoid")
/// @param set       a marker set made for it
/// @param opts      NULL means the defaults
/// @return UG_E_USAGE for an option out of range, by name; UG_E_DATA when template and set do
///         not fit each other or the generator, or a foot cannot reach its place;
///         UG_E_INTERRUPTED; UG_E_NOMEM
///
/// About 10 µs a frame and marker.
UG_CHECKED ug_status ug_synth_make(ug_synth *out, const ug_skeleton *humanoid,
                                   const ug_marker_set *set, const ug_synth_opts *opts,
                                   ug_error *err);

/// Releases what is below. NULL is fine.
void ug_synth_fini(ug_synth *synth);
