// SPDX-License-Identifier: MIT
#include "formats/yaml_tree.h"

#include "tests/support/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static ug_status parse(ug_yaml_document *d, const char *text, ug_error *err)
{
    memset(d, 0xA5, sizeof *d);
    return ug_yaml_parse(d, text, strlen(text), "f.yaml", err);
}

static void test_tree_keeps_structure_and_lines(void **state)
{
    (void)state;
    ug_yaml_document d;
    assert_int_equal(parse(&d, "# head\na: 1\nb:\n  - x\n  - {c: '~'}\n", NULL), UG_OK);
    const ug_yaml *root = &d.root;
    assert_int_equal(root->kind, UG_YAML_MAPPING);
    assert_int_equal(root->count, 2);
    assert_string_equal(root->keys[0], "a");
    assert_string_equal(root->items[0].text, "1");
    assert_int_equal(root->items[0].line, 2);
    assert_string_equal(root->items[0].file, "f.yaml");
    assert_int_equal(root->key_lines[1], 3);
    const ug_yaml *list = &root->items[1];
    assert_int_equal(list->kind, UG_YAML_SEQUENCE);
    assert_int_equal(list->count, 2);
    assert_string_equal(list->items[0].text, "x");
    assert_false(list->items[0].quoted);
    assert_int_equal(list->items[1].kind, UG_YAML_MAPPING);
    assert_int_equal(list->items[1].line, 5);
    assert_true(list->items[1].items[0].quoted);
    ug_yaml_fini(&d);
    assert_int_equal(d.root.count, 0);
}

static void test_byte_order_mark_and_crlf(void **state)
{
    (void)state;
    ug_yaml_document d;
    assert_int_equal(parse(&d,
                           "\xEF\xBB\xBF"
                           "a: 1\r\nb: 2\r\n",
                           NULL),
                     UG_OK);
    assert_string_equal(d.root.keys[0], "a");
    assert_string_equal(d.root.items[0].text, "1");
    assert_int_equal(d.root.items[1].line, 2);
    ug_yaml_fini(&d);
}

static void test_long_list_is_kept_in_order(void **state)
{
    (void)state;
    char text[4096] = "[";
    for (int i = 0; i < 300; i++) {
        char item[16];
        (void)snprintf(item, sizeof item, "%d, ", i);
        strcat(text, item);
    }
    strcat(text, "]");
    ug_yaml_document d;
    assert_int_equal(parse(&d, text, NULL), UG_OK);
    assert_int_equal(d.root.count, 300);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(atoi(d.root.items[i].text), i);
    }
    ug_yaml_fini(&d);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *message;
    } CASES[] = {
        { "", "f.yaml:1", "the file is empty" },
        { "# only a comment\n", "f.yaml:2", "the file is empty" },
        { "a: 1\nb: 2\na: 3\n", "f.yaml:3", "key 'a' stands twice, first in line 1" },
        { "a: 1\n---\nb: 2\n", "f.yaml:2", "a second document starts here; only one is read" },
        { "a: &x 1\n", "f.yaml:1",
          "anchors and aliases (&name, *name) are not read here; write the value out, or put the "
          "text in quotes" },
        { "a: 1\nb: [*x]\n", "f.yaml:2",
          "anchors and aliases (&name, *name) are not read here; write the value out, or put the "
          "text in quotes" },
        { "a: !!str 1\n", "f.yaml:1", "tags (!name) are not read here; put the text in quotes" },
        { "? [a]\n: 1\n", "f.yaml:1", "a key must be a plain text" },
        { "a: \"x\\0y\"\n", "f.yaml:1", "a text must not contain a zero byte" },
        { "[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "f.yaml:1",
          "nested too deeply for a settings file" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_yaml_document d;
        ug_error err = { 0 };
        assert_int_equal(parse(&d, CASES[i].text, &err), UG_E_FORMAT);
        assert_string_equal(err.message, CASES[i].message);
        assert_string_equal(err.where, CASES[i].where);
        assert_null(d.path);
        assert_int_equal(d.root.count, 0);
    }
}

static void test_broken_yaml_says_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where;
    } CASES[] = {
        { "a: 1\nb: [1, 2\nc: 3\n", "f.yaml:3" }, // a list never closed
        { "a: 1\n\tb: 2\n", "f.yaml:2" },         // tab indent
        { "a: 1\nb: \xFF\n", "f.yaml:1" },        // not UTF-8: libyaml knows the line roughly
        { "a: 'x\n", "f.yaml:2" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_yaml_document d;
        ug_error err = { 0 };
        assert_int_equal(parse(&d, CASES[i].text, &err), UG_E_FORMAT);
        assert_non_null(strstr(err.message, "not valid YAML: "));
        assert_string_equal(err.where, CASES[i].where);
    }
}

static void test_too_many_nodes_and_keys(void **state)
{
    (void)state;
    ug_yaml_document d;
    ug_error err = { 0 };
    const size_t size = 2 * (UG_YAML_NODES_MAX + 10);
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i += 2) {
        memcpy(text + i, i == 0 ? "[1" : ",1", 2);
    }
    text[size] = '\0';
    assert_int_equal(parse(&d, text, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "too many values for a settings file");
    char *p = text;
    for (int i = 0; i < UG_YAML_KEYS_MAX + 1; i++) {
        p += sprintf(p, "k%d: 1\n", i);
    }
    err = (ug_error){ 0 };
    assert_int_equal(parse(&d, text, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "too many keys in one mapping");
    assert_string_equal(err.where, "f.yaml:257");
    free(text);
}

static void test_read_from_file(void **state)
{
    (void)state;
    ug_yaml_document d;
    ug_error err = { 0 };
    assert_int_equal(ug_yaml_read(&d, "no_such.yaml", &err), UG_E_IO);
    assert_string_equal(err.where, "no_such.yaml");
    assert_true(test_write_text("yaml_tree.yaml", "a: 1\n? x\n"));
    assert_int_equal(ug_yaml_read(&d, "yaml_tree.yaml", NULL), UG_OK);
    assert_string_equal(d.root.keys[1], "x");
    assert_string_equal(d.root.items[1].text, "");
    ug_yaml_fini(&d);

    char *big = calloc(1, UG_YAML_BYTES_MAX + 2);
    memset(big, '\n', UG_YAML_BYTES_MAX + 1);
    err = (ug_error){ 0 };
    assert_true(test_write_bytes("yaml_tree.yaml", big, UG_YAML_BYTES_MAX + 1));
    assert_int_equal(ug_yaml_read(&d, "yaml_tree.yaml", &err), UG_E_FORMAT);
    assert_string_equal(err.message, "too large for a settings file");
    free(big);
    remove("yaml_tree.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_keeps_structure_and_lines),
        cmocka_unit_test(test_byte_order_mark_and_crlf),
        cmocka_unit_test(test_long_list_is_kept_in_order),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_broken_yaml_says_where),
        cmocka_unit_test(test_too_many_nodes_and_keys),
        cmocka_unit_test(test_read_from_file),
    };
    return cmocka_run_group_tests_name("formats/yaml_tree", tests, NULL, NULL);
}
