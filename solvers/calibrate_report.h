// SPDX-License-Identifier: MIT
// What a finished fit says about itself, in figures and in words.
#pragma once

#include "solvers/calibrate_fit.h"

/// Fill everything of `report` that the fit knows, after ug_check_takes().
///
/// @param partner  (marker_count) exchanged labels
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_calibrate_report_fill(ug_calibrate_report *report, const ug_fit *fit,
                                              const int *partner, ug_error *err);

/// The warnings of ug_calibrate().
void ug_calibrate_report_warn(ug_warnings *warnings, const ug_calibrate_report *report,
                              const ug_fit *fit, const ug_calibrate_take *takes);

/// Calibrated copies of skeleton and attachments. @return UG_E_NOMEM, nothing written then
UG_CHECKED ug_status ug_calibrate_result(ug_skeleton **skeleton, ug_attachments *attachments,
                                         const ug_fit *fit, const ug_calibrate_report *report,
                                         ug_error *err);
