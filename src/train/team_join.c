/* team_join.c: joins the processes that mpirun or srun started, by a plugin that is loaded then. */
#include "train/team.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What starts processes.  By its variables a process knows how many there are, which it is, and the
 * MPI that finds the others; where two may, the second is taken if the first was not built.  srun
 * sets its own in a step only, so that a program in a batch script is alone.  mpirun may use srun,
 * so srun comes last. */
struct launcher {
    const char *size, *rank;
    const char *also; /* must be set, too, or NULL */
    const char *name;
    const char *families[3];
};

static const struct launcher launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL, "Open MPI's mpirun", {"openmpi"}},
    {"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS", "MPICH's mpirun", {"mpich"}},
    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", NULL, "MVAPICH's mpirun", {"mpich"}},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "PMIX_RANK", "srun", {"openmpi", "mpich"}},
    {"PMI_SIZE", "PMI_RANK", "SLURM_STEP_NUM_TASKS", "srun", {"mpich", "openmpi"}},
    {"PMI_SIZE", "PMI_RANK", NULL, "a launcher for MPICH", {"mpich"}},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", NULL, "srun", {"openmpi", "mpich"}}, /* --mpi=none */
};

enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* The first whose variables are there, or NULL. */
static const struct launcher *find_launcher(void)
{
    for (size_t i = 0; i < LAUNCHERS; i++) {
        const struct launcher *const l = &launchers[i];
        if (getenv(l->size) && (!l->also || getenv(l->also))) return l;
    }
    return NULL;
}

static int number_in(const char *variable)
{
    const char *const text = getenv(variable);
    return text ? atoi(text) : 0;
}

int ecc_team_started(int *rank)
{
    const struct launcher *const l = find_launcher();
    const int size = l ? number_in(l->size) : 1;
    *rank = size > 1 ? number_in(l->rank) : 0;
    return size > 1 ? size : 1;
}

const char *ecc_team_family(void)
{
    const struct launcher *const l = find_launcher();
    return l ? l->families[0] : NULL;
}

/* ---- The plugin ----------------------------------------------------------------------------- */

/* MPI loads parts of its own, which look for its symbols among the global ones. */
static void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

/* Where the plugin of a family is: beside the program, in the directories beside that, or in that
 * of the installation. */
static bool find_plugin(char *path, size_t bytes, const char *family)
{
    static const char *const places[] = {"", "../lib/eccentric/", "../lib/", NULL};
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) self[length] = '\0';
    char *const slash = length > 0 ? strrchr(self, '/') : NULL;
    if (slash) slash[1] = '\0';
    for (size_t i = 0; slash && places[i]; i++) {
        snprintf(path, bytes, "%s%slibeccentric_team_%s.so", self, places[i], family);
        if (access(path, F_OK) == 0) return true;
    }
    snprintf(path, bytes, "%s/libeccentric_team_%s.so", ECC_PLUGIN_DIRECTORY, family);
    return access(path, F_OK) == 0;
}

/* The first that is there; if none is, where the system looks. */
static void *open_plugin(const struct launcher *l)
{
    char path[4096 + 100];
    const char *const given = getenv("ECCENTRIC_TEAM");
    if (given && *given) return open_library(given);
    for (size_t i = 0; l->families[i]; i++) {
        if (find_plugin(path, sizeof path, l->families[i])) return open_library(path);
    }
    snprintf(path, sizeof path, "libeccentric_team_%s.so", l->families[0]);
    return open_library(path);
}

static const char *family_name(const char *family)
{
    return strcmp(family, "openmpi") == 0 ? "Open MPI" : "MPICH";
}

/* Why there is no plugin, and what would help: perhaps the mpirun whose plugin is there. */
static enum ecc_status fail_load(const struct launcher *l, int started, struct ecc_error *error)
{
    char path[4096 + 100];
    const char *const why = dlerror();
    const bool mpich = strcmp(l->families[0], "mpich") == 0, either = l->families[1] != NULL;
    const char *const other = mpich ? "openmpi" : "mpich";
    const bool there = !either && find_plugin(path, sizeof path, other);
    return ecc_fail(error, ECC_IO,
                    "%s started %d processes to train together, but the plugin that connects them "
                    "by %s%s cannot be loaded (%s): install MPI with 'scripts/deps.sh mpi' and "
                    "build again, or name the plugin in ECCENTRIC_TEAM, or %s%sstart one process",
                    l->name, started, family_name(l->families[0]), either ? " or another MPI" : "",
                    why ? why : "not found", there ? "use the mpirun of " : "",
                    there ? (mpich ? "Open MPI, or " : "MPICH, or ") : "");
}

static enum ecc_status load(struct ecc_team *team, const struct launcher *l, int started,
                            struct ecc_error *error)
{
    if (l == &launchers[LAUNCHERS - 1] && !getenv("ECCENTRIC_TEAM")) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "srun started %d processes without telling them how to find one another: "
                        "use srun --mpi=pmix for Open MPI, or srun --mpi=pmi2 for MPICH",
                        started);
    }
    team->library = open_plugin(l);
    if (!team->library) return fail_load(l, started, error);
    team->link = dlsym(team->library, ECC_TEAM_LINK_SYMBOL);
    if (team->link && team->link->version == ECC_TEAM_LINK_VERSION) return ECC_OK;
    team->link = NULL;
    return ecc_fail(error, ECC_BAD_DATA,
                    "the plugin that connects processes is not of this version of eccentric: build "
                    "both together");
}

static enum ecc_status connect_all(struct ecc_team *team, const struct launcher *l, int started,
                                   struct ecc_error *error)
{
    char text[ECC_TEAM_LINK_TEXT];
    const int code = team->link->join(&team->state, &team->rank, &team->size, &team->local);
    if (code != 0) {
        team->link->describe(text, code);
        return ecc_fail(error, ECC_IO, "the processes cannot be connected: %s", text);
    }
    if (team->size == started) return ECC_OK;
    team->link->name(text);
    return ecc_fail(
        error, ECC_BAD_ARGUMENT,
        "%s started %d processes, but %s connects only %d of them: the plugin was built "
        "for another MPI than the one that started them",
        l->name, started, text, team->size);
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
    const struct launcher *const l = find_launcher();
    enum ecc_status status = load(team, l, started, error);
    if (status == ECC_OK) status = connect_all(team, l, started, error);
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
