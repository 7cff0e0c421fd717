// SPDX-License-Identifier: MIT
// When the feet of a motion rest, where its file does not say: for pages and pictures, which may
// not call solvers and yet should all show the same.
//
// Only for looking: what is found here is in no file, and `found` says so wherever it is shown. Not
// for a stage, which detects and judges contacts itself (solvers/retarget_motion.h).
#pragma once

#include "motion/take.h"

/// Give a take whose motion has no contacts those that can be found on it, as retargeting would:
/// PLANTED ones of heels and balls, targets in the motion's own world, take->contacts.found set.
/// Contacts that are there already stay. Of either, where the file does not tell how far each
/// slides, that is measured on this motion, along the floor: /quality/contact_slide_mm, with NaN
/// for before.
///
/// The skeleton must have its roles (ug_open_roles()). Nothing is added, and all is well, where no
/// contacts can be found: without a motion, legs, a known rate, or roots that move.
///
/// @param find  false: only the slides of the contacts that are there
/// @return UG_E_NOMEM. O(frame_count · joint_count), with a copy of the motion.
UG_CHECKED ug_status ug_shown_contacts_find(ug_take *take, bool find, ug_error *err);
