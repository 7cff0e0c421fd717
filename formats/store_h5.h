// SPDX-License-Identifier: MIT
// A thin layer over libhdf5 for the store: typed datasets and attributes that carry their own
// words.
//
// Internal to formats/store*.c. Handles are plain int64_t so that hdf5.h stays out of headers. The
// first failure sticks in ug_h5_file.status and turns every later call into a no-op, so a part is
// written or read as a list and checked once. One thread at a time: libhdf5 has no locks here.
#pragma once

#include "motion/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Up to UG_H5_COMPACT attributes stay in the object's header: the dense form costs 1 kB more each.
enum { UG_H5_RANK_MAX = 7, UG_H5_USER_BLOCK = 512, UG_H5_COMPACT = 64 };

typedef enum ug_h5_type {
    UG_H5_U8,
    UG_H5_I8,
    UG_H5_U16,
    UG_H5_I16,
    UG_H5_U32,
    UG_H5_I32,
    UG_H5_F32,
    UG_H5_F64,
    UG_H5_TEXT, ///< fixed length, UTF-8, padded with zeros
} ug_h5_type;

/// What a dataset is: one table entry serves the writer, the reader and the attributes.
typedef struct ug_h5_spec {
    const char *name;
    ug_h5_type type;
    const char *axes;    ///< one word a dimension, slowest first: "frame marker xyz"
    const char *shape;   ///< "(frame_count x marker_count x 3)"
    const char *unit;    ///< "m"; "1" for plain numbers and codes
    const char *meaning; ///< one sentence, codes spelled out
    bool timed;          ///< the first dimension is time: chunked along it
} ug_h5_spec;

/// An open file. `size` bounds what its datasets may claim to hold.
typedef struct ug_h5_file {
    int64_t id;
    uint64_t size;
    bool compress;
    ug_status status; ///< the first failure
    ug_error *err;
    struct ug_h5_image *image; ///< where a file being written grows, NULL when reading
} ug_h5_file;

typedef struct ug_h5_group {
    ug_h5_file *file;
    int64_t id;
    char path[160]; ///< "markers", "" for the root: for messages
} ug_h5_group;

/// A finished file in memory, its first UG_H5_USER_BLOCK bytes still zero. free() the data.
typedef struct ug_h5_image {
    uint8_t *data;
    size_t size;
    size_t capacity;
} ug_h5_image;

/// Start a file in memory: libhdf5 then never meets a full disk. `image` must outlive the file.
/// @param expected  about how many bytes it will have: saves moving it as it grows
/// @return UG_E_NOMEM
UG_CHECKED ug_status ug_h5_create(ug_h5_file *file, ug_h5_image *image, size_t expected,
                                  bool compress, ug_error *err);

/// Close a file being written; `image` (given at creation) holds its bytes when the result is
/// UG_OK and nothing otherwise.
UG_CHECKED ug_status ug_h5_finish(ug_h5_file *file);

/// Open for reading; `name` is what the operating system opens, `size` its length in bytes.
/// @return UG_E_FORMAT
UG_CHECKED ug_status ug_h5_open(ug_h5_file *file, const char *name, uint64_t size, ug_error *err);

/// The same from memory, which is copied.
/// @return UG_E_FORMAT; UG_E_NOMEM
UG_CHECKED ug_status ug_h5_open_image(ug_h5_file *file, const void *data, size_t size,
                                      ug_error *err);

/// The descriptor libhdf5 reads through, or -1.
int ug_h5_descriptor(const ug_h5_file *file);

/// Close a file that was read. Every handle on it must be closed: asserted. Harmless on zero.
void ug_h5_close(ug_h5_file *file);

/// Record a failure unless there is one already.
void ug_h5_fail(ug_h5_file *file, ug_status status, const char *fmt, ...) UG_PRINTF(3, 4);

static inline bool ug_h5_ok(const ug_h5_group *group)
{
    return group->file->status == UG_OK;
}

ug_h5_group ug_h5_root(ug_h5_file *file);

/// Create a group. Close it also after a failure.
ug_h5_group ug_h5_group_make(const ug_h5_group *parent, const char *name);

/// @return false when there is no such member, or it is no group (which is a failure)
bool ug_h5_group_open(ug_h5_group *group, const ug_h5_group *parent, const char *name);

void ug_h5_group_close(ug_h5_group *group);

/// Is there a member of this name?
bool ug_h5_has(const ug_h5_group *group, const char *name);

/// Names of all members, ascending by their attribute "index" where they have one, else by name.
/// ug_text_list_destroy() it; NULL when there are none or after a failure.
char **ug_h5_members(size_t *count, const ug_h5_group *group);

/// A link name for any text: '/', '%', a leading '.', control bytes and what is not UTF-8 become
/// %XX; "" becomes "%". Made unique in `group` with "~2", "~3" … NULL without memory; free() it.
char *ug_h5_link_name(const ug_h5_group *group, const char *text);

// --- datasets (formats/store_h5_put.c, store_h5_get.c)

/// Write all of a dataset with its attributes.
void ug_h5_put(const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[],
               const void *data);

/// Write texts as a dataset of spec type TEXT; NULL is written as "".
void ug_h5_put_texts(const ug_h5_group *group, const ug_h5_spec *spec, size_t count,
                     char *const *texts);

/// The dimensions of a dataset that must be there with the type and rank of its spec and must not
/// claim more than the file can hold. @return false after a failure
bool ug_h5_shape(size_t dims[], const ug_h5_group *group, const ug_h5_spec *spec);

/// Read all of a dataset, whose shape must be `dims`, into the caller's memory.
void ug_h5_get(void *data, const ug_h5_group *group, const ug_h5_spec *spec, const size_t dims[]);

/// Read `count` texts (fixed or variable length). ug_text_list_destroy() it; NULL when count is 0
/// or after a failure.
char **ug_h5_get_texts(const ug_h5_group *group, const ug_h5_spec *spec, size_t count);

/// Raw text cells of `width` bytes, spaces and zeros kept: C3D text parameters. dims has `rank`.
void ug_h5_put_cells(const ug_h5_group *group, const ug_h5_spec *spec, size_t width,
                     const size_t dims[], const void *data);
void ug_h5_get_cells(void *data, const ug_h5_group *group, const ug_h5_spec *spec, size_t width,
                     const size_t dims[]);

// --- attributes (formats/store_h5_attr.c); `object` is a member, or NULL for the group itself

void ug_h5_put_text(const ug_h5_group *group, const char *object, const char *name,
                    const char *text);
void ug_h5_put_int(const ug_h5_group *group, const char *object, const char *name, int64_t value);
void ug_h5_put_uint(const ug_h5_group *group, const char *object, const char *name, uint64_t value);
void ug_h5_put_real(const ug_h5_group *group, const char *object, const char *name, double value);

bool ug_h5_has_attribute(const ug_h5_group *group, const char *object, const char *name);

/// free() it; NULL after a failure.
char *ug_h5_get_text(const ug_h5_group *group, const char *object, const char *name);
/// Copy into `size` bytes; a text that does not fit is a failure.
void ug_h5_get_text_into(char *text, size_t size, const ug_h5_group *group, const char *object,
                         const char *name);
/// A scalar integer in [low, high]; low after a failure.
int64_t ug_h5_get_int(const ug_h5_group *group, const char *object, const char *name, int64_t low,
                      int64_t high);
uint64_t ug_h5_get_uint(const ug_h5_group *group, const char *object, const char *name);
/// A scalar integer or real; 0 after a failure.
double ug_h5_get_real(const ug_h5_group *group, const char *object, const char *name);

/// Words of `axes`.
int ug_h5_rank(const ug_h5_spec *spec);
