// SPDX-License-Identifier: MIT
// Whole files that the store refuses, and in which words: no stores, damaged blocks, other
// versions, foreign files that lead elsewhere; and takes that it does not write.
#include "formats/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/full_take.h"
#include "tests/support/h5_edit.h"

static const char PATH[] = "unit_store_files.h5";
static const char GOOD[] = "unit_store_files_good.h5";

static void write_full(const char *path)
{
    ug_take take;
    full_take_init(&take, 11);
    assert_int_equal(ug_store_write(path, &take, UG_PART_ALL, NULL, NULL), UG_OK);
    ug_take_fini(&take);
}

static void copy_file(const char *to, const char *from)
{
    ug_bytes bytes = { 0 };
    read_bytes(&bytes, from);
    write_bytes(to, bytes.data, bytes.size);
    ug_bytes_fini(&bytes);
}

static int setup(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    write_full(GOOD);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    (void)remove(GOOD);
    (void)remove(PATH);
    return 0;
}

static void assert_empty(const ug_take *take)
{
    ug_take empty;
    ug_take_init(&empty);
    assert_null(full_take_difference(&empty, take));
}

// Reading `path` fails with `status` and words that hold every one of the two parts.
static void assert_refused(const char *path, ug_status status, const char *part, const char *other)
{
    ug_take take;
    ug_error err = { 0 };
    ug_warnings warnings = { 0 };
    ug_take_init(&take);
    const ug_status got = ug_store_read(&take, path, UG_PART_ALL, &warnings, &err);
    if (got != status || !strstr(err.message, part) || !strstr(err.message, other)) {
        fail_msg("status %d, '%s'; expected %d, '%s', '%s'", (int)got, err.message, (int)status,
                 part, other);
    }
    assert_null(strchr(err.message, '\n'));
    assert_string_equal(err.where, path);
    assert_empty(&take);
}

static void test_files_that_are_no_stores(void **state)
{
    (void)state;
    assert_refused("no/such.h5", UG_E_IO, "cannot be opened", "No such file");
    assert_int_equal(ug_store_probe("no/such.h5"), UG_STORE_NONE);
    assert_refused(".", UG_E_IO, "is not a regular file", "");
    assert_int_equal(ug_store_probe("."), UG_STORE_NONE);
    write_bytes(PATH, "", 0);
    assert_refused(PATH, UG_E_FORMAT, "is empty", "");
    write_bytes(PATH, "HIERARCHY\nROOT Hips\n", 20);
    assert_refused(PATH, UG_E_FORMAT, "is not a ugoki store", "no HDF5 signature");
    assert_int_equal(ug_store_probe(PATH), UG_STORE_NONE);
    ug_error err = { 0 };
    assert_int_equal(ug_store_seal(PATH, NULL, &err), UG_E_FORMAT);
    assert_non_null(strstr(err.message, "is not a ugoki store"));
    (void)remove(PATH);
    assert_int_equal(mkfifo(PATH, 0600), 0);
    assert_refused(PATH, UG_E_IO, "is a pipe, and this file is read more than once", "");
    memset(&err, 0, sizeof err);
    assert_int_equal(ug_store_seal("no/such.h5", NULL, &err), UG_E_IO);
    assert_string_equal(err.where, "no/such.h5");
    (void)remove(PATH);
}

static void test_damaged_blocks(void **state)
{
    (void)state;
    ug_bytes bytes = { 0 };
    read_bytes(&bytes, GOOD);
    write_bytes(PATH, bytes.data, 300);
    assert_refused(PATH, UG_E_FORMAT, "damaged store", "ends after 300 bytes");
    write_bytes(PATH, bytes.data, bytes.size - 1);
    assert_refused(PATH, UG_E_FORMAT, "damaged store: truncated", "bytes are there");
    bytes.data[bytes.size] = 0; // one byte more
    write_bytes(PATH, bytes.data, bytes.size + 1);
    assert_refused(PATH, UG_E_FORMAT, "damaged store", "checksum does not match");
    bytes.data[bytes.size / 2] ^= 1;
    write_bytes(PATH, bytes.data, bytes.size);
    assert_refused(PATH, UG_E_FORMAT, "damaged store", "checksum does not match");
    bytes.data[bytes.size / 2] ^= 1;
    bytes.data[500] = 1; // in the zeros of the block
    write_bytes(PATH, bytes.data, bytes.size);
    assert_refused(PATH, UG_E_FORMAT, "damaged store", "checksum does not match");
    memset(bytes.data, 0, UG_STORE_BLOCK_SIZE); // h5py's own user block
    write_bytes(PATH, bytes.data, bytes.size);
    assert_int_equal(ug_store_probe(PATH), UG_STORE_SEALED);
    assert_refused(PATH, UG_E_FORMAT, "checksum block is not valid", "ugoki seal");
    assert_int_equal(ug_store_seal(PATH, NULL, NULL), UG_OK);
    ug_bytes_fini(&bytes);
}

static void test_other_schema_versions_by_name(void **state)
{
    (void)state;
    // a block that says so …
    ug_bytes bytes = { 0 };
    read_bytes(&bytes, GOOD);
    assert_memory_equal(bytes.data, "UGOKI 1 ", 8);
    bytes.data[6] = '2';
    write_bytes(PATH, bytes.data, bytes.size);
    assert_refused(PATH, UG_E_UNSUPPORTED, "store schema 2", "reads schema 1");
    ug_bytes_fini(&bytes);
    // … an attribute that says so, sealed and foreign
    copy_file(PATH, GOOD);
    const hid_t file = edit_open(PATH);
    replace_int_attribute(file, "schema_version", 7);
    edit_close(file, PATH);
    assert_refused(PATH, UG_E_UNSUPPORTED, "store schema 7", "reads schema 1");
    strip_block(PATH, PATH);
    assert_refused(PATH, UG_E_UNSUPPORTED, "store schema 7", "reads schema 1");
    ug_error err = { 0 };
    assert_int_equal(ug_store_seal(PATH, NULL, &err), UG_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "store schema 7"));
}

static void test_other_conventions(void **state)
{
    (void)state;
    static const char *const NAMES[] = { "schema", "up", "forward", "unit", "quaternion" };
    for (size_t i = 0; i < 5; i++) {
        copy_file(PATH, GOOD);
        const hid_t file = edit_open(PATH);
        replace_text_attribute(file, NAMES[i], "ŷ");
        edit_close(file, PATH);
        assert_refused(PATH, UG_E_FORMAT, NAMES[i], "is 'ŷ', must be");
    }
    const hid_t plain = H5Fcreate(PATH, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(plain);
    assert_refused(PATH, UG_E_FORMAT, "not a ugoki store", "'schema' is missing");
}

static void test_motion_of_another_skeleton(void **state)
{
    (void)state;
    ug_take take, other;
    full_take_init(&take, 1);
    full_take_init(&other, 1);
    ug_clip_destroy(other.clip);
    other.clip = ug_clip_create(2, 4, NULL, 0, (ug_rate){ 120, 1 });
    ug_error err = { 0 };
    assert_int_equal(
        ug_store_write(PATH, &other, UG_PART_MOTION, &(ug_store_opts){ .base_path = GOOD }, &err),
        UG_E_DATA);
    assert_string_equal(err.message, "the motion has 4 joints, the skeleton 5");
    // by hand
    copy_file(PATH, GOOD);
    const hid_t file = edit_open(PATH);
    assert_true(H5Ldelete(file, "motion/origin", H5P_DEFAULT) >= 0);
    replace_dataset(file, "motion/rotations", H5T_IEEE_F64LE, 3, (hsize_t[]){ FULL_FRAMES, 6, 4 });
    edit_close(file, PATH);
    assert_refused(PATH, UG_E_DATA, "the motion has 6 joints, the skeleton 5", "");
    ug_take_fini(&other);
    ug_take_fini(&take);
}

static void assert_not_written(const ug_take *take, unsigned parts, const ug_store_opts *opts,
                               ug_status status, const char *where, const char *words)
{
    ug_error err = { 0 };
    const char *path = where ? where : PATH;
    const ug_status got = ug_store_write(path, take, parts, opts, &err);
    if (got != status || !strstr(err.message, words)) {
        fail_msg("status %d, '%s'; expected %d, '%s'", (int)got, err.message, (int)status, words);
    }
    if (!opts) {
        assert_string_equal(err.where, path);
    }
    assert_int_equal(access(path, F_OK), -1);
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    ug_take take;
    full_take_init(&take, 1);
    (void)remove(PATH);
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_WRITE, "no/such/folder.h5",
                       "cannot be written: No such file or directory");
    assert_not_written(&take, UG_PART_ALL, &(ug_store_opts){ .base_path = "no/such.h5" }, UG_E_IO,
                       NULL, "cannot be opened");
    ug_error err = { 0 };
    assert_int_equal(ug_store_write(PATH, &take, UG_PART_ALL,
                                    &(ug_store_opts){ .base_path = "no/such.h5" }, &err),
                     UG_E_IO);
    assert_string_equal(err.where, "no/such.h5");
    take.source.unit_m = 0.0;
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_DATA, NULL, "unit_m is 0, must be above 0");
    take.source.unit_m = 1.0;
    take.markers->scale_m = NAN;
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_DATA, NULL, "scale_m is nan");
    take.markers->scale_m = 1.0;
    take.markers->rate.den = -1;
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_DATA, NULL, "the rate is not positive");
    take.markers->rate.den = 1;
    take.skeleton->joints[2].parent = 4;
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_DATA, NULL,
                       "joint 'head': parent 4 does not stand before it");
    take.skeleton->joints[2].parent = 1;
    take.attachments.items[2].joint = 5;
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_DATA, NULL, "row 2 points at joint 5");
    take.attachments.items[2].joint = 1;
    take.clip->translated_joints[1] = 0;
    assert_not_written(&take, UG_PART_ALL, NULL, UG_E_DATA, NULL, "0 is no joint or not ascending");
    ug_take_fini(&take);
}

static void test_what_leads_out_of_a_foreign_file(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        resave(PATH, GOOD, false);
        const hid_t file = edit_open(PATH);
        if (kind == 0) {
            assert_true(H5Lcreate_external(GOOD, "/markers", file, "theirs", H5P_DEFAULT,
                                           H5P_DEFAULT) >= 0);
        } else if (kind == 1) {
            const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
            const hid_t space = H5Screate_simple(1, (hsize_t[]){ 8 }, NULL);
            H5Pset_external(create, "/etc/passwd", 0, 8);
            const hid_t set =
                H5Dcreate2(file, "theirs", H5T_STD_U8LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
            assert_true(set >= 0);
            H5Dclose(set);
            H5Sclose(space);
            H5Pclose(create);
        } else if (kind == 2) {
            replace_dataset(file, "theirs", H5T_STD_REF_OBJ, 1, (hsize_t[]){ 2 });
        } else {
            assert_true(H5Lcreate_soft("/nowhere", file, "theirs", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        }
        H5Fclose(file);
        static const char *const WORDS[] = { "is a link into another file",
                                             "keeps its data in another file",
                                             "refers to other objects", "leads nowhere" };
        assert_refused(PATH, kind < 3 ? UG_E_UNSUPPORTED : UG_E_FORMAT, "theirs", WORDS[kind]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_that_are_no_stores),
        cmocka_unit_test(test_damaged_blocks),
        cmocka_unit_test(test_other_schema_versions_by_name),
        cmocka_unit_test(test_other_conventions),
        cmocka_unit_test(test_motion_of_another_skeleton),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_what_leads_out_of_a_foreign_file),
    };
    return cmocka_run_group_tests_name("formats/store_files", tests, setup, teardown);
}
