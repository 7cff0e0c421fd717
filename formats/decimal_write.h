// SPDX-License-Identifier: MIT
// Numbers to text that reads back as the same bits, with as few digits as that takes.
#pragma once

#include <stddef.h>

enum { UG_DECIMAL_TEXT = 32 };

/// Shortest of %.15g … %.17g that strtod turns into `value` again; "nan", "inf", "-inf" else.
void ug_decimal_write(char text[UG_DECIMAL_TEXT], double value);

/// Shortest of %.6g … %.9g with (float)strtod(text) == value.
void ug_decimal_write_f32(char text[UG_DECIMAL_TEXT], float value);
