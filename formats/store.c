// SPDX-License-Identifier: MIT
// Opening, reading, writing and sealing stores. The groups are in formats/store_*.c.
#include "formats/store.h"

#include "formats/file.h"
#include "formats/store_block.h"
#include "formats/store_child.h"
#include "formats/store_parts.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t SIGNATURE[8] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n' };

// A file behind its checks, ready for libhdf5.
typedef struct opened {
    ug_h5_file file;
    ug_store_kind kind;
} opened;

static ug_store_kind kind_of_head(const uint8_t *head, size_t size)
{
    if (size >= sizeof SIGNATURE && memcmp(head, SIGNATURE, sizeof SIGNATURE) == 0) {
        return UG_STORE_FOREIGN;
    }
    // a block with a bit flipped in its first word is still ours: damaged, not "no store"
    if ((size >= 6 && memcmp(head, "UGOKI ", 6) == 0) ||
        (size >= UG_STORE_HEAD_SIZE &&
         memcmp(head + UG_STORE_BLOCK_SIZE, SIGNATURE, sizeof SIGNATURE) == 0)) {
        return UG_STORE_SEALED;
    }
    return UG_STORE_NONE;
}

// Open a regular file and look at its first bytes.
static ug_status open_head(int *fd, struct stat *st, ug_store_kind *kind, const char *path,
                           ug_error *err)
{
    uint8_t head[UG_STORE_HEAD_SIZE];
    *kind = UG_STORE_NONE;
    *fd = -1;
    if (ug_path_check_rereadable(path, err) != UG_OK) {
        return UG_E_IO;
    }
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without a writer must not hang us
    if (*fd < 0) {
        return ug_fail(err, UG_E_IO, "cannot be opened: %s", strerror(errno));
    }
    ug_status status = UG_OK;
    if (fstat(*fd, st) != 0) {
        status = ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
    } else if (!S_ISREG(st->st_mode)) {
        status = ug_fail(err, UG_E_IO, "is not a regular file");
    } else {
        const ssize_t n = pread(*fd, head, sizeof head, 0);
        if (n < 0) {
            status = ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
        } else {
            *kind = kind_of_head(head, (size_t)n);
        }
    }
    if (status != UG_OK) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

ug_store_kind ug_store_probe(const char *path)
{
    assert(path);
    int fd = -1;
    struct stat st;
    ug_store_kind kind = UG_STORE_NONE;
    if (open_head(&fd, &st, &kind, path, NULL) != UG_OK) {
        return UG_STORE_NONE;
    }
    close(fd);
    return kind;
}

// What libhdf5 opened by name must be the very file whose checksum was verified.
static ug_status check_same_file(const ug_h5_file *file, const struct stat *verified, ug_error *err)
{
    struct stat st;
    const int fd = ug_h5_descriptor(file);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_dev != verified->st_dev ||
        st.st_ino != verified->st_ino || st.st_size != verified->st_size ||
        st.st_mtim.tv_sec != verified->st_mtim.tv_sec ||
        st.st_mtim.tv_nsec != verified->st_mtim.tv_nsec) {
        return ug_fail(err, UG_E_IO, "the file changed while it was being read; try again");
    }
    return UG_OK;
}

static ug_status open_sealed(opened *o, int fd, const struct stat *st, const char *path,
                             ug_error *err)
{
    ug_status status = ug_store_block_verify(fd, err);
    if (status == UG_OK) {
        status = ug_h5_open(&o->file, path, (uint64_t)st->st_size, err);
    }
    if (status == UG_OK) {
        status = check_same_file(&o->file, st, err);
        if (status != UG_OK) {
            ug_h5_close(&o->file);
        }
    }
    return status;
}

// libhdf5 sees only what the child process has written anew.
static ug_status open_foreign(opened *o, const struct stat *st, const char *path, ug_error *err)
{
    ug_store_image image;
    ug_status status = ug_store_copy_clean(&image, path, (uint64_t)st->st_size, err);
    if (status == UG_OK) {
        status = ug_h5_open_image(&o->file, image.data, image.size, err);
        ug_store_image_fini(&image);
    }
    return status;
}

static ug_status store_open(opened *o, const char *path, ug_warnings *warnings, ug_error *err)
{
    *o = (opened){ 0 };
    int fd = -1;
    struct stat st;
    ug_status status = open_head(&fd, &st, &o->kind, path, err);
    if (status != UG_OK) {
        return status;
    }
    if (o->kind == UG_STORE_NONE) {
        status = ug_fail(err, UG_E_FORMAT, "%s",
                         st.st_size == 0 ? "is empty" : "is not a ugoki store (no HDF5 signature)");
    } else if (o->kind == UG_STORE_SEALED) {
        status = open_sealed(o, fd, &st, path, err);
    } else {
        status = open_foreign(o, &st, path, err);
        if (status == UG_OK) {
            ug_warn(warnings, "store_foreign",
                    "%s has no checksum block: written or edited by another program",
                    ug_path_base(path));
        }
    }
    close(fd);
    return status;
}

ug_status ug_store_read(ug_take *take, const char *path, unsigned parts, ug_warnings *warnings,
                        ug_error *err)
{
    assert(take && path);
    ug_error_where(err, "%s", path);
    opened o;
    ug_status status = store_open(&o, path, warnings, err);
    if (status != UG_OK) {
        return status;
    }
    status = ug_store_get_parts(take, &o.file, parts);
    ug_h5_close(&o.file);
    if (status != UG_OK) {
        ug_take_fini(take);
    }
    return status;
}

// This is the only place where a full disk is met.
static ug_status write_whole(const char *path, const void *data, size_t size,
                             const ug_progress *progress, ug_error *err)
{
    enum { PIECE = 4 << 20 };
    ug_outfile out;
    ug_status status = ug_outfile_open(&out, path, err);
    if (status != UG_OK) {
        return status;
    }
    for (size_t at = 0; at < size && status == UG_OK; at += PIECE) {
        status = ug_progress_check(progress, (double)at / (double)size, err);
        // commit sees the stream's error
        (void)fwrite((const char *)data + at, 1, size - at < PIECE ? size - at : PIECE, out.stream);
    }
    if (status == UG_OK) {
        return ug_outfile_commit(&out, err);
    }
    ug_outfile_discard(&out);
    return status;
}

static ug_status write_image(const char *path, ug_h5_image *image, const ug_progress *progress,
                             ug_error *err)
{
    const ug_store_block block =
        ug_store_block_make(image->data + UG_STORE_BLOCK_SIZE, image->size - UG_STORE_BLOCK_SIZE);
    memcpy(image->data, block.bytes, sizeof block.bytes);
    return write_whole(path, image->data, image->size, progress, err);
}

// About what the large arrays take in the file; memory that is never touched costs nothing.
static size_t expected_size(const ug_take *take, unsigned parts, const ug_h5_file *base)
{
    size_t size = (1 << 20) + (size_t)base->size;
    if ((parts & UG_PART_MARKERS) && take->markers) {
        size += (take->markers->unfiltered ? 36 : 24) * take->markers->frame_count *
                take->markers->marker_count;
    }
    if ((parts & UG_PART_ANALOG) && take->analog) {
        const ug_analog *a = take->analog;
        size += sizeof *a->raw * a->frame_count * a->samples_per_frame * a->channel_count;
    }
    if ((parts & UG_PART_MOTION) && take->clip) {
        const ug_clip *c = take->clip;
        size += c->frame_count * (34 * c->joint_count + 24 * c->translated_count);
    }
    return size + size / 16;
}

ug_status ug_store_write(const char *path, const ug_take *take, unsigned parts,
                         const ug_store_opts *opts, ug_error *err)
{
    assert(path && take);
    const char *base_path = opts ? opts->base_path : NULL;
    const ug_progress building = ug_progress_part(opts ? opts->progress : NULL, 0.0, 0.5);
    const ug_progress writing = ug_progress_part(opts ? opts->progress : NULL, 0.5, 1.0);
    opened base = { 0 };
    ug_h5_file file = { 0 };
    ug_h5_image image = { 0 };
    if (base_path) {
        ug_error_where(err, "%s", base_path);
        const ug_status status = store_open(&base, base_path, NULL, err);
        if (status != UG_OK) {
            return status;
        }
        // the base is sound: what fails from here on is the new file
        if (err) {
            err->where[0] = '\0';
        }
    }
    ug_error_where(err, "%s", path);
    ug_status status = ug_h5_create(&file, &image, expected_size(take, parts, &base.file),
                                    opts && opts->compress, err);
    if (status == UG_OK) {
        ug_store_put_parts(&file, take, parts, base_path ? &base.file : NULL, &building);
    }
    status = ug_h5_finish(&file);
    ug_h5_close(&base.file);
    if (status == UG_OK) {
        status = write_image(path, &image, &writing, err);
    }
    free(image.data);
    return status;
}

ug_status ug_store_seal(const char *path, ug_warnings *warnings, ug_error *err)
{
    assert(path);
    ug_error_where(err, "%s", path);
    int fd = -1;
    struct stat st;
    ug_store_kind kind = UG_STORE_NONE;
    ug_status status = open_head(&fd, &st, &kind, path, err);
    if (status != UG_OK) {
        return status;
    }
    ug_error ignored = { 0 };
    const bool sealed = kind == UG_STORE_SEALED && ug_store_block_verify(fd, &ignored) == UG_OK;
    close(fd);
    if (sealed) {
        ug_warn(warnings, "store_already_sealed", "%s has a valid checksum block: left as it is",
                ug_path_base(path));
        return UG_OK;
    }
    if (kind == UG_STORE_NONE) {
        return ug_fail(err, UG_E_FORMAT, "is not a ugoki store (no HDF5 signature)");
    }
    ug_store_image image;
    status = ug_store_copy_clean(&image, path, (uint64_t)st.st_size, err);
    if (status == UG_OK) {
        status = write_whole(path, image.data, image.size, NULL, err);
        ug_store_image_fini(&image);
    }
    return status;
}
