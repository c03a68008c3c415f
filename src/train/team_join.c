/* team_join.c: joins the processes that mpirun or srun started, by a plugin that is loaded then. */
#include "train/team.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char plugin[] = "libeccentric_team_mpi.so";

/* Number of processes and of this one, as launchers leave them.  srun sets its own in a step only,
 * so that a program in a batch script is alone. */
static const char *const launchers[][2] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_SIZE", "PMI_RANK"},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};

int ecc_team_started(int *rank)
{
    *rank = 0;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        const char *const size = getenv(launchers[i][0]), *const own = getenv(launchers[i][1]);
        if (!size || atoi(size) < 2) continue;
        *rank = own ? atoi(own) : 0;
        return atoi(size);
    }
    return 1;
}

/* ---- The plugin ----------------------------------------------------------------------------- */

/* MPI loads parts of its own, which look for its symbols among the global ones. */
static void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

/* Beside the program, in the directories beside that, or where the system looks. */
static void *open_plugin(void)
{
    static const char *const places[] = {"", "../lib/eccentric/", "../lib/", NULL};
    char self[4096], path[4096 + 100];
    const char *const given = getenv("ECCENTRIC_TEAM");
    if (given && *given) return open_library(given);
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) self[length] = '\0';
    char *const slash = length > 0 ? strrchr(self, '/') : NULL;
    if (slash) slash[1] = '\0';
    for (size_t i = 0; slash && places[i]; i++) {
        snprintf(path, sizeof path, "%s%s%s", self, places[i], plugin);
        if (access(path, F_OK) == 0) return open_library(path);
    }
    snprintf(path, sizeof path, "%s/%s", ECC_PLUGIN_DIRECTORY, plugin);
    return open_library(access(path, F_OK) == 0 ? path : plugin);
}

static enum ecc_status load(struct ecc_team *team, int started, struct ecc_error *error)
{
    team->library = open_plugin();
    if (!team->library) {
        const char *const why = dlerror();
        return ecc_fail(error, ECC_IO,
                        "%d processes were started to train together, but the plugin that connects "
                        "them cannot be loaded (%s): install MPI with 'scripts/deps.sh mpi' and "
                        "build again, or name the plugin in ECCENTRIC_TEAM, or start one process",
                        started, why ? why : plugin);
    }
    team->link = dlsym(team->library, ECC_TEAM_LINK_SYMBOL);
    if (team->link && team->link->version == ECC_TEAM_LINK_VERSION) return ECC_OK;
    team->link = NULL;
    return ecc_fail(error, ECC_BAD_DATA,
                    "the plugin that connects processes is not of this version of eccentric: build "
                    "both together");
}

static enum ecc_status connect_all(struct ecc_team *team, int started, struct ecc_error *error)
{
    char text[ECC_TEAM_LINK_TEXT];
    const int code = team->link->join(&team->state, &team->rank, &team->size, &team->local);
    if (code != 0) {
        team->link->describe(text, code);
        return ecc_fail(error, ECC_IO, "the processes cannot be connected: %s", text);
    }
    if (team->size == started) return ECC_OK;
    team->link->name(text);
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "%d processes were started, but %s connects only %d: the plugin was built for "
                    "another MPI than the one that started them",
                    started, text, team->size);
}

enum ecc_status ecc_team_join(struct ecc_team **result, struct ecc_error *error)
{
    int rank;
    const int started = ecc_team_started(&rank);
    *result = NULL;
    if (started < 2) return ECC_OK;
    struct ecc_team *const team = malloc(sizeof *team);
    if (!team) return ecc_fail_memory(error, "a team");
    *team = ecc_team_alone();
    enum ecc_status status = load(team, started, error);
    if (status == ECC_OK) status = connect_all(team, started, error);
    if (status != ECC_OK) {
        ecc_team_leave(team);
        return status;
    }
    *result = team;
    return ECC_OK;
}

/* The library stays: MPI must not be unloaded. */
void ecc_team_leave(struct ecc_team *team)
{
    if (!team) return;
    ecc_team_release(team);
    ecc_team_guard_say(team, false);
    if (team->link && team->state) team->link->leave(team->state);
    ecc_team_guard_stop(team); /* not before: another may hang while all take leave */
    free(team);
}
