// SPDX-License-Identifier: MIT
#include "formats/store_h5_type.h"

#include <assert.h>

#include <hdf5.h>

int ug_h5_rank(const ug_h5_spec *spec)
{
    int rank = 0;
    for (const char *p = spec->axes; *p; p++) {
        rank += *p != ' ' && (p == spec->axes || p[-1] == ' ');
    }
    assert(rank <= UG_H5_RANK_MAX);
    return rank;
}

int64_t ug_h5_file_type(ug_h5_type type)
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

int64_t ug_h5_memory_type(ug_h5_type type)
{
    const hid_t native[] = { H5T_NATIVE_UINT8, H5T_NATIVE_INT8,   H5T_NATIVE_UINT16,
                             H5T_NATIVE_INT16, H5T_NATIVE_UINT32, H5T_NATIVE_INT32,
                             H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE };
    return native[type];
}

int64_t ug_h5_text_type(size_t width, int padding, int set)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, width > 0 ? width : H5T_VARIABLE);
    H5Tset_strpad(type, (H5T_str_t)padding);
    H5Tset_cset(type, (H5T_cset_t)set);
    return type;
}
