// SPDX-License-Identifier: MIT
// Labels to attachments, samples to metres and weights.
#include "solvers/ik_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ug_ik_job_fini(ug_ik_job *j)
{
    free(j->measured_m);
    free(j->weight);
    free(j->visible);
    free(j->seen);
    free(j->track.workspace);
    free(j->track.poses);
    free(j->track.scratch);
    free(j->track.costs);
    free(j->track.settled);
    free(j->track.lost);
    free(j->track.weak);
    free(j->track.hit);
    free(j->track.iterations);
    ug_ik_library_fini(&j->track.library);
    ug_ik_model_destroy(j->model);
}

static ptrdiff_t find_column(const ug_markers *markers, const char *label, const char *subject)
{
    for (size_t c = 0; c < markers->marker_count; c++) {
        if (markers->labels[c] && strcmp(markers->labels[c], label) == 0 &&
            (!subject || (markers->subjects[c] && strcmp(markers->subjects[c], subject) == 0))) {
            return (ptrdiff_t)c;
        }
    }
    return -1;
}

bool ug_ik_is_used(const ug_attachment *item)
{
    return item->kind != UG_MARKER_COMPUTED && item->weight > 0.0;
}

static void match_labels(ug_ik_take_result *out, const ug_ik_job *j)
{
    for (size_t a = 0; a < j->attachments->count; a++) {
        const ug_attachment *item = &j->attachments->items[a];
        out->columns[a] = find_column(j->markers, item->label, j->options->subject);
        if (out->columns[a] < 0 && ug_ik_is_used(item)) {
            ug_warn(j->warnings, "marker_absent",
                    "marker '%s' of the table is not in the take: solved without it", item->label);
        }
    }
    for (size_t c = 0; c < j->markers->marker_count; c++) {
        bool known = j->markers->kinds[c] != UG_POINT_MARKER;
        for (size_t a = 0; !known && a < j->attachments->count; a++) {
            known = j->markers->labels[c] &&
                    strcmp(j->markers->labels[c], j->attachments->items[a].label) == 0;
        }
        if (!known) {
            ug_warn(j->warnings, "marker_unknown",
                    "marker '%s' of the take is not in the table: not used",
                    ug_markers_name(j->markers, c).text);
        }
    }
}

// Filled samples speak by the error their filler predicts, or a quarter when it does not.
static double sample_weight(const ug_markers *markers, size_t index, double sigma_m)
{
    if (!(markers->origin[index] & UG_ORIGIN_FILLED)) {
        return 1.0;
    }
    const double e = 1e-3 * (double)markers->predicted_error_mm[index];
    return e >= 0.0 ? sigma_m * sigma_m / (sigma_m * sigma_m + e * e) : 0.25;
}

static void copy_samples(ug_ik_job *j, const ug_ik_take_result *out)
{
    const size_t count = j->attachments->count;
    for (size_t f = 0; f < j->markers->frame_count; f++) {
        for (size_t a = 0; a < count; a++) {
            const size_t i = f * count + a;
            const ptrdiff_t c = out->columns[a];
            j->weight[i] = 0.0;
            if (c < 0 || !ug_markers_present(j->markers, f, (size_t)c)) {
                memset(j->measured_m + 3 * i, 0, 3 * sizeof *j->measured_m);
                continue;
            }
            const ug_vec3 p = ug_markers_position_m(j->markers, f, (size_t)c);
            memcpy(j->measured_m + 3 * i, &p, sizeof p);
            if (ug_vec3_is_finite(p) && !(j->options->hidden && j->options->hidden[i])) {
                j->weight[i] = sample_weight(j->markers, ug_markers_index(j->markers, f, (size_t)c),
                                             j->options->sigma_m);
                j->seen[a] = j->seen[a] || j->weight[i] > 0.0;
            }
        }
    }
}

static ug_status allocate(ug_ik_job *j, ug_ik_take_result *out, ug_error *err)
{
    const size_t frames = j->markers->frame_count, count = j->attachments->count;
    const size_t joints = j->skeleton->joint_count, samples = frames * count;
    out->frame_count = frames;
    out->attachment_count = count;
    out->joint_count = joints;
    out->columns = malloc((count + 1) * sizeof *out->columns);
    out->residual_mm = malloc((samples + 1) * sizeof *out->residual_mm);
    out->outcome = calloc(frames + 1, sizeof *out->outcome);
    out->weak_joint = malloc((frames + 1) * sizeof *out->weak_joint);
    out->over_limit_rad = calloc(frames * joints + 1, sizeof *out->over_limit_rad);
    out->limit_hits = calloc(joints + 1, sizeof *out->limit_hits);
    out->limit_held = calloc(joints + 1, sizeof *out->limit_held);
    out->undecided = calloc(joints + 1, sizeof *out->undecided);
    j->measured_m = malloc((3 * samples + 1) * sizeof *j->measured_m);
    j->weight = malloc((samples + 1) * sizeof *j->weight);
    j->visible = calloc(frames + 1, sizeof *j->visible);
    j->seen = calloc(count + 1, sizeof *j->seen);
    j->track.costs = malloc((frames + 1) * sizeof *j->track.costs);
    j->track.settled = calloc(frames + 1, sizeof *j->track.settled);
    j->track.lost = calloc(frames + 1, sizeof *j->track.lost);
    j->track.weak = calloc(frames * joints + 1, sizeof *j->track.weak);
    j->track.hit = calloc(frames * joints + 1, sizeof *j->track.hit);
    j->track.iterations = calloc(frames + 1, sizeof *j->track.iterations);
    if (!out->columns || !out->residual_mm || !out->outcome || !out->weak_joint ||
        !out->over_limit_rad || !out->limit_hits || !out->limit_held || !out->undecided ||
        !j->measured_m || !j->weight || !j->visible || !j->seen || !j->track.costs ||
        !j->track.settled || !j->track.lost || !j->track.weak || !j->track.hit ||
        !j->track.iterations) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu frames of %zu markers", frames,
                       count);
    }
    return UG_OK;
}

ug_status ug_ik_gather(ug_ik_job *j, ug_ik_take_result *out, ug_error *err)
{
    const ug_status status = allocate(j, out, err);
    if (status == UG_OK) {
        j->track.over_rad = out->over_limit_rad;
        match_labels(out, j);
        copy_samples(j, out);
    }
    return status;
}
