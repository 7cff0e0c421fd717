// SPDX-License-Identifier: MIT
// VSK, Vicon's subject file: a skeleton with its joints, and where each marker sits on it. Read
// only.
//
// A segment's frame in its parent's: POSITION (mm, numbers, parameters or arithmetic on them:
// "0 -UpperLegLength 0") and ORIENTATION (a rotation vector, radians), or PRE-POSITION and
// PRE-ORIENTATION of its joint; POST-… likewise behind the joint. T-POSE (or EDIT_POSE_MEAN) turns
// the rest pose. Joint elements: JointFree, JointBall, JointHinge (AXIS), JointHardySpicer
// (AXIS-PAIR, first axis first), JointDummy. A dummy without children becomes an End Site.
//
// Priors: COVARIANCE of joints (rad²) and markers (mm²); a marker's unit matrix is what programs
// write who know nothing, so it counts as 20 mm. Bones are known to 10 mm.
//
// Lengths are always mm. The vertical is not declared: opts->up, else inferred from the rest pose
// ("up_inferred"). DTDs and entities are refused.
#pragma once

#include "formats/file.h"
#include "formats/format.h"

extern const ug_format ug_format_vsk;

/// Read `path` into the empty `take`: source, skeleton (names unique, no roles yet) and
/// attachments.
///
/// Warnings: "vsk_marker_unattached" (listed, but on no segment), "vsk_marker_doubled" (the first
/// place holds), "vsk_rest_ignored" (a T-pose of a Hardy-Spicer joint).
///
/// @return UG_E_IO; UG_E_FORMAT (line, segment or marker, parameter); UG_E_AMBIGUOUS (up);
///         UG_E_USAGE (opts); UG_E_NOMEM. `take` is empty on failure.
UG_CHECKED ug_status ug_vsk_read(ug_take *take, const char *path, const ug_read_opts *opts,
                                 ug_warnings *warnings, ug_error *err);

/// The same from memory. `name` stands in err->where.
UG_CHECKED ug_status ug_vsk_parse(ug_take *take, const ug_bytes *bytes, const char *name,
                                  const ug_read_opts *opts, ug_warnings *warnings, ug_error *err);
