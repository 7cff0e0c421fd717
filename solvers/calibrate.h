// SPDX-License-Identifier: MIT
// Fit a template skeleton and its markers to one person: bone lengths, joint centres and the
// places of the markers on the bones, from any takes of that person.
//
// A static pose alone fits the markers and says little about joint centres; a moving take, or
// both together, is worth asking for. No manual step: poses are found from a cold start. What the
// data cannot see stays at the template's prior and is reported as such.
//
// When NOT: markers without a table (see solvers for a template-free skeleton), props, animals.
// Marker labels are believed only as far as the geometry agrees: two labels exchanged on one
// segment are put right and reported; a marker that follows something else for a stretch is left
// out there and reported.
//
// Units metres and radians, world as in motion/conventions.h; the vertical and the facing of the
// take are not used.
// Sources: bundle adjustment, Triggs et al. 2000; hip centres, Harrington et al. 2007,
// J. Biomech. 40(3):595-602; robust loss, Geman & McClure 1987.
#pragma once

#include "motion/attachments.h"
#include "motion/markers.h"
#include "motion/progress.h"
#include "motion/skeleton.h"
#include "motion/warnings.h"

#include <stdbool.h>
#include <stddef.h>

/// One take, or a slice of it. Borrowed.
typedef struct ug_calibrate_take {
    const ug_markers *markers;
    const char *name; ///< for messages; NULL = "take N"
    size_t first;     ///< frame index in `markers`
    size_t count;     ///< frames to use; 0 = to the end
} ug_calibrate_take;

typedef struct ug_calibrate_options {
    size_t frames;     ///< frames of the bundle. Default 60
    size_t candidates; ///< frames that are cold started, among which those are chosen. Default 120
    size_t rounds;     ///< of choosing and bundling. Default 2
    size_t min_frames; ///< usable frames without which calibration is refused. Default 5
    bool symmetry;     ///< tie left and right bones (3 mm). Default true
    bool hips;         ///< hip centres by Harrington's regression where markers allow. Default true
    bool keep_bones;   ///< refit marker places only. Default false
    double prior_scale;              ///< times every σ of bones and places. Default 1
    const char *subject;             ///< prefix of the labels to use; NULL = whoever comes first
    size_t jobs;                     ///< threads; the result does not depend on it. Default 1
    const ug_progress *progress;     ///< may be NULL
    const ug_marker_set *known_sets; ///< (known_count) sets to suggest when no label fits; borrowed
    size_t known_count;
} ug_calibrate_options;

ug_calibrate_options ug_calibrate_default_options(void);

/// What became of one joint of the template (same index).
typedef struct ug_calibrate_joint {
    double length_m;       ///< |offset|
    double change_pct;     ///< of the length, against the template scaled to the person
    double moved_sigma;    ///< distance from the prior in its σ (root mean square over the axes)
    int mirror;            ///< the joint on the other side, or −1
    double difference_pct; ///< this length over the mirror's, −1, in %; 0 without mirror
    bool from_prior;       ///< no marker seen at or below it: only the prior speaks
} ug_calibrate_joint;

/// What became of one marker of the table (same index as the attachment).
typedef struct ug_calibrate_marker {
    size_t sample_count;  ///< samples in the takes
    size_t fit_count;     ///< samples in the frames of the fit
    size_t checked_count; ///< samples in the checked frames
    double rms_m;         ///< of its residuals there below 60 mm; NAN when there are none
    double outlier_pct;   ///< of its residuals there that are not
    ug_vec3 moved_m;      ///< from the prior, in the segment's frame
    double moved_sigma;   ///< the largest axis in its σ; above 3 is warned of
    int exchanged;        ///< attachment whose label this one was found to wear, or −1
    size_t stray_count;   ///< samples that are on something else, for a stretch or by reach
    size_t stray_take;    ///< take, first and last frame (index in `markers`) of the longest run
    size_t stray_first, stray_last;
} ug_calibrate_marker;

typedef struct ug_calibrate_report {
    double scale;          ///< person over template, from distances within segments
    size_t usable_frames;  ///< frames with enough markers
    size_t fit_frames;     ///< frames of the last bundle
    size_t checked_frames; ///< usable frames solved afterwards, at most 3000, evenly spread
    double rms_m;          ///< of all residuals there below 60 mm
    double outlier_pct;    ///< share of those that are not
    size_t markers_found, markers_calibrated;
    bool hips_by_regression;
    double stature_m; ///< of the calibrated skeleton
    size_t joint_count, marker_count;
    ug_calibrate_joint *joints;   ///< (joint_count), owned
    ug_calibrate_marker *markers; ///< (marker_count), owned
} ug_calibrate_report;

/// NULL is fine.
void ug_calibrate_report_fini(ug_calibrate_report *report);

/// Fit `skeleton` and `attachments` to the person in `takes`.
///
/// Attachments of kind COMPUTED and of weight 0 are never used. A marker of the table that the
/// takes do not have, or never show, keeps its scaled prior with `calibrated` false, as do joints
/// below which nothing is seen.
///
/// @param out_skeleton     calibrated copy; ug_skeleton_destroy() it. NULL on failure
/// @param out_attachments  must be empty; calibrated copy, ug_attachments_fini() it
/// @param report           ug_calibrate_report_fini() it; may be NULL
/// @param warnings         "marker_moved", "labels_exchanged", "marker_stray", "marker_unseen",
///                         "marker_unused", "marker_set_doubtful", "joint_from_prior",
///                         "bones_asymmetric", "static_only": one each per marker or joint, the
///                         worst in full; may be NULL
/// @param skeleton         template; offsets with their σ where it has UG_JOINT_HAS_PRIOR
/// @param attachments      of that skeleton (ug_marker_set_attach, or a VSK's own)
/// @return UG_E_NOT_ENOUGH when too few frames or markers fit, naming labels found and the known
///         set that fits best; UG_E_DATA when an attachment names no joint; UG_E_INTERRUPTED when
///         `progress` asks for an end; UG_E_NOMEM
///
/// Seconds: about 10 ms per candidate, and per bundle iteration O(frames · (dof + shape)²).
UG_CHECKED ug_status ug_calibrate(ug_skeleton **out_skeleton, ug_attachments *out_attachments,
                                  ug_calibrate_report *report, ug_warnings *warnings,
                                  const ug_skeleton *skeleton, const ug_attachments *attachments,
                                  const ug_calibrate_take *takes, size_t take_count,
                                  const ug_calibrate_options *options, ug_error *err);
