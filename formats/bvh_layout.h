// SPDX-License-Identifier: MIT
// How a take is laid out as BVH: the order of its joints and the channels that can express each
// joint's motion. Part of the writer; see formats/bvh.h.
#pragma once

#include "formats/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One joint as it will be written.
typedef struct ug_bvh_slot {
    int joint;        ///< in the skeleton
    int depth;        ///< 0 for a root
    ptrdiff_t column; ///< of its translation in the clip, -1 when it has none
    bool end_site;    ///< written as End Site
    int channel_count;
    uint8_t channels[UG_CHANNELS_MAX];
    int rotation_count; ///< 0 … 3, different axes
    int axes[3];        ///< of the rotation channels; the third axis also where only two are listed
} ug_bvh_slot;

typedef struct ug_bvh_layout {
    const ug_skeleton *skeleton;
    const ug_clip *clip;
    double unit_m;
    ug_axes axes;
    bool offset_add;
    size_t count;
    ug_bvh_slot *slots; ///< (count) in the order of the file, owned
    size_t channel_count;
    int depth; ///< largest
} ug_bvh_layout;

/// Order and channels. `layout` starts as { 0 } but for what the caller knows (skeleton, clip,
/// unit_m, axes, offset_add); ug_bvh_layout_fini() it, also after a failure.
///
/// @param keep_fixed  FIXED joints without channels stay so (a BVH said "CHANNELS 0")
/// @return UG_E_DATA (nested too deep); UG_E_NOMEM
UG_CHECKED ug_status ug_bvh_layout_make(ug_bvh_layout *layout, bool keep_fixed,
                                        ug_warnings *warnings, ug_error *err);

void ug_bvh_layout_fini(ug_bvh_layout *layout);

/// Rotation of `slot` in the file's axes at `frame`.
ug_quat ug_bvh_slot_rotation(const ug_bvh_layout *layout, const ug_bvh_slot *slot, size_t frame);

/// A vector of the file's unit and axes.
ug_vec3 ug_bvh_export(const ug_bvh_layout *layout, ug_vec3 ours_m);

/// Where the joint stands in its parent at `frame`, in metres and our axes.
ug_vec3 ug_bvh_slot_translation(const ug_bvh_layout *layout, const ug_bvh_slot *slot, size_t frame);

/// Angles of the slot's rotation channels that come nearest to `q` and continue `previous_rad`.
///
/// @return what they miss, radians; 0 for three channels
double ug_bvh_slot_fit(double angles_rad[3], const ug_bvh_slot *slot, ug_quat q,
                       const double previous_rad[3]);
