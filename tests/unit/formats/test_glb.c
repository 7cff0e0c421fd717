// SPDX-License-Identifier: MIT
// Unit tests for formats/glb_write.c and its parts: every file is parsed back.
#include "formats/glb.h"

#include "formats/glb_parts.h"
#include "motion/kinematics.h"
#include "motion/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/glb_file.h"

static const char PATH[] = "test_glb.glb";
static const ug_vec3 X = { 1, 0, 0 };

// root "Hüfte:1" (turned at rest) -> "arm" -> its End Site; "prop" is a second root if asked for.
static ug_skeleton *make_skeleton(size_t joints)
{
    static const char *const NAMES[] = { "H\xc3\xbc"
                                         "fte:1",
                                         "arm \"x\"", "arm_end", "prop" };
    ug_skeleton *s = ug_skeleton_create(joints);
    assert_non_null(s);
    for (size_t j = 0; j < joints; j++) {
        s->joints[j].name = j < 4 ? ug_text_copy(NAMES[j]) : ug_text_format("j%zu", j);
        s->joints[j].offset_m = (ug_vec3){ 0.1, 0.5 + 0.1 * (double)j, -0.2 };
    }
    s->joints[0].rest = ug_quat_from_axis_angle((ug_vec3){ 1, 2, 3 }, 0.7);
    s->joints[0].role = UG_ROLE_PELVIS;
    if (joints > 2) {
        s->joints[2].type = UG_JOINT_FIXED;
        s->joints[2].flags = UG_JOINT_END_SITE;
    }
    if (joints == 4) {
        s->joints[3].parent = -1;
    }
    return s;
}

// Everything turns and the root moves, except End Sites, which rest.
static ug_clip *make_clip(const ug_skeleton *s, size_t frames, ug_rate rate)
{
    ug_clip *clip = ug_clip_create(frames, s->joint_count, (int[]){ 0 }, 1, rate);
    assert_non_null(clip);
    for (size_t f = 0; f < frames; f++) {
        for (size_t j = 0; j < s->joint_count; j++) {
            const double turn = 0.05 * (double)(f * (j + 1));
            const bool rests = s->joints[j].flags & UG_JOINT_END_SITE;
            ug_clip_rotations(clip, f)[j] =
                rests ? s->joints[j].rest
                      : ug_quat_mul(s->joints[j].rest, ug_quat_from_axis_angle(X, turn));
        }
        ug_clip_translations(clip, f)[0] = (ug_vec3){ 0.1 * (double)f, 1.0, -0.3 };
    }
    return clip;
}

// One triangle on joint 0, one vertex shared with the last joint.
static ug_mesh *make_mesh(const ug_skeleton *s, size_t vertices)
{
    ug_mesh *mesh = ug_mesh_create(vertices, 1);
    assert_non_null(mesh);
    for (size_t v = 0; v < vertices; v++) {
        mesh->positions_m[v] =
            (ug_vec3){ 0.1 * (double)(v % 7), 1.0 / 3.0, -0.7 * (double)(v % 3) };
        mesh->normals[v] = (ug_vec3){ 0, 0, 1 };
        mesh->skin[v] = (ug_mesh_skin){ { 0 }, { 1.0f } };
    }
    mesh->skin[1] = ug_mesh_skin_make((uint32_t[]){ 0, (uint32_t)s->joint_count - 1 },
                                      (double[]){ 0.7, 0.3 }, 2);
    for (uint32_t k = 0; k < 3; k++) {
        mesh->triangles[0][k] = k;
    }
    mesh->triangles[0][2] = (uint32_t)vertices - 1;
    return mesh;
}

static ug_take make_take(size_t joints, size_t frames, ug_rate rate)
{
    ug_take take;
    ug_take_init(&take);
    take.skeleton = make_skeleton(joints);
    take.clip = frames > 0 ? make_clip(take.skeleton, frames, rate) : NULL;
    return take;
}

static glb_file write_and_open(const ug_take *take, const ug_write_opts *opts,
                               ug_warnings *warnings)
{
    ug_error err = { 0 };
    if (ug_glb_write(PATH, take, opts, warnings, &err) != UG_OK) {
        fail_msg("%s: %s", err.where, err.message);
    }
    return glb_open(PATH);
}

static ug_quat node_rotation(const cJSON *node)
{
    const cJSON *r = cJSON_GetObjectItem(node, "rotation");
    return r ? (ug_quat){ .x = cJSON_GetArrayItem(r, 0)->valuedouble,
                          .y = cJSON_GetArrayItem(r, 1)->valuedouble,
                          .z = cJSON_GetArrayItem(r, 2)->valuedouble,
                          .w = cJSON_GetArrayItem(r, 3)->valuedouble }
             : UG_QUAT_IDENTITY;
}

static ug_vec3 node_translation(const cJSON *node)
{
    const cJSON *t = glb_at(node, "translation");
    return (ug_vec3){ cJSON_GetArrayItem(t, 0)->valuedouble, cJSON_GetArrayItem(t, 1)->valuedouble,
                      cJSON_GetArrayItem(t, 2)->valuedouble };
}

// ---- nodes

static void test_nodes_are_the_joints_at_rest(void **state)
{
    (void)state;
    ug_take take = make_take(3, 5, (ug_rate){ 30, 1 });
    glb_file g = write_and_open(&take, &(ug_write_opts){ .program = "ugoki 9.8.7" }, NULL);
    assert_string_equal(glb_string(glb_at(g.json, "asset"), "version"), "2.0");
    assert_string_equal(glb_string(glb_at(g.json, "asset"), "generator"), "ugoki 9.8.7");
    assert_int_equal(cJSON_GetArraySize(glb_at(g.json, "nodes")), 3);
    for (size_t j = 0; j < 3; j++) {
        const cJSON *node = glb_item(&g, "nodes", j);
        const ug_joint *joint = &take.skeleton->joints[j];
        assert_string_equal(glb_string(node, "name"), joint->name);
        assert_true(ug_vec3_distance(node_translation(node), joint->offset_m) < 1e-8);
        assert_true(ug_quat_angle(node_rotation(node), joint->rest) < 1e-7);
    }
    const cJSON *children = glb_at(glb_item(&g, "nodes", 1), "children");
    assert_int_equal(cJSON_GetArraySize(children), 1);
    assert_int_equal(cJSON_GetArrayItem(children, 0)->valueint, 2);
    assert_string_equal(glb_string(glb_at(glb_item(&g, "nodes", 0), "extras"), "role"), "pelvis");
    assert_true(cJSON_IsTrue(glb_at(glb_at(glb_item(&g, "nodes", 2), "extras"), "end_site")));
    assert_null(cJSON_GetObjectItem(g.json, "skins")); // no mesh was given
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_names_that_are_no_utf8_are_read_as_latin1(void **state)
{
    (void)state;
    ug_take take = make_take(2, 2, (ug_rate){ 30, 1 });
    free(take.skeleton->joints[1].name);
    take.skeleton->joints[1].name = ug_text_copy("\xe9paule\t1");
    glb_file g = write_and_open(&take, NULL, NULL);
    assert_string_equal(glb_string(glb_item(&g, "nodes", 1), "name"), "\xc3\xa9paule\t1");
    glb_close(&g);
    ug_take_fini(&take);
}

// A skin's joints need one node above them all.
static void test_several_roots_get_a_common_node(void **state)
{
    (void)state;
    ug_take take = make_take(4, 3, (ug_rate){ 30, 1 });
    ug_mesh *mesh = make_mesh(take.skeleton, 3);
    glb_file g = write_and_open(&take, &(ug_write_opts){ .mesh = mesh }, NULL);
    const cJSON *group = glb_item(&g, "nodes", 4), *roots = glb_at(group, "children");
    assert_int_equal(cJSON_GetArraySize(roots), 2);
    assert_int_equal(cJSON_GetArrayItem(roots, 0)->valueint, 0);
    assert_int_equal(cJSON_GetArrayItem(roots, 1)->valueint, 3);
    assert_int_equal((int)glb_number(glb_item(&g, "skins", 0), "skeleton"), 4);
    const cJSON *top = glb_at(glb_item(&g, "scenes", 0), "nodes");
    assert_int_equal(cJSON_GetArraySize(top), 2);
    assert_int_equal(cJSON_GetArrayItem(top, 0)->valueint, 4);
    assert_int_equal(cJSON_GetArrayItem(top, 1)->valueint, 5);
    glb_close(&g);
    ug_mesh_destroy(mesh);
    ug_take_fini(&take);
}

// ---- skin

// inverse bind · rest world = identity, from the file's own nodes
static void test_inverse_binds_undo_the_rest_pose(void **state)
{
    (void)state;
    ug_take take = make_take(3, 4, (ug_rate){ 30, 1 });
    ug_mesh *mesh = make_mesh(take.skeleton, 3);
    glb_file g = write_and_open(&take, &(ug_write_opts){ .mesh = mesh }, NULL);
    const cJSON *skin = glb_item(&g, "skins", 0);
    assert_int_equal(cJSON_GetArraySize(glb_at(skin, "joints")), 3);
    assert_int_equal((int)glb_number(skin, "skeleton"), 0);
    glb_values m = glb_read(&g, (size_t)glb_number(skin, "inverseBindMatrices"));
    assert_int_equal(m.count, 3);
    ug_quat q[3];
    ug_vec3 at[3];
    ug_rest_forward(q, at, take.skeleton);
    for (size_t j = 0; j < 3; j++) {
        const double *c = m.at + 16 * j; // by columns
        const ug_vec3 local = { 0.3, -0.2, 0.9 };
        const ug_vec3 p = ug_vec3_add(at[j], ug_quat_rotate(q[j], local));
        const ug_vec3 back = { c[0] * p.x + c[4] * p.y + c[8] * p.z + c[12],
                               c[1] * p.x + c[5] * p.y + c[9] * p.z + c[13],
                               c[2] * p.x + c[6] * p.y + c[10] * p.z + c[14] };
        assert_true(ug_vec3_distance(back, local) < 1e-6);
        assert_true(c[3] == 0.0 && c[7] == 0.0 && c[11] == 0.0 && c[15] == 1.0);
    }
    const cJSON *node = glb_item(&g, "nodes", 3);
    assert_int_equal((int)glb_number(node, "skin"), 0);
    assert_null(cJSON_GetObjectItem(node, "translation"));
    assert_null(cJSON_GetObjectItem(node, "rotation"));
    free(m.at);
    glb_close(&g);
    ug_mesh_destroy(mesh);
    ug_take_fini(&take);
}

static const cJSON *primitive_of(const glb_file *g)
{
    return cJSON_GetArrayItem(glb_at(glb_item(g, "meshes", 0), "primitives"), 0);
}

static void test_vertices_come_back(void **state)
{
    (void)state;
    ug_take take = make_take(3, 0, (ug_rate){ 0, 0 });
    ug_mesh *mesh = make_mesh(take.skeleton, 5);
    glb_file g = write_and_open(&take, &(ug_write_opts){ .mesh = mesh }, NULL);
    const cJSON *attributes = glb_at(primitive_of(&g), "attributes");
    const size_t position = (size_t)glb_number(attributes, "POSITION");
    (void)glb_at(glb_item(&g, "accessors", position), "max"); // glTF asks for it
    glb_values p = glb_read(&g, position);
    glb_values j = glb_read(&g, (size_t)glb_number(attributes, "JOINTS_0"));
    glb_values w = glb_read(&g, (size_t)glb_number(attributes, "WEIGHTS_0"));
    assert_int_equal(p.count, 5);
    assert_int_equal(j.type, 5121);
    for (size_t v = 0; v < 5; v++) {
        assert_true(p.at[3 * v + 1] == (double)(float)(1.0 / 3.0));
        double sum = 0.0;
        for (size_t k = 0; k < 4; k++) {
            assert_true(j.at[4 * v + k] == mesh->skin[v].joints[k]);
            assert_true(w.at[4 * v + k] == (double)mesh->skin[v].weights[k]);
            sum += w.at[4 * v + k];
        }
        assert_true(fabs(sum - 1.0) < 1e-7);
    }
    const size_t view = (size_t)glb_number(glb_item(&g, "accessors", position), "bufferView");
    assert_int_equal((int)glb_number(glb_item(&g, "bufferViews", view), "target"), 34962);
    glb_values t = glb_read(&g, (size_t)glb_number(primitive_of(&g), "indices"));
    assert_int_equal(t.type, 5123);
    assert_true(t.count == 3 && t.at[0] == 0 && t.at[1] == 1 && t.at[2] == 4);
    free(p.at);
    free(j.at);
    free(w.at);
    free(t.at);
    glb_close(&g);
    ug_mesh_destroy(mesh);
    ug_take_fini(&take);
}

// 256 joints fit a byte, 257 do not; index 65535 of a 16-bit mesh would restart the primitive.
static void test_numbers_get_wider_when_they_must(void **state)
{
    (void)state;
    static const struct {
        size_t joints, vertices;
        int joint_type, index_type;
    } CASES[] = { { 256, 65535, 5121, 5123 }, { 257, 65536, 5123, 5125 } };
    for (size_t i = 0; i < 2; i++) {
        ug_take take = make_take(CASES[i].joints, 0, (ug_rate){ 0, 0 });
        ug_mesh *mesh = make_mesh(take.skeleton, CASES[i].vertices);
        glb_file g = write_and_open(&take, &(ug_write_opts){ .mesh = mesh }, NULL);
        const cJSON *attributes = glb_at(primitive_of(&g), "attributes");
        glb_values j = glb_read(&g, (size_t)glb_number(attributes, "JOINTS_0"));
        glb_values t = glb_read(&g, (size_t)glb_number(primitive_of(&g), "indices"));
        assert_int_equal(j.type, CASES[i].joint_type);
        assert_int_equal(t.type, CASES[i].index_type);
        assert_true(j.at[5] == (double)CASES[i].joints - 1.0);
        assert_true(t.at[2] == (double)CASES[i].vertices - 1.0);
        free(j.at);
        free(t.at);
        glb_close(&g);
        ug_mesh_destroy(mesh);
        ug_take_fini(&take);
    }
}

// ---- animation

static void test_keys_are_the_frames(void **state)
{
    (void)state;
    ug_take take = make_take(3, 200, (ug_rate){ 60, 1 });
    for (size_t f = 0; f < 200; f += 3) { // the same rotations, signs at odds
        ug_quat *q = ug_clip_rotations(take.clip, f);
        q[1] = ug_quat_negate(q[1]);
    }
    glb_file g = write_and_open(&take, NULL, NULL);
    for (size_t j = 0; j < 2; j++) {
        const cJSON *sampler = glb_sampler(&g, j, "rotation");
        assert_non_null(sampler);
        assert_string_equal(glb_string(sampler, "interpolation"), "LINEAR");
        glb_values t = glb_times(&g, sampler);
        glb_values q = glb_read(&g, (size_t)glb_number(sampler, "output"));
        assert_int_equal(q.count, 200);
        for (size_t f = 0; f < 200; f++) {
            const double *k = q.at + 4 * f;
            assert_true(t.at[f] == (double)(float)((double)f / 60.0));
            const ug_quat here = { .x = k[0], .y = k[1], .z = k[2], .w = k[3] };
            assert_true(fabs(ug_quat_dot(here, here) - 1.0) < 1e-6);
            assert_true(ug_quat_angle(here, ug_clip_rotations(take.clip, f)[j]) < 1e-6);
            assert_true(f == 0 || k[-4] * k[0] + k[-3] * k[1] + k[-2] * k[2] + k[-1] * k[3] > 0.0);
        }
        free(t.at);
        free(q.at);
    }
    assert_null(glb_sampler(&g, 2, "rotation")); // an End Site stays as its node is
    assert_null(glb_sampler(&g, 1, "translation"));
    const cJSON *moves = glb_sampler(&g, 0, "translation");
    glb_values v = glb_read(&g, (size_t)glb_number(moves, "output"));
    assert_true(v.width == 3 && fabs(v.at[3 * 199] - 19.9) < 1e-5);
    free(v.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// S19: a take that starts at frame 4001 starts at 0 s; its number is kept beside.
static void test_times_start_at_zero_whatever_the_first_frame(void **state)
{
    (void)state;
    ug_take take = make_take(3, 240, (ug_rate){ 240, 1 });
    take.clip->first_frame = 4001;
    glb_file g = write_and_open(&take, NULL, NULL);
    glb_values t = glb_times(&g, glb_sampler(&g, 0, "rotation"));
    assert_int_equal(t.count, 240);
    assert_true(t.at[239] == (double)(float)(239.0 / 240.0));
    const cJSON *extras = glb_at(glb_item(&g, "scenes", 0), "extras");
    assert_int_equal((int)glb_number(extras, "first_frame"), 4001);
    assert_int_equal((int)glb_number(extras, "rate_num"), 240);
    const cJSON *beside = glb_at(glb_item(&g, "animations", 0), "extras");
    assert_int_equal((int)glb_number(beside, "first_frame"), 4001);
    free(t.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// S19: long clips at high and at fractional rates.
static void test_times_of_long_clips_increase(void **state)
{
    (void)state;
    static const struct {
        size_t frames;
        ug_rate rate;
    } CASES[] = { { 70000, { 1000, 1 } },
                  { 100000, { 120000, 1001 } },
                  { 100000, { 107527, 1000 } } };
    for (size_t i = 0; i < 3; i++) {
        ug_take take = make_take(1, CASES[i].frames, CASES[i].rate);
        ug_warnings warnings = { 0 };
        glb_file g = write_and_open(&take, NULL, &warnings);
        glb_values t = glb_times(&g, glb_sampler(&g, 0, "rotation"));
        assert_int_equal(t.count, CASES[i].frames);
        assert_int_equal(ug_warnings_count(&warnings, "glb_frames_merged"), 0);
        free(t.at);
        glb_close(&g);
        ug_take_fini(&take);
    }
}

// Past 2^23 frames float32 may not tell neighbours apart: one key for those of one time, said so.
static void test_frames_of_one_time_are_one_key(void **state)
{
    (void)state;
    const size_t frames = 8600000;
    float *times = malloc(frames * sizeof *times);
    size_t *kept = malloc(frames * sizeof *kept), count = 0;
    assert_true(times && kept);
    ug_warnings warnings = { 0 };
    ug_glb_key_times(times, kept, &count, (ug_rate){ 1031, 1 }, frames, &warnings);
    assert_true(count < frames && count > frames - 10000);
    assert_int_equal(ug_warnings_count(&warnings, "glb_frames_merged"), frames - count);
    assert_non_null(strstr(warnings.items[0].first, "1031/1 Hz"));
    size_t first = 0; // frame that has no key
    while (kept[first] == first) {
        first++;
    }
    char words[32];
    (void)snprintf(words, sizeof words, "frame %zu ", first);
    assert_non_null(strstr(warnings.items[0].first, words));
    assert_true((float)((double)first / 1031.0) == (float)((double)(first - 1) / 1031.0));
    for (size_t k = 1; k < count; k++) {
        if (!(times[k] > times[k - 1]) || kept[k] <= kept[k - 1] || kept[k] >= frames) {
            fail_msg("key %zu at %.9g s is frame %zu", k, (double)times[k], kept[k]);
        }
    }
    free(times);
    free(kept);
}

static void test_constant_channels_hold_to_the_end(void **state)
{
    (void)state;
    ug_take take = make_take(3, 50, (ug_rate){ 25, 1 });
    const ug_quat turned = ug_quat_from_axis_angle(X, 1.0);
    for (size_t f = 0; f < 50; f++) {
        ug_clip_rotations(take.clip, f)[1] = f % 2 ? turned : ug_quat_negate(turned);
    }
    glb_file g = write_and_open(&take, &(ug_write_opts){ .cubic = true }, NULL);
    const cJSON *sampler = glb_sampler(&g, 1, "rotation");
    glb_values t = glb_times(&g, sampler);
    glb_values q = glb_read(&g, (size_t)glb_number(sampler, "output"));
    assert_int_equal(t.count, 2);
    assert_true(t.at[1] == (double)(float)(49.0 / 25.0));
    assert_string_equal(glb_string(sampler, "interpolation"), "LINEAR");
    for (size_t k = 0; k < 2; k++) {
        const ug_quat here = { q.at[4 * k + 3], q.at[4 * k], q.at[4 * k + 1], q.at[4 * k + 2] };
        assert_true(ug_quat_angle(here, turned) < 1e-6);
    }
    free(t.at);
    free(q.at);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_a_clip_at_rest_still_lasts(void **state)
{
    (void)state;
    ug_take take = make_take(3, 26, (ug_rate){ 25, 1 });
    for (size_t f = 0; f < 26; f++) {
        for (size_t j = 0; j < 3; j++) {
            ug_clip_rotations(take.clip, f)[j] = take.skeleton->joints[j].rest;
        }
        ug_clip_translations(take.clip, f)[0] = take.skeleton->joints[0].offset_m;
    }
    glb_file g = write_and_open(&take, NULL, NULL);
    glb_values t = glb_times(&g, glb_sampler(&g, 0, "translation"));
    assert_true(t.count == 2 && t.at[1] == 1.0);
    free(t.at);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_one_frame_is_one_key(void **state)
{
    (void)state;
    ug_take take = make_take(3, 1, (ug_rate){ 30, 1 });
    ug_clip_rotations(take.clip, 0)[1] = ug_quat_from_axis_angle(X, 0.4);
    glb_file g = write_and_open(&take, &(ug_write_opts){ .cubic = true }, NULL);
    const cJSON *sampler = glb_sampler(&g, 1, "rotation");
    glb_values t = glb_times(&g, sampler);
    assert_int_equal(t.count, 1);
    assert_string_equal(glb_string(sampler, "interpolation"), "LINEAR"); // cubic needs two keys
    free(t.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// glTF 2.0 appendix C: Hermite basis, tangents times the step.
static double hermite(const double *out, size_t width, size_t key, size_t c, double u, double step)
{
    const double *a = out + 3 * key * width, *b = a + 3 * width;
    const double p0 = a[width + c], m0 = step * a[2 * width + c];
    const double p1 = b[width + c], m1 = step * b[c];
    return (2 * u * u * u - 3 * u * u + 1) * p0 + (u * u * u - 2 * u * u + u) * m0 +
           (3 * u * u - 2 * u * u * u) * p1 + (u * u * u - u * u) * m1;
}

// Of a steady turn the spline is the turn itself, at the keys and between them.
static void test_cubic_splines_follow_a_steady_turn(void **state)
{
    (void)state;
    ug_take take = make_take(2, 40, (ug_rate){ 50, 1 });
    for (size_t f = 0; f < 40; f++) { // 8.6 degrees a frame, past a half turn, signs at odds
        const ug_quat q = ug_quat_from_axis_angle((ug_vec3){ 0, 1, 1 }, 0.15 * (double)f);
        ug_clip_rotations(take.clip, f)[1] = f % 5 == 3 ? ug_quat_negate(q) : q;
    }
    glb_file g = write_and_open(&take, &(ug_write_opts){ .cubic = true }, NULL);
    const cJSON *sampler = glb_sampler(&g, 1, "rotation");
    assert_string_equal(glb_string(sampler, "interpolation"), "CUBICSPLINE");
    glb_values t = glb_times(&g, sampler);
    glb_values q = glb_read(&g, (size_t)glb_number(sampler, "output"));
    assert_int_equal(t.count, 40);
    assert_int_equal(q.count, 120);
    for (size_t f = 1; f + 2 < 40; f++) { // the ends have one-sided tangents
        for (double u = 0.0; u < 1.0; u += 0.125) {
            double v[4];
            for (size_t c = 0; c < 4; c++) {
                v[c] = hermite(q.at, 4, f, c, u, t.at[f + 1] - t.at[f]);
            }
            const ug_quat here = { v[3], v[0], v[1], v[2] };
            const ug_quat there =
                ug_quat_from_axis_angle((ug_vec3){ 0, 1, 1 }, 0.15 * ((double)f + u));
            assert_true(fabs(ug_quat_dot(here, here) - 1.0) < 1e-4);
            assert_true(ug_quat_angle(ug_quat_normalize(here), there) < 2e-4);
        }
    }
    for (size_t f = 0; f < 40; f++) { // in- and out-tangent agree and lie across the quaternion
        const double *k = q.at + 12 * f;
        double along = 0.0;
        for (size_t c = 0; c < 4; c++) {
            assert_true(k[c] == k[8 + c]);
            along += k[c] * k[4 + c];
        }
        assert_true(fabs(along) < 1e-5);
    }
    free(t.at);
    free(q.at);
    glb_close(&g);
    ug_take_fini(&take);
}

// ---- what is missing

static void test_frames_without_a_pose_hold_the_last(void **state)
{
    (void)state;
    ug_take take = make_take(3, 10, (ug_rate){ 30, 1 });
    const ug_quat nothing = { NAN, NAN, NAN, NAN };
    for (size_t f = 4; f < 7; f++) {
        ug_clip_rotations(take.clip, f)[1] = nothing;
    }
    ug_clip_rotations(take.clip, 0)[0] = (ug_quat){ 0 }; // zeros are no rotation either
    ug_clip_translations(take.clip, 9)[0].y = INFINITY;
    ug_warnings warnings = { 0 };
    glb_file g = write_and_open(&take, NULL, &warnings); // no NaN: glb_read asserts it
    assert_int_equal(ug_warnings_count(&warnings, "glb_pose_held"), 5);
    assert_non_null(strstr(warnings.items[0].first, "frame 0"));
    glb_values q = glb_read(&g, (size_t)glb_number(glb_sampler(&g, 1, "rotation"), "output"));
    for (size_t f = 4; f < 7; f++) {
        assert_memory_equal(q.at + 4 * f, q.at + 12, 4 * sizeof *q.at);
    }
    glb_values r = glb_read(&g, (size_t)glb_number(glb_sampler(&g, 0, "rotation"), "output"));
    assert_memory_equal(r.at, r.at + 4, 4 * sizeof *r.at); // nothing before: the first there is
    free(q.at);
    free(r.at);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_nothing_known_is_the_rest_pose(void **state)
{
    (void)state;
    ug_take take = make_take(2, 6, (ug_rate){ 30, 1 });
    for (size_t f = 0; f < 6; f++) {
        ug_clip_rotations(take.clip, f)[1].w = NAN;
    }
    ug_warnings warnings = { 0 };
    glb_file g = write_and_open(&take, NULL, &warnings);
    assert_null(glb_sampler(&g, 1, "rotation"));
    assert_int_equal(ug_warnings_count(&warnings, "glb_pose_held"), 6);
    glb_close(&g);
    ug_take_fini(&take);
}

static void test_without_motion_there_is_no_animation(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        ug_take take = make_take(3, 0, (ug_rate){ 0, 0 });
        if (i == 1) {
            take.clip = ug_clip_create(0, 3, NULL, 0, (ug_rate){ 30, 1 });
        }
        ug_warnings warnings = { 0 };
        glb_file g = write_and_open(&take, NULL, &warnings);
        assert_int_equal(ug_warnings_count(&warnings, "glb_rest_pose"), 1);
        assert_null(cJSON_GetObjectItem(g.json, "animations"));
        assert_null(cJSON_GetObjectItem(g.json, "buffers")); // and nothing to put into one
        assert_null(g.bin);
        glb_close(&g);
        ug_take_fini(&take);
    }
}

// ---- extras

static void test_extras_tell_contacts_and_history(void **state)
{
    (void)state;
    ug_take take = make_take(2, 3, (ug_rate){ 30000, 1001 });
    const ug_contact contact = { .point = UG_POINT_RIGHT_TOE,
                                 .kind = UG_CONTACT_PLANTED,
                                 .start_s = 0.1,
                                 .end_s = 1.0 / 3.0,
                                 .target_m = { 0.25, NAN, -1.5 },
                                 .accepted = true };
    assert_int_equal(ug_contacts_add(&take.contacts, &contact, NULL), UG_OK);
    ug_provenance_entry entry = { .stage = "solve",
                                  .version = "0.1.0",
                                  .options_json = "{\"damping\":0.10000000000000001}",
                                  .inputs_json = "[{\"name\":\"take.h5\"}]" };
    assert_int_equal(ug_provenance_add(&take.provenance, &entry, NULL), UG_OK);
    entry.options_json = "{broken";
    assert_int_equal(ug_provenance_add(&take.provenance, &entry, NULL), UG_OK);
    glb_file g = write_and_open(&take, NULL, NULL);
    const cJSON *extras = glb_at(glb_item(&g, "scenes", 0), "extras");
    assert_int_equal((int)glb_number(extras, "rate_num"), 30000);
    assert_int_equal((int)glb_number(extras, "rate_den"), 1001);
    const cJSON *c = cJSON_GetArrayItem(glb_at(extras, "contacts"), 0);
    assert_string_equal(glb_string(c, "name"), "right_toe");
    assert_string_equal(glb_string(c, "kind"), "planted");
    assert_true(glb_number(c, "end_s") == 1.0 / 3.0);
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(glb_at(c, "target"), 1)));
    assert_true(cJSON_GetArrayItem(glb_at(c, "target"), 2)->valuedouble == -1.5);
    assert_true(cJSON_IsTrue(glb_at(c, "accepted")));
    const cJSON *history = glb_at(extras, "provenance");
    const cJSON *first = cJSON_GetArrayItem(history, 0);
    assert_string_equal(glb_string(first, "stage"), "solve");
    assert_true(glb_number(glb_at(first, "options"), "damping") == 0.1);
    assert_string_equal(glb_string(cJSON_GetArrayItem(glb_at(first, "inputs"), 0), "name"),
                        "take.h5");
    assert_string_equal(glb_string(cJSON_GetArrayItem(history, 1), "options"), "{broken");
    glb_close(&g);
    ug_take_fini(&take);
}

// ---- refusals

static void assert_refused(const ug_take *take, const ug_write_opts *opts, ug_status status,
                           const char *words)
{
    ug_error err = { 0 };
    unlink(PATH);
    assert_int_equal(ug_glb_write(PATH, take, opts, NULL, &err), status);
    if (!strstr(err.message, words)) {
        fail_msg("'%s' is not in '%s'", words, err.message);
    }
    assert_string_equal(err.where, PATH);
    assert_int_equal(access(PATH, F_OK), -1);
}

static void test_refusals_name_their_reason(void **state)
{
    (void)state;
    ug_take take = make_take(3, 2, (ug_rate){ 30, 1 });
    assert_refused(&take, &(ug_write_opts){ .unit = "cm" }, UG_E_USAGE, "metres");
    assert_refused(&take, &(ug_write_opts){ .up = "+Z" }, UG_E_USAGE, "Y up");
    assert_refused(&take, &(ug_write_opts){ .up = "sky" }, UG_E_USAGE, "sky");
    ug_mesh *mesh = make_mesh(take.skeleton, 3);
    mesh->skin[2].joints[0] = 3;
    assert_refused(&take, &(ug_write_opts){ .mesh = mesh }, UG_E_DATA, "vertex 2");
    ug_mesh_destroy(mesh);
    take.clip->rate = (ug_rate){ 0, 0 };
    assert_refused(&take, NULL, UG_E_DATA, "--fps");
    take.skeleton->joints[1].offset_m.x = NAN;
    assert_refused(&take, NULL, UG_E_DATA, "arm");
    ug_take_fini(&take);
    take = make_take(3, 2, (ug_rate){ 30, 1 });
    take.clip->joint_count = 2;
    assert_refused(&take, NULL, UG_E_DATA, "2 joints");
    ug_take_fini(&take);
    ug_take_init(&take);
    assert_refused(&take, NULL, UG_E_NOT_ENOUGH, "solve");
    ug_take_fini(&take);
    take = make_take(65537, 0, (ug_rate){ 0, 0 });
    assert_refused(&take, NULL, UG_E_UNSUPPORTED, "65537");
    ug_take_fini(&take);
    take = make_take(2, 2, (ug_rate){ 30, 1 });
    ug_error err = { 0 };
    assert_int_equal(ug_glb_write("no/such/folder/x.glb", &take, NULL, NULL, &err), UG_E_WRITE);
    ug_take_fini(&take);
}

static void test_metres_and_y_up_may_be_said(void **state)
{
    (void)state;
    ug_take take = make_take(3, 2, (ug_rate){ 30, 1 });
    glb_file g = write_and_open(&take, &(ug_write_opts){ .unit = "m", .up = "+Y" }, NULL);
    glb_close(&g);
    ug_take_fini(&take);
}

// A buffer that would outgrow the file's 32-bit lengths is refused, not wrapped around.
static void test_more_than_four_gibibytes_are_refused(void **state)
{
    (void)state;
    ug_glb glb;
    ug_glb_init(&glb);
    size_t accessor;
    assert_null(ug_glb_reserve(&glb, 300u << 20, 4, UG_GLB_FLOAT, UG_GLB_ANY, &accessor));
    ug_error err = { 0 };
    assert_int_equal(ug_glb_status(&glb, &err), UG_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "4 GiB"));
    ug_glb_fini(&glb);
}

static int remove_file(void **state)
{
    (void)state;
    unlink(PATH);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes_are_the_joints_at_rest),
        cmocka_unit_test(test_names_that_are_no_utf8_are_read_as_latin1),
        cmocka_unit_test(test_several_roots_get_a_common_node),
        cmocka_unit_test(test_inverse_binds_undo_the_rest_pose),
        cmocka_unit_test(test_vertices_come_back),
        cmocka_unit_test(test_numbers_get_wider_when_they_must),
        cmocka_unit_test(test_keys_are_the_frames),
        cmocka_unit_test(test_times_start_at_zero_whatever_the_first_frame),
        cmocka_unit_test(test_times_of_long_clips_increase),
        cmocka_unit_test(test_frames_of_one_time_are_one_key),
        cmocka_unit_test(test_constant_channels_hold_to_the_end),
        cmocka_unit_test(test_a_clip_at_rest_still_lasts),
        cmocka_unit_test(test_one_frame_is_one_key),
        cmocka_unit_test(test_cubic_splines_follow_a_steady_turn),
        cmocka_unit_test(test_frames_without_a_pose_hold_the_last),
        cmocka_unit_test(test_nothing_known_is_the_rest_pose),
        cmocka_unit_test(test_without_motion_there_is_no_animation),
        cmocka_unit_test(test_extras_tell_contacts_and_history),
        cmocka_unit_test(test_refusals_name_their_reason),
        cmocka_unit_test(test_metres_and_y_up_may_be_said),
        cmocka_unit_test(test_more_than_four_gibibytes_are_refused),
    };
    return cmocka_run_group_tests_name("formats/glb", tests, NULL, remove_file);
}
