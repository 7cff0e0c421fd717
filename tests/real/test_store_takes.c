// SPDX-License-Identifier: MIT
// Every take of other people that a reader accepts ($UGOKI_DATA/data) goes through the store and
// comes back with the same bits, plain, compressed and as a foreign file.
#include "formats/format.h"
#include "formats/store.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/full_take.h"
#include "tests/support/h5_edit.h"

static const char PATH[] = "real_store_takes.h5";
static const char FOREIGN[] = "real_store_takes_foreign.h5";

static struct {
    size_t files, unreadable, bytes;
    double write_s, read_s;
} tally;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void assert_comes_back(const ug_take *take, const char *stored, const char *path)
{
    ug_take back;
    ug_error err = { 0 };
    ug_take_init(&back);
    const double begin = now_s();
    if (ug_store_read(&back, stored, UG_PART_ALL, NULL, &err) != UG_OK) {
        fail_msg("%s: %s", path, err.message);
    }
    tally.read_s += now_s() - begin;
    const char *what = full_take_difference(take, &back);
    if (what) {
        fail_msg("%s: differs in %s", path, what);
    }
    ug_take_fini(&back);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)at;
    if (type != FTW_F || st->st_size > 20 << 20 || !ug_format_detect(path)) {
        return 0;
    }
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    if (ug_format_read(&take, path, &(ug_read_opts){ .unit = "mm", .up = "+Z" }, NULL, &err) !=
        UG_OK) {
        tally.unreadable++;
        return 0;
    }
    tally.files++;
    for (int compress = 0; compress < 2; compress++) {
        const double begin = now_s();
        if (ug_store_write(PATH, &take, UG_PART_ALL, &(ug_store_opts){ .compress = compress },
                           &err) != UG_OK) {
            fail_msg("%s: %s", path, err.message);
        }
        tally.write_s += now_s() - begin;
        assert_comes_back(&take, PATH, path);
    }
    if (tally.files % 8 == 1) {
        strip_block(FOREIGN, PATH);
        assert_comes_back(&take, FOREIGN, path);
    }
    ug_take_fini(&take);
    return 0;
}

static void test_every_take_comes_back(void **state)
{
    const char *data = *state;
    assert_int_equal(nftw(data, visit, 16, FTW_PHYS), 0);
    print_message("%zu takes came back, %zu files are not readable; written in %.1f s, read in "
                  "%.1f s\n",
                  tally.files, tally.unreadable, tally.write_s, tally.read_s);
    assert_true(tally.files >= 50);
}

int main(void)
{
    const char *root = getenv("UGOKI_DATA");
    static char data[4096];
    if (!root) {
        print_message("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    (void)snprintf(data, sizeof data, "%s/data", root);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_every_take_comes_back, data),
    };
    const int failed = cmocka_run_group_tests_name("real/store_takes", tests, NULL, NULL);
    (void)remove(PATH);
    (void)remove(FOREIGN);
    return failed;
}
