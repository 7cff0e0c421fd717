// SPDX-License-Identifier: MIT
// VSK: formats/vsk_read.c, vsk_xml.c, vsk_joints.c and vsk_markers.c.
#include "formats/vsk.h"
#include "motion/kinematics.h"

#include "tests/support/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct read_result {
    ug_take take;
    ug_warnings warnings;
    ug_error err;
    ug_status status;
} read_result;

static read_result parse_up(const char *text, const char *up)
{
    read_result r = { .status = UG_OK };
    const ug_read_opts opts = { .up = up };
    ug_take_init(&r.take);
    ug_bytes bytes = { .data = calloc(1, strlen(text) + 64), .size = strlen(text) };
    memcpy(bytes.data, text, bytes.size);
    r.status = ug_vsk_parse(&r.take, &bytes, "x.vsk", &opts, &r.warnings, &r.err);
    ug_bytes_fini(&bytes);
    return r;
}

static read_result parse(const char *text)
{
    read_result r = parse_up(text, "+Y");
    if (r.status != UG_OK) {
        print_error("%s: %s\n", r.err.where, r.err.message);
    }
    assert_int_equal(r.status, UG_OK);
    return r;
}

static void assert_near(ug_vec3 a, double x, double y, double z)
{
    assert_true(ug_vec3_distance(a, (ug_vec3){ x, y, z }) < 1e-6);
}

#define OPEN                                                                                       \
    "<?xml version=\"1.0\"?>\n<KinematicModel>\n<Parameters>\n"                                    \
    "<Parameter NAME=\"Leg\" VALUE=\"400\"/><Parameter NAME=\"Half\" VALUE=\"Leg/2\"/>\n"          \
    "</Parameters>\n<Skeleton>\n"
#define CLOSE "</Skeleton>\n</KinematicModel>\n"

static void test_tree_of_joints(void **state)
{
    (void)state;
    read_result r = parse(
        OPEN
        "<Segment NAME=\"Hips\" POSITION=\"0 0 0\" ORIENTATION=\"-0 -0 -0\">"
        "<JointFree MEAN=\"0 0 0 0 0 0\"/>"
        "<Segment NAME=\"Thigh\" POSITION=\"100 0 0\"><JointBall COVARIANCE=\"0.25 0 0 0 1 0 0 0 "
        "4\"/>"
        "<Segment NAME=\"Shin\" POSITION=\"0 -Leg 0\"><JointHinge AXIS=\"2 0 0\"/>"
        "<Segment NAME=\"Tip\" POSITION=\"0 -Half 0\"><JointDummy/></Segment></Segment></Segment>"
        "<Segment NAME=\"Hand\" POSITION=\"0 Leg 0\" ORIENTATION=\"0 0 -1.5707963267948966\">"
        "<JointHardySpicer AXIS-PAIR=\"0 0 1 0 1 0\"/></Segment></Segment>" CLOSE);
    const ug_skeleton *s = r.take.skeleton;
    assert_int_equal(s->joint_count, 5);
    static const int PARENTS[] = { -1, 0, 1, 2, 0 };
    static const ug_joint_type TYPES[] = { UG_JOINT_FREE, UG_JOINT_BALL, UG_JOINT_HINGE,
                                           UG_JOINT_FIXED, UG_JOINT_UNIVERSAL };
    for (int j = 0; j < 5; j++) {
        assert_int_equal(s->joints[j].parent, PARENTS[j]);
        assert_int_equal(s->joints[j].type, TYPES[j]);
        assert_int_equal((s->joints[j].flags & UG_JOINT_END_SITE) != 0, j == 3);
        assert_int_equal((s->joints[j].flags & UG_JOINT_HAS_PRIOR) != 0, j != 0);
    }
    assert_near(s->joints[2].offset_m, 0, -0.4, 0);
    assert_near(s->joints[3].offset_m, 0, -0.2, 0);
    assert_near(s->joints[2].axes[0], 1, 0, 0);
    assert_near(s->joints[4].axes[1], 0, 1, 0);
    assert_true(s->joints[1].pose_sigma_rad[0] == 0.5 && s->joints[1].pose_sigma_rad[2] == 2.0);
    assert_true(s->joints[2].pose_sigma_rad[0] == 1.0);
    // a quarter turn the left way about z takes the hand's y to the parent's x
    assert_near(ug_quat_rotate(s->joints[4].rest, (ug_vec3){ 0, 1, 0 }), 1, 0, 0);
    assert_string_equal(r.take.source.format, "vsk");
    assert_string_equal(r.take.source.unit, "mm");
    assert_int_equal(r.warnings.count, 0);
    ug_take_fini(&r.take);
}

static void test_markers(void **state)
{
    (void)state;
    read_result r = parse(
        "<KinematicModel><Parameters><Parameter NAME=\"A_X\" VALUE=\"10\"/></Parameters><Skeleton>"
        "<Segment NAME=\"Hips\"><JointFree/><Segment NAME=\"Foot\" POSITION=\"0 -900 "
        "0\"><JointDummy/>"
        "</Segment></Segment></Skeleton>\n<MarkerSet><Markers>"
        "<Marker NAME=\"A\" SEGMENT=\"Hips\" POSITION=\"A_X 20 30\" COVARIANCE=\"1 0 0 0 1 0 0 0 "
        "1\"/>"
        "<Marker NAME=\"B\" SEGMENT=\"Foot\" POSITION=\"-A_X 0 0\" COVARIANCE=\"4 0 0 0 9 0 0 0 "
        "25\"/>"
        "<Marker NAME=\"A\" SEGMENT=\"Foot\" POSITION=\"0 0 0\"/>"
        "<Marker NAME=\"C\"/><Marker NAME=\"D\"/></Markers>"
        "<Sticks><Stick MARKER1=\"A\" MARKER2=\"B\"/></Sticks></MarkerSet>"
        "<Targets><TargetLocalPointToWorldPoint MARKER=\"C\" SEGMENT=\"Hips\" POSITION=\"1 2 3\"/>"
        "</Targets></KinematicModel>");
    const ug_attachments *a = &r.take.attachments;
    assert_int_equal(a->count, 3);
    assert_string_equal(a->items[0].label, "A");
    assert_string_equal(a->items[0].segment, "Hips");
    assert_int_equal(a->items[0].joint, 0);
    assert_near(a->items[0].local_m, 0.01, 0.02, 0.03);
    assert_near(a->items[0].sigma_m, 0.02, 0.02, 0.02);
    assert_true(a->items[0].calibrated && a->items[0].weight == 1.0);
    assert_int_equal(a->items[1].joint, 1);
    assert_near(a->items[1].local_m, -0.01, 0, 0);
    assert_near(a->items[1].sigma_m, 0.002, 0.003, 0.005);
    assert_near(a->items[2].local_m, 0.001, 0.002, 0.003);
    assert_int_equal(ug_warnings_count(&r.warnings, "vsk_marker_doubled"), 1);
    assert_int_equal(ug_warnings_count(&r.warnings, "vsk_marker_unattached"), 1);
    // a dummy that carries a marker is no End Site
    assert_int_equal(r.take.skeleton->joints[1].flags & UG_JOINT_END_SITE, 0);
    ug_take_fini(&r.take);
}

// x_parent = pre_p + pre_R Q (post_p + post_R x), computed here step by step
static void test_frames_before_and_behind_the_joint(void **state)
{
    (void)state;
    read_result r = parse(
        "<KinematicModel><Skeleton><Segment NAME=\"R\"><JointFree/>"
        "<Segment NAME=\"S\"><JointHinge AXIS=\"0 0.6 0.8\" PRE-POSITION=\"10 20 30\" "
        "PRE-ORIENTATION=\"0.3 -0.2 0.5\" POST-POSITION=\"7 -5 3\" POST-ORIENTATION=\"-0.4 0.1 "
        "0.9\"/>"
        "<Segment NAME=\"T\" POSITION=\"100 0 0\"><JointDummy/></Segment>"
        "</Segment></Segment></Skeleton><Marker NAME=\"M\" SEGMENT=\"S\" POSITION=\"11 12 13\"/>"
        "</KinematicModel>");
    const ug_joint *s = &r.take.skeleton->joints[1];
    const double angle = 0.77;
    const ug_quat pre = ug_quat_exp((ug_vec3){ 0.3, -0.2, 0.5 });
    const ug_quat post = ug_quat_exp((ug_vec3){ -0.4, 0.1, 0.9 });
    const ug_quat q = ug_quat_from_axis_angle((ug_vec3){ 0, 0.6, 0.8 }, angle);
    const ug_vec3 x[2] = { { 0.011, 0.012, 0.013 }, { 0.1, 0, 0 } };
    const ug_vec3 ours[2] = { r.take.attachments.items[0].local_m,
                              r.take.skeleton->joints[2].offset_m };
    const ug_quat local = ug_quat_mul(s->rest, ug_quat_from_axis_angle(s->axes[0], angle));
    for (int i = 0; i < 2; i++) {
        ug_vec3 want = ug_vec3_add((ug_vec3){ 0.007, -0.005, 0.003 }, ug_quat_rotate(post, x[i]));
        want = ug_quat_rotate(pre, ug_quat_rotate(q, want));
        want = ug_vec3_add((ug_vec3){ 0.010, 0.020, 0.030 }, want);
        const ug_vec3 got = ug_vec3_add(s->offset_m, ug_quat_rotate(local, ours[i]));
        assert_true(ug_vec3_distance(got, want) < 1e-12);
    }
    ug_take_fini(&r.take);
}

static void test_rest_pose_turns(void **state)
{
    (void)state;
    read_result r =
        parse("<KinematicModel><Skeleton><Segment NAME=\"R\"><JointFree/>"
              "<Segment NAME=\"B\" ORIENTATION=\"0 0 1\"><JointBall T-POSE=\"0.5 0 0\"/></Segment>"
              "<Segment NAME=\"H\"><JointHinge AXIS=\"0 1 0\" EDIT_POSE_MEAN=\"-0.4\"/></Segment>"
              "<Segment NAME=\"U\"><JointHardySpicer AXIS-PAIR=\"1 0 0 0 1 0\" T-POSE=\"0.1 "
              "0\"/></Segment>"
              "</Segment></Skeleton></KinematicModel>");
    const ug_joint *j = r.take.skeleton->joints;
    const ug_quat ball =
        ug_quat_mul(ug_quat_exp((ug_vec3){ 0, 0, 1 }), ug_quat_exp((ug_vec3){ 0.5, 0, 0 }));
    assert_true(ug_quat_angle(j[1].rest, ball) < 1e-7);
    assert_true(ug_quat_angle(j[2].rest, ug_quat_exp((ug_vec3){ 0, -0.4, 0 })) < 1e-7);
    assert_true(ug_quat_angle(j[3].rest, UG_QUAT_IDENTITY) < 1e-7);
    assert_int_equal(ug_warnings_count(&r.warnings, "vsk_rest_ignored"), 1);
    ug_take_fini(&r.take);
}

#define BODY                                                                                       \
    "<Segment NAME=\"Hips\"><JointFree/>"                                                          \
    "<Segment NAME=\"LeftUpLeg\" POSITION=\"100 0 0\"><JointBall/>"                                \
    "<Segment NAME=\"LeftLeg\" POSITION=\"0 0 -430\"><JointBall/>"                                 \
    "<Segment NAME=\"LeftFoot\" POSITION=\"0 0 -430\"><JointBall/></Segment></Segment></Segment>"  \
    "<Segment NAME=\"RightUpLeg\" POSITION=\"-100 0 0\"><JointBall/>"                              \
    "<Segment NAME=\"RightLeg\" POSITION=\"0 0 -430\"><JointBall/>"                                \
    "<Segment NAME=\"RightFoot\" POSITION=\"0 0 -430\"><JointBall/></Segment></Segment></Segment>" \
    "<Segment NAME=\"Spine\" POSITION=\"0 0 200\"><JointBall/>"                                    \
    "<Segment NAME=\"Head\" POSITION=\"0 0 400\"><JointBall/></Segment></Segment></Segment>"

static void test_up_is_inferred_from_the_rest_pose(void **state)
{
    (void)state;
    read_result r =
        parse_up("<KinematicModel><Skeleton>" BODY "</Skeleton></KinematicModel>", NULL);
    assert_int_equal(r.status, UG_OK);
    assert_int_equal(ug_warnings_count(&r.warnings, "up_inferred"), 1);
    assert_true(r.take.source.axes_inferred && !r.take.source.axes_stated);
    ug_quat q[16];
    ug_vec3 at[16];
    ug_rest_forward(q, at, r.take.skeleton);
    const int head = ug_skeleton_find(r.take.skeleton, "Head");
    const int foot = ug_skeleton_find(r.take.skeleton, "LeftFoot");
    assert_near(ug_vec3_sub(at[head], at[foot]), -0.1, 1.46, 0);
    ug_take_fini(&r.take);

    r = parse_up(OPEN "<Segment NAME=\"Box\"><JointFree/></Segment>" CLOSE, NULL);
    assert_int_equal(r.status, UG_E_AMBIGUOUS);
    assert_string_equal(r.err.where, "x.vsk");
    assert_null(r.take.skeleton);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *message;
    } CASES[] = {
        { "<Model/>", "x.vsk", "the root element is not KinematicModel: not a VSK" },
        { "<KinematicModel/>", "x.vsk", "a VSK has 1 to 4096 segments in <Skeleton>, here are 0" },
        { "<KinematicModel><Parameters>\n<Parameter NAME=\"a\"/></Parameters></KinematicModel>",
          "x.vsk:2", "parameter 'a' needs a NAME and a VALUE of one number" },
        { OPEN "<Segment NAME=\"a\"/>" CLOSE, "x.vsk:7",
          "segment 'a' has no joint (JointFree, JointBall, JointHinge, JointHardySpicer or "
          "JointDummy)" },
        { OPEN "<Segment><JointFree/></Segment>" CLOSE, "x.vsk:7", "segment '' has no NAME" },
        { OPEN "<Segment NAME=\"a\"><JointFree/>\n<Segment "
               "NAME=\"a\"><JointFree/></Segment></Segment>" CLOSE,
          "x.vsk:8", "segment 'a' stands twice" },
        { OPEN "<Segment NAME=\"a\" POSITION=\"0 Lag 0\"><JointFree/></Segment>" CLOSE, "x.vsk:7",
          "segment 'a': POSITION: parameter 'Lag' is not defined; did you mean 'Leg'?" },
        { OPEN "<Segment NAME=\"a\" POSITION=\"0 0\"><JointFree/></Segment>" CLOSE, "x.vsk:7",
          "segment 'a': POSITION must be 3 numbers, here are 2" },
        { OPEN "<Segment NAME=\"a\" POSITION=\"0 0 1e300\"><JointFree/></Segment>" CLOSE, "x.vsk:7",
          "segment 'a': POSITION is too large" },
        { OPEN "<Segment NAME=\"a\"><JointHinge/></Segment>" CLOSE, "x.vsk:7",
          "segment 'a': AXIS must be 3 numbers, here are 0" },
        { OPEN "<Segment NAME=\"a\"><JointHinge AXIS=\"0 0 0\"/></Segment>" CLOSE, "x.vsk:7",
          "segment 'a': AXIS 1 has no direction" },
        { OPEN "<Segment NAME=\"a\"><JointBall T-POSE=\"1\"/></Segment>" CLOSE, "x.vsk:7",
          "segment 'a': a T-pose of 1 angles for a joint of 3" },
        { OPEN "<Segment NAME=\"a\"><JointFree/></Segment></Skeleton>\n"
               "<Marker NAME=\"m\" SEGMENT=\"b\" POSITION=\"0 0 0\"/></KinematicModel>",
          "x.vsk:8", "marker 'm' sits on segment 'b', which is not there" },
        { OPEN "<Segment NAME=\"a\"><JointFree/></Segment></Skeleton>\n<Marker/></KinematicModel>",
          "x.vsk:8", "a marker without a name" },
        { "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"c\">]>\n<KinematicModel/>", NULL,
          "not readable as XML: a DTD stands in it; a VSK has none" },
        { "<KinematicModel>\n<Skeleton>", "x.vsk:2", NULL },
        { "", NULL, NULL },
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        read_result r = parse_up(CASES[i].text, "+Y");
        assert_int_equal(r.status, UG_E_FORMAT);
        if (CASES[i].message) {
            assert_string_equal(r.err.message, CASES[i].message);
        } else {
            assert_non_null(strstr(r.err.message, "not readable as XML: "));
        }
        if (CASES[i].where) {
            assert_string_equal(r.err.where, CASES[i].where);
        }
        assert_null(r.take.skeleton);
        assert_int_equal(r.take.attachments.count, 0);
    }
}

static void test_encoding_and_file(void **state)
{
    (void)state;
    static const char TEXT[] = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n<KinematicModel>"
                               "<Skeleton><Segment NAME=\"H\xFC"
                               "fte\"><JointFree/></Segment>"
                               "</Skeleton></KinematicModel>";
    const ug_read_opts opts = { .up = "Y" };
    ug_take take;
    ug_take_init(&take);
    assert_true(test_write_text("test_vsk.vsk", TEXT));
    assert_int_equal(ug_vsk_read(&take, "test_vsk.vsk", &opts, NULL, NULL), UG_OK);
    assert_string_equal(take.skeleton->joints[0].name, "H\xC3\xBC"
                                                       "fte");
    ug_take_fini(&take);
    remove("test_vsk.vsk");
    ug_error err = { 0 };
    assert_int_equal(ug_vsk_read(&take, "no_such.vsk", &opts, NULL, &err), UG_E_IO);
    assert_string_equal(err.where, "no_such.vsk");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_of_joints),
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_frames_before_and_behind_the_joint),
        cmocka_unit_test(test_rest_pose_turns),
        cmocka_unit_test(test_up_is_inferred_from_the_rest_pose),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_encoding_and_file),
    };
    return cmocka_run_group_tests_name("formats/vsk", tests, NULL, NULL);
}
