// SPDX-License-Identifier: MIT
// Of clean: unlabelled points that are a labelled marker's.
#include "pipeline/stages/clean_steps.h"
#include "solvers/fragments.h"

#include <stdlib.h>

enum { COLUMNS = 5 };

static ug_status keep_fragments(ug_take *take, const ug_fragments *found, ug_error *err)
{
    float *rows = malloc((COLUMNS * found->count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu fragments", found->count);
    }
    for (size_t i = 0; i < found->count; i++) {
        const ug_fragment *g = &found->items[i];
        float *row = rows + COLUMNS * i;
        row[0] = (float)g->marker;
        row[1] = (float)g->point;
        row[2] = (float)g->first;
        row[3] = (float)g->last;
        row[4] = (float)g->miss_mm;
    }
    const ug_status status =
        ug_quality_set(&take->quality, "joined_fragments", "", found->count, COLUMNS, rows, err);
    free(rows);
    return status;
}

ug_status ug_clean_join(ug_take *take, ug_stage_context *context, ug_error *err)
{
    const bool join = ug_option_flag(context->options, "join_fragments");
    ug_fragments found = { 0 };
    ug_status status =
        ug_fragments_find(&found, take->markers, join ? &context->warnings : NULL, join, err);
    if (status == UG_OK) {
        ug_metrics *m = &context->metrics;
        ug_metrics_set(m, "joined_fragments", join ? (double)found.count : 0.0);
        ug_metrics_set(m, "joined_samples", join ? (double)found.sample_count : 0.0);
        ug_metrics_set(m, "loose_fragments", (double)(found.left + (join ? 0 : found.count)));
        ug_metrics_set(m, "loose_short_fragments", (double)found.short_left);
        ug_stage_say(context, "looked for fragments");
    }
    if (status == UG_OK && join) {
        status = keep_fragments(take, &found, err);
    }
    ug_fragments_fini(&found);
    return status;
}
