// SPDX-License-Identifier: MIT
// BVH (Biovision hierarchy), read and written: a skeleton and its motion as text.
//
// BVH declares neither unit nor vertical. They are the user's (opts->unit, opts->up) or inferred
// from the body (formats/infer.h), recorded in the take's source and warned about ("unit_inferred",
// "unit_scaled", "up_inferred"); a rig that is no body is UG_E_AMBIGUOUS. opts->unit may be a name
// ("cm"), "in/0.45" (the CMU database), or a number of metres ("0.0254").
//
// Rotation channels multiply in the order written: R = R_ch1 · R_ch2 · R_ch3 (column vectors).
// Position channels REPLACE the joint's OFFSET, as recorders write them; opts->bvh_offset_add
// makes them add to it, as some programs do. Rest rotations are identity. A source with another
// vertical is turned as a whole: every world position is ug_axes_import() of the source's.
//
// Not for skeletons whose bones scale: scale channels are read, reported and left out.
// Source: Meredith & Maddock 2001, "Motion capture file formats explained", Sheffield CS-01-11.
#pragma once

#include "formats/file.h"
#include "formats/format.h"

enum {
    UG_BVH_DEPTH_MAX = 512,    ///< joints above one another
    UG_BVH_JOINTS_MAX = 20000, ///< joints and End Sites
};

/// Read `path` into the empty `take`: its source, skeleton and clip.
///
/// Joints keep the file's order. An End Site is a FIXED joint with UG_JOINT_END_SITE, called
/// "<parent>_end". Types follow from the channels: HINGE and UNIVERSAL for one and two rotations,
/// FREE where the translation is animated: every root, and each joint whose position channels
/// differ from its OFFSET somewhere. Fewer or more rows than "Frames:" says, an incomplete last
/// row, doubled names and scales other than 1 are warnings ("bvh_frames_disagree",
/// "bvh_incomplete_row", "bvh_name_changed", "bvh_scale_ignored").
///
/// @return UG_E_IO; UG_E_FORMAT (not BVH, or damaged: line); UG_E_DATA (a value that is no number:
///         line, frame, channel; no Frame Time and no opts->rate); UG_E_AMBIGUOUS (unit or up);
///         UG_E_USAGE (opts); UG_E_NOMEM. `take` is empty on failure.
///
/// About 400 MB/s; memory: 32 bytes a joint and frame, the file itself is not kept.
UG_CHECKED ug_status ug_bvh_read(ug_take *take, const char *path, const ug_read_opts *opts,
                                 ug_warnings *warnings, ug_error *err);

/// The same from memory, padded as ug_bytes is. `name` stands in err->where, may be NULL.
UG_CHECKED ug_status ug_bvh_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);

/// Write skeleton and clip of `take` to `path`, atomically.
///
/// Unit and axes: opts, else those of a source that was BVH, else centimetres and Y up. Channels
/// are the joint's own, where they can express the motion; else, and for joints without any,
/// Zrotation Xrotation Yrotation ("bvh_channels_changed"), with positions for every root and
/// every joint that is translated. Euler angles continue from frame to frame, through gimbal lock
/// too, and are not confined to ±180°. A root with position channels has OFFSET 0 0 0, so that
/// programs that add and programs that replace agree; opts->bvh_offset_add keeps the OFFSET of
/// every joint and writes positions relative to it. A take without a clip gives its rest pose as
/// one frame ("bvh_rest_pose"). World positions hold to 1e-6 of the skeleton's size and the frame
/// time reads back as the same rational, unless opts->decimals asks for less.
///
/// @return UG_E_NOT_ENOUGH (no skeleton); UG_E_DATA (broken skeleton or value: joint and frame);
///         UG_E_USAGE (opts); UG_E_WRITE; UG_E_NOMEM. `path` is untouched then.
UG_CHECKED ug_status ug_bvh_write(const char *path, const ug_take *take, const ug_write_opts *opts,
                                  ug_warnings *warnings, ug_error *err);

extern const ug_format ug_format_bvh;
