/*
 * library_pages.c: the commands whose result is a page or a picture, done through the installed
 * libraries alone; library_pages.py compares.   usage: library_pages RUN OTHER_RUN TABLE.csv
 *
 * Writes into the current directory: grid.png, report.html, page.html, projector/, compare/,
 * reproduce/, and the results of the last two as compare.json and reproduce.json.  Figures go to
 * standard output as JSON.  Then it serves RUN, its address on the last line, until a file named
 * `stop` is there.
 */
#include <eccentric_pages.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct ecc_error error;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != ECC_OK) {                                                                    \
            fprintf(stderr, "%s: %s\n", #call, error.text);                                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void write_text(const char *path, char *text)
{
    FILE *const file = fopen(path, "w");
    if (!text || !file || fputs(text, file) == EOF || fclose(file) != 0) exit(1);
    free(text);
}

static void grid_and_report(const char *run)
{
    const size_t x[] = {1, 0}, y[] = {2};
    const struct ecc_walk_grid grid = {x, y, 2, 1, 1.5};
    const struct ecc_report_options options = {.items = 150, .no_baselines = true, .seed = 3};
    struct ecc_report_result report;
    struct ecc_components components;
    struct ecc_model *model;
    CHECK(ecc_model_open(&model, run, &(struct ecc_model_options){.threads = 1}, &error));
    CHECK(ecc_model_components(model, &components, NULL, NULL, &error));
    CHECK(ecc_draw_grid(model, &components, &grid, "grid.png", &error));
    CHECK(ecc_report_run(&report, model, "report.html", &options, NULL, &error));
    printf("\"report\": [%.17g, %.17g, %zu, %zu],\n", report.error, report.kept,
           report.seen.trained, report.bytes);
    ecc_components_release(&components);
    ecc_model_close(model);
}

static void benchmark(void)
{
    const enum ecc_bench_what what[] = {ECC_BENCH_LOSS};
    struct ecc_bench_options options = ecc_bench_defaults();
    struct ecc_bench_result result;
    options.points = 200;
    options.quick = true;
    options.train.threads = 1;
    CHECK(ecc_bench(&result, what, 1, &options, NULL, &error));
    printf("\"bench\": [%zu, %zu, %zu, %zu, %.17g],\n", result.main.batch, result.main.latent,
           result.main.threads, result.main.bytes, 1e-9 * result.main.flops);
}

static void compare(const char *table)
{
    struct ecc_compare_options options = ecc_compare_defaults();
    const size_t latent = 2;
    char *results;
    options.out = "compare";
    options.methods = "eccentric,none";
    options.latents = &latent;
    options.latent_count = 1;
    options.train.data = table;
    options.train.threads = 1;
    options.train.validation = 1000;
    options.epochs = 2;
    options.lambdas = 2;
    CHECK(ecc_compare(&results, &options, &error));
    write_text("compare.json", results);
}

static void reproduce(void)
{
    const char *const items[] = {"figure1", "figure2"}, *const none = "figure4";
    struct ecc_repro_options options = {.out = "reproduce", .items = items, .item_count = 2};
    char *results;
    CHECK(ecc_reproduce(&results, &options, &error));
    write_text("reproduce.json", results);
    options.items = &none;
    options.item_count = 1;
    if (ecc_reproduce(&results, &options, &error) != ECC_BAD_ARGUMENT || results) exit(1);
}

static bool stopped(void)
{
    return access("stop", F_OK) == 0;
}

static void export_and_explore(const char *const runs[2])
{
    struct ecc_space_request request = {
        .runs = runs, .run_count = 2, .items = 120, .spread = true, .threads = 1, .alone = true};
    struct ecc_one_file_sizes sizes;
    struct ecc_server *server;
    struct ecc_space *space;
    bool sprite;
    CHECK(ecc_space_open(&space, &request, NULL, &error));
    CHECK(ecc_one_file_write(space, "page.html", ECC_WEIGHTS_HALF, &sizes, NULL, &error));
    ecc_space_free(space);
    request.run_count = 1;
    CHECK(ecc_space_open(&space, &request, NULL, &error));
    CHECK(ecc_projector_write(space, "projector", &sprite, NULL, &error));
    ecc_space_free(space);
    request.spread = request.alone = false;
    CHECK(ecc_space_open(&space, &request, NULL, &error));
    CHECK(ecc_server_create(&server, space, &(struct ecc_server_options){0}, &error));
    printf("\"page\": [%zu, %.17g], \"sprite\": %d, \"items\": %zu}\n%s\n", sizes.all,
           sizes.error.most, sprite, ecc_space_items(space), ecc_server_url(server));
    fflush(stdout);
    CHECK(ecc_server_run(server, stopped, &error));
    ecc_server_free(server);
    ecc_space_free(space);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    printf("{");
    grid_and_report(argv[1]);
    benchmark();
    compare(argv[3]);
    reproduce();
    export_and_explore((const char *const[]){argv[1], argv[2]});
    return 0;
}
