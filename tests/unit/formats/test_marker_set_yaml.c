// SPDX-License-Identifier: MIT
#include "formats/settings_yaml.h"

#include "tests/support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const PATH = "test_marker_set.yaml";

static ug_status read_text(ug_marker_set *set, const char *text, ug_error *err)
{
    assert_true(test_write_text(PATH, text));
    memset(set, 0xA5, sizeof *set);
    const ug_status status = ug_marker_set_read(set, PATH, err);
    remove(PATH);
    return status;
}

#define TOP "name: s\nstature_m: 1.75\nmarkers:\n"

static void test_read(void **state)
{
    (void)state;
    ug_marker_set set;
    assert_int_equal(
        read_text(&set,
                  "name: s\nstature_m: 1.75\nunit: m\naxes: {x: left, y: up, z: forward}\n"
                  "rest_pose: t_pose_palms_down\nmarkers:\n"
                  "- {label: C7, segment: chest, position_m: [0, 0.28, -0.07]}\n"
                  "- {label: 'L.ASIS', segment: pelvis, position_m: [0.1, 0.2, 0.3],\n"
                  "   sigma_m: [0.01, 0.02, 0.03], weight: 0.5, kind: computed, note: x}\n",
                  NULL),
        UG_OK);
    assert_string_equal(set.name, "s");
    assert_true(set.stature_m == 1.75);
    assert_int_equal(set.markers.count, 2);
    const ug_attachment *a = &set.markers.items[0];
    assert_string_equal(a->label, "C7");
    assert_string_equal(a->segment, "chest");
    assert_int_equal(a->joint, -1);
    assert_true(a->local_m.y == 0.28 && a->sigma_m.x == 0.025 && a->weight == 1.0);
    assert_int_equal(a->kind, UG_MARKER_BONY);
    assert_false(a->calibrated);
    a = &set.markers.items[1];
    assert_string_equal(a->label, "L.ASIS");
    assert_true(a->sigma_m.z == 0.03 && a->weight == 0.5);
    assert_int_equal(a->kind, UG_MARKER_COMPUTED);
    ug_marker_set_fini(&set);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *message;
    } CASES[] = {
        { "name: s\nmarkers: [a]\n", ":1", "marker set: key 'stature_m' is missing" },
        { "name: s\nstature_m: 0\nmarkers: []\n", ":2", "stature_m must be above 0" },
        { "name: s\nstature_m: 1\nmarkers: []\n", ":3",
          "a marker set has 1 to 4096 markers, here are 0" },
        { "name: s\nstature_m: 1\nunit: mm\nmarkers: []\n", ":3",
          "marker set: unit must be m (metres)" },
        { TOP "- {label: A, segment: x}\n", ":4", "marker 0: key 'position_m' is missing" },
        { TOP "- {label: A, segment: x, position_m: [0, 0, 0]}\n"
              "- {label: A, segment: x, position_m: [0, 0, 0]}\n",
          ":5", "marker 'A' stands twice" },
        { TOP "- {label: A, segment: x, position_m: [0, 0, 0], sigma: [1, 1, 1]}\n", ":4",
          "marker 0: unknown key 'sigma'; did you mean 'sigma_m'?" },
        { TOP "- {label: A, segment: x, position_m: [0, 0, 0], sigma_m: [1, 0, 1]}\n", ":4",
          "marker 'A': sigma_m must be above 0" },
        { TOP "- {label: A, segment: x, position_m: [0, 0, 0], weight: -1}\n", ":4",
          "marker 'A': weight is negative" },
        { TOP "- {label: A, segment: x, position_m: [0, 0, 0], kind: bonny}\n", ":4",
          "kind: 'bonny' is not known, did you mean 'bony'?; allowed: bony, technical, computed" },
        { TOP "- {label: A, segment: ~, position_m: [0, 0, 0]}\n", ":4", "segment has no value" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_marker_set set;
        ug_error err = { 0 };
        char where[64];
        (void)snprintf(where, sizeof where, "%s%s", PATH, CASES[i].where);
        assert_int_equal(read_text(&set, CASES[i].text, &err), UG_E_FORMAT);
        assert_string_equal(err.message, CASES[i].message);
        assert_string_equal(err.where, where);
        assert_int_equal(set.markers.count, 0);
        assert_null(set.name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("formats/marker_set_yaml", tests, NULL, NULL);
}
