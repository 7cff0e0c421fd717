// SPDX-License-Identifier: MIT
// Takes of other people, read and written by us, in the eyes of three.js.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/three.h"

static char folder[4096];
static const char *data;

// three.js adds position channels to OFFSET. Absolute positions agree as long as only roots have
// them; where every joint repeats its OFFSET (Bandai) the file must be written relative.
static const struct {
    const char *path;
    bool offset_add;
} FILES[] = {
    { "cmu_12_01_walk.bvh", false },
    { "cmu_16_15_imusim.bvh", false },
    { "rokoko_jesse_dance.bvh", false },
    { "fair1_wave_hello.bvh", false },
    { "test_mocapbank.bvh", true },
    { "noncommercial_bandai/dataset-1_run_normal_001.bvh", true },
};

static void test_three_agrees(void **state)
{
    (void)state;
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/ug_real_three_%ld.bvh", (long)getpid());
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char full[4096];
        ug_take take;
        ug_error err = { 0 };
        (void)snprintf(full, sizeof full, "%s/data/bvh/%s", data, FILES[i].path);
        ug_take_init(&take);
        if (ug_bvh_read(&take, full, NULL, NULL, &err) != UG_OK) {
            fail_msg("%s: %s", err.where, err.message);
        }
        const double worst = three_distance(&take, path, FILES[i].offset_add, folder);
        print_message("%-52s %.1e of the size\n", FILES[i].path, worst);
        assert_true(worst < 1e-4);
        ug_take_fini(&take);
    }
    unlink(path);
}

int main(void)
{
    data = getenv("UGOKI_DATA");
    if (!data || !*data) {
        printf("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    three_folder(folder, __FILE__);
    if (!three_is_here(folder)) {
        return 77;
    }
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_three_agrees) };
    return cmocka_run_group_tests_name("real/bvh_three", tests, NULL, NULL);
}
