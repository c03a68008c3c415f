/* look.h: what is in a data set; struct ecc_data_info is public. */
#ifndef ECC_DATA_LOOK_H
#define ECC_DATA_LOOK_H

#include "eccentric_model.h"

#include "data/dataset.h"

/* Looks at items spread over the set; what is odd is added to the data set's remarks, too.  The
 * caller releases *info, also after a failure. */
enum ecc_status ecc_data_look(struct ecc_data_info *info, struct ecc_dataset *data,
                              struct ecc_error *error);

/* The number of item i of `count` that are spread over the set. */
uint32_t ecc_data_spread(const struct ecc_dataset *data, size_t i, size_t count);

#endif
