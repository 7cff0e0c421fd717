// SPDX-License-Identifier: MIT
#include "solvers/blas_threads.h"

#include <cblas.h>

void ug_blas_single_thread(void)
{
    openblas_set_num_threads(1);
}
