// SPDX-License-Identifier: MIT
// Unit tests for motion/mesh.c.
#include "motion/mesh.h"

#include "motion/conventions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double sum_of(ug_mesh_skin skin)
{
    return (double)skin.weights[0] + (double)skin.weights[1] + (double)skin.weights[2] +
           (double)skin.weights[3];
}

static void test_the_four_heaviest_are_kept(void **state)
{
    (void)state;
    const ug_mesh_skin skin = ug_mesh_skin_make((uint32_t[]){ 9, 8, 7, 6, 5, 4 },
                                                (double[]){ 0.1, 0.3, 0.0, 0.2, 0.25, 0.05 }, 6);
    const uint32_t order[] = { 8, 5, 6, 9 };
    const double weights[] = { 0.3, 0.25, 0.2, 0.1 };
    for (int k = 0; k < 4; k++) {
        assert_int_equal(skin.joints[k], order[k]);
        assert_true(fabs((double)skin.weights[k] - weights[k] / 0.85) < 1e-6);
    }
    assert_true(fabs(sum_of(skin) - 1.0) < 1e-7);
}

static void test_unused_places_are_joint_zero(void **state)
{
    (void)state;
    ug_mesh_skin skin = ug_mesh_skin_make((uint32_t[]){ 3, 5 }, (double[]){ 1e-9, 2.0 }, 2);
    assert_int_equal(skin.joints[0], 5);
    assert_true(skin.weights[0] == 1.0f);
    for (int k = 1; k < 4; k++) { // a weight too small to see is none
        assert_true(skin.joints[k] == 0 && skin.weights[k] == 0.0f);
    }
    skin = ug_mesh_skin_make((uint32_t[]){ 3, 5 }, (double[]){ 0.0, NAN }, 2);
    assert_true(skin.joints[0] == 3 && skin.weights[0] == 1.0f);
}

static void test_any_three_weights_add_up(void **state)
{
    (void)state;
    for (int i = 1; i < 1000; i++) {
        const double w[] = { 1.0 / 3.0, 0.001 * i, 1.0 / i };
        const ug_mesh_skin skin = ug_mesh_skin_make((uint32_t[]){ 1, 2, 3 }, w, 3);
        assert_true(fabs(sum_of(skin) - 1.0) < 2e-7);
    }
}

static ug_mesh *make_triangle(void)
{
    ug_mesh *mesh = ug_mesh_create(3, 1);
    assert_non_null(mesh);
    for (uint32_t v = 0; v < 3; v++) {
        mesh->positions_m[v] = (ug_vec3){ v == 1, v == 2, 0 };
        mesh->normals[v] = (ug_vec3){ 0, 0, 1 };
        mesh->skin[v] = (ug_mesh_skin){ { 1 }, { 1.0f } };
        mesh->triangles[0][v] = v;
    }
    return mesh;
}

static void test_check_names_what_is_broken(void **state)
{
    (void)state;
    ug_mesh *mesh = make_triangle();
    ug_error err = { 0 };
    assert_int_equal(ug_mesh_check(mesh, 2, &err), UG_OK);
    assert_int_equal(ug_mesh_check(mesh, 1, &err), UG_E_DATA); // joint 1 of one
    assert_non_null(strstr(err.message, "vertex 0"));
    mesh->normals[2].x = 1.0;
    err = (ug_error){ 0 };
    assert_int_equal(ug_mesh_check(mesh, 2, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "vertex 2"));
    mesh->normals[2].x = 0.0;
    mesh->triangles[0][1] = 3;
    err = (ug_error){ 0 };
    assert_int_equal(ug_mesh_check(mesh, 2, &err), UG_E_DATA);
    assert_non_null(strstr(err.message, "triangle 0"));
    mesh->triangles[0][1] = 1;
    const ug_mesh_skin bad[] = { { { 1, 1 }, { 0.5f, 0.5f } },  { { 1, 0 }, { 0.5f, 0.4f } },
                                 { { 0, 1 }, { 1.0f, 0.0f } },  { { 0, 1 }, { 0.3f, 0.7f } },
                                 { { 0, 1 }, { 1.5f, -0.5f } }, { { 0, 1 }, { NAN, 0.5f } } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mesh->skin[1] = bad[i];
        err = (ug_error){ 0 };
        assert_int_equal(ug_mesh_check(mesh, 2, &err), UG_E_DATA);
        assert_non_null(strstr(err.message, "vertex 1"));
    }
    ug_mesh_destroy(mesh);
    ug_mesh_destroy(NULL);
}

// One joint turned about its centre, the other left alone; half and half lies half way.
static void test_pose_blends_rigid_motions(void **state)
{
    (void)state;
    ug_mesh *mesh = make_triangle();
    mesh->skin[0] = (ug_mesh_skin){ { 0 }, { 1.0f } };
    mesh->skin[2] = ug_mesh_skin_make((uint32_t[]){ 0, 1 }, (double[]){ 1, 1 }, 2);
    const ug_quat tilted = ug_quat_from_axis_angle((ug_vec3){ 1, 1, 0 }, 0.5);
    const ug_quat quarter = ug_quat_from_axis_angle((ug_vec3){ 0, 0, 1 }, UG_PI / 2);
    const ug_quat bind_q[] = { tilted, tilted };
    const ug_vec3 bind_m[] = { { 5, 5, 5 }, { 0, 0, 0 } };
    const ug_quat pose_q[] = { tilted, ug_quat_mul(quarter, tilted) };
    const ug_vec3 pose_m[] = { { 5, 5, 5 }, { 0, 0, 3 } };
    ug_vec3 out[3];
    memset(out, 0xA5, sizeof out);
    ug_mesh_pose(out, mesh, bind_q, bind_m, bind_q, bind_m);
    for (int v = 0; v < 3; v++) {
        assert_true(ug_vec3_distance(out[v], mesh->positions_m[v]) < 1e-6);
    }
    ug_mesh_pose(out, mesh, bind_q, bind_m, pose_q, pose_m);
    assert_true(ug_vec3_distance(out[0], (ug_vec3){ 0, 0, 0 }) < 1e-12);
    assert_true(ug_vec3_distance(out[1], (ug_vec3){ 0, 1, 3 }) < 1e-12);
    assert_true(ug_vec3_distance(out[2], (ug_vec3){ -0.5, 0.5, 1.5 }) < 1e-6);
    ug_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_four_heaviest_are_kept),
        cmocka_unit_test(test_unused_places_are_joint_zero),
        cmocka_unit_test(test_any_three_weights_add_up),
        cmocka_unit_test(test_check_names_what_is_broken),
        cmocka_unit_test(test_pose_blends_rigid_motions),
    };
    return cmocka_run_group_tests_name("motion/mesh", tests, NULL, NULL);
}
