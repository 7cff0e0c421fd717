// SPDX-License-Identifier: MIT
// Trunk, neck and head of solvers/mannequin.h. Tables are fractions of the stature, set by eye.
#include "solvers/mannequin_body.h"

#include <math.h>

enum { TRUNK_AROUND = 28, HEAD_AROUND = 24 };

typedef struct section {
    double at, width, depth; ///< half axes
} section;

// From the crotch (below the hip joints, at 0) to the base of the neck (at 1).
static const section TRUNK[] = {
    { -0.26, 0, 0 },         { -0.25, 0.026, 0.024 }, { -0.20, 0.058, 0.045 },
    { -0.12, 0.081, 0.056 }, { -0.02, 0.094, 0.062 }, { 0.10, 0.094, 0.062 },
    { 0.22, 0.086, 0.057 },  { 0.34, 0.080, 0.053 },  { 0.46, 0.082, 0.054 },
    { 0.58, 0.092, 0.060 },  { 0.70, 0.102, 0.067 },  { 0.80, 0.107, 0.069 },
    { 0.88, 0.106, 0.066 },  { 0.94, 0.098, 0.059 },  { 0.985, 0.080, 0.050 },
    { 1.025, 0.054, 0.040 }, { 1.05, 0.034, 0.031 },  { 1.065, 0, 0 },
};
enum { TRUNK_ROWS = sizeof TRUNK / sizeof TRUNK[0] };

// From chin to crown; widths of 1 are HEAD_WIDTH and HEAD_DEPTH.
static const section HEAD[] = {
    { 0.00, 0, 0 },       { 0.03, 0.30, 0.30 }, { 0.10, 0.52, 0.50 },  { 0.20, 0.70, 0.66 },
    { 0.32, 0.85, 0.82 }, { 0.45, 0.95, 0.94 }, { 0.60, 1.00, 1.00 },  { 0.74, 0.97, 0.97 },
    { 0.86, 0.82, 0.83 }, { 0.94, 0.60, 0.61 }, { 0.985, 0.31, 0.32 }, { 1.00, 0, 0 },
};
enum { HEAD_ROWS = sizeof HEAD / sizeof HEAD[0] };

static const double HEAD_WIDTH = 0.044, HEAD_DEPTH = 0.055, CHIN = -0.022, CROWN = 0.112;
static const double HIP_HALF = 0.0494, SHOULDER_HALF = 0.0983; ///< of the template

static ug_vec3 across(ug_vec3 left, ug_vec3 up, ug_vec3 fallback)
{
    return ug_vec3_unit(ug_vec3_madd(left, -ug_vec3_dot(left, up), up), fallback);
}

static ug_vec3 shoulders_left(const ug_mannequin *body, ug_vec3 up)
{
    const ug_vec3 left = ug_mannequin_direction(body, body->role[UG_ROLE_R_UPPER_ARM],
                                                body->role[UG_ROLE_L_UPPER_ARM], body->left);
    return across(left, up, across(body->left, up, (ug_vec3){ 1, 0, 0 }));
}

// ---- trunk

typedef struct trunk {
    int joints[UG_CHAIN_JOINTS_MAX]; ///< pelvis first, then up the spine, the joint it ends at last
    size_t count;
    double height_m; ///< from the hips to the base of the neck
    ug_chain chain;
} trunk;

static double height_of(const ug_mannequin *body, int joint)
{
    return ug_vec3_dot(ug_vec3_sub(body->world_m[joint], body->hips_m), body->up);
}

// Where the neck leaves the trunk, over the hips: at its joint, but over the shoulders.
static double neck_base_m(const ug_mannequin *body)
{
    const int neck = body->role[UG_ROLE_NECK], head = body->role[UG_ROLE_HEAD];
    const int left = body->role[UG_ROLE_L_UPPER_ARM], right = body->role[UG_ROLE_R_UPPER_ARM];
    double base = neck >= 0 ? height_of(body, neck) : 0.85 * height_of(body, head);
    if (left >= 0 && right >= 0) {
        const double shoulders = 0.5 * (height_of(body, left) + height_of(body, right));
        base = fmax(base, shoulders + 0.02 * body->size_m);
    }
    return head >= 0 ? fmin(base, fmax(0.92 * height_of(body, head), 0.0)) : base;
}

static bool find_trunk(trunk *t, const ug_mannequin *body)
{
    const ug_joint *joints = body->skeleton->joints;
    const int *role = body->role, pelvis = role[UG_ROLE_PELVIS];
    const bool has_neck = role[UG_ROLE_NECK] >= 0;
    const int top = has_neck ? role[UG_ROLE_NECK] : role[UG_ROLE_HEAD];
    *t = (trunk){ .count = 0 };
    if (top < 0 || ug_skeleton_is_ancestor(body->skeleton, top, pelvis)) {
        return false;
    }
    int up[UG_CHAIN_JOINTS_MAX];
    size_t n = 0;
    for (int j = top; j >= 0 && n < UG_CHAIN_JOINTS_MAX - 1 &&
                      !ug_skeleton_is_ancestor(body->skeleton, j, pelvis);
         j = joints[j].parent) {
        up[n++] = j;
    }
    t->joints[t->count++] = pelvis;
    while (n > 0) {
        t->joints[t->count++] = up[--n];
    }
    t->height_m = neck_base_m(body);
    return t->height_m > 1e-6;
}

static void chain_trunk(trunk *t, const ug_mannequin *body)
{
    ug_chain_add(&t->chain, t->joints[0], 0.0, 0.0);
    for (size_t i = 1; i < t->count; i++) {
        const double above = i + 1 < t->count ? ug_mannequin_bone_m(body, t->joints[i + 1]) : 0.0;
        double blend = fmin(0.9 * ug_mannequin_bone_m(body, t->joints[i]), 0.05 * body->size_m);
        blend = above > 0.0 ? fmin(blend, 0.9 * above) : blend;
        ug_chain_add(&t->chain, t->joints[i], height_of(body, t->joints[i]), blend);
    }
}

// The middle of the trunk: half way between the straight line and the spine, which lies at its
// back.
static ug_vec3 trunk_centre(const trunk *t, const ug_mannequin *body, double height_m)
{
    const ug_vec3 line = ug_vec3_madd(body->hips_m, height_m, body->up);
    ug_vec3 below = { 0, 0, 0 }, off = { 0, 0, 0 };
    double below_m = 0.0;
    for (size_t i = 1; i < t->count; i++) {
        const double at = height_of(body, t->joints[i]);
        const ug_vec3 here =
            ug_vec3_sub(body->world_m[t->joints[i]], ug_vec3_madd(body->hips_m, at, body->up));
        if (height_m > below_m && height_m <= at) {
            off = ug_vec3_lerp(below, here, (height_m - below_m) / (at - below_m));
        }
        if (at > below_m) {
            below = here;
            below_m = at;
        }
    }
    const double share = fmin(fmax(height_m / t->height_m, 0.0), 1.0);
    const double forward = 0.012 * body->size_m * 4.0 * share * (1.0 - share);
    return ug_vec3_madd(ug_vec3_madd(line, 0.5, off), forward, body->forward);
}

static double half_distance(const ug_mannequin *body, int left, int right, double otherwise)
{
    if (left < 0 || right < 0) {
        return otherwise;
    }
    return 0.5 * ug_vec3_distance(body->world_m[left], body->world_m[right]);
}

ug_status ug_mannequin_add_trunk(ug_mannequin *body, ug_error *err)
{
    trunk t;
    if (!find_trunk(&t, body)) {
        return UG_OK;
    }
    chain_trunk(&t, body);
    for (size_t i = 1; i < t.count; i++) {
        body->shaped[t.joints[i]] = true;
    }
    const int *role = body->role;
    const double size = body->size_m;
    const double hips =
        half_distance(body, role[UG_ROLE_L_THIGH], role[UG_ROLE_R_THIGH], HIP_HALF * size) /
        (HIP_HALF * size);
    const double shoulders = half_distance(body, role[UG_ROLE_L_UPPER_ARM],
                                           role[UG_ROLE_R_UPPER_ARM], SHOULDER_HALF * size) /
                             (SHOULDER_HALF * size);
    const ug_vec3 hip_left = across(
        ug_mannequin_direction(body, role[UG_ROLE_R_THIGH], role[UG_ROLE_L_THIGH], body->left),
        body->up, body->left);
    const ug_vec3 top_left = across(ug_mannequin_direction(body, role[UG_ROLE_R_UPPER_ARM],
                                                           role[UG_ROLE_L_UPPER_ARM], body->left),
                                    body->up, body->left);
    ug_ring rings[TRUNK_ROWS];
    for (int i = 0; i < TRUNK_ROWS; i++) {
        const double share = fmin(fmax(TRUNK[i].at, 0.0), 1.0);
        const double wide = hips + share * (shoulders - hips);
        const double width = TRUNK[i].width * size * fmin(fmax(wide, 0.6), 1.5);
        const double deep = fmin(fmax(0.5 + 0.5 * wide, 0.8), 1.3);
        // a pelvis keeps its own height where the trunk is longer or shorter than an adult's
        const double height_m =
            TRUNK[i].at * (TRUNK[i].at < 0.0 ? fmin(t.height_m, 0.28 * size) : t.height_m);
        const ug_vec3 left = across(ug_vec3_lerp(hip_left, top_left, share), body->up, body->left);
        const ug_vec3 forward = ug_vec3_cross(left, body->up);
        rings[i] = (ug_ring){ .centre_m = trunk_centre(&t, body, height_m),
                              .u = ug_vec3_scale(forward, TRUNK[i].depth * size * deep),
                              .v = ug_vec3_scale(left, width),
                              .skin = ug_chain_skin(&t.chain, height_m) };
    }
    return ug_loft_add(&body->loft, rings, TRUNK_ROWS, TRUNK_AROUND, err);
}

// ---- neck and head

static ug_status add_neck(ug_mannequin *body, int head, ug_error *err)
{
    const ug_joint *joints = body->skeleton->joints;
    const double size = body->size_m;
    const int neck = body->role[UG_ROLE_NECK];
    const ug_vec3 to = body->world_m[head];
    ug_vec3 from = ug_vec3_lerp(body->hips_m, to, 0.85);
    ug_chain chain = { .count = 0 };
    if (ug_mannequin_claim(body, head, neck)) {
        from = body->world_m[neck];
        const double low = height_of(body, neck), high = height_of(body, head);
        const double base = neck_base_m(body);
        if (base > low && high > base) { // the trunk reaches past the joint
            from = ug_vec3_lerp(from, to, (base - low) / (high - low));
        }
        int between[UG_CHAIN_JOINTS_MAX];
        size_t n = 0;
        for (int j = joints[head].parent; j != neck && n < UG_CHAIN_JOINTS_MAX / 2;
             j = joints[j].parent) {
            between[n++] = j;
        }
        ug_chain_add(&chain, joints[neck].parent, 0.0, 0.0);
        ug_chain_add(&chain, neck, 0.0, 0.02 * size);
        while (n-- > 0) {
            const double at = ug_vec3_distance(from, body->world_m[between[n]]);
            ug_chain_add(&chain, between[n], at, ug_mannequin_blend_m(body, between[n], size));
        }
    } else if (joints[head].parent >= 0) {
        ug_chain_add(&chain, joints[head].parent, 0.0, 0.0);
    }
    const double length = ug_vec3_distance(from, to);
    ug_chain_add(&chain, head, length, fmin(0.02 * size, 0.5 * length));
    const ug_girth girth[] = { { 0.0, 0.035 * size },
                               { 0.6, 0.030 * size },
                               { 1.0, 0.029 * size } };
    return ug_loft_add_limb(&body->loft, from, to, girth, 3, &chain, err);
}

ug_status ug_mannequin_add_head(ug_mannequin *body, ug_error *err)
{
    const int head = body->role[UG_ROLE_HEAD];
    if (head < 0) {
        return UG_OK;
    }
    const double size = body->size_m;
    const int parent = body->skeleton->joints[head].parent;
    const int tip = ug_mannequin_tip(body, head);
    // a rig that rests folded up still has its head at the end of its neck
    ug_vec3 up = ug_mannequin_direction(body, parent, head, body->up);
    up = ug_vec3_dot(up, body->up) > 0.7 ? body->up : up;
    double crown = CROWN * size;
    if (tip >= 0) {
        const double length = ug_mannequin_bone_m(body, tip);
        const ug_vec3 along = ug_mannequin_direction(body, head, tip, up);
        if (length > 0.4 * crown && length < 2.0 * crown && ug_vec3_dot(along, up) > 0.5) {
            up = ug_vec3_unit(ug_vec3_add(up, along), up);
            crown = fmax(length, 0.9 * crown); // an End Site inside the head is no crown
        }
        body->shaped[tip] = length < 2.0 * crown;
    }
    const double large = fmin(crown / (CROWN * size), 1.6);
    const double chin = CHIN * size * large;
    const ug_vec3 left = shoulders_left(body, up);
    const ug_vec3 forward = ug_vec3_cross(left, up);
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, parent, 0.0, 0.0);
    ug_chain_add(&chain, head, 0.5 * chin, 0.015 * size);
    ug_ring rings[HEAD_ROWS];
    for (int i = 0; i < HEAD_ROWS; i++) {
        const double at = chin + HEAD[i].at * (crown - chin);
        const double jaw = (0.013 + 0.013 * (1.0 - HEAD[i].at)) * size * large;
        const ug_vec3 centre = ug_vec3_madd(body->world_m[head], at, up);
        rings[i] = (ug_ring){
            .centre_m = ug_vec3_madd(centre, jaw, forward),
            .u = ug_vec3_scale(forward, HEAD[i].depth * HEAD_DEPTH * size * large),
            .v = ug_vec3_scale(left, HEAD[i].width * HEAD_WIDTH * size * large),
            .skin = ug_chain_skin(&chain, at),
        };
    }
    const ug_status status = ug_loft_add(&body->loft, rings, HEAD_ROWS, HEAD_AROUND, err);
    return status == UG_OK ? add_neck(body, head, err) : status;
}
