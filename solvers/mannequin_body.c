// SPDX-License-Identifier: MIT
#include "solvers/mannequin_body.h"

#include "motion/kinematics.h"

#include <math.h>
#include <stdlib.h>

// Fractions of the stature in datasets/templates/humanoid.yaml.
static const double LEGS = 0.488, TRUNK = 0.355;

double ug_mannequin_bone_m(const ug_mannequin *body, int joint)
{
    const int parent = body->skeleton->joints[joint].parent;
    return parent < 0 ? 0.0 : ug_vec3_distance(body->world_m[joint], body->world_m[parent]);
}

ug_vec3 ug_mannequin_direction(const ug_mannequin *body, int from, int to, ug_vec3 fallback)
{
    if (from < 0 || to < 0) {
        return fallback;
    }
    return ug_vec3_unit(ug_vec3_sub(body->world_m[to], body->world_m[from]), fallback);
}

double ug_mannequin_blend_m(const ug_mannequin *body, int joint, double radius_m)
{
    const double above = ug_mannequin_bone_m(body, joint), below = body->reach_m[joint];
    double blend = 1.2 * radius_m;
    blend = above > 0.0 ? fmin(blend, 0.5 * above) : blend;
    return below > 0.0 ? fmin(blend, 0.5 * below) : blend;
}

bool ug_mannequin_claim(ug_mannequin *body, int joint, int ancestor)
{
    if (joint < 0 || ancestor < 0 || joint == ancestor ||
        !ug_skeleton_is_ancestor(body->skeleton, ancestor, joint)) {
        return false;
    }
    for (int j = joint; j != ancestor; j = body->skeleton->joints[j].parent) {
        body->shaped[j] = true;
    }
    return true;
}

int ug_mannequin_tip(const ug_mannequin *body, int joint)
{
    for (size_t j = (size_t)joint + 1; j < body->skeleton->joint_count; j++) {
        if (body->skeleton->joints[j].parent == joint && body->reach_m[j] == 0.0 &&
            body->skeleton->joints[j].role == UG_ROLE_NONE) {
            return (int)j;
        }
    }
    return -1;
}

// ---- size and directions

static double path_m(const ug_mannequin *body, int from, int to)
{
    if (from < 0 || to < 0) {
        return 0.0;
    }
    return ug_vec3_distance(body->world_m[from], body->world_m[to]);
}

static double leg_m(const ug_mannequin *body)
{
    const int *role = body->role;
    double sum = 0.0;
    int count = 0;
    for (int side = 0; side < 2; side++) {
        const int d = side * (UG_ROLE_R_THIGH - UG_ROLE_L_THIGH);
        const double leg = path_m(body, role[UG_ROLE_L_THIGH + d], role[UG_ROLE_L_SHIN + d]) +
                           path_m(body, role[UG_ROLE_L_SHIN + d], role[UG_ROLE_L_FOOT + d]);
        sum += leg;
        count += leg > 0.0;
    }
    return count > 0 ? sum / count : 0.0;
}

// Along the spine from the hips to the head, whatever pose the skeleton rests in.
static double trunk_m(const ug_mannequin *body)
{
    const ug_skeleton *s = body->skeleton;
    const int pelvis = body->role[UG_ROLE_PELVIS], head = body->role[UG_ROLE_HEAD];
    double sum = 0.0;
    if (head >= 0 && pelvis >= 0 && ug_skeleton_is_ancestor(s, pelvis, head)) {
        for (int j = head; j != pelvis; j = s->joints[j].parent) {
            sum += ug_mannequin_bone_m(body, j);
        }
    }
    return sum;
}

static void measure_size(ug_mannequin *body)
{
    const double legs = leg_m(body), trunk = trunk_m(body);
    const double share = (legs > 0.0 ? LEGS : 0.0) + (trunk > 0.0 ? TRUNK : 0.0);
    body->size_m = share > 0.0 ? (legs + trunk) / share : ug_skeleton_size_m(body->skeleton);
    body->is_body = body->role[UG_ROLE_PELVIS] >= 0 && share > 0.0;
}

static ug_vec3 middle(const ug_mannequin *body, int a, int b, ug_vec3 fallback)
{
    if (a < 0 || b < 0) {
        return fallback;
    }
    return ug_vec3_scale(ug_vec3_add(body->world_m[a], body->world_m[b]), 0.5);
}

static void measure_directions(ug_mannequin *body)
{
    const int *role = body->role;
    const int pelvis = role[UG_ROLE_PELVIS];
    int top = role[UG_ROLE_NECK] >= 0 ? role[UG_ROLE_NECK] : role[UG_ROLE_HEAD];
    body->hips_m = pelvis >= 0 ? body->world_m[pelvis] : (ug_vec3){ 0, 0, 0 };
    body->hips_m = middle(body, role[UG_ROLE_L_THIGH], role[UG_ROLE_R_THIGH], body->hips_m);
    body->up = (ug_vec3){ 0, 1, 0 };
    if (top >= 0) {
        body->up = ug_vec3_unit(ug_vec3_sub(body->world_m[top], body->hips_m), body->up);
    }
    ug_vec3 left = { 1, 0, 0 };
    left = ug_mannequin_direction(body, role[UG_ROLE_R_UPPER_ARM], role[UG_ROLE_L_UPPER_ARM], left);
    left = ug_mannequin_direction(body, role[UG_ROLE_R_THIGH], role[UG_ROLE_L_THIGH], left);
    body->forward = ug_vec3_unit(ug_vec3_cross(left, body->up), (ug_vec3){ 0, 0, 1 });
    body->left = ug_vec3_unit(ug_vec3_cross(body->up, body->forward), left);
    body->forward = ug_vec3_cross(body->left, body->up);
}

ug_status ug_mannequin_measure(ug_mannequin *body, const ug_skeleton *skeleton, const ug_clip *clip,
                               ug_error *err)
{
    const size_t n = skeleton->joint_count;
    *body = (ug_mannequin){ .skeleton = skeleton };
    body->world_q = calloc(n + 1, sizeof *body->world_q);
    body->world_m = calloc(n + 1, sizeof *body->world_m);
    body->rest_q = calloc(n + 1, sizeof *body->rest_q);
    body->rest_m = calloc(n + 1, sizeof *body->rest_m);
    body->shaped = calloc(n + 1, sizeof *body->shaped);
    body->reach_m = calloc(n + 1, sizeof *body->reach_m);
    if (!body->world_q || !body->world_m || !body->rest_q || !body->rest_m || !body->shaped ||
        !body->reach_m) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_rest_forward(body->rest_q, body->rest_m, skeleton);
    ug_rest_forward(body->world_q, body->world_m, skeleton);
    const ug_status status = ug_mannequin_stand(body, clip, err);
    if (status != UG_OK) {
        return status;
    }
    for (int r = 0; r < UG_ROLE_COUNT; r++) {
        body->role[r] = r == UG_ROLE_NONE ? -1 : ug_skeleton_find_role(skeleton, (ug_role)r);
    }
    for (size_t j = 0; j < n; j++) {
        const int parent = skeleton->joints[j].parent;
        if (parent >= 0) {
            body->reach_m[parent] = fmax(body->reach_m[parent], ug_mannequin_bone_m(body, (int)j));
        }
    }
    measure_size(body);
    measure_directions(body);
    return UG_OK;
}

void ug_mannequin_fini(ug_mannequin *body)
{
    free(body->world_q);
    free(body->world_m);
    free(body->rest_q);
    free(body->rest_m);
    free(body->shaped);
    free(body->reach_m);
    ug_loft_fini(&body->loft);
}
