/*
 * team_link.h: what a plugin gives that connects the processes of a team (team.h).
 *
 * A plugin is a shared library that exports one struct under the name below.  It moves bytes and
 * knows nothing of training: sums, agreements and their order are team.c's.  All calls block, and
 * all processes make the same calls with the same sizes in the same order.
 */
#ifndef ECC_TRAIN_TEAM_LINK_H
#define ECC_TRAIN_TEAM_LINK_H

#include <stddef.h>

enum { ECC_TEAM_LINK_VERSION = 1, ECC_TEAM_LINK_TEXT = 200 };
#define ECC_TEAM_LINK_SYMBOL "ecc_team_link_plugin"

/* Each int is 0, or a code that `describe` puts into words. */
struct ecc_team_link {
    int version;
    /* local: processes on this machine. */
    int (*join)(void **state, int *rank, int *size, int *local);
    /* all: [size, bytes].  This process has filled part `rank`; the others fill theirs. */
    int (*gather)(void *state, void *all, size_t bytes);
    /* to and from: [size, bytes].  Part k of `from` goes to process k; part k of `to` comes from
     * it. */
    int (*exchange)(void *state, void *to, const void *from, size_t bytes);
    int (*broadcast)(void *state, void *data, size_t bytes, int root);
    /* Whether another thread than the one that joined may make these calls, one at a time.  NULL:
     * no. */
    int (*threads)(void *state);
    void (*describe)(char text[ECC_TEAM_LINK_TEXT], int code);
    /* What connects, in words, such as "Open MPI v4.1.4". */
    void (*name)(char text[ECC_TEAM_LINK_TEXT]);
    /* Ends all processes, at once. */
    void (*abort)(void *state, int code);
    void (*leave)(void *state);
};

#endif
