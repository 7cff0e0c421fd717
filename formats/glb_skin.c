// SPDX-License-Identifier: MIT
// The skinned mesh of a GLB.
#include "formats/glb_parts.h"
#include "motion/kinematics.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static size_t add_vectors(ug_glb *glb, const ug_vec3 *vectors, size_t count, bool bounded)
{
    size_t accessor;
    float *out = ug_glb_reserve(glb, count, 3, UG_GLB_FLOAT, UG_GLB_VERTICES, &accessor);
    for (size_t i = 0; out && i < count; i++) {
        out[3 * i] = (float)vectors[i].x;
        out[3 * i + 1] = (float)vectors[i].y;
        out[3 * i + 2] = (float)vectors[i].z;
    }
    if (out && bounded) {
        ug_glb_bound(glb, out, count, 3);
    }
    return accessor;
}

static size_t add_joints(ug_glb *glb, const ug_mesh *mesh, bool wide)
{
    size_t accessor;
    void *out = ug_glb_reserve(glb, mesh->vertex_count, UG_MESH_INFLUENCES,
                               wide ? UG_GLB_SHORT : UG_GLB_BYTE, UG_GLB_VERTICES, &accessor);
    for (size_t i = 0; out && i < UG_MESH_INFLUENCES * mesh->vertex_count; i++) {
        const uint32_t joint = mesh->skin[i / UG_MESH_INFLUENCES].joints[i % UG_MESH_INFLUENCES];
        if (wide) {
            ((uint16_t *)out)[i] = (uint16_t)joint;
        } else {
            ((uint8_t *)out)[i] = (uint8_t)joint;
        }
    }
    return accessor;
}

static size_t add_weights(ug_glb *glb, const ug_mesh *mesh)
{
    size_t accessor;
    float *out = ug_glb_reserve(glb, mesh->vertex_count, UG_MESH_INFLUENCES, UG_GLB_FLOAT,
                                UG_GLB_VERTICES, &accessor);
    for (size_t i = 0; out && i < UG_MESH_INFLUENCES * mesh->vertex_count; i++) {
        out[i] = mesh->skin[i / UG_MESH_INFLUENCES].weights[i % UG_MESH_INFLUENCES];
    }
    return accessor;
}

static size_t add_triangles(ug_glb *glb, const ug_mesh *mesh)
{
    // the largest number of either width is not an index: it restarts primitives
    const bool wide = mesh->vertex_count > UINT16_MAX;
    size_t accessor;
    void *out = ug_glb_reserve(glb, 3 * mesh->triangle_count, 1, wide ? UG_GLB_INT : UG_GLB_SHORT,
                               UG_GLB_TRIANGLES, &accessor);
    for (size_t i = 0; out && i < 3 * mesh->triangle_count; i++) {
        const uint32_t corner = mesh->triangles[i / 3][i % 3];
        if (wide) {
            ((uint32_t *)out)[i] = corner;
        } else {
            ((uint16_t *)out)[i] = (uint16_t)corner;
        }
    }
    return accessor;
}

// World to joint, column by column: the transposed turn, and minus the joint's place in it.
static void inverse_bind(float out[16], ug_quat q, ug_vec3 at)
{
    double m[9];
    ug_quat_to_matrix(m, q);
    const ug_vec3 moved = ug_vec3_scale(ug_quat_unrotate(q, at), -1.0);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            out[4 * column + row] = (float)m[3 * column + row];
        }
        out[4 * column + 3] = 0.0f;
    }
    out[12] = (float)moved.x;
    out[13] = (float)moved.y;
    out[14] = (float)moved.z;
    out[15] = 1.0f;
}

static ug_status add_inverse_binds(ug_glb *glb, size_t *accessor, const ug_skeleton *skeleton,
                                   ug_error *err)
{
    const size_t n = skeleton->joint_count;
    ug_quat *q = calloc(n + 1, sizeof *q);
    ug_vec3 *m = calloc(n + 1, sizeof *m);
    float *out = q && m ? ug_glb_reserve(glb, n, 16, UG_GLB_FLOAT, UG_GLB_ANY, accessor) : NULL;
    if (out) {
        ug_rest_forward(q, m, skeleton);
        for (size_t j = 0; j < n; j++) {
            inverse_bind(out + 16 * j, ug_quat_normalize(q[j]), m[j]);
        }
    }
    const bool no_memory = !q || !m;
    free(q);
    free(m);
    return no_memory ? ug_fail(err, UG_E_NOMEM, "out of memory") : UG_OK;
}

static cJSON *make_material(ug_glb *glb)
{
    static const double COLOUR[] = { 0.72, 0.70, 0.66, 1.0 };
    cJSON *colour = ug_glb_array(glb);
    for (int i = 0; i < 4; i++) {
        ug_glb_append(glb, colour, ug_glb_single(glb, COLOUR[i]));
    }
    cJSON *surface = ug_glb_object(glb);
    ug_glb_put(glb, surface, "baseColorFactor", colour);
    ug_glb_put(glb, surface, "metallicFactor", ug_glb_integer(glb, 0));
    ug_glb_put(glb, surface, "roughnessFactor", ug_glb_single(glb, 0.7));
    cJSON *material = ug_glb_object(glb);
    ug_glb_put(glb, material, "name", ug_glb_text(glb, "mannequin"));
    ug_glb_put(glb, material, "pbrMetallicRoughness", surface);
    return material;
}

static void put_one(ug_glb *glb, const char *name, cJSON *item)
{
    cJSON *list = ug_glb_array(glb);
    ug_glb_append(glb, list, item);
    ug_glb_put(glb, glb->root, name, list);
}

ug_status ug_glb_add_skin(ug_glb *glb, const ug_skeleton *skeleton, const ug_mesh *mesh,
                          size_t root_node, ug_error *err)
{
    const size_t n = skeleton->joint_count;
    cJSON *attributes = ug_glb_object(glb), *primitive = ug_glb_object(glb);
    size_t at = add_vectors(glb, mesh->positions_m, mesh->vertex_count, true);
    ug_glb_put(glb, attributes, "POSITION", ug_glb_integer(glb, (int64_t)at));
    at = add_vectors(glb, mesh->normals, mesh->vertex_count, false);
    ug_glb_put(glb, attributes, "NORMAL", ug_glb_integer(glb, (int64_t)at));
    at = add_joints(glb, mesh, n > UINT8_MAX + 1);
    ug_glb_put(glb, attributes, "JOINTS_0", ug_glb_integer(glb, (int64_t)at));
    at = add_weights(glb, mesh);
    ug_glb_put(glb, attributes, "WEIGHTS_0", ug_glb_integer(glb, (int64_t)at));
    ug_glb_put(glb, primitive, "attributes", attributes);
    at = add_triangles(glb, mesh);
    ug_glb_put(glb, primitive, "indices", ug_glb_integer(glb, (int64_t)at));
    ug_glb_put(glb, primitive, "material", ug_glb_integer(glb, 0));
    cJSON *primitives = ug_glb_array(glb), *body = ug_glb_object(glb);
    ug_glb_append(glb, primitives, primitive);
    ug_glb_put(glb, body, "name", ug_glb_text(glb, "mannequin"));
    ug_glb_put(glb, body, "primitives", primitives);
    put_one(glb, "meshes", body);
    put_one(glb, "materials", make_material(glb));

    const ug_status status = add_inverse_binds(glb, &at, skeleton, err);
    cJSON *joints = ug_glb_array(glb), *skin = ug_glb_object(glb);
    for (size_t j = 0; j < n; j++) {
        ug_glb_append(glb, joints, ug_glb_integer(glb, (int64_t)j));
    }
    ug_glb_put(glb, skin, "inverseBindMatrices", ug_glb_integer(glb, (int64_t)at));
    ug_glb_put(glb, skin, "skeleton", ug_glb_integer(glb, (int64_t)root_node));
    ug_glb_put(glb, skin, "joints", joints);
    put_one(glb, "skins", skin);
    return status;
}
