// SPDX-License-Identifier: MIT
// Unit tests for formats/c3d_parameters.c, c3d_parameters_write.c, c3d_lookup.c and c3d_edit.c.
#include "formats/c3d_edit.h"
#include "tests/support/c3d_compare.h"
#include "tests/support/c3d_file.h"

#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// The section alone, at byte 0.
static void parse_section(ug_parameters *tree, c3d_file *f, ug_warnings *warnings)
{
    ug_error err = { 0 };
    size_t end = 0;
    *tree = (ug_parameters){ 0 };
    *warnings = (ug_warnings){ 0 };
    file_finish(f);
    assert_int_equal(c3d_parameters_parse(tree, &end, f->section.data, f->section.size, 0,
                                          f->processor, warnings, &err),
                     UG_OK);
    assert_true(end <= f->section.size);
}

static void add_every_type(c3d_file *f)
{
    const int words[6] = { 1, -2, 3, -4, 32767, 65535 }, two_by_three[2] = { 2, 3 };
    const double reals[3] = { 1.5, -0.1, 1e10 };
    const int three = 3, none[2] = { 8, 0 };
    static const char *const TEXTS[] = { "one", "three" };
    file_words(f, "GROUP", "WORDS", 6, words, 2, two_by_three);
    file_reals(f, "GROUP", "REALS", 3, reals, 1, &three);
    file_texts(f, "GROUP", "TEXTS", 6, 2, TEXTS);
    file_number(f, "OTHER", "SCALAR", 7);
    file_shape(f, "OTHER", "BYTES", 1, 3, 1, &three);
    grown_put(&f->section, "\x01\x7f\xff", 4);
    file_shape(f, "OTHER", "EMPTY", -1, 0, 2, none);
    grown_put(&f->section, "", 1);
}

static void test_every_type_in_every_order(void **state)
{
    (void)state;
    for (const char *p = "IDM"; *p; p++) {
        ug_parameters tree, again = { 0 };
        ug_warnings warnings;
        ug_error err = { 0 };
        c3d_file f;
        file_begin(&f, *p);
        add_every_type(&f);
        parse_section(&tree, &f, &warnings);
        assert_int_equal(warnings.count, 0);
        assert_int_equal(tree.count, 2);
        const ug_parameter *w = ug_parameters_find(&tree, "group", "words");
        assert_int_equal(w->dimension_count, 2);
        assert_true(ug_parameter_number(w, 1, false) == -2);
        assert_true(ug_parameter_number(w, 5, true) == 65535);
        assert_true(c3d_number(&tree, "GROUP", "REALS", 1, false, NULL) == (double)-0.1f);
        assert_true(c3d_number(&tree, "OTHER", "BYTES", 2, true, NULL) == 255);
        assert_true(c3d_number(&tree, "OTHER", "SCALAR", 0, true, NULL) == 7);
        assert_true(isnan(c3d_number(&tree, "OTHER", "SCALAR", 1, true, NULL)));
        assert_int_equal(ug_parameters_find(&tree, "OTHER", "EMPTY")->size, 0);
        char text[8];
        c3d_text(text, sizeof text, &tree, "GROUP", "TEXTS");
        assert_string_equal(text, "one");

        // written and read again it is the same tree
        uint8_t *section = NULL;
        size_t blocks = 0, end = 0;
        assert_int_equal(c3d_parameters_format(&section, &blocks, &tree, *p, &err), UG_OK);
        assert_int_equal(section[2], blocks);
        assert_int_equal(
            c3d_parameters_parse(&again, &end, section, blocks * C3D_BLOCK, 0, *p, &warnings, &err),
            UG_OK);
        assert_null(parameters_difference(&tree, &again));
        assert_int_equal(warnings.count, 0);
        free(section);
        ug_parameters_fini(&again);
        ug_parameters_fini(&tree);
        file_end(&f);
    }
}

static void test_locks_and_descriptions_survive(void **state)
{
    (void)state;
    ug_parameters tree = { 0 }, again = { 0 };
    ug_error err = { 0 };
    uint8_t *section = NULL;
    size_t blocks = 0, end = 0;
    assert_int_equal(c3d_set_number(&tree, "POINT", "USED", UG_PARAMETER_INT16, 3, &err), UG_OK);
    tree.groups[0].locked = true;
    tree.groups[0].items[0].locked = true;
    free(tree.groups[0].items[0].description);
    tree.groups[0].items[0].description = ug_text_copy("how many");
    assert_int_equal(c3d_parameters_format(&section, &blocks, &tree, 'I', &err), UG_OK);
    assert_int_equal(
        c3d_parameters_parse(&again, &end, section, blocks * C3D_BLOCK, 0, 'I', NULL, &err), UG_OK);
    assert_null(parameters_difference(&tree, &again));
    assert_true(again.groups[0].locked && again.groups[0].items[0].locked);
    free(section);
    ug_parameters_fini(&tree);
    ug_parameters_fini(&again);
}

static void test_numbers_written_as_text_and_text_as_numbers(void **state)
{
    (void)state;
    ug_parameters tree;
    ug_warnings warnings;
    c3d_file f;
    file_begin(&f, 'I');
    file_text(&f, "POINT", "RATE", " 120.5 ");
    file_text(&f, "POINT", "SCALE", "none");
    file_number(&f, "POINT", "UNITS", 5);
    parse_section(&tree, &f, &warnings);
    assert_true(c3d_number(&tree, "POINT", "RATE", 0, false, &warnings) == 120.5);
    assert_string_equal(warnings.items[0].first,
                        "POINT:RATE is text where a number belongs; it was read as one");
    assert_true(isnan(c3d_number(&tree, "POINT", "SCALE", 0, false, &warnings)));
    assert_int_equal(ug_warnings_count(&warnings, "c3d_parameter_type"), 2);
    char unit[8] = "garbage";
    c3d_text(unit, sizeof unit, &tree, "POINT", "UNITS");
    assert_string_equal(unit, "");
    ug_parameters_fini(&tree);
    file_end(&f);
}

// The link of record `name` moved by `shift`.
static void shift_link(c3d_file *f, const char *name, int shift)
{
    uint8_t *at = memmem(f->section.data, f->section.size, name, strlen(name));
    assert_non_null(at);
    at += strlen(name);
    encode_word(at, f->processor, c3d_get_u16(at, f->processor) + shift);
}

static void test_a_link_too_short_for_the_values_keeps_whole_rows(void **state)
{
    (void)state;
    static const char *const TEXTS[] = { "ab", "cd", "ef" };
    ug_parameters tree;
    ug_warnings warnings;
    c3d_file f;
    file_begin(&f, 'I');
    file_texts(&f, "GROUP", "LIST", 2, 3, TEXTS);
    shift_link(&f, "LIST", -3); // the next record begins inside the third text
    f.section.size -= 3;
    file_number(&f, "GROUP", "NEXT", 42);
    parse_section(&tree, &f, &warnings);
    const ug_parameter *list = ug_parameters_find(&tree, "GROUP", "LIST");
    assert_int_equal(ug_parameter_string_count(list), 2);
    assert_true(c3d_number(&tree, "GROUP", "NEXT", 0, true, NULL) == 42);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_parameter_offset"), 1);
    assert_non_null(strstr(warnings.items[0].first, "the record of LIST is longer"));
    ug_parameters_fini(&tree);
    file_end(&f);
}

static void test_a_link_into_nowhere_falls_back_to_the_record(void **state)
{
    (void)state;
    ug_parameters tree;
    ug_warnings warnings;
    c3d_file f;
    file_begin(&f, 'M');
    file_number(&f, "GROUP", "FIRST", 1);
    shift_link(&f, "FIRST", 20000);
    file_number(&f, "GROUP", "NEXT", 42);
    parse_section(&tree, &f, &warnings);
    assert_true(c3d_number(&tree, "GROUP", "FIRST", 0, true, NULL) == 1);
    assert_true(c3d_number(&tree, "GROUP", "NEXT", 0, true, NULL) == 42);
    assert_non_null(strstr(warnings.items[0].first, "the link from parameter FIRST leads nowhere"));
    ug_parameters_fini(&tree);
    file_end(&f);
}

// Some writers leave out the length byte of a group's description.
static void test_group_without_description_length(void **state)
{
    (void)state;
    ug_parameters tree;
    ug_warnings warnings;
    c3d_file f;
    file_begin(&f, 'I');
    f.group_count = 1;
    (void)strcpy(f.groups[0], "POINT");
    file_record(&f, "POINT", -1, 8);
    grown_put(&f.section, "what for", 8);
    file_number(&f, "POINT", "USED", 9);
    parse_section(&tree, &f, &warnings);
    assert_string_equal(tree.groups[0].description, "what for");
    assert_true(c3d_number(&tree, "POINT", "USED", 0, true, NULL) == 9);
    ug_parameters_fini(&tree);
    file_end(&f);
}

static void test_parameters_of_a_group_nobody_defines(void **state)
{
    (void)state;
    ug_parameters tree;
    ug_warnings warnings;
    c3d_file f;
    file_begin(&f, 'I');
    file_record(&f, "USED", 13, 5);
    grown_put(&f.section, "\x02\x00\x05\x00", 5);
    parse_section(&tree, &f, &warnings);
    assert_true(c3d_number(&tree, "GROUP13", "USED", 0, true, NULL) == 5);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_group_missing"), 1);
    ug_parameters_fini(&tree);
    file_end(&f);
}

static void test_an_impossible_type_ends_the_section_with_a_warning(void **state)
{
    (void)state;
    ug_parameters tree;
    ug_warnings warnings;
    c3d_file f;
    file_begin(&f, 'I');
    file_number(&f, "POINT", "USED", 4);
    file_shape(&f, "POINT", "ODD", 3, 3, 0, NULL);
    grown_put(&f.section, "abc", 4);
    parse_section(&tree, &f, &warnings);
    assert_true(c3d_number(&tree, "POINT", "USED", 0, true, NULL) == 4);
    assert_null(ug_parameters_find(&tree, "POINT", "ODD"));
    assert_int_equal(ug_warnings_count(&warnings, "c3d_parameter_section"), 1);
    ug_parameters_fini(&tree);
    file_end(&f);
}

static void test_set_number_keeps_type_and_shape(void **state)
{
    (void)state;
    ug_parameters tree;
    ug_warnings warnings;
    ug_error err = { 0 };
    const double one_real = 5;
    const int one = 1;
    c3d_file f;
    file_begin(&f, 'I');
    file_reals(&f, "POINT", "FRAMES", 1, &one_real, 1, &one);
    file_number(&f, "POINT", "USED", 5);
    parse_section(&tree, &f, &warnings);
    assert_int_equal(c3d_set_number(&tree, "POINT", "FRAMES", UG_PARAMETER_INT16, 70000, &err),
                     UG_OK);
    const ug_parameter *p = ug_parameters_find(&tree, "POINT", "FRAMES");
    assert_int_equal(p->type, UG_PARAMETER_FLOAT);
    assert_int_equal(p->dimension_count, 1);
    assert_true(ug_parameter_number(p, 0, true) == 70000);
    assert_int_equal(c3d_set_number(&tree, "POINT", "USED", UG_PARAMETER_INT16, 40000, &err),
                     UG_OK);
    assert_true(c3d_number(&tree, "POINT", "USED", 0, true, NULL) == 40000);
    assert_int_equal(c3d_set_number(&tree, "POINT", "USED", UG_PARAMETER_INT16, 0.5, &err), UG_OK);
    assert_int_equal(ug_parameters_find(&tree, "POINT", "USED")->type, UG_PARAMETER_FLOAT);
    assert_int_equal(c3d_update_number(&tree, "POINT", "NONE", UG_PARAMETER_INT16, 1, &err), UG_OK);
    assert_null(ug_parameters_find(&tree, "POINT", "NONE"));
    ug_parameters_fini(&tree);
    file_end(&f);
}

static void test_long_lists_are_split_and_shortened(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    ug_parameters tree = { 0 };
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    char **texts = ug_text_list_create(COUNT);
    double values[COUNT], back[COUNT];
    for (int i = 0; i < COUNT; i++) {
        texts[i] = ug_text_format("name %d", i);
        values[i] = i;
    }
    assert_int_equal(c3d_set_texts(&tree, "POINT", "LABELS", texts, COUNT, &warnings, &err), UG_OK);
    assert_non_null(ug_parameters_find(&tree, "POINT", "LABELS3"));
    c3d_texts list;
    assert_int_equal(c3d_texts_read(&list, &tree, "POINT", "LABELS", &err), UG_OK);
    assert_int_equal(list.count, COUNT);
    assert_string_equal(list.items[599], "name 599");
    c3d_texts_fini(&list);
    assert_int_equal(
        c3d_set_numbers(&tree, "ANALOG", "OFFSET", UG_PARAMETER_INT16, values, 1, COUNT, &err),
        UG_OK);
    assert_int_equal(c3d_number_count(&tree, "ANALOG", "OFFSET"), COUNT);
    assert_int_equal(c3d_numbers_read(back, COUNT, &tree, "ANALOG", "OFFSET", true), COUNT);
    assert_memory_equal(back, values, sizeof values);
    assert_true(c3d_number(&tree, "ANALOG", "OFFSET", 599, true, NULL) == 599);

    assert_int_equal(c3d_set_texts(&tree, "POINT", "LABELS", texts, 3, &warnings, &err), UG_OK);
    assert_null(ug_parameters_find(&tree, "POINT", "LABELS2"));
    assert_null(ug_parameters_find(&tree, "POINT", "LABELS3"));
    assert_int_equal(c3d_set_texts(&tree, "POINT", "LABELS", texts, 0, &warnings, &err), UG_OK);
    assert_int_equal(ug_parameter_string_count(ug_parameters_find(&tree, "POINT", "LABELS")), 0);
    assert_int_equal(warnings.count, 0);
    ug_text_list_destroy(texts, COUNT);
    ug_parameters_fini(&tree);
}

static void test_a_text_over_255_bytes_is_cut_and_told(void **state)
{
    (void)state;
    ug_parameters tree = { 0 };
    ug_warnings warnings = { 0 };
    ug_error err = { 0 };
    char text[301];
    memset(text, 'x', 300);
    text[300] = '\0';
    char *texts[1] = { text };
    assert_int_equal(c3d_set_texts(&tree, "POINT", "LABELS", texts, 1, &warnings, &err), UG_OK);
    assert_int_equal(ug_parameters_find(&tree, "POINT", "LABELS")->size, 255);
    assert_int_equal(ug_warnings_count(&warnings, "c3d_text_cut"), 1);
    ug_parameters_fini(&tree);
}

static void test_too_many_groups_are_refused(void **state)
{
    (void)state;
    ug_parameters tree = { 0 };
    ug_error err = { 0 };
    uint8_t *section = NULL;
    size_t blocks = 0;
    for (int i = 0; i < 128; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "G%d", i);
        assert_int_equal(c3d_set_number(&tree, name, "A", UG_PARAMETER_INT16, 1, &err), UG_OK);
    }
    assert_int_equal(c3d_parameters_format(&section, &blocks, &tree, 'I', &err), UG_E_DATA);
    assert_string_equal(err.message, "C3D holds at most 127 parameter groups, the take has 128");
    ug_parameters_fini(&tree);
}

static void test_a_parameter_longer_than_its_link_is_refused(void **state)
{
    (void)state;
    ug_parameters tree = { 0 };
    ug_error err = { 0 };
    uint8_t *section = NULL;
    size_t blocks = 0;
    const uint8_t dimensions[3] = { 255, 255, 2 };
    char *data = calloc(255 * 255 * 2, 1);
    assert_int_equal(
        ug_parameters_set(&tree, "POINT", "HUGE", UG_PARAMETER_CHAR, 3, dimensions, data, &err),
        UG_OK);
    assert_int_equal(c3d_parameters_format(&section, &blocks, &tree, 'I', &err), UG_E_DATA);
    assert_string_equal(err.message, "parameter POINT:HUGE is longer than C3D allows");
    free(data);
    ug_parameters_fini(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_in_every_order),
        cmocka_unit_test(test_locks_and_descriptions_survive),
        cmocka_unit_test(test_numbers_written_as_text_and_text_as_numbers),
        cmocka_unit_test(test_a_link_too_short_for_the_values_keeps_whole_rows),
        cmocka_unit_test(test_a_link_into_nowhere_falls_back_to_the_record),
        cmocka_unit_test(test_group_without_description_length),
        cmocka_unit_test(test_parameters_of_a_group_nobody_defines),
        cmocka_unit_test(test_an_impossible_type_ends_the_section_with_a_warning),
        cmocka_unit_test(test_set_number_keeps_type_and_shape),
        cmocka_unit_test(test_long_lists_are_split_and_shortened),
        cmocka_unit_test(test_a_text_over_255_bytes_is_cut_and_told),
        cmocka_unit_test(test_too_many_groups_are_refused),
        cmocka_unit_test(test_a_parameter_longer_than_its_link_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
