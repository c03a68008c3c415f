/* fuzz_exif.c: any bytes as the EXIF data of a photo. */
#include "data/exif.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const int orientation = ecc_exif_orientation(bytes, size);
    require(orientation >= 1 && orientation <= 8);
    return 0;
}
