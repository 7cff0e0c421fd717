// SPDX-License-Identifier: MIT
// Datasets of the store, read only when type, shape and size are right.
#include "formats/store_h5.h"
#include "formats/store_h5_type.h"

#include "motion/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

// What an unallocated or compressed dataset may claim beyond the bytes it has in the file: zlib
// reaches 1032:1.
enum { DEFLATE_RATIO = 1100, SLACK_BYTES = 1 << 20 };

static const char *type_name(ug_h5_type type)
{
    static const char *const NAMES[] = { "uint8", "int8",    "uint16",  "int16", "uint32",
                                         "int32", "float32", "float64", "text" };
    return NAMES[type];
}

// A type of the file in numpy's words, for messages.
static void describe_type(char text[32], hid_t type)
{
    const unsigned bits = 8 * (unsigned)H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        (void)snprintf(text, 32, "%sint%u", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", bits);
        break;
    case H5T_FLOAT:
        (void)snprintf(text, 32, "float%u", bits);
        break;
    case H5T_STRING:
        (void)snprintf(text, 32, "text");
        break;
    default:
        (void)snprintf(text, 32, "another type");
        break;
    }
}

static void print_dims(char *text, size_t size, int rank, const size_t dims[])
{
    size_t n = (size_t)snprintf(text, size, "(");
    for (int i = 0; i < rank && n < size; i++) {
        n += (size_t)snprintf(text + n, size - n, "%s%zu", i > 0 ? " x " : "", dims[i]);
    }
    if (n < size) {
        (void)snprintf(text + n, size - n, ")");
    }
}

static hid_t open_dataset(const ug_h5_group *group, const char *name)
{
    if (!ug_h5_ok(group)) {
        return H5I_INVALID_HID;
    }
    if (!ug_h5_has(group, name)) {
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' is missing", group->path, name);
        return H5I_INVALID_HID;
    }
    const hid_t dataset = H5Dopen2(group->id, name, H5P_DEFAULT);
    if (dataset < 0) {
        ug_h5_fail(group->file, UG_E_FORMAT, "'%s/%s' is not a readable dataset", group->path,
                   name);
    }
    return dataset;
}

// Can the file hold `bytes` of this dataset? Asked before any memory is taken for it.
static bool is_plausible(hid_t dataset, uint64_t bytes, uint64_t file_size)
{
    const hid_t create = H5Dget_create_plist(dataset);
    const int filters = create >= 0 ? H5Pget_nfilters(create) : -1;
    if (create >= 0) {
        H5Pclose(create);
    }
    uint64_t stored = H5Dget_storage_size(dataset);
    stored = stored < file_size ? stored : file_size;
    const uint64_t ratio = filters > 0 ? DEFLATE_RATIO : 1;
    return filters >= 0 && stored < UINT64_MAX / 2 / DEFLATE_RATIO &&
           bytes <= stored * ratio + SLACK_BYTES;
}

static bool type_matches(hid_t type, const ug_h5_spec *spec)
{
    if (spec->type == UG_H5_TEXT) {
        return H5Tget_class(type) == H5T_STRING;
    }
    const hid_t want = ug_h5_file_type(spec->type);
    const H5T_class_t class = H5Tget_class(type);
    return class == H5Tget_class(want) && H5Tget_size(type) == H5Tget_size(want) &&
           (class != H5T_INTEGER || H5Tget_sign(type) == H5Tget_sign(want));
}

// Type, rank and size of an open dataset against its spec; dims are filled.
static void check_dataset(size_t dims[], hid_t dataset, hid_t type, hid_t space,
                          const ug_h5_group *group, const ug_h5_spec *spec)
{
    const char *path = group->path, *name = spec->name;
    if (!type_matches(type, spec)) {
        char found[32];
        describe_type(found, type);
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' is %s, must be %s", path, name, found,
                   type_name(spec->type));
        return;
    }
    const int rank = ug_h5_rank(spec);
    hsize_t extent[H5S_MAX_RANK];
    const H5S_class_t class = H5Sget_simple_extent_type(space);
    if (class != (rank > 0 ? H5S_SIMPLE : H5S_SCALAR) ||
        H5Sget_simple_extent_dims(space, extent, NULL) != rank) {
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' must be %s", path, name, spec->shape);
        return;
    }
    uint64_t bytes = H5Tget_size(type);
    bool fits = true;
    for (int i = 0; i < rank; i++) {
        fits = fits && (extent[i] == 0 || bytes <= UINT64_MAX / 4 / extent[i]);
        bytes = fits ? bytes * extent[i] : bytes;
        dims[i] = (size_t)extent[i];
    }
    if (!fits || !is_plausible(dataset, bytes, group->file->size)) {
        ug_h5_fail(group->file, UG_E_FORMAT,
                   "dataset '%s/%s' claims more data than the file can hold", path, name);
    }
}

// Open with every check passed, or H5I_INVALID_HID. `expected` may be NULL.
static hid_t open_checked(size_t dims[], const ug_h5_group *group, const ug_h5_spec *spec,
                          const size_t expected[], hid_t *type)
{
    const hid_t dataset = open_dataset(group, spec->name);
    if (dataset < 0) {
        return H5I_INVALID_HID;
    }
    const hid_t found = H5Dget_type(dataset);
    const hid_t space = H5Dget_space(dataset);
    if (found < 0 || space < 0) {
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' cannot be read", group->path,
                   spec->name);
    } else {
        check_dataset(dims, dataset, found, space, group, spec);
    }
    const int rank = ug_h5_rank(spec);
    if (ug_h5_ok(group) && expected && memcmp(dims, expected, (size_t)rank * sizeof *dims) != 0) {
        char is[128], must[128];
        print_dims(is, sizeof is, rank, dims);
        print_dims(must, sizeof must, rank, expected);
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' is %s, must be %s = %s", group->path,
                   spec->name, is, spec->shape, must);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (found >= 0 && (!type || !ug_h5_ok(group))) {
        H5Tclose(found);
    } else if (type) {
        *type = found;
    }
    if (!ug_h5_ok(group)) {
        H5Dclose(dataset);
        return H5I_INVALID_HID;
    }
    return dataset;
}

bool ug_h5_shape(size_t dims[], const ug_h5_group *group, const ug_h5_spec *spec)
{
    const hid_t dataset = open_checked(dims, group, spec, NULL, NULL);
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    return dataset >= 0;
}

static void read_all(void *data, hid_t dataset, hid_t memory, const ug_h5_group *group,
                     const ug_h5_spec *spec, const size_t dims[])
{
    size_t count = 1;
    for (int i = 0; i < ug_h5_rank(spec); i++) {
        count *= dims[i];
    }
    if (count > 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' cannot be read", group->path,
                   spec->name);
    }
}

void ug_h5_get(void *data, const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[])
{
    size_t found[UG_H5_RANK_MAX];
    const hid_t dataset = open_checked(found, group, spec, dims, NULL);
    if (dataset >= 0) {
        read_all(data, dataset, ug_h5_memory_type(spec->type), group, spec, dims);
        H5Dclose(dataset);
    }
}

void ug_h5_get_cells(void *data, const ug_h5_group *group, const ug_h5_spec *spec, size_t width,
                     const size_t dims[])
{
    size_t found[UG_H5_RANK_MAX];
    hid_t type = H5I_INVALID_HID;
    const hid_t dataset = open_checked(found, group, spec, dims, &type);
    if (dataset < 0) {
        return;
    }
    if (H5Tis_variable_str(type) > 0 || H5Tget_size(type) != width) {
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' must hold texts of %zu bytes",
                   group->path, spec->name, width);
    } else {
        read_all(data, dataset, type, group, spec, dims);
    }
    H5Tclose(type);
    H5Dclose(dataset);
}

// One cell without its padding; NULL without memory.
static char *cell_text(const char *cell, size_t width, H5T_str_t padding)
{
    size_t length = strnlen(cell, width);
    while (padding == H5T_STR_SPACEPAD && length > 0 && cell[length - 1] == ' ') {
        length--;
    }
    return ug_text_copy_n(cell, length);
}

static bool read_fixed(char **texts, size_t count, hid_t dataset, hid_t type)
{
    const size_t width = H5Tget_size(type);
    const H5T_str_t padding = H5Tget_strpad(type);
    char *cells = width > 0 ? calloc(count, width) : NULL;
    bool ok = cells && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) >= 0;
    for (size_t i = 0; ok && i < count; i++) {
        texts[i] = cell_text(cells + i * width, width, padding);
        ok = texts[i] != NULL;
    }
    free(cells);
    return ok;
}

static bool read_variable(char **texts, size_t count, hid_t dataset, hid_t type)
{
    const hid_t memory = ug_h5_text_type(0, H5T_STR_NULLTERM, H5Tget_cset(type));
    const hid_t space = H5Dget_space(dataset);
    char **cells = calloc(count, sizeof *cells);
    bool ok =
        cells && space >= 0 && H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells) >= 0;
    for (size_t i = 0; ok && i < count; i++) {
        texts[i] = ug_text_copy(cells[i] ? cells[i] : "");
        ok = texts[i] != NULL;
    }
    if (cells && space >= 0) {
        H5Dvlen_reclaim(memory, space, H5P_DEFAULT, cells);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    H5Tclose(memory);
    free(cells);
    return ok;
}

char **ug_h5_get_texts(const ug_h5_group *group, const ug_h5_spec *spec, size_t count)
{
    size_t found[UG_H5_RANK_MAX];
    hid_t type = H5I_INVALID_HID;
    const hid_t dataset = open_checked(found, group, spec, &count, &type);
    if (dataset < 0) {
        return NULL;
    }
    char **texts = ug_text_list_create(count);
    if (!texts && count > 0) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
    } else if (count > 0 &&
               !(H5Tis_variable_str(type) > 0 ? read_variable(texts, count, dataset, type)
                                              : read_fixed(texts, count, dataset, type))) {
        ug_h5_fail(group->file, UG_E_FORMAT, "dataset '%s/%s' cannot be read", group->path,
                   spec->name);
        ug_text_list_destroy(texts, count);
        texts = NULL;
    }
    H5Tclose(type);
    H5Dclose(dataset);
    return texts;
}
