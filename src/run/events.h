/* events.h: scalars in TensorBoard's event files. */
#ifndef ECC_RUN_EVENTS_H
#define ECC_RUN_EVENTS_H

#include "run/metrics.h"

struct ecc_events;

/* Starts a new file events.out.tfevents.TIME.HOST in the directory.  It tells TensorBoard to drop
 * what earlier files there say about steps after `resumed_step`; 0: about all steps. */
enum ecc_status ecc_events_create(struct ecc_events **events, const char *directory,
                                  uint64_t resumed_step, struct ecc_error *error);
/* One event with all the scalars of a row; NaN and infinity are kept. */
enum ecc_status ecc_events_append(struct ecc_events *events, uint64_t step,
                                  const struct ecc_metric *row, size_t count,
                                  struct ecc_error *error);
void ecc_events_close(struct ecc_events *events);

#endif
