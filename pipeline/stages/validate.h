// SPDX-License-Identifier: MIT
// Is a take what it claims to be? Everything odd becomes a counted warning.
#pragma once

#include "motion/take.h"
#include "motion/warnings.h"

/// Check what a reader cannot know is wrong: labels doubled, samples not finite, quaternions not
/// unit, a motion that does not fit its skeleton, attachments and contacts that point nowhere.
///
/// @return UG_E_DATA for what makes the take unusable; oddities only warn
UG_CHECKED ug_status ug_take_validate(const ug_take *take, ug_warnings *warnings, ug_error *err);
