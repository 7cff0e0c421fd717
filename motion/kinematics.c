// SPDX-License-Identifier: MIT
#include "motion/kinematics.h"

#include <assert.h>

static void place(ug_quat *world_q, ug_vec3 *world_m, const ug_joint *joint, size_t j,
                  ug_quat local, ug_vec3 offset_m)
{
    if (joint->parent < 0) {
        world_q[j] = local;
        world_m[j] = offset_m;
    } else {
        world_q[j] = ug_quat_mul(world_q[joint->parent], local);
        world_m[j] =
            ug_vec3_add(world_m[joint->parent], ug_quat_rotate(world_q[joint->parent], offset_m));
    }
}

void ug_pose_forward(ug_quat *world_q, ug_vec3 *world_m, const ug_skeleton *skeleton,
                     const ug_quat *local, const ug_vec3 *offset_m)
{
    assert(world_q != local);
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        place(world_q, world_m, joint, j, local[j], offset_m ? offset_m[j] : joint->offset_m);
    }
}

void ug_clip_forward(ug_quat *world_q, ug_vec3 *world_m, const ug_skeleton *skeleton,
                     const ug_clip *clip, size_t frame)
{
    assert(frame < clip->frame_count && clip->joint_count == skeleton->joint_count);
    const ug_quat *local = ug_clip_rotations(clip, frame);
    const ug_vec3 *moved = ug_clip_translations(clip, frame);
    size_t next = 0; // translated_joints ascends, so one pass merges it with the joints
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        ug_vec3 offset_m = joint->offset_m;
        if (next < clip->translated_count && clip->translated_joints[next] == (int)j) {
            offset_m = moved[next++];
        }
        place(world_q, world_m, joint, j, local[j], offset_m);
    }
}

void ug_rest_forward(ug_quat *world_q, ug_vec3 *world_m, const ug_skeleton *skeleton)
{
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        const ug_joint *joint = &skeleton->joints[j];
        place(world_q, world_m, joint, j, joint->rest, joint->offset_m);
    }
}

void ug_pose_to_local(ug_quat *local, const ug_skeleton *skeleton, const ug_quat *world_q)
{
    // children first, so that a parent's world rotation is still there when `local` aliases it
    for (size_t j = skeleton->joint_count; j-- > 0;) {
        const int parent = skeleton->joints[j].parent;
        local[j] = parent < 0 ? world_q[j] : ug_quat_mul(ug_quat_conj(world_q[parent]), world_q[j]);
    }
}
