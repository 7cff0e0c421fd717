// SPDX-License-Identifier: MIT
// Exchanges injected into one take, looked for, counted and printed.
#pragma once

#include "tests/support/swap_inject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static inline void print_score(const char *name, const swap_score *s)
{
    print_message("%-12s precision %.4f (%zu wrong of %zu), recall in view %.4f (%zu of %zu), out "
                  "of sight %.4f (%zu of %zu)\n",
                  name, 1.0 - (double)s->false_alarms / (double)s->reported, s->false_alarms,
                  s->reported, (double)s->found / (double)s->injected, s->found, s->injected,
                  (double)s->hidden_found / (double)s->hidden, s->hidden_found, s->hidden);
}

static inline void add_score(swap_score *sum, const swap_score *s)
{
    sum->injected += s->injected;
    sum->found += s->found;
    sum->hidden += s->hidden;
    sum->hidden_found += s->hidden_found;
    sum->reported += s->reported;
    sum->false_alarms += s->false_alarms;
}

/// Spoils `m`.
static inline swap_score run_injected(ug_markers *m, uint64_t seed, double noise_m, size_t count,
                                      size_t ring)
{
    swap_score score = { 0 };
    ug_swaps swaps;
    if (noise_m > 0.0) {
        add_noise(m, seed, noise_m);
    }
    injection in = inject(m, seed, count, ring);
    assert_true(in.count >= count);
    ug_swaps_opts opts = ug_swaps_default_opts();
    opts.workers = 2;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, &opts, NULL), UG_OK);
    score_swaps(&score, &in, &swaps);
    ug_swaps_fini(&swaps);
    return score;
}

/// The bars of the project for what is injected, and a little less for rings of three.
static inline void assert_score(const swap_score *s, size_t ring)
{
    const double precision = 1.0 - (double)s->false_alarms / (double)s->reported;
    assert_true(s->injected > 0 && s->hidden > 0);
    assert_true(precision >= (ring == 2 ? 0.99 : 0.98));
    assert_true((double)s->found >= 0.97 * (double)s->injected);
    assert_true((double)s->hidden_found >= 0.9 * (double)s->hidden);
}
