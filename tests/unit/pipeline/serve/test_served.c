// SPDX-License-Identifier: MIT
// Unit tests for pipeline/serve/served.c.
#include "pipeline/serve/server_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/full_take.h"

// Any piece is that piece of the whole, in whichever order pieces are asked for.
static void test_every_piece_of_a_scene(void **state)
{
    (void)state;
    ug_take take;
    full_take_init(&take, 1);
    ug_scene *scene = ug_scene_create(&take, "x", UG_SCENE_FLOAT32, 4, NULL);
    assert_non_null(scene);
    const size_t bytes = ug_scene_record_bytes(scene), count = ug_scene_record_count(scene);
    const size_t all = bytes * count;
    uint8_t *whole = malloc(all), *piece = malloc(all + 1);
    ug_scene_pack(whole, scene, 0, count);
    ug_served served = { .scene = scene,
                         .bytes = all,
                         .record_bytes = bytes,
                         .record = malloc(bytes),
                         .held = SIZE_MAX };
    const size_t sizes[] = { 0, 1, 3, bytes - 1, bytes, bytes + 1, 2 * bytes, 3 * bytes + 7, all };
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t at = 0; at + sizes[s] <= all; at++) {
            memset(piece, 0xa5, all + 1);
            ug_served_read(piece, &served, at, sizes[s]);
            assert_memory_equal(piece, whole + at, sizes[s]);
            assert_int_equal(piece[sizes[s]], 0xa5); // and not a byte more
        }
    }
    free(served.record);
    free(whole);
    free(piece);
    ug_scene_destroy(scene);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_piece_of_a_scene) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
