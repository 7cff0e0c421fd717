// SPDX-License-Identifier: MIT
#include "pipeline/report/report_json_parts.h"

#include <cjson/cJSON.h>

cJSON *ug_json_number(double value)
{
    char text[40];
    ug_metric_to_text(text, value);
    return cJSON_CreateRaw(text);
}

void ug_json_add(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name, ug_json_number(value));
}

void ug_json_text(cJSON *object, const char *name, const char *text)
{
    cJSON_AddItemToObject(object, name, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

cJSON *ug_json_list(cJSON *object, const char *name, bool known)
{
    cJSON *list = known ? cJSON_CreateArray() : NULL;
    cJSON_AddItemToObject(object, name, known ? list : cJSON_CreateNull());
    return list;
}

cJSON *ug_json_item(cJSON *list)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    return item;
}
