// SPDX-License-Identifier: MIT
// Unit tests for datasets/roles.yaml: the shipped dictionary against the naming habits of programs.
#include "datasets/catalog.h"
#include "formats/roles_yaml.h"
#include "motion/text.h"
#include "solvers/roles_by_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A body in the order pelvis, spine, spine, neck, head, then clavicle … hand and thigh … toe of
// the left; '*' stands for the side as `left` and `right` write it. NULL: the habit has no such
// joint.
enum { TRUNK = 5, LIMBS = 8, NAMES = TRUNK + LIMBS };

typedef struct habit {
    const char *program, *left, *right;
    const char *name[NAMES];
} habit;

static const habit HABITS[] = {
    { "mixamo",
      "Left",
      "Right",
      { "mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Neck", "mixamorig:Head",
        "mixamorig:*Shoulder", "mixamorig:*Arm", "mixamorig:*ForeArm", "mixamorig:*Hand",
        "mixamorig:*UpLeg", "mixamorig:*Leg", "mixamorig:*Foot", "mixamorig:*ToeBase" } },
    { "mixamo without colons",
      "Left",
      "Right",
      { "mixamorigHips", "mixamorigSpine", "mixamorigSpine1", "mixamorigNeck", "mixamorigHead",
        "mixamorig*Shoulder", "mixamorig*Arm", "mixamorig*ForeArm", "mixamorig*Hand",
        "mixamorig*UpLeg", "mixamorig*Leg", "mixamorig*Foot", "mixamorig*ToeBase" } },
    { "unreal",
      "_l",
      "_r",
      { "pelvis", "spine_01", "spine_02", "neck_01", "head", "clavicle*", "upperarm*", "lowerarm*",
        "hand*", "thigh*", "calf*", "foot*", "ball*" } },
    { "vroid",
      "L",
      "R",
      { "J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_Neck", "J_Bip_C_Head",
        "J_Bip_*_Shoulder", "J_Bip_*_UpperArm", "J_Bip_*_LowerArm", "J_Bip_*_Hand",
        "J_Bip_*_UpperLeg", "J_Bip_*_LowerLeg", "J_Bip_*_Foot", "J_Bip_*_ToeBase" } },
    { "xsens",
      "Left",
      "Right",
      { "Pelvis", "L5", "T8", "Neck", "Head", "*Shoulder", "*UpperArm", "*Forearm", "*Hand",
        "*UpperLeg", "*LowerLeg", "*Foot", "*Toe" } },
    { "smpl",
      "left",
      "right",
      { "pelvis", "spine1", "spine2", "neck", "head", "*_collar", "*_shoulder", "*_elbow",
        "*_wrist", "*_hip", "*_knee", "*_ankle", "*_foot" } },
    { "smpl short",
      "L",
      "R",
      { "Pelvis", "Spine1", "Spine2", "Neck", "Head", "*_Collar", "*_Shoulder", "*_Elbow",
        "*_Wrist", "*_Hip", "*_Knee", "*_Ankle", "*_Foot" } },
    { "optitrack",
      "L",
      "R",
      { "Skeleton 001:Hip", "Skeleton 001:Ab", "Skeleton 001:Chest", "Skeleton 001:Neck",
        "Skeleton 001:Head", "Skeleton 001:*Shoulder", "Skeleton 001:*UArm", "Skeleton 001:*FArm",
        "Skeleton 001:*Hand", "Skeleton 001:*Thigh", "Skeleton 001:*Shin", "Skeleton 001:*Foot",
        "Skeleton 001:*Toe" } },
    { "kinect",
      "Left",
      "Right",
      { "SpineBase", "SpineMid", "SpineShoulder", "Neck", "Head", NULL, "Shoulder*", "Elbow*",
        "Wrist*", "Hip*", "Knee*", "Ankle*", "Foot*" } },
    { "biped",
      "L",
      "R",
      { "Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Neck", "Bip01 Head",
        "Bip01 * Clavicle", "Bip01 * UpperArm", "Bip01 * Forearm", "Bip01 * Hand", "Bip01 * Thigh",
        "Bip01 * Calf", "Bip01 * Foot", "Bip01 * Toe0" } },
    { "daz",
      "l",
      "r",
      { "hip", "abdomenLower", "chestUpper", "neckLower", "head", "*Collar", "*ShldrBend",
        "*ForearmBend", "*Hand", "*ThighBend", "*Shin", "*Foot", "*Toe" } },
    { "character creator",
      "L",
      "R",
      { "CC_Base_Hip", "CC_Base_Waist", "CC_Base_Spine01", "CC_Base_NeckTwist01", "CC_Base_Head",
        "CC_Base_*_Clavicle", "CC_Base_*_Upperarm", "CC_Base_*_Forearm", "CC_Base_*_Hand",
        "CC_Base_*_Thigh", "CC_Base_*_Calf", "CC_Base_*_Foot", "CC_Base_*_ToeBase" } },
    { "blender",
      ".L",
      ".R",
      { "hips", "spine", "chest", "neck", "head", "shoulder*", "upper_arm*", "forearm*", "hand*",
        "thigh*", "shin*", "foot*", "toe*" } },
    { "opensim",
      "_l",
      "_r",
      { "pelvis", "lumbar", "torso", NULL, NULL, NULL, "humerus*", "radius*", "hand*", "femur*",
        "tibia*", "calcn*", "toes*" } },
    { "neuron",
      "Left",
      "Right",
      { "Robot_Hips", "Robot_Spine", "Robot_Spine1", "Robot_Neck", "Robot_Head", "Robot_*Shoulder",
        "Robot_*Arm", "Robot_*ForeArm", "Robot_*Hand", "Robot_*UpLeg", "Robot_*Leg", "Robot_*Foot",
        NULL } },
    { "acclaim",
      "l",
      "r",
      { "root", "lowerback", "thorax", "lowerneck", "head", "*clavicle", "*humerus", "*radius",
        "*wrist", "*femur", "*tibia", "*foot", "*toes" } },
    { "mocap bank",
      "Left",
      "Right",
      { "Hips", "Chest", "Chest2", "Neck", "Head", "*Collar", "*Shoulder", "*Elbow", "*Wrist",
        "*Hip", "*Knee", "*Ankle", NULL } },
    { "maya joints",
      "L",
      "R",
      { "root_jnt", "spine_01_jnt", "chest_jnt", "neck_jnt", "head_jnt", "clavicle_*_jnt",
        "upperarm_*_jnt", "elbow_*_jnt", "wrist_*_jnt", "hip_*_jnt", "knee_*_jnt", "ankle_*_jnt",
        "ball_*_jnt" } },
};

static char *on_side(const char *pattern, const char *side)
{
    const char *star = strchr(pattern, '*');
    return star ? ug_text_format("%.*s%s%s", (int)(star - pattern), pattern, side, star + 1)
                : ug_text_copy(pattern);
}

static int add(ug_skeleton *s, int *count, const char *pattern, const char *side, int parent)
{
    if (!pattern) {
        return parent;
    }
    s->joints[*count].name = on_side(pattern, side);
    s->joints[*count].parent = parent;
    return (*count)++;
}

// the skeleton of a habit, and the role each joint should get
static ug_skeleton *build(const habit *h, ug_role *wanted)
{
    static const ug_role TRUNK_ROLES[TRUNK] = { UG_ROLE_PELVIS, UG_ROLE_SPINE, UG_ROLE_SPINE,
                                                UG_ROLE_NECK, UG_ROLE_HEAD };
    ug_skeleton *s = ug_skeleton_create(NAMES + LIMBS);
    int count = 0, top = -1, chest = -1;
    for (int i = 0; i < TRUNK; i++) {
        const int before = count;
        top = add(s, &count, h->name[i], "", top);
        if (count > before) {
            wanted[top] = TRUNK_ROLES[i];
            chest = i <= 2 ? top : chest;
        }
    }
    for (int side = 0; side < 2; side++) {
        for (int limb = 0; limb < 2; limb++) {
            int parent = limb == 0 ? chest : 0;
            for (int k = 0; k < 4; k++) {
                const int before = count;
                const char *pattern = h->name[TRUNK + 4 * limb + k];
                parent = add(s, &count, pattern, side ? h->right : h->left, parent);
                if (count > before) {
                    const ug_role left =
                        (ug_role)((limb == 0 ? UG_ROLE_L_CLAVICLE : UG_ROLE_L_THIGH) + k);
                    wanted[parent] = side ? ug_role_mirror(left) : left;
                }
            }
        }
    }
    s->joint_count = (size_t)count;
    return s;
}

static int setup(void **state)
{
    static ug_role_dictionary d;
    char *path = NULL;
    ug_error err = { 0 };
    ug_status status = ug_catalog_find(&path, UG_CATALOG_ROLES, "roles", NULL, &err);
    status = status == UG_OK ? ug_roles_yaml_read(&d, path, &err) : status;
    if (status != UG_OK) {
        fprintf(stderr, "%s: %s\n", err.where, err.message);
    }
    free(path);
    *state = &d;
    return status != UG_OK;
}

static int teardown(void **state)
{
    ug_role_dictionary_fini(*state);
    return 0;
}

static void test_every_habit_is_understood(void **state)
{
    for (size_t i = 0; i < sizeof HABITS / sizeof *HABITS; i++) {
        ug_role wanted[NAMES + LIMBS] = { UG_ROLE_NONE }, got[NAMES + LIMBS];
        ug_skeleton *s = build(&HABITS[i], wanted);
        memset(got, 0xa5, sizeof got);
        assert_int_equal(ug_roles_by_name(got, s, *state, NULL), UG_OK);
        for (size_t j = 0; j < s->joint_count; j++) {
            if (got[j] != wanted[j]) {
                fail_msg("%s: '%s' is %s, not %s", HABITS[i].program, s->joints[j].name,
                         ug_role_name(got[j]), ug_role_name(wanted[j]));
            }
        }
        for (size_t j = s->joint_count; j < NAMES + LIMBS; j++) {
            assert_null(s->joints[j].name);
        }
        ug_skeleton_destroy(s);
    }
}

static void test_what_is_no_body_part_gets_no_role(void **state)
{
    static const char *const OTHERS[] = { "LeftHandThumb1", "RightInHandIndex",
                                          "LeftEye",        "jaw",
                                          "ik_foot_l",      "prop_r",
                                          "LHipJoint",      "Camera",
                                          "LeftHandEnd",    "lowerarm_twist_01_l",
                                          "joint_Root2",    "" };
    enum { COUNT = sizeof OTHERS / sizeof *OTHERS };
    ug_skeleton *s = ug_skeleton_create(COUNT);
    ug_role got[COUNT];
    for (size_t j = 0; j < COUNT; j++) {
        s->joints[j].name = ug_text_copy(OTHERS[j]);
    }
    assert_int_equal(ug_roles_by_name(got, s, *state, NULL), UG_OK);
    for (size_t j = 0; j < COUNT; j++) {
        if (got[j] != UG_ROLE_NONE) {
            fail_msg("'%s' got %s", OTHERS[j], ug_role_name(got[j]));
        }
    }
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_habit_is_understood),
        cmocka_unit_test(test_what_is_no_body_part_gets_no_role),
    };
    return cmocka_run_group_tests_name("datasets/roles", tests, setup, teardown);
}
