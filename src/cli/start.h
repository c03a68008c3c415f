/* start.h: memory for the linear algebra and for JSON: without it, the first would hang and the
 * second would leave something out. */
#ifndef ECC_CLI_START_H
#define ECC_CLI_START_H

#include "base/status.h"

/* Takes what OpenBLAS will need on that many threads where memory is limited (ulimit -v), while
 * there is somebody to say that it is too little.  From now on JSON without memory ends the
 * program. */
enum ecc_status ecc_start_memory(int threads, struct ecc_error *error);

#endif
