// SPDX-License-Identifier: MIT
// Foot planting, contacts: where each rests, which are refused, and the foot's rigid length.
#include "solvers/contacts_detect.h"
#include "solvers/foot_plant_parts.h"

#include <stdio.h>
#include <stdlib.h>

static const double REST_M_S = 0.05;
static const ug_vec3 ZERO = { 0, 0, 0 };

static ug_plant_leg *leg_of(ug_plant_job *j, const ug_contact *c, int *which)
{
    *which = c->point == UG_POINT_LEFT_HEEL || c->point == UG_POINT_RIGHT_HEEL ? UG_PLANT_HEEL
                                                                               : UG_PLANT_BALL;
    return &j->legs[c->point <= UG_POINT_LEFT_TOE ? 0 : 1];
}

static ug_vec3 resting_place(const ug_vec3 *p, size_t start, size_t end, size_t count,
                             double rate_hz)
{
    ug_vec3 sum = ZERO;
    double weights = 0.0;
    for (size_t f = start; f < end; f++) {
        const size_t a = f > 0 ? f - 1 : f, b = f + 1 < count ? f + 1 : f;
        const double v = b > a ? ug_vec3_distance(p[a], p[b]) * rate_hz / (double)(b - a) : 0.0;
        const double w = 1.0 / (v * v + REST_M_S * REST_M_S);
        sum = ug_vec3_madd(sum, w, p[f]);
        weights += w;
    }
    return ug_vec3_scale(sum, 1.0 / weights);
}

static void refuse(ug_contact *c, ug_warnings *warnings, const char *way, double asked_m,
                   double limit_m)
{
    c->accepted = false;
    snprintf(c->reason, sizeof c->reason, "asks for %.0f mm %s, limit %.0f mm", 1e3 * asked_m, way,
             1e3 * limit_m);
    ug_warn(warnings, "contact_refused", "%s from %.2f s to %.2f s %s",
            ug_contact_point_name(c->point), c->start_s, c->end_s, c->reason);
}

// where each contact rests; those that ask for too much are refused
void ug_plant_place_contacts(ug_plant_job *j, ug_foot_plant_report *seen, ug_warnings *warnings)
{
    for (size_t i = 0; i < j->contacts->count; i++) {
        ug_contact *c = &j->contacts->items[i];
        int which;
        size_t start, end;
        if (!ug_plant_is_used(c)) {
            continue;
        }
        const ug_plant_leg *l = leg_of(j, c, &which);
        ug_contact_frames(&start, &end, c, j->rate_hz, j->count);
        if (end == start) {
            c->accepted = false;
            snprintf(c->reason, sizeof c->reason, "no frame of the clip in it");
            seen->refused_count++;
            continue;
        }
        const ug_vec3 *p = l->point[which];
        c->target_m = resting_place(p, start, end, j->count, j->rate_hz);
        c->target_m.y = ug_plant_rest_height_m(l, which);
        double shift_m = 0.0, lift_m = 0.0;
        for (size_t f = start; f < end; f++) {
            const ug_vec3 ask = ug_vec3_sub(c->target_m, p[f]);
            shift_m = fmax(shift_m, hypot(ask.x, ask.z));
            lift_m = fmax(lift_m, fabs(ask.y));
        }
        if (shift_m > j->opts->max_shift_m) {
            refuse(c, warnings, "sideways", shift_m, j->opts->max_shift_m);
        } else if (lift_m > j->opts->max_lift_m) {
            refuse(c, warnings, "up or down", lift_m, j->opts->max_lift_m);
        }
        seen->accepted_count += c->accepted;
        seen->refused_count += !c->accepted;
    }
}

// Heel and ball are a rigid distance apart: a contact that starts while the other point of the
// foot already rests slides along the line between both to keep it.
static void keep_rigid(ug_plant_job *j, ug_contact *late)
{
    int which, other_which;
    const ug_plant_leg *l = leg_of(j, late, &which);
    for (size_t i = 0; i < j->contacts->count; i++) {
        const ug_contact *c = &j->contacts->items[i];
        if (!ug_plant_is_used(c) || leg_of(j, c, &other_which) != l || other_which == which ||
            c->start_s > late->start_s || (c->start_s == late->start_s && which == UG_PLANT_BALL) ||
            c->end_s <= late->start_s) {
            continue;
        }
        const double apart_m = ug_vec3_distance(l->foot->heel_m, l->foot->ball_m);
        const double rise_m = ug_plant_rest_height_m(l, UG_PLANT_BALL);
        const double run_m = sqrt(fmax(apart_m * apart_m - rise_m * rise_m, 0.0));
        ug_vec3 way = ug_vec3_sub(late->target_m, c->target_m);
        way.y = 0.0;
        way = ug_vec3_scale(ug_vec3_unit(way, ZERO), run_m);
        late->target_m.x = c->target_m.x + way.x;
        late->target_m.z = c->target_m.z + way.z;
        return;
    }
}

static int by_start(const void *a, const void *b)
{
    const ug_contact *p = *(ug_contact *const *)a, *q = *(ug_contact *const *)b;
    if (p->start_s != q->start_s) {
        return p->start_s < q->start_s ? -1 : 1;
    }
    // the ball first: a heel that starts with it follows
    return (q->point & 1) - (p->point & 1);
}

ug_status ug_plant_align_contacts(ug_plant_job *j, ug_error *err)
{
    ug_contact **order = malloc((j->contacts->count + 1) * sizeof *order);
    if (!order) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    size_t count = 0;
    for (size_t i = 0; i < j->contacts->count; i++) {
        if (ug_plant_is_used(&j->contacts->items[i])) {
            order[count++] = &j->contacts->items[i];
        }
    }
    qsort(order, count, sizeof *order, by_start);
    for (size_t i = 0; i < count; i++) {
        keep_rigid(j, order[i]);
    }
    free(order);
    return UG_OK;
}

void ug_plant_mark(ug_plant_job *j)
{
    for (size_t i = 0; i < j->contacts->count; i++) {
        const ug_contact *c = &j->contacts->items[i];
        int which;
        size_t start, end;
        if (!ug_plant_is_used(c)) {
            continue;
        }
        ug_plant_leg *l = leg_of(j, c, &which);
        ug_contact_frames(&start, &end, c, j->rate_hz, j->count);
        for (size_t f = start; f < end; f++) {
            l->planted[which][f] = 1;
            l->d[which][f] = ug_vec3_sub(c->target_m, l->point[which][f]);
        }
    }
}
