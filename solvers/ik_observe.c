// SPDX-License-Identifier: MIT
#include "solvers/ik_observe.h"

#include <string.h>

static const double DECIDED = 1.0 / (0.5 * 0.5); // 1/rad², and 1/m² far below any shift's

size_t ug_ik_observe_doubles(const ug_ik_model *model)
{
    return model->dof_count * model->dof_count + ug_ik_normal_doubles(model);
}

void ug_ik_undecided(unsigned char *undecided, const ug_ik_model *model, const ug_ik_frame *frame,
                     const double *weight, double *scratch)
{
    const size_t n = model->dof_count;
    double *h = scratch;
    memset(h, 0, n * n * sizeof *h);
    memset(undecided, 0, model->joint_count);
    ug_ik_normal_equations(h, NULL, model, frame, NULL, weight, scratch + n * n);
    // children stand after their parents, so going down eliminates leaves first
    for (size_t d = n; d-- > 0;) {
        const double *row = h + d * n;
        if (!(row[d] >= DECIDED)) {
            undecided[model->dof_joint[d]] = 1;
            continue; // as if it stood still: it carries no news to those above
        }
        for (size_t a = 0; a < d; a++) {
            const double factor = row[a] / row[d];
            if (factor == 0.0) {
                continue;
            }
            double *to = h + a * n;
            for (size_t b = 0; b <= a; b++) {
                to[b] -= factor * row[b];
            }
        }
    }
}
