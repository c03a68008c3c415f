/* inflate.c: unpacks with zlib, and reports what is wrong and where. */
#include "data/inflate.h"

#include "base/file.h"
#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_WINDOW = 16 + MAX_WBITS, RAW_WINDOW = -MAX_WBITS, STRETCH = 1 << 30 };

/* zlib counts in unsigned int: it gets at most this much at a time. */
static uInt at_most(size_t size)
{
    return size < STRETCH ? (uInt)size : STRETCH;
}

static enum ecc_status corrupt(const z_stream *stream, int code, size_t in_size, const char *name,
                               struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (code == Z_MEM_ERROR) return ecc_fail_memory(error, "unpacking");
    if (code == Z_BUF_ERROR || code == Z_OK) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is truncated: its %zu packed bytes end in the middle of the data",
                        ecc_quote_path(shown, name), in_size);
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s is corrupt near packed byte %lu: %s",
                    ecc_quote_path(shown, name), stream->total_in,
                    stream->msg ? stream->msg : "bad deflate data");
}

struct growing {
    unsigned char *bytes;
    size_t used, capacity;
    ecc_announced *announced; /* until it has been asked; or NULL */
    size_t most;              /* bytes, or SIZE_MAX */
};

/* To what was announced and a byte more, which shows that there is too much; else twice as much. */
static bool grow(struct growing *out)
{
    if (out->used < out->capacity) return true;
    size_t capacity = out->capacity ? out->capacity * 2 : ECC_HEAD_SIZE;
    if (out->most < capacity && out->most >= out->capacity) capacity = out->most + 1;
    if (capacity < out->capacity) return false;
    unsigned char *const larger = realloc(out->bytes, capacity);
    if (!larger) return false;
    out->bytes = larger;
    out->capacity = capacity;
    return true;
}

enum { TOO_LONG = 1000 }; /* not one of zlib's codes */

static bool is_too_long(struct growing *out)
{
    if (out->announced && out->used >= ECC_HEAD_SIZE) {
        const size_t announced = out->announced(out->bytes, out->used);
        if (announced) out->most = announced;
        out->announced = NULL;
    }
    return out->used > out->most;
}

/* Inflates until the input ends; one gzip member may follow another.  Zeros after the last one are
 * padding, as on tapes. */
static int inflate_members(z_stream *stream, struct growing *out, size_t in_size)
{
    int code = Z_OK;
    size_t left = in_size;
    while (code == Z_OK || (code == Z_STREAM_END && left > 0 && *stream->next_in == 0x1f)) {
        if (code == Z_STREAM_END) inflateReset(stream);
        if (!grow(out)) return Z_MEM_ERROR;
        const uInt given = at_most(left), room = at_most(out->capacity - out->used);
        stream->avail_in = given;
        stream->next_out = out->bytes + out->used;
        stream->avail_out = room;
        code = inflate(stream, Z_NO_FLUSH);
        left -= given - stream->avail_in;
        out->used += room - stream->avail_out;
        if (is_too_long(out)) return TOO_LONG;
        if (code == Z_OK && left == 0 && stream->avail_out > 0) return Z_BUF_ERROR;
    }
    return code;
}

static enum ecc_status too_long(size_t announced, const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s is too long: its header announces %zu bytes, and more follow",
                    ecc_quote_path(shown, name), announced);
}

enum ecc_status ecc_inflate_gzip(unsigned char **bytes, size_t *size, const struct ecc_gzip *gzip,
                                 struct ecc_error *error)
{
    z_stream stream = {0};
    struct growing out = {.announced = gzip->announced, .most = SIZE_MAX};
    *bytes = NULL;
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK) return ecc_fail_memory(error, "unpacking");
    stream.next_in = (Bytef *)gzip->bytes; /* zlib promises not to write there */
    const int code = inflate_members(&stream, &out, gzip->size);
    enum ecc_status status = ECC_OK;
    if (code != Z_STREAM_END) {
        status = code == TOO_LONG ? too_long(out.most, gzip->name, error)
                                  : corrupt(&stream, code, gzip->size, gzip->name, error);
        free(out.bytes);
    } else {
        *bytes = out.bytes;
        *size = out.used;
    }
    inflateEnd(&stream);
    return status;
}

enum ecc_status ecc_inflate_file(unsigned char **bytes, size_t *size, const char *path,
                                 struct ecc_error *error)
{
    return ecc_inflate_announced(bytes, size, path, NULL, error);
}

enum ecc_status ecc_inflate_announced(unsigned char **bytes, size_t *size, const char *path,
                                      ecc_announced *announced, struct ecc_error *error)
{
    *bytes = NULL;
    unsigned char *packed;
    size_t packed_size;
    ECC_TRY(ecc_file_read(&packed, &packed_size, path, error));
    if (packed_size < 2 || packed[0] != 0x1f || packed[1] != 0x8b) {
        *bytes = packed;
        *size = packed_size;
        return ECC_OK;
    }
    const struct ecc_gzip gzip = {packed, packed_size, path, announced};
    const enum ecc_status status = ecc_inflate_gzip(bytes, size, &gzip, error);
    free(packed);
    return status;
}

size_t ecc_inflate_head(unsigned char *head, size_t size, const unsigned char *in, size_t in_size)
{
    z_stream stream = {.next_in = (Bytef *)in,
                       .avail_in = at_most(in_size),
                       .next_out = head,
                       .avail_out = at_most(size)};
    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK) return 0;
    inflate(&stream, Z_SYNC_FLUSH); /* what is wrong shows when all of it is unpacked */
    inflateEnd(&stream);
    return stream.total_out;
}

enum ecc_status ecc_inflate_raw(unsigned char *out, size_t out_size, const unsigned char *in,
                                size_t in_size, const char *what, struct ecc_error *error)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK) return ecc_fail_memory(error, "unpacking");
    size_t in_left = in_size, out_left = out_size;
    unsigned char spare = 0; /* zlib needs some room even if no output follows */
    stream.next_in = (Bytef *)in;
    stream.next_out = out_size ? out : &spare;
    int code = Z_OK;
    while (code == Z_OK) {
        const uInt given = at_most(in_left), room = at_most(out_left);
        stream.avail_in = given;
        stream.avail_out = room;
        code = inflate(&stream, Z_NO_FLUSH);
        in_left -= given - stream.avail_in;
        out_left -= room - stream.avail_out;
        if (code == Z_OK && (in_left == 0 || out_left == 0) && given - stream.avail_in == 0) break;
    }
    enum ecc_status status = ECC_OK;
    if (code != Z_STREAM_END || out_left > 0) {
        char shown[ECC_PATH_SIZE];
        status = code == Z_STREAM_END || out_left == 0
                     ? ecc_fail(error, ECC_BAD_DATA,
                                "%s is corrupt: its unpacked size is not the %zu bytes announced "
                                "in the file's directory",
                                ecc_quote_path(shown, what), out_size)
                     : corrupt(&stream, code, in_size, what, error);
    }
    inflateEnd(&stream);
    return status;
}
