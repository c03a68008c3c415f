/* fuzz_request.c: any bytes as a request to the explorer: target, Host and body, a line each. */
#include "explore/request.h"
#include "fuzz.h"

#include <math.h>
#include <strings.h>

/* Up to the next line's end, as a string of its own; *bytes moves on. */
static char *take_line(const uint8_t **bytes, size_t *size)
{
    const uint8_t *const end = *size ? memchr(*bytes, '\n', *size) : NULL;
    const size_t length = end ? (size_t)(end - *bytes) : *size;
    char *const line = malloc(length + 1);
    require(line != NULL);
    if (length) memcpy(line, *bytes, length);
    line[length] = '\0';
    *bytes += length + (end != NULL);
    *size -= length + (end != NULL);
    return line;
}

static void check_values(const struct ecc_request *r)
{
    static const char *const names[] = {"k", "n", "run", "truncation", "from", NULL};
    static const char *const choices[] = {"gaussian", "normal", NULL};
    struct ecc_error error = {0};
    size_t count = 3, choice = 1;
    double number = 1;
    if (ecc_request_check_names(r, names, &error) != ECC_OK) check_sentence(&error);
    if (ecc_request_count(r, &count, "k", 2, 9, &error) != ECC_OK) check_sentence(&error);
    require(count >= 2 && count <= 9);
    if (ecc_request_number(r, &number, "truncation", 0.5, 2, &error) != ECC_OK) {
        check_sentence(&error);
    }
    require(number >= 0.5 && number <= 2);
    if (ecc_request_choice(r, &choice, "from", choices, &error) != ECC_OK) check_sentence(&error);
    require(choice <= 1);
}

static void check_body(const struct ecc_request *r)
{
    struct ecc_error error = {0};
    float *rows;
    uint32_t *items;
    size_t n;
    if (ecc_request_rows(r, &rows, &n, 3, 4, 100, &error) == ECC_OK) {
        require(n >= 1 && n <= 4 && n * 12 == r->body_size);
        for (size_t i = 0; i < 3 * n; i++) require(fabsf(rows[i]) <= 100);
        free(rows);
    } else {
        require(rows == NULL);
        check_sentence(&error);
    }
    if (ecc_request_items(r, &items, &n, 50, 4, &error) == ECC_OK) {
        require(n >= 1 && n <= 4 && n * 4 == r->body_size);
        for (size_t i = 0; i < n; i++) require(items[i] < 50);
        free(items);
    } else {
        require(items == NULL);
        check_sentence(&error);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *const target = take_line(&bytes, &size), *const host = take_line(&bytes, &size);
    struct ecc_request r;
    struct ecc_error error = {0};
    for (size_t token = 0; token < 2; token++) {
        if (ecc_request_parse(&r, target, token ? "token" : NULL, &error) != ECC_OK) {
            check_sentence(&error);
            continue;
        }
        require(target[0] == '/' && strchr(target, '%') == NULL);
        if (r.path) {
            require(r.path > r.text && r.path < r.text + sizeof r.text);
            require(strstr(target, r.path) != NULL &&
                    (!token || strncmp(target, "/token/", 7) == 0));
        }
        check_values(&r);
        r.body = bytes;
        r.body_size = size;
        check_body(&r);
    }
    /* what names a loopback server names any */
    const bool near = ecc_request_host_allowed(host, true, "machine");
    require(!near || ecc_request_host_allowed(host, false, "machine"));
    require(!near || strncasecmp(host, "localhost", 9) == 0 || strncmp(host, "127.", 4) == 0 ||
            host[0] == '[');
    ecc_request_origin_allowed(target, host);
    struct ecc_request_headers headers = {0};
    ecc_request_header(&headers, target, strlen(target), host, strlen(host));
    require(!ecc_request_headers_good(&headers) || (target[0] != '\0' && !strchr(target, ':')));
    free(target);
    free(host);
    return 0;
}
