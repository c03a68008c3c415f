/* exif.c: the orientation of a photo, from its EXIF data: a small TIFF file with a list of tags. */
#include "data/exif.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TAG_ORIENTATION = 0x112, TYPE_SHORT = 3, ENTRY_SIZE = 12, TIFF_HEADER = 8 };

struct tiff {
    const unsigned char *bytes;
    size_t size;
    bool big_endian;
};

/* The caller has checked that they are there. */
static uint32_t number(const struct tiff *tiff, size_t at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value = value << 8 | tiff->bytes[at + (tiff->big_endian ? i : bytes - 1 - i)];
    }
    return value;
}

static int find_orientation(const struct tiff *tiff, size_t list)
{
    if (list > tiff->size || tiff->size - list < 2) return 1;
    const size_t room = (tiff->size - list - 2) / ENTRY_SIZE;
    size_t entries = number(tiff, list, 2);
    if (entries > room) entries = room;
    for (size_t i = 0; i < entries; i++) {
        const size_t entry = list + 2 + i * ENTRY_SIZE;
        if (number(tiff, entry, 2) != TAG_ORIENTATION) continue;
        const uint32_t value = number(tiff, entry + 8, 2);
        return number(tiff, entry + 2, 2) == TYPE_SHORT && value >= 1 && value <= 8 ? (int)value
                                                                                    : 1;
    }
    return 1;
}

int ecc_exif_orientation(const unsigned char *bytes, size_t size)
{
    static const char start[] = "Exif\0"; /* and the 0 of the text */
    if (size < sizeof start + TIFF_HEADER || memcmp(bytes, start, sizeof start) != 0) return 1;
    struct tiff tiff = {.bytes = bytes + sizeof start, .size = size - sizeof start};
    tiff.big_endian = tiff.bytes[0] == 'M';
    if (memcmp(tiff.bytes, tiff.big_endian ? "MM\0*" : "II*\0", 4) != 0) return 1;
    return find_orientation(&tiff, number(&tiff, 4, 4));
}
