// SPDX-License-Identifier: MIT
// Unit tests for formats/infer_markers.c.
#include "formats/infer.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BODY = 10, FRAMES = 240 };

// A stick person of 1.7 m who walks along +Z of our axes, one foot at rest at a time.
static const struct {
    const char *label;
    double x, y, z;
} PARTS[BODY] = { { "LFHD", 0.08, 1.62, 0.1 },   { "RFHD", -0.08, 1.62, 0.1 },
                  { "C7", 0, 1.45, -0.1 },       { "LASI", 0.12, 0.97, 0.1 },
                  { "RASI", -0.12, 0.97, 0.1 },  { "LKNE", 0.15, 0.48, 0 },
                  { "RKNE", -0.15, 0.48, 0 },    { "LTOE", 0.12, 0.04, 0.15 },
                  { "RTOE", -0.12, 0.04, 0.15 }, { "SACR", 0, 0.99, -0.12 } };

static ug_vec3 place(size_t frame, size_t part, double speed)
{
    const double t = (double)frame / 100.0, step = 1.2 * speed;
    ug_vec3 p = { PARTS[part].x, PARTS[part].y, PARTS[part].z + speed * t };
    p.y += PARTS[part].y > 0.5 ? 0.03 * sin(4 * UG_PI * t) * speed : 0;
    if (part == 7 || part == 8) {
        // half a second on the ground, half a second in the air
        const double phase = t + (part == 7 ? 0.0 : 0.5), whole = floor(phase), u = phase - whole;
        p.z = PARTS[part].z + step * (whole + (u > 0.5 ? 2 * u - 1 : 0)) / 1.2;
        p.y += u > 0.5 ? 0.12 * speed * sin(2 * UG_PI * (u - 0.5)) : 0;
    }
    return p;
}

// In the frame of a source: `axes` take its coordinates to ours, `unit_m` is its unit.
static ug_markers *make_walk(ug_axes axes, double unit_m, double speed, bool has_labels)
{
    ug_markers *m = ug_markers_create(FRAMES, BODY, ug_rate_make(100, 1));
    assert_non_null(m);
    for (size_t i = 0; i < BODY; i++) {
        m->labels[i] = has_labels ? ug_text_copy(PARTS[i].label) : ug_text_format("p%zu", i);
        m->subjects[i] = ug_text_copy("");
        for (size_t f = 0; f < FRAMES; f++) {
            const ug_vec3 p = ug_axes_export(axes, place(f, i, speed));
            ug_markers_set_m(m, f, i, (ug_vec3){ p.x / unit_m, p.y / unit_m, p.z / unit_m },
                             UG_ORIGIN_MEASURED);
        }
    }
    return m;
}

static void test_every_vertical_and_unit_with_labels(void **state)
{
    (void)state;
    static const char *const UPS[] = { "+X", "-X", "+Y", "-Y", "+Z", "-Z" };
    static const char *const UNITS[] = { "mm", "cm", "m", "in" };
    for (size_t u = 0; u < 6; u++) {
        for (size_t k = 0; k < 4; k++) {
            for (int walks = 0; walks < 2; walks++) {
                ug_axes axes;
                ug_inferred_frame seen;
                ug_error err = { 0 };
                assert_int_equal(ug_axes_from_names(&axes, UPS[u], NULL, NULL), UG_OK);
                ug_markers *m = make_walk(axes, ug_unit_to_metres(UNITS[k]), walks, true);
                assert_int_equal(ug_infer_from_markers(&seen, m, true, true, &err), UG_OK);
                assert_string_equal(seen.up, UPS[u]);
                assert_string_equal(seen.unit, UNITS[k]);
                assert_true(seen.up_margin > 0.25 && seen.up_margin <= 1.0);
                assert_true(seen.unit_margin > 0.1 && seen.unit_margin <= 1.0);
                ug_markers_destroy(m);
            }
        }
    }
}

static void test_a_walk_without_labels(void **state)
{
    (void)state;
    static const char *const UPS[] = { "+X", "-X", "+Y", "-Y", "+Z", "-Z" };
    static const char *const UNITS[] = { "mm", "cm", "m" };
    for (size_t u = 0; u < 6; u++) {
        for (size_t k = 0; k < 3; k++) {
            ug_axes axes;
            ug_inferred_frame seen;
            ug_error err = { 0 };
            assert_int_equal(ug_axes_from_names(&axes, UPS[u], NULL, NULL), UG_OK);
            ug_markers *m = make_walk(axes, ug_unit_to_metres(UNITS[k]), 1, false);
            assert_int_equal(ug_infer_from_markers(&seen, m, true, true, &err), UG_OK);
            assert_string_equal(seen.up, UPS[u]);
            assert_string_equal(seen.unit, UNITS[k]);
            ug_markers_destroy(m);
        }
    }
}

static void test_standing_without_labels_does_not_tell(void **state)
{
    (void)state;
    ug_inferred_frame seen;
    ug_error err = { 0 };
    ug_markers *m = make_walk(UG_AXES_IDENTITY, 0.001, 0, false);
    assert_int_equal(ug_infer_from_markers(&seen, m, true, false, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message,
                        "the file declares no vertical and the markers do not tell; give --up");
    // but the size still does
    assert_int_equal(ug_infer_from_markers(&seen, m, false, true, NULL), UG_OK);
    assert_string_equal(seen.unit, "mm");
    ug_markers_destroy(m);
}

static void test_a_size_no_body_has(void **state)
{
    (void)state;
    ug_inferred_frame seen;
    ug_error err = { 0 };
    ug_markers *m = make_walk(UG_AXES_IDENTITY, 0.1, 1, true); // decimetres: 17 of what?
    assert_int_equal(ug_infer_from_markers(&seen, m, false, true, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.message,
                        "the file declares no unit and the markers do not tell; give --unit");
    ug_markers_destroy(m);
}

// Somebody lying down: labels say one thing, nothing else agrees.
static void test_lying_still_is_not_upright(void **state)
{
    (void)state;
    ug_axes lying;
    ug_inferred_frame seen;
    assert_int_equal(ug_axes_from_names(&lying, "+Z", NULL, NULL), UG_OK);
    ug_markers *m = make_walk(lying, 0.001, 0, true);
    // crawling: everything moves along the body's axis, the lowest point along Y rests
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t i = 0; i < BODY; i++) {
            float *p = m->positions + 3 * ug_markers_index(m, f, i);
            p[1] = 100 + 40.0f * (float)i * (float)(1.2 + sin(0.1 * (double)f));
            p[2] += 5.0f * (float)f;
            if (i < 3) {
                p[1] = 0; // hands and what else lies on the floor
                p[2] -= 5.0f * (float)f;
            }
        }
    }
    ug_error err = { 0 };
    assert_int_equal(ug_infer_from_markers(&seen, m, true, false, &err), UG_E_AMBIGUOUS);
    ug_markers_destroy(m);
}

static void test_only_markers_are_looked_at(void **state)
{
    (void)state;
    ug_inferred_frame seen;
    ug_error err = { 0 };
    ug_markers *m = make_walk(UG_AXES_IDENTITY, 0.001, 1, true);
    m->kinds[0] = UG_POINT_MOMENT;
    for (size_t f = 0; f < FRAMES; f++) {
        ug_markers_set_m(m, f, 0, (ug_vec3){ 1e6 * (double)f, -1e7, 5 }, UG_ORIGIN_COMPUTED);
    }
    assert_int_equal(ug_infer_from_markers(&seen, m, true, true, &err), UG_OK);
    assert_string_equal(seen.up, "+Y");
    assert_string_equal(seen.unit, "mm");
    ug_markers_destroy(m);
}

static void test_gaps_do_not_matter(void **state)
{
    (void)state;
    ug_inferred_frame seen;
    ug_error err = { 0 };
    ug_axes axes;
    assert_int_equal(ug_axes_from_names(&axes, "-Z", NULL, NULL), UG_OK);
    ug_markers *m = make_walk(axes, 0.001, 1, true);
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t i = 0; i < BODY; i++) {
            if ((f + 3 * i) % 7 < 3) {
                ug_markers_clear(m, f, i);
            }
        }
    }
    assert_int_equal(ug_infer_from_markers(&seen, m, true, true, &err), UG_OK);
    assert_string_equal(seen.up, "-Z");
    assert_string_equal(seen.unit, "mm");
    ug_markers_destroy(m);
}

// Somebody who sits and reaches forward, seen from the waist up: the ends of metacarpals are no
// feet, the angle of an acromion no sacrum, the head of a humerus no head; a trunk alone does not
// tell the vertical, since people bend it.
static void test_hands_are_no_feet(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        double x, y, z;
    } SEATED[] = { { "IJ", 0, 1.08, 0.05 },
                   { "PX", 0, 0.90, 0.1 },
                   { "C7", 0, 1.10, -0.1 },
                   { "T8", 0, 0.88, -0.1 },
                   { "R.D5M1", -0.2, 1.0, 0.7 },
                   { "L.D5M1", 0.2, 1.0, 0.7 },
                   { "R.HeadHum", -0.2, 1.0, 0 },
                   { "L.HeadHum", 0.2, 1.0, 0 },
                   { "R.AngulusAcromio", -0.2, 1, -0.1 },
                   { "L.AngulusAcromio", 0.2, 1, -0.1 } };
    const size_t count = sizeof SEATED / sizeof SEATED[0];
    ug_inferred_frame seen;
    ug_error err = { 0 };
    ug_markers *m = ug_markers_create(FRAMES, count, ug_rate_make(100, 1));
    for (size_t i = 0; i < count; i++) {
        m->labels[i] = ug_text_copy(SEATED[i].label);
        m->subjects[i] = ug_text_copy("");
        for (size_t f = 0; f < FRAMES; f++) {
            ug_markers_set_m(m, f, i, (ug_vec3){ SEATED[i].x, SEATED[i].y, SEATED[i].z },
                             UG_ORIGIN_MEASURED);
        }
    }
    assert_int_equal(ug_infer_from_markers(&seen, m, true, false, &err), UG_E_AMBIGUOUS);
    ug_markers_destroy(m);
}

static void test_nothing_to_see(void **state)
{
    (void)state;
    static const size_t SIZES[][2] = { { 0, 0 }, { 0, 3 }, { 5, 0 }, { 1, 1 }, { 5, 3 } };
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        ug_inferred_frame seen;
        ug_error err = { 0 };
        memset(&seen, 0xa5, sizeof seen);
        ug_markers *m = ug_markers_create(SIZES[i][0], SIZES[i][1], ug_rate_make(100, 1));
        assert_int_equal(ug_infer_from_markers(&seen, m, true, true, &err), UG_E_AMBIGUOUS);
        assert_string_equal(err.message, "the file declares no vertical and no unit and the "
                                         "markers do not tell; give --up and --unit");
        assert_true(seen.up_margin == 0 && seen.unit_margin == 0);
        assert_int_equal(ug_infer_from_markers(&seen, m, false, false, NULL), UG_OK);
        ug_markers_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_vertical_and_unit_with_labels),
        cmocka_unit_test(test_a_walk_without_labels),
        cmocka_unit_test(test_standing_without_labels_does_not_tell),
        cmocka_unit_test(test_a_size_no_body_has),
        cmocka_unit_test(test_lying_still_is_not_upright),
        cmocka_unit_test(test_only_markers_are_looked_at),
        cmocka_unit_test(test_gaps_do_not_matter),
        cmocka_unit_test(test_hands_are_no_feet),
        cmocka_unit_test(test_nothing_to_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
