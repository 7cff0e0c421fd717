// SPDX-License-Identifier: MIT
#include "pipeline/stages/foreign.h"

#include "motion/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the writer warns of is known only afterwards: look before the file gets its name.
static ug_status write_draft(ug_stage_context *context, const ug_format *format, const char *path,
                             const ug_take *take, const ug_write_opts *opts, ug_error *err)
{
    char *draft = ug_text_format("%s.draft.%ld", path, (long)getpid());
    ug_status status = draft ? format->write(draft, take, opts, &context->warnings, err)
                             : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK) {
        status = ug_stage_may_finish(context, err);
        if (status == UG_OK && rename(draft, path) != 0) {
            ug_error_where(err, "%s", path);
            status = ug_fail(err, UG_E_WRITE, "cannot be written: %s", strerror(errno));
        }
        if (status != UG_OK) {
            (void)unlink(draft);
        }
    }
    free(draft);
    return status;
}

ug_status ug_stage_write_as(ug_stage_context *context, const ug_format *format, const char *path,
                            const ug_take *take, const ug_write_opts *opts, ug_error *err)
{
    ug_status status = ug_stage_may_finish(context, err);
    if (status == UG_OK) {
        status = context->strict ? write_draft(context, format, path, take, opts, err)
                                 : format->write(path, take, opts, &context->warnings, err);
    }
    if (status == UG_OK) {
        ug_stage_wrote(context, path);
    }
    return status;
}
