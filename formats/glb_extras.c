// SPDX-License-Identifier: MIT
// What glTF has no place of its own for: where the frames were counted from, contacts, history.
#include "formats/glb_parts.h"

#include <cjson/cJSON.h>

void ug_glb_put_frames(ug_glb *glb, cJSON *object, const ug_clip *clip)
{
    ug_glb_put(glb, object, "first_frame", ug_glb_integer(glb, clip->first_frame));
    ug_glb_put(glb, object, "frame_count", ug_glb_integer(glb, (int64_t)clip->frame_count));
    ug_glb_put(glb, object, "rate_num", ug_glb_integer(glb, clip->rate.num));
    ug_glb_put(glb, object, "rate_den", ug_glb_integer(glb, clip->rate.den));
}

static cJSON *make_contact(ug_glb *glb, const ug_contact *contact)
{
    cJSON *item = ug_glb_object(glb);
    ug_glb_put(glb, item, "name", ug_glb_text(glb, ug_contact_point_name(contact->point)));
    ug_glb_put(glb, item, "kind",
               ug_glb_text(glb, contact->kind == UG_CONTACT_PLANTED ? "planted" : "load"));
    ug_glb_put(glb, item, "start_s", ug_glb_real(glb, contact->start_s));
    ug_glb_put(glb, item, "end_s", ug_glb_real(glb, contact->end_s));
    ug_glb_put(glb, item, "target", ug_glb_vector(glb, contact->target_m));
    ug_glb_put(glb, item, "accepted", contact->accepted ? cJSON_CreateTrue() : cJSON_CreateFalse());
    return item;
}

static cJSON *make_entry(ug_glb *glb, const ug_provenance_entry *entry)
{
    cJSON *item = ug_glb_object(glb);
    ug_glb_put(glb, item, "stage", ug_glb_text(glb, entry->stage));
    ug_glb_put(glb, item, "version", ug_glb_text(glb, entry->version));
    ug_glb_put(glb, item, "options", ug_glb_json(glb, entry->options_json));
    ug_glb_put(glb, item, "inputs", ug_glb_json(glb, entry->inputs_json));
    return item;
}

cJSON *ug_glb_scene_extras(ug_glb *glb, const ug_take *take)
{
    cJSON *extras = ug_glb_object(glb);
    if (take->clip) {
        ug_glb_put_frames(glb, extras, take->clip);
    }
    ug_glb_put(glb, extras, "source_format", ug_glb_text(glb, take->source.format));
    cJSON *contacts = ug_glb_array(glb);
    for (size_t i = 0; i < take->contacts.count; i++) {
        ug_glb_append(glb, contacts, make_contact(glb, &take->contacts.items[i]));
    }
    ug_glb_put(glb, extras, "contacts", contacts);
    cJSON *history = ug_glb_array(glb);
    for (size_t i = 0; i < take->provenance.count; i++) {
        ug_glb_append(glb, history, make_entry(glb, &take->provenance.items[i]));
    }
    ug_glb_put(glb, extras, "provenance", history);
    return extras;
}
