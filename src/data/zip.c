/* zip.c: the members of a zip file in memory.  Every offset and size is checked against the file
 * before use. */
#include "data/zip.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    END_SIZE = 22,          /* of the record at the end */
    ENTRY_SIZE = 46,        /* of a directory entry, without its names */
    LOCAL_SIZE = 30,        /* of the header before a member */
    MAX_COMMENT = 65535,    /* that may follow the record at the end */
    MAX_EXPANSION = 1032,   /* the highest compression ratio of deflate */
    SATURATED = 0xffffffff, /* the real number is elsewhere: zip64 */
};

static size_t get2(const unsigned char *b)
{
    return b[0] | (size_t)b[1] << 8;
}

static size_t get4(const unsigned char *b)
{
    return get2(b) | get2(b + 2) << 16;
}

static enum ecc_status bad(const struct ecc_zip *zip, struct ecc_error *error, const char *what,
                           size_t place)
{
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA, "%s is truncated or corrupt: %s (byte %zu)",
                    ecc_quote_path(shown, zip->path), what, place);
}

/* The record at the end, before an optional comment. */
static const unsigned char *find_end(const unsigned char *bytes, size_t size)
{
    if (size < END_SIZE) return NULL;
    const size_t deepest = size - END_SIZE > MAX_COMMENT ? size - END_SIZE - MAX_COMMENT : 0;
    for (size_t at = size - END_SIZE + 1; at-- > deepest;) {
        if (memcmp(bytes + at, "PK\5\6", 4) == 0) return bytes + at;
    }
    return NULL;
}

/* Reads the directory entry at *at and advances it. */
static enum ecc_status read_entry(struct ecc_zip *zip, size_t *at, struct ecc_error *error)
{
    const unsigned char *const entry = zip->bytes + *at;
    if (zip->size - *at < ENTRY_SIZE || memcmp(entry, "PK\1\2", 4) != 0) {
        return bad(zip, error, "a directory entry was expected", *at);
    }
    struct ecc_zip_member *const member = &zip->members[zip->count];
    *member = (struct ecc_zip_member){.name = (const char *)entry + ENTRY_SIZE,
                                      .name_length = get2(entry + 28),
                                      .method = (unsigned)get2(entry + 10),
                                      .crc = (uint32_t)get4(entry + 16),
                                      .packed = get4(entry + 20),
                                      .size = get4(entry + 24),
                                      .offset = get4(entry + 42)};
    const size_t length = ENTRY_SIZE + member->name_length + get2(entry + 30) + get2(entry + 32);
    if (zip->size - *at < length) return bad(zip, error, "a name reaches beyond the end", *at);
    if (get2(entry + 8) & 1) return bad(zip, error, "a member is encrypted", *at);
    if (member->packed == SATURATED || member->size == SATURATED || member->offset == SATURATED) {
        return bad(zip, error, "members above 4 GB cannot be read", *at);
    }
    zip->count++;
    *at += length;
    return ECC_OK;
}

enum ecc_status ecc_zip_open(struct ecc_zip *zip, const unsigned char *bytes, size_t size,
                             const char *path, struct ecc_error *error)
{
    *zip = (struct ecc_zip){.bytes = bytes, .size = size, .path = path};
    const unsigned char *const end = find_end(bytes, size);
    if (!end) return bad(zip, error, "the zip directory at the end is missing", size);
    const size_t count = get2(end + 10);
    size_t at = get4(end + 16);
    if (at >= size && count > 0) return bad(zip, error, "the directory lies beyond the end", at);
    zip->members = calloc(count ? count : 1, sizeof *zip->members);
    if (!zip->members) return ecc_fail_memory(error, "a zip directory");
    for (size_t i = 0; i < count; i++) {
        const enum ecc_status status = read_entry(zip, &at, error);
        if (status == ECC_OK) continue;
        ecc_zip_release(zip);
        return status;
    }
    return ECC_OK;
}

void ecc_zip_release(struct ecc_zip *zip)
{
    free(zip->members);
    zip->members = NULL;
    zip->count = 0;
}

const struct ecc_zip_member *ecc_zip_find(const struct ecc_zip *zip, const char *name)
{
    for (size_t i = 0; i < zip->count; i++) {
        const struct ecc_zip_member *const member = &zip->members[i];
        if (member->name_length == strlen(name) &&
            memcmp(member->name, name, member->name_length) == 0) {
            return member;
        }
    }
    return NULL;
}

/* Where a member's packed bytes start: after the local header, whose names may be longer than the
 * directory's. */
static enum ecc_status find_packed(const unsigned char **packed, const struct ecc_zip *zip,
                                   const struct ecc_zip_member *member, struct ecc_error *error)
{
    const size_t at = member->offset;
    if (at > zip->size || zip->size - at < LOCAL_SIZE ||
        memcmp(zip->bytes + at, "PK\3\4", 4) != 0) {
        return bad(zip, error, "a member was expected", at);
    }
    const unsigned char *const local = zip->bytes + at;
    const size_t start = at + LOCAL_SIZE + get2(local + 26) + get2(local + 28);
    if (start > zip->size || zip->size - start < member->packed) {
        return bad(zip, error, "a member reaches beyond the end", at);
    }
    *packed = zip->bytes + start;
    return ECC_OK;
}

static enum ecc_status unpack(unsigned char *out, const unsigned char *packed,
                              const struct ecc_zip *zip, const struct ecc_zip_member *member,
                              struct ecc_error *error)
{
    if (member->method == 0) {
        memcpy(out, packed, member->size);
    } else {
        ECC_TRY(ecc_inflate_raw(out, member->size, packed, member->packed, zip->path, error));
    }
    uLong sum = crc32(0, NULL, 0);
    sum = crc32_z(sum, out, member->size);
    if (sum == member->crc) return ECC_OK;
    return bad(zip, error, "the checksum of a member is wrong", member->offset);
}

/* Whether a member announces fewer bytes than it has. */
static bool is_too_long(const struct ecc_zip_member *member, const unsigned char *packed,
                        ecc_announced *announced)
{
    unsigned char unpacked[ECC_HEAD_SIZE];
    const bool stored = member->method == 0;
    size_t size = member->packed < sizeof unpacked ? member->packed : sizeof unpacked;
    if (!stored) size = ecc_inflate_head(unpacked, sizeof unpacked, packed, member->packed);
    const size_t total = announced(stored ? packed : unpacked, size);
    return total > 0 && member->size > total;
}

enum ecc_status ecc_zip_extract(unsigned char **out, const struct ecc_zip *zip,
                                const struct ecc_zip_member *member, ecc_announced *announced,
                                struct ecc_error *error)
{
    const unsigned char *packed;
    *out = NULL;
    ECC_TRY(find_packed(&packed, zip, member, error));
    const bool stored = member->method == 0;
    if (!stored && member->method != 8) {
        return bad(zip, error, "a member uses another compression method than deflate",
                   member->offset);
    }
    /* before anything of that size is allocated */
    if (stored ? member->size != member->packed
               : member->size > member->packed * MAX_EXPANSION + 64) {
        return bad(zip, error, "the sizes of a member cannot be right", member->offset);
    }
    if (is_too_long(member, packed, announced)) {
        return bad(zip, error, "a member is longer than the array in it", member->offset);
    }
    unsigned char *const bytes = malloc(member->size ? member->size : 1);
    if (!bytes) return ecc_fail_memory(error, "a member of a zip file");
    const enum ecc_status status = unpack(bytes, packed, zip, member, error);
    if (status != ECC_OK) {
        free(bytes);
        return status;
    }
    *out = bytes;
    return ECC_OK;
}
