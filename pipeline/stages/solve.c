// SPDX-License-Identifier: MIT
// solve: markers + subject -> joint rotations, with a residual for every sample.
#include "datasets/random.h"
#include "pipeline/stages/library.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"
#include "pipeline/stages/take_residuals.h"
#include "solvers/ik_take.h"
#include "solvers/residual_stats.h"

#include <math.h>
#include <stdlib.h>

static const ug_option OPTIONS[] = {
    { .name = "subject",
      .type = UG_OPTION_TEXT,
      .is_path = true,
      .help = "who it is: what `ugoki calibrate` wrote, or a VSK" },
    { .name = "smooth",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "draw every angle toward the middle of its neighbours in time (0.02 rad)" },
    { .name = "hard_limits",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "joint limits hold in what is written" },
    { .name = "sigma_mm",
      .type = UG_OPTION_REAL,
      .initial = "5",
      .low = 0.01,
      .high = 1000,
      .help = "expected error of a marker" },
    { .name = "leave_out_pct",
      .type = UG_OPTION_REAL,
      .initial = "0",
      .low = 0,
      .high = 50,
      .help = "also solve with this share of samples hidden and report how far off they come out" },
    { .name = "subject_label",
      .type = UG_OPTION_TEXT,
      .help = "prefix of the labels to use when a take holds several people" },
};

static ug_ik_take_options solve_options(const ug_stage_context *context)
{
    const ug_option_values *o = context->options;
    ug_ik_take_options options = ug_ik_take_default_options();
    options.sigma_m = 0.001 * ug_option_real(o, "sigma_mm");
    options.smooth = ug_option_flag(o, "smooth");
    options.hard_limits = ug_option_flag(o, "hard_limits");
    options.subject = ug_option_text(o, "subject_label");
    options.jobs = context->jobs;
    options.progress = &context->work;
    return options;
}

// A marker that stays far from where the skeleton has it sits on something else: say which, when.
static ug_status warn_of_strays(ug_warnings *warnings, const ug_ik_take_result *result,
                                const uint8_t *counted, const ug_attachments *attachments,
                                double rate_hz, ug_error *err)
{
    const size_t shortest = (size_t)fmax(ceil(0.25 * rate_hz), 1.0);
    ug_stray *strays = NULL;
    size_t count = 0;
    const ug_status status = ug_strays_find(&strays, &count, result->residual_mm, counted,
                                            result->frame_count, result->attachment_count, err);
    for (size_t i = 0; i < count;) {
        size_t far = 0, longest = i, end = i;
        for (; end < count && strays[end].column == strays[i].column; end++) {
            far += strays[end].count;
            longest = strays[end].count > strays[longest].count ? end : longest;
        }
        const ug_stray *s = &strays[longest];
        if (s->count >= shortest) {
            ug_warn(warnings, "marker_off_segment",
                    "marker '%s' is over %.0f mm from its segment in %zu frames, longest %zu to "
                    "%zu: mislabelled or fallen off?",
                    attachments->items[s->column].label, UG_OUTLIER_MM, far, s->first, s->end - 1);
        }
        i = end;
    }
    free(strays);
    return status;
}

// Markers that agree with each other and not with the skeleton: most likely somebody else's.
static void warn_of_misfit(ug_warnings *warnings, const ug_residual_stats *stats)
{
    if (stats->rms_mm > 15.0 || stats->outlier_pct > 5.0) {
        ug_warn(warnings, "subject_does_not_fit",
                "residuals of %.1f mm rms and %.1f %% beyond %.0f mm: another person's subject, or "
                "markers that were moved? calibrate on this take",
                stats->rms_mm, stats->outlier_pct, UG_OUTLIER_MM);
    }
}

// Rows of joint, frame, degrees: most joints are never past a limit.
static ug_status add_limit_hits(ug_quality *quality, const ug_ik_take_result *result, ug_error *err)
{
    const size_t joints = result->joint_count, cells = result->frame_count * joints;
    size_t count = 0, n = 0;
    for (size_t k = 0; k < joints; k++) {
        count += result->limit_hits[k];
    }
    float *rows = malloc((3 * count + 1) * sizeof *rows);
    if (!rows) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu limit hits", count);
    }
    for (size_t i = 0; i < cells && n < count; i++) {
        if ((double)result->over_limit_rad[i] > UG_IK_LIMIT_HIT_RAD) {
            rows[3 * n] = (float)(i % joints);
            rows[3 * n + 1] = (float)(i / joints);
            rows[3 * n + 2] = (float)((double)result->over_limit_rad[i] / UG_DEG);
            n++;
        }
    }
    const ug_status status = ug_quality_set(quality, "limit_hits", "", n, 3, rows, err);
    free(rows);
    return status;
}

// Later stages keep the residuals but not the table of markers: each column says whose it is.
static ug_status add_columns(ug_quality *quality, const ug_ik_take_result *result, ug_error *err)
{
    const size_t markers = result->attachment_count;
    float *column = malloc((markers + 1) * sizeof *column);
    if (!column) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    for (size_t a = 0; a < markers; a++) {
        column[a] = result->columns[a] < 0 ? NAN : (float)result->columns[a];
    }
    const ug_status status =
        ug_quality_set(quality, "residual_marker", "", markers, 1, column, err);
    free(column);
    return status;
}

static ug_status add_quality(ug_take *take, const ug_ik_take_result *result,
                             const ug_residual_stats *stats, ug_error *err)
{
    const size_t frames = result->frame_count, markers = result->attachment_count;
    float *column = malloc((frames + markers + 1) * sizeof *column);
    if (!column) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_status status = ug_quality_set(&take->quality, "marker_residual_mm", "mm", frames, markers,
                                      result->residual_mm, err);
    if (status == UG_OK) {
        for (size_t f = 0; f < frames; f++) {
            column[f] = (float)stats->frame_rms_mm[f];
        }
        status = ug_quality_set(&take->quality, "frame_rms_mm", "mm", frames, 1, column, err);
    }
    if (status == UG_OK) {
        for (size_t f = 0; f < frames; f++) {
            column[f] = (float)result->outcome[f];
        }
        status = ug_quality_set(&take->quality, "frame_outcome", "", frames, 1, column, err);
    }
    if (status == UG_OK) {
        for (size_t m = 0; m < markers; m++) {
            column[m] = (float)stats->markers[m].rms_mm;
        }
        status = ug_quality_set(&take->quality, "marker_rms_mm", "mm", markers, 1, column, err);
    }
    if (status == UG_OK) {
        status = add_columns(&take->quality, result, err);
    }
    if (status == UG_OK) {
        status = add_limit_hits(&take->quality, result, err);
    }
    free(column);
    return status;
}

static void add_metrics(ug_metrics *m, const ug_ik_take_result *result,
                        const ug_residual_stats *stats, const ug_attachments *attachments,
                        const ug_skeleton *skeleton)
{
    ug_metrics_set(m, "marker_rms_mm", stats->rms_mm);
    ug_metrics_set(m, "marker_p95_mm", stats->p95_mm);
    ug_metrics_set(m, "outlier_pct", stats->outlier_pct);
    ug_metrics_set(m, "dof_count", (double)result->dof_count);
    ug_metrics_set(m, "unsolved_frames", (double)result->outcome_count[UG_IK_UNSOLVED]);
    ug_metrics_set(m, "limit_hits", (double)result->limit_hit_frames);
    for (int o = 0; o < UG_IK_OUTCOME_COUNT; o++) {
        ug_metrics_set_of(m, (double)result->outcome_count[o], "frames/%s",
                          ug_ik_outcome_name((ug_ik_outcome)o));
    }
    for (size_t j = 0; j < skeleton->joint_count; j++) {
        if (result->limit_hits[j] > 0) {
            ug_metrics_set_of(m, (double)result->limit_hits[j], "limit_hits_of/%s",
                              skeleton->joints[j].name);
        }
    }
    for (size_t a = 0; a < attachments->count; a++) {
        if (stats->markers[a].sample_count > 0) {
            ug_metrics_set_of(m, stats->markers[a].rms_mm, "marker_rms_mm_of/%s",
                              attachments->items[a].label);
        }
    }
}

// Which samples say how well the body fits: measured ones, of `only` where given. free() it.
static uint8_t *mark_counted(const ug_ik_take_result *result, const ug_markers *markers,
                             const uint8_t *only)
{
    const size_t n = result->frame_count * result->attachment_count;
    uint8_t *counted = malloc(n + 1);
    if (counted) {
        ug_residual_mark_measured(counted, markers, result->columns, result->attachment_count);
    }
    for (size_t i = 0; counted && only && i < n; i++) {
        counted[i] = counted[i] && only[i];
    }
    return counted;
}

static ug_status score(ug_residual_stats *stats, const ug_ik_take_result *result,
                       const uint8_t *counted, ug_error *err)
{
    return counted ? ug_residual_stats_compute(stats, result->residual_mm, counted,
                                               result->frame_count, result->attachment_count, err)
                   : ug_fail(err, UG_E_NOMEM, "out of memory");
}

static ug_status leave_out(ug_stage_context *context, const ug_take *take, const ug_take *subject,
                           ug_error *err)
{
    const double share = 0.01 * ug_option_real(context->options, "leave_out_pct");
    const size_t n = take->markers->frame_count * subject->attachments.count;
    if (share <= 0.0) {
        return UG_OK;
    }
    uint8_t *hidden = malloc(n + 1);
    if (!hidden) {
        return ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    ug_random random = ug_random_make(context->seed, 0);
    for (size_t i = 0; i < n; i++) {
        hidden[i] = ug_random_uniform(&random) < share;
    }
    ug_ik_take_result result = { 0 };
    ug_residual_stats stats = { 0 };
    ug_ik_take_options options = solve_options(context);
    options.hidden = hidden;
    ug_status status = ug_ik_take_solve(&result, NULL, take->markers, subject->skeleton,
                                        &subject->attachments, &options, err);
    if (status == UG_OK) {
        uint8_t *counted = mark_counted(&result, take->markers, hidden);
        status = score(&stats, &result, counted, err);
        free(counted);
    }
    if (status == UG_OK) {
        ug_metrics_set(&context->metrics, "leave_out_rms_mm", stats.rms_mm);
        ug_metrics_set(&context->metrics, "leave_out_median_mm", stats.median_mm);
    }
    ug_residual_stats_fini(&stats);
    ug_ik_take_result_fini(&result);
    free(hidden);
    return status;
}

// Figures, warnings and series of a solve.
static ug_status judge(ug_take *take, const ug_take *subject, const ug_ik_take_result *result,
                       ug_stage_context *context, ug_error *err)
{
    ug_residual_stats stats = { 0 };
    uint8_t *counted = mark_counted(result, take->markers, NULL);
    ug_status status = score(&stats, result, counted, err);
    if (status == UG_OK) {
        status = warn_of_strays(&context->warnings, result, counted, &subject->attachments,
                                ug_rate_hz(take->markers->rate), err);
    }
    if (status == UG_OK) {
        add_metrics(&context->metrics, result, &stats, &subject->attachments, subject->skeleton);
        warn_of_misfit(&context->warnings, &stats);
        status = add_quality(take, result, &stats, err);
    }
    ug_residual_stats_fini(&stats);
    free(counted);
    return status;
}

static ug_status solve(ug_take *take, ug_take *subject, ug_stage_context *context, ug_error *err)
{
    ug_ik_take_result result = { 0 };
    const ug_ik_take_options options = solve_options(context);
    ug_status status = ug_ik_take_solve(&result, &context->warnings, take->markers,
                                        subject->skeleton, &subject->attachments, &options, err);
    if (status == UG_OK && result.outcome_count[UG_IK_UNSOLVED] == result.frame_count) {
        status = ug_fail(err, UG_E_NOT_ENOUGH,
                         "no frame can be solved: the markers are too few, or not this subject's");
    }
    if (status == UG_OK) {
        ug_stage_say(context, "solved %zu frames of %zu degrees of freedom", result.frame_count,
                     result.dof_count);
        status = judge(take, subject, &result, context, err);
    }
    if (status == UG_OK) {
        status = leave_out(context, take, subject, err);
    }
    if (status == UG_OK) {
        ug_stage_say(context, "counted residuals, solved without hidden samples");
        // the subject's body and the solved motion replace what the take had
        ug_clip_destroy(take->clip);
        take->clip = result.clip;
        result.clip = NULL;
        ug_skeleton_destroy(take->skeleton);
        take->skeleton = subject->skeleton;
        subject->skeleton = NULL;
        ug_attachments_fini(&take->attachments);
        take->attachments = subject->attachments;
        subject->attachments = (ug_attachments){ 0 };
        ug_contacts_fini(&take->contacts);
        ug_metrics_add_clip(&context->metrics, take->clip);
    }
    ug_ik_take_result_fini(&result);
    return status;
}

static ug_status read_subject(ug_take *subject, ug_stage_context *context, ug_error *err)
{
    const char *path = ug_option_text(context->options, "subject");
    if (!path) {
        return ug_fail(err, UG_E_USAGE,
                       "say who it is with --subject FILE; `ugoki calibrate` makes one");
    }
    const ug_status status =
        ug_stage_read_path(subject, context, path, UG_PART_SKELETON | UG_PART_ATTACHMENTS, err);
    if (status == UG_OK && (!subject->skeleton || subject->attachments.count == 0)) {
        ug_error_where(err, "%s", path);
        return ug_fail(err, UG_E_NOT_ENOUGH,
                       "has no skeleton with markers on it; `ugoki calibrate` makes one");
    }
    return status;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    ug_take take, subject;
    ug_take_init(&take);
    ug_take_init(&subject);
    ug_status status = ug_stage_may_write_store(context, context->output, err);
    if (status == UG_OK) {
        status = read_subject(&subject, context, err);
    }
    if (status == UG_OK) {
        status = ug_stage_read(&take, context, 0, UG_PART_ALL, err);
    }
    if (status == UG_OK && !take.markers) {
        status = ug_fail(err, UG_E_NOT_ENOUGH, "has no markers to solve");
    }
    if (status == UG_OK) {
        status = ug_provenance_merge(&take.provenance, &subject.provenance, err);
    }
    if (status == UG_OK) {
        status = solve(&take, &subject, context, err);
    }
    if (status == UG_OK) {
        status = ug_stage_write_over(self, context, &take,
                                     UG_PART_SKELETON | UG_PART_ATTACHMENTS | UG_PART_MOTION |
                                         UG_PART_CONTACTS | UG_PART_QUALITY,
                                     err);
    }
    ug_take_fini(&subject);
    ug_take_fini(&take);
    return status;
}

const ug_stage ug_stage_solve = {
    .name = "solve",
    .summary = "joint rotations from markers, by damped least squares over the whole body",
    .usage = "clean.h5 --subject subject.h5 -o motion.h5",
    .examples = "  ugoki solve clean.h5 --subject subject.h5 -o motion.h5\n"
                "  ugoki solve clean.h5 --subject subject.h5 -o motion.h5 --leave-out-pct 10 "
                "--json\n",
    .reads = "markers, subject",
    .writes = "skeleton, attachments, motion, quality",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .run = run,
};
