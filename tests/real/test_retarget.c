// SPDX-License-Identifier: MIT
// Retargeting on other people's BVH: roles of every humanoid, planted feet on five characters.
//
// Skipped where $UGOKI_DATA is not set. Figures are printed per clip, so that a tolerance can be
// compared with what is reached.
#include "datasets/catalog.h"
#include "formats/bvh.h"
#include "formats/roles_yaml.h"
#include "formats/settings_yaml.h"
#include "motion/conventions.h"
#include "motion/kinematics.h"
#include "solvers/retarget_motion.h"
#include "solvers/roles_by_topology.h"
#include "solvers/roles_find.h"
#include "tests/support/character.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct clip_file {
    const char *path;
    bool t_pose_first; // an inserted frame, to be cut before anything is measured
    bool broken_feet;  // feet slide all along: few contacts can be found
} clip_file;

static const clip_file CLIPS[] = {
    { "data/bvh/cmu_01_01_cgspeed.bvh", true, false },
    { "data/bvh/cmu_124_01.bvh", true, false },
    { "data/bvh/cmu_12_01_walk.bvh", true, false },
    { "data/bvh/cmu_16_15_imusim.bvh", false, false },
    { "data/bvh/contact_pairs/demo_3d_1_fixed.bvh", false, false },
    { "data/bvh/contact_pairs/demo_3d_1_raw.bvh", false, true },
    { "data/bvh/fair1_wave_hello.bvh", false, false },
    { "data/bvh/noncommercial_bandai/dataset-1_run_normal_001.bvh", false, false },
    { "data/bvh/noncommercial_bandai/dataset-1_walk_giant_001.bvh", false, false },
    { "data/bvh/noncommercial_bandai/dataset-1_walk_happy_001.bvh", false, false },
    { "data/bvh/noncommercial_bandai/dataset-1_walk_normal_001.bvh", false, false },
    { "data/bvh/noncommercial_bandai/dataset-1_walk_sad_001.bvh", false, false },
    { "data/bvh/rokoko_jesse_dance.bvh", false, false },
    { "data/bvh/test_mocapbank.bvh", false, false },
    { "data/bvh/xia_styles/angry_13_000.bvh", false, false },
    { "data/bvh/xia_styles/depressed_13_000.bvh", false, false },
    { "data/bvh/xia_styles/neutral_01_000.bvh", false, false },
    { "data/bvh/xia_styles/old_13_000.bvh", false, false },
    { "data/hostile/bvh/deepmotion_example.bvh", false, false },
    { "data/hostile/bvh/pfnn_hierarchy.bvh", false, false },
};
enum { CLIP_COUNT = sizeof CLIPS / sizeof *CLIPS, PLANTED_COUNT = 18 };

// the shipped characters, then two made here
static const char *const NAMES[] = { "human", "long_legs", "troll", "T pose", "child" };
static const test_character MADE[] = {
    { 1.0, 1.0, 2, 0.0, 11, false, "left ", "right " },
    { 0.57, 0.57, 5, 0.78, 15, false, "l.", "r." },
};
enum { CHARACTER_COUNT = 5, SHIPPED_COUNT = 3 };

static char *data_path(const char *file)
{
    return ug_text_format("%s/%s", getenv("UGOKI_DATA"), file);
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

static void cut_first_frame(ug_clip *c)
{
    c->frame_count--;
    c->first_frame++;
    memmove(c->rotations, c->rotations + c->joint_count,
            c->frame_count * c->joint_count * sizeof *c->rotations);
    memmove(c->translations, c->translations + c->translated_count,
            c->frame_count * c->translated_count * sizeof *c->translations);
}

static void open_clip(ug_take *take, const clip_file *file, const ug_role_dictionary *d)
{
    char *path = data_path(file->path);
    ug_error err = { 0 };
    ug_take_init(take);
    ug_status status = ug_bvh_read(take, path, NULL, NULL, &err);
    if (status == UG_OK) {
        status = ug_roles_find(take->skeleton, NULL, take->clip, d, NULL, &err);
    }
    if (status != UG_OK) {
        fail_msg("%s: %s", file->path, err.message);
    }
    if (file->t_pose_first) {
        cut_first_frame(take->clip);
    }
    free(path);
}

static ug_skeleton *open_character(int k, const ug_role_dictionary *d)
{
    ug_skeleton *s = NULL;
    char *path = NULL;
    ug_error err = { 0 };
    ug_status status = UG_OK;
    if (k < SHIPPED_COUNT) {
        status = ug_catalog_find(&path, UG_CATALOG_CHARACTER, NAMES[k], NULL, &err);
        status = status == UG_OK ? ug_template_read(&s, path, &err) : status;
    } else {
        s = test_character_create(&MADE[k - SHIPPED_COUNT]);
    }
    status = status == UG_OK ? ug_roles_find(s, NULL, NULL, d, NULL, &err) : status;
    if (status != UG_OK) {
        fail_msg("%s: %s", NAMES[k], err.message);
    }
    free(path);
    return s;
}

// every role by name, and the tree alone says the same
static void test_roles_of_every_humanoid(void **state)
{
    for (int i = 0; i < CLIP_COUNT; i++) {
        ug_take take;
        open_clip(&take, &CLIPS[i], *state);
        const ug_skeleton *s = take.skeleton;
        for (int r = UG_ROLE_PELVIS; r < UG_ROLE_COUNT; r++) {
            const bool toe = r == UG_ROLE_L_TOE || r == UG_ROLE_R_TOE;
            if (ug_skeleton_find_role(s, (ug_role)r) < 0 &&
                !(toe && strstr(CLIPS[i].path, "mocapbank"))) {
                fail_msg("%s: no %s", CLIPS[i].path, ug_role_name((ug_role)r));
            }
        }
        ug_role *tree = malloc(s->joint_count * sizeof *tree);
        assert_int_equal(ug_roles_by_topology(tree, NULL, s, take.clip, NULL), UG_OK);
        for (size_t j = 0; j < s->joint_count; j++) {
            if (tree[j] != s->joints[j].role) {
                fail_msg("%s: '%s' is %s by name and %s by the tree", CLIPS[i].path,
                         s->joints[j].name, ug_role_name(s->joints[j].role), ug_role_name(tree[j]));
            }
        }
        free(tree);
        ug_take_fini(&take);
    }
}

static void test_what_is_no_humanoid_is_refused(void **state)
{
    static const char *const FILES[2] = { "data/hostile/bvh/sinusoidal.bvh",
                                          "data/hostile/bvh/full_precision_frame_time.bvh" };
    static const char *const WORDS[2] = { "no pelvis found among: base, child1, child2, child3",
                                          "no left thigh found among: Hips, Head" };
    for (int i = 0; i < 2; i++) {
        char *path = data_path(FILES[i]);
        const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
        ug_take take;
        ug_error err = { 0 };
        ug_take_init(&take);
        assert_int_equal(ug_bvh_read(&take, path, &opts, NULL, NULL), UG_OK);
        assert_int_equal(ug_roles_find(take.skeleton, NULL, take.clip, *state, NULL, &err),
                         UG_E_NOT_ENOUGH);
        assert_string_equal(err.message, WORDS[i]);
        ug_take_fini(&take);
        free(path);
    }
}

// constraints off, the same skeleton: the same motion
static void test_identity(void **state)
{
    for (int i = 0; i < CLIP_COUNT; i++) {
        ug_take take;
        ug_clip *out = NULL;
        open_clip(&take, &CLIPS[i], *state);
        assert_int_equal(
            ug_retarget(&out, NULL, take.skeleton, take.clip, take.skeleton, NULL, NULL, NULL),
            UG_OK);
        double worst = 0.0;
        const size_t n = take.skeleton->joint_count;
        ug_quat *q = malloc(n * sizeof *q);
        ug_vec3 *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
        for (size_t f = 0; f < out->frame_count; f++) {
            ug_clip_forward(q, a, take.skeleton, take.clip, f);
            ug_clip_forward(q, b, take.skeleton, out, f);
            for (size_t j = 0; j < n; j++) {
                const bool above = ug_skeleton_is_ancestor(
                    take.skeleton, (int)j, ug_skeleton_find_role(take.skeleton, UG_ROLE_PELVIS));
                // a node above the pelvis takes what the pelvis' own translation held
                worst = above ? worst : fmax(worst, ug_vec3_distance(a[j], b[j]));
            }
        }
        if (!(worst < 1e-6)) {
            fail_msg("%s: %g m", CLIPS[i].path, worst);
        }
        free(q);
        free(a);
        free(b);
        ug_clip_destroy(out);
        ug_take_fini(&take);
    }
}

static double angle_deg(ug_vec3 u, ug_vec3 v)
{
    return atan2(ug_vec3_norm(ug_vec3_cross(u, v)), ug_vec3_dot(u, v)) / UG_DEG;
}

// largest angle between thighs, shins, upper arms and forearms of two motions
static double limbs_apart_deg(const ug_skeleton *s, const ug_clip *a, const ug_skeleton *t,
                              const ug_clip *b)
{
    static const ug_role FROM[] = { UG_ROLE_L_THIGH,     UG_ROLE_L_SHIN,   UG_ROLE_L_UPPER_ARM,
                                    UG_ROLE_L_FOREARM,   UG_ROLE_R_THIGH,  UG_ROLE_R_SHIN,
                                    UG_ROLE_R_UPPER_ARM, UG_ROLE_R_FOREARM };
    double worst = 0.0;
    ug_quat *q = malloc((s->joint_count + t->joint_count) * sizeof *q);
    ug_vec3 *m = malloc((s->joint_count + t->joint_count) * sizeof *m);
    ug_vec3 *n = m + s->joint_count;
    for (size_t f = 0; f < a->frame_count; f++) {
        ug_clip_forward(q, m, s, a, f);
        ug_clip_forward(q, n, t, b, f);
        for (size_t i = 0; i < sizeof FROM / sizeof *FROM; i++) {
            const ug_role to = (ug_role)(FROM[i] + 1);
            const ug_vec3 u =
                ug_vec3_sub(m[ug_skeleton_find_role(s, to)], m[ug_skeleton_find_role(s, FROM[i])]);
            const ug_vec3 v =
                ug_vec3_sub(n[ug_skeleton_find_role(t, to)], n[ug_skeleton_find_role(t, FROM[i])]);
            worst = fmax(worst, angle_deg(u, v));
        }
    }
    free(q);
    free(m);
    return worst;
}

// limbs point where the source's do, on any character and back on the source from another rig
static void test_limbs_keep_their_directions(void **state)
{
    for (int i = 0; i < PLANTED_COUNT; i++) {
        ug_take take, other;
        ug_clip *out = NULL, *back = NULL;
        open_clip(&take, &CLIPS[i], *state);
        open_clip(&other, &CLIPS[(i + 5) % PLANTED_COUNT], *state);
        for (int k = 0; k < CHARACTER_COUNT; k += 2) {
            ug_skeleton *t = open_character(k, *state);
            assert_int_equal(ug_retarget(&out, NULL, take.skeleton, take.clip, t, NULL, NULL, NULL),
                             UG_OK);
            assert_true(limbs_apart_deg(take.skeleton, take.clip, t, out) < 0.01);
            ug_clip_destroy(out);
            ug_skeleton_destroy(t);
        }
        const ug_retarget_opts there = { .target_motion = other.clip };
        const ug_retarget_opts home = { .target_motion = take.clip };
        assert_int_equal(
            ug_retarget(&out, NULL, take.skeleton, take.clip, other.skeleton, &there, NULL, NULL),
            UG_OK);
        assert_int_equal(
            ug_retarget(&back, NULL, other.skeleton, out, take.skeleton, &home, NULL, NULL), UG_OK);
        assert_true(limbs_apart_deg(take.skeleton, take.clip, take.skeleton, back) < 0.01);
        ug_clip_destroy(out);
        ug_clip_destroy(back);
        ug_take_fini(&take);
        ug_take_fini(&other);
    }
}

static void gate(const char *what, double value, double limit, const char *clip, const char *body)
{
    if (value > limit) { // NaN (nothing to measure) passes
        fail_msg("%s on %s: %s is %.3f, limit %.3f", clip, body, what, value, limit);
    }
}

// largest turn of a toe joint between neighbouring frames, 0 without toes
static double toe_step_deg(const ug_skeleton *s, const ug_clip *c)
{
    double worst = 0.0;
    for (int side = 0; side < 2; side++) {
        const int toe = ug_skeleton_find_role(s, side ? UG_ROLE_R_TOE : UG_ROLE_L_TOE);
        for (size_t f = 1; f < c->frame_count && toe >= 0; f++) {
            worst = fmax(worst, ug_quat_angle(ug_clip_rotations(c, f - 1)[toe],
                                              ug_clip_rotations(c, f)[toe]));
        }
    }
    return worst / UG_DEG;
}

static void plant(const clip_file *file, const ug_take *take, const ug_skeleton *target,
                  const char *body)
{
    ug_clip *out = NULL;
    ug_contacts contacts = { 0 };
    ug_retarget_motion_report r;
    ug_error err = { 0 };
    const char *name = strrchr(file->path, '/') + 1;
    if (ug_retarget_motion(&out, &contacts, &r, take->skeleton, take->clip, target, NULL, NULL,
                           &err) != UG_OK) {
        fail_msg("%s on %s: %s", name, body, err.message);
    }
    const double scale = r.transfer.target_leg_m / 0.85;
    const double own_step = toe_step_deg(take->skeleton, take->clip);
    const double step = toe_step_deg(target, out);
    printf("%-22.22s %-9s contacts %2zu/%2zu slide %5.1f -> %.3f pinned, %5.1f -> %4.1f again, "
           "depth %5.1f -> %.1f, knee x%.2f, knee's place x%.2f, pose %4.1f, drop %4.1f mm, "
           "toe step %.1f -> %.1f deg\n",
           name, body, r.after.contact_count, contacts.count, r.before.foot_slide_pinned_mm,
           r.after.foot_slide_pinned_mm, r.source_feet.foot_slide_mm, r.after.foot_slide_mm,
           r.before.penetration_mm, r.after.penetration_mm, r.knee_accel_ratio,
           r.knee_position_accel_ratio, r.pose_change_mm, 1e3 * r.plant.drop_max_m, own_step, step);
    assert_true(contacts.count > 0 && r.after.contact_count > 0);
    assert_false(r.plant.refused);
    // the bars: 1 mm, 10 mm, 2.5; reached 0.000, 8.0, 2.48 (16_15, whose file jitters; else 2.33)
    gate("slide on pinned contacts (mm)", r.after.foot_slide_pinned_mm, 0.5, name, body);
    gate("penetration (mm)", r.after.penetration_mm, 9.0, name, body);
    gate("knee acceleration ratio", r.knee_accel_ratio, 2.5, name, body);
    // no bar asks for these; reached 3.44 (half of them below 1.1), 0.00
    gate("knee position acceleration ratio", r.knee_position_accel_ratio, 3.7, name, body);
    gate("float (mm)", r.after.float_mm, 0.5, name, body);
    // beyond the source's own; reached 40, and 61 at 30 Hz; 90 and more where toes flip
    gate("toe step (deg)", step - own_step, ug_rate_hz(out->rate) > 59.0 ? 42.0 : 65.0, name, body);
    assert_int_equal(r.plant.unreachable_frames, 0);
    if (!file->broken_feet) { // reached 12.8 and 39 mm
        gate("slide on contacts found again (mm)", r.after.foot_slide_mm, 13.0 * fmax(scale, 1.0),
             name, body);
        gate("pose change (mm)", r.pose_change_mm, 45.0 * fmax(scale, 1.0), name, body);
    }
    ug_retarget_motion_report_fini(&r);
    ug_contacts_fini(&contacts);
    ug_clip_destroy(out);
}

static void test_feet_stand_on_every_character(void **state)
{
    for (int i = 0; i < PLANTED_COUNT; i++) {
        ug_take take;
        open_clip(&take, &CLIPS[i], *state);
        plant(&CLIPS[i], &take, take.skeleton, "itself");
        for (int k = 0; k < CHARACTER_COUNT; k++) {
            ug_skeleton *t = open_character(k, *state);
            plant(&CLIPS[i], &take, t, NAMES[k]);
            ug_skeleton_destroy(t);
        }
        ug_take_fini(&take);
    }
}

int main(void)
{
    if (!getenv("UGOKI_DATA")) {
        printf("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roles_of_every_humanoid),
        cmocka_unit_test(test_what_is_no_humanoid_is_refused),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_limbs_keep_their_directions),
        cmocka_unit_test(test_feet_stand_on_every_character),
    };
    return cmocka_run_group_tests_name("real/retarget", tests, setup, teardown);
}
