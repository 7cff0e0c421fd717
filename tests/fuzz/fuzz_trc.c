// SPDX-License-Identifier: MIT
// Any bytes as TRC tables: read or refused with a message, never worse.
#include "formats/trc.h"
#include "tests/support/fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text(data, size, ug_trc_parse);
    return 0;
}
