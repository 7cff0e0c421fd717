// SPDX-License-Identifier: MIT
#include "solvers/swaps.h"

#include "solvers/markers_check.h"
#include "solvers/swap_net.h"
#include "solvers/swap_rounds.h"

#include <assert.h>
#include <stdlib.h>

ug_swaps_opts ug_swaps_default_opts(void)
{
    return (ug_swaps_opts){ .repair = true, .workers = 1 };
}

void ug_swaps_fini(ug_swaps *swaps)
{
    if (swaps) {
        free(swaps->items);
        *swaps = (ug_swaps){ 0 };
    }
}

static void mark_repaired(ug_markers *m, const ug_swap *swap)
{
    for (size_t f = swap->first; f <= swap->last; f++) {
        for (size_t i = 0; i < swap->count; i++) {
            if (ug_markers_present(m, f, swap->markers[i])) {
                m->origin[ug_markers_index(m, f, swap->markers[i])] |= UG_ORIGIN_REPAIRED;
            }
        }
    }
}

static void warn_of(ug_warnings *warnings, const ug_markers *m, const ug_swap *s, const char *code,
                    const char *what)
{
    const ug_marker_name a = ug_markers_name(m, s->markers[0]);
    const ug_marker_name b = ug_markers_name(m, s->markers[1]);
    if (s->count == 2) {
        ug_warn(warnings, code, "labels '%s' and '%s' %s, frames %zu-%zu", a.text, b.text, what,
                s->first, s->last);
    } else {
        ug_warn(warnings, code, "labels '%s', '%s' and '%s' %s in a ring, frames %zu-%zu", a.text,
                b.text, ug_markers_name(m, s->markers[2]).text, what, s->first, s->last);
    }
}

// Say what was found, and leave the samples as `opts` wants them.
static ug_status conclude(ug_swaps *swaps, ug_markers *markers, const ug_swaps *unsure,
                          ug_warnings *warnings, const ug_swaps_opts *opts, ug_error *err)
{
    for (size_t i = 0; i < swaps->count; i++) {
        ug_swap *s = &swaps->items[i];
        s->outcome = opts->repair ? UG_SWAP_REPAIRED : UG_SWAP_FOUND;
        if (opts->repair) {
            mark_repaired(markers, s);
            warn_of(warnings, markers, s, "swap_repaired", "were exchanged, put right");
        } else {
            warn_of(warnings, markers, s, "swap_found", "are exchanged");
        }
    }
    ug_status status = UG_OK;
    for (size_t i = 0; i < unsure->count && status == UG_OK; i++) {
        warn_of(warnings, markers, &unsure->items[i], "swap_unsure", "may be exchanged");
        status = ug_swaps_append(swaps, &unsure->items[i], err);
    }
    return status;
}

ug_status ug_swaps_find(ug_swaps *swaps, ug_markers *markers, ug_warnings *warnings,
                        const ug_swaps_opts *opts, ug_error *err)
{
    assert(swaps && markers);
    const ug_swaps_opts o = opts ? *opts : ug_swaps_default_opts();
    *swaps = (ug_swaps){ 0 };
    ug_status status = ug_markers_check(markers, err);
    if (status != UG_OK) {
        return status;
    }
    ug_swaps made = { 0 }, unsure = { 0 };
    status = ug_swap_rounds(&made, &unsure, markers, &o, err);
    if (status == UG_OK) {
        status = ug_swap_net(swaps, &made, err);
    }
    if (status != UG_OK || !o.repair) {
        for (size_t i = made.count; i-- > 0;) {
            ug_swap_put_back(markers, &made.items[i]);
        }
    }
    if (status == UG_OK) {
        status = conclude(swaps, markers, &unsure, warnings, &o, err);
    }
    ug_swaps_sort(swaps);
    ug_swaps_fini(&made);
    ug_swaps_fini(&unsure);
    if (status != UG_OK) {
        ug_swaps_fini(swaps);
    }
    return status;
}
