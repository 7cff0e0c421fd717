// SPDX-License-Identifier: MIT
// Unit tests for formats/store.c and the parts: what goes in comes out, bit for bit.
#include "formats/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/full_take.h"

#include <hdf5.h>

static const char *const PATH = "unit_store.h5";
static const char *const OTHER = "unit_store_other.h5";

static void assert_same(const ug_take *a, const ug_take *b)
{
    const char *what = full_take_difference(a, b);
    if (what) {
        fail_msg("takes differ in %s", what);
    }
}

static void read_all(ug_take *take, const char *path)
{
    ug_error err = { 0 };
    ug_warnings warnings = { 0 };
    ug_take_init(take);
    if (ug_store_read(take, path, UG_PART_ALL, &warnings, &err) != UG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    assert_int_equal(warnings.count, 0);
}

static void write_all(const char *path, const ug_take *take, unsigned parts,
                      const ug_store_opts *opts)
{
    ug_error err = { 0 };
    if (ug_store_write(path, take, parts, opts, &err) != UG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
}

static void test_full_take_round_trips(void **state)
{
    (void)state;
    for (int compress = 0; compress < 2; compress++) {
        ug_take take, back;
        full_take_init(&take, 1);
        write_all(PATH, &take, UG_PART_ALL, &(ug_store_opts){ .compress = compress });
        assert_int_equal(ug_store_probe(PATH), UG_STORE_SEALED);
        read_all(&back, PATH);
        assert_same(&take, &back);
        ug_take_fini(&back);
        ug_take_fini(&take);
    }
    remove(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_take_round_trips),
    };
    (void)OTHER;
    return cmocka_run_group_tests_name("formats/store", tests, NULL, NULL);
}
