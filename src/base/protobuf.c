/* protobuf.c: the few encodings of protocol buffers that we write. */
#include "base/protobuf.h"

#include <stdlib.h>
#include <string.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 }; /* how a field is encoded */
enum { VARINT_MOST = 10 };

static void put(struct ecc_protobuf *p, const void *bytes, size_t size)
{
    if (p->failed || size == 0) return;
    if (size > p->room - p->size) {
        const size_t room = 2 * p->room > p->size + size ? 2 * p->room : p->size + size;
        unsigned char *const grown = realloc(p->bytes, room);
        if (!grown) {
            p->failed = true;
            return;
        }
        p->bytes = grown;
        p->room = room;
    }
    memcpy(p->bytes + p->size, bytes, size);
    p->size += size;
}

static size_t encode_varint(unsigned char out[VARINT_MOST], uint64_t value)
{
    size_t size = 0;
    for (; value > 127; value >>= 7) out[size++] = (unsigned char)((value & 127) | 128);
    out[size++] = (unsigned char)value;
    return size;
}

static void put_varint(struct ecc_protobuf *p, uint64_t value)
{
    unsigned char bytes[VARINT_MOST];
    put(p, bytes, encode_varint(bytes, value));
}

static void put_key(struct ecc_protobuf *p, unsigned field, unsigned encoding)
{
    put_varint(p, field << 3 | encoding);
}

/* The lower `size` bytes of a number, little-endian. */
static void put_fixed(struct ecc_protobuf *p, uint64_t bits, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> 8 * i & 255);
    put(p, bytes, size);
}

/* ---- Fields --------------------------------------------------------------------------------- */

void ecc_protobuf_int(struct ecc_protobuf *p, unsigned field, int64_t number)
{
    put_key(p, field, VARINT);
    put_varint(p, (uint64_t)number);
}

void ecc_protobuf_float(struct ecc_protobuf *p, unsigned field, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_key(p, field, FIXED32);
    put_fixed(p, bits, sizeof bits);
}

void ecc_protobuf_double(struct ecc_protobuf *p, unsigned field, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_key(p, field, FIXED64);
    put_fixed(p, bits, sizeof bits);
}

void ecc_protobuf_bytes(struct ecc_protobuf *p, unsigned field, const void *bytes, size_t size)
{
    put_key(p, field, BYTES);
    put_varint(p, size);
    put(p, bytes, size);
}

void ecc_protobuf_text(struct ecc_protobuf *p, unsigned field, const char *text)
{
    ecc_protobuf_bytes(p, field, text, strlen(text));
}

/* ---- Messages ------------------------------------------------------------------------------- */

size_t ecc_protobuf_begin(struct ecc_protobuf *p, unsigned field)
{
    put_key(p, field, BYTES);
    return p->size;
}

/* The size comes before the message, so that this moves by a few bytes. */
void ecc_protobuf_end(struct ecc_protobuf *p, size_t begun)
{
    if (p->failed) return;
    unsigned char bytes[VARINT_MOST];
    const size_t size = p->size - begun, length = encode_varint(bytes, size);
    put(p, bytes, length);
    if (p->failed) return;
    memmove(p->bytes + begun + length, p->bytes + begun, size);
    memcpy(p->bytes + begun, bytes, length);
}
