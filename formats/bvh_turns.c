// SPDX-License-Identifier: MIT
#include "formats/bvh_turns.h"

void ug_turn_table_init(ug_turn_table *table)
{
    // one octant by libm, the others by symmetry, so that quarter turns are exact
    enum { QUADRANT = UG_TURN_STEPS / 4, OCTANT = QUADRANT / 2 };
    for (int n = 0; n < UG_TURN_STEPS; n++) {
        const int quadrant = n / QUADRANT, m = n % QUADRANT;
        const int k = m <= OCTANT ? m : QUADRANT - m;
        const double angle = k * (2.0 * 3.14159265358979323846 / UG_TURN_STEPS);
        const double s0 = k == OCTANT ? sqrt(0.5) : sin(angle);
        const double c0 = k == OCTANT ? sqrt(0.5) : cos(angle);
        const double s = m <= OCTANT ? s0 : c0, c = m <= OCTANT ? c0 : s0;
        table->sine[n] = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
        table->cosine[n] = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
    }
}

ug_quat ug_turn_product(const ug_turn_table *table, const int axes[], const double angles_deg[],
                        int count)
{
    ug_quat q = UG_QUAT_IDENTITY;
    for (int i = 0; i < count; i++) {
        double s, c;
        ug_turn_half(&s, &c, table, angles_deg[i]);
        q = ug_quat_mul(q, (ug_quat){ c, axes[i] == 0 ? s : 0.0, axes[i] == 1 ? s : 0.0,
                                      axes[i] == 2 ? s : 0.0 });
    }
    return q;
}
