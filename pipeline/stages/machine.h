// SPDX-License-Identifier: MIT
// What the command line may ask about the machine without reaching into the solvers.
#pragma once

#include <stddef.h>

/// Processors this process may use, >= 1.
size_t ug_machine_processors(void);
