// SPDX-License-Identifier: MIT
// Unit tests for formats/bvh_hierarchy.c and bvh_skeleton.c: names, and every way to be refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/bvh_text.h"

#include <stdio.h>

#define TAIL "\nMOTION\nFrames: 0\nFrame Time: 0.1\n"

static void refuse(const char *text, ug_status status, int line, const char *message)
{
    ug_take take;
    ug_error err = { 0 };
    char where[32];
    (void)snprintf(where, sizeof where, "t.bvh:line %d", line);
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, &err), status);
    assert_string_equal(err.message, message);
    assert_string_equal(err.where, where);
    assert_null(take.skeleton);
    assert_null(take.clip);
}

static void test_refused_hierarchies(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *message;
    } CASES[] = {
        { "", 1, "not a BVH file: it does not start with HIERARCHY" },
        { "HIERARCHYX\n", 1, "not a BVH file: it does not start with HIERARCHY" },
        { "HIERARCHY\n", 2, "the file ends before MOTION: cut off?" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n", 7,
          "the file ends before MOTION: cut off?" },
        { "HIERARCHY\nMOTION\n", 2, "no joint has channels" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}" TAIL, 6, "no joint has channels" },
        { "HIERARCHY\nJOINT A\n", 2, "'JOINT' where ROOT or MOTION was expected" },
        { "HIERARCHY\nROOT A\nOFFSET 0 0 0\n", 3, "'{' is missing after 'A'" },
        { "HIERARCHY\nROOT A", 2, "'{' is missing after 'A'" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0\n}\n", 5, "OFFSET of 'A': '}' is not a number" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0", 4, "the file ends inside OFFSET of 'A'" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0,5 1\n}\n", 4, "OFFSET of 'A': '0,5' is not a number" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 nan 1\n}\n", 4, "OFFSET of 'A': 'nan' is not a number" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 1e999 1\n}\n", 4,
          "OFFSET of 'A': '1e999' is not a number" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n", 5,
          "OFFSET of 'A' stands there twice" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation\n}" TAIL, 5, "'A' has no OFFSET" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nEnd Site\n{\n}\n}" TAIL, 7,
          "'End Site' has no OFFSET" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation\n", 5,
          "CHANNELS of 'A' stand there twice" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 10 Xrotation\n", 4,
          "CHANNELS of 'A': 10 is not a count from 0 to 9" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 1.5 Xrotation\n", 4,
          "CHANNELS of 'A': 1.5 is not a count from 0 to 9" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS -1\n", 4,
          "CHANNELS of 'A': -1 is not a count from 0 to 9" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 3 Xrotation Yrotation\n}\n", 5,
          "CHANNELS of 'A': '}' is not a channel (2 of 3 names are there)" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 1 Wrotation\n}\n", 4,
          "CHANNELS of 'A': 'Wrotation' is not a channel (0 of 1 names are there)" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 2 Xposition Xposition\n}\n", 4,
          "CHANNELS of 'A': Xposition stands there twice" },
        { "HIERARCHY\nROOT A\n{\nCHANNELS 1 Xrotation Yrotation\n}\n", 4,
          "'Yrotation' where OFFSET, CHANNELS, JOINT, End Site or '}' was expected" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nEnd Site\n{\nCHANNELS 1 Xrotation\n", 7,
          "an End Site has no channels" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nEnd Site\n{\nJOINT B\n{\n", 7,
          "a joint inside an End Site" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nROOT B\n{\n", 5,
          "'ROOT' where OFFSET, CHANNELS, JOINT, End Site or '}' was expected" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n}\n}\n", 6, "one '}' too many" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nMOTION\n", 5, "MOTION, but 'A' has no closing '}'" },
        { "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n\x01\x02\n", 5,
          "'?"
          "?' where OFFSET, CHANNELS, JOINT, End Site or '}' was expected" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        refuse(CASES[i].text, UG_E_FORMAT, CASES[i].line, CASES[i].message);
    }
}

static void test_hostile_nesting(void **state)
{
    (void)state;
    char *text = malloc(4 << 20), *p = text;
    assert_non_null(text);
    p += sprintf(p, "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n");
    for (int i = 0; i < 100000; i++) {
        p += sprintf(p, "JOINT B\n{\nOFFSET 0 0 0\n");
    }
    refuse(text, UG_E_UNSUPPORTED, 4 + 3 * (UG_BVH_DEPTH_MAX - 1) + 1,
           "joints are nested more than 512 deep");
    // and as deep as it may be
    p = text;
    p += sprintf(p, "HIERARCHY\n");
    for (int i = 0; i < UG_BVH_DEPTH_MAX; i++) {
        p += sprintf(p, "%s A%d {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n", i ? "JOINT" : "ROOT", i);
    }
    for (int i = 0; i < UG_BVH_DEPTH_MAX; i++) {
        *p++ = '}';
    }
    (void)sprintf(p, TAIL);
    ug_take take;
    ug_error err = { 0 };
    assert_int_equal(parse_text(&take, text, &IN_METRES, NULL, &err), UG_OK);
    assert_int_equal(take.skeleton->joint_count, UG_BVH_DEPTH_MAX);
    ug_take_fini(&take);
    free(text);
}

static void test_too_many_joints(void **state)
{
    (void)state;
    char *text = malloc(4 << 20), *p = text;
    assert_non_null(text);
    p += sprintf(p, "HIERARCHY\n");
    for (int i = 0; i <= UG_BVH_JOINTS_MAX; i++) {
        p += sprintf(p, "ROOT A%d {\nOFFSET 0 0 0\n}\n", i);
    }
    refuse(text, UG_E_UNSUPPORTED, 2 + 3 * UG_BVH_JOINTS_MAX, "more than 20000 joints");
    free(text);
}

static void test_names_become_unique(void **state)
{
    (void)state;
    const char text[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                        "JOINT a\n{\nOFFSET 0 0 0\n}\nJOINT a_2\n{\nOFFSET 0 0 0\n}\n"
                        "JOINT a_end\n{\nOFFSET 0 0 0\n}\n"
                        "End Site\n{\nOFFSET 0 0 0\n}\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\n"
                        "ROOT a\n{\nOFFSET 0 0 0\n}" TAIL;
    static const char *const NAMES[] = { "a", "a_3", "a_2", "a_end", "a_end_2", "a_end_3", "a_4" };
    ug_take take;
    ug_warnings warnings = { 0 };
    assert_int_equal(parse_text(&take, text, &IN_METRES, &warnings, NULL), UG_OK);
    for (int j = 0; j < 7; j++) {
        assert_string_equal(take.skeleton->joints[j].name, NAMES[j]);
    }
    assert_int_equal(ug_warnings_count(&warnings, "bvh_name_changed"), 2);
    assert_string_equal(warnings.items[0].first, "a joint's name stands there twice: called 'a_3'");
    ug_take_fini(&take);
}

static void test_odd_names(void **state)
{
    (void)state;
    const char text[] = "HIERARCHY\nROOT\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                        "JOINT H\xFC"
                        "fte\n{\nOFFSET 0 0 0\n}\n" // Latin-1
                        "JOINT H\xC3\xBC"
                        "fte 2\n{\nOFFSET 0 0 0\n}\n" // UTF-8
                        "JOINT a\tb\x1B[2J\n{\nOFFSET 0 0 0\n}\n}" TAIL;
    ug_take take;
    ug_warnings warnings = { 0 };
    assert_int_equal(parse_text(&take, text, &IN_METRES, &warnings, NULL), UG_OK);
    assert_string_equal(take.skeleton->joints[0].name, "joint_1");
    assert_string_equal(take.skeleton->joints[1].name, "H\xC3\xBC"
                                                       "fte");
    assert_string_equal(take.skeleton->joints[2].name, "H\xC3\xBC"
                                                       "fte 2");
    assert_string_equal(take.skeleton->joints[3].name, "a_b_[2J");
    assert_int_equal(ug_warnings_count(&warnings, "bvh_name_changed"), 3);
    assert_string_equal(warnings.items[0].first, "joint 1 has no name: called 'joint_1'");
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_hierarchies), cmocka_unit_test(test_hostile_nesting),
        cmocka_unit_test(test_too_many_joints),     cmocka_unit_test(test_names_become_unique),
        cmocka_unit_test(test_odd_names),
    };
    return cmocka_run_group_tests_name("formats/bvh_hierarchy", tests, NULL, NULL);
}
