// SPDX-License-Identifier: MIT
// A small moving take to write as GLB, and what its nodes say when it is read back. Include after
// cmocka.h.
#pragma once

#include "formats/glb.h"
#include "motion/kinematics.h"
#include "motion/text.h"
#include "tests/support/glb_file.h"

static const ug_vec3 X = { 1, 0, 0 };

// root "Hüfte:1" (turned at rest) -> "arm" -> its End Site; "prop" is a second root if asked for.
static inline ug_skeleton *make_skeleton(size_t joints)
{
    static const char *const NAMES[] = { "H\xc3\xbc"
                                         "fte:1",
                                         "arm \"x\"", "arm_end", "prop" };
    ug_skeleton *s = ug_skeleton_create(joints);
    assert_non_null(s);
    for (size_t j = 0; j < joints; j++) {
        s->joints[j].name = j < 4 ? ug_text_copy(NAMES[j]) : ug_text_format("j%zu", j);
        s->joints[j].offset_m = (ug_vec3){ 0.1, 0.5 + 0.1 * (double)j, -0.2 };
    }
    s->joints[0].rest = ug_quat_from_axis_angle((ug_vec3){ 1, 2, 3 }, 0.7);
    s->joints[0].role = UG_ROLE_PELVIS;
    if (joints > 2) {
        s->joints[2].type = UG_JOINT_FIXED;
        s->joints[2].flags = UG_JOINT_END_SITE;
    }
    if (joints == 4) {
        s->joints[3].parent = -1;
    }
    return s;
}

// Everything turns and the root moves, except End Sites, which rest.
static inline ug_clip *make_clip(const ug_skeleton *s, size_t frames, ug_rate rate)
{
    ug_clip *clip = ug_clip_create(frames, s->joint_count, (int[]){ 0 }, 1, rate);
    assert_non_null(clip);
    for (size_t f = 0; f < frames; f++) {
        for (size_t j = 0; j < s->joint_count; j++) {
            const double turn = 0.05 * (double)(f * (j + 1));
            const bool rests = s->joints[j].flags & UG_JOINT_END_SITE;
            ug_clip_rotations(clip, f)[j] =
                rests ? s->joints[j].rest
                      : ug_quat_mul(s->joints[j].rest, ug_quat_from_axis_angle(X, turn));
        }
        ug_clip_translations(clip, f)[0] = (ug_vec3){ 0.1 * (double)f, 1.0, -0.3 };
    }
    return clip;
}

// One triangle on joint 0, one vertex shared with the last joint.
static inline ug_mesh *make_mesh(const ug_skeleton *s, size_t vertices)
{
    ug_mesh *mesh = ug_mesh_create(vertices, 1);
    assert_non_null(mesh);
    for (size_t v = 0; v < vertices; v++) {
        mesh->positions_m[v] =
            (ug_vec3){ 0.1 * (double)(v % 7), 1.0 / 3.0, -0.7 * (double)(v % 3) };
        mesh->normals[v] = (ug_vec3){ 0, 0, 1 };
        mesh->skin[v] = (ug_mesh_skin){ { 0 }, { 1.0f } };
    }
    mesh->skin[1] = ug_mesh_skin_make((uint32_t[]){ 0, (uint32_t)s->joint_count - 1 },
                                      (double[]){ 0.7, 0.3 }, 2);
    for (uint32_t k = 0; k < 3; k++) {
        mesh->triangles[0][k] = k;
    }
    mesh->triangles[0][2] = (uint32_t)vertices - 1;
    return mesh;
}

static inline ug_take make_take(size_t joints, size_t frames, ug_rate rate)
{
    ug_take take;
    ug_take_init(&take);
    take.skeleton = make_skeleton(joints);
    take.clip = frames > 0 ? make_clip(take.skeleton, frames, rate) : NULL;
    return take;
}

static inline glb_file write_and_open(const char *path, const ug_take *take,
                                      const ug_write_opts *opts, ug_warnings *warnings)
{
    ug_error err = { 0 };
    if (ug_glb_write(path, take, opts, warnings, &err) != UG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return glb_open(path);
}

static inline ug_quat node_rotation(const cJSON *node)
{
    const cJSON *r = cJSON_GetObjectItem(node, "rotation");
    return r ? (ug_quat){ .x = cJSON_GetArrayItem(r, 0)->valuedouble,
                          .y = cJSON_GetArrayItem(r, 1)->valuedouble,
                          .z = cJSON_GetArrayItem(r, 2)->valuedouble,
                          .w = cJSON_GetArrayItem(r, 3)->valuedouble }
             : UG_QUAT_IDENTITY;
}

static inline ug_vec3 node_translation(const cJSON *node)
{
    const cJSON *t = glb_at(node, "translation");
    return (ug_vec3){ cJSON_GetArrayItem(t, 0)->valuedouble, cJSON_GetArrayItem(t, 1)->valuedouble,
                      cJSON_GetArrayItem(t, 2)->valuedouble };
}
