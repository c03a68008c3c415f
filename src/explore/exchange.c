/* exchange.c: one request and its reply: checks it, collects its body, routes and answers it. */
#include "base/clock.h"
#include "base/text.h"
#include "explore/route.h"
#include "explore/server_internal.h"

#include <stdlib.h>
#include <string.h>

static const char expected_post[] = "expected a POST request",
                  expected_get[] = "expected a GET request";

struct exchange {
    struct ecc_request request;
    enum ecc_status status; /* of the target */
    struct ecc_error error;
    const struct ecc_route *route;
    unsigned char *body; /* [body_room] */
    size_t body_room;
};

void *ecc_exchange_begin(void *server, const char *target, struct MHD_Connection *connection)
{
    (void)connection;
    const struct ecc_server *const s = server;
    struct exchange *const e = calloc(1, sizeof *e);
    if (e) {
        e->status =
            ecc_request_parse(&e->request, target, s->token[0] ? s->token : NULL, &e->error);
    }
    return e;
}

void ecc_exchange_end(void *server, struct MHD_Connection *connection, void **exchange,
                      enum MHD_RequestTerminationCode code)
{
    (void)code;
    struct ecc_server *const s = server;
    struct exchange *const e = *exchange;
    ecc_connection_served(connection);
    if (!e) return;
    s->pending -= e->body_room;
    free(e->body);
    free(e);
    *exchange = NULL;
}

/* ---- Replies -------------------------------------------------------------------------------- */

#define POLICY                                                                                     \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "                \
    "img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors "

static const char *policy(const struct ecc_server *s)
{
    return s->framed ? POLICY "http://localhost:* http://127.0.0.1:*" : POLICY "'none'";
}

static void add_headers(const struct ecc_server *s, struct MHD_Response *response, const char *type,
                        bool page)
{
    static const char *const always[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        MHD_add_response_header(response, always[i][0], always[i][1]);
    }
    MHD_add_response_header(response, "Content-Security-Policy", policy(s));
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", page ? "no-cache" : "no-store");
}

/* The response takes over the reply's bytes. */
static enum MHD_Result send_reply(const struct ecc_server *s, struct MHD_Connection *connection,
                                  unsigned code, struct ecc_reply *reply, const char *allow)
{
    struct MHD_Response *const response = MHD_create_response_from_buffer(
        reply->size, reply->bytes,
        reply->constant ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
    if (!response) {
        ecc_reply_release(reply);
        return MHD_NO;
    }
    add_headers(s, response, reply->type, reply->constant);
    if (allow) MHD_add_response_header(response, "Allow", allow);
    const enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(const struct ecc_server *s, struct MHD_Connection *connection,
                              unsigned code, const char *sentence)
{
    const bool method = code == MHD_HTTP_METHOD_NOT_ALLOWED;
    struct ecc_reply reply = {0};
    json_t *const json = json_object();
    json_object_set_new(json, "error", json_string(sentence));
    if (ecc_reply_json(&reply, json, NULL) != ECC_OK) return MHD_NO;
    return send_reply(s, connection, code, &reply,
                      !method                     ? NULL
                      : sentence == expected_post ? "POST"
                                                  : "GET, HEAD");
}

static unsigned code_of(enum ecc_status status)
{
    switch (status) {
    case ECC_BAD_ARGUMENT:
    case ECC_BAD_DATA: return MHD_HTTP_BAD_REQUEST;
    case ECC_NO_MEMORY: return MHD_HTTP_SERVICE_UNAVAILABLE;
    default: return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

/* ---- Checks, before any of the body is accepted ---------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* MHD uses the first of several, a proxy in front of it perhaps the last: trust neither. */
static enum MHD_Result look_at_header(void *headers, enum MHD_ValueKind kind, const char *name,
                                      size_t name_size, const char *value, size_t value_size)
{
    (void)kind;
    ecc_request_header(headers, name, name_size, value, value_size);
    return MHD_YES;
}

static bool headers_good(struct MHD_Connection *connection)
{
    struct ecc_request_headers headers = {0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, look_at_header, &headers);
    return ecc_request_headers_good(&headers);
}

/* 0, or the status code to refuse it with. */
static unsigned check_sender(struct ecc_server *s, struct MHD_Connection *connection,
                             const struct exchange *e, const char **sentence)
{
    const char *const host = header(connection, "Host");
    if (!ecc_rate_take(&s->rate, ecc_seconds())) {
        *sentence = "too many requests";
        return MHD_HTTP_TOO_MANY_REQUESTS;
    }
    if (!headers_good(connection)) {
        *sentence = "the headers are malformed, or one is given twice";
        return MHD_HTTP_BAD_REQUEST;
    }
    if (!ecc_request_host_allowed(host, s->loopback, s->own_name)) {
        *sentence = "the Host header does not name this server";
        return MHD_HTTP_FORBIDDEN;
    }
    if (!ecc_request_origin_allowed(header(connection, "Origin"), host)) {
        *sentence = "the request comes from another site's page";
        return MHD_HTTP_FORBIDDEN;
    }
    if (e->status != ECC_OK) {
        *sentence = e->error.text;
        return code_of(e->status);
    }
    if (!e->request.path) {
        *sentence = "not found";
        return MHD_HTTP_NOT_FOUND;
    }
    return 0;
}

/* The length of the body must be given in advance, and be small enough. */
static unsigned check_length(struct ecc_server *s, struct MHD_Connection *connection,
                             struct exchange *e, const char **sentence)
{
    const char *const text = header(connection, "Content-Length");
    size_t length = 0;
    if (header(connection, "Transfer-Encoding") || (e->route->post && !text)) {
        *sentence = "expected a Content-Length header";
        return MHD_HTTP_LENGTH_REQUIRED;
    }
    if (text && !ecc_parse_size(text, &length)) {
        *sentence = "the Content-Length is not a number";
        return MHD_HTTP_BAD_REQUEST;
    }
    if (length > e->route->body_most) {
        *sentence = "the body is too large";
        return MHD_HTTP_CONTENT_TOO_LARGE;
    }
    if (length > ECC_SERVER_PENDING - s->pending) {
        *sentence = "too many large requests at once";
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
    e->body = length ? malloc(length) : NULL;
    if (length && !e->body) {
        *sentence = "out of memory";
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
    e->body_room = length;
    s->pending += length;
    return 0;
}

static unsigned check_route(struct exchange *e, const char *method, const char **sentence)
{
    const bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    static const struct ecc_route page = {.path = ""};
    e->route = ecc_asset_find(e->request.path) ? &page : ecc_route_find(e->request.path);
    if (!e->route) {
        *sentence = "not found";
        return MHD_HTTP_NOT_FOUND;
    }
    if (e->route->post ? strcmp(method, "POST") != 0 : !get) {
        *sentence = e->route->post ? expected_post : expected_get;
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    }
    e->status = ecc_request_check_names(&e->request, e->route->names, &e->error);
    *sentence = e->error.text;
    return e->status == ECC_OK ? 0 : code_of(e->status);
}

/* ---- Answering ------------------------------------------------------------------------------ */

static enum MHD_Result answer(struct ecc_server *s, struct MHD_Connection *connection,
                              struct exchange *e)
{
    struct ecc_reply reply = {0};
    const struct ecc_asset *const page = ecc_asset_find(e->request.path);
    if (page) {
        reply = (struct ecc_reply){.type = page->type,
                                   .bytes = (unsigned char *)page->bytes,
                                   .size = page->size,
                                   .constant = true};
        return send_reply(s, connection, MHD_HTTP_OK, &reply, NULL);
    }
    e->request.body = e->body;
    const enum ecc_status status =
        ecc_route_answer(e->route, s->space, &reply, &e->request, &e->error);
    if (status == ECC_OK) return send_reply(s, connection, MHD_HTTP_OK, &reply, NULL);
    ecc_reply_release(&reply);
    return refuse(s, connection, code_of(status), e->error.text);
}

static enum MHD_Result first_call(struct ecc_server *s, struct MHD_Connection *connection,
                                  struct exchange *e, const char *method)
{
    const char *sentence = NULL;
    unsigned code = check_sender(s, connection, e, &sentence);
    if (code == 0) code = check_route(e, method, &sentence);
    if (code == 0) code = check_length(s, connection, e, &sentence);
    if (code == 0) {
        ecc_connection_accepted(connection);
        return MHD_YES;
    }
    e->route = NULL;
    return refuse(s, connection, code, sentence);
}

/* Called once with the headers, then with each part of the body, then once again at its end. */
enum MHD_Result ecc_exchange_answer(void *server, struct MHD_Connection *connection,
                                    const char *url, const char *method, const char *version,
                                    const char *data, size_t *size, void **exchange)
{
    (void)url;
    (void)version;
    struct exchange *const e = *exchange;
    if (!e) return MHD_NO;
    if (!e->route) return first_call(server, connection, e, method);
    if (*size == 0) {
        if (e->request.body_size == e->body_room) return answer(server, connection, e);
        return refuse(server, connection, MHD_HTTP_BAD_REQUEST,
                      "the body is shorter than its Content-Length");
    }
    if (*size > e->body_room - e->request.body_size) return MHD_NO;
    memcpy(e->body + e->request.body_size, data, *size);
    e->request.body_size += *size;
    *size = 0;
    return MHD_YES;
}
