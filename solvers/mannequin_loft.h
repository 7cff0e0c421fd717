// SPDX-License-Identifier: MIT
// Tubes for solvers/mannequin.h: rings along a path, closed by a point at either end.
#pragma once

#include "motion/mesh.h"

#include <stdbool.h>

/// An ellipse of the tube. The first and the last of a tube are points: `u` and `v` do not count.
typedef struct ug_ring {
    ug_vec3 centre_m;
    ug_vec3 u, v; ///< half axes, metres, perpendicular; u × v points along the tube
    ug_mesh_skin skin;
} ug_ring;

/// A mesh that grows. Start from { 0 }; ug_loft_finish() or ug_loft_fini() it.
typedef struct ug_loft {
    ug_mesh *mesh;
    size_t vertex_capacity, triangle_capacity;
} ug_loft;

/// Append a closed tube of `ring_count` >= 3 rings with `around` >= 3 corners each.
/// @return UG_E_NOMEM, also beyond 2^32 vertices
UG_CHECKED ug_status ug_loft_add(ug_loft *loft, const ug_ring *rings, size_t ring_count,
                                 size_t around, ug_error *err);

/// The mesh made so far (may be empty); `loft` holds nothing afterwards. NULL: out of memory.
ug_mesh *ug_loft_finish(ug_loft *loft);
void ug_loft_fini(ug_loft *loft);

enum { UG_CHAIN_JOINTS_MAX = 64 };

/// Which joints carry what lies along a path: joints[0] before bounds_m[0], joints[k] after
/// bounds_m[k - 1]; across a bound the weights cross over within ± blend_m.
typedef struct ug_chain {
    size_t count; ///< joints; at least 1
    uint32_t joints[UG_CHAIN_JOINTS_MAX];
    double bounds_m[UG_CHAIN_JOINTS_MAX]; ///< ascending; count − 1 of them
    double blend_m[UG_CHAIN_JOINTS_MAX];
} ug_chain;

/// One more joint from `bound_m` on; the same joint again adds nothing. Past UG_CHAIN_JOINTS_MAX
/// joints the last one keeps the rest.
void ug_chain_add(ug_chain *chain, int joint, double bound_m, double blend_m);

/// Weights at `at_m` along the path: smooth, sum 1.
ug_mesh_skin ug_chain_skin(const ug_chain *chain, double at_m);

/// Radius of a limb at a fraction of its length; ascending from 0 to 1.
typedef struct ug_girth {
    double at, radius_m;
} ug_girth;

/// A limb from `from_m` to `to_m` (apart): rings as `girth` says, half balls at both ends.
UG_CHECKED ug_status ug_loft_add_limb(ug_loft *loft, ug_vec3 from_m, ug_vec3 to_m,
                                      const ug_girth *girth, size_t girth_count,
                                      const ug_chain *chain, ug_error *err);

/// A ball carried by one joint.
UG_CHECKED ug_status ug_loft_add_ball(ug_loft *loft, ug_vec3 centre_m, double radius_m, int joint,
                                      ug_error *err);
