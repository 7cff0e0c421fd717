// SPDX-License-Identifier: MIT
// Datasets of the store: written with their words, read only when type, shape and size are right.
#include "formats/store_h5.h"

#include "motion/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

// About 650 kB is the fastest unfiltered chunk; a filtered one above malloc's mmap threshold of
// 128 kB costs page faults for every chunk.
enum { CHUNK_BYTES = 640 << 10, FILTERED_CHUNK_BYTES = 96 << 10, DEFLATE_LEVEL = 1 };

// What an unallocated or compressed dataset may claim beyond the bytes it has in the file: zlib
// reaches 1032:1.
enum { DEFLATE_RATIO = 1100, SLACK_BYTES = 1 << 20 };

int ug_h5_rank(const ug_h5_spec *spec)
{
    int rank = 0;
    for (const char *p = spec->axes; *p; p++) {
        rank += *p != ' ' && (p == spec->axes || p[-1] == ' ');
    }
    assert(rank <= UG_H5_RANK_MAX);
    return rank;
}

static hid_t file_type(ug_h5_type type)
{
    switch (type) {
    case UG_H5_U8:
        return H5T_STD_U8LE;
    case UG_H5_I8:
        return H5T_STD_I8LE;
    case UG_H5_U16:
        return H5T_STD_U16LE;
    case UG_H5_I16:
        return H5T_STD_I16LE;
    case UG_H5_U32:
        return H5T_STD_U32LE;
    case UG_H5_I32:
        return H5T_STD_I32LE;
    case UG_H5_F32:
        return H5T_IEEE_F32LE;
    case UG_H5_F64:
        return H5T_IEEE_F64LE;
    case UG_H5_TEXT:
        break;
    }
    return H5I_INVALID_HID;
}

static hid_t memory_type(ug_h5_type type)
{
    const hid_t native[] = { H5T_NATIVE_UINT8, H5T_NATIVE_INT8,   H5T_NATIVE_UINT16,
                             H5T_NATIVE_INT16, H5T_NATIVE_UINT32, H5T_NATIVE_INT32,
                             H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE };
    return native[type];
}

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

static hid_t text_type(size_t width, H5T_str_t padding, H5T_cset_t set)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, width);
    H5Tset_strpad(type, padding);
    H5Tset_cset(type, set);
    return type;
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

// The names of the dimensions, as H5DSset_label and h5py's `dims[i].label` keep them.
static bool put_labels(hid_t dataset, const ug_h5_spec *spec, int rank)
{
    char words[128];
    assert(strlen(spec->axes) < sizeof words);
    memcpy(words, spec->axes, strlen(spec->axes) + 1);
    const char *labels[UG_H5_RANK_MAX];
    char *rest = words;
    for (int i = 0; i < rank; i++) {
        labels[i] = strtok_r(rest, " ", &rest);
    }
    const hsize_t count = (hsize_t)rank;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t type = text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8);
    const hid_t attribute =
        H5Acreate2(dataset, "DIMENSION_LABELS", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, labels) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Tclose(type);
    H5Sclose(space);
    return ok;
}

// Chunks along time, as even as possible so that the last one wastes little.
static bool set_layout(hid_t create, const ug_h5_spec *spec, int rank, const size_t dims[],
                       size_t element, bool compress)
{
    size_t row = element;
    for (int i = 1; i < rank; i++) {
        row *= dims[i];
    }
    if (!spec->timed || rank == 0 || dims[0] == 0 || row == 0 || row > UINT32_MAX / 2) {
        return true; // contiguous: libhdf5 has no empty chunks
    }
    const size_t target = compress ? FILTERED_CHUNK_BYTES : CHUNK_BYTES;
    const size_t most = target / row > 0 ? target / row : 1;
    const size_t pieces = (dims[0] + most - 1) / most;
    hsize_t chunk[UG_H5_RANK_MAX] = { (dims[0] + pieces - 1) / pieces };
    for (int i = 1; i < rank; i++) {
        chunk[i] = dims[i];
    }
    return H5Pset_chunk(create, rank, chunk) >= 0 &&
           (!compress ||
            (H5Pset_shuffle(create) >= 0 && H5Pset_deflate(create, DEFLATE_LEVEL) >= 0));
}

static void put_typed(const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[],
                      const void *data, hid_t stored, hid_t memory)
{
    const int rank = ug_h5_rank(spec);
    hsize_t extent[UG_H5_RANK_MAX];
    size_t count = 1;
    for (int i = 0; i < rank; i++) {
        extent[i] = dims[i];
        count *= dims[i];
    }
    const hid_t space = rank > 0 ? H5Screate_simple(rank, extent, NULL) : H5Screate(H5S_SCALAR);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Pset_char_encoding(links, H5T_CSET_UTF8);
    (void)H5Pset_obj_track_times(create, false);
    hid_t dataset = H5I_INVALID_HID;
    if (set_layout(create, spec, rank, dims, H5Tget_size(stored), group->file->compress)) {
        dataset = H5Dcreate2(group->id, spec->name, stored, space, links, create, H5P_DEFAULT);
    }
    if (dataset < 0 ||
        (count > 0 && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) ||
        (rank > 0 && !put_labels(dataset, spec, rank))) {
        ug_h5_fail(group->file, UG_E_WRITE, "dataset '%s/%s' cannot be written", group->path,
                   spec->name);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    H5Pclose(links);
    H5Pclose(create);
    H5Sclose(space);
    ug_h5_put_text(group, spec->name, "shape", spec->shape);
    ug_h5_put_text(group, spec->name, "unit", spec->unit);
    ug_h5_put_text(group, spec->name, "meaning", spec->meaning);
}

void ug_h5_put(const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[],
               const void *data)
{
    if (ug_h5_ok(group)) {
        put_typed(group, spec, dims, data, file_type(spec->type), memory_type(spec->type));
    }
}

void ug_h5_put_cells(const ug_h5_group *group, const ug_h5_spec *spec, size_t width,
                     const size_t dims[], const void *data)
{
    if (ug_h5_ok(group)) {
        assert(spec->type == UG_H5_TEXT && width > 0);
        const hid_t type = text_type(width, H5T_STR_SPACEPAD, H5T_CSET_ASCII);
        put_typed(group, spec, dims, data, type, type);
        H5Tclose(type);
    }
}

void ug_h5_put_texts(const ug_h5_group *group, const ug_h5_spec *spec, size_t count,
                     char *const *texts)
{
    if (!ug_h5_ok(group)) {
        return;
    }
    size_t width = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t length = texts[i] ? strlen(texts[i]) : 0;
        width = length > width ? length : width;
    }
    char *cells = calloc(count > 0 ? count : 1, width);
    if (!cells) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (texts[i]) {
            memcpy(cells + i * width, texts[i], strlen(texts[i]));
        }
    }
    const hid_t type = text_type(width, H5T_STR_NULLPAD, H5T_CSET_UTF8);
    put_typed(group, spec, &count, cells, type, type);
    H5Tclose(type);
    free(cells);
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
    const hid_t want = file_type(spec->type);
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
        read_all(data, dataset, memory_type(spec->type), group, spec, dims);
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
    const hid_t memory = text_type(H5T_VARIABLE, H5T_STR_NULLTERM, H5Tget_cset(type));
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
