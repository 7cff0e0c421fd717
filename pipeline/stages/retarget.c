// SPDX-License-Identifier: MIT
// retarget: a motion + a character -> the motion on that body, with planted feet.
#include "pipeline/stages/library.h"
#include "pipeline/stages/stages.h"
#include "pipeline/stages/take_metrics.h"
#include "solvers/retarget_motion.h"
#include "solvers/roles_find.h"

#include <string.h>

static const ug_option OPTIONS[] = {
    { .name = "to",
      .type = UG_OPTION_LIST,
      .is_path = true,
      .names = 1 + UG_CATALOG_CHARACTER,
      .help = "characters: troll, human, long_legs, or a YAML, BVH, VSK or store" },
    { .name = "to_unit",
      .type = UG_OPTION_TEXT,
      .help = "unit of a character's BVH (mm, cm, m, in), where its size does not show it" },
    { .name = "to_up",
      .type = UG_OPTION_TEXT,
      .help = "vertical axis of a character's BVH or VSK (+Y, +Z, …)" },
    { .name = "feet",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "plant the feet where the source's rest" },
    { .name = "level",
      .type = UG_OPTION_FLAG,
      .initial = "true",
      .help = "turn and move the clip so that its floor lies flat at height 0" },
    { .name = "scale_ratio",
      .type = UG_OPTION_REAL,
      .initial = "0",
      .low = 0,
      .high = 100,
      .help = "path scale; 0: ratio of the leg lengths" },
};

static void add_feet(ug_metrics *m, const char *family, const ug_foot_metrics *feet)
{
    ug_metrics_set_of(m, feet->foot_slide_mm, "%s/foot_slide_mm", family);
    ug_metrics_set_of(m, feet->penetration_mm, "%s/penetration_mm", family);
    ug_metrics_set_of(m, feet->float_mm, "%s/float_mm", family);
}

static void add_metrics(ug_metrics *m, const ug_retarget_motion_report *r,
                        const ug_skeleton *target)
{
    ug_metrics_set(m, "scale_ratio", r->transfer.ratio);
    ug_metrics_set(m, "contact_count", (double)r->plant.accepted_count);
    ug_metrics_set(m, "contacts_refused", (double)r->plant.refused_count);
    ug_metrics_set(m, "foot_slide_mm", r->after.foot_slide_mm);
    ug_metrics_set(m, "foot_slide_pinned_mm", r->after.foot_slide_pinned_mm);
    ug_metrics_set(m, "penetration_mm", r->after.penetration_mm);
    ug_metrics_set(m, "float_mm", r->after.float_mm);
    ug_metrics_set(m, "knee_accel_ratio", r->knee_accel_ratio);
    ug_metrics_set(m, "knee_position_accel_ratio", r->knee_position_accel_ratio);
    ug_metrics_set(m, "pose_change_mm", r->pose_change_mm);
    ug_metrics_set(m, "pelvis_drop_mm", 1000.0 * r->plant.drop_max_m);
    ug_metrics_set(m, "contact_share", r->contact_share);
    ug_metrics_set(m, "floor_height_m", r->floor.height_m);
    ug_metrics_set(m, "floor_tilt_deg", r->floor.tilt_deg);
    add_feet(m, "source", &r->source_feet);
    add_feet(m, "before", &r->before);
    for (size_t j = 0; j < r->transfer.joint_count; j++) {
        if (r->transfer.joints[j].how == UG_RETARGET_MAPPED) {
            ug_metrics_set_of(m, r->transfer.joints[j].correction_deg, "rest_correction_deg/%s",
                              target->joints[j].name);
        }
    }
}

static ug_status give_roles(ug_skeleton *skeleton, const ug_clip *clip,
                            const ug_role_dictionary *dictionary, const char *whose,
                            ug_warnings *warnings, ug_error *err)
{
    const ug_status status = ug_roles_find(skeleton, NULL, clip, dictionary, warnings, err);
    if (status != UG_OK) {
        ug_error_where(err, "%s", whose);
    }
    return status;
}

// Move `take`'s motion to `target`, whose ownership passes to the take on success.
static ug_status transfer(ug_take *take, ug_skeleton **target, const ug_clip *target_motion,
                          ug_stage_context *context, ug_error *err)
{
    const ug_option_values *o = context->options;
    const ug_retarget_motion_opts opts = {
        .keep_floor = !ug_option_flag(o, "level"),
        .keep_feet = !ug_option_flag(o, "feet"),
        .contacts = take->contacts.count > 0 ? &take->contacts : NULL,
        .progress = &context->work,
        .transfer = { .ratio = ug_option_real(o, "scale_ratio"), .target_motion = target_motion },
    };
    ug_clip *clip = NULL;
    ug_contacts contacts = { 0 };
    ug_retarget_motion_report report = { 0 };
    ug_status status = ug_retarget_motion(&clip, &contacts, &report, take->skeleton, take->clip,
                                          *target, &opts, &context->warnings, err);
    if (status == UG_OK) {
        ug_stage_say(context, "moved %zu frames from %zu joints to %zu", clip->frame_count,
                     take->skeleton->joint_count, (*target)->joint_count);
        status = ug_quality_set(&take->quality, "contact_slide_mm", "mm", contacts.count, 2,
                                report.contact_slide_mm, err);
    }
    if (status != UG_OK) {
        ug_clip_destroy(clip);
        ug_contacts_fini(&contacts);
    } else {
        add_metrics(&context->metrics, &report, *target);
        ug_clip_destroy(take->clip);
        ug_skeleton_destroy(take->skeleton);
        ug_contacts_fini(&take->contacts);
        ug_attachments_fini(&take->attachments); // they sat on the other body
        take->clip = clip;
        take->skeleton = *target;
        take->contacts = contacts;
        *target = NULL;
        ug_metrics_add_clip(&context->metrics, take->clip);
    }
    ug_retarget_motion_report_fini(&report);
    return status;
}

// A reader asks for --unit or --up; of the character they are called --to-unit and --to-up.
static void name_options(ug_error *err)
{
    char text[sizeof err->message];
    const char *from = err->message;
    size_t used = 0;
    while (*from && used + 4 < sizeof text) {
        if (strncmp(from, "--unit", 6) == 0 || strncmp(from, "--up", 4) == 0) {
            (void)memcpy(text + used, "--to", 4);
            used += 4;
            from++; // one dash is enough from here: "--to" "-unit"
        }
        text[used++] = *from++;
    }
    text[used] = '\0';
    (void)memcpy(err->message, text, used + 1);
}

static ug_status read_target(ug_skeleton **target, ug_clip **motion, const char *to,
                             ug_stage_context *context, ug_error *err)
{
    const ug_read_opts opts = { .unit = ug_option_text(context->options, "to_unit"),
                                .up = ug_option_text(context->options, "to_up") };
    const ug_status status = ug_library_skeleton(target, NULL, motion, to, UG_CATALOG_CHARACTER,
                                                 &opts, context->data_dir, &context->warnings, err);
    if (status == UG_E_AMBIGUOUS && err) {
        name_options(err);
    }
    return status;
}

static ug_status retarget_one(const ug_stage *self, ug_stage_context *context, const char *to,
                              const char *output, const ug_role_dictionary *dictionary,
                              ug_error *err)
{
    ug_take take;
    ug_skeleton *target = NULL;
    ug_clip *target_motion = NULL; // shows how its joints bend where its rest pose does not
    ug_take_init(&take);
    ug_status status = ug_stage_may_write_store(context, output, err);
    if (status == UG_OK) {
        status = read_target(&target, &target_motion, to, context, err);
    }
    if (status == UG_OK) {
        status = ug_stage_read(&take, context, 0, UG_PART_ALL, err);
    }
    if (status == UG_OK && (!take.clip || !take.skeleton)) {
        status =
            ug_fail(err, UG_E_NOT_ENOUGH, "has no motion to retarget; run `ugoki solve` first");
    }
    if (status == UG_OK) {
        status = give_roles(take.skeleton, take.clip, dictionary, context->inputs[0],
                            &context->warnings, err);
    }
    if (status == UG_OK) {
        status = give_roles(target, target_motion, dictionary, to, &context->warnings, err);
    }
    if (status == UG_OK) {
        status = transfer(&take, &target, target_motion, context, err);
    }
    if (status == UG_OK) {
        const bool is_store = ug_store_probe(context->inputs[0]) != UG_STORE_NONE;
        const unsigned parts = UG_PART_SKELETON | UG_PART_ATTACHMENTS | UG_PART_MOTION |
                               UG_PART_CONTACTS | UG_PART_QUALITY;
        status = ug_stage_write(self, context, output, &take, is_store ? parts : UG_PART_ALL,
                                is_store ? context->inputs[0] : NULL, err);
    }
    ug_clip_destroy(target_motion);
    ug_skeleton_destroy(target);
    ug_take_fini(&take);
    return status;
}

static ug_status run(const ug_stage *self, ug_stage_context *context, ug_error *err)
{
    size_t count = 0;
    char *const *to = ug_option_list(context->options, "to", &count);
    if (count == 0) {
        return ug_fail(err, UG_E_USAGE, "say which character with --to NAME|FILE");
    }
    if (count > 1) { // the command line and recipes call once for each
        return ug_fail(err, UG_E_USAGE, "several characters need a folder: -o DIR/");
    }
    ug_role_dictionary dictionary = { 0 };
    ug_status status = ug_library_roles(&dictionary, context->data_dir, err);
    if (status == UG_OK) {
        status = retarget_one(self, context, to[0], context->output, &dictionary, err);
    }
    ug_role_dictionary_fini(&dictionary);
    return status;
}

const ug_stage ug_stage_retarget = {
    .name = "retarget",
    .summary = "move a motion to another character, with feet that stay where they step",
    .usage = "motion.h5 --to CHARACTER [--to …] -o out.h5 (or DIR/)",
    .examples = "  ugoki retarget motion.h5 --to troll -o troll.h5\n"
                "  ugoki retarget walk.bvh --to hero.bvh -o hero.h5\n"
                "  ugoki retarget motion.h5 --to rig.bvh --to-unit m --to-up +Z -o rig.h5\n"
                "  ugoki retarget motion.h5 --to troll,human,long_legs -o characters/\n",
    .reads = "skeleton, motion",
    .writes = "skeleton, motion, contacts",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .inputs_min = 1,
    .inputs_max = 1,
    .fans_out = "to",
    .run = run,
};
