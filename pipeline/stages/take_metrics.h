// SPDX-License-Identifier: MIT
// The figures every stage can say about a take: sizes, gaps, times.
#pragma once

#include "motion/take.h"
#include "pipeline/stages/metrics.h"

/// frame_count marker_count unlabelled_count gap_count missing_pct longest_gap_s filled_count
/// never_seen_count, over points of kind MARKER. Nothing when `markers` is NULL.
void ug_metrics_add_markers(ug_metrics *metrics, const ug_markers *markers);

/// frame_count joint_count duration_s of a motion. Nothing when `clip` is NULL.
void ug_metrics_add_clip(ug_metrics *metrics, const ug_clip *clip);
