// SPDX-License-Identifier: MIT
#include "formats/bvh_turns.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// Wider registers where the machine has them. No operation is contracted or reordered, so every
// version gives the same bits.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_ADDRESS__)
#define UG_TURN_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define UG_TURN_CLONES
#endif

static const double PI = 3.14159265358979323846;

void ug_turn_table_init(ug_turn_table *table)
{
    // one octant by libm, the others by symmetry, so that quarter turns are exact
    enum { QUADRANT = UG_TURN_STEPS / 4, OCTANT = QUADRANT / 2 };
    for (int n = 0; n < UG_TURN_STEPS; n++) {
        const int quadrant = n / QUADRANT, m = n % QUADRANT;
        const int k = m <= OCTANT ? m : QUADRANT - m;
        const double angle = k * (2.0 * PI / UG_TURN_STEPS);
        const double s0 = k == OCTANT ? sqrt(0.5) : sin(angle);
        const double c0 = k == OCTANT ? sqrt(0.5) : cos(angle);
        const double s = m <= OCTANT ? s0 : c0, c = m <= OCTANT ? c0 : s0;
        double *to = table->sine_cosine[n];
        to[0] = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
        to[1] = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
    }
}

enum { PIECE = 64 };

UG_TURN_CLONES void ug_turn_halves(double *half, const ug_turn_table *table,
                                   const double *angles_deg, size_t count)
{
    // adding 1.5·2^52 rounds to a whole number, which then stands in the low bits
    const double magic = 6755399441055744.0;
    for (size_t begin = 0; begin < count; begin += PIECE) {
        const size_t n = count - begin < PIECE ? count - begin : PIECE;
        double shifted[PIECE], s[PIECE], c[PIECE];
        for (size_t i = 0; i < n; i++) {
            const double x = angles_deg[begin + i];
            shifted[i] = x * (UG_TURN_STEPS / 720.0) + magic;
            const double rest_deg = x - (shifted[i] - magic) * (720.0 / UG_TURN_STEPS); // exact
            const double r = rest_deg * (PI / 360.0);
            const double r2 = r * r;
            s[i] = r - r * r2 * (1.0 / 6.0 - r2 * (1.0 / 120.0));
            c[i] = r2 * (0.5 - r2 * (1.0 / 24.0)); // 1 − cos r
        }
        for (size_t i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, &shifted[i], sizeof bits);
            const double *at = table->sine_cosine[bits & (UG_TURN_STEPS - 1)];
            half[2 * (begin + i)] = at[0] + (at[1] * s[i] - at[0] * c[i]);
            half[2 * (begin + i) + 1] = at[1] - (at[0] * s[i] + at[1] * c[i]);
        }
    }
}
