// SPDX-License-Identifier: MIT
// How every fallible function reports: a status to branch on, a message to read.
#pragma once

#include <stdarg.h>

#define UG_CHECKED __attribute__((warn_unused_result))
#define UG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/// What went wrong, by who can mend it. The command line maps each to one exit code.
typedef enum ug_status {
    UG_OK = 0,
    UG_E_USAGE,       ///< wrong option or argument                             (exit 2)
    UG_E_EXISTS,      ///< the output is there already and -y was not given     (exit 2)
    UG_E_UNAVAILABLE, ///< a feature this build does not have                   (exit 2)
    UG_E_IO,          ///< the operating system refused to give us the input    (exit 3)
    UG_E_FORMAT,      ///< the file is not what it claims to be, or damaged     (exit 3)
    UG_E_UNSUPPORTED, ///< valid file, feature we do not read                   (exit 3)
    UG_E_AMBIGUOUS,   ///< readable, but unit or axes cannot be told: ask       (exit 3)
    UG_E_DATA,        ///< well-formed, but the values make no sense            (exit 3)
    UG_E_NOT_ENOUGH,  ///< valid, but not enough of it for the task             (exit 4)
    UG_E_GATE,        ///< a quality gate failed                                (exit 5)
    UG_E_WRITE,       ///< the output cannot be written                         (exit 6)
    UG_E_INTERRUPTED, ///< the user stopped it                                  (exit 130)
    UG_E_NOMEM,       ///< out of memory                                        (exit 1)
    UG_E_INTERNAL,    ///< a bug of ours                                        (exit 1)
} ug_status;

/// Detail of the first failure. Owned by the caller, no destroy needed. Start from `{ 0 }`.
typedef struct ug_error {
    ug_status status;
    char message[384]; ///< one line, no newline, no path
    char where[256];   ///< "file.c3d:frame 120", or empty
} ug_error;

/// Fill `err` and return `status`, so a failure is one line at its source.
/// `err` may be NULL. An `err` that is already set is left alone.
ug_status ug_fail(ug_error *err, ug_status status, const char *fmt, ...) UG_PRINTF(3, 4);

/// Forget the place noted while something went well, so that a later failure names its own.
/// Nothing when `err` is NULL or holds a failure.
void ug_error_settle(ug_error *err);

/// Say where ("take.c3d", "take.bvh:line 12"), unless somebody closer to the cause already has.
void ug_error_where(ug_error *err, const char *fmt, ...) UG_PRINTF(2, 3);
