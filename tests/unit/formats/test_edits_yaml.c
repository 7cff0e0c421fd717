// SPDX-License-Identifier: MIT
#include "formats/settings_yaml.h"

#include "tests/support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const PATH = "test_edits.yaml";

static ug_status read_text(ug_edits *edits, const char *text, ug_error *err)
{
    assert_true(test_write_text(PATH, text));
    memset(edits, 0xA5, sizeof *edits);
    const ug_status status = ug_edits_read(edits, PATH, err);
    remove(PATH);
    return status;
}

static void test_read(void **state)
{
    (void)state;
    ug_edits e;
    assert_int_equal(
        read_text(&e,
                  "edits:\n  - {fill: RELB, frames: [1292, 1853], method: rigid}\n"
                  "  - {swap: [LTH1, LTH2], frames: [194, 801]}\n  - {clear: X, frames: [0, 0]}\n"
                  "  - {rename: [A, B]}\n"
                  "  - {contact: left_heel, from_s: \"1.20\", to_s: \"1.85\", kind: load}\n"
                  "  - {contact: right_toe, from_s: 0, to_s: 1}\n",
                  NULL),
        UG_OK);
    assert_int_equal(e.count, 6);
    assert_int_equal(e.items[0].kind, UG_EDIT_FILL);
    assert_string_equal(e.items[0].labels[0], "RELB");
    assert_int_equal(e.items[0].first, 1292);
    assert_int_equal(e.items[0].last, 1853);
    assert_string_equal(e.items[0].method, "rigid");
    assert_int_equal(e.items[0].line, 2);
    assert_int_equal(e.items[1].kind, UG_EDIT_SWAP);
    assert_string_equal(e.items[1].labels[1], "LTH2");
    assert_int_equal(e.items[2].kind, UG_EDIT_CLEAR);
    assert_null(e.items[2].method);
    assert_int_equal(e.items[3].kind, UG_EDIT_RENAME);
    assert_string_equal(e.items[3].labels[1], "B");
    assert_int_equal(e.items[4].kind, UG_EDIT_CONTACT);
    assert_string_equal(e.items[4].labels[0], "left_heel");
    assert_true(e.items[4].from_s == 1.20 && e.items[4].to_s == 1.85);
    assert_string_equal(e.items[4].method, "load");
    assert_string_equal(e.items[5].method, "planted");
    ug_edits_fini(&e);
    assert_int_equal(read_text(&e, "- {fill: A, frames: [1, 2]}\n", NULL), UG_OK);
    assert_int_equal(e.count, 1);
    assert_null(e.items[0].method);
    ug_edits_fini(&e);
    assert_int_equal(read_text(&e,
                               "- {merge: [A, '*12']}\n- {merge: [A, B], frames: [3, 9]}\n"
                               "- {drop: C}\n- {split: [A, D], frames: [5, 6]}\n"
                               "- {keep: [A, D]}\n- {keep: [A, D], frames: [7, 8]}\n",
                               NULL),
                     UG_OK);
    assert_int_equal(e.count, 6);
    assert_int_equal(e.items[0].kind, UG_EDIT_MERGE);
    assert_string_equal(e.items[0].labels[1], "*12");
    assert_true(e.items[0].whole_take);
    assert_false(e.items[1].whole_take);
    assert_int_equal(e.items[1].last, 9);
    assert_int_equal(e.items[2].kind, UG_EDIT_DROP);
    assert_false(e.items[2].whole_take);
    assert_int_equal(e.items[3].kind, UG_EDIT_SPLIT);
    assert_int_equal(e.items[3].first, 5);
    assert_int_equal(e.items[4].kind, UG_EDIT_KEEP);
    assert_true(e.items[4].whole_take);
    assert_int_equal(e.items[5].first, 7);
    ug_edits_fini(&e);
    assert_int_equal(read_text(&e, "edits: []\n", NULL), UG_OK);
    assert_int_equal(e.count, 0);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        { "- {swop: [A, B]}\n",
          "an edit is a mapping with one of fill, swap, keep, clear, rename, merge, drop, "
          "split, contact" },
        { "- {fill: A, swap: [A, B], frames: [1, 2]}\n",
          "an edit does one thing; here are fill and swap" },
        { "- {fill: A, frames: [1, 2], methd: rigid}\n",
          "fill: unknown key 'methd'; did you mean 'method'?" },
        { "- {fill: A}\n", "fill: key 'frames' is missing" },
        { "- {fill: A, frames: 12}\n", "frames must be a list: [a, b, …]" },
        { "- {fill: A, frames: [1, 2, 3]}\n", "frames needs first and last: [first, last]" },
        { "- {fill: A, frames: [3, 2]}\n", "frames: first 3 stands after last 2" },
        { "- {fill: A, frames: [1.5, 2]}\n", NULL },
        { "- {fill: A, frames: [-1, 2]}\n", NULL },
        { "- {swap: A, frames: [1, 2]}\n", "swap must be a list: [a, b, …]" },
        { "- {swap: [A], frames: [1, 2]}\n", "swap needs two labels: [A, B]" },
        { "- {split: [A, B]}\n", "split: key 'frames' is missing" },
        { "- {drop: [A, B]}\n", "drop must be a text, not a list" },
        { "- {keep: [A, B], frames: [9, 8]}\n", "frames: first 9 stands after last 8" },
        { "- {rename: [A, ~]}\n", "rename has no value" },
        { "- {rename: [A, B], frames: [1, 2]}\n", "rename: unknown key 'frames'; allowed: rename" },
        { "- {contact: left_hell, from_s: 0, to_s: 1}\n",
          "contact: 'left_hell' is not known, did you mean 'left_heel'?; allowed: left_heel, "
          "left_toe, right_heel, right_toe, left_hand, right_hand" },
        { "- {contact: left_heel, from_s: 2, to_s: 1}\n", "contact: to_s 1 is not after from_s 2" },
        { "- {contact: left_heel, from_s: 0, to_s: 1, kind: fixed}\n",
          "kind: 'fixed' is not known; allowed: load, planted" },
        { "text\n", "edits must be a mapping with keys edits" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_edits e;
        ug_error err = { 0 };
        assert_int_equal(read_text(&e, CASES[i].text, &err), UG_E_FORMAT);
        if (CASES[i].message) {
            assert_string_equal(err.message, CASES[i].message);
        } else {
            assert_non_null(strstr(err.message, "is not a whole number from 0 to"));
        }
        assert_string_equal(err.where, "test_edits.yaml:1");
        assert_int_equal(e.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("formats/edits_yaml", tests, NULL, NULL);
}
