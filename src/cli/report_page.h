/* report_page.h: what the files of `eccentric report` share.  (report.h is what all commands share
 * when they report.) */
#ifndef ECC_CLI_REPORT_PAGE_H
#define ECC_CLI_REPORT_PAGE_H

#include "cli/classify.h"
#include "report/page.h"

/* Classifies by neighbours, finds the stumps, and says both as the page wants it; names stay c's,
 * which the caller releases afterwards.  c->settings must be there. */
enum ecc_status ecc_report_classes(struct ecc_page_classes *classes, struct ecc_classify *c,
                                   struct ecc_model *model, struct ecc_error *error);
void ecc_report_classes_release(struct ecc_page_classes *classes);

#endif
