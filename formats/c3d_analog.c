// SPDX-License-Identifier: MIT
// Analog samples and their scales, carried through as they were stored.
#include "formats/c3d_internal.h"

#include <math.h>

static void load_row(float *out, const uint8_t *p, size_t count, const c3d_layout *l)
{
    if (!l->is_integer) {
        c3d_get_f32_row(out, p, count, l->processor);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint16_t u = c3d_get_u16(p + 2 * i, l->processor);
        out[i] = l->analog_is_unsigned ? (float)u : (float)(int16_t)u;
    }
}

size_t c3d_analog_scales_read(double *scale, double *offset, size_t count,
                              const ug_parameters *tree, bool is_unsigned)
{
    const size_t found = c3d_numbers_read(scale, count, tree, "ANALOG", "SCALE", false);
    (void)c3d_numbers_read(offset, count, tree, "ANALOG", "OFFSET", is_unsigned);
    for (size_t c = 0; c < count; c++) {
        scale[c] = isfinite(scale[c]) ? scale[c] : 1.0;
        offset[c] = isfinite(offset[c]) ? offset[c] : 0.0;
    }
    return found;
}

ug_status c3d_analog_read(ug_analog **analog, const uint8_t *data, const c3d_layout *layout,
                          const ug_parameters *tree, ug_warnings *warnings, ug_error *err)
{
    *analog = NULL;
    const size_t channels = layout->channel_count;
    if (channels == 0) {
        return UG_OK;
    }
    ug_analog *a = ug_analog_create(layout->frame_count, layout->samples_per_frame, channels);
    if (!a) {
        return ug_fail(err, UG_E_NOMEM, "analog samples do not fit in memory");
    }
    ug_status status = c3d_analog_names_read(a->labels, a->units, channels, tree, warnings, err);
    if (status != UG_OK) {
        ug_analog_destroy(a);
        return status;
    }
    const double gen_scale = c3d_number(tree, "ANALOG", "GEN_SCALE", 0, false, warnings);
    a->gen_scale = isfinite(gen_scale) ? gen_scale : 1.0;
    const size_t scaled =
        c3d_analog_scales_read(a->scale, a->offset, channels, tree, layout->analog_is_unsigned);
    const size_t unscaled = channels - scaled;
    ug_warn_times(warnings, unscaled, "c3d_analog_unscaled",
                  "ANALOG:SCALE has no entry for %zu of %zu channels; 1 is used", unscaled,
                  channels);
    const size_t row = channels * layout->samples_per_frame;
    const size_t skip = 4 * layout->point_count * (layout->is_integer ? 2u : 4u);
    for (size_t f = 0; f < layout->frame_count; f++) {
        const uint8_t *p = data + layout->data_offset + f * layout->frame_bytes + skip;
        load_row(a->raw + f * row, p, row, layout);
    }
    *analog = a;
    return UG_OK;
}
