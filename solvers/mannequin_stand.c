// SPDX-License-Identifier: MIT
// Rigs that rest folded up: their body is made where they stand in their motion, and carried back.
#include "solvers/mannequin_body.h"

#include "solvers/body_map.h"
#include "solvers/bone_frames.h"
#include "solvers/foot_model.h"

#include <math.h>
#include <string.h>

// World pose of a frame in which the skeleton stands; the rest pose stays where that stands, or
// where there is no body or no such frame.
ug_status ug_mannequin_stand(ug_mannequin *body, const ug_clip *clip, ug_error *err)
{
    const size_t n = body->skeleton->joint_count;
    ug_body_map map;
    if (!clip || clip->frame_count == 0 || clip->joint_count != n ||
        ug_body_map_init(&map, body->skeleton, NULL) != UG_OK) {
        return UG_OK;
    }
    ug_foot_model feet[2];
    ug_bone_frames frames = { 0 };
    ug_status status = ug_foot_models_from_rest(feet, body->skeleton, &map, err);
    if (status == UG_OK) {
        status = ug_bone_frames_init(&frames, body->skeleton, &map, feet, clip, err);
    }
    if (status == UG_OK && frames.reference_frame >= 0) {
        bool finite = true;
        for (size_t j = 0; j < n; j++) {
            finite = finite && ug_vec3_is_finite(frames.reference_m[j]) &&
                     isfinite(ug_quat_dot(frames.reference_q[j], frames.reference_q[j]));
        }
        if (finite) {
            memcpy(body->world_q, frames.reference_q, n * sizeof *body->world_q);
            memcpy(body->world_m, frames.reference_m, n * sizeof *body->world_m);
        }
        body->is_carried = finite;
    }
    ug_bone_frames_fini(&frames);
    return status;
}

// Columns of the linear part of a vertex's blend from rest to where the body was made.
static void blend_axes(ug_vec3 axes[3], const ug_mannequin *body, const ug_mesh_skin *skin,
                       int count)
{
    static const ug_vec3 UNIT[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int c = 0; c < 3; c++) {
        axes[c] = (ug_vec3){ 0, 0, 0 };
        for (int k = 0; k < count; k++) {
            const uint32_t j = skin->joints[k];
            const ug_quat turn = ug_quat_mul(body->world_q[j], ug_quat_conj(body->rest_q[j]));
            const double weight = count > 1 ? (double)skin->weights[k] : 1.0;
            axes[c] = ug_vec3_madd(axes[c], weight, ug_quat_rotate(turn, UNIT[c]));
        }
    }
}

// The place that the blend takes to `p`: its inverse. Joints that face opposite ways leave none;
// the heaviest one decides then.
static void carry_vertex(ug_vec3 *p, ug_vec3 *normal, const ug_mannequin *body,
                         const ug_mesh_skin *skin)
{
    int count = UG_MESH_INFLUENCES;
    ug_vec3 axes[3];
    blend_axes(axes, body, skin, count);
    double volume = ug_vec3_dot(axes[0], ug_vec3_cross(axes[1], axes[2]));
    if (!(volume > 0.1)) {
        count = 1;
        blend_axes(axes, body, skin, count);
        volume = 1.0;
    }
    ug_vec3 shift = { 0, 0, 0 };
    for (int k = 0; k < count; k++) {
        const uint32_t j = skin->joints[k];
        const ug_quat turn = ug_quat_mul(body->world_q[j], ug_quat_conj(body->rest_q[j]));
        const ug_vec3 moved = ug_vec3_sub(body->world_m[j], ug_quat_rotate(turn, body->rest_m[j]));
        shift = ug_vec3_madd(shift, count > 1 ? (double)skin->weights[k] : 1.0, moved);
    }
    const ug_vec3 at = ug_vec3_sub(*p, shift);
    *p = (ug_vec3){ ug_vec3_dot(at, ug_vec3_cross(axes[1], axes[2])) / volume,
                    ug_vec3_dot(at, ug_vec3_cross(axes[2], axes[0])) / volume,
                    ug_vec3_dot(at, ug_vec3_cross(axes[0], axes[1])) / volume };
    const ug_vec3 n = { ug_vec3_dot(axes[0], *normal), ug_vec3_dot(axes[1], *normal),
                        ug_vec3_dot(axes[2], *normal) };
    *normal = ug_vec3_unit(n, *normal);
}

void ug_mannequin_carry_back(const ug_mannequin *body, ug_mesh *mesh)
{
    for (size_t v = 0; body->is_carried && v < mesh->vertex_count; v++) {
        carry_vertex(&mesh->positions_m[v], &mesh->normals[v], body, &mesh->skin[v]);
    }
}
