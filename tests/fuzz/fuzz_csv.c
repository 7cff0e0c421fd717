// SPDX-License-Identifier: MIT
// Any bytes as marker CSV files: read or refused with a message, never worse.
#include "formats/marker_csv.h"
#include "tests/support/fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_text(data, size, ug_csv_parse);
    return 0;
}
