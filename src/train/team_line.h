/*
 * team_line.h: beats of the processes of a team, over TCP: not by MPI, which may be what hangs.
 *
 * Process 0 listens; the others find it by the addresses that it has told them.  IPv4 only.
 */
#ifndef ECC_TRAIN_TEAM_LINE_H
#define ECC_TRAIN_TEAM_LINE_H

#include "train/team_pulse.h"

enum { ECC_TEAM_ADDRESSES = 8 };

/* Where process 0 can be reached, and what all keep to. */
struct ecc_team_contact {
    uint64_t team;
    double hang, stall;
    uint32_t address[ECC_TEAM_ADDRESSES]; /* in network order, as the port */
    uint32_t count, port;
};

/* A connection; fd is -1 while there is none. */
struct ecc_team_line {
    int fd;
    size_t received, waiting; /* bytes of `in` that have come, of `out` that are still to go */
    unsigned char in[sizeof(struct ecc_team_beat)], out[sizeof(struct ecc_team_beat)];
};

/* Listens and fills in the contact's addresses; within: all processes are on this machine.  The
 * socket, or -1. */
int ecc_team_listen(struct ecc_team_contact *contact, bool within);
/* The next who called, or -1. */
int ecc_team_accept(int listener);
/* Calls process 0, and waits until it has answered; false: it cannot be reached. */
bool ecc_team_call(struct ecc_team_line *line, const struct ecc_team_contact *contact,
                   const struct ecc_team_beat *own, struct ecc_team_beat *theirs);

void ecc_team_line_close(struct ecc_team_line *line);
/* Without waiting: what does not fit is left out. */
void ecc_team_line_send(struct ecc_team_line *line, const struct ecc_team_beat *beat);
/* Whether a beat has come; *closed: and nothing will come any more. */
bool ecc_team_line_receive(struct ecc_team_line *line, struct ecc_team_beat *beat, bool *closed);

#endif
