// SPDX-License-Identifier: MIT
// How large the person is, before any pose is known: distances between markers of one segment do
// not depend on the pose. And where the hips are, from the width and depth of the pelvis.
#pragma once

#include "solvers/calibrate_samples.h"

/// Person over template: the weighted median, over all pairs of markers on one segment more than
/// 80 mm apart in the template, of median measured distance over template distance; weight = the
/// template distance. Clamped to 0.4 … 1.3. 1 when no such pair was seen.
///
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_size_scale(double *scale, const ug_samples *samples,
                                   const ug_attachments *attachments, ug_error *err);

/// Attachments on the pelvis that stand for its landmarks; −1 where there is none.
typedef struct ug_pelvis_markers {
    ptrdiff_t left_asis, right_asis, left_psis, right_psis, sacrum;
} ug_pelvis_markers;

/// By label, as the usual sets call them (LASI, L.ASIS, LFWT; LPSI, LBWT; SACR …), among the
/// attachments of `joint` that were seen.
ug_pelvis_markers ug_pelvis_find(const ug_attachments *attachments, const ug_samples *samples,
                                 int joint);

/// Move the priors of the hips and of the pelvis markers so that they agree with Harrington's
/// regression on measured pelvis width PW and depth PD: hip centres 0.33 PW + 7.3 mm to the side
/// of the middle, 0.30 PW + 10.9 mm below and 0.24 PD + 9.9 mm behind the ASIS, σ 5 mm.
/// The hips stay in the plane of the pelvis frame they were in: markers move, hips only sideways.
///
/// Soft tissue and marker radius make a pelvis look 15 % wide; residuals do not see it.
/// Source: Harrington et al. 2007, J. Biomech. 40(3):595-602, table 4.
///
/// @param skeleton     needs UG_ROLE_L_THIGH and _R_THIGH below one joint
/// @param attachments  places and σ of the pelvis markers are replaced
/// @return false, nothing changed, when the joints or the markers are not there
bool ug_pelvis_regression(ug_skeleton *skeleton, ug_attachments *attachments,
                          const ug_samples *samples);
