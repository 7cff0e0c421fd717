// SPDX-License-Identifier: MIT
#include "motion/mesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

ug_mesh *ug_mesh_create(size_t vertex_count, size_t triangle_count)
{
    ug_mesh *mesh = calloc(1, sizeof *mesh);
    if (!mesh) {
        return NULL;
    }
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    mesh->positions_m = calloc(vertex_count + 1, sizeof *mesh->positions_m);
    mesh->normals = calloc(vertex_count + 1, sizeof *mesh->normals);
    mesh->skin = calloc(vertex_count + 1, sizeof *mesh->skin);
    mesh->triangles = calloc(triangle_count + 1, sizeof *mesh->triangles);
    if (!mesh->positions_m || !mesh->normals || !mesh->skin || !mesh->triangles) {
        ug_mesh_destroy(mesh);
        return NULL;
    }
    return mesh;
}

void ug_mesh_destroy(ug_mesh *mesh)
{
    if (mesh) {
        free(mesh->positions_m);
        free(mesh->normals);
        free(mesh->skin);
        free(mesh->triangles);
        free(mesh);
    }
}

static bool skin_holds(const ug_mesh_skin *skin, size_t joint_count)
{
    double sum = 0.0;
    for (int k = 0; k < UG_MESH_INFLUENCES; k++) {
        const float w = skin->weights[k];
        if (!(w >= 0.0f && w <= 1.0f) || skin->joints[k] >= joint_count ||
            (w == 0.0f && skin->joints[k] != 0) || (k > 0 && w > skin->weights[k - 1] + 1e-6f)) {
            return false;
        }
        for (int i = 0; i < k; i++) {
            if (w > 0.0f && skin->joints[i] == skin->joints[k]) {
                return false;
            }
        }
        sum += (double)w;
    }
    return fabs(sum - 1.0) < 1e-6;
}

ug_status ug_mesh_check(const ug_mesh *mesh, size_t joint_count, ug_error *err)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (!ug_vec3_is_finite(mesh->positions_m[v]) ||
            !(fabs(ug_vec3_norm(mesh->normals[v]) - 1.0) < 1e-6)) {
            return ug_fail(err, UG_E_DATA,
                           "vertex %zu of the mesh: its position is not finite or its normal not "
                           "of length 1",
                           v);
        }
        if (!skin_holds(&mesh->skin[v], joint_count)) {
            return ug_fail(err, UG_E_DATA,
                           "vertex %zu of the mesh: its weights do not add up to 1 over "
                           "different joints of the %zu there are",
                           v, joint_count);
        }
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles[t];
        if (corner[0] >= mesh->vertex_count || corner[1] >= mesh->vertex_count ||
            corner[2] >= mesh->vertex_count) {
            return ug_fail(err, UG_E_DATA, "triangle %zu of the mesh: no such vertex", t);
        }
    }
    return UG_OK;
}

ug_mesh_skin ug_mesh_skin_make(const uint32_t *joints, const double *weights, size_t count)
{
    assert(count > 0);
    ug_mesh_skin skin = { { 0 }, { 0 } };
    double kept[UG_MESH_INFLUENCES] = { 0 };
    for (size_t i = 0; i < count; i++) {
        double w = weights[i];
        uint32_t joint = joints[i];
        for (int k = 0; k < UG_MESH_INFLUENCES && w > 0.0 && isfinite(w); k++) {
            if (w > kept[k]) { // sorted in; what falls out at the end is the lightest
                const double lighter = kept[k];
                const uint32_t its = skin.joints[k];
                kept[k] = w;
                skin.joints[k] = joint;
                w = lighter;
                joint = its;
            }
        }
    }
    const double sum = kept[0] + kept[1] + kept[2] + kept[3];
    if (!(sum > 0.0)) {
        return (ug_mesh_skin){ { joints[0] }, { 1.0f } };
    }
    float rest = 1.0f;
    for (int k = 1; k < UG_MESH_INFLUENCES; k++) {
        const float w = (float)(kept[k] / sum);
        skin.weights[k] = w > 1e-4f ? w : 0.0f; // below a tenth of a millimetre a metre
        skin.joints[k] = w > 1e-4f ? skin.joints[k] : 0;
        rest -= skin.weights[k];
    }
    skin.weights[0] = rest; // takes the rounding
    return skin;
}

void ug_mesh_pose(ug_vec3 *out_m, const ug_mesh *mesh, const ug_quat *bind_q, const ug_vec3 *bind_m,
                  const ug_quat *pose_q, const ug_vec3 *pose_m)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const ug_mesh_skin *skin = &mesh->skin[v];
        const ug_vec3 p = mesh->positions_m[v];
        ug_vec3 sum = { 0, 0, 0 };
        for (int k = 0; k < UG_MESH_INFLUENCES && skin->weights[k] > 0.0f; k++) {
            const uint32_t j = skin->joints[k];
            const ug_vec3 local = ug_quat_unrotate(bind_q[j], ug_vec3_sub(p, bind_m[j]));
            const ug_vec3 there = ug_vec3_add(pose_m[j], ug_quat_rotate(pose_q[j], local));
            sum = ug_vec3_madd(sum, (double)skin->weights[k], there);
        }
        out_m[v] = sum;
    }
}
