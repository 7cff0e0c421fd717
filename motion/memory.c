// SPDX-License-Identifier: MIT
#include "motion/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

void *ug_memory_create(size_t size)
{
    if (size < HUGE_PAGE) {
        return malloc(size > 0 ? size : 1);
    }
    if (size > SIZE_MAX - HUGE_PAGE) {
        return NULL;
    }
    const size_t whole = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *data = aligned_alloc(HUGE_PAGE, whole);
    if (data) {
        (void)madvise(data, whole, MADV_HUGEPAGE); // a hint; no harm where it is refused
    }
    return data;
}
