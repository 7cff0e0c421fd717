// SPDX-License-Identifier: MIT
// Of clean: what is wrong with the samples that are there.
#include "pipeline/stages/clean_steps.h"
#include "solvers/fallen.h"
#include "solvers/frozen.h"
#include "solvers/spikes.h"
#include "solvers/swaps.h"

#include <math.h>
#include <stdlib.h>

// What was found goes into the file too, so that a report can show where.
static ug_status keep_spikes(ug_take *take, const ug_spikes *spikes, ug_error *err)
{
    float *rows = malloc((3 * spikes->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu spikes", spikes->count);
    }
    for (size_t i = 0; i < spikes->count; i++) {
        rows[3 * i] = (float)spikes->items[i].marker;
        rows[3 * i + 1] = (float)spikes->items[i].frame;
        rows[3 * i + 2] = (float)spikes->items[i].height_mm;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "spikes", "", spikes->count, 3, rows, err);
    free(rows);
    return status;
}

static ug_status keep_frozen(ug_take *take, const ug_frozen *frozen, ug_error *err)
{
    float *rows = malloc((3 * frozen->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu frozen runs", frozen->count);
    }
    for (size_t i = 0; i < frozen->count; i++) {
        rows[3 * i] = (float)frozen->items[i].marker;
        rows[3 * i + 1] = (float)frozen->items[i].first;
        rows[3 * i + 2] = (float)frozen->items[i].last;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "frozen", "", frozen->count, 3, rows, err);
    free(rows);
    return status;
}

ug_status ug_clean_find_frozen(ug_take *take, ug_stage_context *context, ug_error *err)
{
    if (ug_option_is(context->options, "frozen", "off")) {
        return UG_OK;
    }
    const bool clear = ug_option_is(context->options, "frozen", "clear");
    ug_frozen frozen = { 0 };
    ug_status status = ug_frozen_find(take->markers, &frozen, &context->warnings, clear, err);
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "frozen_count", (double)frozen.sample_count);
        status = keep_frozen(take, &frozen, err);
    }
    ug_frozen_fini(&frozen);
    return status;
}

enum { SWAP_COLUMNS = UG_SWAP_MARKERS_MAX + 3 };

static ug_status keep_swaps(ug_take *take, const ug_swaps *swaps, ug_error *err)
{
    float *rows = malloc((SWAP_COLUMNS * swaps->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu swaps", swaps->count);
    }
    for (size_t i = 0; i < swaps->count; i++) {
        const ug_swap *swap = &swaps->items[i];
        float *row = rows + SWAP_COLUMNS * i;
        for (size_t k = 0; k < UG_SWAP_MARKERS_MAX; k++) {
            row[k] = k < swap->count ? (float)swap->markers[k] : NAN;
        }
        row[UG_SWAP_MARKERS_MAX] = (float)swap->first;
        row[UG_SWAP_MARKERS_MAX + 1] = (float)swap->last;
        row[UG_SWAP_MARKERS_MAX + 2] = (float)swap->outcome;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "swaps", "", swaps->count, SWAP_COLUMNS, rows, err);
    free(rows);
    return status;
}

ug_status ug_clean_find_swaps(ug_take *take, const ug_edits_report *edited,
                              ug_stage_context *context, ug_error *err)
{
    if (ug_option_is(context->options, "swaps", "off")) {
        return UG_OK;
    }
    ug_swaps swaps = { 0 };
    ug_swaps_opts opts = ug_swaps_default_opts();
    opts.repair = ug_option_is(context->options, "swaps", "repair");
    opts.workers = context->jobs;
    opts.settled = edited->settled;
    opts.settled_count = edited->settled_count;
    ug_status status = ug_swaps_find(&swaps, take->markers, &context->warnings, &opts, err);
    if (status == UG_OK) {
        size_t sure = 0, left = 0;
        for (size_t i = 0; i < swaps.count; i++) {
            sure += swaps.items[i].outcome != UG_SWAP_UNSURE;
            left += swaps.items[i].outcome != UG_SWAP_REPAIRED;
        }
        ug_metrics_set(&context->metrics, "swap_count", (double)sure);
        ug_metrics_set(&context->metrics, "swap_candidates", (double)left);
        status = keep_swaps(take, &swaps, err);
        ug_stage_say(context, "looked for swaps: %zu found, %zu left as they are", sure, left);
    }
    ug_swaps_fini(&swaps);
    return status;
}

static ug_status keep_fallen(ug_take *take, const ug_fallen *fallen, ug_error *err)
{
    float *rows = malloc((3 * fallen->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu markers", fallen->count);
    }
    for (size_t i = 0; i < fallen->count; i++) {
        rows[3 * i] = (float)fallen->items[i].marker;
        rows[3 * i + 1] = (float)fallen->items[i].frame;
        rows[3 * i + 2] = (float)fallen->items[i].moved_mm;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "fallen", "", fallen->count, 3, rows, err);
    free(rows);
    return status;
}

ug_status ug_clean_find_fallen(ug_take *take, ug_stage_context *context, ug_error *err)
{
    ug_fallen fallen = { 0 };
    ug_status status = ug_fallen_find(&fallen, take->markers, &context->warnings, err);
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "fallen_count", (double)fallen.count);
        status = keep_fallen(take, &fallen, err);
    }
    ug_fallen_fini(&fallen);
    return status;
}

ug_status ug_clean_find_spikes(ug_take *take, ug_stage_context *context, ug_error *err)
{
    if (ug_option_is(context->options, "spikes", "off")) {
        return UG_OK;
    }
    ug_spikes spikes = { 0 };
    ug_spikes_opts opts = ug_spikes_default_opts();
    opts.clear = ug_option_is(context->options, "spikes", "clear");
    ug_status status = ug_spikes_find(take->markers, &spikes, &context->warnings, &opts, err);
    ug_metrics_set(&context->metrics, "spike_count", (double)spikes.count);
    if (status == UG_OK) {
        status = keep_spikes(take, &spikes, err);
    }
    ug_stage_say(context, "looked for spikes");
    ug_spikes_fini(&spikes);
    return status;
}
