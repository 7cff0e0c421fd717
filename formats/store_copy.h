// SPDX-License-Identifier: MIT
// Copying what a stage does not rewrite, and reading whole what nobody has vouched for.
// Internal to formats/store*.c.
#pragma once

#include "formats/store_h5.h"

/// Copy every member and attribute of `from`'s root that `to`'s root does not have and that is not
/// in `skip` (a NULL-ended list). Soft links are followed; objects arrive with all below them.
void ug_h5_copy_members(ug_h5_file *to, const ug_h5_file *from, const char *const skip[]);

/// Fail when anything in the file leads out of it: external links, external or virtual data.
void ug_h5_check_enclosed(ug_h5_file *file);

/// Read every attribute and dataset of texts and numbers, so that damage shows here and now.
void ug_h5_read_everything(ug_h5_file *file);
