/* server.c: listens, and serves the explorer until told to stop. */
#include "explore/server_internal.h"

#include "base/clock.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* Refuse requests that are not strictly valid HTTP. */
#if MHD_VERSION >= 0x01000000
#define STRICT MHD_OPTION_CLIENT_DISCIPLINE_LVL
#else
#define STRICT MHD_OPTION_STRICT_FOR_CLIENT
#endif

enum {
    IDLE_SECONDS = 30,
    PATIENCE_SECONDS = 60, /* for a request and its reply, even while bytes arrive */
    STRANGER_SECONDS = 5,  /* for the headers of the first request */
    CONNECTION_MEMORY = 1 << 15,
    WAIT_MILLISECONDS = 200,
};

/* ---- Addresses ------------------------------------------------------------------------------ */

struct address {
    bool six, loopback, any;
    struct sockaddr_in four_at;
    struct sockaddr_in6 six_at;
};

static enum ecc_status read_address(struct address *a, const char *text, size_t port,
                                    struct ecc_error *error)
{
    *a = (struct address){.four_at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)},
                          .six_at = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)}};
    if (inet_pton(AF_INET, text, &a->four_at.sin_addr) == 1) {
        const uint32_t number = ntohl(a->four_at.sin_addr.s_addr);
        a->loopback = number >> 24 == 127;
        a->any = number == 0;
        return ECC_OK;
    }
    if (inet_pton(AF_INET6, text, &a->six_at.sin6_addr) == 1) {
        a->six = true;
        a->loopback = memcmp(&a->six_at.sin6_addr, &in6addr_loopback, sizeof in6addr_any) == 0;
        a->any = memcmp(&a->six_at.sin6_addr, &in6addr_any, sizeof in6addr_any) == 0;
        return ECC_OK;
    }
    char quoted[ECC_QUOTE_SIZE];
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the address is %s, expected a numeric one such as 127.0.0.1 or 0.0.0.0",
                    ecc_quote(quoted, text, strlen(text)));
}

enum ecc_status ecc_server_check_address(const char *text, bool *loopback, struct ecc_error *error)
{
    struct address address;
    ECC_TRY(read_address(&address, text, 0, error));
    *loopback = address.loopback;
    return ECC_OK;
}

/* ---- Starting ------------------------------------------------------------------------------- */

static enum ecc_status draw_token(char token[ECC_TOKEN_SIZE], struct ecc_error *error)
{
    unsigned char bytes[(ECC_TOKEN_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return ecc_fail(error, ECC_IO, "cannot get random bytes for a token from the system");
    }
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return ECC_OK;
}

static enum ecc_status start(struct ecc_server *s, const struct address *a, const char *text,
                             size_t port, struct ecc_error *error)
{
    const struct sockaddr *const at =
        a->six ? (const struct sockaddr *)&a->six_at : (const struct sockaddr *)&a->four_at;
    errno = 0;
    s->daemon = MHD_start_daemon(
        a->six ? MHD_USE_IPv6 : MHD_NO_FLAG, 0, NULL, NULL, ecc_exchange_answer, s,
        MHD_OPTION_SOCK_ADDR, at, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(ECC_SERVER_CONNECTIONS + ECC_SERVER_LEAVING), MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        a->loopback ? 0u : (unsigned)ECC_SERVER_PER_ADDRESS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_URI_LOG_CALLBACK, ecc_exchange_begin, s, MHD_OPTION_NOTIFY_COMPLETED,
        ecc_exchange_end, s, MHD_OPTION_NOTIFY_CONNECTION, ecc_connection_notify, s, STRICT, 1,
        MHD_OPTION_LISTENING_ADDRESS_REUSE, 0u, MHD_OPTION_END);
    if (!s->daemon) {
        return ecc_fail(error, ECC_IO, "cannot listen on %s, port %zu: %s", text, port,
                        errno ? strerror(errno) : "the web server did not start");
    }
    const union MHD_DaemonInfo *const info =
        MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    s->port = info ? info->port : port;
    return ECC_OK;
}

/* An address to open in a browser: 0.0.0.0 becomes this machine's name. */
static void write_url(struct ecc_server *s, const struct address *a, const char *text)
{
    const char *const host = a->any && s->own_name[0] ? s->own_name : text;
    const bool brackets = a->six && host == text;
    snprintf(s->url, sizeof s->url, "http://%s%s%s:%zu/%s%s", brackets ? "[" : "", host,
             brackets ? "]" : "", s->port, s->token, s->token[0] ? "/" : "");
}

static enum ecc_status set_up(struct ecc_server *s, const struct ecc_server_options *options,
                              struct ecc_error *error)
{
    const char *const text = options->address ? options->address : "127.0.0.1";
    struct address address;
    ECC_TRY(read_address(&address, text, options->port, error));
    s->loopback = address.loopback;
    s->framed = options->framed;
    s->patience = options->patience > 0 ? options->patience : PATIENCE_SECONDS;
    s->stranger_patience = s->patience < STRANGER_SECONDS ? s->patience : STRANGER_SECONDS;
    if (!s->loopback) ECC_TRY(draw_token(s->token, error));
    if (gethostname(s->own_name, sizeof s->own_name - 1) != 0) s->own_name[0] = '\0';
    const double rate = options->rate > 0 ? options->rate : ECC_SERVER_RATE;
    s->rate = (struct ecc_rate){rate, 2 * rate, 2 * rate, ecc_seconds()};
    ECC_TRY(start(s, &address, text, options->port, error));
    write_url(s, &address, text);
    return ECC_OK;
}

enum ecc_status ecc_server_create(struct ecc_server **server, struct ecc_space *space,
                                  const struct ecc_server_options *options, struct ecc_error *error)
{
    struct ecc_server *const s = calloc(1, sizeof *s);
    *server = NULL;
    if (!s) return ecc_fail_memory(error, "the server");
    s->space = space;
    const enum ecc_status status = set_up(s, options, error);
    if (status != ECC_OK) {
        ecc_server_free(s);
        return status;
    }
    *server = s;
    return ECC_OK;
}

void ecc_server_free(struct ecc_server *s)
{
    if (!s) return;
    if (s->daemon) MHD_stop_daemon(s->daemon);
    free(s);
}

const char *ecc_server_url(const struct ecc_server *s)
{
    return s->url;
}

size_t ecc_server_port(const struct ecc_server *s)
{
    return s->port;
}

enum ecc_status ecc_server_run(struct ecc_server *s, bool (*stop)(void), struct ecc_error *error)
{
    while (!stop()) {
        ecc_connections_sweep(s, ecc_seconds());
        if (MHD_run_wait(s->daemon, WAIT_MILLISECONDS) == MHD_YES || stop()) continue;
        return ecc_fail(error, ECC_IO, "the web server cannot continue: %s", strerror(errno));
    }
    return ECC_OK;
}
