// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_actor.c: which poses a take gives, and what is known of
// them.
#include "pipeline/report/sheet_actor.h"

#include "motion/markers.h"
#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One bone of a metre, upright, that goes 1 m/s along x from `height_m`; 101 frames at 100 Hz.
static void open_stick(ug_take *take, double height_m)
{
    const int root = 0;
    ug_take_init(take);
    take->skeleton = ug_skeleton_create(2);
    take->skeleton->joints[1].offset_m = (ug_vec3){ 0, 1, 0 };
    for (int j = 0; j < 2; j++) {
        take->skeleton->joints[j].name = ug_text_format("bone%d", j);
    }
    take->clip = ug_clip_create(101, 2, &root, 1, ug_rate_make(100, 1));
    take->clip->first_frame = 500;
    for (size_t f = 0; f < 101; f++) {
        ug_clip_translations(take->clip, f)[0] = (ug_vec3){ 0.01 * (double)f, height_m, 0 };
    }
}

static void add_markers(ug_take *take, size_t frames, int64_t hz)
{
    static const char *const LABELS[] = { "LA", "RA", "*9" };
    take->markers = ug_markers_create(frames, 3, ug_rate_make(hz, 1));
    for (size_t i = 0; i < 3; i++) {
        take->markers->labels[i] = ug_text_copy(LABELS[i]);
        take->markers->subjects[i] = ug_text_copy("");
        for (size_t f = 0; f < frames; f++) {
            const ug_vec3 p = { (double)f, (double)i, i == 1 ? -1.0 : i == 0 ? 1.0 : 0.0 };
            ug_markers_set_m(take->markers, f, i, p, UG_ORIGIN_MEASURED);
        }
    }
    take->markers->kinds[2] = UG_POINT_UNLABELLED;
}

static void open_actor(ug_sheet_actor *actor, const ug_take *take, const ug_footing *footing)
{
    const ug_sheet_input in = { .take = take, .footing = footing, .name = "take" };
    memset(actor, 0xa5, sizeof *actor);
    assert_int_equal(ug_sheet_actor_init(actor, &in, UG_SHEET_MARKERS_AUTO, NULL), UG_OK);
}

static void test_timeline(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    open_stick(&take, 0.0);
    open_actor(&a, &take, NULL);
    assert_int_equal(a.frame_count, 101);
    assert_int_equal(a.first_frame, 500);
    assert_int_equal(ug_sheet_actor_frame_at(&a, 0.0), 0);
    assert_int_equal(ug_sheet_actor_frame_at(&a, 0.254), 25);
    assert_int_equal(ug_sheet_actor_frame_at(&a, 0.256), 26);
    assert_int_equal(ug_sheet_actor_frame_at(&a, 1.004), 100);
    assert_int_equal(ug_sheet_actor_frame_at(&a, 1.006), -1); // over, not held
    assert_int_equal(ug_sheet_actor_frame_at(&a, -0.1), -1);
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    ug_error err = { 0 };
    ug_take_init(&take);
    const ug_sheet_input in = { .take = &take, .name = "empty" };
    assert_int_equal(ug_sheet_actor_init(&a, &in, UG_SHEET_MARKERS_AUTO, &err), UG_E_NOT_ENOUGH);
    assert_non_null(strstr(err.message, "no frame of motion or markers"));
    ug_sheet_actor_fini(&a);
    take.skeleton = ug_skeleton_create(1); // a template: a body, but no motion
    assert_int_equal(ug_sheet_actor_init(&a, &in, UG_SHEET_MARKERS_ON, NULL), UG_E_NOT_ENOUGH);
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_poses(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    open_stick(&take, 0.0);
    ug_clip_translations(take.clip, 50)[0].x = NAN;
    open_actor(&a, &take, NULL);
    const ptrdiff_t frames[] = { 50, 100, -1 };
    assert_int_equal(ug_sheet_actor_pose(&a, frames, 3, true, NULL), UG_OK);
    assert_true(a.poses[0].empty && a.poses[0].time_s == 0.5); // there, but no number
    assert_false(a.poses[1].empty);
    assert_true(a.poses[1].time_s == 1.0);
    assert_true(fabs(0.5 * (a.poses[1].low_m.x + a.poses[1].high_m.x) - 1.0) < 1e-12);
    assert_true(a.poses[1].high_m.y > 1.0 && a.poses[1].high_m.y < 1.1); // with its width
    assert_true(a.poses[2].empty && isnan(a.poses[2].time_s));
    assert_true(a.size_m == 1.0);
    assert_true(a.facing.z == 1.0); // cannot be told
    // the trail ends where the pose is, and begins where the pose before it was
    assert_int_equal(a.trail_joint[0], 0);
    assert_true(a.poses[1].trails[UG_SHEET_TRAIL_STEPS - 1].x == 1.0);
    assert_true(isnan(a.poses[1].trails[0].x));
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_ground(void **state)
{
    (void)state;
    static const struct {
        double height_m;
        bool floor;
        ug_sheet_ground ground;
        double ground_m;
    } CASES[] = {
        { 0.2, false, UG_SHEET_GROUND_ZERO, 0.0 },   // a jump, perhaps
        { 3.0, false, UG_SHEET_GROUND_LOWEST, 3.0 }, // nothing near 0
        { 3.0, true, UG_SHEET_GROUND_FLOOR, 2.9 },   // the feet know better
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_take take;
        ug_sheet_actor a;
        // 2.9 m half way: the slope counts where the figure is
        const ug_footing footing = {
            .found = true, .floor_found = true, .floor_m = 2.85, .slope_x = 0.1
        };
        open_stick(&take, CASES[i].height_m);
        open_actor(&a, &take, CASES[i].floor ? &footing : NULL);
        const ptrdiff_t frames[] = { 0, 100 };
        assert_int_equal(ug_sheet_actor_pose(&a, frames, 2, false, NULL), UG_OK);
        assert_int_equal(a.ground, CASES[i].ground);
        assert_true(fabs(a.ground_m - CASES[i].ground_m) < 0.05);
        ug_sheet_actor_fini(&a);
        ug_take_fini(&take);
    }
}

static void test_contacts(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    open_stick(&take, 0.0);
    const ug_contact rows[] = {
        { UG_POINT_LEFT_TOE, UG_CONTACT_PLANTED, 0.2, 0.5, { 1, 2, 3 }, true, "" },
        { UG_POINT_RIGHT_TOE, UG_CONTACT_LOAD, 0.2, 0.5, { 0, 0, 0 }, true, "" },
        { UG_POINT_RIGHT_HEEL, UG_CONTACT_PLANTED, 0.2, 0.5, { 0, 0, 0 }, false, "refused" },
    };
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ug_contacts_add(&take.contacts, &rows[i], NULL), UG_OK);
    }
    open_actor(&a, &take, NULL);
    const ptrdiff_t frames[] = { 19, 20, 49, 50 };
    assert_int_equal(ug_sheet_actor_pose(&a, frames, 4, false, NULL), UG_OK);
    assert_int_equal(a.poses[0].planted | a.poses[0].loaded, 0);
    assert_int_equal(a.poses[1].planted, 1u << UG_POINT_LEFT_TOE);
    assert_int_equal(a.poses[1].loaded, 1u << UG_POINT_RIGHT_TOE);
    assert_int_equal(a.poses[2].planted, 1u << UG_POINT_LEFT_TOE);
    assert_int_equal(a.poses[3].planted, 0); // the end is excluded
    assert_true(a.poses[1].touch_m[UG_POINT_LEFT_TOE].z == 3.0);
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_markers_alone(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    ug_take_init(&take);
    add_markers(&take, 10, 50);
    const size_t gone = ug_markers_index(take.markers, 4, 0);
    take.markers->origin[gone] = 0;
    take.markers->origin[ug_markers_index(take.markers, 4, 1)] |= UG_ORIGIN_FILLED;
    open_actor(&a, &take, NULL);
    const ptrdiff_t frames[] = { 3, 4 };
    assert_int_equal(ug_sheet_actor_pose(&a, frames, 2, true, NULL), UG_OK);
    assert_int_equal(a.poses[0].dot_count, 3);
    assert_int_equal(a.poses[0].dots[0].rank, UG_SHEET_MEASURED);
    assert_int_equal(a.poses[0].dots[2].rank, UG_SHEET_UNLABELLED);
    assert_true(a.poses[0].dots[2].stray); // no name, no say in the size
    assert_true(a.poses[0].high_m.y == 1.0);
    assert_int_equal(a.poses[1].dot_count, 2); // missing is not drawn
    assert_int_equal(a.poses[1].dots[0].rank, UG_SHEET_FILLED);
    assert_true(a.facing.x < 0.0 && fabs(a.facing.z) < 1e-12); // LA at +Z, RA at -Z
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_markers_of_a_motion(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    open_stick(&take, 0.0);
    add_markers(&take, 201, 200); // twice the motion's rate
    open_actor(&a, &take, NULL);
    assert_false(a.has_markers); // nothing says that they sit on this body
    ug_sheet_actor_fini(&a);
    const ug_attachment item = { .label = "LA", .segment = "bone0", .weight = 1 };
    assert_int_equal(ug_attachments_add(&take.attachments, &item, NULL), UG_OK);
    open_actor(&a, &take, NULL);
    assert_true(a.has_markers);
    const ptrdiff_t frames[] = { 30 };
    assert_int_equal(ug_sheet_actor_pose(&a, frames, 1, false, NULL), UG_OK);
    assert_true(a.poses[0].dots[0].at_m.x == 60.0); // at the same time, not the same number
    assert_true(a.poses[0].high_m.x < 1.0);         // the figure is what counts
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_ranks(void **state)
{
    (void)state;
    const uint16_t m = UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED;
    assert_int_equal(ug_sheet_rank_of(m, UG_POINT_MARKER), UG_SHEET_MEASURED);
    assert_int_equal(ug_sheet_rank_of(m | UG_ORIGIN_FILTERED, UG_POINT_MARKER), UG_SHEET_FILTERED);
    assert_int_equal(ug_sheet_rank_of(UG_ORIGIN_FILLED | UG_ORIGIN_FILTERED, UG_POINT_MARKER),
                     UG_SHEET_FILLED);
    assert_int_equal(ug_sheet_rank_of(m | UG_ORIGIN_REPAIRED, UG_POINT_MARKER), UG_SHEET_REPAIRED);
    assert_int_equal(ug_sheet_rank_of(UG_ORIGIN_EDITED | UG_ORIGIN_FILLED, UG_POINT_MARKER),
                     UG_SHEET_EDITED);
    assert_int_equal(ug_sheet_rank_of(m, UG_POINT_VIRTUAL), UG_SHEET_COMPUTED);
    assert_string_equal(ug_sheet_rank_name(UG_SHEET_FILLED), "filled");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeline),
        cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_ground),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_markers_alone),
        cmocka_unit_test(test_markers_of_a_motion),
        cmocka_unit_test(test_ranks),
    };
    return cmocka_run_group_tests_name("report/sheet_actor", tests, NULL, NULL);
}
