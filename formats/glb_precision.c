// SPDX-License-Identifier: MIT
// Of the GLB writer: what float32, which is all glTF has, leaves of large coordinates.
#include "formats/glb_parts.h"

#include <math.h>

static const double COARSE_M = 1e-4;

// The largest of all lengths that are written, and where it stands. Roots come first among them: a
// take is far away rather than a bone long.
typedef struct farthest {
    double m;
    size_t joint, frame;
    bool has_frame;
} farthest;

static void look(farthest *far, ug_vec3 at, size_t joint, size_t frame, bool has_frame)
{
    const double m = fmax(fabs(at.x), fmax(fabs(at.y), fabs(at.z)));
    if (m > far->m && isfinite(m)) {
        *far = (farthest){ m, joint, frame, has_frame };
    }
}

void ug_glb_warn_coarse(ug_warnings *warnings, const ug_take *take)
{
    farthest far = { 0 };
    const ug_skeleton *skeleton = take->skeleton;
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        look(&far, skeleton->joints[j].offset_m, j, 0, false);
    }
    for (size_t f = 0; take->clip && f < take->clip->frame_count; f++) {
        for (size_t c = 0; c < take->clip->translated_count; c++) {
            look(&far, ug_clip_translations(take->clip, f)[c],
                 (size_t)take->clip->translated_joints[c], f, true);
        }
    }
    const float written = (float)far.m;
    const double step_m = (double)nextafterf(written, INFINITY) - (double)written;
    if (step_m <= COARSE_M) {
        return;
    }
    const char *name = skeleton->joints[far.joint].name;
    if (far.has_frame) {
        ug_warn(
            warnings, "glb_coarse",
            "frame %zu, joint '%.64s' is at %.6g m, where the float32 of a GLB goes in steps of "
            "%.3g mm; move the take to its origin, or is its unit wrong?",
            far.frame, name ? name : "", far.m, 1e3 * step_m);
    } else {
        ug_warn(
            warnings, "glb_coarse",
            "joint '%.64s' rests at %.6g m, where the float32 of a GLB goes in steps of %.3g mm; "
            "move the skeleton to its origin, or is its unit wrong?",
            name ? name : "", far.m, 1e3 * step_m);
    }
}
