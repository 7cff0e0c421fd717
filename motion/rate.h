// SPDX-License-Identifier: MIT
// Frame rates as exact rationals. Time is frame / rate; duration is (N − 1) / rate.
//
// A printed rate or frame time is snapped to the simplest rational that its printed precision
// allows: n, or n·1000/1001, or a fraction so short that the many digits cannot mean another
// (0.0417083750417 s → 2997/125); else the decimal exactly (0.0083333 s → 120, 0.033367 s →
// 30000/1001, 107.527 Hz → 107527/1000). Not for clocks that drift: one rate per take.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// num / den frames a second, in lowest terms, both > 0. { 0, 0 } means "not known".
typedef struct ug_rate {
    int64_t num, den;
} ug_rate;

/// Lowest terms. `den` must be > 0.
ug_rate ug_rate_make(int64_t num, int64_t den);

bool ug_rate_is_valid(ug_rate rate);
bool ug_rate_equal(ug_rate a, ug_rate b);

double ug_rate_hz(ug_rate rate);

/// Seconds of frame index `frame` counted from 0: frame·den/num, correctly rounded for
/// |frame|·den < 2^53.
double ug_rate_time_s(ug_rate rate, double frame);

/// From decimal text in hertz ("120", "107.527", "59.94"). Text such as "59.94" stands for every
/// number that rounds to it, so it gives 60000/1001.
///
/// @return UG_E_DATA when it is not a positive finite decimal
UG_CHECKED ug_status ug_rate_from_hz_text(ug_rate *rate, const char *text, size_t length,
                                          ug_error *err);

/// From decimal text in seconds a frame ("0.0083333", ".0083333", "8.33e-3").
///
/// @return UG_E_DATA when it is not a positive finite decimal
UG_CHECKED ug_status ug_rate_from_frame_time_text(ug_rate *rate, const char *text, size_t length,
                                                  ug_error *err);

/// From a binary float32 rate in hertz, as C3D headers carry it: half an ulp of slack.
/// { 0, 0 } when it is not positive and finite.
ug_rate ug_rate_from_f32(float hz);
