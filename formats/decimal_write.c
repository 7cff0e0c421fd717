// SPDX-License-Identifier: MIT
#include "formats/decimal_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int write_special(char text[UG_DECIMAL_TEXT], double value)
{
    if (isfinite(value)) {
        return 0;
    }
    const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return snprintf(text, UG_DECIMAL_TEXT, "%s", word);
}

void ug_decimal_write(char text[UG_DECIMAL_TEXT], double value)
{
    if (write_special(text, value)) {
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, UG_DECIMAL_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

void ug_decimal_write_f32(char text[UG_DECIMAL_TEXT], float value)
{
    if (write_special(text, (double)value)) {
        return;
    }
    for (int digits = 6; digits <= 9; digits++) {
        (void)snprintf(text, UG_DECIMAL_TEXT, "%.*g", digits, (double)value);
        // through double, as our readers do: the two roundings must not part from the value
        if ((float)strtod(text, NULL) == value) {
            return;
        }
    }
}
