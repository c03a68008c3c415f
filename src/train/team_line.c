/* team_line.c: beats of the processes of a team, over TCP. */
#include "train/team_line.h"
#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const double CONNECT_SECONDS = 2; /* for each address */

static struct sockaddr_in place(uint32_t address, uint32_t port)
{
    struct sockaddr_in at;
    memset(&at, 0, sizeof at);
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = address;
    at.sin_port = (in_port_t)port;
    return at;
}

/* Does not wait, is not inherited, and sends small things at once. */
static int tame(int fd)
{
    const int one = 1;
    if (fd < 0) return fd;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (fcntl(fd, F_SETFL, O_NONBLOCK) == 0) return fd;
    close(fd);
    return -1;
}

/* ---- Listening ------------------------------------------------------------------------------ */

/* All but those that only this machine can reach. */
static void find_addresses(struct ecc_team_contact *contact)
{
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0) return;
    for (const struct ifaddrs *a = all; a && contact->count < ECC_TEAM_ADDRESSES; a = a->ifa_next) {
        if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET) continue;
        if (!(a->ifa_flags & IFF_UP) || (a->ifa_flags & IFF_LOOPBACK)) continue;
        struct sockaddr_in at;
        memcpy(&at, a->ifa_addr, sizeof at);
        contact->address[contact->count++] = at.sin_addr.s_addr;
    }
    freeifaddrs(all);
}

int ecc_team_listen(struct ecc_team_contact *contact, bool within)
{
    struct sockaddr_in at = place(htonl(within ? INADDR_LOOPBACK : INADDR_ANY), 0);
    socklen_t size = sizeof at;
    if (within) contact->address[contact->count++] = at.sin_addr.s_addr;
    if (!within) find_addresses(contact);
    const int fd = tame(socket(AF_INET, SOCK_STREAM, 0));
    if (fd < 0) return -1;
    if (bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, SOMAXCONN) == 0 &&
        getsockname(fd, (struct sockaddr *)&at, &size) == 0) {
        contact->port = at.sin_port;
        return fd;
    }
    close(fd);
    return -1;
}

int ecc_team_accept(int listener)
{
    return tame(accept(listener, NULL, NULL));
}

/* ---- Sending and receiving ------------------------------------------------------------------ */

void ecc_team_line_close(struct ecc_team_line *line)
{
    if (line->fd >= 0) close(line->fd);
    *line = (struct ecc_team_line){.fd = -1};
}

/* What is still to go; true if all has gone. */
static bool flush(struct ecc_team_line *line)
{
    const unsigned char *const from = line->out + sizeof line->out - line->waiting;
    const ssize_t n = line->waiting ? send(line->fd, from, line->waiting, MSG_NOSIGNAL) : 0;
    if (n > 0) line->waiting -= (size_t)n;
    return line->waiting == 0;
}

void ecc_team_line_send(struct ecc_team_line *line, const struct ecc_team_beat *beat)
{
    if (line->fd < 0 || !flush(line)) return;
    memcpy(line->out, beat, sizeof line->out);
    line->waiting = sizeof line->out;
    flush(line);
}

bool ecc_team_line_receive(struct ecc_team_line *line, struct ecc_team_beat *beat, bool *closed)
{
    *closed = false;
    if (line->fd < 0) return false;
    const ssize_t n =
        recv(line->fd, line->in + line->received, sizeof line->in - line->received, 0);
    *closed = n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    if (n > 0) line->received += (size_t)n;
    if (line->received < sizeof line->in) return false;
    memcpy(beat, line->in, sizeof *beat);
    line->received = 0;
    return true;
}

/* ---- Calling -------------------------------------------------------------------------------- */

/* Until the line can be read or written, or the time is over. */
static bool wait_until(int fd, short event, double end)
{
    struct pollfd one = {fd, event, 0};
    const double left = end - ecc_seconds();
    return left > 0 && poll(&one, 1, (int)(1000 * left) + 1) == 1;
}

static bool connect_by(int fd, struct sockaddr_in at, double end)
{
    int problem = 0;
    socklen_t size = sizeof problem;
    if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0) return true;
    if (errno != EINPROGRESS || !wait_until(fd, POLLOUT, end)) return false;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 && problem == 0;
}

/* Whoever answers with the number of the team is process 0. */
static bool greet(struct ecc_team_line *line, const struct ecc_team_beat *own,
                  struct ecc_team_beat *theirs, double end)
{
    bool closed = false;
    ecc_team_line_send(line, own);
    while (!closed && wait_until(line->fd, POLLIN, end)) {
        if (ecc_team_line_receive(line, theirs, &closed)) return theirs->team == own->team;
    }
    return false;
}

bool ecc_team_call(struct ecc_team_line *line, const struct ecc_team_contact *contact,
                   const struct ecc_team_beat *own, struct ecc_team_beat *theirs)
{
    for (uint32_t i = 0; i < contact->count && i < ECC_TEAM_ADDRESSES; i++) {
        const double end = ecc_seconds() + CONNECT_SECONDS;
        *line = (struct ecc_team_line){.fd = tame(socket(AF_INET, SOCK_STREAM, 0))};
        if (line->fd >= 0 && connect_by(line->fd, place(contact->address[i], contact->port), end) &&
            greet(line, own, theirs, end)) {
            return true;
        }
        ecc_team_line_close(line);
    }
    return false;
}
