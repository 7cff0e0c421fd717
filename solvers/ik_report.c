// SPDX-License-Identifier: MIT
// From solved poses to a clip, residuals and outcomes.
#include "solvers/ik_job.h"
#include "solvers/residual_stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *ug_ik_outcome_name(ug_ik_outcome outcome)
{
    static const char *const NAMES[] = { "unsolved", "stopped", "under_determined", "limited",
                                         "converged" };
    assert(outcome < UG_IK_OUTCOME_COUNT);
    return NAMES[outcome];
}

void ug_ik_take_result_fini(ug_ik_take_result *result)
{
    if (!result) {
        return;
    }
    ug_clip_destroy(result->clip);
    free(result->columns);
    free(result->residual_mm);
    free(result->outcome);
    free(result->weak_joint);
    free(result->over_limit_rad);
    free(result->limit_hits);
    free(result->limit_held);
    free(result->undecided);
    *result = (ug_ik_take_result){ 0 };
}

// Joints with an animated translation: every root and every FREE joint.
static ug_clip *make_clip(const ug_ik_job *j)
{
    const size_t joints = j->model->joint_count;
    int *moved = malloc((joints + 1) * sizeof *moved);
    size_t count = 0;
    for (size_t k = 0; moved && k < joints; k++) {
        if (j->model->joints[k].parent < 0 || j->model->joints[k].type == UG_JOINT_FREE) {
            moved[count++] = (int)k;
        }
    }
    ug_clip *clip =
        moved ? ug_clip_create(j->markers->frame_count, joints, moved, count, j->markers->rate)
              : NULL;
    free(moved);
    if (clip) {
        clip->first_frame = j->markers->first_frame;
        clip->origin = calloc(j->markers->frame_count * joints + 1, sizeof *clip->origin);
        if (!clip->origin) {
            ug_clip_destroy(clip);
            return NULL;
        }
    }
    return clip;
}

static void write_frame(ug_clip *clip, const ug_ik_job *j, size_t f, ug_vec3 *offset_m)
{
    const size_t joints = clip->joint_count;
    ug_ik_pose_to_local(ug_clip_rotations(clip, f), offset_m, j->model,
                        ug_ik_track_pose(&j->track, f));
    for (size_t t = 0; t < clip->translated_count; t++) {
        ug_clip_translations(clip, f)[t] = offset_m[clip->translated_joints[t]];
    }
    for (size_t k = 0; k < joints; k++) {
        clip->origin[f * joints + k] =
            (uint16_t)(UG_ORIGIN_PRESENT | UG_ORIGIN_COMPUTED |
                       (j->track.weak[f * joints + k] ? UG_ORIGIN_FILLED : 0));
    }
}

// Distances of a frame; true when most of its solved samples lie beyond the outlier bound.
static bool measure_frame(ug_ik_take_result *out, const ug_ik_job *j, size_t f, ug_ik_frame *frame)
{
    size_t far = 0;
    ug_ik_forward(frame, j->model, ug_ik_track_pose(&j->track, f));
    for (size_t a = 0; a < out->attachment_count; a++) {
        const size_t i = f * out->attachment_count + a;
        const ptrdiff_t c = out->columns[a];
        out->residual_mm[i] = NAN;
        if (c < 0 || !ug_ik_is_used(&j->attachments->items[a]) ||
            !ug_markers_present(j->markers, f, (size_t)c)) {
            continue;
        }
        // solved against what clean made of it, judged by what was measured
        const ug_vec3 measured_m = ug_markers_unfiltered_m(j->markers, f, (size_t)c);
        const double mm = 1e3 * ug_vec3_distance(measured_m, frame->marker_m[a]);
        out->residual_mm[i] = (float)mm;
        far += j->weight[i] > 0.0 && mm >= UG_OUTLIER_MM;
    }
    return 2 * far > j->visible[f];
}

static void judge_frame(ug_ik_take_result *out, const ug_ik_job *j, size_t f, bool far)
{
    const uint8_t *weak = j->track.weak + f * out->joint_count;
    const uint8_t *hit = j->track.hit + f * out->joint_count;
    bool limited = false;
    out->weak_joint[f] = -1;
    for (size_t k = 0; k < out->joint_count; k++) {
        out->limit_hits[k] += (hit[k] & UG_IK_LIMIT_HIT) != 0;
        out->limit_held[k] += (hit[k] & UG_IK_LIMIT_HELD) != 0;
        out->undecided[k] += weak[k];
        limited = limited || (hit[k] & UG_IK_LIMIT_HIT);
        if (weak[k] && out->weak_joint[f] < 0) {
            out->weak_joint[f] = (int)k;
        }
    }
    ug_ik_outcome outcome = UG_IK_CONVERGED;
    if (!ug_ik_track_usable(&j->track, f) || far) {
        outcome = UG_IK_UNSOLVED;
    } else if (!j->track.settled[f]) {
        outcome = UG_IK_STOPPED;
    } else if (out->weak_joint[f] >= 0) {
        outcome = UG_IK_UNDER;
    } else if (limited) {
        outcome = UG_IK_LIMITED;
    }
    out->outcome[f] = (uint8_t)outcome;
    out->outcome_count[outcome]++;
    out->limit_hit_frames += limited;
    out->iterations += j->track.iterations[f];
}

static void warn_outcome(const ug_ik_take_result *out, const ug_ik_job *j)
{
    for (size_t f = 0; f < out->frame_count; f++) {
        if (out->outcome[f] == UG_IK_UNSOLVED) {
            const bool usable = ug_ik_track_usable(&j->track, f);
            ug_warn_times(j->warnings, out->outcome_count[UG_IK_UNSOLVED], "frames_unsolved",
                          usable
                              ? "frame %lld: most of its %zu markers are farther than 60 mm from "
                                "the skeleton: wrong labels or wrong subject?"
                              : "frame %lld: %zu markers are too few for a pose; it lies between "
                                "its neighbours",
                          (long long)(j->markers->first_frame + (int64_t)f), j->visible[f]);
            break;
        }
    }
    for (size_t k = 0; k < out->joint_count; k++) {
        const char *name = j->skeleton->joints[k].name;
        ug_warn_times(j->warnings, out->undecided[k], "joint_undecided",
                      "joint '%s': hidden markers leave it undecided in %zu frames; it follows its "
                      "neighbours in time there",
                      name, out->undecided[k]);
        ug_warn_times(j->warnings, out->limit_hits[k], "limit_hits",
                      "joint '%s' wanted to go more than 1° past its limits in %zu frames", name,
                      out->limit_hits[k]);
    }
}

ug_status ug_ik_report(ug_ik_take_result *out, ug_ik_job *j, ug_error *err)
{
    void *memory = malloc(ug_ik_frame_bytes(j->model));
    ug_vec3 *offset_m = malloc((out->joint_count + 1) * sizeof *offset_m);
    ug_status status = UG_OK;
    out->clip = make_clip(j);
    if (!memory || !offset_m || !out->clip) {
        status =
            ug_fail(err, UG_E_NOMEM, "out of memory for a motion of %zu frames", out->frame_count);
        goto done;
    }
    ug_ik_frame frame;
    ug_ik_frame_init(&frame, j->model, memory);
    for (size_t f = 0; f < out->frame_count; f++) {
        write_frame(out->clip, j, f, offset_m);
        judge_frame(out, j, f, measure_frame(out, j, f, &frame));
    }
    ug_clip_make_signs_continuous(out->clip);
    warn_outcome(out, j);
done:
    free(memory);
    free(offset_m);
    return status;
}
