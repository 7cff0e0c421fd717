// SPDX-License-Identifier: MIT
// Unit and vertical of real takes with their declarations hidden: what is inferred must agree, or
// say that it cannot tell. Takes whose file declares nothing, or something else than the body
// shows, are named with what looking at them says.
#include "formats/c3d.h"
#include "formats/infer.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATHS_MAX = 256 };

static char *paths[PATHS_MAX];
static size_t path_count;

// Where the declaration is missing or contradicts the body; seen by heads, feet and floor.
static const struct {
    const char *file, *up;
} SEEN[] = { { "ezc3d_Qualisys.c3d", "+Z" },
             { "ART-Human_2persons_integer.c3d", "+Z" },
             { "nick_freeform_001.c3d", "+Y" },
             { "sample28_standing.C3D", "+Y" },
             { "sample28_dynamic.C3D", "+Y" },
             { "85_12.c3d", "+Z" },
             { "85_02.c3d", "+Z" },
             { "Standing_Hybrid_1.c3d", "+Z" },
             { "Walking_Hybrid_1_1.c3d", "+Z" },
             { "Walking_Hybrid_1_2.c3d", "+Z" },
             { "Walking_Hybrid_1_3.c3d", "+Z" },
             { "Walking_Hybrid_1_4.c3d", "+Z" },
             { "Walking_Hybrid_1_5.c3d", "+Z" },
             { "phasespace_sample.c3d", "+Z" },
             { "simi_basketball.c3d", "+Z" },
             { "simi_golf.c3d", "+Z" },
             { "Dance.c3d", "+X" },
             { "golfswing1.c3d", "+X" } };

static int collect(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)place;
    const char *dot = strrchr(path, '.');
    if (type == FTW_F && dot && strcasecmp(dot, ".c3d") == 0 && path_count < PATHS_MAX) {
        paths[path_count++] = strdup(path);
    }
    return 0;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The vertical that inference should find, in the source's own axes.
static void expected_up(char out[3], const ug_take *take, const char *file)
{
    out[0] = take->source.axes.sign[1] < 0 ? '-' : '+';
    out[1] = (char)('X' + take->source.axes.from[1]);
    out[2] = '\0';
    for (size_t i = 0; i < sizeof SEEN / sizeof SEEN[0]; i++) {
        if (strcmp(SEEN[i].file, file) == 0) {
            memcpy(out, SEEN[i].up, 3);
        }
    }
}

static void hide_labels(ug_markers *m)
{
    for (size_t i = 0; i < m->marker_count; i++) {
        m->labels[i][0] = '\0';
    }
}

typedef struct tally {
    size_t agreed, silent, checked;
} tally;

static void check(const ug_markers *m, const char *up, const char *unit, const char *file,
                  const char *how, tally *ups, tally *units)
{
    ug_inferred_frame seen;
    ug_error err = { 0 };
    ups->checked++;
    units->checked++;
    if (ug_infer_from_markers(&seen, m, true, false, &err) == UG_OK) {
        if (strcmp(seen.up, up) != 0) {
            fail_msg("%s %s: %s is up with margin %.2f, expected %s", file, how, seen.up,
                     seen.up_margin, up);
        }
        ups->agreed++;
    } else {
        assert_int_equal(err.status, UG_E_AMBIGUOUS);
        ups->silent++;
    }
    if (ug_infer_from_markers(&seen, m, false, true, NULL) == UG_OK) {
        if (strcmp(seen.unit, unit) != 0) {
            fail_msg("%s %s: the unit is %s with margin %.2f, expected %s", file, how, seen.unit,
                     seen.unit_margin, unit);
        }
        units->agreed++;
    } else {
        units->silent++;
    }
}

static bool has_body(const char *file)
{
    // a cube and four lamps are nobody
    return strcmp(file, "MyCube.c3d") != 0 && strcmp(file, "S01DB201.c3d") != 0;
}

static void test_inference_agrees_or_says_that_it_cannot_tell(void **state)
{
    (void)state;
    tally ups[2] = { 0 }, units[2] = { 0 };
    for (size_t i = 0; i < path_count; i++) {
        const char *file = base_of(paths[i]);
        ug_take take;
        ug_take_init(&take);
        const ug_read_opts opts = { .up = strstr(file, "Optotrak") ? "Y" : NULL };
        if (ug_c3d_read(&take, paths[i], &opts, NULL, NULL) != UG_OK || opts.up ||
            !has_body(file)) {
            ug_take_fini(&take);
            continue;
        }
        char up[3];
        ug_markers *m = take.markers;
        expected_up(up, &take, file);
        ug_axes_export_f32(take.source.axes, m->positions, m->frame_count * m->marker_count);
        check(m, up, take.source.unit, file, "with labels", &ups[0], &units[0]);
        hide_labels(m);
        check(m, up, take.source.unit, file, "without labels", &ups[1], &units[1]);
        ug_take_fini(&take);
    }
    for (int k = 0; k < 2; k++) {
        print_message("%s labels: vertical %zu right, %zu cannot tell; unit %zu right, %zu cannot "
                      "tell; of %zu\n",
                      k ? "without" : "with", ups[k].agreed, ups[k].silent, units[k].agreed,
                      units[k].silent, ups[k].checked);
    }
    assert_true(ups[0].checked >= 50);
    // most takes of people with names do tell
    assert_true(10 * ups[0].agreed >= 8 * ups[0].checked);
    assert_true(10 * units[0].agreed >= 8 * units[0].checked);
    assert_true(2 * ups[1].agreed >= ups[1].checked);
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        printf("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    char folder[512];
    (void)snprintf(folder, sizeof folder, "%s/data", data);
    (void)nftw(folder, collect, 16, FTW_PHYS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inference_agrees_or_says_that_it_cannot_tell),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < path_count; i++) {
        free(paths[i]);
    }
    return failed;
}
