// SPDX-License-Identifier: MIT
#include "solvers/swaps.h"

#include "solvers/markers_check.h"
#include "solvers/swap_check.h"
#include "solvers/swap_net.h"
#include "solvers/swap_rounds.h"

#include <assert.h>
#include <stdio.h>
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

// "; also 'C' and 'D' frames 3-9" for each further one, as far as a warning's line goes.
static void also(char *text, size_t size, const ug_markers *m, const ug_swap *s, size_t count)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const int more = snprintf(text + used, size - used, "; also '%s' and '%s' frames %zu-%zu",
                                  ug_markers_name(m, s[i].markers[0]).text,
                                  ug_markers_name(m, s[i].markers[1]).text, s[i].first, s[i].last);
        if (more < 0 || (size_t)more >= size - used) {
            text[used] = '\0'; // no half a name
            break;
        }
        used += (size_t)more;
    }
}

// One warning for all of them, since of several only the first is ever read.
static void warn_of(ug_warnings *warnings, const ug_markers *m, const ug_swap *s, size_t count,
                    const char *code, const char *what)
{
    if (count == 0) {
        return;
    }
    char further[160];
    also(further, sizeof further, m, s + 1, count - 1);
    const ug_marker_name a = ug_markers_name(m, s->markers[0]);
    const ug_marker_name b = ug_markers_name(m, s->markers[1]);
    if (s->count == 2) {
        ug_warn_times(warnings, count, code, "labels '%s' and '%s' %s, frames %zu-%zu%s", a.text,
                      b.text, what, s->first, s->last, further);
    } else {
        ug_warn_times(warnings, count, code,
                      "labels '%s', '%s' and '%s' %s in a ring, frames %zu-%zu%s", a.text, b.text,
                      ug_markers_name(m, s->markers[2]).text, what, s->first, s->last, further);
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
        }
    }
    warn_of(warnings, markers, swaps->items, swaps->count,
            opts->repair ? "swap_repaired" : "swap_found",
            opts->repair ? "were exchanged, put right" : "are exchanged");
    warn_of(warnings, markers, unsure->items, unsure->count, "swap_unsure", "may be exchanged");
    ug_status status = UG_OK;
    for (size_t i = 0; i < unsure->count && status == UG_OK; i++) {
        status = ug_swaps_append(swaps, &unsure->items[i], err);
    }
    return status;
}

// What is doubtful goes from `swaps` to `unsure`, and back to the labels it had where `repair`.
static ug_status hold_back(ug_swaps *swaps, ug_swaps *unsure, ug_markers *markers, bool repair,
                           ug_error *err)
{
    size_t kept = 0;
    ug_status status = UG_OK;
    for (size_t i = 0; i < swaps->count && status == UG_OK; i++) {
        const ug_swap swap = swaps->items[i];
        if (!ug_swap_doubtful(markers, &swap)) {
            swaps->items[kept++] = swap;
            continue;
        }
        if (repair) {
            ug_swap_put_back(markers, &swap);
        }
        status = ug_swaps_append(unsure, &swap, err);
    }
    swaps->count = kept;
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
    if (status == UG_OK) {
        status = hold_back(swaps, &unsure, markers, o.repair, err);
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
