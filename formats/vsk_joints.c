// SPDX-License-Identifier: MIT
#include "formats/vsk_internal.h"

#include <libxml/tree.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double BONE_SIGMA_M = 0.010, POSE_SIGMA_RAD = 1.0;

static const struct {
    const char *element;
    ug_joint_type type;
    const char *axes; ///< attribute that holds them
} JOINTS[] = {
    { "JointFree", UG_JOINT_FREE, NULL },
    { "JointBall", UG_JOINT_BALL, NULL },
    { "JointHinge", UG_JOINT_HINGE, "AXIS" },
    { "JointHardySpicer", UG_JOINT_UNIVERSAL, "AXIS-PAIR" },
    { "JointDummy", UG_JOINT_FIXED, NULL },
};

static ug_status read_axes(vsk_reader *r, ug_joint *joint, const vsk_node *node,
                           const char *attribute_name, const char *what)
{
    double values[VSK_NUMBERS_MAX];
    size_t count;
    const size_t dof = (size_t)ug_joint_rotation_dof(joint->type);
    const ug_status status = vsk_numbers(r, values, &count, node, attribute_name, what);
    if (status != UG_OK) {
        return status;
    }
    if (count != 3 * dof) {
        return vsk_refuse(r, node, "%s: %s must be %zu numbers, here are %zu", what, attribute_name,
                          3 * dof, count);
    }
    for (size_t k = 0; k < dof; k++) {
        const ug_vec3 axis = ug_vec3_of(values + 3 * k);
        if (!(ug_vec3_norm(axis) > 1e-9) || !(ug_vec3_norm(axis) < VSK_LENGTH_MAX_MM)) {
            return vsk_refuse(r, node, "%s: %s %zu has no direction", what, attribute_name, k + 1);
        }
        joint->axes[k] = ug_vec3_unit(axis, axis);
    }
    return UG_OK;
}

// The pose that a model is drawn in; a ball's rest may turn anywhere, a hinge's about its axis.
static ug_status read_rest_turn(vsk_reader *r, ug_quat *turn, const ug_joint *joint,
                                const vsk_node *node, const char *what)
{
    double v[VSK_NUMBERS_MAX] = { 0 };
    size_t count;
    ug_status status = vsk_numbers(r, v, &count, node, "T-POSE", what);
    if (status == UG_OK && count == 0) {
        status = vsk_numbers(r, v, &count, node, "EDIT_POSE_MEAN", what);
    }
    const size_t dof = (size_t)ug_joint_rotation_dof(joint->type);
    *turn = UG_QUAT_IDENTITY;
    if (status != UG_OK || count == 0 || dof == 0) {
        return status;
    }
    if (count < dof) {
        return vsk_refuse(r, node, "%s: a T-pose of %zu angles for a joint of %zu", what, count,
                          dof);
    }
    if (dof == 3) {
        *turn = ug_quat_exp(ug_vec3_of(v));
    } else if (dof == 1) {
        *turn = ug_quat_from_axis_angle(joint->axes[0], v[0]);
    } else if (v[0] != 0.0 || v[1] != 0.0) {
        ug_warn(r->warnings, "vsk_rest_ignored", "%s: its T-pose is not used", what);
    }
    return UG_OK;
}

static ug_status read_pose_sigma(vsk_reader *r, ug_joint *joint, const vsk_node *node,
                                 const char *what)
{
    double v[VSK_NUMBERS_MAX];
    size_t count;
    const size_t dof = (size_t)ug_joint_rotation_dof(joint->type);
    const size_t width = joint->type == UG_JOINT_FREE ? 6 : dof;
    const ug_status status = vsk_numbers(r, v, &count, node, "COVARIANCE", what);
    for (size_t k = 0; k < dof; k++) {
        const double variance = count == width * width ? v[k * width + k] : 0.0;
        joint->pose_sigma_rad[k] = variance > 0.0 ? sqrt(variance) : POSE_SIGMA_RAD;
    }
    return status;
}

static const vsk_node *find_joint(const vsk_node *segment, size_t *kind)
{
    for (const vsk_node *node = segment->children; node; node = node->next) {
        for (*kind = 0; *kind < sizeof JOINTS / sizeof JOINTS[0]; (*kind)++) {
            if (vsk_is_element(node, JOINTS[*kind].element)) {
                return node;
            }
        }
    }
    return NULL;
}

typedef struct frame {
    ug_vec3 position, turn; ///< mm, rotation vector
} frame;

static ug_status read_frame(vsk_reader *r, frame *out, const vsk_node *node, const char *position,
                            const char *turn, const char *what)
{
    *out = (frame){ { 0, 0, 0 }, { 0, 0, 0 } };
    const ug_status status = vsk_vector(r, &out->position, node, position, what);
    return status == UG_OK ? vsk_vector(r, &out->turn, node, turn, what) : status;
}

// Where the joint sits and how it turns. x_parent = pre_p + pre_R Q (post_p + post_R x): with
// rest = pre_R post_R and axes seen from behind post_R this is offset + rest Q' (x + shift).
static ug_status read_joint(vsk_reader *r, int index, const vsk_node *segment, const char *what)
{
    ug_joint *joint = &r->skeleton->joints[index];
    size_t kind;
    frame outer, pre = { { 0, 0, 0 }, { 0, 0, 0 } }, post = pre;
    ug_quat turn = UG_QUAT_IDENTITY;
    ug_status status = read_frame(r, &outer, segment, "POSITION", "ORIENTATION", what);
    const vsk_node *node = find_joint(segment, &kind);
    if (status == UG_OK && !node) {
        return vsk_refuse(r, segment,
                          "%s has no joint (JointFree, JointBall, JointHinge, "
                          "JointHardySpicer or JointDummy)",
                          what);
    }
    joint->type = node ? JOINTS[kind].type : UG_JOINT_FIXED;
    if (status == UG_OK && JOINTS[kind].axes) {
        status = read_axes(r, joint, node, JOINTS[kind].axes, what);
    }
    status = status == UG_OK ? read_frame(r, &pre, node, "PRE-POSITION", "PRE-ORIENTATION", what)
                             : status;
    status = status == UG_OK ? read_frame(r, &post, node, "POST-POSITION", "POST-ORIENTATION", what)
                             : status;
    status = status == UG_OK ? read_rest_turn(r, &turn, joint, node, what) : status;
    status = status == UG_OK ? read_pose_sigma(r, joint, node, what) : status;
    if (status != UG_OK) {
        return status;
    }
    const ug_quat outer_q = ug_quat_exp(outer.turn), post_q = ug_quat_exp(post.turn);
    const ug_quat pre_q = ug_quat_mul(outer_q, ug_quat_exp(pre.turn));
    const ug_vec3 origin = joint->parent >= 0 ? r->shift_m[joint->parent] : (ug_vec3){ 0, 0, 0 };
    const ug_vec3 place = ug_vec3_add(outer.position, ug_quat_rotate(outer_q, pre.position));
    joint->offset_m = ug_vec3_madd(origin, VSK_MM, place);
    joint->rest = ug_quat_normalize(ug_quat_mul(ug_quat_mul(pre_q, turn), post_q));
    for (int k = 0; k < 3; k++) {
        joint->axes[k] = ug_quat_unrotate(post_q, joint->axes[k]);
    }
    r->shift_m[index] = ug_vec3_scale(ug_quat_unrotate(post_q, post.position), VSK_MM);
    joint->offset_sigma_m = (ug_vec3){ BONE_SIGMA_M, BONE_SIGMA_M, BONE_SIGMA_M };
    joint->flags = joint->parent >= 0 ? UG_JOINT_HAS_PRIOR : 0;
    return UG_OK;
}

size_t vsk_count_segments(const vsk_node *node)
{
    size_t count = 0;
    for (node = node->children; node; node = node->next) {
        count += vsk_is_element(node, "Segment") ? 1 + vsk_count_segments(node) : 0;
    }
    return count;
}

// libxml2 bounds the nesting of elements, so this recursion too.
ug_status vsk_read_segments(vsk_reader *r, const vsk_node *parent_node, int parent)
{
    for (const vsk_node *node = parent_node->children; node; node = node->next) {
        if (!vsk_is_element(node, "Segment")) {
            continue;
        }
        char what[96], *name = vsk_attribute(node, "NAME");
        const int index = (int)r->skeleton->joint_count;
        (void)snprintf(what, sizeof what, "segment '%.64s'", name ? name : "");
        if (!name || name[0] == '\0' || ug_skeleton_find(r->skeleton, name) >= 0) {
            const bool twice = name && name[0] != '\0';
            free(name);
            return vsk_refuse(r, node, twice ? "%s stands twice" : "%s has no NAME", what);
        }
        r->skeleton->joints[index].name = name;
        r->skeleton->joints[index].parent = parent;
        r->skeleton->joint_count++;
        ug_status status = read_joint(r, index, node, what);
        status = status == UG_OK ? vsk_read_segments(r, node, index) : status;
        if (status != UG_OK) {
            return status;
        }
    }
    return UG_OK;
}
