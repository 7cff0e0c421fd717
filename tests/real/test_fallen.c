// SPDX-License-Identifier: MIT
// Markers that fall to the floor in takes of other people: $UGOKI_DATA/cases/gaps.
#include "formats/format.h"
#include "solvers/fallen.h"

#include "datasets/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static char root[3000];

static void test_to_the_floor(void **state)
{
    (void)state;
    static const char *const CASES[] = { "cmu135_02", "cmu85_12", "hdm_mm0102", "jyu_dance1" };
    size_t made = 0, found = 0, near = 0, wrong = 0;
    for (size_t t = 0; t < sizeof CASES / sizeof *CASES; t++) {
        char path[4096];
        ug_take take;
        ug_take_init(&take);
        snprintf(path, sizeof path, "%s/cases/gaps/takes/%s.csv", root, CASES[t]);
        assert_int_equal(ug_format_read(&take, path, &(ug_read_opts){ 0 }, NULL, NULL), UG_OK);
        for (uint64_t seed = 0; seed < 20; seed++) {
            ug_markers *m = ug_markers_copy(take.markers);
            ug_random r = ug_random_make(seed, 11);
            const size_t marker = (size_t)ug_random_below(&r, m->marker_count);
            const size_t from = (size_t)((double)m->frame_count * ug_random_range(&r, 0.3, 0.8));
            ug_vec3 floor = ug_markers_position_m(m, from, marker);
            floor.y = 0.0;
            for (size_t f = from; f < m->frame_count; f++) {
                ug_markers_set_m(m, f, marker, floor, UG_ORIGIN_PRESENT | UG_ORIGIN_MEASURED);
            }
            ug_fallen fallen;
            assert_int_equal(ug_fallen_find(&fallen, m, NULL, NULL), UG_OK);
            made++;
            for (size_t i = 0; i < fallen.count; i++) {
                const bool hit = fallen.items[i].marker == marker;
                const size_t f = fallen.items[i].frame;
                found += hit;
                wrong += !hit;
                near += hit && f <= from + 12 && from <= f + 12;
            }
            ug_fallen_fini(&fallen);
            ug_markers_destroy(m);
        }
        ug_take_fini(&take);
    }
    print_message("fallen: %zu of %zu, %zu within 12 frames, %zu wrong\n", found, made, near,
                  wrong);
    assert_int_equal(wrong, 0);
    // the rest lie on the floor at a distance that the marker had before, too, or comes by again
    assert_true(4 * found >= made);
    assert_true(10 * near >= 8 * found);
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    snprintf(root, sizeof root, "%s", data);
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_to_the_floor) };
    return cmocka_run_group_tests_name("real/fallen", tests, NULL, NULL);
}
