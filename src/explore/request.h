/*
 * request.h: what a request asks for, from its bytes alone: no HTTP library, no file system.
 *
 * A target is "/path?name=value&name=value" of letters, digits and -._~/,: this server needs no
 * others, so it decodes nothing and refuses everything else.  Bodies are little-endian numbers.
 */
#ifndef ECC_EXPLORE_REQUEST_H
#define ECC_EXPLORE_REQUEST_H

#include "base/status.h"

enum {
    ECC_REQUEST_TARGET = 1024, /* longest target, with the final 0 */
    ECC_REQUEST_PAIRS = 8,     /* names with values, at most */
};

struct ecc_request_pair {
    const char *name, *value;
};

struct ecc_request {
    char text[ECC_REQUEST_TARGET]; /* the target, cut into the fields below */
    const char
        *path; /* without slash and token: "", "style.css", "api/decode"; NULL: wrong token */
    struct ecc_request_pair pairs[ECC_REQUEST_PAIRS];
    size_t pair_count;

    const unsigned char *body; /* [body_size], set by the receiver */
    size_t body_size;
};

/* token: what the path must start with ("/TOKEN/..."), or NULL for none.  Fails if the target is
 * malformed. */
enum ecc_status ecc_request_parse(struct ecc_request *request, const char *target,
                                  const char *token, struct ecc_error *error);

/* Fails if a name was given that is not in the list (ending in NULL; NULL: no names). */
enum ecc_status ecc_request_check_names(const struct ecc_request *request, const char *const *names,
                                        struct ecc_error *error);

/* Each leaves *value unchanged if the name was not given. */
enum ecc_status ecc_request_count(const struct ecc_request *request, size_t *value,
                                  const char *name, size_t low, size_t high,
                                  struct ecc_error *error);
enum ecc_status ecc_request_number(const struct ecc_request *request, double *value,
                                   const char *name, double low, double high,
                                   struct ecc_error *error);
enum ecc_status ecc_request_choice(const struct ecc_request *request, size_t *value,
                                   const char *name, const char *const *choices,
                                   struct ecc_error *error);

/* The body as float32 rows: *values: [*n, d], 1 <= *n <= most, each from -limit to limit.  The
 * caller frees *values. */
enum ecc_status ecc_request_rows(const struct ecc_request *request, float **values, size_t *n,
                                 size_t d, size_t most, float limit, struct ecc_error *error);
/* The body as uint32 numbers below `bound`: *values: [*n], 1 <= *n <= most. */
enum ecc_status ecc_request_items(const struct ecc_request *request, uint32_t **values, size_t *n,
                                  size_t bound, size_t most, struct ecc_error *error);

/* Checks the headers of a request, one after the other: valid names, no control characters in
 * values, and no header that matters given twice. */
struct ecc_request_headers {
    size_t hosts, lengths, encodings, origins;
    bool malformed;
};
void ecc_request_header(struct ecc_request_headers *headers, const char *name, size_t name_size,
                        const char *value, size_t value_size);
bool ecc_request_headers_good(const struct ecc_request_headers *headers);

/*
 * Whether a Host header names this server, so that no other site can point its name here.  On a
 * loopback address: localhost, 127.x.x.x or [::1].  Otherwise also any numeric address, and this
 * machine's own name (may be NULL).  Any port, since it may be forwarded.
 */
bool ecc_request_host_allowed(const char *host, bool loopback, const char *own_name);

/* Whether an Origin header, as browsers send it, names a page of this host. */
bool ecc_request_origin_allowed(const char *origin, const char *host);

/* Limits the rate of requests: up to `burst` at once, `rate` per second in the long run. */
struct ecc_rate {
    double rate, burst, left, last;
};
bool ecc_rate_take(struct ecc_rate *rate, double now);

#endif
