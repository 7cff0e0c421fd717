// SPDX-License-Identifier: MIT
#include "motion/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { WORD_MAX = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *above2 = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) {
        above[j] = j;
        above2[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (ca != cb));
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2])) {
                row[j] = least(row[j], above2[j - 2] + 1);
            }
        }
        size_t *spare = above2;
        above2 = above;
        above = row;
        row = spare;
    }
    return above[b_length];
}

const char *ug_text_nearest(const char *word, const char *const *known, size_t count)
{
    assert(word && (known || count == 0));
    const size_t length = strlen(word);
    const char *best = NULL;
    size_t best_distance = 0;
    for (size_t i = 0; i < count && length <= WORD_MAX; i++) {
        const size_t other = known[i] ? strlen(known[i]) : WORD_MAX + 1;
        if (other > WORD_MAX) {
            continue;
        }
        const size_t d = distance(word, length, known[i], other);
        const size_t longer = length > other ? length : other;
        if (3 * d <= longer && (!best || d < best_distance)) {
            best = known[i];
            best_distance = d;
        }
    }
    return best;
}
