// SPDX-License-Identifier: MIT
// Power spectral density of a series, averaged over segments: how strong it moves at each
// frequency.
//
// Welch's method: each segment loses its own straight line, is weighted by a Hann window, and its
// squared transform counts once. One-sided: the sum over all bins times their width is the series'
// variance. For looking at what a filter took away and left. Not for missing values (take segments
// of runs without), nor for a line's exact amplitude: a Hann window spreads it over 1.5 bins.
// Source: Welch 1967, "The use of fast Fourier transform for the estimation of power spectra",
// IEEE Trans. Audio Electroacoust. 15.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ug_spectrum ug_spectrum;

/// Room for segments of `length` samples, a power of two >= 4; ug_spectrum_destroy() it. NULL when
/// out of memory.
ug_spectrum *ug_spectrum_create(size_t length);

/// NULL is fine.
void ug_spectrum_destroy(ug_spectrum *spectrum);

/// Forget the segments.
void ug_spectrum_reset(ug_spectrum *spectrum);

/// Count one segment: series[0], series[stride], …, `length` of them, all finite. Segments of one
/// series may overlap by half. O(length log length), allocates nothing.
void ug_spectrum_add(ug_spectrum *spectrum, const double *series, size_t stride);

/// Mean of the segments, in the series' unit squared per Hz.
///
/// @param density  (length / 2 + 1) written: bin k is at k · rate_hz / length; NaN without a
/// segment
void ug_spectrum_read(double *density, const ug_spectrum *spectrum, double rate_hz);
