/* request_host.c: whether headers are well-formed, a Host header names this server, and an Origin
 * its page. */
#include "explore/request.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { HOST_SIZE = 256 };

/* ---- All headers ---------------------------------------------------------------------------- */

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

static bool in_value(char c)
{
    return c == '\t' || ((unsigned char)c >= 32 && c != 127);
}

static bool is_name(const char *name, size_t size, const char *expected)
{
    return size == strlen(expected) && strncasecmp(name, expected, size) == 0;
}

void ecc_request_header(struct ecc_request_headers *h, const char *name, size_t name_size,
                        const char *value, size_t value_size)
{
    if (name_size == 0) h->malformed = true;
    for (size_t i = 0; i < name_size; i++) h->malformed |= !in_name(name[i]);
    for (size_t i = 0; i < value_size; i++) h->malformed |= !in_value(value[i]);
    h->hosts += is_name(name, name_size, "Host");
    h->lengths += is_name(name, name_size, "Content-Length");
    h->encodings += is_name(name, name_size, "Transfer-Encoding");
    h->origins += is_name(name, name_size, "Origin");
}

bool ecc_request_headers_good(const struct ecc_request_headers *h)
{
    return !h->malformed && h->hosts <= 1 && h->lengths + h->encodings <= 1 && h->origins <= 1;
}

/* ---- Host and Origin ------------------------------------------------------------------------ */

static bool is_port(const char *text)
{
    size_t port;
    return ecc_parse_size(text, &port) && port >= 1 && port <= 65535;
}

/* "name", "name:80", "[::1]" or "[::1]:80": the name alone; *bracketed tells which kind. */
static bool cut_host(char name[HOST_SIZE], bool *bracketed, const char *host)
{
    if (strnlen(host, HOST_SIZE) == HOST_SIZE) return false;
    strcpy(name, host);
    *bracketed = name[0] == '[';
    char *port;
    if (*bracketed) {
        char *const end = strchr(name, ']');
        if (!end) return false;
        *end = '\0';
        memmove(name, name + 1, strlen(name));
        port = end + 1;
        if (*port == '\0') return true;
        if (*port++ != ':') return false;
    } else {
        port = strchr(name, ':');
        if (!port) return true;
        *port++ = '\0';
    }
    return is_port(port);
}

bool ecc_request_host_allowed(const char *host, bool loopback, const char *own_name)
{
    char name[HOST_SIZE];
    bool bracketed;
    struct in_addr four;
    struct in6_addr six;
    if (!host || !cut_host(name, &bracketed, host)) return false;
    if (bracketed) {
        if (inet_pton(AF_INET6, name, &six) != 1) return false;
        return !loopback || memcmp(&six, &in6addr_loopback, sizeof six) == 0;
    }
    if (strcasecmp(name, "localhost") == 0) return true;
    if (inet_pton(AF_INET, name, &four) == 1) {
        return !loopback || (ntohl(four.s_addr) >> 24) == 127;
    }
    return !loopback && own_name && own_name[0] && strcasecmp(name, own_name) == 0;
}

bool ecc_request_origin_allowed(const char *origin, const char *host)
{
    if (!origin) return true;
    if (!host || strncmp(origin, "http://", 7) != 0) return false;
    return strcasecmp(origin + 7, host) == 0;
}
