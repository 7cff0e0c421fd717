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
    int copy; ///< memory file of a foreign one, else -1
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

static ug_status open_copy(opened *o, ug_error *err)
{
    char name[64];
    struct stat st;
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", o->copy);
    if (fstat(o->copy, &st) != 0) {
        return ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
    }
    return ug_h5_open(&o->file, name, (uint64_t)st.st_size, err);
}

static void opened_close(opened *o)
{
    ug_h5_close(&o->file);
    if (o->copy >= 0) {
        close(o->copy);
        o->copy = -1;
    }
}

static ug_status store_open(opened *o, const char *path, ug_warnings *warnings, ug_error *err)
{
    *o = (opened){ .copy = -1 };
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
        status = ug_store_copy_clean(&o->copy, path, (uint64_t)st.st_size, err);
        status = status == UG_OK ? open_copy(o, err) : status;
        if (status == UG_OK) {
            ug_warn(warnings, "store_foreign",
                    "%s has no checksum block: written or edited by another program",
                    ug_path_base(path));
        }
    }
    close(fd);
    if (status != UG_OK) {
        opened_close(o);
    }
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
    opened_close(&o);
    if (status != UG_OK) {
        ug_take_fini(take);
    }
    return status;
}

// Block and payload to disk: this is the only place where a full disk is met.
static ug_status write_image(const char *path, ug_h5_image *image, ug_error *err)
{
    const ug_store_block block =
        ug_store_block_make(image->data + UG_STORE_BLOCK_SIZE, image->size - UG_STORE_BLOCK_SIZE);
    memcpy(image->data, block.bytes, sizeof block.bytes);
    ug_outfile out;
    const ug_status status = ug_outfile_open(&out, path, err);
    if (status != UG_OK) {
        return status;
    }
    (void)fwrite(image->data, 1, image->size, out.stream); // commit sees the stream's error
    return ug_outfile_commit(&out, err);
}

ug_status ug_store_write(const char *path, const ug_take *take, unsigned parts,
                         const ug_store_opts *opts, ug_error *err)
{
    assert(path && take);
    const char *base_path = opts ? opts->base_path : NULL;
    opened base = { .copy = -1 };
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
    ug_status status = ug_h5_create(&file, &image, opts && opts->compress, err);
    if (status == UG_OK) {
        ug_store_put_parts(&file, take, parts, base_path ? &base.file : NULL);
    }
    status = ug_h5_finish(&file);
    opened_close(&base);
    if (status == UG_OK) {
        status = write_image(path, &image, err);
    }
    free(image.data);
    return status;
}

// The memory file is a whole sealed store: hand its bytes to a new file.
static ug_status write_copy(const char *path, int copy, ug_error *err)
{
    ug_outfile out;
    const ug_status status = ug_outfile_open(&out, path, err);
    if (status != UG_OK) {
        return status;
    }
    uint8_t piece[1 << 14];
    off_t at = 0;
    ssize_t n;
    while ((n = pread(copy, piece, sizeof piece, at)) > 0) {
        (void)fwrite(piece, 1, (size_t)n, out.stream);
        at += n;
    }
    if (n < 0) {
        ug_outfile_discard(&out);
        return ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
    }
    return ug_outfile_commit(&out, err);
}

ug_status ug_store_seal(const char *path, ug_warnings *warnings, ug_error *err)
{
    assert(path);
    ug_error_where(err, "%s", path);
    int fd = -1, copy = -1;
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
    status = ug_store_copy_clean(&copy, path, (uint64_t)st.st_size, err);
    if (status == UG_OK) {
        status = write_copy(path, copy, err);
        close(copy);
    }
    return status;
}
