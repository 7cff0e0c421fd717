// SPDX-License-Identifier: MIT
// A mannequin for a take, for whoever shows or writes one.
#pragma once

#include "motion/mesh.h"
#include "motion/take.h"

/// `*mesh` is fresh, ug_mesh_destroy() it: solvers/mannequin.h on take->skeleton, which must be
/// there and stays as it is. A skeleton without roles gets them for this purpose, by name and
/// topology; one that is no body is made of capsules.
///
/// @param data_dir  NULL: the usual places
/// @return UG_E_DATA (broken skeleton); UG_E_NOMEM; what keeps the role dictionary from being read
UG_CHECKED ug_status ug_body_mesh_create(ug_mesh **mesh, const ug_take *take, const char *data_dir,
                                         ug_error *err);
