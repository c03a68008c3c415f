/* words.c: numbers, names and sentences of a page. */
#include "report/part.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *ecc_report_count(char out[32], uint64_t value)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    size_t at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

const char *ecc_report_duration(char out[32], double seconds)
{
    const double minutes = floor(seconds / 60);
    if (!(seconds >= 0)) {
        snprintf(out, 32, "unknown");
    } else if (seconds < 99.95) {
        snprintf(out, 32, "%.1f s", seconds);
    } else if (minutes < 60) {
        snprintf(out, 32, "%.0f min %02.0f s", minutes, floor(seconds - 60 * minutes));
    } else {
        snprintf(out, 32, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
    }
    return out;
}

const char *ecc_report_column(char out[32], const struct ecc_model *model, size_t column)
{
    if (model->scaling.names) return model->scaling.names[column];
    snprintf(out, 32, "column%zu", column + 1);
    return out;
}

const char *ecc_report_items(char out[ECC_SEEN_WORDS], const struct ecc_report *page)
{
    const struct ecc_seen *const seen = &page->items.seen;
    if (seen->answer == ECC_SEEN_NONE && seen->validation == 0) return "unseen items";
    return ecc_seen_words(out, seen);
}

const char *ecc_report_shape(char out[ECC_REPORT_SHAPE], const struct ecc_components *c)
{
    size_t count = 0;
    double share = 0;
    while (count < c->d && share < 0.9 - 1e-9) share += c->explained[count++];
    snprintf(out, ECC_REPORT_SHAPE,
             "%s: it takes %zu of %zu components to hold 90 %% of their variance (of a sphere, "
             "%zu)",
             c->eccentricity < 0.25   ? "nearly a sphere"
             : c->eccentricity < 0.75 ? "somewhat eccentric"
                                      : "clearly eccentric",
             count, c->d, (9 * c->d + 9) / 10);
    return out;
}

double ecc_report_result(const struct ecc_report *page, const char *key)
{
    const json_t *const value = json_object_get(page->result, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double ecc_report_last(const struct ecc_report *page, const char *name)
{
    const struct ecc_metrics_table *const t = &page->metrics;
    size_t c = 0;
    while (c < t->columns && strcmp(t->names[c], name) != 0) c++;
    for (size_t r = t->rows; c < t->columns && r-- > 0;) {
        if (isfinite(t->values[r * t->columns + c])) return t->values[r * t->columns + c];
    }
    return (double)NAN;
}

void ecc_report_missing(FILE *out, const struct ecc_error *sentence)
{
    ecc_html_in(out, "<p class=\"missing\">Not available: ", sentence->text, ".</p>\n");
}

void ecc_report_how(FILE *out, const char *text)
{
    ecc_html_in(out, "<p class=\"how\">", text, "</p>\n");
}

void ecc_report_tint(FILE *out, double t)
{
    if (!isfinite(t)) return;
    const double strength = fmin(1, fabs(t));
    fprintf(out, " style=\"background:rgba(%s,%.2f)\"", t < 0 ? "47,110,200" : "214,72,40",
            0.75 * strength);
}

const struct ecc_classify_row *ecc_report_errors(const struct ecc_report *page)
{
    const struct ecc_classification *const c = &page->classes;
    return c->row_count > 0 ? &c->rows[c->row_count - 1] : NULL;
}
