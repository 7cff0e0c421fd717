// SPDX-License-Identifier: MIT
#include "solvers/mannequin.h"

#include "solvers/mannequin_body.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double BONE_MIN_M = 1e-6, BALL_M = 0.005;

static bool is_under(const ug_mannequin *body, int joint, int role)
{
    const int above = body->role[role];
    return above >= 0 && ug_skeleton_is_ancestor(body->skeleton, above, joint);
}

// Of a bone that no part of the body covers.
static double bone_radius_m(const ug_mannequin *body, int joint, double length_m)
{
    if (!body->is_body) {
        return fmin(fmax(0.16 * length_m, fmin(0.006 * body->size_m, 0.4 * length_m)),
                    0.05 * body->size_m);
    }
    const bool finger =
        is_under(body, joint, UG_ROLE_L_HAND) || is_under(body, joint, UG_ROLE_R_HAND);
    const double thickest = (finger ? 0.0055 : 0.02) * body->size_m;
    return fmin(fmax(0.2 * length_m, fmin(0.003 * body->size_m, 0.4 * length_m)), thickest);
}

static bool is_above_pelvis(const ug_mannequin *body, int joint)
{
    return body->is_body &&
           ug_skeleton_is_ancestor(body->skeleton, joint, body->role[UG_ROLE_PELVIS]);
}

static ug_status add_bone(ug_mannequin *body, int joint, ug_error *err)
{
    const ug_joint *joints = body->skeleton->joints;
    const int parent = joints[joint].parent;
    const double length_m = ug_mannequin_bone_m(body, joint);
    const double r = bone_radius_m(body, joint, length_m);
    const ug_girth girth[] = { { 0.0, 0.85 * r }, { 0.3, r }, { 1.0, 0.7 * r } };
    ug_chain chain = { .count = 0 };
    if (joints[parent].parent >= 0) {
        ug_chain_add(&chain, joints[parent].parent, 0.0, 0.0);
    }
    ug_chain_add(&chain, parent, 0.0, ug_mannequin_blend_m(body, parent, r));
    if (!(joints[joint].flags & UG_JOINT_END_SITE)) { // which turns nothing
        ug_chain_add(&chain, joint, length_m, ug_mannequin_blend_m(body, joint, r));
    }
    return ug_loft_add_limb(&body->loft, body->world_m[parent], body->world_m[joint], girth, 3,
                            &chain, err);
}

// Bones without a shape of their own: capsules.
static ug_status add_bones(ug_mannequin *body, ug_error *err)
{
    ug_status status = UG_OK;
    for (size_t j = 0; j < body->skeleton->joint_count && status == UG_OK; j++) {
        if (body->skeleton->joints[j].parent >= 0 && !body->shaped[j] &&
            ug_mannequin_bone_m(body, (int)j) > BONE_MIN_M && !is_above_pelvis(body, (int)j)) {
            status = add_bone(body, (int)j, err);
        }
    }
    return status;
}

static ug_status add_parts(ug_mannequin *body, ug_error *err)
{
    ug_status status = UG_OK;
    if (body->is_body) {
        status = ug_mannequin_add_trunk(body, err);
        status = status == UG_OK ? ug_mannequin_add_head(body, err) : status;
        status = status == UG_OK ? ug_mannequin_add_limbs(body, err) : status;
        status = status == UG_OK ? ug_mannequin_add_hands(body, err) : status;
        status = status == UG_OK ? ug_mannequin_add_feet(body, err) : status;
    }
    status = status == UG_OK ? add_bones(body, err) : status;
    const bool nothing = !body->loft.mesh || body->loft.mesh->vertex_count == 0;
    for (size_t j = 0; nothing && j < body->skeleton->joint_count && status == UG_OK; j++) {
        if (body->skeleton->joints[j].parent < 0) {
            status = ug_loft_add_ball(&body->loft, body->world_m[j], BALL_M, (int)j, err);
        }
    }
    return status;
}

ug_status ug_mannequin_create(ug_mesh **mesh, const ug_skeleton *skeleton, const ug_clip *clip,
                              ug_error *err)
{
    assert(mesh && skeleton);
    *mesh = NULL;
    if (skeleton->joint_count == 0) {
        return ug_fail(err, UG_E_NOT_ENOUGH, "a skeleton without joints has no body");
    }
    ug_status status = ug_skeleton_check(skeleton, err);
    if (status != UG_OK) {
        return status;
    }
    ug_mannequin body;
    status = ug_mannequin_measure(&body, skeleton, clip, err);
    status = status == UG_OK ? add_parts(&body, err) : status;
    if (status == UG_OK) {
        *mesh = ug_loft_finish(&body.loft);
        status = *mesh ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (status == UG_OK) {
        ug_mannequin_carry_back(&body, *mesh);
    }
    ug_mannequin_fini(&body);
    return status;
}
