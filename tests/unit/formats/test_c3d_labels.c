// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_labels.c, c3d_kinds.c and c3d_names.c.
#include "formats/c3d_internal.h"
#include "tests/support/c3d_file.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

// Enough of a file to read labels with: one frame, x = number of the point.
static void begin(c3d_file *f, int points)
{
    file_begin(f, 'I');
    file_basics(f, points, 1, -1.0, 100.0);
    for (int i = 1; i <= points; i++) {
        file_point(f, false, i, 1, 2, 0);
    }
}

static const ug_markers *parse(ug_take *take, c3d_file *f, ug_warnings *warnings)
{
    ug_error err = { 0 };
    *warnings = (ug_warnings){ 0 };
    ug_take_init(take);
    file_finish(f);
    assert_int_equal(ug_c3d_parse(take, f->whole.data, f->whole.size, NULL, warnings, &err), UG_OK);
    return take->markers;
}

static void end(ug_take *take, c3d_file *f)
{
    ug_take_fini(take);
    file_end(f);
}

static void numbered(char names[300][16], const char *texts[300])
{
    for (int i = 0; i < 300; i++) {
        (void)snprintf(names[i], sizeof names[i], "M%03d", i + 1);
        texts[i] = names[i];
    }
}

static void test_s04_300_markers(void **state)
{
    (void)state;
    char names[300][16];
    const char *texts[300];
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    numbered(names, texts);
    begin(&f, 300);
    file_texts(&f, "POINT", "LABELS", 4, 255, texts);
    file_texts(&f, "POINT", "LABELS2", 4, 45, texts + 255);
    const ug_markers *m = parse(&take, &f, &warnings);
    assert_int_equal(ug_markers_find(m, "M256"), 255);
    assert_true(m->positions[3 * 255] == 256.0f);
    assert_true(m->positions[3 * ug_markers_find(m, "M300")] == 300.0f);
    assert_int_equal(warnings.count, 0);
    end(&take, &f);
}

static void test_s04_300_markers_without_the_second_list(void **state)
{
    (void)state;
    char names[300][16];
    const char *texts[300];
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    numbered(names, texts);
    names[3][0] = '\0'; // an empty name counts as none
    (void)snprintf(names[4], sizeof names[4], "point_4");
    begin(&f, 300);
    file_texts(&f, "POINT", "LABELS", 7, 255, texts);
    const ug_markers *m = parse(&take, &f, &warnings);
    assert_string_equal(m->labels[255], "point_256");
    assert_string_equal(m->labels[299], "point_300");
    assert_string_equal(m->labels[3], "point_4");
    assert_string_equal(m->labels[4], "point_4_2");
    assert_int_equal(warnings.items[0].count, 46);
    assert_string_equal(warnings.items[0].code, "c3d_labels_missing");
    end(&take, &f);
}

static void test_subjects_and_unlabelled(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "s01:LASI", "s02:LASI", "*12",  "s01:*7",
                                         "LASI",     "odd:",     "a:b:c" };
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    begin(&f, 7);
    file_texts(&f, "POINT", "LABELS", 12, 7, TEXTS);
    const ug_markers *m = parse(&take, &f, &warnings);
    assert_string_equal(m->labels[0], "LASI");
    assert_string_equal(m->subjects[0], "s01");
    assert_string_equal(m->subjects[1], "s02");
    assert_int_equal(ug_markers_find(m, "s02:LASI"), 1);
    assert_int_equal(m->kinds[1], UG_POINT_MARKER);
    assert_int_equal(m->kinds[2], UG_POINT_UNLABELLED);
    assert_string_equal(m->labels[2], "*12");
    assert_int_equal(m->kinds[3], UG_POINT_UNLABELLED);
    assert_string_equal(m->subjects[4], "");
    assert_string_equal(m->labels[5], "odd:");
    assert_string_equal(m->subjects[6], "a:b");
    assert_string_equal(m->labels[6], "c");
    assert_int_equal(warnings.count, 0);
    end(&take, &f);
}

static void test_doubled_labels_become_unique(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "RKNE", "RKNE", "RKNE_2", "RKNE", "LKNE" };
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    begin(&f, 5);
    file_texts(&f, "POINT", "LABELS", 6, 5, TEXTS);
    const ug_markers *m = parse(&take, &f, &warnings);
    assert_string_equal(m->labels[0], "RKNE");
    assert_string_equal(m->labels[1], "RKNE_3"); // RKNE_2 is somebody's real name
    assert_string_equal(m->labels[2], "RKNE_2");
    assert_string_equal(m->labels[3], "RKNE_4");
    assert_int_equal(ug_warnings_count(&warnings, "c3d_labels_doubled"), 2);
    end(&take, &f);
}

static void test_latin1_becomes_utf8(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "H\xfc"
                                         "fte" };
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    begin(&f, 1);
    file_texts(&f, "POINT", "LABELS", 8, 1, TEXTS);
    assert_string_equal(parse(&take, &f, &warnings)->labels[0], "H\xc3\xbc"
                                                                "fte");
    end(&take, &f);
}

static void test_surplus_labels_are_told(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "A", "B", "C", "" };
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    begin(&f, 1);
    file_texts(&f, "POINT", "LABELS", 4, 4, TEXTS);
    parse(&take, &f, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_labels_surplus"), 1);
    assert_string_equal(warnings.items[0].first,
                        "POINT:LABELS has 3 names for 1 points; the rest is kept in the parameters "
                        "only");
    end(&take, &f);
}

static void test_kinds_from_lists(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "s01:a", "s01:f", "s01:m", "s01:p",   "s01:s",
                                         "s01:v", "s01:x", "s01:r", "s01:LASI" };
    static const char *const WITH_SUBJECT[] = { "s01:f" };
    static const struct {
        const char *list, *label;
    } LISTS[] = { { "ANGLES", "a" },   { "MOMENTS", "m" }, { "POWERS", "p" },
                  { "SCALARS", "s" },  { "MYLIST", "x" },  { "MODELED_MARKERS", "v" },
                  { "REACTIONS", "r" } };
    const int dimensions[3] = { 6, 2, 1 };
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    begin(&f, 9);
    file_texts(&f, "POINT", "LABELS", 9, 9, TEXTS);
    file_texts(&f, "POINT", "FORCES", 6, 1, WITH_SUBJECT);
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        file_texts(&f, "POINT", LISTS[i].list, 4, 1, &LISTS[i].label);
    }
    file_shape(&f, "POINT", "TYPE_GROUPS", -1, 12, 3, dimensions);
    grown_put(&f.section, "MYLISTSCALAR", 13); // with the zero that ends the record
    const ug_markers *m = parse(&take, &f, &warnings);
    static const uint8_t EXPECTED[] = { UG_POINT_ANGLE,  UG_POINT_FORCE,  UG_POINT_MOMENT,
                                        UG_POINT_POWER,  UG_POINT_SCALAR, UG_POINT_VIRTUAL,
                                        UG_POINT_SCALAR, UG_POINT_FORCE,  UG_POINT_MARKER };
    assert_memory_equal(m->kinds, EXPECTED, sizeof EXPECTED);
    end(&take, &f);
}

// Without any list: by name, and never a marker of a common set.
static void test_kinds_from_names(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        uint8_t kind;
    } CASES[] = {
        { "LHipAngles", UG_POINT_ANGLE },
        { "LAbsAnkleAngle", UG_POINT_ANGLE },
        { "KNEE_ANGLE", UG_POINT_ANGLE },
        { "knee angle", UG_POINT_ANGLE },
        { "LKneeForce", UG_POINT_FORCE },
        { "LNormalisedGRF", UG_POINT_FORCE },
        { "RGroundReactionMoment", UG_POINT_MOMENT },
        { "RHipPower", UG_POINT_POWER },
        { "PELO", UG_POINT_VIRTUAL },
        { "PELA", UG_POINT_VIRTUAL },
        { "PELL", UG_POINT_VIRTUAL },
        { "PELP", UG_POINT_VIRTUAL },
        { "CentreOfMass", UG_POINT_VIRTUAL },
        { "LHJC", UG_POINT_VIRTUAL },
        { "LFOF0", UG_POINT_VIRTUAL },
        { "LTIB1", UG_POINT_VIRTUAL },
        { "LTIB", UG_POINT_MARKER },
        { "LASI", UG_POINT_MARKER },
        { "Triangle", UG_POINT_MARKER },
        { "rectangle", UG_POINT_MARKER },
        { "Angle", UG_POINT_ANGLE },
        { "TOEL", UG_POINT_MARKER },
        { "LeftHipCenter", UG_POINT_VIRTUAL },
        { "*3", UG_POINT_UNLABELLED },
        { "Empower", UG_POINT_MARKER },
    };
    enum { COUNT = sizeof CASES / sizeof CASES[0] };
    const char *texts[COUNT];
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    for (int i = 0; i < COUNT; i++) {
        texts[i] = CASES[i].label;
    }
    begin(&f, COUNT);
    file_texts(&f, "POINT", "LABELS", 24, COUNT, texts);
    const ug_markers *m = parse(&take, &f, &warnings);
    for (int i = 0; i < COUNT; i++) {
        if (m->kinds[i] != CASES[i].kind) {
            fail_msg("%s is taken as kind %d, not %d", CASES[i].label, m->kinds[i], CASES[i].kind);
        }
    }
    end(&take, &f);
}

static void test_descriptions_tell_virtual_points(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "VMID", "VSAC" };
    static const char *const DESCRIPTIONS[] = { "V_Mid_ASIS", "V.Sacral" };
    ug_take take;
    ug_warnings warnings;
    c3d_file f;
    begin(&f, 2);
    file_texts(&f, "POINT", "LABELS", 4, 2, TEXTS);
    file_texts(&f, "POINT", "DESCRIPTIONS", 12, 2, DESCRIPTIONS);
    const ug_markers *m = parse(&take, &f, &warnings);
    assert_int_equal(m->kinds[0], UG_POINT_VIRTUAL);
    assert_int_equal(m->kinds[1], UG_POINT_MARKER);
    end(&take, &f);
}

static void test_ten_thousand_equal_names(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    char **labels = ug_text_list_create(COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        labels[i] = ug_text_copy("same");
    }
    assert_int_equal(c3d_names_make_unique(labels, NULL, COUNT), COUNT - 1);
    assert_string_equal(labels[0], "same");
    assert_string_equal(labels[1], "same_2");
    assert_string_equal(labels[COUNT - 1], "same_10000");
    ug_text_list_destroy(labels, COUNT);
    assert_int_equal(c3d_names_make_unique(NULL, NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_s04_300_markers),
        cmocka_unit_test(test_s04_300_markers_without_the_second_list),
        cmocka_unit_test(test_subjects_and_unlabelled),
        cmocka_unit_test(test_doubled_labels_become_unique),
        cmocka_unit_test(test_latin1_becomes_utf8),
        cmocka_unit_test(test_surplus_labels_are_told),
        cmocka_unit_test(test_kinds_from_lists),
        cmocka_unit_test(test_kinds_from_names),
        cmocka_unit_test(test_descriptions_tell_virtual_points),
        cmocka_unit_test(test_ten_thousand_equal_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
