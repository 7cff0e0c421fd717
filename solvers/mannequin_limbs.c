// SPDX-License-Identifier: MIT
// Arms and legs of solvers/mannequin.h. Girths are fractions of the stature, set by eye.
#include "solvers/mannequin_body.h"

#include <math.h>

enum { GIRTHS = 5 };

typedef struct limb {
    ug_role from, to; ///< of the left side
    double length;    ///< of the template
    ug_girth girth[GIRTHS];
} limb;

static const limb LIMBS[] = {
    { UG_ROLE_L_CLAVICLE,
      UG_ROLE_L_UPPER_ARM,
      0.092,
      { { 0, 0.012 }, { 0.3, 0.018 }, { 0.6, 0.026 }, { 0.8, 0.030 }, { 1, 0.0315 } } },
    { UG_ROLE_L_UPPER_ARM,
      UG_ROLE_L_FOREARM,
      0.162,
      { { 0, 0.0315 }, { 0.2, 0.031 }, { 0.5, 0.0275 }, { 0.8, 0.0245 }, { 1, 0.0235 } } },
    { UG_ROLE_L_FOREARM,
      UG_ROLE_L_HAND,
      0.154,
      { { 0, 0.0235 }, { 0.22, 0.0255 }, { 0.5, 0.0225 }, { 0.8, 0.0175 }, { 1, 0.0155 } } },
    { UG_ROLE_L_THIGH,
      UG_ROLE_L_SHIN,
      0.2414,
      { { 0, 0.050 }, { 0.2, 0.051 }, { 0.5, 0.044 }, { 0.82, 0.035 }, { 1, 0.032 } } },
    { UG_ROLE_L_SHIN,
      UG_ROLE_L_FOOT,
      0.2469,
      { { 0, 0.032 }, { 0.25, 0.0355 }, { 0.5, 0.031 }, { 0.85, 0.0215 }, { 1, 0.0215 } } },
};

static int other_side(ug_role role, int side)
{
    return side ? (int)ug_role_mirror(role) : (int)role;
}

// The bones from a limb's first joint up to the trunk lie inside it.
static void claim_up(ug_mannequin *body, int joint)
{
    const ug_joint *joints = body->skeleton->joints;
    while (joint >= 0 && joints[joint].parent >= 0) {
        body->shaped[joint] = true;
        joint = joints[joint].parent;
        const ug_role role = joints[joint].role;
        if (role == UG_ROLE_PELVIS || role == UG_ROLE_SPINE || role == UG_ROLE_NECK) {
            return;
        }
    }
}

static ug_status add_limb(ug_mannequin *body, const limb *kind, int from, int to, ug_error *err)
{
    const ug_joint *joints = body->skeleton->joints;
    const ug_vec3 start = body->world_m[from], end = body->world_m[to];
    const double length = ug_vec3_distance(start, end), size = body->size_m;
    if (length < 1e-6 || !ug_mannequin_claim(body, to, from)) {
        return UG_OK; // nothing there, or another tree: plain bones then
    }
    const ug_vec3 along = ug_vec3_unit(ug_vec3_sub(end, start), body->up);
    // a long limb is thicker, but not in proportion
    const double stout = fmin(fmax(sqrt(length / (kind->length * size)), 0.75), 1.3) * size;
    ug_girth girth[GIRTHS];
    for (int i = 0; i < GIRTHS; i++) {
        girth[i] =
            (ug_girth){ kind->girth[i].at, fmin(stout * kind->girth[i].radius_m, 0.6 * length) };
    }
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, joints[from].parent, 0.0, 0.0);
    ug_chain_add(&chain, from, 0.0, ug_mannequin_blend_m(body, from, girth[0].radius_m));
    int twists[UG_CHAIN_JOINTS_MAX / 2];
    size_t n = 0;
    for (int j = joints[to].parent; j != from && n < UG_CHAIN_JOINTS_MAX / 2;
         j = joints[j].parent) {
        twists[n++] = j;
    }
    while (n-- > 0) {
        const double at = ug_vec3_dot(ug_vec3_sub(body->world_m[twists[n]], start), along);
        ug_chain_add(&chain, twists[n], at, ug_mannequin_blend_m(body, twists[n], size));
    }
    ug_chain_add(&chain, to, length, ug_mannequin_blend_m(body, to, girth[GIRTHS - 1].radius_m));
    return ug_loft_add_limb(&body->loft, start, end, girth, GIRTHS, &chain, err);
}

// Without a clavicle: a stub that fills the gap between chest and arm.
static ug_status add_shoulder(ug_mannequin *body, int arm, int side, ug_error *err)
{
    const double size = body->size_m;
    const ug_vec3 at = body->world_m[arm];
    const ug_vec3 inside = ug_vec3_madd(at, (side ? 0.06 : -0.06) * size, body->left);
    const ug_girth girth[] = { { 0.0, 0.027 * size }, { 1.0, 0.031 * size } };
    ug_chain chain = { .count = 0 };
    ug_chain_add(&chain, body->skeleton->joints[arm].parent, 0.0, 0.0);
    ug_chain_add(&chain, arm, 0.06 * size, 0.03 * size);
    return ug_loft_add_limb(&body->loft, inside, at, girth, 2, &chain, err);
}

ug_status ug_mannequin_add_limbs(ug_mannequin *body, ug_error *err)
{
    ug_status status = UG_OK;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sizeof LIMBS / sizeof LIMBS[0] && status == UG_OK; i++) {
            const int from = body->role[other_side(LIMBS[i].from, side)];
            const int to = body->role[other_side(LIMBS[i].to, side)];
            if (from >= 0 && to >= 0) {
                status = add_limb(body, &LIMBS[i], from, to, err);
            }
        }
        const int clavicle = body->role[other_side(UG_ROLE_L_CLAVICLE, side)];
        const int arm = body->role[other_side(UG_ROLE_L_UPPER_ARM, side)];
        claim_up(body, clavicle >= 0 ? clavicle : arm);
        claim_up(body, body->role[other_side(UG_ROLE_L_THIGH, side)]);
        if (clavicle < 0 && arm >= 0 && body->skeleton->joints[arm].parent >= 0 &&
            status == UG_OK) {
            status = add_shoulder(body, arm, side, err);
        }
    }
    return status;
}
