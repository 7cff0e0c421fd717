// SPDX-License-Identifier: MIT
#include "motion/status.h"

#include <stdio.h>

ug_status ug_fail(ug_error *err, ug_status status, const char *fmt, ...)
{
    // the first failure is the cause; later ones are its echo
    if (err && err->status == UG_OK) {
        va_list args;
        va_start(args, fmt);
        err->status = status;
        (void)vsnprintf(err->message, sizeof err->message, fmt, args);
        va_end(args);
    }
    return status;
}

void ug_error_where(ug_error *err, const char *fmt, ...)
{
    if (err && err->where[0] == '\0') {
        va_list args;
        va_start(args, fmt);
        (void)vsnprintf(err->where, sizeof err->where, fmt, args);
        va_end(args);
    }
}

void ug_error_settle(ug_error *err)
{
    if (err && err->status == UG_OK) {
        err->where[0] = '\0';
    }
}
