/* page.c: the whole page: head, contents, parts. */
#include "report/page.h"
#include "base/file.h"
#include "report/part.h"

#include <sys/stat.h>

static const struct ecc_report_part *const parts[ECC_REPORT_PARTS] = {
    &ecc_part_training, &ecc_part_spectrum, &ecc_part_components, &ecc_part_reconstructions,
    &ecc_part_samples,  &ecc_part_map,      &ecc_part_classes,    &ecc_part_settings,
};

static enum ecc_status put_parts(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    for (size_t i = 0; i < ECC_REPORT_PARTS; i++) {
        fprintf(out, "<section id=\"%s\"><h2>%s</h2>\n", parts[i]->id, parts[i]->title);
        ECC_TRY(parts[i]->write(out, page, error));
        fputs("</section>\n", out);
    }
    return ECC_OK;
}

enum ecc_status ecc_report_write(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    char title[200];
    snprintf(title, sizeof title, "%.150s: report of a run", page->name);
    ecc_html_begin(out, title, "report");
    ecc_report_head(out, page);
    fputs("<nav aria-label=\"Contents\">", out);
    for (size_t i = 0; i < ECC_REPORT_PARTS; i++) {
        fprintf(out, "<a href=\"#%s\">%s</a>", parts[i]->id, parts[i]->title);
    }
    fputs("</nav><main>\n", out);
    const enum ecc_status status = put_parts(out, page, error);
    fputs("</main>", out);
    ecc_html_end(out);
    return status;
}

/* ---- From the model to the file ------------------------------------------------------------- */

static size_t file_size(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0 ? (size_t)information.st_size : 0;
}

static void summarize(struct ecc_report_result *result, const struct ecc_report *page,
                      const char *path)
{
    const struct ecc_report_gap all[ECC_REPORT_MOST_GAPS] = {{"training", page->no_metrics},
                                                             {"components", page->no_components},
                                                             {"items", page->no_items},
                                                             {"unseen items", page->no_unseen},
                                                             {"classes", page->no_classes}};
    *result = (struct ecc_report_result){.bytes = file_size(path),
                                         .has_items = page->items.data,
                                         .seen = page->items.seen,
                                         .error = page->error,
                                         .kept = page->kept};
    for (size_t i = 0; i < ECC_REPORT_MOST_GAPS; i++) {
        if (all[i].why.text[0]) result->gaps[result->gap_count++] = all[i];
    }
}

enum ecc_status ecc_report_run(struct ecc_report_result *result, struct ecc_model *model,
                               const char *path, const struct ecc_report_options *options,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_report_options usual = {0};
    struct ecc_report page = {0};
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error)); /* fails before the work */
    enum ecc_status status =
        ecc_report_gather(&page, model, options ? options : &usual, watch, error);
    if (status == ECC_OK) status = ecc_report_write(output.stream, &page, error);
    if (status == ECC_OK) status = ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    if (status == ECC_OK && result) summarize(result, &page, path);
    ecc_report_release(&page);
    return status;
}
