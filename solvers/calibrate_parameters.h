// SPDX-License-Identifier: MIT
// Which numbers a calibration fits: one scale per group of bones, or every bone and place.
#pragma once

#include "solvers/calibrate_fit.h"

/// One parameter per group of bones and markers, 1 where these stay as they are, σ 8 %. Hips keep
/// their distance: soft tissue makes a pelvis look wide.
///
/// @param shape  ug_bundle_shape_fini() it
/// @param group  (joint_count) from ug_body_groups()
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_parameters_of_groups(ug_bundle_shape *shape, const ug_fit *fit,
                                             const int *group, ug_error *err);

/// One parameter per coordinate of every bone that moves and every marker that is seen: values
/// from fit->model, priors and σ from fit->skeleton and fit->attachments (15 and 25 mm where these
/// have none; hips at most 5 mm, since residuals hardly see how far apart they are). With
/// options->symmetry left and right bones are tied by 3 mm where the template is symmetric itself.
/// options->keep_bones leaves the places only.
///
/// @param shape  ug_bundle_shape_fini() it
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_parameters_of_coordinates(ug_bundle_shape *shape, const ug_fit *fit,
                                                  ug_error *err);

/// σ of a marker's place, 25 mm where the table has none.
ug_vec3 ug_parameters_place_sigma(const ug_attachment *item);
