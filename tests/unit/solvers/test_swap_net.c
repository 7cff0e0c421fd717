// SPDX-License-Identifier: MIT
// Unit tests for solvers/swap_net.c. The truth is a table of labels, exchanged one by one.
#include "solvers/swap_net.h"

#include "solvers/swap_rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ug_swap two(size_t a, size_t b, size_t first, size_t last)
{
    return (ug_swap){ .count = 2, .markers = { a, b }, .first = first, .last = last, .gain = 20.0 };
}

// Marsaglia's xorshift64: any numbers will do.
static size_t below(uint64_t *r, size_t count)
{
    *r ^= *r << 13;
    *r ^= *r >> 7;
    *r ^= *r << 17;
    return (size_t)(*r % count);
}

static void test_undone_and_made_of_two(void **state)
{
    (void)state;
    ug_swap list[] = { two(3, 5, 100, 200), two(3, 5, 150, 200), two(1, 2, 10, 20),
                       two(2, 4, 10, 20) };
    const ug_swaps made = { 4, list };
    ug_swaps net = { 0 };
    assert_int_equal(ug_swap_net(&net, &made, NULL), UG_OK);
    assert_int_equal(net.count, 2);
    assert_int_equal(net.items[0].count, 3);
    assert_int_equal(net.items[0].first, 10);
    assert_int_equal(net.items[0].last, 20);
    assert_int_equal(net.items[1].first, 100);
    assert_int_equal(net.items[1].last, 149);
    assert_true(net.items[1].gain == 20.0);
    ug_swaps_fini(&net);
}

enum { LABELS = 6, FRAMES = 60 };

// What lay under each label before everything was put right.
static void apply(size_t table[FRAMES][LABELS], const ug_swap *s)
{
    for (size_t f = s->first; f <= s->last; f++) {
        for (size_t i = s->count - 1; i > 0; i--) {
            const size_t kept = table[f][s->markers[i]];
            table[f][s->markers[i]] = table[f][s->markers[i - 1]];
            table[f][s->markers[i - 1]] = kept;
        }
    }
}

static void reset(size_t table[FRAMES][LABELS])
{
    for (size_t f = 0; f < FRAMES; f++) {
        for (size_t k = 0; k < LABELS; k++) {
            table[f][k] = k;
        }
    }
}

// The net is the same exchange of every frame as the series, whatever that is.
static void test_any_series(void **state)
{
    (void)state;
    static size_t one[FRAMES][LABELS], other[FRAMES][LABELS];
    size_t rings = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t r = 88172645463325252u + 7919 * seed;
        ug_swap list[8];
        const size_t count = 1 + below(&r, 8);
        for (size_t i = 0; i < count; i++) {
            const size_t a = below(&r, LABELS), first = below(&r, FRAMES);
            const size_t step = 1 + below(&r, 2);
            list[i] = two(a, (a + step) % LABELS, first, first + below(&r, FRAMES - first));
            if (below(&r, 3) == 0) {
                list[i].count = 3;
                list[i].markers[2] = (a + 2 * step) % LABELS;
            }
        }
        const ug_swaps made = { count, list };
        ug_swaps net = { 0 };
        assert_int_equal(ug_swap_net(&net, &made, NULL), UG_OK);
        reset(one);
        reset(other);
        for (size_t i = 0; i < count; i++) {
            apply(one, &list[i]);
        }
        for (size_t i = 0; i < net.count; i++) {
            apply(other, &net.items[i]);
            rings += net.items[i].count > 2;
        }
        for (size_t f = 0; f < FRAMES; f++) {
            size_t length = 0, label = 0;
            for (size_t k = 0; k < LABELS; k++) { // the longest ring of this frame
                size_t n = 0;
                label = k;
                do {
                    label = one[f][label];
                    n++;
                } while (label != k);
                length = n > length ? n : length;
            }
            if (length <= UG_SWAP_MARKERS_MAX) {
                assert_memory_equal(one[f], other[f], sizeof one[f]);
            }
        }
        ug_swaps_fini(&net);
    }
    assert_true(rings > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undone_and_made_of_two),
        cmocka_unit_test(test_any_series),
    };
    return cmocka_run_group_tests_name("solvers/swap_net", tests, NULL, NULL);
}
