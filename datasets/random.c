// SPDX-License-Identifier: MIT
#include "datasets/random.h"

#include <assert.h>
#include <math.h>

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

ug_random ug_random_make(uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = split_mix(&state) ^ (stream * 0xd1342543de82ef95u); // odd: streams stay apart
    ug_random random;
    for (int i = 0; i < 4; i++) {
        random.s[i] = split_mix(&state);
    }
    return random;
}

uint64_t ug_random_u64(ug_random *random)
{
    uint64_t *s = random->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double ug_random_uniform(ug_random *random)
{
    return (double)(ug_random_u64(random) >> 11) * 0x1p-53;
}

double ug_random_range(ug_random *random, double low, double high)
{
    return low + (high - low) * ug_random_uniform(random);
}

uint64_t ug_random_below(ug_random *random, uint64_t count)
{
    assert(count > 0);
    const uint64_t limit = UINT64_MAX - UINT64_MAX % count; // a whole number of counts
    uint64_t x = ug_random_u64(random);
    while (x >= limit) {
        x = ug_random_u64(random);
    }
    return x % count;
}

double ug_random_gaussian(ug_random *random)
{
    for (;;) {
        const double u = 2.0 * ug_random_uniform(random) - 1.0;
        const double v = 2.0 * ug_random_uniform(random) - 1.0;
        const double square = u * u + v * v;
        if (square > 0.0 && square < 1.0) {
            return u * sqrt(-2.0 * log(square) / square);
        }
    }
}
