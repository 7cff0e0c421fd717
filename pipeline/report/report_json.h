// SPDX-License-Identifier: MIT
// The facts as JSON, for programs: every number the page shows, exact.
#pragma once

#include "pipeline/report/report_facts.h"

/// {"files": [{"file", "source", "frame_count", "metrics", "gates", "findings", "markers", …}]};
/// what is not known is null. free() it. NULL when out of memory.
char *ug_report_json(const ug_report_facts *facts, size_t count);
