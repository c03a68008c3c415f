/*
 * progress.h: shows the progress of a long computation on a stream that the caller gives.
 *
 * On a terminal: one line, redrawn at most ten times a second, never wider than the terminal.
 * Elsewhere: a plain line at most every ten seconds and one at the end.
 *   ecc_progress_start(&p, stderr, ECC_PROGRESS_AUTO, "train", "steps", 6000);
 *   for (...) ecc_progress_update(&p, step, "loss -24.71");
 *   ecc_progress_end(&p, "loss -25.02");
 * One thread at a time.
 */
#ifndef ECC_BASE_PROGRESS_H
#define ECC_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum ecc_progress_style {
    ECC_PROGRESS_AUTO = 0, /* a bar on a terminal that can draw it, else plain lines */
    ECC_PROGRESS_PLAIN,
    ECC_PROGRESS_NONE, /* writes nothing */
};

struct ecc_progress {
    FILE *stream;             /* NULL: silent */
    const char *label, *unit; /* the caller's, alive until the end */
    uint64_t total, done;     /* total 0: unknown */
    uint64_t skipped;         /* done before the start, not part of the rate */
    double started, drawn;    /* seconds */
    bool bar, color;
    bool shown; /* the bar is on the screen now */
};

/* `unit` is a plural such as "steps"; total 0 means unknown. */
void ecc_progress_start(struct ecc_progress *progress, FILE *stream, enum ecc_progress_style style,
                        const char *label, const char *unit, uint64_t total);

/* After a resume: `done` units were finished before the start and do not count for the rate. */
void ecc_progress_skip(struct ecc_progress *progress, uint64_t done);

/* Cheap enough for every step.  `text` (may be NULL) is a short remark, such as "loss -24.71". */
void ecc_progress_update(struct ecc_progress *progress, uint64_t done, const char *text);

/* Takes the bar off the screen so that the caller can print; the next update draws it again. */
void ecc_progress_clear(struct ecc_progress *progress);

/* Clears the bar and, unless silent, leaves one line with totals and `final_text`.  With NULL for
 * final_text a terminal is left clean.  Safe to call twice. */
void ecc_progress_end(struct ecc_progress *progress, const char *final_text);

#endif
