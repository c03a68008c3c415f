/* report.h: what the files of `eccentric report` share. */
#ifndef ECC_CLI_REPORT_H
#define ECC_CLI_REPORT_H

#include "cli/classify.h"
#include "report/page.h"

/* Classifies by neighbours, finds the stumps, and says both as the page wants it; names stay c's,
 * which the caller releases afterwards.  c->settings must be there. */
enum ecc_status ecc_cli_report_classes(struct ecc_report_classes *classes, struct ecc_classify *c,
                                       struct ecc_model *model, struct ecc_error *error);
void ecc_cli_report_classes_release(struct ecc_report_classes *classes);

#endif
