// SPDX-License-Identifier: MIT
#include "motion/conventions.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

// "+Y", "Y", "-z" -> axis and sign; false when it is no axis name
static bool parse_axis(const char *name, int *axis, int *sign)
{
    *sign = 1;
    if (*name == '+' || *name == '-') {
        *sign = *name == '-' ? -1 : 1;
        name++;
    }
    const int c = toupper((unsigned char)*name);
    if (c < 'X' || c > 'Z' || name[1] != '\0') {
        return false;
    }
    *axis = c - 'X';
    return true;
}

static int permutation_sign(const int p[3])
{
    return p[1] == (p[0] + 1) % 3 ? 1 : -1;
}

// our y = up, our x = right, our z = x cross y
static ug_axes from_right_and_up(int right, int right_sign, int up, int up_sign)
{
    ug_axes a = { { right, up, 3 - right - up }, { right_sign, up_sign, 1 } };
    a.sign[2] = right_sign * up_sign * permutation_sign(a.from);
    return a;
}

ug_status ug_axes_from_names(ug_axes *axes, const char *up, const char *right, ug_error *err)
{
    assert(axes && up);
    int u = 1, us = 1, r = 0, rs = 1;
    if (!parse_axis(up, &u, &us)) {
        return ug_fail(err, UG_E_USAGE, "'%s' is not an axis; write +X, -X, +Y, -Y, +Z or -Z", up);
    }
    if (right && *right) {
        if (!parse_axis(right, &r, &rs)) {
            return ug_fail(err, UG_E_USAGE, "'%s' is not an axis; write +X, -X, +Y, -Y, +Z or -Z",
                           right);
        }
        if (r == u) {
            return ug_fail(err, UG_E_USAGE, "up '%s' and right '%s' are the same axis", up, right);
        }
    } else {
        r = u == 0 ? 1 : 0; // X stays X wherever it can
    }
    *axes = from_right_and_up(r, rs, u, us);
    return UG_OK;
}

void ug_axes_to_text(char text[7], ug_axes axes)
{
    for (int i = 0; i < 3; i++) {
        text[2 * i] = axes.sign[i] < 0 ? '-' : '+';
        text[2 * i + 1] = (char)('X' + axes.from[i]);
    }
    text[6] = '\0';
}

bool ug_axes_from_text(ug_axes *axes, const char *text)
{
    assert(axes && text);
    ug_axes a;
    if (strlen(text) != 6) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const char name[3] = { text[2 * i], text[2 * i + 1], '\0' };
        if ((name[0] != '+' && name[0] != '-') || !parse_axis(name, &a.from[i], &a.sign[i])) {
            return false;
        }
    }
    if (a.from[0] == a.from[1] || a.from[1] == a.from[2] || a.from[0] == a.from[2] ||
        a.sign[0] * a.sign[1] * a.sign[2] * permutation_sign(a.from) != 1) {
        return false;
    }
    *axes = a;
    return true;
}

ug_vec3 ug_axes_import(ug_axes axes, ug_vec3 source)
{
    const double s[3] = { source.x, source.y, source.z };
    return (ug_vec3){ axes.sign[0] * s[axes.from[0]], axes.sign[1] * s[axes.from[1]],
                      axes.sign[2] * s[axes.from[2]] };
}

ug_vec3 ug_axes_export(ug_axes axes, ug_vec3 ours)
{
    const double o[3] = { ours.x, ours.y, ours.z };
    double s[3] = { 0 };
    for (int i = 0; i < 3; i++) {
        s[axes.from[i]] = axes.sign[i] * o[i];
    }
    return (ug_vec3){ s[0], s[1], s[2] };
}

void ug_axes_import_f32(ug_axes axes, float *xyz, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const float s[3] = { xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2] };
        for (int i = 0; i < 3; i++) {
            const float v = s[axes.from[i]];
            xyz[3 * n + (size_t)i] = axes.sign[i] < 0 ? -v : v;
        }
    }
}

void ug_axes_export_f32(ug_axes axes, float *xyz, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const float o[3] = { xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2] };
        for (int i = 0; i < 3; i++) {
            xyz[3 * n + (size_t)axes.from[i]] = axes.sign[i] < 0 ? -o[i] : o[i];
        }
    }
}

ug_quat ug_axes_to_quat(ug_axes axes)
{
    double m[9] = { 0 };
    for (int i = 0; i < 3; i++) {
        m[3 * i + axes.from[i]] = axes.sign[i];
    }
    return ug_quat_from_matrix(m);
}

double ug_unit_to_metres(const char *unit)
{
    static const struct {
        const char *name;
        double metres;
    } UNITS[] = { { "m", 1.0 },
                  { "meter", 1.0 },
                  { "meters", 1.0 },
                  { "metre", 1.0 },
                  { "metres", 1.0 },
                  { "cm", 0.01 },
                  { "centimeter", 0.01 },
                  { "centimetre", 0.01 },
                  { "centimeters", 0.01 },
                  { "centimetres", 0.01 },
                  { "mm", 0.001 },
                  { "millimeter", 0.001 },
                  { "millimetre", 0.001 },
                  { "millimeters", 0.001 },
                  { "millimetres", 0.001 },
                  { "in", 0.0254 },
                  { "inch", 0.0254 },
                  { "inches", 0.0254 },
                  { "ft", 0.3048 },
                  { "foot", 0.3048 },
                  { "feet", 0.3048 },
                  { "dm", 0.1 } };
    char lower[16] = "";
    size_t n = 0;
    while (unit && n < sizeof lower - 1 && unit[n]) {
        lower[n] = (char)tolower((unsigned char)unit[n]);
        n++;
    }
    if (unit && unit[n + strspn(unit + n, " ")] != '\0') {
        return 0.0; // longer than any unit
    }
    while (n > 0 && lower[n - 1] == ' ') {
        lower[--n] = '\0';
    }
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (strcmp(UNITS[i].name, lower) == 0) {
            return UNITS[i].metres;
        }
    }
    return 0.0;
}
