// SPDX-License-Identifier: MIT
#include "pipeline/report/sheet_body.h"

#include "motion/kinematics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// Radii of a mannequin in shares of its height, at the near and the far end of each segment.
static const double WIDTH[UG_ROLE_COUNT][2] = {
    [UG_ROLE_PELVIS] = { .055, .050 },      [UG_ROLE_SPINE] = { .052, .052 },
    [UG_ROLE_NECK] = { .028, .026 },        [UG_ROLE_L_CLAVICLE] = { .026, .030 },
    [UG_ROLE_L_UPPER_ARM] = { .030, .023 }, [UG_ROLE_L_FOREARM] = { .023, .016 },
    [UG_ROLE_L_HAND] = { .018, .012 },      [UG_ROLE_L_THIGH] = { .050, .034 },
    [UG_ROLE_L_SHIN] = { .034, .022 },      [UG_ROLE_L_FOOT] = { .020, .014 },
    [UG_ROLE_L_TOE] = { .014, .009 },
};
static const double HIP = .055, SHOULDER = .032, CHEST = .055, HEAD = .050, FINGER = .008;
static const double HEEL = .016, ANKLE = .022, THINNEST = .003;
static const double LIMB_SHARE = 0.3; // no limb is wider than this share of its length

typedef struct maker {
    const ug_skeleton *skeleton;
    const ug_vec3 *at; // joint centres of a pose
    const ug_footing *footing;
    ug_sheet_body *body;
    ug_sheet_side *sides;
    ug_role *segment; // role of the segment a joint belongs to: its own or an ancestor's
    int pelvis, head, foot[2];
    double height_m;
} maker;

static ug_sheet_part *new_part(maker *m, ug_sheet_side side)
{
    ug_sheet_part *part = &m->body->parts[m->body->part_count++];
    *part = (ug_sheet_part){ .side = side };
    return part;
}

static void add_sphere(ug_sheet_part *part, int joint, ug_vec3 local_m, double radius_m)
{
    assert(part->count < UG_SHEET_SPHERES_MAX);
    part->joint[part->count] = joint;
    part->local_m[part->count] = local_m;
    part->radius_m[part->count++] = radius_m;
}

static double bone_length(const maker *m, int joint)
{
    const int p = m->skeleton->joints[joint].parent;
    return p < 0 ? 0.0 : ug_vec3_distance(m->at[joint], m->at[p]);
}

static double way_up(const maker *m, int joint, int ancestor)
{
    double length = 0.0;
    for (int j = joint; j >= 0 && j != ancestor; j = m->skeleton->joints[j].parent) {
        length += bone_length(m, j);
    }
    return length;
}

static ug_role as_left(ug_role role)
{
    return role >= UG_ROLE_R_CLAVICLE ? ug_role_mirror(role) : role;
}

static void measure(maker *m)
{
    const ug_skeleton *s = m->skeleton;
    m->pelvis = ug_skeleton_find_role(s, UG_ROLE_PELVIS);
    m->head = ug_skeleton_find_role(s, UG_ROLE_HEAD);
    m->foot[0] = ug_skeleton_find_role(s, UG_ROLE_L_FOOT);
    m->foot[1] = ug_skeleton_find_role(s, UG_ROLE_R_FOOT);
    m->body->is_biped = m->pelvis >= 0 && m->foot[0] >= 0 && m->foot[1] >= 0;
    ug_vec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t j = 0; j < s->joint_count; j++) {
        const ug_vec3 p = m->at[j];
        low = (ug_vec3){ fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z) };
        high = (ug_vec3){ fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z) };
    }
    m->body->size_m = ug_vec3_distance(low, high);
    if (m->body->is_biped) {
        const double legs =
            0.5 * (way_up(m, m->foot[0], m->pelvis) + way_up(m, m->foot[1], m->pelvis));
        const double trunk = m->head >= 0 ? way_up(m, m->head, m->pelvis) : 0.75 * legs;
        m->body->size_m = 1.18 * (legs + trunk); // the head, and what is under the ankle
    }
    m->height_m = m->body->size_m;
    for (size_t j = 0; j < s->joint_count; j++) {
        const int p = s->joints[j].parent;
        const ug_role role = s->joints[j].role;
        m->segment[j] = role != UG_ROLE_NONE ? role : p >= 0 ? m->segment[p] : UG_ROLE_NONE;
    }
}

// Bones that the trunk, the head or the feet stand for, or that are no part of the body.
static bool is_covered(const maker *m, int joint)
{
    const int p = m->skeleton->joints[joint].parent;
    if (!m->body->is_biped) {
        return false;
    }
    const ug_role role = m->segment[p], child = as_left(m->skeleton->joints[joint].role);
    return role == UG_ROLE_NONE || role == UG_ROLE_HEAD || child == UG_ROLE_SPINE ||
           child == UG_ROLE_L_CLAVICLE ||
           (role == UG_ROLE_PELVIS && m->sides[joint] != UG_SHEET_MIDDLE) ||
           (as_left(role) == UG_ROLE_L_FOOT && m->footing && m->footing->found);
}

static void add_bone(maker *m, int joint)
{
    const int p = m->skeleton->joints[joint].parent;
    const double length = p < 0 ? 0.0 : bone_length(m, joint);
    if (!(length > 1e-9) || is_covered(m, joint)) {
        return;
    }
    const double h = m->height_m;
    double near = fmin(fmax(0.07 * length, 0.004 * h), 0.02 * h), far = near;
    const ug_role role = as_left(m->segment[p]);
    if (m->body->is_biped) {
        const bool own = m->skeleton->joints[p].role != UG_ROLE_NONE;
        const bool trunk = role == UG_ROLE_PELVIS || role == UG_ROLE_SPINE;
        const bool neck = m->skeleton->joints[joint].role == UG_ROLE_NECK;
        // fingers, and what hangs on the trunk and is no limb: a tail, a strap
        const bool finger = (role == UG_ROLE_L_HAND && !own) || (trunk && !neck);
        const double *width = WIDTH[trunk && neck ? UG_ROLE_NECK : role];
        near = fmin(h * (finger ? FINGER : width[0]), LIMB_SHARE * length);
        far = fmin(h * (finger ? FINGER : width[1]), LIMB_SHARE * length);
        // a limb in two pieces (a twist joint) keeps the width it starts with
        far = own || finger ? far : near;
    }
    ug_sheet_part *part = new_part(m, m->sides[p]);
    add_sphere(part, p, (ug_vec3){ 0 }, near);
    add_sphere(part, joint, (ug_vec3){ 0 }, far);
}

// Hips as one shape, shoulders as another: what makes a figure turn visibly.
static void add_trunk(maker *m)
{
    const ug_skeleton *s = m->skeleton;
    const double h = m->height_m;
    const ug_vec3 none = { 0 };
    const int thigh[2] = { ug_skeleton_find_role(s, UG_ROLE_L_THIGH),
                           ug_skeleton_find_role(s, UG_ROLE_R_THIGH) };
    const int arm[2] = { ug_skeleton_find_role(s, UG_ROLE_L_UPPER_ARM),
                         ug_skeleton_find_role(s, UG_ROLE_R_UPPER_ARM) };
    if (thigh[0] >= 0 && thigh[1] >= 0) {
        ug_sheet_part *part = new_part(m, UG_SHEET_MIDDLE);
        add_sphere(part, thigh[0], none, h * HIP);
        add_sphere(part, thigh[1], none, h * HIP);
        add_sphere(part, m->pelvis, none, h * HIP);
    }
    int spine[UG_SHEET_SPHERES_MAX] = { m->pelvis }, spines = 0; // evenly, the last among them
    for (size_t j = 0; j < s->joint_count; j++) {
        spines += s->joints[j].role == UG_ROLE_SPINE;
    }
    int seen = 0, taken = 1;
    for (size_t j = 0; j < s->joint_count; j++) {
        if (s->joints[j].role == UG_ROLE_SPINE &&
            (++seen * (UG_SHEET_SPHERES_MAX - 1)) / spines >= taken) {
            taken = (seen * (UG_SHEET_SPHERES_MAX - 1)) / spines;
            spine[taken++] = (int)j;
        }
    }
    const int chest = spines > 0 ? spine[UG_SHEET_SPHERES_MAX - 1] : m->pelvis;
    if (spines > 0) {
        ug_sheet_part *part = new_part(m, UG_SHEET_MIDDLE);
        for (int k = 0; k < UG_SHEET_SPHERES_MAX; k++) {
            if (k == 0 || spine[k] > 0) {
                add_sphere(part, spine[k], none, h * WIDTH[UG_ROLE_SPINE][0]);
            }
        }
    }
    if (arm[0] >= 0 && arm[1] >= 0) {
        ug_sheet_part *part = new_part(m, UG_SHEET_MIDDLE);
        const int neck = ug_skeleton_find_role(s, UG_ROLE_NECK);
        add_sphere(part, arm[0], none, h * SHOULDER);
        add_sphere(part, arm[1], none, h * SHOULDER);
        add_sphere(part, chest, none, h * CHEST);
        if (neck >= 0) {
            add_sphere(part, neck, none, h * WIDTH[UG_ROLE_NECK][0]);
        }
    }
}

// An egg from the head joint on, along the end site where there is a sensible one.
static void add_head(maker *m)
{
    const ug_skeleton *s = m->skeleton;
    const double h = m->height_m;
    ug_vec3 top = { 0 };
    for (size_t j = (size_t)m->head + 1; j < s->joint_count; j++) {
        const ug_vec3 o = s->joints[j].offset_m;
        const double length = ug_vec3_norm(o);
        if (s->joints[j].parent == m->head && length > ug_vec3_norm(top) && length > 0.05 * h &&
            length < 0.25 * h) {
            top = o;
        }
    }
    if (!(ug_vec3_norm(top) > 0.0)) { // straight on from the neck, as at rest
        const ug_joint *head = &s->joints[m->head];
        top = ug_quat_unrotate(head->rest, head->offset_m);
        top = ug_vec3_scale(ug_vec3_unit(top, (ug_vec3){ 0, 1, 0 }), 0.12 * h);
    }
    const ug_vec3 along = ug_vec3_unit(top, (ug_vec3){ 0, 1, 0 });
    const double length = fmax(ug_vec3_norm(top), 0.1 * h);
    ug_sheet_part *part = new_part(m, UG_SHEET_MIDDLE);
    add_sphere(part, m->head, ug_vec3_scale(along, 0.3 * length), 0.8 * HEAD * h);
    add_sphere(part, m->head, ug_vec3_scale(along, fmax(length - HEAD * h, 0.3 * length)),
               HEAD * h);
}

static void add_foot(maker *m, int side)
{
    const double h = m->height_m;
    const int ankle = m->footing->ankle[side];
    const ug_vec3 heel = m->footing->heel_m[side], ball = m->footing->ball_m[side];
    // spheres rest on the sole: their centres are their radius above it
    const double heel_r = fmin(HEEL * h, 0.45 * ug_vec3_norm(heel));
    const double ball_r =
        fmax(fmin(WIDTH[UG_ROLE_L_FOOT][1] * h, m->footing->ball_height_m[side]), THINNEST * h);
    ug_sheet_part *part = new_part(m, m->sides[ankle]);
    add_sphere(part, ankle, (ug_vec3){ 0 }, fmin(ANKLE * h, 0.8 * ug_vec3_norm(heel)));
    add_sphere(part, ankle,
               ug_vec3_madd(heel, heel_r, ug_vec3_unit(ug_vec3_scale(heel, -1), (ug_vec3){ 0 })),
               heel_r);
    add_sphere(part, ankle, ball, ball_r);
}

// A toe's bones are as thick as ball and tip are high, so that they lie on the floor with them.
static void thin_toes(maker *m)
{
    for (size_t i = 0; i < m->body->part_count; i++) {
        ug_sheet_part *part = &m->body->parts[i];
        const ug_role role = m->segment[part->joint[0]];
        if (part->count == 2 && as_left(role) == UG_ROLE_L_TOE) {
            const int side = role == UG_ROLE_L_TOE ? 0 : 1;
            const double least = THINNEST * m->height_m;
            part->radius_m[0] =
                fmin(part->radius_m[0], fmax(m->footing->ball_height_m[side], least));
            part->radius_m[1] =
                fmin(part->radius_m[1], fmax(m->footing->tip_height_m[side], least));
        }
    }
}

static void make(maker *m)
{
    measure(m);
    const size_t count = m->skeleton->joint_count;
    if (m->body->is_biped) {
        add_trunk(m);
    }
    for (size_t j = 0; j < count; j++) {
        add_bone(m, (int)j);
    }
    if (m->body->is_biped && m->head >= 0) {
        add_head(m);
    }
    if (m->body->is_biped && m->footing && m->footing->found) {
        add_foot(m, 0);
        add_foot(m, 1);
        thin_toes(m);
    }
    for (size_t j = 0; m->body->part_count == 0 && j < count; j++) { // nothing but points
        ug_sheet_part *part = &m->body->parts[j];
        *part = (ug_sheet_part){ .side = m->sides[j] };
        add_sphere(part, (int)j, (ug_vec3){ 0 }, 0.01 * m->height_m);
        m->body->part_count += j + 1 == count ? count : 0;
    }
}

ug_sheet_body *ug_sheet_body_create(const ug_skeleton *skeleton, const ug_vec3 *world_m,
                                    const ug_footing *footing, ug_error *err)
{
    const size_t count = skeleton->joint_count;
    ug_sheet_body *body = calloc(1, sizeof *body);
    maker m = { .skeleton = skeleton, .at = world_m, .footing = footing, .body = body };
    m.sides = malloc((count + 1) * sizeof *m.sides);
    m.segment = malloc((count + 1) * sizeof *m.segment);
    if (body) {
        body->parts = calloc(count + 6, sizeof *body->parts); // bones, trunk (3), head, feet (2)
    }
    if (!body || !body->parts || !m.sides || !m.segment) {
        ug_sheet_body_destroy(body);
        body = NULL;
        (void)ug_fail(err, UG_E_NOMEM, "out of memory");
    } else {
        ug_sheet_sides(m.sides, skeleton);
        make(&m);
    }
    free(m.sides);
    free(m.segment);
    return body;
}

void ug_sheet_body_destroy(ug_sheet_body *body)
{
    if (body) {
        free(body->parts);
        free(body);
    }
}
