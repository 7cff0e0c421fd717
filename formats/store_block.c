// SPDX-License-Identifier: MIT
#include "formats/store_block.h"

#include "formats/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

enum { PIECE = 1 << 20 };

static void print_hex(char hex[33], XXH128_hash_t hash)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    for (int i = 0; i < 16; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", canonical.digest[i]);
    }
}

static ug_store_block format_block(unsigned schema, uint64_t size, XXH128_hash_t hash)
{
    ug_store_block block = { { 0 } };
    char hex[33];
    print_hex(hex, hash);
    (void)snprintf((char *)block.bytes, sizeof block.bytes, "UGOKI %u %" PRIu64 " %s\n", schema,
                   size, hex);
    return block;
}

ug_store_block ug_store_block_make(const void *payload, size_t size)
{
    return format_block(UG_STORE_SCHEMA, size, XXH3_128bits(payload, size));
}

// Hash everything from the file's position to its end.
static ug_status hash_rest(XXH128_hash_t *hash, uint64_t *size, int fd, ug_error *err)
{
    ug_status status = UG_OK;
    XXH3_state_t *state = XXH3_createState();
    uint8_t *piece = malloc(PIECE);
    *size = 0;
    if (!state || !piece) {
        status = ug_fail(err, UG_E_NOMEM, "out of memory");
        goto done;
    }
    XXH3_128bits_reset(state);
    for (;;) {
        const ssize_t n = read(fd, piece, PIECE);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            status = ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
            goto done;
        }
        if (n == 0) {
            break;
        }
        XXH3_128bits_update(state, piece, (size_t)n);
        *size += (uint64_t)n;
    }
    *hash = XXH3_128bits_digest(state);
done:
    free(piece);
    XXH3_freeState(state);
    return status;
}

ug_status ug_store_block_verify(int fd, ug_error *err)
{
    ug_store_block block;
    size_t got = 0;
    while (got < sizeof block.bytes) {
        const ssize_t n = pread(fd, block.bytes + got, sizeof block.bytes - got, (off_t)got);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
        }
        if (n == 0) {
            return ug_fail(err, UG_E_FORMAT, "damaged store: it ends after %zu bytes", got);
        }
        got += (size_t)n;
    }
    char line[128];
    memcpy(line, block.bytes, sizeof line - 1);
    line[sizeof line - 1] = '\0';
    unsigned schema = 0;
    uint64_t claimed = 0, size = 0;
    if (sscanf(line, "UGOKI %5u %" SCNu64, &schema, &claimed) != 2) {
        return ug_fail(err, UG_E_FORMAT,
                       "damaged store, or edited by another program: its checksum block is not "
                       "valid ('ugoki seal' accepts an edited file)");
    }
    XXH128_hash_t hash;
    if (lseek(fd, UG_STORE_BLOCK_SIZE, SEEK_SET) < 0) {
        return ug_fail(err, UG_E_IO, "cannot be read: %s", strerror(errno));
    }
    const ug_status status = hash_rest(&hash, &size, fd, err);
    if (status != UG_OK) {
        return status;
    }
    const ug_store_block want = format_block(schema, size, hash);
    if (memcmp(want.bytes, block.bytes, sizeof want.bytes) == 0) {
        return schema == UG_STORE_SCHEMA
                   ? UG_OK
                   : ug_fail(err, UG_E_UNSUPPORTED,
                             "store schema %u; this program reads schema %d: use the version that "
                             "wrote it",
                             schema, UG_STORE_SCHEMA);
    }
    if (size < claimed) {
        return ug_fail(err, UG_E_FORMAT,
                       "damaged store: truncated, %" PRIu64 " of %" PRIu64 " bytes are there", size,
                       claimed);
    }
    return ug_fail(err, UG_E_FORMAT,
                   "damaged store, or edited by another program: the checksum does not match "
                   "('ugoki seal' accepts an edited file)");
}

ug_status ug_file_hash(char hex[33], const char *path, ug_error *err)
{
    hex[0] = '\0';
    ug_error_where(err, "%s", path);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return ug_fail(err, UG_E_IO, "cannot be opened: %s", strerror(errno));
    }
    XXH128_hash_t hash;
    uint64_t size = 0;
    const ug_status status = hash_rest(&hash, &size, fd, err);
    close(fd);
    if (status == UG_OK) {
        print_hex(hex, hash);
    }
    return status;
}
