/* report_style.h: what the page of `reproduce` has beyond the style of all pages: verdicts. */
#ifndef ECC_REPRODUCE_REPORT_STYLE_H
#define ECC_REPRODUCE_REPORT_STYLE_H

static const char ecc_repro_report_style[] =
    ".claims td:nth-child(2),.claims td:nth-child(3),.claims td:nth-child(4){white-space:nowrap}"
    ".claims td:last-child{color:var(--soft)}"
    ".v{font-weight:600}.v-agrees,.v-better{color:var(--good)}.v-worse,.v-differs{color:var(--bad)}"
    ".v-not-comparable{color:var(--warn)}.v-not-done{color:var(--mute)}";

#endif
