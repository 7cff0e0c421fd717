// SPDX-License-Identifier: MIT
#include "solvers/retarget.h"

#include "motion/conventions.h"
#include "motion/kinematics.h"
#include "solvers/bone_frames.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const ug_vec3 ZERO = { 0, 0, 0 };

enum { NODES_MAX = UG_CHAIN_MAX + 2 };

// one of the two bodies
typedef struct rig {
    const ug_skeleton *skeleton;
    ug_body_map body;
    ug_foot_model feet[2];
    ug_bone_frames frames;
    double leg_m, ankle_m; // mean of both legs
} rig;

// where a target joint's orientation comes from: bone frames of source joints a and b, mixed
typedef struct link {
    ug_retarget_how how;
    int a, b;
    double t;
    ug_quat from_a, from_b; // B of the source
    ug_quat to;             // conjugate B of the target
} link;

typedef struct chain_nodes {
    size_t count;
    int joint[NODES_MAX];
    double at[NODES_MAX]; // 0 … 1 along the chain
} chain_nodes;

void ug_retarget_report_fini(ug_retarget_report *report)
{
    if (report) {
        free(report->joints);
        *report = (ug_retarget_report){ 0 };
    }
}

// ---- rigs --------------------------------------------------------------------------------------

static ug_status rig_init(rig *r, const ug_skeleton *skeleton, const ug_clip *clip,
                          const char *which, ug_error *err)
{
    *r = (rig){ .skeleton = skeleton };
    ug_error inner = { 0 };
    ug_status status = ug_body_map_init(&r->body, skeleton, &inner);
    if (status != UG_OK) {
        return ug_fail(err, status, "%s skeleton: %s", which, inner.message);
    }
    r->leg_m = ug_body_leg_m(&r->body, skeleton);
    if (!(r->leg_m > 1e-9)) {
        return ug_fail(err, UG_E_DATA, "%s skeleton: thigh '%s' and shin '%s' have no length",
                       which, skeleton->joints[r->body.joint[UG_ROLE_L_THIGH]].name,
                       skeleton->joints[r->body.joint[UG_ROLE_L_SHIN]].name);
    }
    status = clip ? ug_foot_models_from_clip(r->feet, skeleton, &r->body, clip, err)
                  : ug_foot_models_from_rest(r->feet, skeleton, &r->body, err);
    if (status == UG_OK) {
        r->ankle_m = 0.5 * (r->feet[0].ankle_height_m + r->feet[1].ankle_height_m);
        status = ug_bone_frames_init(&r->frames, skeleton, &r->body, r->feet, clip, err);
    }
    return status;
}

static bool equal_names(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool near_vec(ug_vec3 a, ug_vec3 b, double slack)
{
    return ug_vec3_distance(a, b) <= slack;
}

// same joints, rest and axes, bones alike up to one scale
static bool same_rig(const rig *a, const rig *b)
{
    const ug_skeleton *s = a->skeleton, *t = b->skeleton;
    if (s->joint_count != t->joint_count) {
        return false;
    }
    const double ratio = b->leg_m / a->leg_m;
    for (size_t j = 0; j < s->joint_count; j++) {
        const ug_joint *p = &s->joints[j], *q = &t->joints[j];
        if (p->parent != q->parent || p->role != q->role || !equal_names(p->name, q->name) ||
            ug_quat_angle(p->rest, q->rest) > 1e-6 ||
            (p->parent >= 0 &&
             !near_vec(ug_vec3_scale(p->offset_m, ratio), q->offset_m, 1e-6 * b->leg_m))) {
            return false;
        }
    }
    return true;
}

// ---- links -------------------------------------------------------------------------------------

static chain_nodes nodes_of(const ug_skeleton *skeleton, int first, const int *list, size_t count,
                            int last)
{
    chain_nodes nodes = { .count = 1, .joint = { first } };
    double length[NODES_MAX] = { 0 };
    for (size_t i = 0; i < count; i++) {
        nodes.joint[nodes.count++] = list[i];
    }
    if (last >= 0) {
        nodes.joint[nodes.count++] = last;
    }
    for (size_t i = 1; i < nodes.count; i++) {
        length[i] = length[i - 1] + ug_bone_length_m(skeleton, nodes.joint[i - 1], nodes.joint[i]);
    }
    const double whole = length[nodes.count - 1];
    for (size_t i = 1; i < nodes.count; i++) {
        nodes.at[i] = whole > 1e-9 ? length[i] / whole : (double)i / (double)(nodes.count - 1);
    }
    return nodes;
}

static link link_to(const rig *s, const rig *t, int source, int joint)
{
    return (link){ .how = UG_RETARGET_MAPPED,
                   .a = source,
                   .b = source,
                   .from_a = s->frames.frame[source],
                   .from_b = s->frames.frame[source],
                   .to = ug_quat_conj(t->frames.frame[joint]) };
}

// Give every node of the target's chain but its first the source's turn at the same share of the
// length. Equal counts go one to one.
static void link_chain(link *links, const rig *s, const rig *t, const chain_nodes *from,
                       const chain_nodes *to)
{
    for (size_t k = 1; k < to->count; k++) {
        const int joint = to->joint[k];
        if (from->count == to->count) {
            links[joint] = link_to(s, t, from->joint[k], joint);
            continue;
        }
        size_t i = 0;
        while (i + 2 < from->count && from->at[i + 1] < to->at[k]) {
            i++;
        }
        const size_t next = i + 1 < from->count ? i + 1 : i;
        const double span = from->at[next] - from->at[i];
        link *l = &links[joint];
        *l = link_to(s, t, from->joint[i], joint);
        l->how = UG_RETARGET_DISTRIBUTED;
        l->b = from->joint[next];
        l->from_b = s->frames.frame[l->b];
        l->t = span > 1e-12 ? fmin((to->at[k] - from->at[i]) / span, 1.0) : 1.0;
    }
}

static void link_trunk(link *links, const rig *s, const rig *t)
{
    const ug_body_map *a = &s->body, *b = &t->body;
    const chain_nodes spine_a =
        nodes_of(s->skeleton, a->joint[UG_ROLE_PELVIS], a->spine, a->spine_count, -1);
    const chain_nodes spine_b =
        nodes_of(t->skeleton, b->joint[UG_ROLE_PELVIS], b->spine, b->spine_count, -1);
    links[b->joint[UG_ROLE_PELVIS]] =
        link_to(s, t, a->joint[UG_ROLE_PELVIS], b->joint[UG_ROLE_PELVIS]);
    link_chain(links, s, t, &spine_a, &spine_b);
    const bool heads = a->joint[UG_ROLE_HEAD] >= 0 && b->joint[UG_ROLE_HEAD] >= 0;
    if (!heads && (a->neck_count == 0 || b->neck_count == 0)) {
        return; // the neck keeps its rest
    }
    const chain_nodes neck_a = nodes_of(s->skeleton, spine_a.joint[spine_a.count - 1], a->neck,
                                        a->neck_count, heads ? a->joint[UG_ROLE_HEAD] : -1);
    const chain_nodes neck_b = nodes_of(t->skeleton, spine_b.joint[spine_b.count - 1], b->neck,
                                        b->neck_count, heads ? b->joint[UG_ROLE_HEAD] : -1);
    link_chain(links, s, t, &neck_a, &neck_b);
    if (heads) {
        links[b->joint[UG_ROLE_HEAD]] =
            link_to(s, t, a->joint[UG_ROLE_HEAD], b->joint[UG_ROLE_HEAD]);
    }
}

// feet of a rig that rests on tiptoe, hands with thumbs: the frame that both rigs know
static void link_ends(link *links, const rig *s, const rig *t)
{
    for (int side = 0; side < 2; side++) {
        const int foot_b = t->feet[side].ankle;
        const int toe_a = s->feet[side].toe, toe_b = t->feet[side].toe;
        if (s->feet[side].points_down || t->feet[side].points_down) {
            links[foot_b].from_a = links[foot_b].from_b = s->frames.foot_by_bone[side];
            links[foot_b].to = ug_quat_conj(t->frames.foot_by_bone[side]);
            if (toe_a >= 0 && toe_b >= 0) {
                links[toe_b].from_a = links[toe_b].from_b = s->frames.toe_by_bone[side];
                links[toe_b].to = ug_quat_conj(t->frames.toe_by_bone[side]);
            }
        }
        const int hand_b = t->body.joint[ug_role_on_side(UG_ROLE_L_HAND, side)];
        if (hand_b >= 0 && links[hand_b].how != UG_RETARGET_KEPT && s->frames.has_thumb[side] &&
            t->frames.has_thumb[side]) {
            links[hand_b].from_a = links[hand_b].from_b = s->frames.hand_by_thumb[side];
            links[hand_b].to = ug_quat_conj(t->frames.hand_by_thumb[side]);
        }
    }
}

// fingers, twist bones, props: copied where both rigs have the very same joint
static void link_namesakes(link *links, const rig *s, const rig *t)
{
    for (size_t j = 0; j < t->skeleton->joint_count; j++) {
        const ug_joint *joint = &t->skeleton->joints[j];
        if (links[j].how != UG_RETARGET_KEPT || joint->role != UG_ROLE_NONE || !joint->name ||
            !*joint->name) {
            continue;
        }
        const int k = ug_skeleton_find(s->skeleton, joint->name);
        if (k < 0 || s->skeleton->joints[k].role != UG_ROLE_NONE) {
            continue;
        }
        const ug_joint *twin = &s->skeleton->joints[k];
        const bool roots = joint->parent < 0 && twin->parent < 0;
        const bool parents = joint->parent >= 0 && twin->parent >= 0 &&
                             equal_names(t->skeleton->joints[joint->parent].name,
                                         s->skeleton->joints[twin->parent].name);
        const ug_vec3 a = ug_vec3_unit(twin->offset_m, ZERO),
                      b = ug_vec3_unit(joint->offset_m, ZERO);
        if ((roots || (parents && near_vec(a, b, 1e-3))) &&
            ug_quat_angle(twin->rest, joint->rest) < 1e-6) {
            links[j] = (link){ .how = UG_RETARGET_COPIED, .a = k, .b = k };
        }
    }
}

static void link_all(link *links, const rig *s, const rig *t)
{
    for (size_t j = 0; j < t->skeleton->joint_count; j++) {
        links[j] = (link){ .how = UG_RETARGET_KEPT, .a = -1, .b = -1 };
    }
    link_trunk(links, s, t);
    for (int r = UG_ROLE_L_CLAVICLE; r < UG_ROLE_COUNT; r++) {
        const int from = s->body.joint[r], to = t->body.joint[r];
        if (from >= 0 && to >= 0) {
            links[to] = link_to(s, t, from, to);
        }
    }
    link_ends(links, s, t);
    link_namesakes(links, s, t);
}

// ---- transfer ----------------------------------------------------------------------------------

typedef struct poses {
    ug_quat *source_q, *target_q;
    ug_vec3 *source_m, *target_m;
} poses;

static ug_vec3 middle_of_hips(const ug_body_map *body, const ug_vec3 *m)
{
    return ug_vec3_lerp(m[body->joint[UG_ROLE_L_THIGH]], m[body->joint[UG_ROLE_R_THIGH]], 0.5);
}

static ug_quat linked_turn(const link *l, const ug_quat *source_q)
{
    ug_quat q = ug_quat_mul(source_q[l->a], l->from_a);
    if (l->how == UG_RETARGET_DISTRIBUTED) {
        q = ug_quat_slerp(q, ug_quat_mul(source_q[l->b], l->from_b), l->t);
    }
    return ug_quat_mul(q, l->to);
}

static int root_of(const ug_skeleton *skeleton, int joint)
{
    while (skeleton->joints[joint].parent >= 0) {
        joint = skeleton->joints[joint].parent;
    }
    return joint;
}

static void transfer_frame(ug_clip *out, const link *links, const rig *s, const rig *t,
                           const ug_clip *clip, size_t f, double ratio, double lift_m, poses *p)
{
    const ug_skeleton *target = t->skeleton;
    const ug_quat *source_local = ug_clip_rotations(clip, f);
    ug_quat *local = ug_clip_rotations(out, f);
    ug_clip_forward(p->source_q, p->source_m, s->skeleton, clip, f);
    for (size_t j = 0; j < target->joint_count; j++) {
        const int parent = target->joints[j].parent;
        const link *l = &links[j];
        if (l->how == UG_RETARGET_KEPT || l->how == UG_RETARGET_COPIED) {
            local[j] = l->how == UG_RETARGET_KEPT ? target->joints[j].rest : source_local[l->a];
            p->target_q[j] = parent < 0 ? local[j] : ug_quat_mul(p->target_q[parent], local[j]);
        } else {
            p->target_q[j] = ug_quat_normalize(linked_turn(l, p->source_q));
            local[j] = parent < 0 ? p->target_q[j]
                                  : ug_quat_mul(ug_quat_conj(p->target_q[parent]), p->target_q[j]);
        }
    }
    ug_vec3 *moved = ug_clip_translations(out, f);
    for (size_t c = 0; c < out->translated_count; c++) {
        moved[c] = target->joints[out->translated_joints[c]].offset_m;
    }
    ug_clip_forward(p->target_q, p->target_m, target, out, f);
    const ug_vec3 from = middle_of_hips(&s->body, p->source_m);
    const ug_vec3 want = { from.x * ratio, from.y * ratio + lift_m, from.z * ratio };
    const ug_vec3 shift = ug_vec3_sub(want, middle_of_hips(&t->body, p->target_m));
    const int root = root_of(target, t->body.joint[UG_ROLE_PELVIS]);
    const ptrdiff_t column = ug_clip_translation_column(out, root);
    moved[column] = ug_vec3_add(moved[column], shift);
}

static ug_clip *create_clip(const ug_skeleton *target, const ug_clip *clip)
{
    int *roots = malloc(target->joint_count * sizeof *roots);
    size_t count = 0;
    for (size_t j = 0; roots && j < target->joint_count; j++) {
        if (target->joints[j].parent < 0) {
            roots[count++] = (int)j;
        }
    }
    ug_clip *out =
        roots ? ug_clip_create(clip->frame_count, target->joint_count, roots, count, clip->rate)
              : NULL;
    if (out) {
        out->first_frame = clip->first_frame;
    }
    free(roots);
    return out;
}

static ug_status transfer(ug_clip **out, const link *links, const rig *s, const rig *t,
                          const ug_clip *clip, double ratio, double lift_m,
                          const ug_progress *progress, ug_error *err)
{
    const size_t n = s->skeleton->joint_count, k = t->skeleton->joint_count;
    poses p = { malloc(n * sizeof(ug_quat)), malloc(k * sizeof(ug_quat)),
                malloc(n * sizeof(ug_vec3)), malloc(k * sizeof(ug_vec3)) };
    ug_clip *made = create_clip(t->skeleton, clip);
    ug_status status = UG_OK;
    if (!p.source_q || !p.target_q || !p.source_m || !p.target_m || !made) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t f = 0; status == UG_OK && f < clip->frame_count; f++) {
        transfer_frame(made, links, s, t, clip, f, ratio, lift_m, &p);
        status = ug_progress_step(progress, f, clip->frame_count, err);
    }
    if (status == UG_OK) {
        ug_clip_make_signs_continuous(made);
    } else {
        ug_clip_destroy(made);
        made = NULL;
    }
    free(p.source_q);
    free(p.target_q);
    free(p.source_m);
    free(p.target_m);
    *out = made;
    return status;
}

// ---- report ------------------------------------------------------------------------------------

static void correction(ug_retarget_joint *joint, const rig *s, const rig *t, int target)
{
    const ug_quat a = ug_bone_frames_pose(&s->frames, joint->source_joint);
    const ug_quat b = ug_bone_frames_pose(&t->frames, target);
    const ug_vec3 y = { 0, 1, 0 };
    const ug_vec3 u = ug_quat_rotate(a, y), v = ug_quat_rotate(b, y);
    joint->correction_deg = ug_quat_angle(a, b) / UG_DEG;
    joint->direction_deg = atan2(ug_vec3_norm(ug_vec3_cross(u, v)), ug_vec3_dot(u, v)) / UG_DEG;
}

static ug_status fill_report(ug_retarget_report *report, const link *links, const rig *s,
                             const rig *t, ug_warnings *warnings, ug_error *err)
{
    const size_t n = t->skeleton->joint_count;
    report->joints = calloc(n, sizeof *report->joints);
    if (!report->joints) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    report->joint_count = n;
    report->source_leg_m = s->leg_m;
    report->target_leg_m = t->leg_m;
    report->source_reference_frame = s->frames.reference_frame;
    memcpy(report->source_feet, s->feet, sizeof report->source_feet);
    memcpy(report->target_feet, t->feet, sizeof report->target_feet);
    memcpy(report->hinge_from_motion, s->frames.hinge_from_motion,
           sizeof report->hinge_from_motion);
    for (size_t j = 0; j < n; j++) {
        ug_retarget_joint *joint = &report->joints[j];
        joint->how = links[j].how;
        joint->source_joint = links[j].a;
        if (joint->how == UG_RETARGET_MAPPED) {
            correction(joint, s, t, (int)j);
        } else if (joint->how == UG_RETARGET_KEPT && t->skeleton->joints[j].role != UG_ROLE_NONE) {
            ug_warn(warnings, "retarget_role_kept", "'%s' (%s) keeps its rest: not in the source",
                    t->skeleton->joints[j].name, ug_role_name(t->skeleton->joints[j].role));
        }
    }
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        report->dropped[r] = r > 0 && t->body.joint[r] < 0 ? s->body.joint[r] : -1;
        if (report->dropped[r] >= 0) {
            ug_warn(warnings, "retarget_role_dropped",
                    "'%s' (%s) is dropped: the target has no such joint",
                    s->skeleton->joints[report->dropped[r]].name, ug_role_name((ug_role)r));
        }
    }
    return UG_OK;
}

// says so when the path does not sit on the pelvis joint: nothing is lost, but people look there
static void warn_root(const rig *s, const ug_clip *clip, ug_warnings *warnings)
{
    const int pelvis = s->body.joint[UG_ROLE_PELVIS];
    const int root = root_of(s->skeleton, pelvis);
    if (root != pelvis && ug_clip_translation_column(clip, pelvis) < 0) {
        ug_warn(warnings, "retarget_root_elsewhere",
                "pelvis '%s' carries no translation, '%s' above it does: the world path is used",
                s->skeleton->joints[pelvis].name, s->skeleton->joints[root].name);
    }
}

static void warn_rest(const rig *r, const char *which, ug_warnings *warnings)
{
    if (r->frames.reference_angle_rad > 60.0 * UG_DEG) {
        ug_warn(
            warnings, "retarget_rest_pose",
            "%s skeleton: no upright pose found, legs are %.0f degrees off the vertical at best",
            which, r->frames.reference_angle_rad / UG_DEG);
    }
}

ug_status ug_retarget(ug_clip **out, ug_retarget_report *report, const ug_skeleton *source,
                      const ug_clip *clip, const ug_skeleton *target, const ug_retarget_opts *opts,
                      ug_warnings *warnings, ug_error *err)
{
    assert(out && source && clip && target && clip->joint_count == source->joint_count);
    const ug_retarget_opts none = { 0 };
    const ug_retarget_opts *o = opts ? opts : &none;
    ug_retarget_report seen = { 0 };
    rig s = { 0 }, t = { 0 };
    link *links = NULL;
    *out = NULL;
    ug_status status = rig_init(&s, source, clip, "source", err);
    if (status == UG_OK) {
        status = rig_init(&t, target, o->target_motion, "target", err);
    }
    if (status != UG_OK) {
        goto done;
    }
    seen.same_rig = same_rig(&s, &t);
    seen.ratio = o->ratio > 0.0 ? o->ratio : t.leg_m / s.leg_m;
    if (seen.same_rig) { // what the source's motion showed holds for its twin
        ug_bone_frames_fini(&t.frames);
        t.ankle_m = s.ankle_m * t.leg_m / s.leg_m;
        for (int side = 0; side < 2; side++) {
            t.feet[side] = ug_foot_model_scale(&s.feet[side], t.leg_m / s.leg_m);
        }
        status = ug_bone_frames_init(&t.frames, source, &s.body, s.feet, clip, err);
    }
    links = calloc(target->joint_count, sizeof *links);
    if (status == UG_OK && !links) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status != UG_OK) {
        goto done;
    }
    link_all(links, &s, &t);
    const double lift_m = o->keep_foot_height ? 0.0 : t.ankle_m - s.ankle_m * seen.ratio;
    warn_root(&s, clip, warnings);
    warn_rest(&s, "source", warnings);
    warn_rest(&t, "target", warnings);
    status = fill_report(&seen, links, &s, &t, warnings, err);
    if (status == UG_OK) {
        status = transfer(out, links, &s, &t, clip, seen.ratio, lift_m, o->progress, err);
    }
done:
    free(links);
    ug_bone_frames_fini(&s.frames);
    ug_bone_frames_fini(&t.frames);
    if (report && status == UG_OK) {
        *report = seen;
    } else {
        ug_retarget_report_fini(&seen);
    }
    return status;
}
