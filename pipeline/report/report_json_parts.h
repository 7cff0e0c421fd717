// SPDX-License-Identifier: MIT
// What the files of the JSON report share; not for anyone else. What cannot be known is null.
#pragma once

#include "pipeline/report/report_facts.h"

struct cJSON;

/// Shortest text that reads back as the value; null of a NaN.
struct cJSON *ug_json_number(double value);
void ug_json_add(struct cJSON *object, const char *name, double value);
void ug_json_text(struct cJSON *object, const char *name, const char *text); ///< null of NULL

/// A list, or null where nobody has looked.
struct cJSON *ug_json_list(struct cJSON *object, const char *name, bool known);

/// A fresh object at the end of a list.
struct cJSON *ug_json_item(struct cJSON *list);

/// Everything about markers and motion: counts, places in time, spectra.
void ug_report_json_samples(struct cJSON *file, const ug_report_facts *facts);
