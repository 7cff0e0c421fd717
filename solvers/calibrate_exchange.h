// SPDX-License-Identifier: MIT
// Put labels right that were exchanged on one segment.
//
// Two markers of a segment whose labels were mixed up (front and back of a shoulder, say) fit a
// template only with a twist. When NOT: for labels that change within a take (solvers/spikes.h sees
// those), nor across segments: a marker on another bone shows as a stray.
// Source: own; the test is a second fit, so nothing is exchanged on suspicion.
#pragma once

#include "solvers/calibrate_fit.h"

/// Exchange the priors of markers on one segment that wear each other's labels, where that lowers
/// the cost of the candidates by over 1 %; solves them again, in place.
///
/// @param fit      candidates solved (ug_fit_pose); poses, costs, priors and library change where
///                 a pair is kept, and are as before where it is not
/// @param partner  (marker_count) written: index of the marker whose label each wears, −1 as a rule
/// @return UG_E_NOMEM; what ug_fit_pose says. `partner` and `fit` are not to be used then
///
/// One look at all candidates, and one solve of them (count x marker_count) for every suspected
/// pair.
UG_CHECKED ug_status ug_fit_exchange(ug_fit *fit, int *partner, ug_error *err);
