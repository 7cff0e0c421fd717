// SPDX-License-Identifier: MIT
// Pseudo-random numbers that are the same on every machine.
//
// xoshiro256** (Blackman & Vigna 2021, "Scrambled linear pseudorandom number generators", ACM
// Trans. Math. Softw. 47), its state filled by SplitMix64 (Steele, Lea & Flood 2014) as its authors
// advise. Integers and uniforms are exact; gaussians use log and sqrt, so they may differ in the
// last bit between maths libraries, never in which numbers were drawn. Not for secrets.
#pragma once

#include <stdint.h>

typedef struct ug_random {
    uint64_t s[4];
} ug_random;

/// Independent sequences for one seed: one `stream` per purpose, so that asking for more noise
/// does not move the occlusions.
ug_random ug_random_make(uint64_t seed, uint64_t stream);

uint64_t ug_random_u64(ug_random *random);

/// Uniform in [0, 1), 53 bits.
double ug_random_uniform(ug_random *random);

/// Uniform in [low, high).
double ug_random_range(ug_random *random, double low, double high);

/// Uniform whole number in 0 … count - 1, count > 0, without bias.
uint64_t ug_random_below(ug_random *random, uint64_t count);

/// Mean 0, standard deviation 1 (Marsaglia's polar method, one value a call).
double ug_random_gaussian(ug_random *random);
