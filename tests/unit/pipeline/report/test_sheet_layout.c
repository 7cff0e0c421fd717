// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet_layout.c: everything has its place and fits it.
#include "pipeline/report/sheet_layout.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// One upright bone of `length_m`, `height_m` over the ground, 1 m on along x a frame; 5 frames.
static void open_actor(ug_sheet_actor *actor, ug_take *take, double length_m, double height_m)
{
    const int root = 0;
    const ptrdiff_t frames[] = { 0, 1, 2, 3, -1 };
    ug_take_init(take);
    take->skeleton = ug_skeleton_create(2);
    take->skeleton->joints[1].offset_m = (ug_vec3){ 0, length_m, 0 };
    for (int j = 0; j < 2; j++) {
        take->skeleton->joints[j].name = ug_text_format("bone%d", j);
    }
    take->clip = ug_clip_create(5, 2, &root, 1, ug_rate_make(10, 1));
    for (size_t f = 0; f < 5; f++) {
        ug_clip_translations(take->clip, f)[0] = (ug_vec3){ (double)f, height_m, 0 };
    }
    const ug_sheet_input in = { .take = take, .name = "stick" };
    assert_int_equal(ug_sheet_actor_init(actor, &in, UG_SHEET_MARKERS_AUTO, NULL), UG_OK);
    assert_int_equal(ug_sheet_actor_pose(actor, frames, 5, false, NULL), UG_OK);
}

static const ug_sheet_opts OPTS = {
    .pose_count = 5, .views = { UG_SHEET_FRONT, UG_SHEET_TOP }, .view_count = 2, .width_px = 1600
};

static void test_two_takes_at_one_scale(void **state)
{
    (void)state;
    ug_take takes[2];
    ug_sheet_actor actors[2];
    open_actor(&actors[0], &takes[0], 1.0, 0.0);
    open_actor(&actors[1], &takes[1], 2.0, 0.0);
    ug_sheet_layout l;
    assert_int_equal(ug_sheet_layout_make(&l, actors, 2, &OPTS, NULL), UG_OK);
    assert_int_equal(l.row_count, 4);
    assert_int_equal(l.rows[1].view, UG_SHEET_TOP);
    assert_int_equal(l.rows[2].actor, 1);
    assert_true(l.unit_px == 1.0);
    // rows come one after the other, inside their blocks, the blocks inside the sheet
    double y = 0.0;
    for (size_t i = 0; i < 4; i++) {
        const ug_sheet_row *r = &l.rows[i];
        assert_true(r->top_px >= y && r->bottom_px > r->top_px);
        assert_true(r->zero_px - l.px_per_m * r->high_m >= r->top_px);
        assert_true(r->zero_px - l.px_per_m * r->low_m <= r->bottom_px);
        assert_true(r->top_px >= l.blocks[r->actor].top_px);
        assert_true(r->bottom_px <= l.blocks[r->actor].labels_px);
        y = r->bottom_px;
    }
    assert_true(l.blocks[0].bottom_px <= l.blocks[1].top_px);
    assert_true(l.blocks[1].bottom_px < l.height_px);
    // the tall one is twice as tall on paper: the rows of the front view say so
    const double small = l.rows[0].high_m - l.rows[0].low_m;
    const double tall = l.rows[2].high_m - l.rows[2].low_m;
    assert_true(fabs(tall / small - 2.0) < 0.05);
    assert_true(l.rows[0].has_ground && !l.rows[1].has_ground);
    // the last column ends at the margin
    assert_true(fabs(ug_sheet_cell_left_px(&l, 5) - (1600 - 28)) < 1e-9);
    ug_sheet_layout_fini(&l);
    for (int i = 0; i < 2; i++) {
        ug_sheet_actor_fini(&actors[i]);
        ug_take_fini(&takes[i]);
    }
}

static void test_the_camera_goes_along_or_stands(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    open_actor(&a, &take, 1.0, 0.0);
    ug_sheet_layout l;
    ug_sheet_opts opts = OPTS;
    assert_int_equal(ug_sheet_layout_make(&l, &a, 1, &opts, NULL), UG_OK);
    const ug_sheet_row *row = &l.rows[0];
    for (size_t k = 0; k < 4; k++) {
        assert_true(row->cells[k].camera.centre.x == (double)k);
        assert_true(fabs(row->cells[k].middle_m) < 1e-12);
    }
    assert_true(row->cells[4].empty); // not in the take
    ug_sheet_layout_fini(&l);
    opts.fixed = true;
    assert_int_equal(ug_sheet_layout_make(&l, &a, 1, &opts, NULL), UG_OK);
    row = &l.rows[0];
    // four figures 0, 1, 2, 3 m along, about the middle of the sheet, within it
    for (size_t k = 0; k < 4; k++) {
        const ug_sheet_cell *c = &row->cells[k];
        assert_true(fabs(0.5 * (c->left_m + c->right_m) - c->middle_m - ((double)k - 1.5)) < 1e-9);
        assert_true(fabs(c->right_m - c->middle_m) * l.px_per_m < 0.5 * 5.0 * l.cell_px);
    }
    ug_sheet_layout_fini(&l);
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_far_off_the_ground(void **state)
{
    (void)state;
    ug_take take;
    ug_sheet_actor a;
    open_actor(&a, &take, 1.0, 0.0);
    for (int k = 1; k < 3; k++) { // one in the stratosphere, one deep below
        for (size_t s = 0; s < a.sphere_count; s++) {
            a.poses[k].spheres[s].at_m.y += k == 1 ? 3e4 : -3e4;
        }
    }
    ug_sheet_layout l;
    assert_int_equal(ug_sheet_layout_make(&l, &a, 1, &OPTS, NULL), UG_OK);
    const ug_sheet_row *row = &l.rows[0];
    assert_true(row->high_m - row->low_m < 2.0); // the others are not shrunk to nothing
    assert_true(row->cells[0].lift_m == 0.0);
    assert_true(fabs(row->cells[1].lift_m + 3e4) < 1.0);
    assert_true(fabs(row->cells[2].lift_m - 3e4) < 2.0);
    assert_true(row->cells[2].low_m == 0.0 && row->cells[2].high_m < 2.0);
    ug_sheet_layout_fini(&l);
    ug_sheet_actor_fini(&a);
    ug_take_fini(&take);
}

static void test_any_size(void **state)
{
    (void)state;
    static const double LENGTHS[] = { 0.0, 1e-6, 1e6 };
    for (size_t i = 0; i < 3; i++) {
        ug_take take;
        ug_sheet_actor a;
        open_actor(&a, &take, LENGTHS[i], 0.0);
        ug_sheet_layout l;
        assert_int_equal(ug_sheet_layout_make(&l, &a, 1, &OPTS, NULL), UG_OK);
        assert_true(isfinite(l.px_per_m) && l.px_per_m > 0.0);
        assert_true(l.height_px > 100.0 && l.height_px < 2000.0);
        if (LENGTHS[i] > 0.0) { // the tallest row takes the share it may
            const double px = l.px_per_m * (l.rows[0].high_m - l.rows[0].low_m);
            assert_true(px > 100.0 && px < 0.361 * 1600);
        }
        ug_sheet_layout_fini(&l);
        ug_sheet_actor_fini(&a);
        ug_take_fini(&take);
    }
}

static void test_too_tall(void **state)
{
    (void)state;
    enum { MANY = 60 };
    ug_take takes[MANY];
    ug_sheet_actor actors[MANY];
    for (int i = 0; i < MANY; i++) {
        open_actor(&actors[i], &takes[i], 1.0, 0.0);
    }
    ug_sheet_layout l;
    ug_error err = { 0 };
    assert_int_equal(ug_sheet_layout_make(&l, actors, MANY, &OPTS, &err), UG_E_USAGE);
    assert_non_null(strstr(err.message, "pixels tall"));
    assert_null(l.rows);
    for (int i = 0; i < MANY; i++) {
        ug_sheet_actor_fini(&actors[i]);
        ug_take_fini(&takes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_takes_at_one_scale),
        cmocka_unit_test(test_the_camera_goes_along_or_stands),
        cmocka_unit_test(test_far_off_the_ground),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_too_tall),
    };
    return cmocka_run_group_tests_name("report/sheet_layout", tests, NULL, NULL);
}
