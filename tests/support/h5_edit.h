// SPDX-License-Identifier: MIT
// What another HDF5 program might do to a store: edit it, strip its block, save it in the old
// format.
//
// For tests of formats/store*.c. Include after cmocka.h.
#pragma once

#include "formats/file.h"
#include "formats/store_block.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

static inline void write_bytes(const char *path, const void *data, size_t size)
{
    (void)remove(path); // ext4 would flush a file that is truncated and written again
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static inline void read_bytes(ug_bytes *bytes, const char *path)
{
    assert_int_equal(ug_bytes_read(bytes, path, NULL), UG_OK);
}

/// A valid block for whatever stands behind it now: an edit that only the reader can refuse.
static inline void reseal(const char *path)
{
    ug_bytes bytes = { 0 };
    read_bytes(&bytes, path);
    const ug_store_block block =
        ug_store_block_make(bytes.data + UG_STORE_BLOCK_SIZE, bytes.size - UG_STORE_BLOCK_SIZE);
    memcpy(bytes.data, block.bytes, sizeof block.bytes);
    write_bytes(path, bytes.data, bytes.size);
    ug_bytes_fini(&bytes);
}

/// The same HDF5 file without the user block.
static inline void strip_block(const char *to, const char *from)
{
    ug_bytes bytes = { 0 };
    read_bytes(&bytes, from);
    write_bytes(to, bytes.data + UG_STORE_BLOCK_SIZE, bytes.size - UG_STORE_BLOCK_SIZE);
    ug_bytes_fini(&bytes);
}

static inline hid_t edit_open(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static inline void edit_close(hid_t file, const char *path)
{
    assert_int_equal(H5Fget_obj_count(file, H5F_OBJ_ALL), 1);
    assert_true(H5Fclose(file) >= 0);
    reseal(path);
}

/// Put a dataset of zeros (or empty texts) in place of whatever was there.
static inline void replace_dataset(hid_t file, const char *name, hid_t type, int rank,
                                   const hsize_t dims[])
{
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) {
        assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    }
    const hid_t space = rank > 0 ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Pclose(create);
    H5Sclose(space);
}

static inline void replace_text_attribute(hid_t object, const char *name, const char *text)
{
    if (H5Aexists(object, name) > 0) {
        assert_true(H5Adelete(object, name) >= 0);
    }
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(a >= 0 && H5Awrite(a, type, &text) >= 0);
    H5Aclose(a);
    H5Sclose(space);
    H5Tclose(type);
}

static inline void replace_int_attribute(hid_t object, const char *name, long long value)
{
    if (H5Aexists(object, name) > 0) {
        assert_true(H5Adelete(object, name) >= 0);
    }
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t a = H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(a >= 0 && H5Awrite(a, H5T_NATIVE_LLONG, &value) >= 0);
    H5Aclose(a);
    H5Sclose(space);
}

static inline herr_t resave_attribute(hid_t from, const char *name, const H5A_info_t *info,
                                      void *to)
{
    (void)info;
    const hid_t a = H5Aopen(from, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    void *value = calloc((size_t)H5Sget_simple_extent_npoints(space), H5Tget_size(type));
    assert_true(H5Aread(a, type, value) >= 0);
    const hid_t b = H5Acreate2(*(hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(b >= 0 && H5Awrite(b, type, value) >= 0);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
    free(value);
    H5Aclose(b);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    return 0;
}

static inline hid_t resave_dataset(hid_t from, hid_t to, const char *name)
{
    const hid_t type = H5Dget_type(from), space = H5Dget_space(from);
    const hid_t create = H5Dget_create_plist(from);
    H5Pset_attr_phase_change(create, 8, 6);
    const hid_t copy = H5Dcreate2(to, name, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    assert_true(copy >= 0);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count > 0) {
        void *data = calloc((size_t)count, H5Tget_size(type));
        assert_true(H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
        assert_true(H5Dwrite(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
        free(data);
    }
    H5Pclose(create);
    H5Sclose(space);
    H5Tclose(type);
    return copy;
}

static inline herr_t resave_object(hid_t root, const char *name, const H5O_info_t *info, void *to)
{
    const hid_t file = *(hid_t *)to;
    const hid_t from = H5Oopen(root, name, H5P_DEFAULT);
    hid_t copy = H5I_INVALID_HID;
    if (strcmp(name, ".") == 0) {
        copy = H5Oopen(file, ".", H5P_DEFAULT);
    } else if (info->type == H5O_TYPE_GROUP) {
        copy = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    } else {
        copy = resave_dataset(from, file, name);
    }
    assert_true(copy >= 0);
    assert_true(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, NULL, resave_attribute, &copy) >= 0);
    H5Oclose(copy);
    H5Oclose(from);
    return 0;
}

/// All of `from` in a new file as a plain HDF5 program writes it: no block, the oldest format,
/// whose metadata carry no checksums; with `latest` the newest one, attributes stored densely.
static inline void resave(const char *to, const char *from, bool latest)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (latest) {
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    }
    const hid_t a = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t b = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    assert_true(a >= 0 && b >= 0);
    assert_true(H5Ovisit2(a, H5_INDEX_NAME, H5_ITER_INC, resave_object, &b, H5O_INFO_BASIC) >= 0);
    assert_int_equal(H5Fget_obj_count(b, H5F_OBJ_ALL), 1);
    H5Fclose(b);
    H5Fclose(a);
    H5Pclose(access);
}
