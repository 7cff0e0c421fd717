// SPDX-License-Identifier: MIT
#include "formats/file.h"

#include "motion/text.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PADDING = 64, HUGE_PAGE = 2 << 20 };

static bool reserve(ug_bytes *bytes, size_t size)
{
    if (bytes->capacity >= size + PADDING) {
        return true;
    }
    size_t capacity = size + PADDING;
    void *data = NULL;
    if (capacity >= HUGE_PAGE) {
        capacity = (capacity + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        data = aligned_alloc(HUGE_PAGE, capacity);
        if (data) {
            (void)madvise(data, capacity, MADV_HUGEPAGE); // a hint; no harm where refused
        }
    } else {
        data = malloc(capacity);
    }
    if (!data) {
        return false;
    }
    free(bytes->data);
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

static ug_status read_up_to(ug_bytes *bytes, const char *path, size_t limit, ug_error *err)
{
    assert(bytes && path);
    ug_status status = UG_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        ug_error_where(err, "%s", path);
        return ug_fail(err, UG_E_IO, "cannot be opened: %s", strerror(errno));
    }
    struct stat st;
    if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
        status = ug_fail(err, UG_E_IO, "is a folder, not a file");
        goto done;
    }
    // pipes have no size: grow as they come
    size_t want = S_ISREG(st.st_mode) ? (size_t)st.st_size : 1 << 16;
    want = want < limit ? want : limit;
    bytes->size = 0;
    for (;;) {
        if (bytes->size == want && !S_ISREG(st.st_mode) && want < limit) {
            want = 2 * want < limit ? 2 * want : limit;
            ug_bytes larger = { 0 };
            if (!reserve(&larger, want)) {
                status = ug_fail(err, UG_E_NOMEM, "out of memory");
                goto done;
            }
            memcpy(larger.data, bytes->data, bytes->size);
            larger.size = bytes->size;
            ug_bytes_fini(bytes);
            *bytes = larger;
        } else if (!reserve(bytes, want)) {
            status = ug_fail(err, UG_E_NOMEM, "%zu bytes do not fit in memory", want);
            goto done;
        }
        if (bytes->size == want) {
            break;
        }
        const ssize_t n = read(fd, bytes->data + bytes->size, want - bytes->size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            status = ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
            goto done;
        }
        if (n == 0) {
            break; // the file shrank, or the pipe ended
        }
        bytes->size += (size_t)n;
    }
    memset(bytes->data + bytes->size, 0, PADDING);
done:
    if (status != UG_OK) {
        ug_error_where(err, "%s", path);
    }
    close(fd);
    return status;
}

ug_status ug_bytes_read(ug_bytes *bytes, const char *path, ug_error *err)
{
    return read_up_to(bytes, path, SIZE_MAX / 4, err);
}

ug_status ug_bytes_read_head(ug_bytes *bytes, const char *path, size_t limit, ug_error *err)
{
    return read_up_to(bytes, path, limit, err);
}

void ug_bytes_fini(ug_bytes *bytes)
{
    if (bytes) {
        free(bytes->data);
        *bytes = (ug_bytes){ 0 };
    }
}

ug_status ug_path_check_rereadable(const char *path, ug_error *err)
{
    struct stat st;
    assert(path);
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) {
        return UG_OK;
    }
    ug_error_where(err, "%s", path);
    return ug_fail(err, UG_E_IO,
                   "is a %s, and this file is read more than once: save it under a name of its "
                   "own and give that",
                   S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ? "pipe" : "device");
}

const char *ug_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void ug_path_extension(char out[16], const char *path)
{
    const char *dot = strrchr(ug_path_base(path), '.');
    size_t n = 0;
    while (dot && dot[n] && n < 15) {
        out[n] = (char)tolower((unsigned char)dot[n]);
        n++;
    }
    out[n] = '\0';
}

static char *folder_of(const char *path)
{
    const size_t length = (size_t)(ug_path_base(path) - path);
    return length > 0 ? ug_text_copy_n(path, length) : ug_text_copy(".");
}

// Remove "<base>.tmp.<pid>" files whose process is gone: left by a kill in the middle of a write.
static void remove_stale(const char *path)
{
    char *folder = folder_of(path);
    char *prefix = ug_text_format("%s.tmp.", ug_path_base(path));
    DIR *dir = folder ? opendir(folder) : NULL;
    if (dir && prefix) {
        const size_t length = strlen(prefix);
        for (const struct dirent *e; (e = readdir(dir));) {
            char *end = NULL;
            if (strncmp(e->d_name, prefix, length) != 0) {
                continue;
            }
            const long pid = strtol(e->d_name + length, &end, 10);
            if (pid > 0 && *end == '\0' && kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
                (void)unlinkat(dirfd(dir), e->d_name, 0);
            }
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(prefix);
    free(folder);
}

// Temporaries of the outputs on their way, for a signal handler to remove. More at a time than
// there are places are left for the next writer of the same path.
enum { PLACES = 8 };
static _Atomic(char *) on_their_way[PLACES];

static void remember_temp(char *temp)
{
    char *nobody = NULL;
    for (size_t i = 0; i < PLACES; i++, nobody = NULL) {
        if (atomic_compare_exchange_strong(&on_their_way[i], &nobody, temp)) {
            return;
        }
    }
}

static void forget_temp(char *temp)
{
    for (size_t i = 0; temp && i < PLACES; i++) {
        char *mine = temp;
        if (atomic_compare_exchange_strong(&on_their_way[i], &mine, NULL)) {
            return;
        }
    }
}

void ug_outfiles_abandon(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        const char *temp = atomic_load(&on_their_way[i]);
        if (temp) {
            (void)unlink(temp);
        }
    }
}

ug_status ug_outfile_open(ug_outfile *out, const char *path, ug_error *err)
{
    assert(out && path);
    *out = (ug_outfile){ 0 };
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        ug_error_where(err, "%s", path); // a rename would put a file in the device's place
        return ug_fail(err, UG_E_WRITE, "cannot be written: it is a %s, not a file",
                       S_ISDIR(st.st_mode) ? "folder" : "device or pipe");
    }
    // a link stays a link: what it points to is replaced
    const bool is_link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    char *target = is_link ? realpath(path, NULL) : NULL;
    out->path = target ? target : ug_text_copy(path);
    if (out->path) {
        remove_stale(out->path);
        out->temp = ug_text_format("%s.tmp.%ld", out->path, (long)getpid());
    }
    if (!out->path || !out->temp) {
        ug_outfile_discard(out);
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    remember_temp(out->temp);
    out->stream = fopen(out->temp, "wb");
    if (!out->stream) {
        const int reason = errno;
        ug_outfile_discard(out);
        ug_error_where(err, "%s", path);
        return ug_fail(err, UG_E_WRITE, "cannot be written: %s", strerror(reason));
    }
    return UG_OK;
}

static void sync_folder(const char *path)
{
    char *folder = folder_of(path);
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd); // not every file system can; the data itself is safe already
        close(fd);
    }
    free(folder);
}

ug_status ug_outfile_commit(ug_outfile *out, ug_error *err)
{
    assert(out && out->stream);
    ug_status status = UG_OK;
    bool ok = fflush(out->stream) == 0 && !ferror(out->stream) && fsync(fileno(out->stream)) == 0;
    int reason = errno;
    if (fclose(out->stream) != 0) {
        reason = ok ? errno : reason;
        ok = false;
    }
    out->stream = NULL;
    if (ok && rename(out->temp, out->path) != 0) {
        reason = errno;
        ok = false;
    }
    if (ok) {
        sync_folder(out->path);
        forget_temp(out->temp);
        free(out->temp);
        out->temp = NULL;
    } else {
        ug_error_where(err, "%s", out->path);
        status = ug_fail(err, UG_E_WRITE, "cannot be written: %s", strerror(reason));
    }
    ug_outfile_discard(out);
    return status;
}

void ug_outfile_discard(ug_outfile *out)
{
    if (!out) {
        return;
    }
    if (out->stream) {
        fclose(out->stream);
    }
    if (out->temp) {
        (void)unlink(out->temp);
    }
    forget_temp(out->temp);
    free(out->temp);
    free(out->path);
    *out = (ug_outfile){ 0 };
}
