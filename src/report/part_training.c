/* part_training.c: how the training went: error, loss, eccentricity and trace over epochs. */
#include "report/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 240, COLUMNS = 2, LINES = COLUMNS + 1 }; /* the last: a second training */

/* One chart: columns of the metrics against epochs. */
struct curve {
    const char *title;
    const char *columns[COLUMNS], *names[COLUMNS];
    bool logarithmic, if_changing;
    const char *about;
};

static const struct curve curves[] = {
    {"Reconstruction error",
     {"error", "validation_error"},
     {"training", "validation items"},
     true,
     false,
     "Mean squared difference between items and their reconstructions. It should fall. If it is "
     "much higher for validation items, the network has memorised the training items."},
    {"Regularizer",
     {"regularizer"},
     {NULL},
     false,
     false,
     "The loss that shapes the latents, before it is multiplied by lambda."},
    {"Eccentricity",
     {"eccentricity"},
     {NULL},
     false,
     false,
     "How unequal the components are: 0 for a sphere, larger when a few components carry most of "
     "the variance."},
    {"Trace of the covariance",
     {"trace"},
     {NULL},
     false,
     false,
     "The total variance of the latents. The eccentric loss alone would bring it to d, the dashed "
     "line."},
    {"Lambda",
     {"lambda"},
     {NULL},
     true,
     true,
     "The weight of the regularizer, adjusted during training to reach a target."},
    {"Learning rate", {"rate"}, {NULL}, false, true, "The step size of Adam."},
};
enum { CURVES = sizeof curves / sizeof curves[0] };

/* Reduces a curve to at most POINTS points, each the mean of its neighbours. Returns their number.
 */
static size_t thin_out(double *x, double *y, size_t n)
{
    if (n <= POINTS) return n;
    for (size_t k = 0; k < POINTS; k++) {
        const size_t from = k * n / POINTS, to = (k + 1) * n / POINTS;
        double sum_x = 0, sum_y = 0;
        for (size_t i = from; i < to; i++) {
            sum_x += x[i];
            sum_y += y[i];
        }
        x[k] = sum_x / (double)(to - from);
        y[k] = sum_y / (double)(to - from);
    }
    return POINTS;
}

/* Whether a curve still changes after its first quarter. */
static bool changes(const struct ecc_series *s)
{
    const double last = s->y[s->n - 1];
    for (size_t i = s->n / 4; i < s->n; i++) {
        if (fabs(s->y[i] - last) > 1e-6 * fabs(last)) return true;
    }
    return false;
}

static enum ecc_status put_chart(FILE *out, const struct ecc_report *page,
                                 const struct curve *curve, const struct ecc_chart *chart,
                                 struct ecc_error *error)
{
    const struct ecc_series *const s = chart->series;
    char words[300];
    int length = snprintf(words, sizeof words, "%s: from %.3g to %.3g over %.3g epochs",
                          curve->title, s[0].y[0], s[0].y[s[0].n - 1], s[0].x[s[0].n - 1]);
    if (curve->columns[1] && chart->series_count > 1) {
        snprintf(words + length, sizeof words - (size_t)length,
                 "; for validation items %.3g at the end", s[1].y[s[1].n - 1]);
    }
    fprintf(out, "<figure><h3>%s", curve->title);
    if (strcmp(curve->title, "Regularizer") == 0) {
        fprintf(out, ": %s", page->model->options.regularizer);
    }
    fputs("</h3>\n", out);
    ECC_TRY(ecc_chart_inline(out, chart, 340, 196, words, error));
    if (chart->series_count > 1) ecc_html_legend(out, chart);
    fprintf(out, "<figcaption>%s</figcaption></figure>\n", curve->about);
    return ECC_OK;
}

/* memory: [2 * LINES, rows] */
static enum ecc_status put_curve(FILE *out, const struct ecc_report *page,
                                 const struct curve *curve, double *memory, struct ecc_error *error)
{
    const size_t rows = page->metrics.rows;
    struct ecc_series series[LINES];
    size_t count = 0;
    for (size_t c = 0; c < LINES; c++) {
        const bool refit = c == COLUMNS;
        const char *const column = curve->columns[refit ? 0 : c];
        double *const x = memory + 2 * c * rows, *const y = x + rows;
        if (!column) continue;
        const size_t n = ecc_metrics_curve_of(x, y, &page->metrics, column, refit);
        const char *const name = refit             ? "again, on all items"
                                 : curve->names[c] ? curve->names[c]
                                                   : "training";
        series[count] = (struct ecc_series){.name = name, .x = x, .y = y, .n = thin_out(x, y, n)};
        count += n > 0;
    }
    if (count == 0 || (curve->if_changing && !changes(series))) return ECC_OK;
    const bool trace = strcmp(curve->title, "Trace of the covariance") == 0;
    const struct ecc_rule rule = {.at = (double)page->model->d, .label = "d"};
    const struct ecc_chart chart = {.x = {.label = "epoch"},
                                    .y = {.logarithmic = curve->logarithmic},
                                    .series = series,
                                    .series_count = count,
                                    .rules = &rule,
                                    .rule_count = trace,
                                    .legend = ECC_LEGEND_NONE};
    return put_chart(out, page, curve, &chart, error);
}

/* The model beside PCA of the same size, on items that were not trained on. */
static void put_comparison(FILE *out, const struct ecc_report *page)
{
    const json_t *const unseen = json_object_get(page->result, "unseen");
    const char *const part = json_string_value(json_object_get(unseen, "part"));
    const double ours = json_number_value(json_object_get(unseen, "error"));
    const double pca = json_number_value(json_object_get(unseen, "pca_error"));
    if (!part) return;
    fprintf(out, "<p>Mean squared error of %lld ",
            (long long)json_integer_value(json_object_get(unseen, "items")));
    ecc_html_text(out, part);
    fprintf(
        out,
        " items, %s: <b>%.4g</b> (%.1f%% of the variance about the mean of "
        "the training items explained); PCA of the same size: <b>%.4g</b> (%.1f%%).%s</p>\n",
        json_is_true(json_object_get(page->result, "refit")) && strcmp(part, "test") != 0
            ? "before the last training, on all items, began"
            : "which were not trained on",
        ours, fmax(0, 100 * json_number_value(json_object_get(unseen, "explained"))), pca,
        fmax(0, 100 * json_number_value(json_object_get(unseen, "pca_explained"))),
        ours > 1.001 * pca && ours > 1e-9
            ? " <b>PCA is better here:</b> train longer, with more items or a smaller lambda, or "
              "use PCA."
            : "");
}

static enum ecc_status write_training(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    if (page->metrics.rows == 0) {
        ecc_report_missing(out, &page->no_metrics);
        return ECC_OK;
    }
    double *const memory = calloc(2 * LINES * page->metrics.rows + 1, sizeof *memory);
    if (!memory) return ecc_fail_memory(error, "the curves");
    ecc_report_how(out, "Each chart shows one number over the training. When the curves are flat "
                        "at the end, more training would change little.");
    put_comparison(out, page);
    fputs("<div class=\"charts\">\n", out);
    enum ecc_status status = ECC_OK;
    for (size_t c = 0; c < CURVES && status == ECC_OK; c++) {
        status = put_curve(out, page, &curves[c], memory, error);
    }
    fputs("</div>\n", out);
    free(memory);
    return status == ECC_OK ? ecc_report_method(out, page, error) : status;
}

const struct ecc_report_part ecc_part_training = {"training", "Training", write_training};
