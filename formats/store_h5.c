// SPDX-License-Identifier: MIT
// Files, groups and names of the store's HDF5 layer.
#include "formats/store_h5.h"

#include "motion/memory.h"
#include "motion/text.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

_Static_assert(sizeof(hid_t) == sizeof(int64_t), "HDF5 handles are 64 bits since 1.10");

enum { GROWTH = 1 << 20, SUPERBLOCK_END_AT = 28, NAME_MAX_BYTES = 1024 };

// The core driver takes two files of one name for one, and minds a file of that name on disk: this
// name is new every time and can be no file's.
static const char *fresh_name(char name[32])
{
    static unsigned count;
    (void)snprintf(name, 32, "/dev/null/ugoki-%u", count++);
    return name;
}

void ug_h5_fail(ug_h5_file *file, ug_status status, const char *fmt, ...)
{
    if (file->status != UG_OK) {
        return;
    }
    char message[sizeof(((ug_error *)0)->message)];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    file->status = ug_fail(file->err, status, "%s", message);
}

// The core driver's memory is ours: on huge pages, since the first touch of small ones costs more
// than filling them, and handed over on close instead of freed.
static void *image_realloc(void *data, size_t size, H5FD_file_image_op_t op, void *to)
{
    (void)op;
    ug_h5_image *image = to;
    if (!data || size > image->capacity) {
        const size_t twice = 2 * image->size;
        const size_t capacity =
            size > image->capacity ? (size > twice ? size : twice) : image->capacity;
        void *grown = ug_memory_create(capacity);
        if (!grown) {
            return NULL;
        }
        if (data) {
            memcpy(grown, data, image->size);
        }
        free(data);
        data = grown;
        image->capacity = capacity;
    }
    image->size = size;
    return data;
}

static void *image_malloc(size_t size, H5FD_file_image_op_t op, void *image)
{
    return image_realloc(NULL, size, op, image);
}

static herr_t image_free(void *data, H5FD_file_image_op_t op, void *image)
{
    if (op == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
        ((ug_h5_image *)image)->data = data;
    } else {
        free(data);
    }
    return 0;
}

static void *image_memcpy(void *to, const void *from, size_t size, H5FD_file_image_op_t op,
                          void *image)
{
    (void)op;
    (void)image;
    return memcpy(to, from, size);
}

static void *image_share(void *image)
{
    return image;
}

static herr_t image_unshare(void *image)
{
    (void)image;
    return 0;
}

ug_status ug_h5_create(ug_h5_file *file, ug_h5_image *image, size_t expected, bool compress,
                       ug_error *err)
{
    *file = (ug_h5_file){ .id = H5I_INVALID_HID, .compress = compress, .err = err, .image = image };
    *image = (ug_h5_image){ .capacity = expected };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // our message is the message
    H5FD_file_image_callbacks_t callbacks = { image_malloc, image_memcpy, image_realloc,
                                              image_free,   image_share,  image_unshare,
                                              image };
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const hid_t create = H5Pcreate(H5P_FILE_CREATE);
    // 1.8 format: compact groups and checksummed metadata, readable by everything since 2008; only
    // what is copied from a newer file keeps its newer form
    if (H5Pset_fapl_core(access, GROWTH, false) >= 0 &&
        H5Pset_file_image_callbacks(access, &callbacks) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_userblock(create, UG_H5_USER_BLOCK) >= 0 &&
        H5Pset_attr_phase_change(create, UG_H5_COMPACT, 0) >= 0 &&
        H5Pset_obj_track_times(create, false) >= 0) {
        char name[32];
        file->id = H5Fcreate(fresh_name(name), H5F_ACC_TRUNC, create, access);
    }
    H5Pclose(create);
    H5Pclose(access);
    if (file->id < 0) {
        ug_h5_fail(file, UG_E_NOMEM, "out of memory");
    }
    return file->status;
}

// Where the file ends in its image. libhdf5 rounds the image up; the superblock knows, in some
// versions counted from the user block's end.
static size_t image_end(const ug_h5_image *image, size_t told)
{
    uint64_t end = 0;
    const size_t at = UG_H5_USER_BLOCK + SUPERBLOCK_END_AT;
    if (image->data && image->size >= at + sizeof end) {
        for (int i = 7; i >= 0; i--) {
            end = end << 8 | image->data[at + (size_t)i];
        }
    }
    return end > told ? (size_t)end : told;
}

ug_status ug_h5_finish(ug_h5_file *file)
{
    ug_h5_image *image = file->image;
    ssize_t told = -1;
    if (file->id >= 0) {
        assert(H5Fget_obj_count(file->id, H5F_OBJ_ALL) == 1);
        if (H5Fflush(file->id, H5F_SCOPE_GLOBAL) >= 0) {
            told = H5Fget_file_image(file->id, NULL, 0);
        }
        if (H5Fclose(file->id) < 0) {
            told = -1;
        }
        file->id = H5I_INVALID_HID;
    }
    if (told < 0) {
        ug_h5_fail(file, UG_E_NOMEM, "out of memory");
    }
    const size_t end = told < 0 ? 0 : image_end(image, (size_t)told + UG_H5_USER_BLOCK);
    if (file->status == UG_OK && (!image->data || end > image->size)) {
        ug_h5_fail(file, UG_E_INTERNAL, "libhdf5 lost the end of the file");
    }
    if (file->status != UG_OK) {
        free(image->data);
        *image = (ug_h5_image){ 0 };
    } else {
        image->size = end;
    }
    return file->status;
}

ug_status ug_h5_open(ug_h5_file *file, const char *name, uint64_t size, ug_error *err)
{
    *file = (ug_h5_file){ .size = size, .err = err };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    // locks fail on some network file systems, and a store is never changed in place
    (void)H5Pset_file_locking(access, false, true);
    (void)H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    file->id = H5Fopen(name, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file->id < 0) {
        ug_h5_fail(file, UG_E_FORMAT, "damaged HDF5 file: libhdf5 cannot open it");
    }
    return file->status;
}

ug_status ug_h5_open_image(ug_h5_file *file, const void *data, size_t size, ug_error *err)
{
    *file = (ug_h5_file){ .size = size, .err = err };
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    (void)H5Pset_fapl_core(access, GROWTH, false);
    (void)H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    if (H5Pset_file_image(access, (void *)(uintptr_t)data, size) < 0) {
        ug_h5_fail(file, UG_E_NOMEM, "out of memory");
    } else {
        char name[32];
        file->id = H5Fopen(fresh_name(name), H5F_ACC_RDONLY, access);
        if (file->id < 0) {
            ug_h5_fail(file, UG_E_FORMAT, "damaged HDF5 file: libhdf5 cannot open it");
        }
    }
    H5Pclose(access);
    return file->status;
}

int ug_h5_descriptor(const ug_h5_file *file)
{
    void *handle = NULL;
    return H5Fget_vfd_handle(file->id, H5P_DEFAULT, &handle) >= 0 && handle ? *(int *)handle : -1;
}

void ug_h5_close(ug_h5_file *file)
{
    if (file->id > 0) {
        // LeakSanitizer cannot see HDF5 handles: count them
        assert(H5Fget_obj_count(file->id, H5F_OBJ_ALL) == 1);
        H5Fclose(file->id);
        file->id = H5I_INVALID_HID;
    }
}

ug_h5_group ug_h5_root(ug_h5_file *file)
{
    return (ug_h5_group){ .file = file, .id = file->id };
}

static void set_path(ug_h5_group *group, const ug_h5_group *parent, const char *name)
{
    (void)snprintf(group->path, sizeof group->path, "%.100s%s%.50s", parent->path,
                   parent->path[0] ? "/" : "", name);
}

ug_h5_group ug_h5_group_make(const ug_h5_group *parent, const char *name)
{
    ug_h5_group group = { .file = parent->file, .id = H5I_INVALID_HID };
    set_path(&group, parent, name);
    if (!ug_h5_ok(parent)) {
        return group;
    }
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    const hid_t create = H5Pcreate(H5P_GROUP_CREATE);
    (void)H5Pset_char_encoding(links, H5T_CSET_UTF8);
    (void)H5Pset_attr_phase_change(create, UG_H5_COMPACT, 0);
    (void)H5Pset_obj_track_times(create, false); // same take, same bytes
    group.id = H5Gcreate2(parent->id, name, links, create, H5P_DEFAULT);
    H5Pclose(create);
    H5Pclose(links);
    if (group.id < 0) {
        ug_h5_fail(parent->file, UG_E_WRITE, "group '%s' cannot be written", group.path);
    }
    return group;
}

bool ug_h5_group_open(ug_h5_group *group, const ug_h5_group *parent, const char *name)
{
    *group = (ug_h5_group){ .file = parent->file, .id = H5I_INVALID_HID };
    set_path(group, parent, name);
    if (!ug_h5_has(parent, name)) {
        return false;
    }
    group->id = H5Gopen2(parent->id, name, H5P_DEFAULT);
    if (group->id < 0) {
        ug_h5_fail(parent->file, UG_E_FORMAT, "'%s' is not a group", group->path);
    }
    return group->id >= 0;
}

void ug_h5_group_close(ug_h5_group *group)
{
    if (group->id >= 0) {
        H5Gclose(group->id);
        group->id = H5I_INVALID_HID;
    }
}

bool ug_h5_has(const ug_h5_group *group, const char *name)
{
    return ug_h5_ok(group) && H5Lexists(group->id, name, H5P_DEFAULT) > 0;
}

typedef struct member {
    char *name;
    int64_t index;
} member;

typedef struct member_list {
    const ug_h5_group *group;
    member *items;
    size_t count;
} member_list;

static herr_t add_member(hid_t group, const char *name, const H5L_info_t *info, void *to)
{
    (void)group;
    (void)info;
    member_list *list = to;
    member *grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown) {
        return -1;
    }
    list->items = grown;
    grown[list->count] = (member){ ug_text_copy(name), INT64_MAX };
    return grown[list->count].name ? (list->count++, 0) : -1;
}

static int by_index(const void *a, const void *b)
{
    const member *x = a, *y = b;
    const int order = (x->index > y->index) - (x->index < y->index);
    return order != 0 ? order : strcmp(x->name, y->name);
}

char **ug_h5_members(size_t *count, const ug_h5_group *group)
{
    *count = 0;
    member_list list = { .group = group };
    if (!ug_h5_ok(group)) {
        return NULL;
    }
    if (H5Literate(group->id, H5_INDEX_NAME, H5_ITER_INC, NULL, add_member, &list) < 0) {
        ug_h5_fail(group->file, UG_E_FORMAT, "group '%s' cannot be listed", group->path);
    }
    for (size_t i = 0; i < list.count; i++) {
        if (ug_h5_has_attribute(group, list.items[i].name, "index")) {
            list.items[i].index =
                ug_h5_get_int(group, list.items[i].name, "index", INT64_MIN, INT64_MAX);
        }
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof *list.items, by_index);
    }
    char **names = ug_text_list_create(list.count);
    if (!names && list.count > 0) {
        ug_h5_fail(group->file, UG_E_NOMEM, "out of memory");
    }
    for (size_t i = 0; i < list.count; i++) {
        if (names && ug_h5_ok(group)) {
            names[i] = list.items[i].name;
        } else {
            free(list.items[i].name);
        }
    }
    free(list.items);
    if (!ug_h5_ok(group)) {
        free(names);
        return NULL;
    }
    *count = list.count;
    return names;
}

char *ug_h5_link_name(const ug_h5_group *group, const char *text)
{
    static const char HEX[] = "0123456789ABCDEF";
    const size_t length = strnlen(text, NAME_MAX_BYTES / 3);
    const bool utf8 = ug_text_is_utf8(text, length) && text[length] == '\0';
    const size_t room = 3 * length + 32;
    char *name = malloc(room);
    if (!name) {
        return NULL;
    }
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '/' || c == '%' || c < 0x20 || c == 0x7F || (c == '.' && i == 0) ||
            (c >= 0x80 && !utf8)) {
            name[n++] = '%';
            name[n++] = HEX[c >> 4];
            name[n++] = HEX[c & 15];
        } else {
            name[n++] = (char)c;
        }
    }
    if (n == 0) {
        name[n++] = '%';
    }
    name[n] = '\0';
    for (int copy = 2; ug_h5_has(group, name); copy++) {
        (void)snprintf(name + n, room - n, "~%d", copy);
    }
    return name;
}
