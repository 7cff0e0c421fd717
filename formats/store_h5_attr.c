// SPDX-License-Identifier: MIT
// Attributes of the store: scalar numbers and variable-length UTF-8 texts, so that h5py reads
// numbers and str (a fixed-length text would come out as bytes).
#include "formats/store_h5.h"

#include "motion/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

static const char *self_or(const char *object)
{
    return object ? object : ".";
}

// "markers/positions" in a message: the place an attribute hangs on
static void name_place(char place[256], const ug_h5_group *group, const char *object)
{
    (void)snprintf(place, 256, "/%s%s%.80s", group->path, object && group->path[0] ? "/" : "",
                   object ? object : "");
}

static void put(const ug_h5_group *group, const char *object, const char *name, hid_t file_type,
                hid_t memory_type, const void *value)
{
    if (!ug_h5_ok(group)) {
        return;
    }
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate_by_name(group->id, self_or(object), name, file_type, space,
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, memory_type, value) < 0) {
        char place[256];
        name_place(place, group, object);
        ug_h5_fail(group->file, UG_E_WRITE, "attribute '%s' of '%s' cannot be written", name,
                   place);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
}

void ug_h5_put_text(const ug_h5_group *group, const char *object, const char *name,
                    const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const char *value = text ? text : "";
    put(group, object, name, type, type, &value);
    H5Tclose(type);
}

void ug_h5_put_int(const ug_h5_group *group, const char *object, const char *name, int64_t value)
{
    put(group, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void ug_h5_put_uint(const ug_h5_group *group, const char *object, const char *name, uint64_t value)
{
    put(group, object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void ug_h5_put_real(const ug_h5_group *group, const char *object, const char *name, double value)
{
    put(group, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

bool ug_h5_has_attribute(const ug_h5_group *group, const char *object, const char *name)
{
    return ug_h5_ok(group) && H5Aexists_by_name(group->id, self_or(object), name, H5P_DEFAULT) > 0;
}

// Open a scalar attribute; H5I_INVALID_HID after a failure, which is recorded.
static hid_t open_scalar(const ug_h5_group *group, const char *object, const char *name)
{
    if (!ug_h5_ok(group)) {
        return H5I_INVALID_HID;
    }
    char place[256];
    name_place(place, group, object);
    if (!ug_h5_has_attribute(group, object, name)) {
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' is missing", name, place);
        return H5I_INVALID_HID;
    }
    hid_t attribute = H5Aopen_by_name(group->id, self_or(object), name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : H5I_INVALID_HID;
    if (attribute < 0 || space < 0) {
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' cannot be read", name, place);
    } else if (H5Sget_simple_extent_type(space) != H5S_SCALAR) {
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' is not a scalar", name, place);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (!ug_h5_ok(group) && attribute >= 0) {
        H5Aclose(attribute);
        attribute = H5I_INVALID_HID;
    }
    return attribute;
}

static char *read_variable(hid_t attribute, hid_t type)
{
    const hid_t memory = H5Tcopy(H5T_C_S1);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    char *value = NULL, *text = NULL;
    if (H5Aread(attribute, memory, &value) >= 0) {
        text = ug_text_copy(value ? value : "");
        H5free_memory(value);
    }
    H5Tclose(memory);
    return text;
}

static char *read_fixed(hid_t attribute, hid_t type, uint64_t limit)
{
    const size_t size = H5Tget_size(type);
    char *text = size > 0 && size <= limit ? calloc(1, size + 1) : NULL;
    if (text && H5Aread(attribute, type, text) < 0) {
        free(text);
        text = NULL;
    }
    return text;
}

char *ug_h5_get_text(const ug_h5_group *group, const char *object, const char *name)
{
    const hid_t attribute = open_scalar(group, object, name);
    if (attribute < 0) {
        return NULL;
    }
    char *text = NULL;
    char place[256];
    name_place(place, group, object);
    const hid_t type = H5Aget_type(attribute);
    if (type >= 0 && H5Tget_class(type) == H5T_STRING) {
        text = H5Tis_variable_str(type) > 0 ? read_variable(attribute, type)
                                            : read_fixed(attribute, type, group->file->size);
        if (!text) {
            ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' cannot be read", name,
                       place);
        }
    } else {
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' is not a text", name, place);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    H5Aclose(attribute);
    return text;
}

void ug_h5_get_text_into(char *text, size_t size, const ug_h5_group *group, const char *object,
                         const char *name)
{
    char *value = ug_h5_get_text(group, object, name);
    text[0] = '\0';
    if (value && strlen(value) >= size) {
        char place[256];
        name_place(place, group, object);
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' is longer than %zu bytes",
                   name, place, size - 1);
    } else if (value) {
        memcpy(text, value, strlen(value) + 1);
    }
    free(value);
}

// Read a scalar of class `wanted` (or an integer, where a real is wanted) as `memory_type`.
static bool get_number(void *value, const ug_h5_group *group, const char *object, const char *name,
                       H5T_class_t wanted, bool *is_signed, hid_t memory_type)
{
    const hid_t attribute = open_scalar(group, object, name);
    if (attribute < 0) {
        return false;
    }
    char place[256];
    name_place(place, group, object);
    const hid_t type = H5Aget_type(attribute);
    const H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    if (class != wanted && class != H5T_INTEGER) {
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' is not %s", name, place,
                   wanted == H5T_INTEGER ? "a whole number" : "a number");
    } else if (H5Tget_size(type) > 8 || H5Aread(attribute, memory_type, value) < 0) {
        ug_h5_fail(group->file, UG_E_FORMAT, "attribute '%s' of '%s' cannot be read", name, place);
    } else if (is_signed) {
        *is_signed = H5Tget_sign(type) == H5T_SGN_2;
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    H5Aclose(attribute);
    return ug_h5_ok(group);
}

static void fail_range(const ug_h5_group *group, const char *object, const char *name)
{
    char place[256];
    name_place(place, group, object);
    ug_h5_fail(group->file, UG_E_DATA, "attribute '%s' of '%s' is out of range", name, place);
}

int64_t ug_h5_get_int(const ug_h5_group *group, const char *object, const char *name, int64_t low,
                      int64_t high)
{
    int64_t value = low;
    if (!get_number(&value, group, object, name, H5T_INTEGER, NULL, H5T_NATIVE_INT64)) {
        return low;
    }
    if (value < low || value > high) {
        fail_range(group, object, name);
        return low;
    }
    return value;
}

uint64_t ug_h5_get_uint(const ug_h5_group *group, const char *object, const char *name)
{
    // read both ways: libhdf5 clamps what does not fit, so a negative value shows in one only
    uint64_t value = 0;
    bool is_signed = false;
    if (!get_number(&value, group, object, name, H5T_INTEGER, &is_signed, H5T_NATIVE_UINT64)) {
        return 0;
    }
    if (is_signed && ug_h5_get_int(group, object, name, INT64_MIN, INT64_MAX) < 0) {
        fail_range(group, object, name);
        return 0;
    }
    return value;
}

double ug_h5_get_real(const ug_h5_group *group, const char *object, const char *name)
{
    double value = 0.0;
    (void)get_number(&value, group, object, name, H5T_FLOAT, NULL, H5T_NATIVE_DOUBLE);
    return ug_h5_ok(group) ? value : 0.0;
}
