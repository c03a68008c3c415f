/* mpi.c: the plugin that connects the processes of a team by MPI (train/team_link.h). */
#include "train/team_link.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 }; /* of one message: MPI counts in int */

struct link {
    MPI_Comm all;
    int size;
    int own;   /* MPI was started here */
    int level; /* of its threads */
};

static int count_local(int *local, MPI_Comm all)
{
    MPI_Comm here;
    int code = MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Comm_size(here, local);
    MPI_Comm_free(&here);
    return code;
}

static int start(struct link *link)
{
    int started, code = MPI_Initialized(&started);
    if (code == MPI_SUCCESS && started) return MPI_Query_thread(&link->level);
    if (code != MPI_SUCCESS) return code;
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &link->level);
    link->own = code == MPI_SUCCESS;
    return code;
}

static int mpi_join(void **state, int *rank, int *size, int *local)
{
    struct link *const link = calloc(1, sizeof *link);
    *state = link;
    if (!link) return MPI_ERR_NO_MEM;
    int code = start(link);
    if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &link->all);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(link->all, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(link->all, rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(link->all, size);
    if (code == MPI_SUCCESS) code = count_local(local, link->all);
    link->size = *size;
    return code == MPI_SUCCESS ? 0 : code;
}

static int mpi_gather(void *state, void *all, size_t bytes)
{
    const struct link *const link = state;
    if (bytes > MOST_BYTES) return MPI_ERR_COUNT;
    return MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int)bytes, MPI_BYTE, link->all);
}

static int mpi_exchange(void *state, void *to, const void *from, size_t bytes)
{
    const struct link *const link = state;
    if (bytes > MOST_BYTES) return MPI_ERR_COUNT;
    return MPI_Alltoall(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, link->all);
}

static int mpi_broadcast(void *state, void *data, size_t bytes, int root)
{
    const struct link *const link = state;
    int code = MPI_SUCCESS;
    for (size_t at = 0; code == MPI_SUCCESS && at < bytes; at += MOST_BYTES) {
        const size_t left = bytes - at, part = left < MOST_BYTES ? left : MOST_BYTES;
        code = MPI_Bcast((char *)data + at, (int)part, MPI_BYTE, root, link->all);
    }
    return code;
}

static int mpi_threads(void *state)
{
    const struct link *const link = state;
    return link->level >= MPI_THREAD_SERIALIZED;
}

static void mpi_describe(char text[ECC_TEAM_LINK_TEXT], int code)
{
    char whole[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, whole, &length) != MPI_SUCCESS) snprintf(whole, 40, "%d", code);
    snprintf(text, ECC_TEAM_LINK_TEXT, "%s", whole);
}

/* The first words, such as "Open MPI v4.1.4" or "MPICH 4.0.2": some tell their whole history. */
static void mpi_name(char text[ECC_TEAM_LINK_TEXT])
{
    char whole[MPI_MAX_LIBRARY_VERSION_STRING] = "MPI";
    int length = 0;
    MPI_Get_library_version(whole, &length);
    whole[strcspn(whole, ",\n")] = '\0';
    const char *const colon = strstr(whole, " Version:"), *number = colon ? colon + 9 : "";
    number += strspn(number, " \t");
    if (colon) whole[colon - whole] = '\0';
    snprintf(text, ECC_TEAM_LINK_TEXT, colon ? "%s %s" : "%s%s", whole, number);
}

static void mpi_abort(void *state, int code)
{
    const struct link *const link = state;
    MPI_Abort(link->all, code);
}

static void mpi_leave(void *state)
{
    struct link *const link = state;
    if (link->own) {
        MPI_Comm_free(&link->all);
        MPI_Finalize();
    }
    free(link);
}

extern const struct ecc_team_link ecc_team_link_plugin;
__attribute__((visibility("default"))) const struct ecc_team_link ecc_team_link_plugin = {
    .version = ECC_TEAM_LINK_VERSION,
    .join = mpi_join,
    .gather = mpi_gather,
    .exchange = mpi_exchange,
    .broadcast = mpi_broadcast,
    .threads = mpi_threads,
    .describe = mpi_describe,
    .name = mpi_name,
    .abort = mpi_abort,
    .leave = mpi_leave,
};
