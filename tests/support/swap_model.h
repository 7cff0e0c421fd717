// SPDX-License-Identifier: MIT
// A space, and a model of a few members of it, for the tests of solvers/swap_*.c.
#pragma once

#include "solvers/swap_group.h"
#include "tests/support/rigid_take.h"

#include <assert.h>

static inline ug_swap_space make_space(const ug_markers *m)
{
    ug_swap_space s;
    const ug_status status = ug_swap_space_init(&s, m, 2, NULL);
    assert(status == UG_OK);
    (void)status;
    return s;
}

static inline ug_swap_model make_model(const ug_swap_space *s, size_t count, size_t a, size_t b,
                                       size_t c)
{
    ug_swap_model model;
    const ug_swap_group group = { .count = count, .members = { a, b, c } };
    const ug_status status = ug_swap_model_init(&model, s, &group, NULL);
    assert(status == UG_OK);
    (void)status;
    return model;
}
