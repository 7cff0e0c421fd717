// SPDX-License-Identifier: MIT
// Noise for tests of rooms that may not see datasets/random.h: the same on every machine.
#pragma once

#include <stdint.h>

/// Near-normal, mean 0, standard deviation 1: twelve uniforms. The state is a seed, advanced.
static inline double noise(uint64_t *state)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX generator
        sum += (double)(*state >> 11) / 9007199254740992.0;
    }
    return sum;
}
