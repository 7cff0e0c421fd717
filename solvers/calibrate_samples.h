// SPDX-License-Identifier: MIT
// The measured side of a calibration: every sample of every take whose label is in the marker
// table, in one array with one column per attachment.
//
// Not for cleaning: samples that were filled or computed are left out, they say nothing new.
#pragma once

#include "solvers/calibrate.h"

/// Weight of a sample that was found to be on something else.
#define UG_SAMPLE_STRAY (-1.0)

typedef struct ug_samples {
    size_t frame_count, marker_count; ///< marker = index of the attachment
    double *measured_m;               ///< world; 0 where missing  (frame_count x marker_count x 3)
    double *weight;                   ///< 1 = seen, 0 = missing, UG_SAMPLE_STRAY
                                      ///<                         (frame_count x marker_count)
    size_t *take;                     ///< which take a row is from             (frame_count)
    size_t *frame;                    ///< its frame index in that take         (frame_count)
    size_t *visible;                  ///< markers seen in a row                (frame_count)
    size_t *seen;                     ///< samples of a marker                  (marker_count)
} ug_samples;

/// Collect. Attachments of kind COMPUTED or weight 0 get an empty column.
///
/// @param samples  ug_samples_fini() it
/// @return UG_E_NOT_ENOUGH when no take has a marker of the table; UG_E_USAGE when a slice lies
///         outside its take; UG_E_NOMEM
UG_CHECKED ug_status ug_samples_gather(ug_samples *samples, const ug_attachments *attachments,
                                       const ug_calibrate_take *takes, size_t take_count,
                                       const ug_calibrate_options *options, ug_error *err);

/// The known set that has most of the takes' labels, in words for a message: "20 of the take's
/// labels are in the marker set 'cmu_41', try it".
void ug_samples_suggest(char *hint, size_t size, const ug_calibrate_take *takes, size_t take_count,
                        const ug_calibrate_options *options);

/// Warn of what the table leaves out: "marker_unused" counts and names the takes' markers that are
/// not in it, "marker_set_doubtful" names a known set that has clearly more of their labels (a
/// fifth, and three at least).
void ug_samples_warn_unused(ug_warnings *warnings, const ug_attachments *table,
                            const ug_calibrate_take *takes, size_t take_count,
                            const ug_calibrate_options *options);

/// NULL is fine.
void ug_samples_fini(ug_samples *samples);

/// Recount `visible` and `seen` after weights changed.
void ug_samples_count(ug_samples *samples);

/// Median distance between two markers over at most 400 frames spread over all rows in which both
/// are seen; NAN when there is none.
///
/// @param scratch  (400)
double ug_samples_distance_m(const ug_samples *samples, size_t a, size_t b, double *scratch);

/// Rows that show at least half as many markers as the median row that shows any, and 3 or more.
///
/// @param rows  (frame_count) ascending
/// @return how many
size_t ug_samples_usable(size_t *rows, const ug_samples *samples);
