// SPDX-License-Identifier: MIT
#include "solvers/contacts_detect.h"

#include "solvers/slow_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const double SLOW_M_S = 0.3;      // runs that make a local floor …
static const double SLOW_S = 0.10;       // … and last: longer than a jump's apex can
static const double SAME_FLOOR_M = 0.05; // runs this far above the lowest still are the floor
static const double NEAR_S = 0.4;        // a slow run this near in time is the local floor
static const double REST_M_S = 0.05;     // speed at which a sample's weight is half

ug_contact_opts ug_contact_opts_load_markers(void)
{
    return (ug_contact_opts){ .kind = UG_CONTACT_LOAD,
                              .enter_m_s = 0.6,
                              .leave_m_s = 1.5,
                              .height_m = 0.02,
                              .leave_height = 2.0,
                              .cutoff_hz = 12.0,
                              .scale = 1.0,
                              .local_floor = true,
                              .shortest_s = 0.05 };
}

ug_contact_opts ug_contact_opts_load_joints(void)
{
    ug_contact_opts opts = ug_contact_opts_load_markers();
    opts.enter_m_s = 0.9; // an ankle is higher than a heel and settles later
    opts.leave_m_s = 1.3;
    return opts;
}

ug_contact_opts ug_contact_opts_planted(void)
{
    ug_contact_opts opts = ug_contact_opts_load_markers();
    opts.kind = UG_CONTACT_PLANTED;
    opts.enter_m_s = 0.3;
    opts.leave_m_s = 0.4;
    opts.height_m = 0.025;
    opts.leave_height = 1.2; // a heel that lifts already must not be pinned
    opts.local_floor = false;
    return opts;
}

// the clip's floor: lowest slow run, and the mean of all that lie near it
static double clip_floor(const ug_slow_runs *runs, const ug_vec3 *path_m, size_t count,
                         double scale)
{
    double lowest = INFINITY, sum = 0.0, weight = 0.0;
    for (size_t i = 0; i < runs->count; i++) {
        lowest = fmin(lowest, runs->items[i].place_m.y);
    }
    for (size_t i = 0; i < runs->count; i++) {
        const ug_slow_run *run = &runs->items[i];
        if (run->place_m.y <= lowest + SAME_FLOOR_M * scale) {
            const double frames = (double)(run->end - run->start);
            sum += frames * run->place_m.y;
            weight += frames;
        }
    }
    if (weight > 0.0) {
        return sum / weight;
    }
    for (size_t f = 0; f < count; f++) { // never at rest: the lowest it gets
        lowest = path_m[f].y < lowest ? path_m[f].y : lowest;
    }
    return lowest;
}

// level of the slow run nearest in time; `hint` moves on with the frames
static double local_floor(const ug_slow_runs *runs, size_t *hint, size_t frame, double rate_hz,
                          double otherwise)
{
    while (*hint + 1 < runs->count && runs->items[*hint].end <= frame) {
        const double behind = (double)frame - (double)(runs->items[*hint].end - 1);
        const double ahead = (double)runs->items[*hint + 1].start - (double)frame;
        if (ahead > behind) {
            break;
        }
        ++*hint;
    }
    if (runs->count == 0) {
        return otherwise;
    }
    const ug_slow_run *run = &runs->items[*hint];
    const double gap = frame < run->start  ? (double)(run->start - frame)
                       : frame >= run->end ? (double)(frame - run->end + 1)
                                           : 0.0;
    return gap <= NEAR_S * rate_hz ? run->place_m.y : otherwise;
}

ug_status ug_contact_labels(uint8_t *labels, const ug_point_path *path, size_t frame_count,
                            double rate_hz, const ug_contact_opts *o, ug_error *err)
{
    assert(rate_hz > 0.0 && o->scale > 0.0);
    ug_slow_runs runs = { 0 };
    ug_vec3 *smooth = malloc((frame_count + 1) * sizeof *smooth);
    double *speed = malloc((frame_count + 1) * sizeof *speed);
    ug_status status = UG_OK;
    if (!smooth || !speed) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    memcpy(smooth, path->path_m, frame_count * sizeof *smooth);
    status = ug_path_speed(speed, smooth, frame_count, rate_hz, o->cutoff_hz, err);
    if (status == UG_OK && o->local_floor) {
        status = ug_slow_runs_find(&runs, speed, smooth, frame_count, rate_hz, SLOW_M_S * o->scale,
                                   SLOW_S, err);
    }
    if (status != UG_OK) {
        goto done;
    }
    const double whole =
        o->local_floor ? clip_floor(&runs, smooth, frame_count, o->scale) : path->rest_height_m;
    const double enter_m = o->height_m * o->scale;
    size_t hint = 0;
    bool touching = false;
    for (size_t f = 0; f < frame_count; f++) {
        const double floor_m = local_floor(&runs, &hint, f, rate_hz, whole);
        const double height = smooth[f].y - floor_m, v = speed[f] / o->scale;
        if (touching) { // written so that a missing sample leaves
            touching = v <= o->leave_m_s && height <= o->leave_height * enter_m;
        } else {
            touching = v < o->enter_m_s && height < enter_m;
        }
        labels[f] = touching;
    }
    ug_contact_labels_tidy(labels, frame_count, rate_hz, o->shortest_s);
done:
    ug_slow_runs_fini(&runs);
    free(smooth);
    free(speed);
    return status;
}

// flip inner runs of `value` that are shorter than `shortest` frames
static void flip_short(uint8_t *labels, size_t count, uint8_t value, double shortest)
{
    for (size_t start = 0; start < count;) {
        size_t end = start;
        while (end < count && labels[end] == labels[start]) {
            end++;
        }
        if (labels[start] == value && start > 0 && end < count &&
            (double)(end - start) < shortest - 1e-9) {
            memset(labels + start, !value, end - start);
        }
        start = end;
    }
}

void ug_contact_labels_tidy(uint8_t *labels, size_t frame_count, double rate_hz, double shortest_s)
{
    flip_short(labels, frame_count, 0, shortest_s * rate_hz);
    flip_short(labels, frame_count, 1, shortest_s * rate_hz);
}

ug_status ug_contacts_from_labels(ug_contacts *out, const uint8_t *labels,
                                  const ug_point_path *path, size_t frame_count, double rate_hz,
                                  ug_contact_kind kind, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t start = 0; start < frame_count && status == UG_OK;) {
        size_t end = start;
        ug_vec3 sum = { 0, 0, 0 };
        double weights = 0.0;
        for (; end < frame_count && labels[end]; end++) {
            const size_t a = end > 0 ? end - 1 : end, b = end + 1 < frame_count ? end + 1 : end;
            const double v = b > a ? ug_vec3_distance(path->path_m[a], path->path_m[b]) * rate_hz /
                                         (double)(b - a)
                                   : 0.0;
            const double w = 1.0 / (v * v + REST_M_S * REST_M_S);
            if (isfinite(w) && ug_vec3_is_finite(path->path_m[end])) {
                sum = ug_vec3_madd(sum, w, path->path_m[end]);
                weights += w;
            }
        }
        if (end > start) {
            ug_contact c = { .point = path->point, .kind = kind, .accepted = true };
            c.start_s = (double)start / rate_hz;
            c.end_s = (double)end / rate_hz;
            c.target_m = ug_vec3_scale(sum, weights > 0.0 ? 1.0 / weights : NAN);
            status = ug_contacts_add(out, &c, err);
        }
        start = end > start ? end : start + 1;
    }
    return status;
}

ug_status ug_contacts_detect(ug_contacts *out, const ug_point_path *paths, size_t path_count,
                             size_t frame_count, double rate_hz, const ug_contact_opts *opts,
                             ug_error *err)
{
    assert(out && out->count == 0);
    uint8_t *labels = malloc(frame_count + 1);
    ug_status status = labels ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (int point = 0; point < UG_CONTACT_POINT_COUNT; point++) {
        for (size_t i = 0; i < path_count && status == UG_OK; i++) {
            if ((int)paths[i].point != point) {
                continue;
            }
            status = ug_contact_labels(labels, &paths[i], frame_count, rate_hz, opts, err);
            if (status == UG_OK) {
                status = ug_contacts_from_labels(out, labels, &paths[i], frame_count, rate_hz,
                                                 opts->kind, err);
            }
        }
    }
    if (status != UG_OK) {
        ug_contacts_fini(out);
    }
    free(labels);
    return status;
}

void ug_contact_frames(size_t *start, size_t *end, const ug_contact *contact, double rate_hz,
                       size_t frame_count)
{
    const double last = (double)frame_count;
    const double from = ceil(contact->start_s * rate_hz - 1e-6);
    const double to = ceil(contact->end_s * rate_hz - 1e-6);
    *start = (size_t)fmin(fmax(from, 0.0), last);
    *end = (size_t)fmin(fmax(to, (double)*start), last);
}
