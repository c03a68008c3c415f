/* gather.c: what a page is made of: metrics, components, items, a classification.  Data that is not
 * there any more leaves a gap on the page. */
#include "report/page.h"

#include "base/text.h"
#include "model/product.h"
#include "run/json.h"

#include <stdlib.h>
#include <string.h>

/* ---- What the run directory holds ----------------------------------------------------------- */

/* Its last part, also of "." and "run/". */
static enum ecc_status name_run(struct ecc_report *page, struct ecc_error *error)
{
    const char *const directory = page->model->run->directory;
    page->path = realpath(directory, NULL);
    if (!page->path) return ecc_fail_errno(error, "find", directory);
    page->name = ecc_short_name(page->path);
    return ECC_OK;
}

static enum ecc_status read_metrics(struct ecc_report *page, struct ecc_error *error)
{
    struct ecc_error *const gap = &page->no_metrics;
    const enum ecc_status status =
        ecc_metrics_read(&page->metrics, page->model->run->directory, gap);
    if (status == ECC_NO_MEMORY) return ecc_fail(error, status, "%s", gap->text);
    if (page->metrics.rows == 0 && !gap->text[0]) {
        snprintf(gap->text, sizeof gap->text, "nothing was measured yet");
    }
    return ECC_OK;
}

/* result.json, which only finished trainings have. */
static enum ecc_status read_result(struct ecc_report *page, struct ecc_error *error)
{
    char *const path = ecc_run_path(page->model->run, "result.json");
    if (!path) return ecc_fail_memory(error, "a path");
    page->result = page->model->finished ? ecc_json_load(path) : NULL;
    free(path);
    return ECC_OK;
}

/* ---- What needs the data -------------------------------------------------------------------- */

/* Missing data leaves a gap, unless the caller said where it is; all other trouble is an error. */
static enum ecc_status tolerate(enum ecc_status status, struct ecc_error *gap,
                                const struct ecc_error *reason,
                                const struct ecc_report_options *options, struct ecc_error *error)
{
    const bool about_data = status == ECC_IO || status == ECC_BAD_DATA;
    if (status == ECC_OK) return ECC_OK;
    if (!about_data || options->data) return ecc_fail(error, status, "%s", reason->text);
    *gap = *reason;
    return ECC_OK;
}

/* Without the data, what they explain of it stays unknown. */
static enum ecc_status find_components(struct ecc_report *page,
                                       const struct ecc_report_options *options,
                                       const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_error reason;
    const enum ecc_status status =
        ecc_model_explained(page->model, &page->components, options->data, watch, &reason);
    struct ecc_error *const gap = &page->no_components;
    ECC_TRY(tolerate(status, gap, &reason, options, error));
    if (page->components.d > 0) gap->text[0] = '\0';
    return ECC_OK;
}

/* Where there are none to test by, the training part. */
static enum ecc_status open_items(struct ecc_report *page, const struct ecc_report_options *options,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_test_request request = {
        .test = options->test, .data = options->data, .most = options->items, .validation = true};
    struct ecc_test_items *const items = &page->items;
    enum ecc_status status =
        ecc_model_test_items(page->model, items, &request, watch, &page->no_unseen);
    if (status == ECC_OK) return ECC_OK;
    ecc_test_items_release(items);
    const bool about_data = status == ECC_IO || status == ECC_BAD_DATA;
    if (options->test || !about_data) return ecc_fail(error, status, "%s", page->no_unseen.text);
    struct ecc_error reason;
    status = ecc_model_open_data(page->model, &items->data, options->data, options->items, &reason);
    if (status != ECC_OK) {
        page->no_unseen.text[0] = '\0';
        return tolerate(status, &page->no_items, &reason, options, error);
    }
    items->count = items->data->count;
    return ecc_model_mark_seen(page->model, NULL, &items->seen, items->data, false, error);
}

static enum ecc_status classify(struct ecc_report *page, const struct ecc_report_options *options,
                                const struct ecc_watch *watch, struct ecc_error *error)
{
    struct ecc_error *const gap = &page->no_classes;
    const struct ecc_dataset *const data = page->items.data;
    if (!data) {
        *gap = page->no_items;
        return ECC_OK;
    }
    if (!data->labels && !data->attributes && data->number_count == 0) {
        snprintf(gap->text, sizeof gap->text, "the data has no labels to classify by");
        return ECC_OK;
    }
    const struct ecc_classify_options how = {.train = options->data,
                                             .test = options->test,
                                             .items = options->items,
                                             .repeats = 1,
                                             .baselines = !options->no_baselines,
                                             .stumps = true,
                                             .seed = options->seed};
    struct ecc_watch again = watch ? *watch : (struct ecc_watch){0};
    again.on_remark =
        NULL; /* what there is to remark on the items was said when they were opened */
    const enum ecc_status status = ecc_classify(&page->classes, page->model, &how, &again, gap);
    if (status == ECC_OK) return ECC_OK;
    ecc_classification_release(&page->classes);
    if (status == ECC_IO || status == ECC_BAD_DATA) return ECC_OK; /* such as one class only */
    return ecc_fail(error, status, "%s", gap->text);
}

/* What the method itself has to tell: codes used, singular values. */
static enum ecc_status ask_method(struct ecc_report *page, const struct ecc_watch *watch,
                                  struct ecc_error *error)
{
    ECC_TRY(ecc_model_singular_values(page->model, &page->singular_values, error));
    if (!page->items.data) return ECC_OK;
    return ecc_code_use_measure(&page->codes, page->model, &page->items, watch, error);
}

/* ---- All of it ------------------------------------------------------------------------------ */

enum ecc_status ecc_report_gather(struct ecc_report *page, struct ecc_model *model,
                                  const struct ecc_report_options *options,
                                  const struct ecc_watch *watch, struct ecc_error *error)
{
    *page = (struct ecc_report){.model = model, .seed = options->seed};
    ECC_TRY(name_run(page, error));
    ECC_TRY(read_metrics(page, error));
    ECC_TRY(read_result(page, error));
    ECC_TRY(find_components(page, options, watch, error));
    ECC_TRY(open_items(page, options, watch, error));
    ECC_TRY(ask_method(page, watch, error));
    ECC_TRY(classify(page, options, watch, error));
    return ecc_report_measure(page, watch, error);
}

void ecc_report_release(struct ecc_report *page)
{
    ecc_test_items_release(&page->items);
    ecc_components_release(&page->components);
    ecc_metrics_table_release(&page->metrics);
    ecc_classification_release(&page->classes);
    json_decref(page->result);
    free(page->singular_values);
    free(page->path);
    free(page->shown);
    free(page->p);
    free(page->x);
    free(page->y);
    free(page->column_kept);
}
