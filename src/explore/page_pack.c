/* page_pack.c: bytes packed with gzip, as browsers unpack them. */
#include "explore/page_pack.h"

#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>

enum { GZIP = 15 + 16, PIECE = 1 << 30 }; /* zlib counts in 32 bits */

/* False if there is no room for what becomes of them. */
static bool put_part(z_stream *stream, const struct ecc_page_part *part)
{
    const unsigned char *at = part->bytes;
    for (size_t left = part->size, n; left > 0; left -= n, at += n) {
        n = left < PIECE ? left : PIECE;
        stream->next_in = at;
        stream->avail_in = (uInt)n;
        if (deflate(stream, Z_NO_FLUSH) != Z_OK || stream->avail_in > 0) return false;
    }
    return true;
}

static bool put_parts(z_stream *stream, const struct ecc_page_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!put_part(stream, &parts[i])) return false;
    }
    return deflate(stream, Z_FINISH) == Z_STREAM_END;
}

enum ecc_status ecc_page_pack(unsigned char **packed, size_t *size,
                              const struct ecc_page_part *parts, size_t count, size_t most,
                              struct ecc_error *error)
{
    z_stream stream = {0};
    size_t all = 0;
    *packed = NULL;
    if (deflateInit2(&stream, 9, Z_DEFLATED, GZIP, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        return ecc_fail_memory(error, "the page");
    }
    for (size_t i = 0; i < count; i++) all += parts[i].size;
    const size_t bound = deflateBound(&stream, (uLong)all), room = bound < most ? bound : most;
    stream.next_out = *packed = malloc(room);
    stream.avail_out = (uInt)room;
    const bool fits = *packed && put_parts(&stream, parts, count);
    *size = stream.total_out;
    deflateEnd(&stream);
    if (!*packed) return ecc_fail_memory(error, "the page");
    if (fits) return ECC_OK;
    free(*packed);
    *packed = NULL;
    return ecc_fail(error, ECC_BAD_DATA,
                    "the page would have more than %zu MB, which browsers do not open: expected "
                    "fewer items (--items)",
                    most / 3 * 4 / 1000000);
}
