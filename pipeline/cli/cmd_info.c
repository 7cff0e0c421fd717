// SPDX-License-Identifier: MIT
// info: what is in a file, ours or another program's, for people and (--json) for programs.
#include "motion/markers.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/take_input.h"
#include "pipeline/stages/open.h"
#include "pipeline/stages/take_metrics.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "roles",
      .type = UG_OPTION_FLAG,
      .initial = "false",
      .help = "which joint plays which part of a body" },
    { .name = "markers",
      .type = UG_OPTION_FLAG,
      .initial = "false",
      .help = "every marker with its gaps" },
    { .name = "joints", .type = UG_OPTION_FLAG, .initial = "false", .help = "the joint tree" },
    CLI_TAKE_OPTIONS,
};

static const char *kind_name(uint8_t kind)
{
    static const char *const NAMES[] = { "marker", "unlabelled", "angle",  "force",
                                         "moment", "power",      "scalar", "virtual" };
    return kind < sizeof NAMES / sizeof NAMES[0] ? NAMES[kind] : "?";
}

static size_t missing_of(const ug_markers *m, size_t marker)
{
    size_t missing = 0;
    for (size_t f = 0; f < m->frame_count; f++) {
        missing += !ug_markers_present(m, f, marker);
    }
    return missing;
}

// Who says so? Nothing where the file itself does.
static const char *origin_of(bool inferred, bool stated)
{
    return !inferred ? "" : stated ? " (stated by you)" : " (inferred)";
}

static void print_source(const ug_take *take)
{
    char axes[7];
    ug_axes_to_text(axes, take->source.axes);
    printf("  source      %s, unit %s%s, axes %s%s\n",
           take->source.format[0] ? take->source.format : "unknown", take->source.unit,
           origin_of(take->source.unit_inferred, take->source.unit_stated), axes,
           origin_of(take->source.axes_inferred, take->source.axes_stated));
}

static void print_rate(const char *what, size_t frames, ug_rate rate, int64_t first)
{
    printf("  %-11s %zu frames", what, frames);
    if (ug_rate_is_valid(rate)) {
        printf(" at %.6g Hz", ug_rate_hz(rate));
        if (rate.den != 1) {
            printf(" (%lld/%lld)", (long long)rate.num, (long long)rate.den);
        }
        if (frames > 0) {
            printf(", %.3f s", ug_rate_time_s(rate, (double)(frames - 1)));
        }
    }
    printf(", first frame %lld\n", (long long)first);
}

static void print_markers(const ug_markers *m, bool each)
{
    ug_metrics figures = { 0 };
    ug_metrics_add_markers(&figures, m);
    double markers = 0, unlabelled = 0, gaps = 0, missing = 0, longest = 0, never = 0;
    (void)ug_metrics_get(&figures, "marker_count", &markers);
    (void)ug_metrics_get(&figures, "unlabelled_count", &unlabelled);
    (void)ug_metrics_get(&figures, "gap_count", &gaps);
    (void)ug_metrics_get(&figures, "missing_pct", &missing);
    (void)ug_metrics_get(&figures, "longest_gap_s", &longest);
    (void)ug_metrics_get(&figures, "never_seen_count", &never);
    print_rate("markers", m->frame_count, m->rate, m->first_frame);
    printf("              %.0f markers, %.0f unlabelled, %.0f other points\n", markers, unlabelled,
           (double)m->marker_count - markers - unlabelled);
    printf("              %.2f %% missing, %.0f gaps, longest %.3f s, %.0f never seen\n", missing,
           gaps, longest, never);
    for (size_t k = 0; each && k < m->marker_count; k++) {
        size_t longest_frames = 0;
        const size_t runs = ug_markers_gap_count(m, k, &longest_frames);
        printf("    %s%s%-16s %-10s missing %6zu  gaps %4zu  longest %6zu\n", m->subjects[k],
               m->subjects[k][0] ? ":" : "", m->labels[k], kind_name(m->kinds[k]), missing_of(m, k),
               runs, longest_frames);
    }
    ug_metrics_fini(&figures);
}

static void print_joints(const ug_skeleton *s, bool roles_only)
{
    for (size_t j = 0; j < s->joint_count; j++) {
        const ug_joint *joint = &s->joints[j];
        if (roles_only && (joint->flags & UG_JOINT_END_SITE)) {
            continue;
        }
        int depth = 0;
        for (int p = joint->parent; p >= 0; p = s->joints[p].parent) {
            depth++;
        }
        printf("    %*s%-*s  %-16s offset %8.4f %8.4f %8.4f m\n", 2 * depth, "",
               40 - 2 * depth > 1 ? 40 - 2 * depth : 1, joint->name,
               joint->role == UG_ROLE_NONE ? "-" : ug_role_name(joint->role), joint->offset_m.x,
               joint->offset_m.y, joint->offset_m.z);
    }
}

static void print_take(const char *path, const ug_take *take, const ug_option_values *values)
{
    printf("%s\n", path);
    print_source(take);
    if (take->markers) {
        print_markers(take->markers, ug_option_flag(values, "markers"));
    }
    if (take->analog) {
        printf("  analog      %zu channels, %zu samples a frame\n", take->analog->channel_count,
               take->analog->samples_per_frame);
    }
    if (take->events.count > 0) {
        printf("  events      %zu\n", take->events.count);
    }
    if (take->skeleton) {
        printf("  skeleton    %zu joints, size %.3f m\n", take->skeleton->joint_count,
               ug_skeleton_size_m(take->skeleton));
        const bool joints = ug_option_flag(values, "joints");
        if (joints || ug_option_flag(values, "roles")) {
            print_joints(take->skeleton, !joints);
        }
    }
    if (take->attachments.count > 0) {
        printf("  attachments %zu markers on the skeleton\n", take->attachments.count);
    }
    if (take->clip) {
        print_rate("motion", take->clip->frame_count, take->clip->rate, take->clip->first_frame);
    }
    if (take->contacts.count > 0) {
        printf("  contacts    %zu\n", take->contacts.count);
    }
    for (size_t i = 0; i < take->provenance.count; i++) {
        const ug_provenance_entry *e = &take->provenance.items[i];
        printf("  history     %s (%s) %s %s\n", e->stage, e->version, e->started, e->options_json);
    }
}

static cJSON *markers_to_json(const ug_markers *m)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k < m->marker_count; k++) {
        size_t longest = 0;
        const size_t gaps = ug_markers_gap_count(m, k, &longest);
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "label", m->labels[k]);
        cJSON_AddStringToObject(o, "subject", m->subjects[k]);
        cJSON_AddStringToObject(o, "kind", kind_name(m->kinds[k]));
        cJSON_AddNumberToObject(o, "missing", (double)missing_of(m, k));
        cJSON_AddNumberToObject(o, "gaps", (double)gaps);
        cJSON_AddNumberToObject(o, "longest_frames", (double)longest);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static cJSON *joints_to_json(const ug_skeleton *s)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t j = 0; j < s->joint_count; j++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", s->joints[j].name);
        cJSON_AddNumberToObject(o, "parent", s->joints[j].parent);
        cJSON_AddStringToObject(o, "role", ug_role_name(s->joints[j].role));
        cJSON_AddBoolToObject(o, "end_site", (s->joints[j].flags & UG_JOINT_END_SITE) != 0);
        const double offset[3] = { s->joints[j].offset_m.x, s->joints[j].offset_m.y,
                                   s->joints[j].offset_m.z };
        cJSON_AddItemToObject(o, "offset_m", cJSON_CreateDoubleArray(offset, 3));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static void print_json(const char *path, const ug_take *take, const ug_warnings *warnings)
{
    ug_metrics figures = { 0 };
    ug_metrics_add_clip(&figures, take->clip);
    ug_metrics_add_markers(&figures, take->markers);
    if (take->markers && ug_rate_is_valid(take->markers->rate)) {
        ug_metrics_set(&figures, "rate_hz", ug_rate_hz(take->markers->rate));
        ug_metrics_set(&figures, "first_frame", (double)take->markers->first_frame);
    } else if (take->clip && ug_rate_is_valid(take->clip->rate)) {
        ug_metrics_set(&figures, "rate_hz", ug_rate_hz(take->clip->rate));
    }
    char axes[7];
    ug_axes_to_text(axes, take->source.axes);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "stage", "info");
    cJSON_AddStringToObject(root, "file", path);
    cJSON *source = cJSON_AddObjectToObject(root, "source");
    cJSON_AddStringToObject(source, "format", take->source.format);
    cJSON_AddStringToObject(source, "unit", take->source.unit);
    cJSON_AddStringToObject(source, "axes", axes);
    char *text = ug_metrics_to_json(&figures);
    cJSON_AddItemToObject(root, "metrics", cJSON_CreateRaw(text ? text : "{}"));
    char *odd = ug_warnings_to_json(warnings);
    cJSON_AddItemToObject(root, "warnings", cJSON_CreateRaw(odd ? odd : "[]"));
    if (take->markers) {
        cJSON_AddItemToObject(root, "markers", markers_to_json(take->markers));
    }
    if (take->skeleton) {
        cJSON_AddItemToObject(root, "joints", joints_to_json(take->skeleton));
    }
    char *printed = cJSON_PrintUnformatted(root);
    printf("%s\n", printed ? printed : "{}");
    free(printed);
    free(odd);
    free(text);
    cJSON_Delete(root);
    ug_metrics_fini(&figures);
}

static ug_status inspect(const cli_call *call, const char *path, ug_error *err)
{
    const cli_args *args = call->args;
    ug_take take;
    ug_warnings warnings = { 0 };
    ug_take_init(&take);
    ug_status status = cli_take_read(&take, call, path, &warnings, err);
    if (status == UG_OK && ug_option_flag(call->values, "roles")) {
        status = ug_open_roles(&take, args->data_dir, &warnings, err);
    }
    status = cli_warnings_settle(call, &warnings, status, err);
    if (status == UG_OK && args->json) {
        print_json(path, &take, &warnings);
    } else if (status == UG_OK) {
        print_take(path, &take, call->values);
    }
    ug_take_fini(&take);
    return status;
}

const cli_verb cmd_info = {
    .name = "info",
    .usage = "FILE…",
    .summary = "say what is in a file",
    .examples = "  ugoki info take.c3d\n"
                "  ugoki info walk.bvh --roles\n"
                "  ugoki info take.h5 --markers --json\n",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .without_input = "which file? ugoki info FILE",
    .run_file = inspect,
};
