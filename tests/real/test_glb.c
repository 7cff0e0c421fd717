// SPDX-License-Identifier: MIT
// Every BVH of $UGOKI_DATA as GLB: without an error or a warning of the Khronos validator, and with
// joints and skin in three.js where our own kinematics and skinning put them.
#include "formats/bvh.h"
#include "formats/glb.h"
#include "motion/kinematics.h"
#include "pipeline/stages/body_mesh.h"
#include "tests/support/three.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { FILES_MAX = 200, LOOKS = 6, VERTICES = 25 };

static char folder[4096], scratch[64];
static char *paths[FILES_MAX];
static size_t path_count;

static int collect(const char *path, const struct stat *st, int type)
{
    (void)st;
    const size_t length = strlen(path);
    if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".bvh") == 0 &&
        path_count < FILES_MAX) {
        paths[path_count++] = strdup(path);
    }
    return 0;
}

// Where joints and some vertices stand at a few frames.
static void write_places(const char *path, const ug_take *take, const ug_mesh *mesh)
{
    const ug_skeleton *s = take->skeleton;
    const size_t n = s->joint_count, frames = take->clip->frame_count;
    ug_quat *bind_q = malloc(n * sizeof *bind_q), *q = malloc(n * sizeof *q);
    ug_vec3 *bind_m = malloc(n * sizeof *bind_m), *m = malloc(n * sizeof *m);
    ug_vec3 *skin = malloc(mesh->vertex_count * sizeof *skin);
    FILE *out = fopen(path, "w");
    assert_true(bind_q && q && bind_m && m && skin && out);
    ug_rest_forward(bind_q, bind_m, s);
    for (size_t i = 0; i < LOOKS; i++) {
        const size_t f = i * (frames - 1) / (LOOKS - 1);
        ug_clip_forward(q, m, s, take->clip, f);
        ug_mesh_pose(skin, mesh, bind_q, bind_m, q, m);
        fprintf(out, "t %.17g\n", ug_rate_time_s(take->clip->rate, (double)f));
        for (size_t j = 0; j < n; j++) {
            fprintf(out, "j %zu %.17g %.17g %.17g\n", j, m[j].x, m[j].y, m[j].z);
        }
        for (size_t k = 0; k < VERTICES; k++) {
            const size_t v = (k * 7919 + i * 104729) % mesh->vertex_count;
            fprintf(out, "v %zu %.17g %.17g %.17g\n", v, skin[v].x, skin[v].y, skin[v].z);
        }
    }
    assert_int_equal(fclose(out), 0);
    free(bind_q);
    free(bind_m);
    free(q);
    free(m);
    free(skin);
}

static void write_one(FILE *list, const char *path, size_t number)
{
    ug_take take;
    ug_error err = { 0 };
    ug_take_init(&take);
    ug_status status = ug_bvh_read(&take, path, NULL, NULL, &err);
    if (status == UG_E_AMBIGUOUS) { // no body: what its unit is must be said
        err = (ug_error){ 0 };
        status = ug_bvh_read(&take, path, &(ug_read_opts){ .unit = "cm", .up = "+Y" }, NULL, &err);
    }
    if (status != UG_OK) {
        fail_msg("%s: %s", path, err.message);
    }
    char glb[128], places[128];
    (void)snprintf(glb, sizeof glb, "%s/%zu.glb", scratch, number);
    (void)snprintf(places, sizeof places, "%s/%zu.txt", scratch, number);
    ug_mesh *mesh = NULL;
    const ug_write_opts opts = { .cubic = number % 3 == 0 };
    ug_write_opts with = opts;
    if (ug_body_mesh_create(&mesh, &take, NULL, &err) != UG_OK) {
        fail_msg("%s: %s", path, err.message);
    }
    with.mesh = mesh;
    if (ug_glb_write(glb, &take, &with, NULL, &err) != UG_OK) {
        fail_msg("%s: %s", path, err.message);
    }
    const bool moves = take.clip && take.clip->frame_count > 0;
    if (moves) {
        write_places(places, &take, mesh);
    }
    fprintf(list, "%s\t%s\n", glb, moves ? places : "-");
    ug_mesh_destroy(mesh);
    ug_take_fini(&take);
}

static void test_every_bvh_opens(void **state)
{
    (void)state;
    char list_path[128], command[9000];
    (void)snprintf(list_path, sizeof list_path, "%s/list", scratch);
    FILE *list = fopen(list_path, "w");
    assert_non_null(list);
    for (size_t i = 0; i < path_count; i++) {
        write_one(list, paths[i], i);
    }
    assert_true(path_count > 10 && ftell(list) > 0);
    assert_int_equal(fclose(list), 0);
    (void)snprintf(command, sizeof command, "cd '%s' && node glb_check.mjs '%s'", folder,
                   list_path);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const char *data = getenv("UGOKI_DATA");
    if (!data || !*data) {
        printf("skipped: UGOKI_DATA is not set\n");
        return 77;
    }
    three_folder(folder, __FILE__);
    if (!three_is_here(folder)) {
        return 77;
    }
    char root[4096], clean[128], validator[4200];
    (void)snprintf(validator, sizeof validator, "%s/node_modules/gltf-validator", folder);
    if (access(validator, R_OK) != 0) {
        printf("skipped: run `npm ci` in tests/node\n");
        return 77;
    }
    (void)snprintf(root, sizeof root, "%s/data", data);
    strcpy(scratch, "/tmp/ug_real_glb_XXXXXX");
    if (ftw(root, collect, 16) != 0 || !mkdtemp(scratch)) {
        printf("cannot look through %s\n", root);
        return 1;
    }
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_bvh_opens) };
    const int failed = cmocka_run_group_tests_name("real/glb", tests, NULL, NULL);
    (void)snprintf(clean, sizeof clean, "rm -rf '%s'", scratch);
    (void)!system(clean);
    for (size_t i = 0; i < path_count; i++) {
        free(paths[i]);
    }
    return failed;
}
