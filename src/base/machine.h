/* machine.h: the name of this machine's processor, for reports. */
#ifndef ECC_BASE_MACHINE_H
#define ECC_BASE_MACHINE_H

#include <stddef.h>

/* "AMD EPYC 7B13, 2 cores". */
void ecc_machine_name(char *out, size_t size);

#endif
