/* test_explore_server.c: the explorer's server on a socket: a page for who asks, the door for who
 * only keeps a place or asks too often. */
#include "testing.h"

#include "base/clock.h"
#include "explore/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#define error (&testing_error)

enum { SLOW = 3 };

static int slow[SLOW], good = -1;
static char answer[16384];
static size_t answered;
static double started, last_byte;

/* From 127.0.0.`own`. */
static int call_from(unsigned own, size_t port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in from = {.sin_family = AF_INET};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    from.sin_addr.s_addr = htonl(0x7f000000u + own);
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0 && bind(s, (struct sockaddr *)&from, sizeof from) == 0);
    assert_int_equal(connect(s, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(fcntl(s, F_SETFL, O_NONBLOCK), 0);
    return s;
}

static int call(size_t port)
{
    return call_from(1, port);
}

/* The slow ones send a byte now and then: they are never idle, and never done. */
static void drip(void)
{
    if (ecc_seconds() - last_byte < 0.1) return;
    last_byte = ecc_seconds();
    for (size_t i = 0; i < SLOW; i++) (void)!send(slow[i], "x", 1, MSG_NOSIGNAL);
}

static bool closed(int s)
{
    char bytes[256];
    ssize_t n;
    while ((n = recv(s, bytes, sizeof bytes, 0)) > 0) {
    }
    return n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

static bool all_done(void)
{
    bool done = true;
    drip();
    const ssize_t n = recv(good, answer + answered, sizeof answer - 1 - answered, 0);
    if (n > 0) answered += (size_t)n;
    for (size_t i = 0; i < SLOW; i++) done &= closed(slow[i]);
    return (done && answered > 0) || ecc_seconds() - started > 20;
}

static void test_patience(void **state)
{
    (void)state;
    static const char *const halves[SLOW] = {
        "GET /", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
        "POST /api/decode HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n"};
    static const char whole[] = "GET /main.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const struct ecc_server_options options = {.patience = 1};
    struct ecc_server *server;
    check_ok(ecc_server_create(&server, NULL, &options, error));
    for (size_t i = 0; i < SLOW; i++) {
        slow[i] = call(ecc_server_port(server));
        assert_true(send(slow[i], halves[i], strlen(halves[i]), 0) > 0);
    }
    good = call(ecc_server_port(server));
    assert_true(send(good, whole, strlen(whole), 0) > 0);
    started = ecc_seconds();
    check_ok(ecc_server_run(server, all_done, error));
    assert_true(strncmp(answer, "HTTP/1.1 200 ", 13) == 0);
    for (size_t i = 0; i < SLOW; i++) assert_true(closed(slow[i]));
    assert_true(ecc_seconds() - started < 15);
    for (size_t i = 0; i < SLOW; i++) close(slow[i]);
    close(good);
    ecc_server_free(server);
}

/* ---- Too many connections ------------------------------------------------------------------- */

enum { CROWD = 90 };

static bool one_answered(void)
{
    return recv(good, answer, 13, 0) == 13 || ecc_seconds() - started > 20;
}

static int crowd[CROWD];
static const char *first_words; /* of everybody in the crowd */
static unsigned addresses = 1;  /* that the crowd comes from */

/* Each sends the beginning of a request, or a whole one, and then waits. */
static void gather(size_t port)
{
    for (unsigned i = 0; i < CROWD; i++) {
        crowd[i] = call_from(1 + i % addresses, port);
        (void)!send(crowd[i], first_words, strlen(first_words), MSG_NOSIGNAL);
    }
}

static size_t count_open(void)
{
    size_t left = 0;
    for (size_t i = 0; i < CROWD; i++) left += !closed(crowd[i]);
    return left;
}

static bool a_moment_later(void)
{
    return ecc_seconds() - started > 0.3;
}

/* Whoever comes after a crowd that only waits is served at once. */
static void check_served_after(const char *words)
{
    static const char whole[] = "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct ecc_server *server;
    const struct ecc_server_options options = {.patience = 60};
    check_ok(ecc_server_create(&server, NULL, &options, error));
    first_words = words;
    gather(ecc_server_port(server));
    started = ecc_seconds();
    check_ok(ecc_server_run(server, a_moment_later, error));
    assert_true(count_open() <= ECC_SERVER_CONNECTIONS);
    good = call(ecc_server_port(server));
    assert_true(send(good, whole, strlen(whole), 0) > 0);
    started = ecc_seconds();
    check_ok(ecc_server_run(server, one_answered, error));
    assert_memory_equal(answer, "HTTP/1.1 200 ", 13);
    assert_true(ecc_seconds() - started < 3);
    for (size_t i = 0; i < CROWD; i++) close(crowd[i]);
    close(good);
    ecc_server_free(server);
}

static void test_crowd(void **state)
{
    (void)state;
    check_served_after("");
    check_served_after("GET /");
    check_served_after("GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
    check_served_after("GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"); /* stays connected */
    check_served_after("GET /icon.svg HTTP/1.1\r\nHost: elsewhere\r\n\r\n"); /* refused */
}

/* Strangers have seconds, not a minute, and one who was served keeps its place among them. */
static bool stranger_is_gone(void)
{
    return closed(slow[0]) || ecc_seconds() - started > 20;
}

static void test_strangers(void **state)
{
    (void)state;
    static const char whole[] = "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n";
    struct ecc_server *server;
    check_ok(ecc_server_create(&server, NULL, &(struct ecc_server_options){0}, error));
    good = call(ecc_server_port(server));
    assert_true(send(good, whole, strlen(whole), 0) > 0);
    started = ecc_seconds();
    check_ok(ecc_server_run(server, one_answered, error));
    slow[0] = call(ecc_server_port(server));
    first_words = "GET /";
    gather(ecc_server_port(server));
    started = ecc_seconds();
    check_ok(ecc_server_run(server, stranger_is_gone, error));
    assert_true(ecc_seconds() - started < 15);
    assert_false(closed(good));
    for (size_t i = 0; i < CROWD; i++) close(crowd[i]);
    close(slow[0]);
    close(good);
    ecc_server_free(server);
}

/* ---- On a network --------------------------------------------------------------------------- */

/* A server that all addresses of this machine reach, and a request with its token. */
static struct ecc_server *serve_all(char request[300])
{
    struct ecc_server *server;
    const struct ecc_server_options options = {.address = "0.0.0.0", .patience = 60};
    check_ok(ecc_server_create(&server, NULL, &options, error));
    const char *const token = strchr(ecc_server_url(server) + strlen("http://"), '/');
    snprintf(request, 300, "GET %sicon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n", token);
    return server;
}

static void check_is_served(struct ecc_server *server, const char *request)
{
    assert_true(send(good, request, strlen(request), MSG_NOSIGNAL) > 0);
    started = ecc_seconds();
    check_ok(ecc_server_run(server, one_answered, error));
    assert_memory_equal(answer, "HTTP/1.1 200 ", 13);
    assert_true(ecc_seconds() - started < 3);
}

/* Even with the token, one address cannot take all places: another is served beside it. */
static void test_one_address(void **state)
{
    (void)state;
    char request[300];
    struct ecc_server *const server = serve_all(request);
    first_words = request;
    addresses = 1;
    gather(ecc_server_port(server));
    started = ecc_seconds();
    check_ok(ecc_server_run(server, a_moment_later, error));
    const size_t left = count_open();
    assert_true(left > 0 && left <= 32);
    good = call_from(9, ecc_server_port(server));
    check_is_served(server, request);
    assert_int_equal(count_open(), left); /* nobody had to go */
    for (size_t i = 0; i < CROWD; i++) close(crowd[i]);
    close(good);
    ecc_server_free(server);
}

/* Who knows the token keeps its place when many come who do not, from anywhere. */
static void test_token_before_place(void **state)
{
    (void)state;
    char request[300];
    struct ecc_server *const server = serve_all(request);
    good = call_from(9, ecc_server_port(server));
    check_is_served(server, request);
    addresses = 6;
    static const char *const without[] = {"", "GET /",
                                          "GET /0123/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"};
    for (size_t k = 0; k < 3; k++) {
        first_words = without[k];
        gather(ecc_server_port(server));
        started = ecc_seconds();
        check_ok(ecc_server_run(server, a_moment_later, error));
        assert_true(count_open() <= 16 + 1);
        for (char rest[4096]; recv(good, rest, sizeof rest, 0) > 0;) {
        }
        check_is_served(server, request);
        for (size_t i = 0; i < CROWD; i++) close(crowd[i]);
    }
    addresses = 1;
    close(good);
    ecc_server_free(server);
}

/* ---- Too many requests ---------------------------------------------------------------------- */

enum { MANY = 12, RATE = 2 };

static size_t count(const char *text)
{
    size_t found = 0;
    for (const char *at = answer; (at = strstr(at, text)); at++) found++;
    return found;
}

/* A refusal ends the connection. */
static bool refused(void)
{
    const ssize_t n = recv(good, answer + answered, sizeof answer - 1 - answered, 0);
    if (n > 0) answered += (size_t)n;
    answer[answered] = '\0';
    return count("HTTP/1.1 429 ") > 0 || ecc_seconds() - started > 20;
}

static bool rested(void)
{
    return ecc_seconds() - started > 2.0 / RATE;
}

/* The burst is served, then no more, and again once some time has passed. */
static void test_rate(void **state)
{
    (void)state;
    static const char one[] = "HEAD /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const struct ecc_server_options options = {.rate = RATE};
    struct ecc_server *server;
    check_ok(ecc_server_create(&server, NULL, &options, error));
    good = call(ecc_server_port(server));
    answered = 0;
    for (size_t i = 0; i < MANY; i++) assert_true(send(good, one, strlen(one), 0) > 0);
    started = ecc_seconds();
    check_ok(ecc_server_run(server, refused, error));
    assert_int_equal(count("HTTP/1.1 429 "), 1);
    const size_t served = count("HTTP/1.1 200 ");
    assert_true(served >= 2 * RATE && served < MANY);
    close(good);
    started = ecc_seconds();
    check_ok(ecc_server_run(server, rested, error));
    good = call(ecc_server_port(server));
    assert_true(send(good, one, strlen(one), 0) > 0);
    check_ok(ecc_server_run(server, one_answered, error));
    assert_memory_equal(answer, "HTTP/1.1 200 ", 13);
    close(good);
    ecc_server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patience),           cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_strangers),          cmocka_unit_test(test_one_address),
        cmocka_unit_test(test_token_before_place), cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
