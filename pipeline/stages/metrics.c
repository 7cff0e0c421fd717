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

typedef struct gate {
    const char *name, *limit_text; ///< in the private copy
    double limit;
    bool less, equal;
} gate;

// One "name<=value"; `text` is a private copy and cut in two.
static ug_status parse_gate(gate *g, char *text, ug_error *err)
{
    char *op = text + strcspn(text, "<>");
    if (*op == '\0' || op == text) {
        return ug_fail(err, UG_E_USAGE, "--require '%s': write name<value or name>value", text);
    }
    *g = (gate){ .name = text, .less = *op == '<', .equal = op[1] == '=' };
    g->limit_text = op + 1 + g->equal;
    *op = '\0';
    if (!ug_decimal_parse(&g->limit, g->limit_text)) {
        return ug_fail(err, UG_E_USAGE, "--require: '%s' is not a number", g->limit_text);
    }
    return UG_OK;
}

static ug_status check_gate(const ug_metrics *metrics, const gate *g, char *failed,
                            size_t failed_size, ug_error *err)
{
    double value;
    if (!ug_metrics_get(metrics, g->name, &value)) {
        return ug_fail(err, UG_E_USAGE, "--require: this stage has no figure '%s'", g->name);
    }
    const bool met = g->less ? (g->equal ? value <= g->limit : value < g->limit)
                             : (g->equal ? value >= g->limit : value > g->limit);
    if (!met) { // also a NaN: what is not known is not met
        const size_t used = strlen(failed);
        (void)snprintf(failed + used, failed_size - used, "%s%s is %.4g, wanted %s%s%s",
                       used > 0 ? "; " : "", g->name, value, g->less ? "<" : ">",
                       g->equal ? "=" : "", g->limit_text);
    }
    return UG_OK;
}

// Read every gate, and hold it to `metrics` where there are any.
static ug_status walk_gates(const ug_metrics *metrics, const char *gates, char *failed,
                            size_t failed_size, ug_error *err)
{
    char *next = NULL, *copy = ug_text_copy(gates);
    ug_status status = copy ? UG_OK : ug_fail(err, UG_E_NOMEM, "out of memory");
    size_t count = 0;
    for (char *text = copy ? strtok_r(copy, ", ", &next) : NULL; status == UG_OK && text;
         text = strtok_r(NULL, ", ", &next)) {
        gate g;
        count++;
        status = parse_gate(&g, text, err);
        if (status == UG_OK && metrics) {
            status = check_gate(metrics, &g, failed, failed_size, err);
        }
    }
    free(copy);
    if (status == UG_OK && count == 0) {
        status = ug_fail(err, UG_E_USAGE, "--require is empty: write name<value or name>value");
    }
    return status;
}

ug_status ug_metrics_check_gates(const char *gates, ug_error *err)
{
    assert(gates);
    return walk_gates(NULL, gates, NULL, 0, err);
}

ug_status ug_metrics_require(const ug_metrics *metrics, const char *gates, ug_error *err)
{
    assert(metrics && gates);
    char failed[320] = "";
    ug_status status = walk_gates(metrics, gates, failed, sizeof failed, err);
    if (status == UG_OK && failed[0]) {
        status = ug_fail(err, UG_E_GATE, "quality gate: %s", failed);
    }
    return status;
}
