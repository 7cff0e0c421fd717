// SPDX-License-Identifier: MIT
// Unit tests for pipeline/serve/guard.c.
#include "pipeline/serve/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_hosts_and_origins(void **state)
{
    (void)state;
    ug_guard g;
    assert_true(ug_guard_init(&g, 8123));
    assert_true(ug_guard_host(&g, "127.0.0.1:8123"));
    assert_true(ug_guard_host(&g, "localhost:8123"));
    static const char *const HOSTS[] = { "",
                                         "127.0.0.1",
                                         "localhost",
                                         "127.0.0.1:812",
                                         "127.0.0.1:81234",
                                         "127.0.0.1:8124",
                                         "127.0.0.1:8123.evil.example",
                                         "evil.example:8123",
                                         "[::1]:8123",
                                         "0.0.0.0:8123" };
    assert_false(ug_guard_host(&g, NULL));
    for (size_t i = 0; i < sizeof HOSTS / sizeof HOSTS[0]; i++) {
        char origin[64];
        (void)snprintf(origin, sizeof origin, "http://%s", HOSTS[i]);
        assert_false(ug_guard_host(&g, HOSTS[i]));
        assert_false(ug_guard_origin(&g, origin));
    }
    assert_true(ug_guard_origin(&g, NULL)); // a page's own GET has none
    assert_true(ug_guard_origin(&g, "http://127.0.0.1:8123"));
    assert_true(ug_guard_origin(&g, "http://localhost:8123"));
    assert_false(ug_guard_origin(&g, "null"));
    assert_false(ug_guard_origin(&g, ""));
    assert_false(ug_guard_origin(&g, "https://127.0.0.1:8123"));
    assert_false(ug_guard_origin(&g, "127.0.0.1:8123"));
}

static void test_tokens(void **state)
{
    (void)state;
    ug_guard a, b;
    assert_true(ug_guard_init(&a, 1) && ug_guard_init(&b, 65535));
    assert_int_equal(strlen(a.token), 32);
    assert_int_equal(strspn(a.token, "0123456789abcdef"), 32);
    assert_string_not_equal(a.token, b.token);
    assert_string_equal(b.hosts[1], "localhost:65535");
    assert_true(ug_guard_token(&a, a.token));
    assert_false(ug_guard_token(&a, b.token));
    assert_false(ug_guard_token(&a, NULL));
    assert_false(ug_guard_token(&a, ""));
    char wrong[64];
    for (size_t i = 0; i < 32; i++) { // every digit counts
        (void)snprintf(wrong, sizeof wrong, "%s", a.token);
        wrong[i] = wrong[i] == '0' ? '1' : '0';
        assert_false(ug_guard_token(&a, wrong));
    }
    (void)snprintf(wrong, sizeof wrong, "%s0", a.token);
    assert_false(ug_guard_token(&a, wrong));
    (void)snprintf(wrong, sizeof wrong, "%.31s", a.token);
    assert_false(ug_guard_token(&a, wrong));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts_and_origins),
        cmocka_unit_test(test_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
