// SPDX-License-Identifier: MIT
// A skinned triangle mesh: a surface that follows the joints of a skeleton.
//
// Vertices are given where they stand while the skeleton is in its bind pose (here always its rest
// pose), in world space. Each follows up to four joints (linear blend skinning):
//     p' = Σ_k weight_k · (c'_k + G'_k G_k* (p − c_k)),   (G_k, c_k) bind, (G'_k, c'_k) posed
// Not for morph targets, texture coordinates or more than one material: there is none of these
// here. Source: Magnenat-Thalmann et al. 1988, "Joint-dependent local deformations", Graphics
// Interface.
#pragma once

#include "motion/quat.h"
#include "motion/status.h"

#include <stddef.h>
#include <stdint.h>

enum { UG_MESH_INFLUENCES = 4 };

/// Joints and weights of one vertex, heaviest first. Unused places are joint 0 with weight 0; the
/// weights add up to 1 within float rounding, and no joint stands twice.
typedef struct ug_mesh_skin {
    uint32_t joints[UG_MESH_INFLUENCES];
    float weights[UG_MESH_INFLUENCES];
} ug_mesh_skin;

typedef struct ug_mesh {
    size_t vertex_count, triangle_count;
    ug_vec3 *positions_m;     ///< world, bind pose                              (vertex_count)
    ug_vec3 *normals;         ///< unit, pointing out of the body                (vertex_count)
    ug_mesh_skin *skin;       ///<                                               (vertex_count)
    uint32_t (*triangles)[3]; ///< counterclockwise seen from outside            (triangle_count)
} ug_mesh;

/// All zero; NULL when out of memory. ug_mesh_destroy() it.
ug_mesh *ug_mesh_create(size_t vertex_count, size_t triangle_count);

/// NULL is fine.
void ug_mesh_destroy(ug_mesh *mesh);

/// Finite positions, unit normals, indices in range, weights as ug_mesh_skin promises.
///
/// @return UG_E_DATA naming the vertex or triangle
UG_CHECKED ug_status ug_mesh_check(const ug_mesh *mesh, size_t joint_count, ug_error *err);

/// Keep the up to four largest of `count` weights (>= 0, of different joints, one of them > 0),
/// scaled to sum 1. All zero or not finite: all on joints[0].
ug_mesh_skin ug_mesh_skin_make(const uint32_t *joints, const double *weights, size_t count);

/// Where the vertices stand in another pose.
///
/// @param out_m           (vertex_count) world, metres; may alias mesh->positions_m
/// @param bind_q, bind_m  (joint_count) world pose the mesh was made in (ug_rest_forward)
/// @param pose_q, pose_m  (joint_count) world pose asked for (ug_clip_forward)
///
/// O(vertex_count), allocates nothing.
void ug_mesh_pose(ug_vec3 *out_m, const ug_mesh *mesh, const ug_quat *bind_q, const ug_vec3 *bind_m,
                  const ug_quat *pose_q, const ug_vec3 *pose_m);
