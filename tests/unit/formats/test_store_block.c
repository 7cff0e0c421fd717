// SPDX-License-Identifier: MIT
// Unit tests for formats/store_block.c: every single bit of a small sealed file counts.
#include "formats/store_block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAYLOAD = 40, SIZE = UG_STORE_BLOCK_SIZE + PAYLOAD };

static void make(uint8_t file[SIZE])
{
    for (size_t i = 0; i < PAYLOAD; i++) {
        file[UG_STORE_BLOCK_SIZE + i] = (uint8_t)(3 * i);
    }
    const ug_store_block block = ug_store_block_make(file + UG_STORE_BLOCK_SIZE, PAYLOAD);
    memcpy(file, block.bytes, sizeof block.bytes);
}

static ug_status verify(const uint8_t *file, size_t size, ug_error *err)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, size, f), size);
    assert_int_equal(fflush(f), 0);
    *err = (ug_error){ 0 };
    const ug_status status = ug_store_block_verify(fileno(f), err);
    fclose(f);
    return status;
}

static void test_a_sound_file_passes_and_a_flipped_bit_does_not(void **state)
{
    (void)state;
    uint8_t file[SIZE];
    ug_error err;
    make(file);
    assert_int_equal(strncmp((const char *)file, "UGOKI 1 40 ", 11), 0);
    assert_int_equal(verify(file, SIZE, &err), UG_OK);
    for (size_t bit = 0; bit < (size_t)8 * SIZE; bit += 7) { // also in the zeros of the block
        if (bit / 8 == 6) {
            continue; // another digit is another schema: below
        }
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(verify(file, SIZE, &err), UG_E_FORMAT);
        assert_non_null(strstr(err.message, "damaged store"));
        file[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_int_equal(verify(file, SIZE, &err), UG_OK);
}

static void test_what_is_cut_off_is_said(void **state)
{
    (void)state;
    uint8_t file[SIZE];
    ug_error err;
    make(file);
    assert_int_equal(verify(file, SIZE - 1, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "damaged store: truncated, 39 of 40 bytes are there");
    assert_int_equal(verify(file, 100, &err), UG_E_FORMAT);
    assert_string_equal(err.message, "damaged store: it ends after 100 bytes");
}

static void test_another_schema_is_refused_by_name_only_when_intact(void **state)
{
    (void)state;
    uint8_t file[SIZE];
    ug_error err;
    make(file);
    file[6] = '7'; // the payload's hash still holds, and so does the line
    assert_int_equal(verify(file, SIZE, &err), UG_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "store schema 7"));
    file[SIZE - 1] ^= 1;
    assert_int_equal(verify(file, SIZE, &err), UG_E_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sound_file_passes_and_a_flipped_bit_does_not),
        cmocka_unit_test(test_what_is_cut_off_is_said),
        cmocka_unit_test(test_another_schema_is_refused_by_name_only_when_intact),
    };
    return cmocka_run_group_tests_name("formats/store_block", tests, NULL, NULL);
}
