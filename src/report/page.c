/* page.c: the whole page: head, contents, parts. */
#include "report/page.h"
#include "report/part.h"

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
