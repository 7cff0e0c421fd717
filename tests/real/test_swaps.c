// SPDX-License-Identifier: MIT
// Exchanged labels in takes of other people: $UGOKI_DATA/cases/gaps and data.
//
// Exchanges made on purpose in the complete takes, those that are really there, and takes that are
// right, of which not a bit may change.
#include "formats/format.h"
#include "tests/support/markers.h"
#include "tests/support/swap_run.h"

static char root[3000];

static ug_markers *read_take(const char *name)
{
    char path[4096];
    ug_take take;
    ug_take_init(&take);
    snprintf(path, sizeof path, "%s/%s", root, name);
    ug_error err = { 0 };
    if (ug_format_read(&take, path, &(ug_read_opts){ 0 }, NULL, &err) != UG_OK) {
        fail_msg("%s: %s", path, err.message);
    }
    ug_markers *m = take.markers;
    take.markers = NULL;
    ug_take_fini(&take);
    assert_non_null(m);
    return m;
}

static const char *const CASES[] = { "cmu135_02", "cmu85_12", "hdm_mm0102", "jyu_dance1" };

static void check_injected(size_t ring, size_t count, double noise_m)
{
    swap_score sum = { 0 };
    for (size_t t = 0; t < sizeof CASES / sizeof *CASES; t++) {
        char name[100];
        snprintf(name, sizeof name, "cases/gaps/takes/%s.csv", CASES[t]);
        ug_markers *truth = read_take(name);
        swap_score of_take = { 0 };
        for (uint64_t seed = 0; seed < 10; seed++) {
            ug_markers *m = ug_markers_copy(truth);
            const swap_score score = run_injected(m, seed, noise_m, count, ring);
            add_score(&of_take, &score);
            ug_markers_destroy(m);
        }
        print_score(CASES[t], &of_take);
        add_score(&sum, &of_take);
        ug_markers_destroy(truth);
    }
    print_score("all", &sum);
    assert_score(&sum, ring);
}

static void test_pairs(void **state)
{
    (void)state;
    check_injected(2, 18, 0.0);
}

static void test_pairs_with_noise(void **state)
{
    (void)state;
    check_injected(2, 18, 0.0005);
}

static void test_rings_of_three(void **state)
{
    (void)state;
    check_injected(3, 9, 0.0);
}

static void test_right_takes_are_left_alone(void **state)
{
    (void)state;
    static const char *const RIGHT[] = {
        "cases/gaps/takes/cmu135_02.csv",
        "cases/gaps/takes/cmu85_12.csv",
        "cases/gaps/takes/hdm_mm0102.csv",
        "cases/gaps/takes/jyu_dance1.csv",
        "data/c3d/cmu/85_02.c3d",
        "data/c3d/cmu/85_12.c3d",
        "data/c3d/cmu/cmu_02_05.c3d",
        "data/c3d/functional/FunctionalStatic.c3d",
        "data/c3d/functional/FunctionalWalk.c3d",
        "data/c3d/encodings_eb015/Eb015si.c3d",
        "data/c3d/upper_body/markers_analogs.c3d",
        "data/c3d/upper_body/shd01.c3d",
        "data/c3d/sample28_dynamic.C3D",
        "data/c3d/sample28_standing.C3D",
        "data/c3d/Sample_Jump2.c3d",
        "data/c3d/evart.c3d",
        "data/c3d/unlabelled/PiG_Motion-FlatFoot-Hole.c3d",
        "data/c3d/ART-Human_2persons_integer.c3d",
        "data/trc/motion_capture_run.trc",
        "data/trc/cmu_02_05_markers.trc",
        "data/trc/hamner/subject02_running.trc",
        "data/trc/motek/MOTEK_ballet_reduced.trc",
        "data/trc/subject4/squats1.trc",
    };
    for (size_t i = 0; i < sizeof RIGHT / sizeof *RIGHT; i++) {
        ug_markers *m = read_take(RIGHT[i]), *before = ug_markers_copy(m);
        ug_swaps swaps;
        assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
        if (!same_markers(before, m)) {
            fail_msg("%s was changed", RIGHT[i]);
        }
        ug_swaps_fini(&swaps);
        ug_markers_destroy(before);
        ug_markers_destroy(m);
    }
}

static void assert_swap(const ug_swap *s, const ug_markers *m, const char *a, const char *b,
                        size_t first, size_t last)
{
    assert_int_equal(s->outcome, UG_SWAP_REPAIRED);
    assert_int_equal(s->count, 2);
    assert_string_equal(m->labels[s->markers[0]], a);
    assert_string_equal(m->labels[s->markers[1]], b);
    assert_int_equal(s->first, first);
    assert_int_equal(s->last, last);
}

// Distances to LTH3 and LTH4, which are with them on the thigh, say on which side they are wrong.
static void test_complexknee(void **state)
{
    (void)state;
    ug_markers *m = read_take("data/c3d/complexknee/2022_01_0403.c3d");
    ug_swaps swaps;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
    assert_int_equal(swaps.count, 2);
    assert_swap(&swaps.items[0], m, "LTH1", "LTH2", 194, 800);
    assert_swap(&swaps.items[1], m, "LTH1", "LTH2", 904, 935);
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
}

// AddBiomechanics relabelled L_HJC and L_HJC_reg in these frames (AddBiomechanics_README.txt beside
// the take: "Relabeled L_HJC_reg as L_HJC on frame …"); its r_thigh3 and r_thigh5 are at 10 … 13.
static void test_subject4(void **state)
{
    (void)state;
    ug_markers *m = read_take("data/trc/subject4/walkingTS2.trc");
    ug_swaps swaps;
    assert_int_equal(ug_swaps_find(&swaps, m, NULL, NULL, NULL), UG_OK);
    size_t made = 0;
    for (size_t i = 0; i < swaps.count; i++) {
        const ug_swap *s = &swaps.items[i];
        if (s->outcome != UG_SWAP_REPAIRED) {
            continue;
        }
        switch (made++) {
        case 0:
            assert_swap(s, m, "r_thigh3", "r_thigh5", 10, 13);
            break;
        case 1:
            assert_swap(s, m, "L_HJC", "L_HJC_reg", 135, 135);
            break;
        default:
            assert_swap(s, m, "L_HJC", "L_HJC_reg", 138, 138);
        }
    }
    assert_int_equal(made, 3);
    ug_swaps_fini(&swaps);
    ug_markers_destroy(m);
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data) {
        puts("skipped: UGOKI_DATA is not set");
        return 77;
    }
    snprintf(root, sizeof root, "%s", data);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complexknee),
        cmocka_unit_test(test_subject4),
        cmocka_unit_test(test_right_takes_are_left_alone),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_pairs_with_noise),
        cmocka_unit_test(test_rings_of_three),
    };
    return cmocka_run_group_tests_name("real/swaps", tests, NULL, NULL);
}
