// SPDX-License-Identifier: MIT
// Unit tests for formats/bvh_write.c and bvh_layout.c: what is written reads back as the same
// motion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/bvh_parts.h"
#include "motion/kinematics.h"
#include "motion/text.h"
#include "tests/support/bvh_text.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOINTS_MAX = 64 };

static double random_signed(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 2.0 * (double)(*seed >> 11) * 0x1p-53 - 1.0;
}

// The text of a take; free() it.
static char *print(const ug_take *take, const ug_write_opts *opts, ug_warnings *warnings)
{
    // static: the stream keeps their addresses, which worries the compiler
    static char *text;
    static size_t size;
    ug_error err = { 0 };
    text = NULL;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    const ug_status status = ug_bvh_print(stream, take, opts, warnings, &err);
    fclose(stream);
    if (status != UG_OK) {
        fail_msg("%s", err.message);
    }
    return text;
}

// A branching skeleton with arbitrary rest rotations, moved at random but smoothly.
static void make_take(ug_take *take, size_t joints, size_t frames, ug_rate rate)
{
    uint64_t seed = 5;
    ug_take_init(take);
    take->skeleton = ug_skeleton_create(joints);
    for (size_t j = 0; j < joints; j++) {
        ug_joint *joint = &take->skeleton->joints[j];
        joint->name = ug_text_format("joint %zu", j);
        joint->parent = j < 2 ? (int)j - 1 : (int)(j * 5 / 7 - 1); // several leaves
        joint->offset_m = (ug_vec3){ 0.3 * random_signed(&seed), 0.3 * random_signed(&seed), 0.2 };
        joint->rest = ug_quat_exp(
            (ug_vec3){ random_signed(&seed), random_signed(&seed), random_signed(&seed) });
    }
    take->clip = ug_clip_create(frames, joints, &(int){ 0 }, 1, rate);
    for (size_t f = 0; f < frames; f++) {
        const double t = 0.05 * (double)f;
        ug_clip_translations(take->clip, f)[0] = (ug_vec3){ sin(t), 1.0 + 0.1 * cos(t), 3.0 * t };
        for (size_t j = 0; j < joints; j++) {
            const ug_vec3 v = { 3.0 * sin(t + (double)j), 2.0 * sin(1.7 * t + 2.0 * (double)j),
                                2.5 * cos(0.9 * t + 3.0 * (double)j) };
            ug_clip_rotations(take->clip, f)[j] =
                ug_quat_mul(take->skeleton->joints[j].rest, ug_quat_exp(v));
        }
    }
}

static double worst_distance(const ug_take *a, const ug_take *b)
{
    ug_quat q[JOINTS_MAX];
    ug_vec3 x[JOINTS_MAX], y[JOINTS_MAX];
    double worst = 0.0;
    assert_int_equal(a->clip->frame_count, b->clip->frame_count);
    assert_int_equal(a->skeleton->joint_count, b->skeleton->joint_count);
    for (size_t f = 0; f < a->clip->frame_count; f++) {
        ug_clip_forward(q, x, a->skeleton, a->clip, f);
        ug_clip_forward(q, y, b->skeleton, b->clip, f);
        for (size_t j = 0; j < a->skeleton->joint_count; j++) {
            const int k = ug_skeleton_find(b->skeleton, a->skeleton->joints[j].name);
            assert_true(k >= 0);
            worst = fmax(worst, ug_vec3_distance(x[j], y[k]));
        }
    }
    return worst / ug_skeleton_size_m(a->skeleton);
}

// Euler angles of neighbouring rows differ by less than half a turn.
static void assert_no_jumps(const char *text)
{
    const char *p = strstr(text, "Frame Time:");
    assert_non_null(p);
    double before[4 * JOINTS_MAX];
    int columns = 0;
    for (int row = 0; (p = strchr(p, '\n')) && p[1]; row++) {
        p++;
        char *stop;
        for (int c = 0; *p != '\n'; c++) {
            const double v = strtod(p, &stop);
            assert_ptr_not_equal(stop, p);
            assert_true(c < 4 * JOINTS_MAX && (row == 0 || c < columns));
            if (row > 0 && c >= 3 && fabs(v - before[c]) > 180.0) {
                fail_msg("row %d column %d: %.3f after %.3f", row, c, v, before[c]);
            }
            before[c] = v;
            columns = row == 0 ? c + 1 : columns;
            p = stop;
        }
    }
}

static void test_round_trip_in_every_frame_of_reference(void **state)
{
    (void)state;
    static const char *const UNITS[] = { "m", "cm", "mm", "in/0.45", NULL };
    static const char *const UPS[] = { "+Y", "+Z", "-X", "+Z", NULL };
    ug_take take, back;
    make_take(&take, 20, 200, ug_rate_make(30000, 1001));
    for (int i = 0; i < 5; i++) {
        const ug_write_opts wo = { .unit = UNITS[i], .up = UPS[i] };
        const ug_read_opts ro = { .unit = UNITS[i] ? UNITS[i] : "cm",
                                  .up = UPS[i] ? UPS[i] : "+Y" };
        ug_warnings warnings = { 0 };
        char *text = print(&take, &wo, &warnings);
        assert_int_equal(warnings.count, 0);
        assert_int_equal(parse_text(&back, text, &ro, &warnings, NULL), UG_OK);
        assert_int_equal(warnings.count, 0);
        assert_true(worst_distance(&take, &back) < 1e-6);
        assert_true(ug_rate_equal(back.clip->rate, take.clip->rate));
        assert_no_jumps(text);
        ug_take_fini(&back);
        free(text);
    }
    ug_take_fini(&take);
}

static void test_own_channels_come_back(void **state)
{
    (void)state;
    const char text[] =
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Zrotation Xposition Yrotation Zposition Xrotation Yposition\n"
        "JOINT B\n{\nOFFSET 0 10 0\nCHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation "
        "Zrotation\n"
        "JOINT C\n{\nOFFSET 0 20 0\nCHANNELS 0\n"
        "JOINT D\n{\nOFFSET 0 20 0\nCHANNELS 2 Yrotation Xrotation\n"
        "JOINT E\n{\nOFFSET 0 20 0\nCHANNELS 4 Zrotation Xscale Yscale Zscale\n"
        "End Site\n{\nOFFSET 1 2 3\n}\n}\n}\n}\n}\n}\n"
        "ROOT F\n{\nOFFSET 1 2 3\nCHANNELS 1 Yposition\n}\n"
        "MOTION\nFrames: 3\nFrame Time: 0.041667\n"
        "10 1 20 3 30 2 0 10 0 1 2 3 -120 95 45 1 1 1 7\n"
        "11 1 21 3 31 2 0 10 0 4 5 6 170 -100 -100 1 1 1 8\n"
        "12 1 22 3 32 2 0 10 0 7 8 9 -170 -110 200 1 1 1 9\n";
    ug_take take, back;
    ug_warnings warnings = { 0 };
    assert_int_equal(parse_text(&take, text, &IN_METRES, &warnings, NULL), UG_OK);
    char *written = print(&take, NULL, &warnings);
    assert_int_equal(warnings.count, 0);
    assert_int_equal(parse_text(&back, written, &IN_METRES, &warnings, NULL), UG_OK);
    assert_true(worst_distance(&take, &back) < 1e-9);
    for (size_t j = 0; j < take.skeleton->joint_count; j++) {
        const ug_joint *a = &take.skeleton->joints[j], *b = &back.skeleton->joints[j];
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->channels, b->channels, sizeof a->channels);
        assert_int_equal(a->type, b->type);
        assert_int_equal(a->flags, b->flags);
    }
    assert_no_jumps(written);
    assert_non_null(strstr(written, "Frame Time: 0.04166667\n"));
    // no jump: -120 is followed by -190, not by 170; 95 by 260, not by -100
    assert_non_null(strstr(written, "\n12.000000 1.000000"));
    assert_non_null(strstr(written, "-170.000000 250.000000 -160.000000"));
    ug_take_fini(&back);
    ug_take_fini(&take);
    free(written);
}

static void test_channels_grow_where_they_must(void **state)
{
    (void)state;
    ug_take take, back;
    make_take(&take, 6, 20, ug_rate_make(120, 1));
    take.skeleton->joints[2].channels[0] = UG_CHANNEL_X_ROTATION; // one turn cannot say it
    take.skeleton->joints[3].channels[0] = UG_CHANNEL_Z_ROTATION; // repeated: no way back
    take.skeleton->joints[3].channels[1] = UG_CHANNEL_X_ROTATION;
    take.skeleton->joints[3].channels[2] = UG_CHANNEL_Z_ROTATION;
    take.skeleton->joints[3].channels[3] = UG_CHANNEL_Y_SCALE;
    ug_warnings warnings = { 0 };
    char *text = print(&take, NULL, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "bvh_channels_changed"), 2);
    assert_string_equal(warnings.items[0].first,
                        "joint 'joint 3': its rotation cannot be written with the channels it had");
    assert_non_null(strstr(text, "CHANNELS 4 Zrotation Xrotation Yrotation Yscale\n"));
    const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
    assert_int_equal(parse_text(&back, text, &opts, NULL, NULL), UG_OK);
    assert_true(worst_distance(&take, &back) < 1e-6);
    ug_take_fini(&back);
    ug_take_fini(&take);
    free(text);
}

static void test_translated_joint_gets_positions(void **state)
{
    (void)state;
    ug_take take, back;
    make_take(&take, 5, 10, ug_rate_make(60, 1));
    ug_clip *moving = ug_clip_create(10, 5, (int[]){ 0, 3 }, 2, ug_rate_make(60, 1));
    memcpy(moving->rotations, take.clip->rotations, 50 * sizeof *moving->rotations);
    for (int f = 0; f < 10; f++) {
        ug_clip_translations(moving, (size_t)f)[1] = (ug_vec3){ 0.1 * f, 0.2, -0.05 * f };
    }
    ug_clip_destroy(take.clip);
    take.clip = moving;
    for (int add = 0; add < 2; add++) {
        const ug_write_opts wo = { .bvh_offset_add = add };
        const ug_read_opts ro = { .unit = "cm", .up = "+Y", .bvh_offset_add = add };
        ug_warnings warnings = { 0 };
        char *text = print(&take, &wo, &warnings);
        assert_int_equal(warnings.count, 0);
        assert_int_equal(parse_text(&back, text, &ro, NULL, NULL), UG_OK);
        assert_true(worst_distance(&take, &back) < 1e-6);
        assert_int_equal(back.clip->translated_count, 2);
        ug_take_fini(&back);
        free(text);
    }
    ug_take_fini(&take);
}

// With OFFSET 0 a root stands where its channels say, whether a program adds or replaces.
static void test_root_offset_reads_both_ways(void **state)
{
    (void)state;
    ug_take take, replaced, added;
    make_take(&take, 4, 5, ug_rate_make(60, 1));
    char *text = print(&take, NULL, NULL);
    ug_read_opts opts = { .unit = "cm", .up = "+Y" };
    assert_int_equal(parse_text(&replaced, text, &opts, NULL, NULL), UG_OK);
    opts.bvh_offset_add = true;
    assert_int_equal(parse_text(&added, text, &opts, NULL, NULL), UG_OK);
    assert_true(worst_distance(&take, &replaced) < 1e-6);
    assert_true(worst_distance(&take, &added) < 1e-6);
    ug_take_fini(&replaced);
    ug_take_fini(&added);
    free(text);

    // asked to add, the OFFSET stands and the channels are relative
    const ug_write_opts wo = { .bvh_offset_add = true, .unit = "m" };
    text = print(&take, &wo, NULL);
    opts = (ug_read_opts){ .unit = "m", .up = "+Y", .bvh_offset_add = true };
    assert_int_equal(parse_text(&added, text, &opts, NULL, NULL), UG_OK);
    const ug_vec3 o = take.skeleton->joints[0].offset_m;
    ASSERT_VEC3(added.skeleton->joints[0].offset_m, o.x, o.y, o.z, 1e-7);
    assert_true(worst_distance(&take, &added) < 1e-6);
    ug_take_fini(&added);
    ug_take_fini(&take);
    free(text);
}

// First angles of Zrot Xrot Yrot on the way to the pole, resting on it, turning there, and beyond.
static void polar_angles(double angles_rad[3], int frame)
{
    const double turning = frame < 200 ? 0.0 : frame < 300 ? frame - 200 : 100.0;
    const double before = fmin(frame, 100), after = fmax(frame - 300, 0);
    angles_rad[0] = (1.5 * before + turning - 0.7 * after) * UG_DEG;
    angles_rad[1] = (80.0 + 0.1 * before + 0.2 * after) * UG_DEG;
    angles_rad[2] = (-2.0 * before + turning + 0.5 * after) * UG_DEG;
}

static void test_gimbal_lock_does_not_jump(void **state)
{
    (void)state;
    enum { FRAMES = 400 };
    const int axes[3] = { 2, 0, 1 };
    for (int side = -1; side <= 1; side += 2) {
        ug_take take, back;
        make_take(&take, 2, FRAMES, ug_rate_make(60, 1));
        for (int f = 0; f < FRAMES; f++) {
            double angles[3];
            polar_angles(angles, f);
            angles[1] *= side;
            angles[2] *= side; // a + c turns at +90°, a − c at −90°
            // either sign is the same rotation, and rounding must not matter
            const ug_quat q = ug_quat_from_euler(axes, angles, 3);
            ug_clip_rotations(take.clip, (size_t)f)[0] = f % 3 ? q : ug_quat_negate(q);
            ug_clip_rotations(take.clip, (size_t)f)[1] = UG_QUAT_IDENTITY;
        }
        char *text = print(&take, NULL, NULL);
        const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
        assert_int_equal(parse_text(&back, text, &opts, NULL, NULL), UG_OK);
        assert_true(worst_distance(&take, &back) < 1e-7);
        char *p = strstr(text, "Frame Time:");
        double before[9] = { 0 };
        for (int f = 0; f < FRAMES; f++) {
            p = strchr(p, '\n') + 1;
            for (int c = 0; c < 9; c++) {
                const double v = strtod(p, &p);
                if (f > 0 && c >= 3 && c < 6 && fabs(v - before[c]) > 2.1) {
                    fail_msg("frame %d channel %d: %.4f after %.4f", f, c, v, before[c]);
                }
                before[c] = v;
            }
        }
        ug_take_fini(&back);
        ug_take_fini(&take);
        free(text);
    }
}

static void test_every_rate_comes_back(void **state)
{
    (void)state;
    static const ug_rate RATES[] = { { 1, 1 },          { 24, 1 },        { 24000, 1001 },
                                     { 25, 1 },         { 30000, 1001 },  { 60000, 1001 },
                                     { 120, 1 },        { 120000, 1001 }, { 107527, 1000 },
                                     { 650533, 10000 }, { 2997, 125 },    { 10000, 83 },
                                     { 1000, 7 },       { 1, 60 },        { 100000, 1 },
                                     { 500000, 4171 },  { 11025, 128 },   { 999, 10 } };
    for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++) {
        ug_take take, back;
        ug_warnings warnings = { 0 };
        make_take(&take, 2, 1, RATES[i]);
        char *text = print(&take, NULL, &warnings);
        const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
        assert_int_equal(parse_text(&back, text, &opts, NULL, NULL), UG_OK);
        assert_int_equal(warnings.count, 0);
        assert_int_equal(back.clip->rate.num, RATES[i].num);
        assert_int_equal(back.clip->rate.den, RATES[i].den);
        ug_take_fini(&back);
        ug_take_fini(&take);
        free(text);
    }
    ug_take take;
    ug_warnings warnings = { 0 };
    make_take(&take, 2, 1, ug_rate_make(123456789012347, 1000000000007));
    free(print(&take, NULL, &warnings));
    assert_int_equal(ug_warnings_count(&warnings, "bvh_rate_rounded"), 1);
    ug_take_fini(&take);
}

// Order and names: children of one joint may be scattered; names that BVH cannot hold are changed.
static void test_scattered_joints_and_odd_names(void **state)
{
    (void)state;
    ug_take take, back;
    make_take(&take, 6, 3, ug_rate_make(60, 1));
    static const int PARENTS[] = { -1, 0, 0, 1, 2, 1 };
    static const char *const NAMES[] = { " a ",
                                         "b{c",
                                         "",
                                         "line\nbreak",
                                         "k:\xC3\xBC"
                                         "1",
                                         "plain" };
    for (int j = 0; j < 6; j++) {
        take.skeleton->joints[j].parent = PARENTS[j];
        free(take.skeleton->joints[j].name);
        take.skeleton->joints[j].name = ug_text_copy(NAMES[j]);
    }
    take.skeleton->joints[3].flags = UG_JOINT_END_SITE; // a leaf: written as one
    take.skeleton->joints[3].type = UG_JOINT_FIXED;
    take.skeleton->joints[2].flags = UG_JOINT_END_SITE; // has a child: cannot be one
    ug_warnings warnings = { 0 };
    char *text = print(&take, NULL, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "bvh_name_changed"), 3);
    const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
    assert_int_equal(parse_text(&back, text, &opts, NULL, NULL), UG_OK);
    static const char *const ORDER[] = { "_a_",
                                         "b_c",
                                         "b_c_end",
                                         "plain",
                                         "_",
                                         "k:\xC3\xBC"
                                         "1" };
    static const int FROM[] = { 0, 1, 3, 5, 2, 4 };
    for (size_t j = 0; j < 6; j++) {
        assert_string_equal(back.skeleton->joints[j].name, ORDER[j]);
    }
    ug_quat q[6];
    ug_vec3 x[6], y[6];
    ug_clip_forward(q, x, take.skeleton, take.clip, 2);
    ug_clip_forward(q, y, back.skeleton, back.clip, 2);
    for (int j = 0; j < 6; j++) {
        ASSERT_VEC3(y[j], x[FROM[j]].x, x[FROM[j]].y, x[FROM[j]].z, 1e-7);
    }
    ug_take_fini(&back);
    ug_take_fini(&take);
    free(text);
}

static void test_without_motion_the_rest_pose(void **state)
{
    (void)state;
    ug_take take, back;
    ug_warnings warnings = { 0 };
    make_take(&take, 8, 1, ug_rate_make(60, 1));
    ug_clip_destroy(take.clip);
    take.clip = NULL;
    char *text = print(&take, NULL, &warnings);
    assert_int_equal(ug_warnings_count(&warnings, "bvh_rest_pose"), 1);
    const ug_read_opts opts = { .unit = "cm", .up = "+Y" };
    assert_int_equal(parse_text(&back, text, &opts, NULL, NULL), UG_OK);
    assert_int_equal(back.clip->frame_count, 1);
    ug_quat q[8];
    ug_vec3 x[8], y[8];
    ug_rest_forward(q, x, take.skeleton);
    ug_clip_forward(q, y, back.skeleton, back.clip, 0);
    for (int j = 0; j < 8; j++) {
        const int k = ug_skeleton_find(back.skeleton, take.skeleton->joints[j].name);
        assert_true(k >= 0);
        ASSERT_VEC3(y[k], x[j].x, x[j].y, x[j].z, 1e-7);
    }
    ug_take_fini(&back);
    ug_take_fini(&take);
    free(text);
}

static void test_decimals_and_no_frames(void **state)
{
    (void)state;
    ug_take take;
    make_take(&take, 2, 0, ug_rate_make(60, 1));
    take.skeleton->joints[0].offset_m = (ug_vec3){ -0.000001, 0.12345, 12.0 };
    take.skeleton->joints[1].offset_m = (ug_vec3){ -0.000001, 0.12345, 1e20 };
    const ug_write_opts opts = { .decimals = 2 };
    char *text = print(&take, &opts, NULL);
    assert_non_null(strstr(text, "OFFSET 0.00 0.00 0.00\n"));
    assert_non_null(strstr(text, "OFFSET 0.00 12.35 1e+22\n")); // no "-0.00"
    assert_non_null(strstr(text, "MOTION\nFrames: 0\nFrame Time: 0.01666667\n"));
    ug_take_fini(&take);
    free(text);
}

static void refuse(const ug_take *take, const ug_write_opts *opts, ug_status status,
                   const char *message)
{
    const char *const path = "test_bvh_write_refused.bvh";
    FILE *old = fopen(path, "wb");
    fputs("old", old);
    fclose(old);
    ug_error err = { 0 };
    assert_int_equal(ug_bvh_write(path, take, opts, NULL, &err), status);
    assert_string_equal(err.message, message);
    assert_string_equal(err.where, path);
    char text[8] = "";
    old = fopen(path, "rb");
    assert_int_equal(fread(text, 1, sizeof text, old), 3); // untouched
    fclose(old);
    assert_string_equal(text, "old");
    unlink(path);
}

static void test_refusals(void **state)
{
    (void)state;
    ug_take take;
    ug_take_init(&take);
    refuse(&take, NULL, UG_E_NOT_ENOUGH, "there is no skeleton to write as BVH: solve first");
    make_take(&take, 3, 4, ug_rate_make(60, 1));
    ug_write_opts opts = { .unit = "ell" };
    refuse(&take, &opts, UG_E_USAGE,
           "'ell' is not a unit; write m, cm, mm, in, in/0.45 or metres as a number");
    opts = (ug_write_opts){ .up = "Q" };
    refuse(&take, &opts, UG_E_USAGE, "'Q' is not an axis; write +X, -X, +Y, -Y, +Z or -Z");
    take.clip->rate = (ug_rate){ 0, 0 };
    refuse(&take, NULL, UG_E_DATA, "the frame rate is not known");
    take.clip->rate = ug_rate_make(60, 1);
    ug_clip_rotations(take.clip, 2)[1].x = NAN;
    refuse(&take, NULL, UG_E_DATA,
           "frame 2, joint 'joint 1': its rotation is not finite or not unit");
    ug_clip_rotations(take.clip, 2)[1] = UG_QUAT_IDENTITY;
    ug_clip_translations(take.clip, 3)->y = INFINITY;
    refuse(&take, NULL, UG_E_DATA,
           "frame 3, joint 'joint 0': its translation is not finite or not unit");
    ug_clip_translations(take.clip, 3)->y = 0.0;
    take.skeleton->joints[2].offset_m.x = NAN;
    refuse(&take, NULL, UG_E_DATA, "joint 'joint 2': offset is not finite");
    take.skeleton->joints[2].offset_m.x = 0.0;
    take.clip->joint_count = 2;
    refuse(&take, NULL, UG_E_DATA, "motion of 2 joints, skeleton of 3");
    take.clip->joint_count = 3;
    ug_error err = { 0 };
    assert_int_equal(ug_bvh_write("no_such_folder/x.bvh", &take, NULL, NULL, &err), UG_E_WRITE);
    assert_string_equal(err.message, "cannot be written: No such file or directory");
    err = (ug_error){ 0 };
    struct stat st;
    if (stat("/dev/full", &st) == 0) { // what a full disk says, at the end of the stream
        FILE *full = fopen("/dev/full", "wb");
        assert_int_equal(ug_bvh_print(full, &take, NULL, NULL, &err), UG_OK);
        assert_true(fflush(full) != 0 || ferror(full));
        fclose(full);
    }
    ug_take_fini(&take);

    make_take(&take, UG_BVH_DEPTH_MAX + 1, 0, ug_rate_make(60, 1));
    for (size_t j = 0; j < take.skeleton->joint_count; j++) {
        take.skeleton->joints[j].parent = (int)j - 1;
    }
    refuse(&take, NULL, UG_E_DATA, "joint 'joint 512' is nested more than 512 deep");
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip_in_every_frame_of_reference),
        cmocka_unit_test(test_own_channels_come_back),
        cmocka_unit_test(test_channels_grow_where_they_must),
        cmocka_unit_test(test_translated_joint_gets_positions),
        cmocka_unit_test(test_root_offset_reads_both_ways),
        cmocka_unit_test(test_gimbal_lock_does_not_jump),
        cmocka_unit_test(test_every_rate_comes_back),
        cmocka_unit_test(test_scattered_joints_and_odd_names),
        cmocka_unit_test(test_without_motion_the_rest_pose),
        cmocka_unit_test(test_decimals_and_no_frames),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("formats/bvh_write", tests, NULL, NULL);
}
