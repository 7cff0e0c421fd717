// SPDX-License-Identifier: MIT
// Unit tests for formats/glb_write.c, glb_document.c, glb_skin.c and glb_extras.c: every file is
// parsed back.
#include "formats/glb.h"

#include "formats/glb_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/glb_take.h"

static const char PATH[] = "test_glb.glb";

// ---- nodes

static void test_nodes_are_the_joints_at_rest(void **state)
{
    (void)state;
    ug_take take = make_take(3, 5, (ug_rate){ 30, 1 });
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .program = "ugoki 9.8.7" }, NULL);
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
    glb_file g = write_and_open(PATH, &take, NULL, NULL);
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
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .mesh = mesh }, NULL);
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
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .mesh = mesh }, NULL);
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
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .mesh = mesh }, NULL);
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
        glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .mesh = mesh }, NULL);
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
    glb_file g = write_and_open(PATH, &take, NULL, NULL);
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
    glb_file g = write_and_open(PATH, &take, &(ug_write_opts){ .unit = "m", .up = "+Y" }, NULL);
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
        cmocka_unit_test(test_extras_tell_contacts_and_history),
        cmocka_unit_test(test_refusals_name_their_reason),
        cmocka_unit_test(test_metres_and_y_up_may_be_said),
        cmocka_unit_test(test_more_than_four_gibibytes_are_refused),
    };
    return cmocka_run_group_tests_name("formats/glb", tests, NULL, remove_file);
}
