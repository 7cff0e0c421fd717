// SPDX-License-Identifier: MIT
// Facts about the motion: limits that were asked for too much, feet that stand.
#include "pipeline/report/report_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hit {
    size_t joint, frame;
    double deg;
} hit;

static int by_joint(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    if (x->joint != y->joint) {
        return x->joint < y->joint ? -1 : 1;
    }
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

// The joints are those of the solved skeleton, which a retargeted file no longer holds: in
// ascending order they are the `limit_hits_of` of the solve's figures.
static const char *solved_joint(const ug_report_facts *facts, const ug_take *take, size_t joint,
                                size_t nth, size_t nth_count)
{
    static const char FAMILY[] = "limit_hits_of/";
    bool is_solved_skeleton = true;
    const ug_report_stage *solve = NULL;
    for (size_t i = 0; i < facts->stage_count; i++) {
        if (strcmp(facts->stages[i].stage, "solve") == 0) {
            solve = &facts->stages[i];
            is_solved_skeleton = true;
        } else if (strcmp(facts->stages[i].stage, "retarget") == 0) {
            is_solved_skeleton = false;
        }
    }
    size_t found = 0;
    const char *name = NULL;
    for (size_t i = 0; solve && i < solve->change_count; i++) {
        const char *figure = solve->changes[i].metric.name;
        if (strncmp(figure, FAMILY, sizeof FAMILY - 1) == 0) {
            name = found++ == nth ? figure + sizeof FAMILY - 1 : name;
        }
    }
    if (found == nth_count && name) {
        return name;
    }
    return is_solved_skeleton && take->skeleton && joint < take->skeleton->joint_count
               ? take->skeleton->joints[joint].name
               : NULL;
}

static ug_status add_hit(ug_report_facts *facts, const hit *h, const char *name, bool is_new_joint,
                         ug_error *err)
{
    if (is_new_joint) {
        char number[32];
        (void)snprintf(number, sizeof number, "joint %zu", h->joint);
        ug_report_joint *joint = ug_report_push(&facts->joints, &facts->joint_count, sizeof *joint);
        if (!joint || !(joint->name = ug_report_text(name ? name : number))) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    ug_report_joint *joint = &facts->joints[facts->joint_count - 1];
    joint->frames++;
    if (h->deg > joint->worst_deg) {
        joint->worst_deg = h->deg;
        joint->worst_frame = h->frame;
    }
    ug_report_hit *last = facts->hit_count > 0 ? &facts->hits[facts->hit_count - 1] : NULL;
    if (is_new_joint || last->end != h->frame) {
        last = ug_report_push(&facts->hits, &facts->hit_count, sizeof *last);
        if (!last) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        *last = (ug_report_hit){ facts->joint_count - 1, h->frame, h->frame, h->frame, 0.0 };
    }
    last->end = h->frame + 1;
    if (h->deg > last->deg) {
        last->deg = h->deg;
        last->worst = h->frame;
    }
    return UG_OK;
}

static ug_status read_hits(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_series *s = ug_quality_find(&take->quality, "limit_hits");
    facts->hits_known = s && s->columns == 3;
    if (!facts->hits_known || s->rows == 0) {
        return UG_OK;
    }
    hit *hits = malloc(s->rows * sizeof *hits);
    size_t count = 0, joints = 0, nth = 0;
    ug_status status = hits ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (size_t i = 0; i < s->rows && hits; i++) {
        const float *row = s->values + 3 * i;
        if (row[0] >= 0.0f && row[0] < 65536.0f && row[1] >= 0.0f &&
            (double)row[1] < (double)facts->frame_count) {
            hits[count++] = (hit){ (size_t)row[0], (size_t)row[1], (double)row[2] };
        }
    }
    if (count > 0) {
        qsort(hits, count, sizeof *hits, by_joint);
    }
    for (size_t i = 0; i < count; i++) {
        joints += i == 0 || hits[i].joint != hits[i - 1].joint;
    }
    for (size_t i = 0; i < count && status == UG_OK; i++) {
        const bool is_new = i == 0 || hits[i].joint != hits[i - 1].joint;
        const char *name = is_new ? solved_joint(facts, take, hits[i].joint, nth++, joints) : NULL;
        status = add_hit(facts, &hits[i], name, is_new, err);
    }
    free(hits);
    return status;
}

static ug_status read_contacts(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_series *s = ug_quality_find(&take->quality, "contact_slide_mm");
    const size_t count = take->contacts.count;
    facts->slides_known = s && s->columns == 2 && s->rows == count && count > 0;
    facts->contacts = calloc(count + 1, sizeof *facts->contacts);
    if (!facts->contacts) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    facts->contact_count = count;
    for (size_t i = 0; i < count; i++) {
        ug_report_contact *c = &facts->contacts[i];
        c->contact = take->contacts.items[i];
        c->slide_before_mm = facts->slides_known ? (double)s->values[2 * i] : (double)NAN;
        c->slide_after_mm = facts->slides_known ? (double)s->values[2 * i + 1] : (double)NAN;
        facts->slides_before_known = facts->slides_before_known || !isnan(c->slide_before_mm);
        c->reason = ug_report_text(c->contact.reason);
        if (!c->reason) {
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
    }
    return UG_OK;
}

ug_status ug_report_motion(ug_report_facts *facts, const ug_take *take, ug_error *err)
{
    const ug_status status = read_hits(facts, take, err);
    return status == UG_OK ? read_contacts(facts, take, err) : status;
}
