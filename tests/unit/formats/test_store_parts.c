// SPDX-License-Identifier: MIT
// What the store refuses, and in which words: every dataset and attribute missing, of another type
// or of another shape, and values no reader could use. Files are edited and sealed again, so that
// the checksum cannot be what refuses them.
#include "formats/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/full_take.h"
#include "tests/support/h5_edit.h"

static const char PATH[] = "unit_store_parts.h5";
static const char GOOD[] = "unit_store_parts_good.h5";

// Sanitizers make an edit six times as slow: they see every third one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SWEEP_STEP = 3 };
#else
enum { SWEEP_STEP = 1 };
#endif

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

typedef struct name_list {
    char names[256][160];
    size_t count;
} name_list;

static herr_t add_dataset(hid_t root, const char *name, const H5O_info_t *info, void *to)
{
    (void)root;
    name_list *list = to;
    if (info->type == H5O_TYPE_DATASET) {
        assert_true(list->count < 256);
        (void)snprintf(list->names[list->count++], sizeof list->names[0], "%s", name);
    }
    return 0;
}

static void list_datasets(name_list *list)
{
    list->count = 0;
    const hid_t file = H5Fopen(GOOD, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add_dataset, list, H5O_INFO_BASIC) >=
                0);
    H5Fclose(file);
    assert_true(list->count > 60); // as many as docs/store.md lists, and the parameters
}

static bool is_optional(const char *name)
{
    return strcmp(name, "source/header") == 0 || strcmp(name, "motion/origin") == 0 ||
           strcmp(name, "markers/unfiltered") == 0 ||
           strncmp(name, "source/parameters/", 18) == 0 || strncmp(name, "quality/", 8) == 0;
}

static void test_every_dataset_missing(void **state)
{
    (void)state;
    static name_list list;
    list_datasets(&list);
    for (size_t i = 0; i < list.count; i++) {
        if (is_optional(list.names[i])) {
            continue;
        }
        copy_file(PATH, GOOD);
        const hid_t file = edit_open(PATH);
        assert_true(H5Ldelete(file, list.names[i], H5P_DEFAULT) >= 0);
        edit_close(file, PATH);
        assert_refused(PATH, UG_E_FORMAT, list.names[i], "is missing");
    }
}

enum edit {
    OTHER_TYPE,
    OTHER_SIGN,
    MORE_ROWS,
    FEWER_DIMENSIONS,
    MORE_DIMENSIONS,
    ENORMOUS,
    GROUP,
    EDITS
};

static void type_and_shape(hid_t file, const char *name, hid_t *type, int *rank, hsize_t dims[])
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    *type = H5Dget_type(set);
    *rank = H5Sget_simple_extent_dims(space, dims, NULL);
    H5Sclose(space);
    H5Dclose(set);
}

static hid_t other_sign(hid_t type)
{
    if (H5Tget_class(type) == H5T_INTEGER) {
        const hid_t other = H5Tcopy(type);
        H5Tset_sign(other, H5Tget_sign(type) == H5T_SGN_2 ? H5T_SGN_NONE : H5T_SGN_2);
        H5Tclose(type);
        return other;
    }
    // texts and reals have none: another size of real instead
    const bool is_f32 = H5Tget_class(type) == H5T_FLOAT && H5Tget_size(type) == 4;
    H5Tclose(type);
    return H5Tcopy(is_f32 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE);
}

// The attributes that readers of parameters and series look at stay on the new dataset.
static void keep_attributes(hid_t file, const char *name, hid_t kept)
{
    const hid_t set = H5Oopen(file, name, H5P_DEFAULT);
    hid_t to = set;
    assert_true(H5Aiterate2(kept, H5_INDEX_NAME, H5_ITER_INC, NULL, resave_attribute, &to) >= 0);
    H5Oclose(set);
}

static void edit_dataset(hid_t file, const char *name, enum edit edit)
{
    hsize_t dims[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    hid_t type;
    int rank;
    type_and_shape(file, name, &type, &rank, dims);
    const hid_t kept = H5Dopen2(file, name, H5P_DEFAULT);
    const bool is_text = H5Tget_class(type) == H5T_STRING;
    switch (edit) {
    case OTHER_TYPE:
        H5Tclose(type);
        type = is_text ? H5Tcopy(H5T_STD_I32LE) : H5Tcopy(H5T_C_S1);
        break;
    case OTHER_SIGN:
        type = other_sign(type);
        break;
    case MORE_ROWS:
        dims[rank > 0 ? rank - 1 : 0] += 1;
        rank = rank > 0 ? rank : 1;
        break;
    case FEWER_DIMENSIONS:
        rank = rank > 1 ? rank - 1 : 1 - rank;
        break;
    case MORE_DIMENSIONS:
        rank += 1;
        break;
    case ENORMOUS: // chunked and never written: claims what no file holds
        dims[0] = (hsize_t)1 << 40;
        rank = rank > 0 ? rank : 1;
        break;
    case GROUP:
    case EDITS:
        break;
    }
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    if (edit == GROUP) {
        H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (edit == ENORMOUS) {
        const hid_t space = H5Screate_simple(rank, dims, NULL);
        const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
        hsize_t chunk[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
        H5Pset_chunk(create, rank, chunk);
        const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
        assert_true(set >= 0);
        H5Dclose(set);
        H5Pclose(create);
        H5Sclose(space);
    } else {
        replace_dataset(file, name, type, rank, dims);
    }
    keep_attributes(file, name, kept);
    H5Dclose(kept);
    H5Tclose(type);
}

static bool has_free_shape(const char *name)
{
    return strncmp(name, "quality/", 8) == 0;
}

static void test_every_dataset_wrong(void **state)
{
    (void)state;
    static name_list list;
    list_datasets(&list);
    for (size_t i = 0; i < list.count; i++) {
        const char *name = list.names[i];
        for (enum edit edit = 0; edit < EDITS; edit++) {
            if ((edit == MORE_ROWS && has_free_shape(name)) || (i + edit) % SWEEP_STEP != 0) {
                continue; // as good as any
            }
            copy_file(PATH, GOOD);
            const hid_t file = edit_open(PATH);
            edit_dataset(file, name, edit);
            edit_close(file, PATH);
            ug_take take;
            ug_error err = { 0 };
            ug_take_init(&take);
            const ug_status got = ug_store_read(&take, PATH, UG_PART_ALL, NULL, &err);
            // one dataset sets the count, so another of its group may be the one that differs
            char group[160];
            (void)snprintf(group, sizeof group, "%s", name);
            *strrchr(group, '/') = '\0';
            // more points than are known is a matter of values
            const bool points = edit == MORE_ROWS && strcmp(name, "contacts/names") == 0;
            if (got != (points ? UG_E_DATA : UG_E_FORMAT) || !strstr(err.message, group)) {
                fail_msg("'%s', edit %d: status %d, '%s'", name, (int)edit, (int)got, err.message);
            }
            assert_empty(&take);
        }
    }
}

static void test_words_for_a_wrong_dataset(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum edit edit;
        const char *words;
    } CASES[] = {
        { "markers/residuals", MORE_ROWS,
          "dataset 'markers/residuals' is (37 x 5), must be (frame_count x marker_count) = (37 x "
          "4)" },
        { "markers/origin", OTHER_SIGN, "dataset 'markers/origin' is int16, must be uint16" },
        { "markers/positions", OTHER_SIGN,
          "dataset 'markers/positions' is float64, must be float32" },
        { "skeleton/names", OTHER_TYPE, "dataset 'skeleton/names' is int32, must be text" },
        { "motion/rotations", FEWER_DIMENSIONS,
          "dataset 'motion/rotations' must be (frame_count x joint_count x 4)" },
        { "motion/rotations", ENORMOUS,
          "dataset 'motion/rotations' claims more data than the file can hold" },
        { "events/time_s", GROUP, "'events/time_s' is not a readable dataset" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        copy_file(PATH, GOOD);
        const hid_t file = edit_open(PATH);
        edit_dataset(file, CASES[i].name, CASES[i].edit);
        edit_close(file, PATH);
        assert_refused(PATH, UG_E_FORMAT, CASES[i].words, "");
    }
    copy_file(PATH, GOOD);
    const hid_t file = edit_open(PATH);
    assert_true(H5Ldelete(file, "motion", H5P_DEFAULT) >= 0);
    replace_dataset(file, "motion", H5T_STD_I32LE, 0, NULL);
    edit_close(file, PATH);
    assert_refused(PATH, UG_E_FORMAT, "'motion' is not a group", "");
}

typedef struct attribute_list {
    struct {
        char object[160], name[64];
    } items[1024];
    size_t count;
    char object[160];
} attribute_list;

static herr_t add_attribute(hid_t object, const char *name, const H5A_info_t *info, void *to)
{
    (void)object;
    (void)info;
    attribute_list *list = to;
    assert_true(list->count < 1024);
    (void)snprintf(list->items[list->count].object, 160, "%s", list->object);
    (void)snprintf(list->items[list->count++].name, 64, "%s", name);
    return 0;
}

static herr_t add_attributes(hid_t root, const char *name, const H5O_info_t *info, void *to)
{
    (void)info;
    attribute_list *list = to;
    (void)snprintf(list->object, sizeof list->object, "%s", name);
    const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    assert_true(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, add_attribute, list) >= 0);
    H5Oclose(object);
    return 0;
}

// Words for people, order, and what may be absent
static bool is_informative(const char *object, const char *name)
{
    return strcmp(name, "meaning") == 0 || strcmp(name, "shape") == 0 ||
           strcmp(name, "DIMENSION_LABELS") == 0 || strcmp(name, "index") == 0 ||
           (strcmp(name, "unit") == 0 && strchr(object, '/') &&
            strncmp(object, "quality", 7) != 0) ||
           (strcmp(object, "skeleton") == 0 && strcmp(name, "name") == 0);
}

// What the first version did not write
static bool came_later(const char *name)
{
    return strcmp(name, "unit_stated") == 0 || strcmp(name, "axes_stated") == 0;
}

static void test_every_attribute_missing_or_wrong(void **state)
{
    (void)state;
    static attribute_list list;
    list.count = 0;
    hid_t file = H5Fopen(GOOD, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, add_attributes, &list, H5O_INFO_BASIC) >= 0);
    H5Fclose(file);
    size_t tested = 0;
    for (size_t i = 0; i < list.count; i++) {
        const char *object = list.items[i].object, *name = list.items[i].name;
        if (is_informative(object, name)) {
            continue;
        }
        for (int edit = came_later(name) ? 1 : 0; edit < 2; edit++) {
            copy_file(PATH, GOOD);
            file = edit_open(PATH);
            assert_true(H5Adelete_by_name(file, object, name, H5P_DEFAULT) >= 0);
            if (edit == 1) { // BUGS S20: an array of one is not a scalar
                const hid_t space = H5Screate_simple(1, (hsize_t[]){ 1 }, NULL);
                const hid_t a = H5Acreate_by_name(file, object, name, H5T_STD_I64LE, space,
                                                  H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                assert_true(a >= 0);
                H5Aclose(a);
                H5Sclose(space);
            }
            edit_close(file, PATH);
            assert_refused(PATH, UG_E_FORMAT, name, edit == 0 ? "is missing" : "is not a scalar");
            tested++;
        }
    }
    assert_true(tested > 150);
}

static void test_attribute_types_and_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *object, *name;
        long long value;
        const char *text; ///< NULL: the number
        ug_status status;
        const char *words;
    } CASES[] = {
        { "markers", "rate_num", 0, "fast", UG_E_FORMAT, "is not a whole number" },
        { "markers", "rate_num", 0, NULL, UG_E_DATA, "group 'markers': the rate is not positive" },
        { "markers", "rate_den", -1, NULL, UG_E_DATA, "'rate_den' of '/markers' is out of range" },
        { "markers/positions", "scale_m", -1, NULL, UG_E_DATA, "scale_m is -1, must be above 0" },
        { "markers/positions", "scale_m", 0, "mm", UG_E_FORMAT,
          "attribute 'scale_m' of '/markers/positions' is not a number" },
        { "source", "unit_m", 0, NULL, UG_E_DATA, "unit_m is 0, must be above 0" },
        { "source", "axes", 0, "+X+Y+Y", UG_E_DATA, "no right-handed frame" },
        { "source", "axes", 3, NULL, UG_E_FORMAT, "attribute 'axes' of '/source' is not a text" },
        { "source", "format", 0, "a very long format name", UG_E_FORMAT, "longer than 15 bytes" },
        { "source", "processor", 0, "Zuse", UG_E_DATA, "must be Intel, DEC, MIPS or empty" },
        { "source", "integer_samples", 2, NULL, UG_E_DATA, "out of range" },
        { "source/parameters/POINT/RATE", "type", 0, "int64", UG_E_DATA, "unknown type 'int64'" },
        { "source/parameters/POINT/LABELS", "dimensions", 0, "4 256", UG_E_DATA,
          "up to 7 numbers" },
        { "source/parameters/POINT/LABELS", "dimensions", 0, "1 1 1 1 1 1 1 1", UG_E_DATA,
          "up to 7 numbers" },
        { "source/parameters/POINT/LABELS", "dimensions", 0, "4 4", UG_E_FORMAT,
          "shape its attribute 'dimensions' says" },
        { "source/parameters/POINT/LABELS", "dimensions", 0, "5 3", UG_E_FORMAT,
          "must hold texts of 5 bytes" },
        { "source/parameters/POINT/LABELS", "dimensions", 0, "255 255 255 255 255 255 255",
          UG_E_FORMAT, "source/parameters/POINT/LABELS" },
        { "provenance/0001-import", "seed", -1, NULL, UG_E_DATA, "out of range" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        copy_file(PATH, GOOD);
        const hid_t file = edit_open(PATH);
        const hid_t object = H5Oopen(file, CASES[i].object, H5P_DEFAULT);
        if (CASES[i].text) {
            replace_text_attribute(object, CASES[i].name, CASES[i].text);
        } else {
            replace_int_attribute(object, CASES[i].name, CASES[i].value);
        }
        H5Oclose(object);
        edit_close(file, PATH);
        assert_refused(PATH, CASES[i].status, CASES[i].words, "");
    }
}

// Overwrite the first element of a dataset with `value` bytes.
static void poke(hid_t file, const char *name, long long value)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space), size = H5Tget_size(type);
    char *data = calloc(count, size);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    memcpy(data, &value, size < 8 ? size : 8);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    free(data);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static void test_values_that_would_mislead(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        long long value;
        const char *words;
    } CASES[] = {
        { "markers/kinds", 8, "dataset 'markers/kinds': value 0 is 8, must be at most 7" },
        { "skeleton/parents", 0, "skeleton: joint 'Hüfte': parent 0 does not stand before it" },
        { "skeleton/parents", 0x7FFFFFFF, "does not stand before it" },
        { "skeleton/type", 5, "dataset 'skeleton/type': value 0 is 5, must be at most 4" },
        { "skeleton/channels", 10, "dataset 'skeleton/channels': value 0 is 10" },
        { "skeleton/rest", 0, "rest rotation is not a unit quaternion" },
        { "skeleton/roles", 'x', "joint 0 has the unknown role 'x" },
        { "attachments/joint", 5, "row 0 points at joint 5, which the skeleton does not have" },
        { "attachments/joint", 0xFFFFFFFE, "row 0 points at joint -2" },
        { "attachments/kind", 3, "dataset 'attachments/kind': value 0 is 3" },
        { "attachments/calibrated", 2, "dataset 'attachments/calibrated': value 0 is 2" },
        { "motion/translated_joints", 5, "'motion/translated_joints': 5 is no joint" },
        { "motion/translated_joints", 4, "'motion/translated_joints': 4 is no joint or not asc" },
        { "contacts/names", 'x', "unknown point 'x" },
        { "contacts/point", 6, "dataset 'contacts/point': value 0 is 6, must be at most 5" },
        { "contacts/kind", 2, "dataset 'contacts/kind': value 0 is 2" },
        { "contacts/accepted", 2, "dataset 'contacts/accepted': value 0 is 2" },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        copy_file(PATH, GOOD);
        const hid_t file = edit_open(PATH);
        poke(file, CASES[i].name, CASES[i].value);
        edit_close(file, PATH);
        assert_refused(PATH, UG_E_DATA, CASES[i].words, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_dataset_missing),
        cmocka_unit_test(test_every_dataset_wrong),
        cmocka_unit_test(test_words_for_a_wrong_dataset),
        cmocka_unit_test(test_every_attribute_missing_or_wrong),
        cmocka_unit_test(test_attribute_types_and_ranges),
        cmocka_unit_test(test_values_that_would_mislead),
    };
    return cmocka_run_group_tests_name("formats/store_parts", tests, setup, teardown);
}
