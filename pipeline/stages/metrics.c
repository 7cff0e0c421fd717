// SPDX-License-Identifier: MIT
#include "pipeline/stages/metrics.h"

#include "formats/decimal.h"
#include "motion/text.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ug_metrics_fini(ug_metrics *metrics)
{
    if (metrics) {
        free(metrics->items);
        *metrics = (ug_metrics){ 0 };
    }
}

void ug_metrics_set(ug_metrics *metrics, const char *name, double value)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->items[i].name, name) == 0) {
            metrics->items[i].value = value;
            return;
        }
    }
    ug_metric *grown = realloc(metrics->items, (metrics->count + 1) * sizeof *grown);
    if (grown) {
        metrics->items = grown;
        ug_metric *m = &grown[metrics->count++];
        (void)snprintf(m->name, sizeof m->name, "%s", name);
        m->value = value;
    }
}

void ug_metrics_set_of(ug_metrics *metrics, double value, const char *fmt, ...)
{
    char name[sizeof metrics->items[0].name];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    ug_metrics_set(metrics, name, value);
}

bool ug_metrics_get(const ug_metrics *metrics, const char *name, double *value)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->items[i].name, name) == 0) {
            *value = metrics->items[i].value;
            return true;
        }
    }
    return false;
}

static cJSON *number(double value)
{
    if (!isfinite(value)) {
        return cJSON_CreateNull();
    }
    // the library prints 15 digits when "near enough"; ours is the shortest that reads back
    char text[40];
    if (value == rint(value) && fabs(value) < 1e15) {
        (void)snprintf(text, sizeof text, "%.0f", value);
        return cJSON_CreateRaw(text);
    }
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return cJSON_CreateRaw(text);
}

char *ug_metrics_to_json(const ug_metrics *metrics)
{
    cJSON *root = cJSON_CreateObject();
    for (size_t i = 0; root && i < metrics->count; i++) {
        cJSON *object = root;
        char family[sizeof metrics->items[0].name];
        const char *name = metrics->items[i].name;
        const char *slash = strchr(name, '/');
        if (slash) {
            (void)snprintf(family, sizeof family, "%.*s", (int)(slash - name), name);
            object = cJSON_GetObjectItemCaseSensitive(root, family);
            object = object ? object : cJSON_AddObjectToObject(root, family);
            name = slash + 1;
        }
        if (object) {
            cJSON_AddItemToObject(object, name, number(metrics->items[i].value));
        }
    }
    char *text = root ? cJSON_PrintUnformatted(root) : NULL;
    cJSON_Delete(root);
    return text;
}

static void add_from_json(ug_metrics *metrics, const cJSON *object, const char *family)
{
    for (const cJSON *item = object->child; item; item = item->next) {
        const double value = cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
        if (cJSON_IsObject(item) && !family) {
            add_from_json(metrics, item, item->string);
        } else if (family) {
            ug_metrics_set_of(metrics, value, "%s/%s", family, item->string);
        } else {
            ug_metrics_set(metrics, item->string, value);
        }
    }
}

bool ug_metrics_from_json(ug_metrics *metrics, const char *json)
{
    cJSON *root = json ? cJSON_Parse(json) : NULL;
    const bool ok = cJSON_IsObject(root);
    if (ok) {
        add_from_json(metrics, root, NULL);
    }
    cJSON_Delete(root);
    return ok;
}

char *ug_warnings_to_json(const ug_warnings *warnings)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; list && i < warnings->count; i++) {
        cJSON *w = cJSON_CreateObject();
        cJSON_AddStringToObject(w, "code", warnings->items[i].code);
        cJSON_AddNumberToObject(w, "count", (double)warnings->items[i].count);
        cJSON_AddStringToObject(w, "first", warnings->items[i].first);
        cJSON_AddItemToArray(list, w);
    }
    char *text = list ? cJSON_PrintUnformatted(list) : NULL;
    cJSON_Delete(list);
    return text;
}

// One "name<=value"; `text` is a private copy.
static ug_status check_gate(const ug_metrics *metrics, char *text, char *failed, size_t failed_size,
                            ug_error *err)
{
    char *op = text + strcspn(text, "<>");
    if (*op == '\0' || op == text) {
        return ug_fail(err, UG_E_USAGE, "--require '%s': write name<value or name>value", text);
    }
    const bool less = *op == '<';
    const bool equal = op[1] == '=';
    const char *limit_text = op + 1 + equal;
    double limit, value;
    *op = '\0';
    if (!ug_decimal_parse(&limit, limit_text)) {
        return ug_fail(err, UG_E_USAGE, "--require: '%s' is not a number", limit_text);
    }
    if (!ug_metrics_get(metrics, text, &value)) {
        return ug_fail(err, UG_E_USAGE, "--require: this stage has no figure '%s'", text);
    }
    const bool met =
        less ? (equal ? value <= limit : value < limit) : (equal ? value >= limit : value > limit);
    if (!met) { // also a NaN: what is not known is not met
        const size_t used = strlen(failed);
        (void)snprintf(failed + used, failed_size - used, "%s%s is %.4g, wanted %s%s%s",
                       used > 0 ? "; " : "", text, value, less ? "<" : ">", equal ? "=" : "",
                       limit_text);
    }
    return UG_OK;
}

ug_status ug_metrics_require(const ug_metrics *metrics, const char *gates, ug_error *err)
{
    assert(metrics && gates);
    char failed[320] = "";
    char *next = NULL, *copy = ug_text_copy(gates);
    ug_status status = copy ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    for (char *gate = copy ? strtok_r(copy, ", ", &next) : NULL; status == UG_OK && gate;
         gate = strtok_r(NULL, ", ", &next)) {
        status = check_gate(metrics, gate, failed, sizeof failed, err);
    }
    free(copy);
    if (status == UG_OK && failed[0]) {
        status = ug_fail(err, UG_E_GATE, "quality gate: %s", failed);
    }
    return status;
}
