/* main.c: the program eccentric: finds the command, runs it, and turns its status into an exit
 * code: 0 done, 1 failed, 2 wrong usage. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/processes.h"
#include "cli/start.h"

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
extern const struct ecc_command
    ecc_command_train,
    ecc_command_encode,
    ecc_command_decode,
    ecc_command_components,
    ecc_command_dims,
    ecc_command_grid,
    ecc_command_sample,
    ecc_command_scatter,
    ecc_command_align,
    ecc_command_classify,
    ecc_command_fid,
    ecc_command_likelihood,
    ecc_command_explore,
    ecc_command_report,
    ecc_command_export,
    ecc_command_compare,
    ecc_command_data_info,
    ecc_command_methods,
    ecc_command_loss,
    ecc_command_simulate,
    ecc_command_theory_radius,
    ecc_command_theory_m,
    ecc_command_theory_force,
    ecc_command_theory_accuracy,
    ecc_command_reproduce,
    ecc_command_bench,
    ecc_command_help;

/* To add a command: write its file, declare its entry above, and add a line here. */
const struct ecc_command *const ecc_commands[] = {
    &ecc_command_train,
    &ecc_command_encode,
    &ecc_command_decode,
    &ecc_command_components,
    &ecc_command_dims,
    &ecc_command_grid,
    &ecc_command_sample,
    &ecc_command_scatter,
    &ecc_command_align,
    &ecc_command_classify,
    &ecc_command_fid,
    &ecc_command_likelihood,
    &ecc_command_explore,
    &ecc_command_report,
    &ecc_command_export,
    &ecc_command_compare,
    &ecc_command_data_info,
    &ecc_command_methods,
    &ecc_command_loss,
    &ecc_command_simulate,
    &ecc_command_theory_radius,
    &ecc_command_theory_m,
    &ecc_command_theory_force,
    &ecc_command_theory_accuracy,
    &ecc_command_reproduce,
    &ecc_command_bench,
    &ecc_command_help,
    NULL,
};
/* clang-format on */

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2 };

/* The command named by the first one or two words; *words says how many. *group is set if the first
 * word only begins two-word names. */
static const struct ecc_command *find_command(int argc, char **argv, int *words, bool *group)
{
    *group = false;
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        const char *const name = (*entry)->name, *const space = strchr(name, ' ');
        const size_t first = space ? (size_t)(space - name) : strlen(name);
        if (strlen(argv[0]) != first || strncmp(argv[0], name, first) != 0) continue;
        *words = space ? 2 : 1;
        if (!space || (argc > 1 && strcmp(argv[1], space + 1) == 0)) return *entry;
        *group = true;
    }
    return NULL;
}

/* Prints what is wrong with the command's name, and the names that exist. */
static int unknown_command(int argc, char **argv, bool group)
{
    const char *names[64];
    size_t count = 0;
    const size_t prefix = strlen(argv[0]) + 1;
    char list[300] = "";
    for (const struct ecc_command *const *entry = ecc_commands; *entry && count < 64; entry++) {
        const char *name = (*entry)->name;
        if (group && (strncmp(name, argv[0], prefix - 1) != 0 || name[prefix - 1] != ' ')) continue;
        names[count++] = group ? name + prefix : name;
        if (group) snprintf(list + strlen(list), sizeof list - strlen(list), " %s", name + prefix);
    }
    char quoted[ECC_QUOTE_SIZE];
    if (group && argc < 2) {
        ecc_print_to(stderr, "eccentric: %s needs one of:%s\n", argv[0], list);
        return WRONG_USAGE;
    }
    const char *const word = group ? argv[1] : argv[0];
    const char *const closest = ecc_closest(word, names, count);
    ecc_print_to(stderr, "eccentric: there is no command %s%s%s", group ? argv[0] : "",
                 group ? " " : "", ecc_quote(quoted, word, strlen(word)));
    if (closest) ecc_print_to(stderr, "; did you mean %s?", closest);
    ecc_print_to(stderr, "\nTry 'eccentric help'.\n");
    return WRONG_USAGE;
}

/* --threads applies to everything that runs in parallel, including BLAS. */
static enum ecc_status run_on_threads(const struct ecc_command *command, void *settings,
                                      const struct ecc_words *words, struct ecc_error *error)
{
    const struct ecc_common *const common = settings;
    if (common->threads > 0) omp_set_num_threads((int)common->threads);
    ECC_TRY(ecc_start_memory(omp_get_max_threads(), error));
    enum ecc_status status = ECC_OK;
    if (ecc_team_rank(ecc_processes()) == 0) { /* the others write nothing */
        status = ecc_places_prepare(command, settings, error);
    }
    if (status == ECC_OK)
        status = command->run(settings, words->operands, words->operand_count, error);
    if (status != ECC_OK) ecc_places_undo(command, settings);
    return status;
}

static int run_command(const struct ecc_command *command, int argc, char **argv)
{
    struct ecc_error error = {0};
    void *const settings = calloc(1, command->settings_size);
    struct ecc_words words = {
        .argc = argc, .argv = argv, .operands = calloc((size_t)argc + 1, sizeof *words.operands)};
    int code = FAILED;
    if (!settings || !words.operands) {
        ecc_print_to(stderr, "eccentric: out of memory\n");
    } else if (ecc_processes_join(command, &error) != ECC_OK) {
        ecc_print_to(stderr, "eccentric: %s\n", error.text);
    } else {
        ((struct ecc_common *)settings)->seed = 1;
        if (command->defaults) command->defaults(settings);
        enum ecc_status usage = ecc_parse_words(command, settings, &words, &error);
        if (usage == ECC_OK && !words.help && command->check)
            usage = command->check(settings, words.operand_count, &error);
        if (usage != ECC_OK) {
            ecc_print_to(stderr, "eccentric: %s%s\nTry 'eccentric %s --help'.\n", error.text,
                         ecc_hint(error.text), command->name);
            code = WRONG_USAGE;
        } else if (words.help) {
            ecc_print_help(command);
            code = DONE;
        } else if (run_on_threads(command, settings, &words, &error) != ECC_OK) {
            ecc_print_to(stderr, "eccentric: %s%s\n", error.text, ecc_hint(error.text));
            if (ecc_usage_was_wrong()) code = WRONG_USAGE;
            ecc_processes_fail(error.text);
        } else {
            code = DONE;
        }
    }
    ecc_processes_leave();
    free(settings);
    free(words.operands);
    return code;
}

/*
 * Waiting threads of OpenMP spin for milliseconds before they sleep, which on a busy machine takes
 * the processor from the threads they wait for.  The runtime reads its settings when it is loaded,
 * so the program starts itself again with a shorter spin, unless the user has set one.
 */
static void spin_less(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
    char self[4096]; /* by its real name, which `ps` and `pkill` then show */
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0 || setenv("GOMP_SPINCOUNT", "10000", 1) != 0) return;
    self[length] = '\0';
    execv(self, argv);
    /* if this fails, everything still works */
}

int main(int argc, char **argv)
{
    spin_less(argv);
    signal(SIGXFSZ, SIG_IGN); /* if a file grows too large, only the write fails */
    for (const struct ecc_command *const *entry = ecc_commands; *entry; entry++) {
        if ((*entry)->prepare) (*entry)->prepare();
    }
    int code, words = 1;
    bool group = false;
    const struct ecc_command *command =
        argc > 1 ? find_command(argc - 1, argv + 1, &words, &group) : NULL;
    if (argc < 2) {
        ecc_print_overview();
        code = WRONG_USAGE;
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        ecc_print_overview();
        code = DONE;
    } else if (strcmp(argv[1], "--version") == 0) {
        ecc_print("eccentric %s\n", ecc_version());
        code = DONE;
    } else if (group && !command && argc > 2 && strcmp(argv[2], "--help") == 0) {
        char *const words_after_help[] = {argv[1]};
        code = run_command(&ecc_command_help, 1, (char **)words_after_help);
    } else if (!command) {
        code = unknown_command(argc - 1, argv + 1, group);
    } else {
        code = run_command(command, argc - 1 - words, argv + 1 + words);
    }
    /* fail if results did not reach the disk or the pipe */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        ecc_print_to(stderr, "eccentric: cannot write the results to standard output\n");
        return FAILED;
    }
    return code;
}
