// SPDX-License-Identifier: MIT
// Facts about the stages a take went through: what was asked for, what came out, what changed.
#include "formats/file.h"
#include "motion/text.h"
#include "pipeline/report/report_parts.h"
#include "pipeline/stages/stage.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The figures worth a line beside a stage; the others are one click away.
static bool is_key(const char *name)
{
    static const char *const NAMES[] = {
        "frame_count",
        "duration_s",
        "marker_count",
        "unlabelled_count",
        "joint_count",
        "missing_pct",
        "gap_count",
        "longest_gap_s",
        "never_seen_count",
        "filled_count",
        "spike_count",
        "swap_count",
        "swap_candidates",
        "edit_count",
        "filtered_count",
        "unchecked_gaps",
        "predicted_error_worst_mm",
        "scale_ratio",
        "stature_m",
        "markers_found",
        "markers_calibrated",
        "marker_rms_mm",
        "marker_p95_mm",
        "outlier_pct",
        "leave_out_rms_mm",
        "exchanged_labels",
        "left_right_worst_pct",
        "stray_samples",
        "unsolved_frames",
        "limit_hits",
        "contact_count",
        "foot_slide_mm",
        "foot_slide_pinned_mm",
        "contacts_refused",
        "penetration_mm",
        "float_mm",
        "pelvis_drop_mm",
        "pose_change_mm",
        "knee_accel_ratio",
        "floor_tilt_deg",
        "gap_faults",
        "swap_faults",
        "ghost_faults",
        "event_count",
        "analog_channel_count",
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            return true;
        }
    }
    return false;
}

static const ug_metric *find(const ug_metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->items[i].name, name) == 0) {
            return &metrics->items[i];
        }
    }
    return NULL;
}

// The same figure before this stage: as the stage itself measured it, else of a stage before.
static void find_before(ug_report_change *change, const ug_report_facts *facts,
                        const ug_report_stage *stage, const ug_metrics *own)
{
    char name[sizeof change->metric.name + 8];
    (void)snprintf(name, sizeof name, "before/%s", change->metric.name);
    const ug_metric *said = find(own, name);
    if (strcmp(change->metric.name, "missing_pct") == 0 && !said) {
        said = find(own, "missing_before_pct");
        change->since = said ? "input" : NULL;
    } else if (said) {
        change->since = "transfer";
    }
    if (said) {
        change->before = said->value;
        return;
    }
    // facts->stages holds those before this one, and this one last
    for (size_t s = facts->stage_count - 1; s-- > 0 && strcmp(stage->stage, "import") != 0;) {
        const ug_report_stage *earlier = &facts->stages[s];
        const bool is_comparable =
            earlier->of_subject == stage->of_subject || strcmp(earlier->stage, "calibrate") == 0;
        for (size_t i = 0; i < earlier->change_count && is_comparable; i++) {
            if (strcmp(earlier->changes[i].metric.name, change->metric.name) == 0) {
                change->before = earlier->changes[i].metric.value;
                change->since = earlier->stage;
                return;
            }
        }
        if (is_comparable && strcmp(earlier->stage, "import") == 0) {
            return; // before that it was another file
        }
    }
}

static ug_status read_metrics(ug_report_facts *facts, ug_report_stage *stage, const char *json,
                              ug_error *err)
{
    ug_metrics metrics = { 0 };
    ug_status status = UG_OK;
    (void)ug_metrics_from_json(&metrics, json); // what cannot be read is not known
    for (size_t i = 0; i < metrics.count && status == UG_OK; i++) {
        ug_report_change *change =
            ug_report_push(&stage->changes, &stage->change_count, sizeof *change);
        char *name = ug_report_text(metrics.items[i].name);
        if (!change || !name) {
            status = ug_fail(err, UG_E_NOMEM, "out of memory");
        } else {
            change->metric.value = metrics.items[i].value;
            (void)snprintf(change->metric.name, sizeof change->metric.name, "%s", name);
            change->before = (double)NAN;
            change->key = is_key(change->metric.name);
            find_before(change, facts, stage, &metrics);
        }
        free(name);
    }
    ug_metrics_fini(&metrics);
    return status;
}

// "value" of an option as JSON has it, a path by its base name; NULL: not set.
static char *option_text(const cJSON *value, const ug_option *option)
{
    if (cJSON_IsString(value)) {
        return ug_text_copy(option && option->is_path ? ug_path_base(value->valuestring)
                                                      : value->valuestring);
    }
    if (cJSON_IsArray(value)) {
        char *all = value->child ? ug_text_copy("") : NULL;
        for (const cJSON *v = value->child; v && all; v = v->next) {
            char *one = option_text(v, option);
            char *longer = ug_text_format("%s%s%s", all, all[0] ? ", " : "", one ? one : "");
            free(one);
            free(all);
            all = longer;
        }
        return all;
    }
    return cJSON_IsNull(value) ? NULL : cJSON_PrintUnformatted(value);
}

static bool is_initial(const cJSON *value, const char *text, const ug_option *option)
{
    if (!option || !option->initial) {
        return false;
    }
    double initial = 0.0;
    char *end = NULL;
    initial = strtod(option->initial, &end);
    return cJSON_IsNumber(value) && *end == '\0' ? value->valuedouble == initial
                                                 : strcmp(text, option->initial) == 0;
}

static ug_status read_options(ug_report_stage *stage, const char *json, ug_error *err)
{
    const ug_stage *known = ug_stage_find(stage->stage);
    cJSON *object = json ? cJSON_Parse(json) : NULL;
    ug_status status = UG_OK;
    for (const cJSON *v = cJSON_IsObject(object) ? object->child : NULL; v && status == UG_OK;
         v = v->next) {
        const ug_option *option = NULL;
        for (size_t i = 0; known && i < known->option_count; i++) {
            option = strcmp(known->options[i].name, v->string) == 0 ? &known->options[i] : option;
        }
        char *text = option_text(v, option);
        if (text && !is_initial(v, text, option)) {
            char *line = ug_text_format("%s: %s", v->string, text);
            char **slot = ug_report_push(&stage->options, &stage->option_count, sizeof *slot);
            if (slot) {
                *slot = line ? ug_report_text(line) : NULL;
            }
            status = slot && *slot ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
            free(line);
        }
        free(text);
    }
    cJSON_Delete(object);
    return status;
}

static char *read_inputs(const char *json)
{
    cJSON *list = json ? cJSON_Parse(json) : NULL;
    char *all = ug_text_copy("");
    for (const cJSON *v = cJSON_IsArray(list) ? list->child : NULL; v && all; v = v->next) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, "name"));
        if (name && !cJSON_GetObjectItemCaseSensitive(v, "option")) {
            char *longer = ug_text_format("%s%s%s", all, all[0] ? ", " : "", name);
            free(all);
            all = longer;
        }
    }
    cJSON_Delete(list);
    char *safe = ug_report_text(all);
    free(all);
    return safe;
}

static ug_status read_warnings(ug_report_stage *stage, const char *json, ug_error *err)
{
    stage->warnings = calloc(1, sizeof *stage->warnings);
    if (!stage->warnings) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    char *safe = ug_report_text(json);
    stage->warnings_known = safe && ug_warnings_from_json(stage->warnings, safe);
    free(safe);
    return UG_OK;
}

// A subject brings its own history along: from an import that does not open the file's up to the
// calibration that made it, all of it is about other takes.
static void mark_subject(ug_report_facts *facts)
{
    size_t start = SIZE_MAX;
    for (size_t i = 1; i < facts->stage_count; i++) {
        const bool opens = strcmp(facts->stages[i].stage, "import") == 0 ||
                           strcmp(facts->stages[i].stage, "synth") == 0;
        start = opens && start == SIZE_MAX ? i : start;
        if (start != SIZE_MAX && strcmp(facts->stages[i].stage, "calibrate") == 0) {
            for (size_t k = start; k <= i; k++) {
                facts->stages[k].of_subject = true;
            }
            start = SIZE_MAX;
        }
    }
}

static ug_status add_stage(ug_report_facts *facts, const ug_provenance_entry *e, ug_error *err)
{
    ug_report_stage *stage = ug_report_push(&facts->stages, &facts->stage_count, sizeof *stage);
    if (!stage) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    stage->stage = ug_report_text(e->stage);
    stage->version = ug_report_text(e->version);
    stage->started = ug_report_text(e->started);
    stage->seconds = e->seconds;
    stage->inputs = read_inputs(e->inputs_json);
    return stage->stage && stage->version && stage->started && stage->inputs
               ? UG_OK
               : ug_fail(err, UG_E_NOMEM, "out of memory");
}

ug_status ug_report_history(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_provenance *p = &take->provenance;
    const size_t count = p->count;
    ug_status status = UG_OK;
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        status = add_stage(facts, &p->items[i], err);
    }
    mark_subject(facts);
    for (size_t i = 0; i < facts->stage_count && status == UG_OK; i++) {
        ug_report_facts before = *facts; // the stages up to this one
        before.stage_count = i + 1;
        status = read_metrics(&before, &facts->stages[i], p->items[i].metrics_json, err);
        if (status == UG_OK) {
            status = read_options(&facts->stages[i], p->items[i].options_json, err);
        }
        if (status == UG_OK) {
            status = read_warnings(&facts->stages[i], p->items[i].warnings_json, err);
        }
    }
    if (facts->stage_count > 0 && status == UG_OK) {
        facts->source_name = ug_report_text(facts->stages[0].inputs);
    }
    return status;
}
