/*
 * view.h: how far everything is, on standard error.
 *
 * On a terminal: a line for each task that ended, which stays, and below it live lines of those
 * that run and one of the whole.  Elsewhere: a plain line when a task begins and when it ends.
 */
#ifndef ECC_REPRODUCE_VIEW_H
#define ECC_REPRODUCE_VIEW_H

#include "reproduce/child.h"

struct ecc_repro_view {
    bool silent, terminal;
    double started, drawn;
    double expected; /* seconds of what is still to be done, guessed before */
    size_t live;     /* lines on the screen that will be drawn anew */
    size_t total, ended;
};

void ecc_repro_view_start(struct ecc_repro_view *view, const struct ecc_repro *r);
void ecc_repro_view_started(struct ecc_repro_view *view, const struct ecc_task *task);
void ecc_repro_view_ended(struct ecc_repro_view *view, const struct ecc_task *task);
void ecc_repro_view_ending(struct ecc_repro_view *view);
/* Draws the live lines, a few times a second. */
void ecc_repro_view_show(struct ecc_repro_view *view, const struct ecc_repro *r,
                         const struct ecc_child *children, size_t running);
void ecc_repro_view_finish(struct ecc_repro_view *view);

/* "4:05", "1:02:03"; out of 32 bytes. */
const char *ecc_repro_view_duration(char out[32], double seconds);

#endif
