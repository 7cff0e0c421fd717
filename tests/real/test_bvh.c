// SPDX-License-Identifier: MIT
// Every BVH of the shared data: opens with the facts known of it, stands upright, is of human size,
// and survives being written.
#include "formats/bvh.h"
#include "formats/bvh_parts.h"
#include "motion/kinematics.h"
#include "tests/support/bvh_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

static const char *data;

// What data/README.md and data/hostile/README.md say of the file.
typedef struct facts {
    const char *path;
    size_t frames, joints, end_sites, channels;
    int64_t num, den;
    const char *unit, *up;
    size_t translated;
} facts;

#define CMU "in/0.45", "+Y", 1
#define BANDAI 22, 5, 132, 30, 1, "cm", "+Y", 2

static const facts FILES[] = {
    { "bvh/cmu_01_01_cgspeed.bvh", 2752, 31, 7, 96, 120, 1, CMU },
    { "bvh/cmu_12_01_walk.bvh", 524, 31, 7, 96, 120, 1, CMU },
    { "bvh/cmu_124_01.bvh", 644, 31, 7, 96, 120, 1, CMU },
    { "bvh/cmu_16_15_imusim.bvh", 471, 29, 7, 90, 120, 1, "cm", "+Y", 1 },
    { "bvh/test_mocapbank.bvh", 455, 19, 5, 60, 30, 1, "cm", "+Y", 1 },
    { "bvh/rokoko_jesse_dance.bvh", 1007, 60, 13, 183, 100, 1, "cm", "+Y", 1 },
    { "bvh/fair1_wave_hello.bvh", 839, 27, 7, 84, 120000, 1001, "scaled", "+Z", 1 },
    { "bvh/contact_pairs/demo_3d_1_raw.bvh", 48, 31, 7, 96, 30, 1, CMU },
    { "bvh/contact_pairs/demo_3d_1_fixed.bvh", 48, 31, 7, 96, 30, 1, CMU },
    { "bvh/noncommercial_bandai/dataset-1_walk_normal_001.bvh", 195, BANDAI },
    { "bvh/noncommercial_bandai/dataset-1_walk_happy_001.bvh", 213, BANDAI },
    { "bvh/noncommercial_bandai/dataset-1_walk_giant_001.bvh", 194, BANDAI },
    { "bvh/noncommercial_bandai/dataset-1_walk_sad_001.bvh", 347, BANDAI },
    { "bvh/noncommercial_bandai/dataset-1_run_normal_001.bvh", 24, BANDAI },
    { "bvh/xia_styles/neutral_01_000.bvh", 327, 31, 7, 96, 120, 1, CMU },
    { "bvh/xia_styles/angry_13_000.bvh", 140, 31, 7, 96, 120, 1, CMU },
    { "bvh/xia_styles/old_13_000.bvh", 189, 31, 7, 96, 120, 1, CMU },
    { "bvh/xia_styles/depressed_13_000.bvh", 189, 31, 7, 96, 120, 1, CMU },
    { "hostile/bvh/deepmotion_example.bvh", 278, 31, 7, 96, 120, 1, CMU },
    { "hostile/bvh/pfnn_hierarchy.bvh", 60, 31, 7, 96, 30, 1, "m", "+Y", 1 },
};

static void read_data(ug_take *take, const char *path, const ug_read_opts *opts,
                      ug_warnings *warnings)
{
    char full[4096];
    ug_error err = { 0 };
    (void)snprintf(full, sizeof full, "%s/data/%s", data, path);
    ug_take_init(take);
    if (ug_bvh_read(take, full, opts, warnings, &err) != UG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
}

static void check_facts(const facts *f, const ug_take *take, const ug_warnings *warnings)
{
    size_t ends = 0, channels = 0;
    for (size_t j = 0; j < take->skeleton->joint_count; j++) {
        const ug_joint *joint = &take->skeleton->joints[j];
        ends += (joint->flags & UG_JOINT_END_SITE) != 0;
        for (int i = 0; i < UG_CHANNELS_MAX && joint->channels[i]; i++) {
            channels++;
        }
    }
    assert_int_equal(take->clip->frame_count, f->frames);
    assert_int_equal(take->skeleton->joint_count, f->joints + f->end_sites);
    assert_int_equal(ends, f->end_sites);
    assert_int_equal(channels, f->channels);
    assert_int_equal(take->clip->rate.num, f->num);
    assert_int_equal(take->clip->rate.den, f->den);
    assert_string_equal(take->source.unit, f->unit);
    assert_int_equal(take->clip->translated_count, f->translated);
    char axes[7];
    ug_axes_to_text(axes, take->source.axes);
    assert_memory_equal(axes + 2, f->up, 2);
    // both inferences said once, and nothing else to say
    assert_int_equal(warnings->count, 2);
    assert_int_equal(ug_warnings_count(warnings, "up_inferred"), 1);
    const bool scaled = strcmp(f->unit, "scaled") == 0;
    assert_int_equal(ug_warnings_count(warnings, scaled ? "unit_scaled" : "unit_inferred"), 1);
    ug_error err = { 0 };
    assert_int_equal(ug_skeleton_check(take->skeleton, &err), UG_OK);
}

// Over the clip the body reaches from a floor near 0 to a person's height (a jumping one's).
static void check_stature(const facts *f, const ug_take *take)
{
    ug_quat q[128];
    ug_vec3 world[128];
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < take->clip->frame_count; k++) {
        ug_clip_forward(q, world, take->skeleton, take->clip, k);
        for (size_t j = 0; j < take->skeleton->joint_count; j++) {
            low = fmin(low, world[j].y);
            high = fmax(high, world[j].y);
        }
    }
    if (low < -0.1 || low > 0.15 || high - low < 1.3 || high - low > 2.0) {
        fail_msg("%s: from %.3f m to %.3f m", f->path, low, high);
    }
}

// Angles of neighbouring rows are less than half a turn apart.
static void check_no_jumps(const char *text, const ug_take *take)
{
    bool turns[512];
    size_t count = 0;
    for (size_t j = 0; j < take->skeleton->joint_count; j++) {
        const uint8_t *channels = take->skeleton->joints[j].channels;
        for (int i = 0; i < UG_CHANNELS_MAX && channels[i]; i++) {
            turns[count++] = ug_bvh_is_rotation(channels[i]);
        }
    }
    char *p = strstr(text, "Frame Time:");
    double before[512] = { 0 };
    for (size_t f = 0; f < take->clip->frame_count; f++) {
        p = strchr(p, '\n') + 1;
        for (size_t c = 0; c < count; c++) {
            const double v = strtod(p, &p);
            if (f > 0 && turns[c] && fabs(v - before[c]) > 180.0) {
                fail_msg("frame %zu column %zu: %.3f after %.3f", f, c, v, before[c]);
            }
            before[c] = v;
        }
    }
}

static double check_round_trip(const ug_take *take)
{
    char *text = NULL, unit[40], axes[7], up[3];
    size_t size = 0;
    ug_take back;
    ug_warnings warnings = { 0 };
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(ug_bvh_print(stream, take, NULL, &warnings, NULL), UG_OK);
    fclose(stream);
    assert_int_equal(warnings.count, 0);
    ug_axes_to_text(axes, take->source.axes);
    (void)snprintf(up, sizeof up, "%.2s", axes + 2);
    (void)snprintf(unit, sizeof unit, "%.17g", take->source.unit_m);
    const ug_read_opts opts = { .unit = unit, .up = up };
    assert_int_equal(parse_text(&back, text, &opts, NULL, NULL), UG_OK);
    check_no_jumps(text, take);
    free(text);

    assert_int_equal(back.clip->frame_count, take->clip->frame_count);
    assert_int_equal(back.skeleton->joint_count, take->skeleton->joint_count);
    assert_true(ug_rate_equal(back.clip->rate, take->clip->rate));
    for (size_t j = 0; j < take->skeleton->joint_count; j++) {
        const ug_joint *a = &take->skeleton->joints[j], *b = &back.skeleton->joints[j];
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->channels, b->channels, sizeof a->channels);
        assert_int_equal(a->type, b->type);
    }
    ug_quat q[128];
    ug_vec3 x[128], y[128];
    double worst = 0.0;
    for (size_t f = 0; f < take->clip->frame_count; f++) {
        ug_clip_forward(q, x, take->skeleton, take->clip, f);
        ug_clip_forward(q, y, back.skeleton, back.clip, f);
        for (size_t j = 0; j < take->skeleton->joint_count; j++) {
            worst = fmax(worst, ug_vec3_distance(x[j], y[j]));
        }
    }
    ug_take_fini(&back);
    return worst / ug_skeleton_size_m(take->skeleton);
}

static void test_every_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        ug_take take;
        ug_warnings warnings = { 0 };
        read_data(&take, FILES[i].path, NULL, &warnings);
        check_facts(&FILES[i], &take, &warnings);
        check_stature(&FILES[i], &take);
        const double worst = check_round_trip(&take);
        print_message("%-56s %.1e of the size after a round trip\n", FILES[i].path, worst);
        assert_true(worst < 1e-6);
        ug_take_fini(&take);
    }
}

// The root of an AMC take is the BVH's, in metres: 1/0.45 inch a unit. This holds the inferred unit
// to another file of the same motion.
static void compare_root(const char *bvh, const char *amc, size_t first_frame, double tolerance_m)
{
    char path[4096], line[512];
    ug_take take;
    read_data(&take, bvh, NULL, NULL);
    (void)snprintf(path, sizeof path, "%s/data/asfamc/%s", data, amc);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t frame = first_frame;
    const double scale = 0.0254 / 0.45;
    while (fgets(line, sizeof line, f)) {
        ug_vec3 root;
        if (sscanf(line, "root %lf %lf %lf", &root.x, &root.y, &root.z) == 3) {
            assert_true(frame < take.clip->frame_count);
            ASSERT_VEC3(ug_clip_translations(take.clip, frame)[0], root.x * scale, root.y * scale,
                        root.z * scale, tolerance_m);
            frame++;
        }
    }
    fclose(f);
    assert_int_equal(frame, take.clip->frame_count);
    ug_take_fini(&take);
}

static void test_units_against_amc(void **state)
{
    (void)state;
    compare_root("bvh/cmu_16_15_imusim.bvh", "16_15.amc", 0, 3e-5);  // its converter is 24 µm off
    compare_root("bvh/cmu_01_01_cgspeed.bvh", "01_01.amc", 1, 5e-6); // behind a T pose
}

static void refuse(const char *path, const ug_read_opts *opts)
{
    ug_take take;
    ug_error err = { 0 };
    char full[4096];
    (void)snprintf(full, sizeof full, "%s/data/%s", data, path);
    ug_take_init(&take);
    assert_int_equal(ug_bvh_read(&take, full, opts, NULL, &err), UG_E_AMBIGUOUS);
    assert_string_equal(err.where, full);
    assert_non_null(strstr(err.message, "no body with head and feet shows it: say it with --u"));
    assert_null(take.skeleton);
}

static void test_what_is_no_body_asks(void **state)
{
    (void)state;
    static const facts NO_BODY[] = {
        { "hostile/bvh/sinusoidal.bvh", 120, 4, 0, 15, 60, 1, "m", "+Y", 1 },
        // 23.976 Hz, not 24000/1001
        { "hostile/bvh/full_precision_frame_time.bvh", 3, 2, 1, 9, 2997, 125, "cm", "+Y", 1 },
    };
    for (int i = 0; i < 2; i++) {
        refuse(NO_BODY[i].path, NULL);
        refuse(NO_BODY[i].path, &(ug_read_opts){ .unit = "cm" });
        refuse(NO_BODY[i].path, &(ug_read_opts){ .up = "+Y" });
        const ug_read_opts opts = { .unit = NO_BODY[i].unit, .up = NO_BODY[i].up };
        ug_take take;
        ug_warnings warnings = { 0 };
        read_data(&take, NO_BODY[i].path, &opts, &warnings);
        assert_int_equal(warnings.count, 0);
        assert_int_equal(take.clip->frame_count, NO_BODY[i].frames);
        assert_int_equal(take.skeleton->joint_count, NO_BODY[i].joints + NO_BODY[i].end_sites);
        assert_int_equal(take.clip->rate.num, NO_BODY[i].num);
        assert_int_equal(take.clip->rate.den, NO_BODY[i].den);
        assert_true(check_round_trip(&take) < 1e-6);
        ug_take_fini(&take);
    }
}

int main(void)
{
    data = getenv("UGOKI_DATA");
    if (!data || !*data) {
        printf("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_file),
        cmocka_unit_test(test_units_against_amc),
        cmocka_unit_test(test_what_is_no_body_asks),
    };
    return cmocka_run_group_tests_name("real/bvh", tests, NULL, NULL);
}
