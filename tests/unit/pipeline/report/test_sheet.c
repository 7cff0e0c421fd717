// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/sheet.c and what it draws with: pixels of sheets of motions made
// in code, read back.
#include "pipeline/report/sheet.h"

#include "motion/markers.h"
#include "pipeline/report/sheet_paint.h"
#include "tests/support/files.h"
#include "tests/support/gait.h"

#include <cairo.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const PATH = "test_sheet.png";

typedef struct picture {
    cairo_surface_t *surface;
    const unsigned char *data;
    int width, height, stride;
} picture;

static picture open_picture(const char *path)
{
    picture p = { .surface = cairo_image_surface_create_from_png(path) };
    assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
    p.data = cairo_image_surface_get_data(p.surface);
    p.width = cairo_image_surface_get_width(p.surface);
    p.height = cairo_image_surface_get_height(p.surface);
    p.stride = cairo_image_surface_get_stride(p.surface);
    return p;
}

typedef bool (*colour_test)(const unsigned char *bgr, ug_ink ink);

static bool is_ink(const unsigned char *bgr, ug_ink ink)
{
    return abs(bgr[2] - (int)(255 * ink.r)) < 4 && abs(bgr[1] - (int)(255 * ink.g)) < 4 &&
           abs(bgr[0] - (int)(255 * ink.b)) < 4;
}

// However faded: blue like the left, or orange like the right.
static bool is_like(const unsigned char *bgr, ug_ink ink)
{
    return ink.b > ink.r ? bgr[0] > bgr[2] + 25 : bgr[2] > bgr[0] + 25;
}

// Pixels of that colour in a box; where they are on average.
static int count_ink(const picture *p, int x0, int x1, int y0, int y1, colour_test is, ug_ink ink,
                     double *x, double *y)
{
    int n = 0;
    double sx = 0.0, sy = 0.0;
    for (int j = y0 < 0 ? 0 : y0; j < y1 && j < p->height; j++) {
        for (int i = x0 < 0 ? 0 : x0; i < x1 && i < p->width; i++) {
            if (is(p->data + j * p->stride + 4 * i, ink)) {
                n++;
                sx += i;
                sy += j;
            }
        }
    }
    if (x && n > 0) {
        *x = sx / n;
        *y = sy / n;
    }
    return n;
}

// The row of pixels with most of the ground's colour.
static int find_ground(const picture *p)
{
    int line = -1, most = 0;
    for (int j = 0; j < p->height; j++) {
        const int n =
            count_ink(p, 80, 1572, j, j + 1, is_ink, ug_sheet_theme_of(false)->ground, NULL, NULL);
        line = n > most ? j : line;
        most = n > most ? n : most;
    }
    assert_true(most > 500); // soles cover some of it
    return line;
}

static const ug_sheet_opts OPTS = { .pose_count = 4,
                                    .from_s = NAN,
                                    .to_s = NAN,
                                    .views = { UG_SHEET_FRONT, UG_SHEET_SIDE },
                                    .view_count = 2,
                                    .width_px = 1600 };
static const test_walk WALK = { 400, 100, 0.9, 0.06, 0, 0 };

static void open_walk(ug_take *take, ug_footing *footing)
{
    ug_take_init(take);
    take->skeleton =
        test_character_create(&(test_character){ 1.0, 1.0, 3, 1.3, 4, true, "l", "r" });
    take->clip = test_walk_create(take->skeleton, &WALK);
    assert_int_equal(ug_footing_find(footing, take, NULL), UG_OK);
}

static void draw(const ug_take *take, const ug_footing *footing, const ug_sheet_opts *opts,
                 ug_sheet_report *report)
{
    const ug_sheet_input in = { .take = take, .footing = footing, .name = "walk" };
    ug_error err = { 0 };
    if (ug_sheet_write(report, PATH, &in, 1, opts, &err) != UG_OK) {
        fail_msg("%s", err.message);
    }
}

static void test_left_and_right(void **state)
{
    (void)state;
    ug_take take;
    ug_footing footing;
    ug_sheet_report report;
    open_walk(&take, &footing);
    draw(&take, &footing, &OPTS, &report);
    const ug_sheet_theme *theme = ug_sheet_theme_of(false);
    const picture p = open_picture(PATH);
    assert_int_equal(p.width, 1600);
    assert_int_equal(p.height, report.height_px);
    assert_int_equal(report.pose_count, 4);
    assert_int_equal(report.frames[0], 0);
    assert_int_equal(report.frames[3], 399);
    assert_true(fabs(report.times_s[3] - 3.99) < 1e-12);
    // looked in the face, the left is on the right; from the right side, most of what is seen is
    const ug_ink blue = theme->side[UG_SHEET_LEFT], orange = theme->side[UG_SHEET_RIGHT];
    const int half = 100 + (p.height - 200) / 2;
    for (int k = 0; k < 4; k++) {
        const int x0 = 82 + 373 * k, x1 = x0 + 369;
        double left = 0, right = 0, y;
        const int a = count_ink(&p, x0, x1, 90, half - 60, is_like, blue, &left, &y);
        const int b = count_ink(&p, x0, x1, 90, half - 60, is_like, orange, &right, &y);
        assert_true(a > 500 && b > 500);
        assert_true(left > 0.5 * (x0 + x1) + 5 && right < 0.5 * (x0 + x1) - 5);
        const int near = count_ink(&p, x0, x1, half, p.height - 150, is_like, orange, &right, &y);
        const int far = count_ink(&p, x0, x1, half, p.height - 150, is_like, blue, &left, &y);
        assert_true(near > far && far > 100);
    }
    cairo_surface_destroy(p.surface);
    ug_sheet_report_fini(&report);
    ug_take_fini(&take);
}

// A contact of the left heel from 1 s to 2 s puts a bar in the left's colour under the ground line
// of just those poses, and moves with the heel.
static void test_contacts_have_a_bar_under_the_foot(void **state)
{
    (void)state;
    ug_take take;
    ug_footing footing;
    ug_sheet_report report;
    open_walk(&take, &footing);
    const ug_contact contact = {
        UG_POINT_LEFT_HEEL, UG_CONTACT_PLANTED, 1.0, 2.0, { 0, 0, 0 }, true, ""
    };
    const int64_t frames[] = { 99, 100, 199, 200 };
    ug_sheet_opts opts = OPTS;
    opts.frames = frames;
    opts.views[0] = UG_SHEET_SIDE;
    opts.view_count = 1;
    draw(&take, &footing, &opts, &report);
    ug_sheet_report_fini(&report);
    const picture without = open_picture(PATH);
    assert_int_equal(ug_contacts_add(&take.contacts, &contact, NULL), UG_OK);
    draw(&take, &footing, &opts, &report);
    const picture with = open_picture(PATH);
    assert_int_equal(with.height, without.height);
    int changed[4] = { 0 };
    double sum_x[4] = { 0 }, low = 1e9, high = 0;
    const double cell = (1600.0 - 80.0 - 28.0) / 4.0;
    const ug_ink left = ug_sheet_theme_of(false)->side[UG_SHEET_LEFT];
    for (int j = 0; j < with.height - 100; j++) { // above the legend, which has a new entry
        for (int i = 80; i < 1572; i++) {
            const size_t at = (size_t)(j * with.stride + 4 * i);
            if (memcmp(with.data + at, without.data + at, 3) != 0 && is_ink(with.data + at, left)) {
                const int k = (int)((i - 80.0) / cell);
                changed[k]++;
                sum_x[k] += i;
                low = fmin(low, j);
                high = fmax(high, j);
            }
        }
    }
    assert_int_equal(changed[0], 0); // 0.99 s: not yet
    assert_true(changed[1] > 40);
    assert_true(changed[2] > 40);
    assert_int_equal(changed[3], 0); // 2 s: no more
    const int line = find_ground(&without);
    assert_true(low > line && high < line + 16);
    assert_true(high - low < 8.0); // a bar, and both at one height
    // where the heel is: the camera has the figure's box in the middle of the cell, so compare the
    // bar with the heel of the pose, both from the pelvis
    const int ankle = ug_skeleton_find_role(take.skeleton, UG_ROLE_L_FOOT);
    double bar[2], heel[2];
    for (int i = 0; i < 2; i++) {
        ug_quat q[64];
        ug_vec3 m[64];
        ug_clip_forward(q, m, take.skeleton, take.clip, i == 0 ? 100 : 199);
        heel[i] = ug_vec3_add(m[ankle], ug_quat_rotate(q[ankle], footing.heel_m[0])).z - m[0].z;
        bar[i] = (sum_x[1 + i] / changed[1 + i] - 80.0 - cell * (1.5 + i)) / report.px_per_m;
    }
    // a stride apart in phase: the heel is at nearly the same place under the pelvis
    assert_true(fabs((bar[1] - bar[0]) - (heel[1] - heel[0])) < 0.06);
    cairo_surface_destroy(with.surface);
    cairo_surface_destroy(without.surface);
    ug_sheet_report_fini(&report);
    ug_take_fini(&take);
}

static void test_feet_stand_on_the_ground_line(void **state)
{
    (void)state;
    ug_take take;
    ug_footing footing;
    open_walk(&take, &footing);
    ug_sheet_opts opts = OPTS;
    opts.views[0] = UG_SHEET_SIDE;
    opts.view_count = 1;
    draw(&take, &footing, &opts, NULL);
    const picture p = open_picture(PATH);
    const int line = find_ground(&p);
    // right above it something stands; nothing but ticks, numbers and labels is below
    const ug_ink panel = ug_sheet_theme_of(false)->panel;
    const int above = count_ink(&p, 80, 1572, line - 6, line - 2, is_ink, panel, NULL, NULL);
    assert_true(above < 4 * 1492 - 100);
    const ug_ink *side = ug_sheet_theme_of(false)->side;
    for (int s = UG_SHEET_LEFT; s <= UG_SHEET_RIGHT; s++) {
        assert_int_equal(
            count_ink(&p, 80, 1572, line + 4, p.height - 100, is_like, side[s], NULL, NULL), 0);
    }
    cairo_surface_destroy(p.surface);
    ug_take_fini(&take);
}

static void test_markers_by_origin(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    take.markers = ug_markers_create(3, 3, ug_rate_make(100, 1));
    for (size_t i = 0; i < 3; i++) {
        take.markers->labels[i] = ug_text_format("m%zu", i);
        take.markers->subjects[i] = ug_text_copy("");
        for (size_t f = 0; f < 3; f++) {
            const uint16_t origin = i == 0   ? UG_ORIGIN_MEASURED
                                    : i == 1 ? UG_ORIGIN_FILLED
                                             : UG_ORIGIN_EDITED;
            const ug_vec3 at = { 0.4 * (double)i, 0.5 + 0.2 * (double)i, 0 };
            ug_markers_set_m(take.markers, f, i, at, origin);
        }
    }
    const size_t gone = ug_markers_index(take.markers, 2, 1);
    take.markers->origin[gone] = 0; // missing in the last frame
    for (int c = 0; c < 3; c++) {
        take.markers->positions[3 * gone + (size_t)c] = NAN;
    }
    ug_sheet_opts opts = OPTS;
    opts.pose_count = 3;
    opts.view_count = 1;
    draw(&take, NULL, &opts, NULL);
    const picture p = open_picture(PATH);
    const ug_sheet_theme *theme = ug_sheet_theme_of(false);
    const int cell = (1600 - 80 - 28) / 3, bottom = p.height - 100;
    for (int k = 0; k < 3; k++) {
        double x[3] = { 0 }, y[3] = { 0 };
        static const ug_sheet_rank RANKS[] = { UG_SHEET_MEASURED, UG_SHEET_FILLED,
                                               UG_SHEET_EDITED };
        for (int r = 0; r < 3; r++) {
            const int n = count_ink(&p, 80 + cell * k, 80 + cell * (k + 1), 90, bottom, is_ink,
                                    theme->dot[RANKS[r]], &x[r], &y[r]);
            assert_true(k == 2 && r == 1 ? n == 0 : n >= 9 && n < 50);
        }
        assert_true(x[2] > x[0] + 50 && y[2] < y[0] - 20); // to its left, and higher
    }
    cairo_surface_destroy(p.surface);
    ug_take_fini(&take);
}

static void test_same_bytes_twice(void **state)
{
    (void)state;
    static const char *const PATHS[][2] = { { "sheet_a.png", "sheet_b.png" },
                                            { "sheet_a.svg", "sheet_b.svg" },
                                            { "sheet_a.pdf", "sheet_b.pdf" } };
    static const char *const STARTS[] = { "\x89PNG", "<?xml", "%PDF" };
    ug_take take;
    ug_footing footing;
    open_walk(&take, &footing);
    const ug_sheet_input in = { .take = &take, .footing = &footing, .name = "walk" };
    ug_sheet_opts opts = OPTS;
    opts.width_px = 600;
    opts.trails = true;
    opts.dark = true;
    opts.views[1] = UG_SHEET_PERSP;
    for (int i = 0; i < 3; i++) {
        struct stat st[2];
        char *text[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(ug_sheet_write(NULL, PATHS[i][k], &in, 1, &opts, NULL), UG_OK);
            assert_int_equal(stat(PATHS[i][k], &st[k]), 0);
            text[k] = test_read_text(PATHS[i][k]);
            assert_non_null(text[k]);
            if (k == 0 && i == 2) {
                sleep(1); // a clock in the file would show
            }
        }
        assert_true(st[0].st_size > 5000);
        if (i != 1) { // tests/cli/test_render.sh sees to the SVG, of two processes
            assert_int_equal(st[0].st_size, st[1].st_size);
            assert_memory_equal(text[0], text[1], (size_t)st[0].st_size);
        }
        assert_memory_equal(text[0], STARTS[i], 4);
        free(text[0]);
        free(text[1]);
        unlink(PATHS[i][0]);
        unlink(PATHS[i][1]);
    }
    ug_take_fini(&take);
}

static void test_refusals(void **state)
{
    (void)state;
    ug_take take, none;
    ug_footing footing;
    open_walk(&take, &footing);
    ug_take_init(&none);
    const ug_sheet_input in[2] = { { .take = &take, .name = "walk" },
                                   { .take = &none, .name = "n" } };
    ug_sheet_opts opts = OPTS;
    const int64_t frames[] = { 0, 1, 2, 400 };
    ug_error err = { 0 };
    ug_sheet_report report;
    memset(&report, 0xa5, sizeof report);
    assert_int_equal(ug_sheet_write(&report, PATH, in, 2, &opts, &err), UG_E_NOT_ENOUGH);
    assert_string_equal(err.where, "n");
    assert_null(report.frames);
    opts.frames = frames;
    err = (ug_error){ 0 };
    assert_int_equal(ug_sheet_write(NULL, PATH, in, 1, &opts, &err), UG_E_USAGE);
    assert_string_equal(err.message, "frame 400 is not in the take: it has 0 to 399");
    opts = OPTS;
    opts.from_s = 4.2;
    err = (ug_error){ 0 };
    assert_int_equal(ug_sheet_write(NULL, PATH, in, 1, &opts, &err), UG_E_USAGE);
    assert_non_null(strstr(err.message, "the take ends at 3.990 s"));
    opts = OPTS;
    err = (ug_error){ 0 };
    assert_int_equal(ug_sheet_write(NULL, "x.gif", in, 1, &opts, &err), UG_E_USAGE);
    assert_non_null(strstr(err.message, ".png, .svg or .pdf"));
    err = (ug_error){ 0 };
    assert_int_equal(ug_sheet_write(NULL, "no/such/folder/x.png", in, 1, &opts, &err), UG_E_WRITE);
    assert_true(ug_sheet_can_write("A.PNG") && ug_sheet_can_write("x/y.svg"));
    assert_false(ug_sheet_can_write("png") || ug_sheet_can_write("x.png.txt"));
    ug_take_fini(&take);
    ug_sheet_report_fini(NULL);
}

// What a fuzzer of motions would bring.
static void test_odd_motions(void **state)
{
    (void)state;
    enum { HUGE_WAY, NO_NUMBER, ALL_GONE, ONE_FRAME, NO_RATE, ODD_COUNT };
    for (int odd = 0; odd < ODD_COUNT; odd++) {
        ug_take take;
        ug_footing footing;
        ug_sheet_report report;
        open_walk(&take, &footing);
        for (size_t f = 0; f < take.clip->frame_count; f++) {
            ug_vec3 *at = ug_clip_translations(take.clip, f);
            at[0].x += odd == HUGE_WAY ? 1e12 : 0.0;
            at[0].y += odd == HUGE_WAY && f > 200 ? 1e9 : 0.0;
            at[0].z = odd == ALL_GONE || (odd == NO_NUMBER && f % 2 == 0) ? NAN : at[0].z;
        }
        take.clip->frame_count = odd == ONE_FRAME ? 1 : take.clip->frame_count;
        take.clip->rate = odd == NO_RATE ? (ug_rate){ 0, 0 } : take.clip->rate;
        for (int fixed = 0; fixed < 2; fixed++) {
            ug_sheet_opts opts = OPTS;
            opts.views[2] = UG_SHEET_TOP;
            opts.views[3] = UG_SHEET_PERSP;
            opts.view_count = 4;
            opts.width_px = 480;
            opts.trails = true;
            opts.fixed = fixed;
            opts.pick = fixed ? UG_SHEET_KEYS : UG_SHEET_EVEN;
            draw(&take, &footing, &opts, &report);
            assert_int_equal(report.pose_count, odd == ONE_FRAME ? 1 : 4);
            assert_true(isnan(report.times_s[0]) == (odd == NO_RATE));
            const picture p = open_picture(PATH);
            assert_true(p.height > 300 && p.height < 6000);
            cairo_surface_destroy(p.surface);
            ug_sheet_report_fini(&report);
        }
        take.clip->frame_count = 400;
        ug_take_fini(&take);
    }
}

static void test_second_take_at_the_same_times(void **state)
{
    (void)state;
    ug_take takes[2];
    ug_footing footings[2];
    ug_sheet_report report;
    open_walk(&takes[0], &footings[0]);
    open_walk(&takes[1], &footings[1]);
    takes[1].clip->rate = ug_rate_make(200, 1); // 2 s long
    takes[0].clip->first_frame = 1000;          // frames count from 0 all the same
    const ug_sheet_input in[2] = { { &takes[0], &footings[0], "a" }, { &takes[1], NULL, "b" } };
    ug_sheet_opts opts = OPTS;
    const int64_t frames[] = { 0, 100, 199, 300 };
    opts.frames = frames;
    assert_int_equal(ug_sheet_write(&report, PATH, in, 2, &opts, NULL), UG_OK);
    const ptrdiff_t wanted[] = { 0, 100, 199, 300, 0, 200, 398, -1 };
    assert_memory_equal(report.frames, wanted, sizeof wanted);
    assert_true(report.times_s[6] == 1.99 && isnan(report.times_s[7]));
    ug_sheet_report_fini(&report);
    for (int i = 0; i < 2; i++) {
        ug_take_fini(&takes[i]);
    }
}

static int remove_picture(void **state)
{
    (void)state;
    unlink(PATH);
    ug_sheet_forget_fonts();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_and_right),
        cmocka_unit_test(test_contacts_have_a_bar_under_the_foot),
        cmocka_unit_test(test_feet_stand_on_the_ground_line),
        cmocka_unit_test(test_markers_by_origin),
        cmocka_unit_test(test_same_bytes_twice),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_odd_motions),
        cmocka_unit_test(test_second_take_at_the_same_times),
    };
    return cmocka_run_group_tests_name("report/sheet", tests, NULL, remove_picture);
}
