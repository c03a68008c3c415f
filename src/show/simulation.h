/* simulation.h: points that the loss has moved (eccentric_evaluate.h) as pictures. */
#ifndef ECC_SHOW_SIMULATION_H
#define ECC_SHOW_SIMULATION_H

#include "eccentric_evaluate.h"

/* Writes points, history, radius and spectrum into a folder; ending: "png", "svg" or "pdf". */
enum ecc_status ecc_draw_simulation(const struct ecc_simulation *result, const char *folder,
                                    const char *ending, struct ecc_error *error);

#endif
