// SPDX-License-Identifier: MIT
// Any bytes as VSK files: read or refused with a message, never worse.
#include "formats/vsk.h"
#include "tests/support/fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text(data, size, ug_vsk_parse);
    return 0;
}
