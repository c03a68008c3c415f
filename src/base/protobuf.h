/*
 * protobuf.h: the few encodings of protocol buffers that we write: for TensorBoard and for ONNX.
 *
 *     struct ecc_protobuf p = {0};
 *     ecc_protobuf_text(&p, 2, "name");
 *     const size_t node = ecc_protobuf_begin(&p, 1);      a message inside the message
 *     ecc_protobuf_text(&p, 4, "Conv");
 *     ecc_protobuf_end(&p, node);
 *     if (p.failed) ...                                   there was no memory, now or before
 *     free(p.bytes);
 */
#ifndef ECC_BASE_PROTOBUF_H
#define ECC_BASE_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ecc_protobuf {
    unsigned char *bytes; /* [size] */
    size_t size, room;
    bool failed;
};

void ecc_protobuf_int(struct ecc_protobuf *p, unsigned field, int64_t number);
void ecc_protobuf_float(struct ecc_protobuf *p, unsigned field, float number);
void ecc_protobuf_double(struct ecc_protobuf *p, unsigned field, double number);
void ecc_protobuf_bytes(struct ecc_protobuf *p, unsigned field, const void *bytes, size_t size);
void ecc_protobuf_text(struct ecc_protobuf *p, unsigned field, const char *text);

/* What is written between the two is a message of its own, a field of the one around it. */
size_t ecc_protobuf_begin(struct ecc_protobuf *p, unsigned field);
void ecc_protobuf_end(struct ecc_protobuf *p, size_t begun);

#endif
