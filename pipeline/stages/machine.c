// SPDX-License-Identifier: MIT
#include "pipeline/stages/machine.h"

#include "solvers/parallel.h"

size_t ug_machine_processors(void)
{
    return ug_processor_count();
}
