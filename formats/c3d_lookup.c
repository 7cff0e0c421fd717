// SPDX-License-Identifier: MIT
// Asking the parameter tree: lists that go on in NAME2, NAME3 …, numbers of whatever type the
// writer chose, texts in whatever encoding.
#include "formats/c3d_internal.h"

#include "formats/decimal.h"
#include "motion/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// "LABELS" for part 1, "LABELS2" for part 2 …
static const ug_parameter *part(const ug_parameters *tree, const char *group, const char *name,
                                int number)
{
    char full[64];
    (void)snprintf(full, sizeof full, number > 1 ? "%s%d" : "%s", name, number);
    return ug_parameters_find(tree, group, full);
}

static double text_number(const ug_parameter *p, size_t index)
{
    double value = NAN;
    char *text = ug_parameter_string(p, index);
    if (text) {
        const char *at = text;
        while (*at == ' ') {
            at++;
        }
        if (!ug_decimal_parse(&value, at)) {
            value = NAN;
        }
    }
    free(text);
    return value;
}

static size_t element_count(const ug_parameter *p)
{
    return p->type == UG_PARAMETER_CHAR ? ug_parameter_string_count(p) : ug_parameter_count(p);
}

double c3d_number(const ug_parameters *tree, const char *group, const char *name, size_t index,
                  bool is_unsigned, ug_warnings *warnings)
{
    const ug_parameter *p;
    for (int number = 1; (p = part(tree, group, name, number)); number++) {
        const size_t count = element_count(p);
        if (index >= count) {
            index -= count;
            continue;
        }
        if (p->type != UG_PARAMETER_CHAR) {
            return ug_parameter_number(p, index, is_unsigned);
        }
        const double value = text_number(p, index);
        ug_warn(warnings, "c3d_parameter_type",
                isnan(value) ? "%s:%s is text and no number; it is ignored"
                             : "%s:%s is text where a number belongs; it was read as one",
                group, name);
        return value;
    }
    return NAN;
}

size_t c3d_number_count(const ug_parameters *tree, const char *group, const char *name)
{
    size_t count = 0;
    const ug_parameter *p;
    for (int number = 1; (p = part(tree, group, name, number)); number++) {
        count += element_count(p);
    }
    return count;
}

size_t c3d_numbers_read(double *out, size_t count, const ug_parameters *tree, const char *group,
                        const char *name, bool is_unsigned)
{
    size_t n = 0;
    const ug_parameter *p;
    for (int number = 1; n < count && (p = part(tree, group, name, number)); number++) {
        const size_t more = element_count(p);
        for (size_t i = 0; i < more && n < count; i++) {
            out[n++] = p->type == UG_PARAMETER_CHAR ? text_number(p, i)
                                                    : ug_parameter_number(p, i, is_unsigned);
        }
    }
    const size_t found = n;
    while (n < count) {
        out[n++] = NAN;
    }
    return found;
}

// Old systems wrote Latin-1; labels inside ugoki are UTF-8.
static char *to_utf8(char *text)
{
    const size_t length = text ? strlen(text) : 0;
    if (!text || ug_text_is_utf8(text, length)) {
        return text;
    }
    char *out = malloc(2 * length + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < 0x80) {
            out[n++] = (char)c;
        } else {
            out[n++] = (char)(0xc0 | c >> 6);
            out[n++] = (char)(0x80 | (c & 0x3f));
        }
    }
    if (out) {
        out[n] = '\0';
    }
    free(text);
    return out;
}

// leading blanks off; ug_parameter_string has cut the trailing ones
static char *element_text(const ug_parameter *p, size_t index)
{
    char *text = ug_parameter_string(p, index);
    if (text) {
        const size_t blanks = strspn(text, " \t");
        memmove(text, text + blanks, strlen(text) - blanks + 1);
    }
    return to_utf8(text);
}

ug_status c3d_texts_read(c3d_texts *texts, const ug_parameters *tree, const char *group,
                         const char *name, ug_error *err)
{
    *texts = (c3d_texts){ 0 };
    const ug_parameter *p;
    for (int number = 1; (p = part(tree, group, name, number)); number++) {
        const size_t more = ug_parameter_string_count(p);
        char **grown = realloc(texts->items, (texts->count + more + 1) * sizeof *grown);
        if (!grown) {
            c3d_texts_fini(texts);
            return ug_fail(err, UG_E_NOMEM, "out of memory");
        }
        texts->items = grown;
        for (size_t i = 0; i < more; i++) {
            grown[texts->count] = element_text(p, i);
            if (!grown[texts->count]) {
                c3d_texts_fini(texts);
                return ug_fail(err, UG_E_NOMEM, "out of memory");
            }
            texts->count++;
        }
    }
    return UG_OK;
}

void c3d_texts_fini(c3d_texts *texts)
{
    ug_text_list_destroy(texts->items, texts->count);
    *texts = (c3d_texts){ 0 };
}

void c3d_text(char *out, size_t size, const ug_parameters *tree, const char *group,
              const char *name)
{
    const ug_parameter *p = ug_parameters_find(tree, group, name);
    char *text = p ? element_text(p, 0) : NULL;
    (void)snprintf(out, size, "%s", text ? text : "");
    free(text);
}
