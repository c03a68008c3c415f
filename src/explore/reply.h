/* reply.h: what the server sends back: bytes with a content type, or JSON. */
#ifndef ECC_EXPLORE_REPLY_H
#define ECC_EXPLORE_REPLY_H

#include "run/json.h"

#define ECC_TYPE_BYTES "application/octet-stream"
#define ECC_TYPE_JSON "application/json"

struct ecc_reply {
    const char *type;     /* of the content */
    unsigned char *bytes; /* [size], freed by the sender, unless `constant` */
    size_t size;
    bool constant;
};

/* Allocates the reply's bytes. */
enum ecc_status ecc_reply_reserve(struct ecc_reply *reply, size_t size, const char *type,
                                  struct ecc_error *error);
/* Releases the value; fails with out of memory if it is NULL. */
enum ecc_status ecc_reply_json(struct ecc_reply *reply, json_t *value, struct ecc_error *error);
void ecc_reply_release(struct ecc_reply *reply);

/* Little-endian on any machine; bytes: [4 n]. */
void ecc_put_f32(unsigned char *bytes, const float *values, size_t n);
void ecc_put_i32(unsigned char *bytes, const int32_t *values, size_t n);

#endif
