// SPDX-License-Identifier: MIT
// Put labels right that were exchanged on one segment.
#pragma once

#include "solvers/calibrate_fit.h"

/// Exchange the priors of markers on one segment that wear each other's labels, where that lowers
/// the cost of the candidates; solves them again.
///
/// @param partner  (marker_count) label worn by each marker, −1 as a rule
UG_CHECKED ug_status ug_fit_exchange(ug_fit *fit, int *partner, ug_error *err);
