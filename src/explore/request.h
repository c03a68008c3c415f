/*
 * request.h: what a request asks for, from its bytes alone: no HTTP library, no file system.
 *
 * A target is "/path?name=value&name=value" of letters, digits and -._~/,: nothing that this server
 * knows needs another character, so none is decoded and everything else is refused.  Bodies are
 * little-endian numbers.
 */
#ifndef ECC_EXPLORE_REQUEST_H
#define ECC_EXPLORE_REQUEST_H

#include "base/status.h"

enum {
    ECC_REQUEST_TARGET = 1024, /* longest target, with its end */
    ECC_REQUEST_PAIRS = 8,     /* most names with values */
};

struct ecc_request_pair {
    const char *name, *value;
};

struct ecc_request {
    char text[ECC_REQUEST_TARGET]; /* the target, cut into what follows */
    const char
        *path; /* without slash and token: "", "style.css", "api/decode"; NULL: wrong token */
    struct ecc_request_pair pairs[ECC_REQUEST_PAIRS];
    size_t pair_count;

    const unsigned char *body; /* [body_size], set by who received it */
    size_t body_size;
};

/* token: what the path must start with ("/TOKEN/..."), or NULL: nothing.  A failure is a malformed
 * target. */
enum ecc_status ecc_request_parse(struct ecc_request *request, const char *target,
                                  const char *token, struct ecc_error *error);

/* That only these names (ending in NULL; NULL: none) were given. */
enum ecc_status ecc_request_check_names(const struct ecc_request *request, const char *const *names,
                                        struct ecc_error *error);

/* Each leaves *value as it is where the name was not given. */
enum ecc_status ecc_request_count(const struct ecc_request *request, size_t *value,
                                  const char *name, size_t low, size_t high,
                                  struct ecc_error *error);
enum ecc_status ecc_request_number(const struct ecc_request *request, double *value,
                                   const char *name, double low, double high,
                                   struct ecc_error *error);
enum ecc_status ecc_request_choice(const struct ecc_request *request, size_t *value,
                                   const char *name, const char *const *choices,
                                   struct ecc_error *error);

/* The body as float32 rows: *values: [*n, d], 1 <= *n <= most, each at most `limit` from 0; the
 * caller's to free. */
enum ecc_status ecc_request_rows(const struct ecc_request *request, float **values, size_t *n,
                                 size_t d, size_t most, float limit, struct ecc_error *error);
/* The body as uint32 numbers below `bound`: *values: [*n], 1 <= *n <= most. */
enum ecc_status ecc_request_items(const struct ecc_request *request, uint32_t **values, size_t *n,
                                  size_t bound, size_t most, struct ecc_error *error);

/* All headers of a request, one after the other: whether names are names, values free of control
 * characters, and those that decide something are given once. */
struct ecc_request_headers {
    size_t hosts, lengths, encodings, origins;
    bool malformed;
};
void ecc_request_header(struct ecc_request_headers *headers, const char *name, size_t name_size,
                        const char *value, size_t value_size);
bool ecc_request_headers_good(const struct ecc_request_headers *headers);

/*
 * Whether a Host header names this server, so that no other site's name can be made to point here.
 * On a loopback address: localhost, 127.x.x.x or [::1].  Otherwise also any address in digits, and
 * this machine's own name (may be NULL).  Any port: it may be forwarded.
 */
bool ecc_request_host_allowed(const char *host, bool loopback, const char *own_name);

/* Whether an Origin header, as browsers send it, is the page of this host. */
bool ecc_request_origin_allowed(const char *origin, const char *host);

/* A bound on the rate of requests: up to `burst` at once, `rate` a second in the long run. */
struct ecc_rate {
    double rate, burst, left, last;
};
bool ecc_rate_take(struct ecc_rate *rate, double now);

#endif
