/* reply.c: what the server sends back: bytes with a content type, or JSON. */
#include "explore/reply.h"

#include <stdlib.h>
#include <string.h>

enum ecc_status ecc_reply_reserve(struct ecc_reply *reply, size_t size, const char *type,
                                  struct ecc_error *error)
{
    *reply = (struct ecc_reply){.type = type, .bytes = malloc(size + 1), .size = size};
    return reply->bytes ? ECC_OK : ecc_fail_memory(error, "a reply");
}

enum ecc_status ecc_reply_json(struct ecc_reply *reply, json_t *value, struct ecc_error *error)
{
    char *const text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    if (!text) return ecc_fail_memory(error, "a reply");
    *reply = (struct ecc_reply){
        .type = ECC_TYPE_JSON, .bytes = (unsigned char *)text, .size = strlen(text)};
    return ECC_OK;
}

void ecc_reply_release(struct ecc_reply *reply)
{
    if (!reply->constant) free(reply->bytes);
    *reply = (struct ecc_reply){0};
}

static void put_word(unsigned char *bytes, uint32_t word)
{
    for (size_t i = 0; i < 4; i++) bytes[i] = (unsigned char)(word >> 8 * i);
}

void ecc_put_f32(unsigned char *bytes, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        memcpy(&word, &values[i], sizeof word);
        put_word(bytes + 4 * i, word);
    }
}

void ecc_put_i32(unsigned char *bytes, const int32_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) put_word(bytes + 4 * i, (uint32_t)values[i]);
}
