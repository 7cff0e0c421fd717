// SPDX-License-Identifier: MIT
// Fill a gap by letting the markers that keep their distance carry the missing one.
//
// A few neighbours, chosen in this take by the spread of their distance to the marker, span a
// moving frame (weighted Kabsch fit to their mean shape). In that frame the marker hardly moves: it
// goes from its last place before the gap to its first after it on a line, plus a correction of
// each end's slope that dies out within 0.2 s, so the fill meets both ends in value and slope. An
// open end (start or end of the take) holds the one known place.
//
// Not for whole segments lost at once: the nearest constant-distance markers are then on the next
// segment, and the fill is centimetres off (solvers/gap_fill.h measures how far). Needs three
// neighbours seen through the whole gap that are not on one line.
#pragma once

#include "solvers/gap.h"

enum { UG_CLUSTER_MIN = 3, UG_CLUSTER_MAX = 8 };

/// A marker that is there when another is missing, and how steady their distance is.
typedef struct ug_rigid_neighbour {
    size_t marker;
    double mean_m, spread_m; ///< of the distance over the take: mean and standard deviation
} ug_rigid_neighbour;

/// A few neighbours and their mean shape.
typedef struct ug_rigid_cluster {
    size_t count;
    size_t markers[UG_CLUSTER_MAX];
    double weights[UG_CLUSTER_MAX];  ///< in the fit: 1 / (1 + spread / 1 mm)³
    ug_vec3 shape_m[UG_CLUSTER_MAX]; ///< mean shape, in a frame of its own
} ug_rigid_cluster;

/// Markers present from the sample before `gap` to the sample after it and seen together with
/// its marker in at least 8 of the frames looked at.
///
/// @param list  room for marker_count
/// @return how many
///
/// O(marker_count · min(frame_count, 2000)), allocates nothing.
size_t ug_rigid_neighbours(ug_rigid_neighbour *list, const ug_markers *markers, const ug_gap *gap);

/// The first `size` of the neighbours by spread + distance_cost · mean, passing over those that
/// would leave the first three on a line (broad less than 15 mm or a tenth of their length).
///
/// @param list           (count), put in that order
/// @param size           UG_CLUSTER_MIN … UG_CLUSTER_MAX
/// @param distance_cost  a far marker is less likely on the same bone; 0.03 and 0.2 are useful
/// @return false when there are not `size` such; `cluster` undefined then
///
/// O(count² + frames for the mean shape, at most 300), allocates nothing.
bool ug_rigid_cluster_choose(ug_rigid_cluster *cluster, ug_rigid_neighbour *list, size_t count,
                             size_t size, double distance_cost, const ug_markers *markers,
                             const ug_gap *gap);

/// Positions in metres for the frames of `gap`.
///
/// @param out_m    (ug_gap_length(gap)); content undefined when false is returned
/// @param markers  the gap's own frames of the gap's marker are not read
/// @return false when both ends are open, or the cluster is not present through the gap and the
///         samples next to it
///
/// About 2 µs a frame, allocates nothing.
bool ug_gap_rigid_fill(ug_vec3 *out_m, const ug_markers *markers, const ug_gap *gap,
                       const ug_rigid_cluster *cluster);
