// SPDX-License-Identifier: MIT
// Damaged stores: seeded mutated and truncated copies of a sealed file and of two foreign ones.
// Each is refused in one line or read right; nothing crashes or hangs.
#include "formats/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/full_take.h"
#include "tests/support/h5_edit.h"

static const char PATH[] = "unit_store_damage.h5";
static const char GOOD[] = "unit_store_damage_good.h5";
static const char OLD[] = "unit_store_damage_old.h5";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SEALED_COPIES = 300, FOREIGN_COPIES = 30 };
#else
enum { SEALED_COPIES = 2000, FOREIGN_COPIES = 150 };
#endif
static const double LIMIT_S = 5.0; // of this process: a busy machine is no hang

static int setup(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    ug_take take;
    full_take_init(&take, 1);
    const ug_store_opts opts = { .compress = true };
    if (ug_store_write(GOOD, &take, UG_PART_ALL, &opts, NULL) != UG_OK) {
        return 1;
    }
    ug_take_fini(&take);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    (void)remove(PATH);
    (void)remove(GOOD);
    (void)remove(OLD);
    return 0;
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 11;
}

// Damage `bytes` in one of the ways disks, networks and editors have; the new length is returned.
static size_t damage(uint8_t *bytes, size_t size, uint64_t *seed)
{
    switch (next(seed) % 6) {
    case 0: // truncated
        return next(seed) % size;
    case 1: { // a run of zeros or ones
        const size_t at = next(seed) % size, run = 1 + next(seed) % 600;
        memset(bytes + at, next(seed) % 2 ? 0 : 0xFF, at + run > size ? size - at : run);
        return size;
    }
    case 2: // one bit
        bytes[next(seed) % size] ^= (uint8_t)(1u << next(seed) % 8);
        return size;
    case 3: // some bytes
        for (int n = (int)(1 + next(seed) % 8); n > 0; n--) {
            bytes[next(seed) % size] = (uint8_t)next(seed);
        }
        return size;
    case 4: { // a word from elsewhere: addresses and lengths that look right
        const size_t to = next(seed) % (size - 8), from = next(seed) % (size - 8);
        memmove(bytes + to, bytes + from, 8);
        return size;
    }
    default: // a number at its extremes
        memset(bytes + next(seed) % (size - 8), next(seed) % 2 ? 0xFF : 0x7F,
               (size_t)1 << next(seed) % 4);
        return size;
    }
}

typedef struct tally {
    size_t accepted, refused;
    double slowest_s;
} tally;

// Read PATH and check how it was refused. @return true when it was read
static bool read_damaged(ug_take *take, tally *t, uint64_t copy)
{
    ug_error err = { 0 };
    struct timespec begin, end;
    ug_take_init(take);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    const ug_status status = ug_store_read(take, PATH, UG_PART_ALL, NULL, &err);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    const double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    t->slowest_s = seconds > t->slowest_s ? seconds : t->slowest_s;
    assert_true(seconds < LIMIT_S);
    if (status == UG_OK) {
        t->accepted++;
        return true;
    }
    t->refused++;
    if (status != UG_E_FORMAT && status != UG_E_UNSUPPORTED && status != UG_E_DATA) {
        fail_msg("copy %zu: status %d, '%s'", (size_t)copy, (int)status, err.message);
    }
    assert_true(err.message[0] != '\0');
    assert_null(strchr(err.message, '\n'));
    assert_string_equal(err.where, PATH);
    ug_take empty;
    ug_take_init(&empty);
    assert_null(full_take_difference(&empty, take));
    return false;
}

static void report(const char *what, const tally *t)
{
    print_message("%s: %zu refused, %zu read, slowest %.2f s\n", what, t->refused, t->accepted,
                  t->slowest_s);
}

static void test_sealed_copies(void **state)
{
    (void)state;
    ug_bytes good = { 0 };
    ug_take want, got;
    tally t = { 0 };
    full_take_init(&want, 1);
    read_bytes(&good, GOOD);
    uint8_t *bytes = malloc(good.size);
    assert_non_null(bytes);
    uint64_t seed = 88172645463325252u;
    size_t unchanged = 0;
    for (uint64_t copy = 0; copy < SEALED_COPIES; copy++) {
        memcpy(bytes, good.data, good.size);
        const size_t size = damage(bytes, good.size, &seed);
        const bool same = size == good.size && memcmp(bytes, good.data, size) == 0;
        unchanged += same;
        write_bytes(PATH, bytes, size);
        if (read_damaged(&got, &t, copy)) {
            assert_true(same); // no damage goes unseen
            assert_null(full_take_difference(&want, &got));
            ug_take_fini(&got);
        }
    }
    report("sealed", &t);
    assert_int_equal(t.accepted, unchanged); // and what is sound is read
    assert_true(t.refused > SEALED_COPIES * 3 / 4);
    ug_take_fini(&want);
    ug_bytes_fini(&good);
    free(bytes);
}

static void damage_foreign(const char *path, const char *what, uint64_t seed)
{
    ug_bytes good = { 0 };
    ug_take got;
    tally t = { 0 };
    read_bytes(&good, path);
    uint8_t *bytes = malloc(good.size);
    assert_non_null(bytes);
    for (uint64_t copy = 0; copy < FOREIGN_COPIES; copy++) {
        memcpy(bytes, good.data, good.size);
        const size_t size = damage(bytes, good.size, &seed);
        if (size >= 8) {
            memcpy(bytes, good.data, 8); // without the signature it would be no HDF5 file at all
        }
        write_bytes(PATH, bytes, size);
        if (read_damaged(&got, &t, copy)) {
            // nothing vouches for the numbers of such a file, but it is a take: it can be stored
            assert_int_equal(ug_store_write(PATH, &got, UG_PART_ALL, NULL, NULL), UG_OK);
            ug_take_fini(&got);
        }
    }
    report(what, &t);
    assert_true(t.refused > 0 && t.accepted > 0);
    ug_bytes_fini(&good);
    free(bytes);
}

static void test_foreign_copies_without_checksums(void **state)
{
    (void)state;
    resave(OLD, GOOD, false);
    damage_foreign(OLD, "foreign, oldest format", 0x9E3779B97F4A7C15u);
}

static void test_foreign_copies_with_checksums(void **state)
{
    (void)state;
    strip_block(OLD, GOOD);
    damage_foreign(OLD, "foreign, block stripped", 0xD1B54A32D192ED03u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sealed_copies),
        cmocka_unit_test(test_foreign_copies_without_checksums),
        cmocka_unit_test(test_foreign_copies_with_checksums),
    };
    return cmocka_run_group_tests_name("formats/store_damage", tests, setup, teardown);
}
