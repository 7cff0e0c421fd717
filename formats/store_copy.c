// SPDX-License-Identifier: MIT
#include "formats/store_copy.h"

#include "motion/text.h"

#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

enum { PIECE = 1 << 20, ATTRIBUTE_BYTES = 16 << 20 };

static bool is_listed(const char *const list[], const char *name)
{
    for (size_t i = 0; list[i]; i++) {
        if (strcmp(list[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Bytes that all elements take in memory; false when that is more than `limit`.
static bool bytes_of(size_t *bytes, hid_t type, hid_t space, uint64_t limit)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t size = H5Tget_size(type);
    if (count < 0 || size == 0 || (uint64_t)count > limit / size) {
        return false;
    }
    *bytes = (size_t)count * size;
    return true;
}

static bool copy_value(hid_t to, hid_t attribute, const char *name, hid_t type, hid_t space)
{
    size_t bytes = 0;
    if (!bytes_of(&bytes, type, space, ATTRIBUTE_BYTES)) {
        return false;
    }
    void *value = calloc(1, bytes > 0 ? bytes : 1);
    bool ok = value && (bytes == 0 || H5Aread(attribute, type, value) >= 0);
    if (ok) {
        const hid_t copy = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        ok = copy >= 0 && (bytes == 0 || H5Awrite(copy, type, value) >= 0);
        if (copy >= 0) {
            H5Aclose(copy);
        }
        if (bytes > 0) {
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
        }
    }
    free(value);
    return ok;
}

// Where attributes go, and whose failures they are.
typedef struct destination {
    ug_h5_file *file;
    hid_t object;
    const char *path; ///< for messages
} destination;

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *to)
{
    (void)info;
    const destination *d = to;
    if (H5Aexists(d->object, name) > 0) {
        return 0; // the root's own, written before
    }
    const hid_t attribute = H5Aopen(from, name, H5P_DEFAULT);
    const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : H5I_INVALID_HID;
    const hid_t space = attribute >= 0 ? H5Aget_space(attribute) : H5I_INVALID_HID;
    if (type < 0 || space < 0) {
        ug_h5_fail(d->file, UG_E_FORMAT, "attribute '%.60s' of '/%.80s' cannot be read", name,
                   d->path);
    } else if (H5Tdetect_class(type, H5T_REFERENCE) != 0) {
        ug_h5_fail(d->file, UG_E_UNSUPPORTED,
                   "attribute '%.60s' of '/%.80s' refers to other objects, which no copy keeps: "
                   "remove it",
                   name, d->path);
    } else if (!copy_value(d->object, attribute, name, type, space)) {
        ug_h5_fail(d->file, UG_E_FORMAT, "attribute '%.60s' of '/%.80s' cannot be copied", name,
                   d->path);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return d->file->status == UG_OK ? 0 : -1;
}

// The attributes of one object below a member that has just been copied.
static herr_t copy_attributes(hid_t member, const char *name, const H5O_info_t *info, void *to)
{
    (void)info;
    const destination *d = to;
    const hid_t from = H5Oopen(member, name, H5P_DEFAULT);
    const hid_t copy = H5Oopen(d->object, name, H5P_DEFAULT);
    destination below = { d->file, copy, name[0] == '.' ? d->path : name };
    if (from < 0 || copy < 0 ||
        H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_attribute, &below) < 0) {
        ug_h5_fail(d->file, UG_E_FORMAT, "the attributes of '/%.80s' cannot be read", below.path);
    }
    if (copy >= 0) {
        H5Oclose(copy);
    }
    if (from >= 0) {
        H5Oclose(from);
    }
    return d->file->status == UG_OK ? 0 : -1;
}

// H5Ocopy for the data only: given an object with more than eight attributes, variable-length texts
// among them, it crashes (1.10.8, densely stored attributes). Attributes go one by one.
static void copy_member(ug_h5_file *to, const ug_h5_file *from, const char *name)
{
    const hid_t how = H5Pcreate(H5P_OBJECT_COPY);
    (void)H5Pset_copy_object(how, H5O_COPY_WITHOUT_ATTR_FLAG);
    const bool copied = H5Ocopy(from->id, name, to->id, name, how, H5P_DEFAULT) >= 0;
    H5Pclose(how);
    const hid_t member = copied ? H5Oopen(from->id, name, H5P_DEFAULT) : H5I_INVALID_HID;
    destination d = { to, copied ? H5Oopen(to->id, name, H5P_DEFAULT) : H5I_INVALID_HID, name };
    if (member < 0 || d.object < 0 ||
        H5Ovisit2(member, H5_INDEX_NAME, H5_ITER_INC, copy_attributes, &d, H5O_INFO_BASIC) < 0) {
        ug_h5_fail(to, UG_E_FORMAT, "'/%.80s' cannot be copied: damaged, or it leads nowhere",
                   name);
    }
    if (d.object >= 0) {
        H5Oclose(d.object);
    }
    if (member >= 0) {
        H5Oclose(member);
    }
}

void ug_h5_copy_members(ug_h5_file *to, const ug_h5_file *from, const char *const skip[])
{
    ug_h5_file reading = *from; // its failures are ours
    reading.err = to->err;
    const ug_h5_group source = ug_h5_root(&reading), target = ug_h5_root(to);
    size_t count = 0;
    char **names = to->status == UG_OK ? ug_h5_members(&count, &source) : NULL;
    for (size_t i = 0; ug_h5_ok(&target) && i < count; i++) {
        if (is_listed(skip, names[i]) || ug_h5_has(&target, names[i])) {
            continue;
        }
        copy_member(to, from, names[i]);
    }
    ug_text_list_destroy(names, count);
    if (reading.status != UG_OK && to->status == UG_OK) {
        to->status = reading.status;
    }
    destination d = { to, to->id, "" };
    if (to->status == UG_OK &&
        H5Aiterate2(from->id, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_attribute, &d) < 0) {
        ug_h5_fail(to, UG_E_FORMAT, "the attributes of '/' cannot be read");
    }
}

static herr_t check_link(hid_t group, const char *name, const H5L_info_t *info, void *of)
{
    (void)group;
    if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT) {
        ug_h5_fail(of, UG_E_UNSUPPORTED,
                   "'/%.80s' is a link into another file; copy its data into this one", name);
        return -1;
    }
    return 0;
}

static bool is_enclosed(hid_t dataset)
{
    const hid_t create = H5Dget_create_plist(dataset);
    const bool enclosed =
        create >= 0 && H5Pget_layout(create) != H5D_VIRTUAL && H5Pget_external_count(create) == 0;
    if (create >= 0) {
        H5Pclose(create);
    }
    return enclosed;
}

static herr_t check_object(hid_t root, const char *name, const H5O_info_t *info, void *of)
{
    if (info->type != H5O_TYPE_DATASET) {
        return 0;
    }
    const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
    if (dataset < 0) {
        ug_h5_fail(of, UG_E_FORMAT, "damaged HDF5 file: '/%.80s' cannot be read", name);
        return -1;
    }
    const hid_t type = H5Dget_type(dataset);
    if (type >= 0 && H5Tdetect_class(type, H5T_REFERENCE) != 0) {
        ug_h5_fail(of, UG_E_UNSUPPORTED,
                   "'/%.80s' refers to other objects, which no copy keeps: remove it", name);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (!is_enclosed(dataset)) {
        ug_h5_fail(of, UG_E_UNSUPPORTED,
                   "'/%.80s' keeps its data in another file; copy them into this one", name);
    }
    H5Dclose(dataset);
    return ((ug_h5_file *)of)->status == UG_OK ? 0 : -1;
}

void ug_h5_check_enclosed(ug_h5_file *file)
{
    if (file->status == UG_OK &&
        (H5Lvisit(file->id, H5_INDEX_NAME, H5_ITER_INC, check_link, file) < 0 ||
         H5Ovisit2(file->id, H5_INDEX_NAME, H5_ITER_INC, check_object, file, H5O_INFO_BASIC) < 0)) {
        ug_h5_fail(file, UG_E_FORMAT, "damaged HDF5 file: its groups cannot be listed");
    }
}

// Read an attribute (or a small dataset) of plain texts and numbers and forget it.
static bool read_attribute(hid_t attribute)
{
    bool ok = false;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    if (type >= 0 && space >= 0) {
        const H5T_class_t class = H5Tget_class(type);
        const bool plain = class == H5T_STRING || class == H5T_INTEGER || class == H5T_FLOAT;
        size_t bytes = 0;
        ok = !plain || bytes_of(&bytes, type, space, ATTRIBUTE_BYTES);
        void *value = bytes > 0 ? calloc(1, bytes) : NULL;
        ok = ok && (bytes == 0 || (value && H5Aread(attribute, type, value) >= 0));
        if (value && ok) {
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
        }
        free(value);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return ok;
}

static herr_t visit_attribute(hid_t object, const char *name, const H5A_info_t *info, void *of)
{
    (void)info;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const bool ok = attribute >= 0 && read_attribute(attribute);
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    if (!ok) {
        ug_h5_fail(of, UG_E_FORMAT, "damaged HDF5 file: attribute '%.60s' cannot be read", name);
    }
    return ok ? 0 : -1;
}

// Read along the first dimension in pieces: what a file claims is never what we allocate.
static bool read_pieces(hid_t dataset, hid_t type, hid_t space)
{
    hsize_t dims[H5S_MAX_RANK], start[H5S_MAX_RANK] = { 0 }, count[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    hsize_t row = H5Tget_size(type);
    for (int i = 1; i < rank; i++) {
        row = dims[i] > 0 && row > UINT32_MAX / dims[i] ? UINT32_MAX : row * dims[i];
        count[i] = dims[i];
    }
    if (rank < 0 || row >= UINT32_MAX) {
        return false;
    }
    if (rank > 0 && (row == 0 || dims[0] == 0)) {
        return true;
    }
    const hsize_t rows = rank == 0 ? 1 : dims[0], step = PIECE / row > 0 ? PIECE / row : 1;
    void *piece = calloc((size_t)(step < rows ? step : rows), (size_t)row);
    bool ok = piece != NULL;
    for (hsize_t at = 0; ok && at < rows; at += step) {
        start[0] = at;
        count[0] = rows - at < step ? rows - at : step;
        const hid_t memory = rank == 0 ? H5Scopy(space) : H5Screate_simple(rank, count, NULL);
        ok = memory >= 0 &&
             (rank == 0 ||
              H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) &&
             H5Dread(dataset, type, memory, space, H5P_DEFAULT, piece) >= 0;
        if (ok) {
            H5Dvlen_reclaim(type, memory, H5P_DEFAULT, piece);
        }
        if (memory >= 0) {
            H5Sclose(memory);
        }
    }
    free(piece);
    return ok;
}

static bool read_dataset(hid_t dataset)
{
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    bool ok = type >= 0 && space >= 0;
    if (ok) {
        const H5T_class_t class = H5Tget_class(type);
        const bool plain = class == H5T_STRING || class == H5T_INTEGER || class == H5T_FLOAT;
        const H5S_class_t kind = H5Sget_simple_extent_type(space);
        ok = !plain || kind == H5S_NULL || read_pieces(dataset, type, space);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return ok;
}

static herr_t visit_object(hid_t root, const char *name, const H5O_info_t *info, void *of)
{
    const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    bool ok = object >= 0 &&
              H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, of) >= 0 &&
              (info->type != H5O_TYPE_DATASET || read_dataset(object));
    if (object >= 0) {
        H5Oclose(object);
    }
    if (!ok) {
        ug_h5_fail(of, UG_E_FORMAT, "damaged HDF5 file: '/%.80s' cannot be read", name);
    }
    return ok ? 0 : -1;
}

void ug_h5_read_everything(ug_h5_file *file)
{
    if (file->status == UG_OK &&
        H5Ovisit2(file->id, H5_INDEX_NAME, H5_ITER_INC, visit_object, file, H5O_INFO_BASIC) < 0) {
        ug_h5_fail(file, UG_E_FORMAT, "damaged HDF5 file: its groups cannot be listed");
    }
}
