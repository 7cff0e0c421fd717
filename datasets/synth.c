// SPDX-License-Identifier: MIT
#include "datasets/synth.h"

#include "datasets/random.h"
#include "datasets/synth_body.h"
#include "datasets/synth_capture.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_BODY = 1, STREAM_SKIN, STREAM_GAIT };

ug_synth_opts ug_synth_default_opts(void)
{
    return (ug_synth_opts){ .rate = { 120, 1 },
                            .stature_m = 1.75,
                            .strides = 6,
                            .turn_deg = 90.0,
                            .jump_m = 0.25,
                            .noise_mm = 0.5,
                            .skin_sigma = 0.5,
                            .occluded_share = 0.04,
                            .swaps = 3,
                            .ghosts = 4,
                            .dropout_share = 0.002 };
}

static ug_status check_opts(const ug_synth_opts *o, ug_error *err)
{
    if (!ug_rate_is_valid(o->rate) || ug_rate_hz(o->rate) < 30.0 || ug_rate_hz(o->rate) > 2000.0) {
        return ug_fail(err, UG_E_USAGE, "rate %g Hz: must be 30 to 2000",
                       ug_rate_is_valid(o->rate) ? ug_rate_hz(o->rate) : 0.0);
    }
    const double turn_max = 45.0 * o->strides;
    const struct {
        const char *name;
        double value, low, high;
    } ranges[] = {
        { "stature_m", o->stature_m, 1.0, 2.5 },
        { "strides", o->strides, 2, 200 },
        { "turn_deg", o->turn_deg, -turn_max, turn_max },
        { "jump_m", o->jump_m, 0.05, 0.6 },
        { "noise_mm", o->noise_mm, 0.0, 100.0 },
        { "skin_sigma", o->skin_sigma, 0.0, 3.0 },
        { "occluded_share", o->occluded_share, 0.0, 0.5 },
        { "swaps", o->swaps, 0, 1000 },
        { "ghosts", o->ghosts, 0, 1000 },
        { "dropout_share", o->dropout_share, 0.0, 0.5 },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (!(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)) {
            return ug_fail(err, UG_E_USAGE, "%s %g: must be %g to %g", ranges[i].name,
                           ranges[i].value, ranges[i].low, ranges[i].high);
        }
    }
    return UG_OK;
}

static double bounded_gaussian(ug_random *random)
{
    const double g = ug_random_gaussian(random);
    return g < -2.0 ? -2.0 : g > 2.0 ? 2.0 : g;
}

// The template at the stature asked for, with bones of its own: each length is off by half a sigma
// of its prior or so, the same on both sides.
static ug_skeleton *make_body(const ug_skeleton *humanoid, const ug_synth_opts *opts)
{
    ug_skeleton *s = ug_skeleton_copy(humanoid);
    if (!s) {
        return NULL;
    }
    const double known = humanoid->stature_m > 0.0 ? humanoid->stature_m : 1.75;
    s->stature_m = opts->stature_m;
    for (size_t j = 0; j < s->joint_count; j++) {
        ug_joint *joint = &s->joints[j];
        joint->offset_m = ug_vec3_scale(joint->offset_m, opts->stature_m / known);
        joint->offset_sigma_m = ug_vec3_scale(joint->offset_sigma_m, opts->stature_m / known);
        const ug_role mirror = ug_role_mirror(joint->role);
        const ug_role left = joint->role < mirror ? joint->role : mirror;
        const double length = ug_vec3_norm(joint->offset_m);
        if (!(joint->flags & UG_JOINT_HAS_PRIOR) || length <= 0.0) {
            continue;
        }
        // one draw a role: left and right of a pair agree
        ug_random random = ug_random_make(opts->seed, ((uint64_t)left << 8) + STREAM_BODY);
        const ug_vec3 unit = ug_vec3_scale(joint->offset_m, 1.0 / length);
        const double sigma = sqrt(pow(unit.x * joint->offset_sigma_m.x, 2) +
                                  pow(unit.y * joint->offset_sigma_m.y, 2) +
                                  pow(unit.z * joint->offset_sigma_m.z, 2));
        joint->offset_m =
            ug_vec3_scale(joint->offset_m, 1.0 + 0.5 * sigma / length * bounded_gaussian(&random));
    }
    return s;
}

static void move_markers(ug_attachments *attachments, const ug_synth_opts *opts)
{
    ug_random random = ug_random_make(opts->seed, STREAM_SKIN);
    for (size_t i = 0; i < attachments->count; i++) {
        ug_attachment *a = &attachments->items[i];
        a->local_m.x += opts->skin_sigma * a->sigma_m.x * bounded_gaussian(&random);
        a->local_m.y += opts->skin_sigma * a->sigma_m.y * bounded_gaussian(&random);
        a->local_m.z += opts->skin_sigma * a->sigma_m.z * bounded_gaussian(&random);
        a->calibrated = true;
    }
}

static ug_status move_body(ug_take *truth, ug_synth_times *times, const ug_synth_opts *opts,
                           ug_error *err)
{
    const double size = opts->stature_m / 1.75;
    ug_synth_legs legs;
    ug_status status = ug_synth_legs_init(&legs, truth->skeleton, err);
    if (status != UG_OK) {
        return status;
    }
    ug_random random = ug_random_make(opts->seed, STREAM_GAIT);
    *times = ug_synth_times_make(opts, size, 1.0 + 0.03 * bounded_gaussian(&random));
    const size_t frames = (size_t)(times->end * ug_rate_hz(opts->rate)) + 1;
    ug_synth_wish *wishes = calloc(frames, sizeof *wishes);
    ug_synth_foot *memory = calloc(2 * frames, sizeof *memory);
    if (!wishes || !memory) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory for a motion of %zu frames", frames);
        goto done;
    }
    ug_synth_foot *feet[2] = { memory, memory + frames };
    ug_synth_wishes(wishes, frames, opts->rate, &legs, times, opts, size);
    status = ug_synth_feet(feet, wishes, frames, &legs, truth->skeleton, times, opts, err);
    if (status == UG_OK) {
        status = ug_synth_settle_pelvis(wishes, feet, frames, truth->skeleton, &legs, times,
                                        opts->rate, err);
    }
    if (status == UG_OK) {
        status = ug_synth_body(&truth->clip, truth->skeleton, wishes, feet, frames, &legs, times,
                               opts, err);
    }
    if (status == UG_OK) {
        status = ug_synth_contacts(&truth->contacts, feet, frames, opts->rate, &legs, err);
    }

done:
    free(memory);
    free(wishes);
    return status;
}

static void sign_source(ug_take *take)
{
    (void)snprintf(take->source.format, sizeof take->source.format, "synth");
    (void)snprintf(take->source.unit, sizeof take->source.unit, "mm");
    take->source.unit_m = 0.001;
}

ug_status ug_synth_make(ug_synth *out, const ug_skeleton *humanoid, const ug_marker_set *set,
                        const ug_synth_opts *opts, ug_error *err)
{
    assert(out && humanoid && set);
    const ug_synth_opts o = opts ? *opts : ug_synth_default_opts();
    ug_synth_times times = { 0 };
    *out = (ug_synth){ 0 };
    ug_take_init(&out->captured);
    ug_take_init(&out->truth);
    ug_take *truth = &out->truth;
    ug_status status = check_opts(&o, err);
    if (status != UG_OK) {
        goto done;
    }
    truth->skeleton = make_body(humanoid, &o);
    status = truth->skeleton ? ug_marker_set_attach(&truth->attachments, set, truth->skeleton, err)
                             : ug_fail(err, UG_E_NOMEM, "out of memory for the skeleton");
    if (status != UG_OK) {
        goto done;
    }
    move_markers(&truth->attachments, &o);
    const ug_progress seeing = ug_progress_part(o.progress, 0.5, 0.7);
    status = move_body(truth, &times, &o, err);
    if (status == UG_OK) {
        status = ug_synth_observe(&truth->markers, truth->skeleton, &truth->attachments,
                                  truth->clip, &seeing, err);
    }
    if (status == UG_OK) {
        status = ug_progress_check(o.progress, 0.7, err);
    }
    if (status == UG_OK) {
        status = ug_synth_spoil(&out->captured.markers, &out->faults, &out->fault_count,
                                truth->markers, times.arms_start, &o, err);
    }
    sign_source(&out->captured);
    sign_source(truth);

done:
    if (status != UG_OK) {
        ug_synth_fini(out);
    }
    return status;
}

void ug_synth_fini(ug_synth *synth)
{
    if (synth) {
        ug_take_fini(&synth->captured);
        ug_take_fini(&synth->truth);
        free(synth->faults);
        synth->faults = NULL;
        synth->fault_count = 0;
    }
}
