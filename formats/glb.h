// SPDX-License-Identifier: MIT
// GLB (binary glTF 2.0), written only: joints as nodes, a skinned mesh, the motion as an animation.
//
// Metres, seconds, Y up, character forward +Z: glTF's convention and ours are the same, so nothing
// is turned; opts->unit and opts->up may only say so. Node j is joint j, End Sites included; its
// own translation and rotation are the rest pose, in which opts->mesh is bound. The animation
// replaces them: a rotation for every joint that turns, a translation for every joint that moves in
// its parent; channels that stay at the rest pose are left out, constant ones have two keys.
// Key times start at 0 and strictly increase as float32; frames whose times are equal as float32
// become one key ("glb_frames_merged"). Quaternions are unit, with signs that continue.
// docs/glb.md lists what stands in the extras.
//
// Not for takes of markers: glTF has no points that come and go.
// Source: Khronos 2021, "glTF 2.0 Specification", version 2.0.1.
#pragma once

#include "formats/format.h"

/// Write skeleton, clip and opts->mesh (NULL: nodes only) of `take` to `path`, atomically.
///
/// opts->cubic writes CUBICSPLINE with Catmull-Rom tangents, those of quaternions perpendicular to
/// them. A rotation or translation that is not finite (or a quaternion not of length 1) keeps the
/// last good value ("glb_pose_held"); without a clip or a frame the file holds the rest pose
/// alone ("glb_rest_pose"). Everything is float32: coordinates over 1 km are rounded by more than
/// 0.1 mm ("glb_coarse"). Memory: the whole file, 16 bytes a moving joint and frame; 48 cubic.
///
/// @return UG_E_NOT_ENOUGH (no skeleton); UG_E_DATA (broken skeleton, clip or mesh; rate unknown);
///         UG_E_UNSUPPORTED (over 65 536 joints or 4 GiB); UG_E_USAGE (opts); UG_E_WRITE;
///         UG_E_NOMEM. `path` is untouched then.
UG_CHECKED ug_status ug_glb_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                                  ug_warnings *warnings, ug_error *err);

extern const ug_format ug_format_glb;
