// SPDX-License-Identifier: MIT
#include "pipeline/report/player.h"

#include "pipeline/report/html.h"
#include "pipeline/report/report_parts.h"
#include "pipeline/report/scene.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_LEAST = 2, TAGS = 256 }; // bytes of markup around the data of one take

static size_t base64_size(size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

size_t ug_player_data_size(const ug_player_data *data)
{
    return data->stride > 0 ? strlen(data->manifest) + base64_size(data->record_bytes) + TAGS : 0;
}

void ug_player_data_fini(ug_player_data *data)
{
    if (data) {
        free(data->manifest);
        free(data->records);
        *data = (ug_player_data){ 0 };
    }
}

// The history stands in the page already, without the folders that its options name. And the text
// must be UTF-8, whatever the labels are.
static char *for_page(char *manifest)
{
    cJSON *root = manifest ? cJSON_Parse(manifest) : NULL;
    free(manifest);
    (void)cJSON_ReplaceItemInObjectCaseSensitive(root, "provenance", cJSON_CreateArray());
    char *text = root ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    char *safe = text ? ug_report_text(text) : NULL;
    free(text);
    return safe;
}

static ug_status pack(ug_player_data *out, ug_scene *scene, size_t stride, ug_error *err)
{
    const size_t count = ug_scene_record_count(scene);
    out->record_bytes = count * ug_scene_record_bytes(scene);
    out->records = malloc(out->record_bytes + 1);
    out->manifest = for_page(ug_scene_manifest(scene));
    if (!out->records || !out->manifest) {
        return ug_fail(err, UG_E_NOMEM, "out of memory for %zu bytes of the player",
                       out->record_bytes);
    }
    ug_scene_pack(out->records, scene, 0, count);
    out->stride = stride;
    return UG_OK;
}

// Bytes of the manifest, which is about the same for every stride.
static size_t manifest_size(const ug_take *take, const char *name, ug_error *err)
{
    ug_scene *scene = ug_scene_create(take, name, UG_SCENE_INT16, 1, err);
    char *manifest = scene ? for_page(ug_scene_manifest(scene)) : NULL;
    const size_t size = manifest ? strlen(manifest) : 0;
    free(manifest);
    ug_scene_destroy(scene);
    return size;
}

ug_status ug_player_data_make(ug_player_data *out, const ug_take *take, const char *name,
                              size_t bytes, ug_error *err)
{
    *out = (ug_player_data){ 0 };
    ug_error why = { 0 };
    const size_t manifest = manifest_size(take, name, &why);
    const size_t around =
        manifest + 2 * (size_t)TAGS; // the stride's digits, and the last group of 4
    if (manifest == 0) {
        return why.status == UG_E_NOT_ENOUGH ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    }
    if (bytes <= around) {
        return UG_OK;
    }
    const size_t room = (bytes - around) / 4 * 3;
    const size_t stride = ug_scene_stride_for(take, UG_SCENE_INT16, room);
    ug_scene *scene = ug_scene_create(take, name, UG_SCENE_INT16, stride, err);
    ug_status status = scene ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    if (status == UG_OK && (ug_scene_record_count(scene) >= RECORDS_LEAST || stride == 1) &&
        ug_scene_record_count(scene) * ug_scene_record_bytes(scene) <= room) {
        status = pack(out, scene, stride, err);
    }
    ug_scene_destroy(scene);
    if (status != UG_OK) {
        ug_player_data_fini(out);
    }
    return status;
}

void ug_player_write(FILE *out, const ug_player_data *data, size_t count)
{
    size_t shown = 0;
    (void)fputs("<script type=\"application/json\" id=\"ugoki-scenes\">[", out);
    for (size_t i = 0; i < count; i++) {
        if (data[i].stride > 0) {
            (void)fputs(shown++ > 0 ? ",\n" : "", out);
            ug_html_json(out, data[i].manifest);
        }
    }
    (void)fputs("]</script>\n", out);
    shown = 0;
    for (size_t i = 0; i < count; i++) {
        if (data[i].stride > 0) {
            (void)fprintf(out, "<script type=\"application/octet-stream\" id=\"ugoki-frames-%zu\">",
                          shown++);
            ug_html_base64(out, data[i].records, data[i].record_bytes);
            (void)fputs("</script>\n", out);
        }
    }
}
