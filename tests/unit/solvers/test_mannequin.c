// SPDX-License-Identifier: MIT
// Unit tests for solvers/mannequin.c: closed surfaces with their outside out, that follow joints.
#include "solvers/mannequin.h"

#include "motion/kinematics.h"
#include "tests/support/character.h"
#include "tests/support/humanoid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct pose {
    ug_quat *q;
    ug_vec3 *m;
} pose;

static pose rest_of(const ug_skeleton *s)
{
    const pose p = { malloc((s->joint_count + 1) * sizeof(ug_quat)),
                     malloc((s->joint_count + 1) * sizeof(ug_vec3)) };
    assert_true(p.q && p.m);
    ug_rest_forward(p.q, p.m, s);
    return p;
}

static void pose_fini(pose p)
{
    free(p.q);
    free(p.m);
}

static ug_vec3 corner(const ug_mesh *m, size_t triangle, int k)
{
    return m->positions_m[m->triangles[triangle][k]];
}

static ug_vec3 face_of(const ug_mesh *m, size_t t)
{
    return ug_vec3_cross(ug_vec3_sub(corner(m, t, 1), corner(m, t, 0)),
                         ug_vec3_sub(corner(m, t, 2), corner(m, t, 0)));
}

static int compare_edges(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Each edge belongs to two triangles, which pass it in opposite directions.
static void assert_closed(const ug_mesh *m)
{
    const size_t n = 3 * m->triangle_count;
    uint64_t *there = malloc((n + 1) * sizeof *there), *back = malloc((n + 1) * sizeof *back);
    assert_true(there && back);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *t = m->triangles[i / 3];
        const uint64_t a = t[i % 3], b = t[(i + 1) % 3];
        assert_true(a != b);
        there[i] = a << 32 | b;
        back[i] = b << 32 | a;
    }
    qsort(there, n, sizeof *there, compare_edges);
    qsort(back, n, sizeof *back, compare_edges);
    assert_memory_equal(there, back, n * sizeof *there);
    for (size_t i = 1; i < n; i++) {
        assert_true(there[i] != there[i - 1]);
    }
    free(there);
    free(back);
}

static uint32_t part_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        v = parent[v] = parent[parent[v]];
    }
    return v;
}

// Every closed part holds a volume above 0, so its triangles look outwards; normals go with them.
static void assert_outward(const ug_mesh *m)
{
    uint32_t *part = malloc((m->vertex_count + 1) * sizeof *part);
    double *volume = calloc(m->vertex_count + 1, sizeof *volume);
    assert_true(part && volume);
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        part[v] = v;
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        for (int k = 1; k < 3; k++) {
            part[part_of(part, m->triangles[t][k])] = part_of(part, m->triangles[t][0]);
        }
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t p = part_of(part, m->triangles[t][0]);
        const ug_vec3 face = face_of(m, t);
        volume[p] += ug_vec3_dot(ug_vec3_sub(corner(m, t, 0), m->positions_m[p]), face) / 6.0;
        for (int k = 0; k < 3; k++) {
            const double along = ug_vec3_dot(m->normals[m->triangles[t][k]], face);
            if (!(along > 0.0)) {
                fail_msg("triangle %zu: a normal of a corner points into it (%g)", t, along);
            }
        }
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        assert_true(part_of(part, v) != v || volume[v] > 0.0);
    }
    free(part);
    free(volume);
}

// In the rest pose the skin is where it was made; moved as a whole, it moves as a whole.
static void assert_follows(const ug_mesh *m, const ug_skeleton *s)
{
    const pose rest = rest_of(s), moved = rest_of(s);
    ug_vec3 *out = malloc((m->vertex_count + 1) * sizeof *out);
    assert_non_null(out);
    memset(out, 0xA5, m->vertex_count * sizeof *out);
    ug_mesh_pose(out, m, rest.q, rest.m, rest.q, rest.m);
    for (size_t v = 0; v < m->vertex_count; v++) {
        assert_true(ug_vec3_distance(out[v], m->positions_m[v]) < 1e-6);
    }
    const ug_quat turn = ug_quat_from_axis_angle((ug_vec3){ 1, -2, 0.5 }, 2.0);
    const ug_vec3 shift = { 3, -1, 2 };
    for (size_t j = 0; j < s->joint_count; j++) {
        moved.q[j] = ug_quat_mul(turn, rest.q[j]);
        moved.m[j] = ug_vec3_add(shift, ug_quat_rotate(turn, rest.m[j]));
    }
    ug_mesh_pose(out, m, rest.q, rest.m, moved.q, moved.m);
    for (size_t v = 0; v < m->vertex_count; v++) {
        const ug_vec3 there = ug_vec3_add(shift, ug_quat_rotate(turn, m->positions_m[v]));
        assert_true(ug_vec3_distance(out[v], there) < 1e-5);
    }
    free(out);
    pose_fini(rest);
    pose_fini(moved);
}

static ug_mesh *make_checked(const ug_skeleton *s)
{
    ug_error err = { 0 };
    ug_mesh *mesh = NULL;
    if (ug_mannequin_create(&mesh, s, NULL, &err) != UG_OK ||
        ug_mesh_check(mesh, s->joint_count, &err) != UG_OK) {
        fail_msg("%s", err.message);
    }
    assert_true(mesh->vertex_count > 0);
    assert_closed(mesh);
    assert_outward(mesh);
    assert_follows(mesh, s);
    return mesh;
}

// How often the surface goes around a point: 1 inside one part, 2 inside two, 0 outside
// (Van Oosterom and Strackee 1983, solid angle of a triangle).
static double windings(const ug_mesh *m, ug_vec3 p)
{
    double angle = 0.0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const ug_vec3 a = ug_vec3_sub(corner(m, t, 0), p), b = ug_vec3_sub(corner(m, t, 1), p),
                      c = ug_vec3_sub(corner(m, t, 2), p);
        const double la = ug_vec3_norm(a), lb = ug_vec3_norm(b), lc = ug_vec3_norm(c);
        angle += 2.0 * atan2(ug_vec3_dot(a, ug_vec3_cross(b, c)),
                             la * lb * lc + ug_vec3_dot(a, b) * lc + ug_vec3_dot(a, c) * lb +
                                 ug_vec3_dot(b, c) * la);
    }
    return angle / (4.0 * UG_PI);
}

static void bounds(const ug_mesh *m, ug_vec3 *low, ug_vec3 *high)
{
    *low = *high = m->positions_m[0];
    for (size_t v = 0; v < m->vertex_count; v++) {
        const ug_vec3 p = m->positions_m[v];
        *low = (ug_vec3){ fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z) };
        *high = (ug_vec3){ fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z) };
    }
}

// ---- bodies

static void test_an_adult_is_as_large_as_one(void **state)
{
    (void)state;
    ug_skeleton *s = humanoid_skeleton();
    ug_mesh *m = make_checked(s);
    ug_vec3 low, high;
    bounds(m, &low, &high);
    assert_true(fabs(high.y - low.y - 1.75) < 0.06); // stature of the template
    assert_true(fabs(high.x + low.x) < 0.01);        // as wide to the left as to the right
    assert_true(fabs(high.x - low.x - 1.75) < 0.15); // the span of the arms is near the stature
    if (!(high.z - low.z > 0.26 && high.z - low.z < 0.38)) { // heel or back to toe
        fail_msg("%g m deep", high.z - low.z);
    }
    assert_true(fabs(low.y) < 0.04); // soles on the floor
    const pose rest = rest_of(s);
    for (size_t j = 0; j < s->joint_count; j++) {
        if (!(windings(m, rest.m[j]) > 0.99)) {
            fail_msg("joint '%s' is outside the body", s->joints[j].name);
        }
    }
    assert_true(fabs(windings(m, (ug_vec3){ 0, 0.4, 0 })) < 1e-6); // between the legs
    assert_true(fabs(windings(m, (ug_vec3){ 0, 1.9, 0 })) < 1e-6);
    pose_fini(rest);
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

// Any proportions, any rest axes: the joints of arms, legs and trunk are inside.
static void test_characters_have_their_joints_inside(void **state)
{
    (void)state;
    static const test_character CASES[] = {
        { 1.0, 1.0, 2, 0.0, 0, true, "Left", "Right" },
        { 0.5, 1.0, 5, 0.8, 7, true, "L ", "R " },
        { 1.6, 1.2, 1, 1.2, 3, true, "l_", "r_" },
        { 1.0, 0.5, 8, 0.3, 11, true, "l", "r" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ug_skeleton *s = test_character_create(&CASES[i]);
        ug_mesh *m = make_checked(s);
        const pose rest = rest_of(s);
        for (size_t j = 0; j < s->joint_count; j++) {
            if (s->joints[j].role != UG_ROLE_NONE && !(windings(m, rest.m[j]) > 0.99)) {
                fail_msg("case %zu: joint '%s' is outside the body", i, s->joints[j].name);
            }
        }
        pose_fini(rest);
        ug_mesh_destroy(m);
        ug_skeleton_destroy(s);
    }
}

// Local axes say nothing about the body: the same joints give the same surface.
static void test_rest_axes_do_not_matter(void **state)
{
    (void)state;
    test_character c = { 1.0, 1.0, 3, 0.4, 0, true, "L", "R" };
    ug_skeleton *straight = test_character_create(&c);
    c.axes_seed = 5;
    ug_skeleton *turned = test_character_create(&c);
    ug_mesh *a = make_checked(straight), *b = make_checked(turned);
    assert_int_equal(a->vertex_count, b->vertex_count);
    for (size_t v = 0; v < a->vertex_count; v++) {
        assert_true(ug_vec3_distance(a->positions_m[v], b->positions_m[v]) < 1e-9);
    }
    ug_mesh_destroy(a);
    ug_mesh_destroy(b);
    ug_skeleton_destroy(straight);
    ug_skeleton_destroy(turned);
}

// Weights pass from bone to bone: some vertices are shared, no edge jumps from one to the other.
static void test_weights_cross_over_smoothly(void **state)
{
    (void)state;
    ug_skeleton *s = humanoid_skeleton();
    ug_mesh *m = make_checked(s);
    const int elbow = ug_skeleton_find_role(s, UG_ROLE_L_FOREARM);
    size_t shared = 0;
    for (size_t v = 0; v < m->vertex_count; v++) {
        for (int k = 0; k < UG_MESH_INFLUENCES; k++) {
            const double w = (double)m->skin[v].weights[k];
            shared += m->skin[v].joints[k] == (uint32_t)elbow && w > 0.2 && w < 0.8;
        }
    }
    assert_true(shared >= 20);
    for (size_t i = 0; i < 3 * m->triangle_count; i++) {
        const ug_mesh_skin *a = &m->skin[m->triangles[i / 3][i % 3]];
        const ug_mesh_skin *b = &m->skin[m->triangles[i / 3][(i + 1) % 3]];
        double common = 0.0;
        for (int k = 0; k < 16; k++) {
            if (a->joints[k / 4] == b->joints[k % 4]) {
                common += fmin((double)a->weights[k / 4], (double)b->weights[k % 4]);
            }
        }
        if (common < 0.4) {
            fail_msg("an edge from joint %u to %u shares %g", a->joints[0], b->joints[0], common);
        }
    }
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

// A knee bent by a right angle: the skin neither tears nor collapses.
static void test_a_bent_knee_keeps_its_skin(void **state)
{
    (void)state;
    ug_skeleton *s = humanoid_skeleton();
    ug_mesh *m = make_checked(s);
    const int knee = ug_skeleton_find_role(s, UG_ROLE_L_SHIN);
    ug_quat local[HUMANOID_JOINTS], q[HUMANOID_JOINTS];
    ug_vec3 at[HUMANOID_JOINTS];
    for (size_t j = 0; j < s->joint_count; j++) {
        local[j] = s->joints[j].rest;
    }
    local[knee] = ug_quat_from_axis_angle((ug_vec3){ 1, 0, 0 }, UG_PI / 2);
    ug_pose_forward(q, at, s, local, NULL);
    const pose rest = rest_of(s);
    ug_vec3 *out = malloc(m->vertex_count * sizeof *out);
    assert_non_null(out);
    ug_mesh_pose(out, m, rest.q, rest.m, q, at);
    size_t moved = 0;
    for (size_t v = 0; v < m->vertex_count; v++) {
        const double bound = ug_vec3_distance(out[v], m->positions_m[v]);
        moved += bound > 0.05;
        assert_true(bound < 0.9); // at most across the shin and the foot, twice
        assert_true(bound < 1e-6 || m->positions_m[v].y < at[knee].y + 0.1);
    }
    assert_true(moved > 200);
    for (size_t i = 0; i < 3 * m->triangle_count; i++) {
        const uint32_t a = m->triangles[i / 3][i % 3], b = m->triangles[i / 3][(i + 1) % 3];
        const double was = ug_vec3_distance(m->positions_m[a], m->positions_m[b]);
        assert_true(ug_vec3_distance(out[a], out[b]) < 3.5 * was + 0.005);
    }
    free(out);
    pose_fini(rest);
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

// A rig that rests folded up: in the frame where it stands its body is the one that stands, and
// nobody's joints are outside. At rest it is still one and the same skin.
static void test_a_folded_rig_is_made_where_it_stands(void **state)
{
    (void)state;
    ug_skeleton *standing = humanoid_skeleton(), *folded = humanoid_skeleton();
    for (size_t j = 1; j < folded->joint_count; j++) { // every bone along +X, as some recorders do
        const ug_vec3 bone = folded->joints[j].offset_m;
        if (folded->joints[j].role == UG_ROLE_L_SHIN || folded->joints[j].role == UG_ROLE_L_FOOT ||
            folded->joints[j].role == UG_ROLE_R_SHIN || folded->joints[j].role == UG_ROLE_R_FOOT) {
            folded->joints[j].offset_m = (ug_vec3){ ug_vec3_norm(bone), 0, 0 };
        }
    }
    ug_clip *clip = ug_clip_create(3, folded->joint_count, (int[]){ 0 }, 1, (ug_rate){ 30, 1 });
    assert_non_null(clip);
    const ug_quat down = ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, -UG_PI / 2);
    for (size_t f = 0; f < 3; f++) {
        ug_clip_translations(clip, f)[0] = folded->joints[0].offset_m;
        for (size_t j = 0; j < folded->joint_count && f == 1; j++) { // stands in the middle frame
            const ug_role role = folded->joints[j].role;
            if (role == UG_ROLE_L_THIGH || role == UG_ROLE_R_THIGH) {
                ug_clip_rotations(clip, f)[j] = down;
            } else if (role == UG_ROLE_L_FOOT || role == UG_ROLE_R_FOOT) {
                ug_clip_rotations(clip, f)[j] = ug_quat_conj(down);
            }
        }
    }
    ug_error err = { 0 };
    ug_mesh *m = NULL, *expected = make_checked(standing);
    assert_int_equal(ug_mannequin_create(&m, folded, clip, &err), UG_OK);
    assert_int_equal(ug_mesh_check(m, folded->joint_count, &err), UG_OK);
    assert_closed(m);
    assert_follows(m, folded);
    assert_int_equal(m->vertex_count, expected->vertex_count);
    const pose rest = rest_of(folded), stand = rest_of(folded);
    ug_clip_forward(stand.q, stand.m, folded, clip, 1);
    ug_vec3 *out = malloc(m->vertex_count * sizeof *out);
    assert_non_null(out);
    ug_mesh_pose(out, m, rest.q, rest.m, stand.q, stand.m);
    for (size_t v = 0; v < m->vertex_count; v++) {
        if (!(ug_vec3_distance(out[v], expected->positions_m[v]) < 1e-5)) {
            fail_msg("vertex %zu is %g m off", v,
                     ug_vec3_distance(out[v], expected->positions_m[v]));
        }
    }
    free(out);
    pose_fini(rest);
    pose_fini(stand);
    ug_mesh_destroy(m);
    ug_mesh_destroy(expected);
    ug_clip_destroy(clip);
    ug_skeleton_destroy(standing);
    ug_skeleton_destroy(folded);
}

// ---- other skeletons

static ug_skeleton *chain_of(size_t joints, double bone_m)
{
    ug_skeleton *s = ug_skeleton_create(joints);
    assert_non_null(s);
    for (size_t j = 0; j < joints; j++) {
        s->joints[j].name = ug_text_format("joint %zu", j);
        s->joints[j].offset_m = (ug_vec3){ 0, j > 0 ? bone_m : 0.0, 0 };
    }
    return s;
}

static void test_without_roles_every_bone_is_a_capsule(void **state)
{
    (void)state;
    const test_character c = { 1.0, 1.0, 3, 0.4, 9, false, "L", "R" };
    ug_skeleton *s = test_character_create(&c);
    ug_mesh *m = make_checked(s);
    const pose rest = rest_of(s);
    for (size_t j = 0; j < s->joint_count; j++) {
        const int parent = s->joints[j].parent;
        if (parent >= 0) { // the middle of every bone
            const ug_vec3 middle = ug_vec3_lerp(rest.m[parent], rest.m[j], 0.5);
            assert_true(windings(m, middle) > 0.99);
        }
    }
    pose_fini(rest);
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

static void test_odd_trees(void **state)
{
    (void)state;
    ug_skeleton *s = chain_of(12, 0.2);
    s->joints[3].parent = 1; // several children
    s->joints[4].parent = 1;
    s->joints[5].parent = 1;
    s->joints[6].offset_m = (ug_vec3){ 0, 0, 0 }; // a bone of no length, in the middle
    s->joints[8].flags = UG_JOINT_END_SITE;
    s->joints[8].type = UG_JOINT_FIXED;
    s->joints[9].parent = -1;                      // another root
    s->joints[11].offset_m = (ug_vec3){ 0, 0, 0 }; // and at an end
    s->joints[2].offset_m = (ug_vec3){ 1e-9, 0, 0 };
    ug_mesh *m = make_checked(s);
    for (size_t v = 0; v < m->vertex_count; v++) {
        for (int k = 0; k < UG_MESH_INFLUENCES; k++) {
            assert_true(m->skin[v].joints[k] != 8); // an End Site carries nothing
        }
    }
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

static void test_nothing_but_points_gives_balls(void **state)
{
    (void)state;
    ug_skeleton *s = chain_of(4, 0.0);
    s->joints[0].offset_m = (ug_vec3){ 1, 2, 3 };
    s->joints[2].parent = -1;
    ug_mesh *m = make_checked(s);
    ug_vec3 low, high;
    bounds(m, &low, &high);
    assert_true(fabs(high.y - 2.005) < 1e-6 && fabs(low.y + 0.005) < 1e-6);
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

static void test_long_chains_and_many_bones(void **state)
{
    (void)state;
    ug_skeleton *s = chain_of(700, 0.01);
    ug_mesh *m = make_checked(s);
    assert_true(m->vertex_count > 65535);
    ug_mesh_destroy(m);
    ug_skeleton_destroy(s);
}

// Roles on joints that do not hang together as a body's do must not break anything.
static void test_roles_that_make_no_body(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 120; i++) {
        ug_skeleton *s = chain_of(UG_ROLE_COUNT, 0.1);
        for (size_t j = 0; j < s->joint_count; j++) {
            s->joints[j].role = (ug_role)(test_random(&random) % UG_ROLE_COUNT);
            if (j > 0) {
                s->joints[j].parent = (int)(test_random(&random) % (j + 1)) - 1;
            }
            const double length = test_random(&random) % 4 == 0 ? 0.0 : 0.3;
            s->joints[j].offset_m =
                (ug_vec3){ length * test_uniform(&random), length * test_uniform(&random),
                           length * test_uniform(&random) };
        }
        ug_error err = { 0 };
        ug_mesh *m = NULL;
        if (ug_mannequin_create(&m, s, NULL, &err) != UG_OK ||
            ug_mesh_check(m, s->joint_count, &err) != UG_OK) {
            fail_msg("seed %d: %s", i, err.message);
        }
        assert_closed(m);
        assert_follows(m, s);
        ug_mesh_destroy(m);
        ug_skeleton_destroy(s);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    ug_error err = { 0 };
    ug_mesh *m = (ug_mesh *)&err;
    ug_skeleton *s = chain_of(2, 0.1);
    s->joints[1].offset_m.x = NAN;
    assert_int_equal(ug_mannequin_create(&m, s, NULL, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "joint 1"));
    assert_null(m);
    s->joint_count = 0;
    err = (ug_error){ 0 };
    assert_int_equal(ug_mannequin_create(&m, s, NULL, &err), UG_E_NOT_ENOUGH);
    s->joint_count = 2;
    ug_skeleton_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_adult_is_as_large_as_one),
        cmocka_unit_test(test_characters_have_their_joints_inside),
        cmocka_unit_test(test_rest_axes_do_not_matter),
        cmocka_unit_test(test_weights_cross_over_smoothly),
        cmocka_unit_test(test_a_bent_knee_keeps_its_skin),
        cmocka_unit_test(test_a_folded_rig_is_made_where_it_stands),
        cmocka_unit_test(test_without_roles_every_bone_is_a_capsule),
        cmocka_unit_test(test_odd_trees),
        cmocka_unit_test(test_nothing_but_points_gives_balls),
        cmocka_unit_test(test_long_chains_and_many_bones),
        cmocka_unit_test(test_roles_that_make_no_body),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("solvers/mannequin", tests, NULL, NULL);
}
