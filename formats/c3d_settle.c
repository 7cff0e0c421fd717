// SPDX-License-Identifier: MIT
// Figures of a C3D file that two places state and no size can decide: rate, scale, first frame.
// The parameter is believed before the header, and what was overruled is warned about.
#include "formats/c3d_internal.h"

#include <math.h>

// TRIAL:ACTUAL_START_FIELD and _END_FIELD hold 32 bits in two words, the low one first.
double c3d_trial_field(const ug_parameters *tree, const char *name)
{
    const double low = c3d_number(tree, "TRIAL", name, 0, true, NULL);
    const double high = c3d_number(tree, "TRIAL", name, 1, true, NULL);
    return isnan(high) ? low : low + 65536.0 * high;
}

void c3d_settle_first_frame(c3d_layout *l, const uint8_t *header_block, const ug_parameters *tree,
                            ug_warnings *warnings)
{
    const double header = c3d_get_u16(header_block + C3D_H_FIRST, l->processor);
    const double trial = c3d_trial_field(tree, "ACTUAL_START_FIELD");
    l->first_frame = (int64_t)header;
    if (trial >= 0 && trial <= 4294967295.0 && !isnan(trial) && trial != header) {
        const bool header_cannot = trial > C3D_COUNT_MAX;
        if (!header_cannot) {
            ug_warn(warnings, "c3d_first_frame",
                    "first frame: the header says %.0f, TRIAL:ACTUAL_START_FIELD says %.0f, which "
                    "is used",
                    header, trial);
        }
        l->first_frame = (int64_t)trial;
    }
}

void c3d_settle_scale(c3d_layout *l, const uint8_t *header_block, const ug_parameters *tree,
                      ug_warnings *warnings)
{
    const double header = fabs((double)c3d_get_f32(header_block + C3D_H_SCALE, l->processor));
    double scale = fabs(c3d_number(tree, "POINT", "SCALE", 0, false, warnings));
    if (!(scale > 0.0) || !isfinite(scale)) {
        scale = header;
    } else if (l->is_integer && header != scale && header > 0.0) {
        ug_warn(warnings, "c3d_scale_disagrees",
                "POINT:SCALE is %g, the header says %g; POINT:SCALE is used", scale, header);
    }
    if (!(scale > 0.0) || !isfinite(scale)) {
        ug_warn(warnings, "c3d_scale_disagrees", "POINT:SCALE is missing or 0; 1 is used");
        scale = 1.0;
    }
    l->scale = scale;
}

ug_rate c3d_rate(double hz)
{
    const float f = (float)hz;
    const ug_rate rate = ug_rate_from_f32(f);
    if (rate.den == 1 || rate.den == 1001) {
        return rate;
    }
    // 25.000001907 is 25 after somebody's arithmetic
    for (int side = 0; side < 2; side++) {
        const ug_rate near = ug_rate_from_f32(nextafterf(f, side ? 1e9f : 0.0f));
        if (near.den == 1) {
            return near;
        }
    }
    return rate;
}

ug_status c3d_settle_rate(c3d_layout *l, const uint8_t *header_block, const ug_parameters *tree,
                          ug_rate given, ug_warnings *warnings, ug_error *err)
{
    const double header = (double)c3d_get_f32(header_block + C3D_H_RATE, l->processor);
    const double stated = c3d_number(tree, "POINT", "RATE", 0, false, warnings);
    l->rate = c3d_rate(stated);
    if (!ug_rate_is_valid(l->rate)) {
        l->rate = c3d_rate(header);
    } else if (header > 0.0 && fabs(header - stated) > 1e-5 * stated) {
        ug_warn(warnings, "c3d_rate_disagrees",
                "POINT:RATE is %.9g, the header says %.9g; POINT:RATE is used", stated, header);
    }
    if (ug_rate_is_valid(given)) {
        l->rate = given;
    }
    if (!ug_rate_is_valid(l->rate)) {
        return ug_fail(err, UG_E_DATA,
                       "no frame rate: POINT:RATE is %g and the header says %g; give the rate",
                       stated, header);
    }
    return UG_OK;
}

bool c3d_analog_is_unsigned(const ug_parameters *tree)
{
    char format[16];
    c3d_text(format, sizeof format, tree, "ANALOG", "FORMAT");
    return (format[0] | 0x20) == 'u';
}
