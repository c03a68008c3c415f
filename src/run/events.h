/* events.h: scalars in TensorBoard's event files. */
#ifndef ECC_RUN_EVENTS_H
#define ECC_RUN_EVENTS_H

#include "run/metrics.h"

struct ecc_events;

/* Starts a new file events.out.tfevents.TIME.HOST in the directory, which tells TensorBoard to
 * forget what earlier files there say of steps after `resumed_step`; 0: of all steps. */
enum ecc_status ecc_events_create(struct ecc_events **events, const char *directory,
                                  uint64_t resumed_step, struct ecc_error *error);
/* One event with all the scalars of a row; those that are not finite stay so. */
enum ecc_status ecc_events_append(struct ecc_events *events, uint64_t step,
                                  const struct ecc_metric *row, size_t count,
                                  struct ecc_error *error);
void ecc_events_close(struct ecc_events *events);

#endif
