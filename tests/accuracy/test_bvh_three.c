// SPDX-License-Identifier: MIT
// A written BVH in another program's eyes: three.js must put every joint where we do.
//
// three.js keeps tracks in 32-bit floats: 1e-7 of a value, some 1e-6 of the skeleton's size along
// a chain. 1e-4 is the bar of the project.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "motion/text.h"
#include "tests/support/three.h"

static char folder[4096];

// Three limbs on a root; rests are not identity; every joint turns, through gimbal lock too.
static void make_take(ug_take *take)
{
    enum { JOINTS = 16, FRAMES = 300 };
    ug_take_init(take);
    take->skeleton = ug_skeleton_create(JOINTS);
    take->clip = ug_clip_create(FRAMES, JOINTS, &(int){ 0 }, 1, ug_rate_make(30000, 1001));
    assert_non_null(take->skeleton);
    assert_non_null(take->clip);
    for (int j = 0; j < JOINTS; j++) {
        ug_joint *joint = &take->skeleton->joints[j];
        joint->name = ug_text_format("joint_%d", j);
        joint->parent = j == 6 || j == 11 ? 0 : j - 1;
        joint->offset_m = (ug_vec3){ 0.1 * cos(j), 0.3, 0.1 * sin(j) };
        joint->rest = ug_quat_exp((ug_vec3){ 0.5 * sin(j), cos(2.0 * j), 0.3 * j });
        if (j == 5 || j == 10 || j == 15) {
            joint->type = UG_JOINT_FIXED;
            joint->flags = UG_JOINT_END_SITE;
        }
    }
    for (int f = 0; f < FRAMES; f++) {
        const double t = f / 30.0;
        ug_clip_translations(take->clip, (size_t)f)[0] = (ug_vec3){ t, 1.0 + 0.2 * sin(t), -2 * t };
        for (int j = 0; j < JOINTS; j++) {
            const ug_vec3 v = { 2.0 * sin(t + j), 1.5708 * sin(0.7 * t), 2.0 * cos(1.3 * t + j) };
            ug_clip_rotations(take->clip, (size_t)f)[j] =
                ug_quat_mul(take->skeleton->joints[j].rest, ug_quat_exp(v));
        }
    }
}

static void test_three_agrees(void **state)
{
    (void)state;
    ug_take take;
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/ug_bvh_three_%ld.bvh", (long)getpid());
    make_take(&take);
    for (int add = 0; add < 2; add++) {
        const double worst = three_distance(&take, path, add, folder);
        print_message("three.js, %s: %.2e of the size\n", add ? "relative" : "absolute", worst);
        assert_true(worst < 1e-4);
    }
    unlink(path);
    ug_take_fini(&take);
}

int main(void)
{
    three_folder(folder, __FILE__);
    if (!three_is_here(folder)) {
        return 77;
    }
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_three_agrees) };
    return cmocka_run_group_tests_name("accuracy/bvh_three", tests, NULL, NULL);
}
