// SPDX-License-Identifier: MIT
// A BVH file seen through a window that fits the cache: a fresh page for every byte of a large
// file would cost more than reading its numbers.
#include "formats/bvh_parts.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_SIZE = 256 << 10, PADDING = 64 }; // padding in front and behind

ug_status ug_bvh_window_open(ug_bvh_window *window, ug_bvh_cursor *cursor, const char *path,
                             ug_error *err)
{
    *window = (ug_bvh_window){ .fd = open(path, O_RDONLY | O_CLOEXEC) };
    *cursor = (ug_bvh_cursor){ .name = path, .window = window, .line = 1 };
    struct stat st;
    if (window->fd < 0) {
        return ug_fail(err, UG_E_IO, "cannot be opened: %s", strerror(errno));
    }
    if (fstat(window->fd, &st) != 0 || S_ISDIR(st.st_mode)) {
        return ug_fail(err, UG_E_IO, "is a folder, not a file");
    }
    cursor->size = S_ISREG(st.st_mode) ? (size_t)st.st_size : 0;
    return ug_bvh_more(cursor, NULL, err);
}

void ug_bvh_window_close(ug_bvh_window *window)
{
    if (window->fd >= 0) {
        close(window->fd);
    }
    free(window->memory);
    *window = (ug_bvh_window){ .fd = -1 };
}

bool ug_bvh_has_more(const ug_bvh_cursor *cursor)
{
    return cursor->window && !cursor->window->ended;
}

// Room for at least half a window of fresh text behind `kept` bytes.
static bool make_room(ug_bvh_window *window, size_t kept)
{
    size_t capacity = window->capacity > 0 ? window->capacity : FIRST_SIZE;
    while (capacity - kept < capacity / 2) {
        if (capacity > SIZE_MAX / 4) {
            return false;
        }
        capacity *= 2;
    }
    if (capacity > window->capacity) {
        char *memory = realloc(window->memory, capacity + (size_t)2 * PADDING);
        if (!memory) {
            return false;
        }
        window->memory = memory;
        window->data = memory + PADDING;
        window->capacity = capacity;
    }
    return true;
}

ug_status ug_bvh_more(ug_bvh_cursor *cursor, const char **keep, ug_error *err)
{
    ug_bvh_window *window = cursor->window;
    assert(window && !window->ended);
    const double share = cursor->size > 0 ? (double)cursor->passed / (double)cursor->size : 0.0;
    const ug_status status = ug_progress_check(cursor->progress, share, err);
    if (status != UG_OK) {
        return status;
    }
    const size_t kept = keep ? (size_t)(cursor->end - *keep) : 0;
    if (kept > 0) {
        memmove(window->data, *keep, kept); // before growing: a copy less
    }
    if (!make_room(window, kept)) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    size_t size = kept;
    while (size < window->capacity && !window->ended) {
        const ssize_t n = read(window->fd, window->data + size, window->capacity - size);
        if (n < 0 && errno != EINTR) {
            return ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
        }
        window->ended = n == 0;
        size += n > 0 ? (size_t)n : 0;
    }
    memset(window->data + size, 0, PADDING);
    cursor->passed += size - kept;
    cursor->begin = cursor->p = window->data;
    cursor->end = window->data + size;
    if (keep) {
        *keep = window->data;
    }
    return UG_OK;
}
