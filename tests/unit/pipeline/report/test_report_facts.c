// SPDX-License-Identifier: MIT
// Unit tests for pipeline/report/report_facts.c and its parts, on a take whose numbers are known.
#include "pipeline/report/report_facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/report_take.h"

typedef struct fixture {
    ug_take take;
    ug_report_facts facts;
} fixture;

static int setup(void **state)
{
    fixture *fx = calloc(1, sizeof *fx);
    report_take_init(&fx->take);
    memset(&fx->facts, 0xa5, sizeof fx->facts);
    assert_int_equal(ug_report_facts_compute(&fx->facts, &fx->take, "t.h5", NULL, NULL), UG_OK);
    *state = fx;
    return 0;
}

static int teardown(void **state)
{
    fixture *fx = *state;
    ug_report_facts_fini(&fx->facts);
    ug_take_fini(&fx->take);
    free(fx);
    return 0;
}

static double figure(const ug_report_facts *f, const char *name)
{
    const ug_report_figure *found = ug_report_figure_find(f, name);
    assert_non_null(found);
    return found->value;
}

static void test_markers(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_int_equal(f->marker_count, 4); // the angle is none
    const ug_report_marker *m = f->markers;
    assert_string_equal(m[0].label, "A");
    assert_int_equal(m[0].lanes[UG_LANE_MISSING], 10);
    assert_int_equal(m[0].lanes[UG_LANE_NONE], 230);
    assert_int_equal(m[0].gap_count, 1);
    assert_int_equal(m[0].longest_gap, 10);
    assert_int_equal(m[0].longest_gap_first, 20);
    assert_true(isnan(m[0].predicted_error_mm)); // nothing was filled: not known, not 0
    assert_int_equal(m[1].lanes[UG_LANE_FILLED], 10);
    assert_true(m[1].predicted_error_mm == 7.0);
    assert_int_equal(m[1].predicted_error_frame, 105);
    assert_int_equal(m[2].lanes[UG_LANE_MISSING], 240);
    assert_int_equal(m[2].gap_count, 0); // never seen is no gap
    assert_false(m[2].solved);
    assert_int_equal(m[3].lanes[UG_LANE_EDITED], 1);
    assert_int_equal(f->run_count, 4);
    assert_int_equal(f->runs[1].marker, 1);
    assert_int_equal(f->runs[1].first, 100);
    assert_int_equal(f->runs[1].end, 110);
    assert_int_equal(f->runs[1].lane, UG_LANE_FILLED);
}

static void test_spikes_and_swaps(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_true(f->spikes_known);
    assert_int_equal(f->spike_count, 2); // rows that name no marker or frame are dropped
    assert_int_equal(f->spikes[1].marker, 3);
    assert_int_equal(f->spikes[1].frame, 70);
    assert_true(f->spikes[1].mm == 12.0);
    assert_int_equal(f->markers[0].spike_count, 1);
    assert_int_equal(f->swap_count, 2);
    assert_int_equal(f->swaps[0].first, 150);
    assert_int_equal(f->swaps[0].end, 160);
    assert_int_equal(f->swaps[1].first, 180);
    assert_int_equal(f->swaps[1].end, 0);
}

static void test_residuals(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_true(f->has_residuals);
    assert_int_equal(f->markers[0].residual_count, 230);
    assert_true(f->markers[0].rms_mm == 2.0);
    assert_int_equal(f->markers[1].residual_count, 230); // filled ones do not count
    assert_int_equal(f->markers[3].outlier_count, 40);
    assert_true(f->markers[3].rms_mm == 4.0 && f->markers[3].max_mm == 100.0);
    assert_int_equal(f->markers[3].max_frame, 200);
    assert_int_equal(f->stray_count, 1); // B was 75 mm off where it was filled: no finding
    assert_int_equal(f->strays[0].marker, 3);
    assert_int_equal(f->strays[0].first, 200);
    assert_int_equal(f->strays[0].end, 240);
    // 78 is beside 77 and tells the same story
    assert_int_equal(f->worst[0].frame, 77);
    assert_true(f->worst[0].rms_mm == 9.0 && f->worst[0].marker_mm == 4.0);
    assert_int_equal(f->worst[0].marker, 3);
    assert_int_equal(f->worst[1].frame, 190);
    assert_int_equal(f->outcome[5], 0);
}

// A fill that is off says nothing of the capture: B is 75 mm off at 105, where it was filled.
static void test_worst_marker_is_a_measured_one(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    report_take_init(&take);
    ug_quality_find(&take.quality, "frame_rms_mm")->values[105] = 20.0f;
    assert_int_equal(ug_report_facts_compute(&f, &take, "t.h5", NULL, NULL), UG_OK);
    assert_int_equal(f.worst[0].frame, 105);
    assert_int_equal(f.worst[0].marker, 3);
    assert_true(f.worst[0].marker_mm == 4.0);
    assert_true(f.residual_mm[105 * f.marker_count + 1] == 75.0f);
    assert_int_equal(f.residual_counted[105 * f.marker_count + 1], 0);
    assert_int_equal(f.residual_counted[99 * f.marker_count + 1], 1);
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

static void test_limits_are_named_by_the_solve(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_true(f->hits_known);
    assert_int_equal(f->joint_count, 2);
    assert_string_equal(f->joints[0].name, "l_knee");
    assert_int_equal(f->joints[0].frames, 6);
    assert_true(f->joints[0].worst_deg == 5.0);
    assert_int_equal(f->joints[0].worst_frame, 40);
    assert_string_equal(f->joints[1].name, "r_knee");
    assert_int_equal(f->hit_count, 3);
    assert_int_equal(f->hits[0].first, 30);
    assert_int_equal(f->hits[0].end, 35);
    assert_int_equal(f->hits[0].worst, 31);
    assert_int_equal(f->hits[1].end, 41);
}

static void test_contacts(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_true(f->slides_known);
    assert_int_equal(f->contact_count, 2);
    assert_true(f->contacts[0].slide_before_mm == 12.5 && f->contacts[0].slide_after_mm == 0.25);
    assert_true(isnan(f->contacts[1].slide_after_mm));
    assert_string_equal(f->contacts[1].reason, "asks for 90 mm, limit 60 mm");
}

// Found for the report: not the file's, no slide before, and nobody has refused to plant them.
static void test_contacts_that_were_found(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    report_take_init(&take);
    take.contacts.found = true;
    const float slides[] = { NAN, 0.25f, NAN, NAN };
    assert_int_equal(ug_quality_set(&take.quality, "contact_slide_mm", "mm", 2, 2, slides, NULL),
                     0);
    assert_int_equal(ug_report_facts_compute(&f, &take, "t.h5", NULL, NULL), UG_OK);
    assert_true(f.contacts_found && !f.has_contacts);
    assert_true(f.slides_known && !f.slides_before_known);
    for (size_t i = 0; i < f.finding_count; i++) {
        assert_string_not_equal(f.findings[i].code, "contact_refused");
    }
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

static const ug_report_change *change(const ug_report_stage *s, const char *name)
{
    for (size_t i = 0; i < s->change_count; i++) {
        if (strcmp(s->changes[i].metric.name, name) == 0) {
            return &s->changes[i];
        }
    }
    fail_msg("no figure %s", name);
    return NULL;
}

static void test_history(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_int_equal(f->stage_count, 6);
    const ug_report_stage *clean = &f->stages[1];
    assert_string_equal(f->source_name, "a.c3d");
    assert_int_equal(f->stages[0].option_count, 0); // not set, and at its default
    assert_int_equal(clean->option_count, 2);
    assert_string_equal(clean->options[0], "max_gap_s: 0.25");
    assert_string_equal(clean->options[1], "edits: edits.yaml"); // no folder of this machine
    assert_string_equal(clean->inputs, "a.h5");
    assert_string_equal(change(clean, "gap_count")->since, "import");
    assert_true(change(clean, "gap_count")->before == 9.0);
    assert_string_equal(change(clean, "missing_pct")->since, "input");
    assert_true(isnan(change(clean, "predicted_error_worst_mm")->metric.value));
    assert_false(clean->of_subject);
    assert_int_equal(clean->warnings->count, 1);
    // the subject's take is another: compared with nothing, and not spoken for
    assert_true(f->stages[2].of_subject && f->stages[3].of_subject);
    assert_null(change(&f->stages[2], "gap_count")->since);
    const ug_report_stage *solve = &f->stages[4];
    assert_false(solve->of_subject);
    assert_string_equal(change(solve, "marker_rms_mm")->since, "calibrate");
    assert_false(solve->warnings_known);
    assert_true(change(&f->stages[5], "foot_slide_mm")->before == 30.0);
    assert_string_equal(change(&f->stages[5], "foot_slide_mm")->since, "transfer");
    assert_int_equal(f->stages[5].option_count, 1);
    assert_string_equal(f->stages[5].options[0], "to: troll");
}

static void test_figures_and_gates(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    assert_true(figure(f, "gap_count") == 1.0); // of the file as it is
    assert_true(figure(f, "never_seen_count") == 1.0);
    assert_true(figure(f, "marker_rms_mm") == 3.125); // the last who says so
    assert_true(figure(f, "exchanged_labels") == 2.0);
    assert_null(ug_report_figure_find(f, "event_count")); // of the subject's take
    bool seen = false;
    for (size_t i = 0; i < f->gate_count; i++) {
        const ug_report_gate *g = &f->gates[i];
        assert_false(g->required);
        seen = seen || strcmp(g->gate.name, "missing_pct") == 0;
        if (strcmp(g->gate.name, "never_seen_count") == 0) {
            assert_int_equal(g->state, UG_GATE_FAILED);
        } else if (strcmp(g->gate.name, "marker_rms_mm") == 0) {
            assert_int_equal(g->state, UG_GATE_MET);
        } else if (strcmp(g->gate.name, "predicted_error_worst_mm") == 0) {
            assert_int_equal(g->state, UG_GATE_UNKNOWN);
        } else if (strcmp(g->gate.name, "penetration_mm") == 0) {
            assert_int_equal(g->state, UG_GATE_ABSENT);
        }
    }
    assert_true(seen);
    ug_report_facts own;
    ug_error err = { 0 };
    ug_take *take = &((fixture *)*state)->take;
    assert_int_equal(ug_report_facts_compute(&own, take, "t", "marker_rms_mm<3", NULL), UG_OK);
    assert_int_equal(own.gate_count, 1);
    assert_true(own.gates[0].required);
    assert_int_equal(own.gates[0].state, UG_GATE_FAILED);
    ug_report_facts_fini(&own);
    assert_int_equal(ug_report_facts_compute(&own, take, "t", "marker_rms_mm", &err), UG_E_USAGE);
    ug_report_facts_fini(&own);
}

static void test_findings_are_in_order(void **state)
{
    const ug_report_facts *f = &((fixture *)*state)->facts;
    size_t seen = 0;
    ug_severity last = UG_SEVERITY_BAD;
    for (size_t i = 0; i < f->finding_count; i++) {
        const ug_report_finding *n = &f->findings[i];
        assert_true(n->severity >= last);
        last = n->severity;
        seen += strcmp(n->text, "C is never seen in the whole take") == 0;
        seen +=
            strcmp(n->text, "D is 60 mm or more off its segment in frames 200 to 239 (0.33 s), 100 "
                            "mm at worst") == 0;
        seen += strcmp(n->text, "A and B carry each other's label in frames 150 to 159") == 0;
        seen += strcmp(n->text, "calibrate: labels 'X' and 'Y'") == 0;
        seen += strcmp(n->text,
                       "l_knee wanted to pass its limits in 6 frames, by 5.0° at frame 40") == 0;
        seen += strcmp(n->text,
                       "right_hand from 0.50 s to 1.00 s is not planted: asks for 90 mm, limit "
                       "60 mm") == 0;
        seen += strcmp(n->text, "1 frame could not be solved, the first is 5") == 0;
    }
    assert_int_equal(seen, 7);
    assert_string_equal(f->findings[0].code, "never_seen");
}

// Nothing there, or nothing that fits: nothing is known, and nothing breaks.
static void test_takes_without_parts(void **state)
{
    (void)state;
    ug_take take;
    ug_report_facts f;
    ug_take_init(&take);
    assert_int_equal(ug_report_facts_compute(&f, &take, "e.bvh", NULL, NULL), UG_OK);
    assert_false(f.spikes_known || f.swaps_known || f.hits_known || f.slides_known);
    assert_false(f.has_markers || f.has_residuals || f.has_motion);
    assert_int_equal(f.finding_count, 0);
    assert_null(f.frame_rms_mm);
    ug_report_facts_fini(&f);
    report_markers(&take);
    const float three[3] = { 1, 2, 3 };
    assert_int_equal(ug_quality_set(&take.quality, "marker_residual_mm", "mm", 3, 1, three, NULL),
                     0);
    assert_int_equal(ug_quality_set(&take.quality, "spikes", "", 0, 3, three, NULL), 0);
    assert_int_equal(ug_report_facts_compute(&f, &take, "e.h5", NULL, NULL), UG_OK);
    assert_false(f.has_residuals); // rows are not frames
    assert_true(f.spikes_known);   // looked for, none found
    assert_int_equal(f.spike_count, 0);
    ug_report_facts_fini(&f);
    ug_take_fini(&take);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_markers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_spikes_and_swaps, setup, teardown),
        cmocka_unit_test_setup_teardown(test_residuals, setup, teardown),
        cmocka_unit_test(test_worst_marker_is_a_measured_one),
        cmocka_unit_test_setup_teardown(test_limits_are_named_by_the_solve, setup, teardown),
        cmocka_unit_test_setup_teardown(test_contacts, setup, teardown),
        cmocka_unit_test(test_contacts_that_were_found),
        cmocka_unit_test_setup_teardown(test_history, setup, teardown),
        cmocka_unit_test_setup_teardown(test_figures_and_gates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_findings_are_in_order, setup, teardown),
        cmocka_unit_test(test_takes_without_parts),
    };
    return cmocka_run_group_tests_name("pipeline/report/report_facts", tests, NULL, NULL);
}
