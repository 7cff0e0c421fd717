// SPDX-License-Identifier: MIT
// Of clean: hand edits, replayed before anything else looks at the take.
#include "formats/settings_yaml.h"
#include "pipeline/stages/clean_steps.h"
#include "solvers/edits_apply.h"

ug_status ug_clean_edit(ug_take *take, ug_stage_context *context, ug_error *err)
{
    const char *path = ug_option_text(context->options, "edits");
    if (!path) {
        return UG_OK;
    }
    ug_edits edits = { 0 };
    ug_status status = ug_edits_read(&edits, path, err);
    if (status == UG_OK) {
        status = ug_edits_apply(take->markers, NULL, &context->warnings, &edits, err);
    }
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    } else {
        ug_metrics_set(&context->metrics, "edit_count", (double)edits.count);
        ug_stage_say(context, "applied %zu edits", edits.count);
    }
    ug_edits_fini(&edits);
    return status;
}
