/* bench_report.c: what `eccentric bench` found, as tables and as JSON. */
#include "cli/bench.h"

size_t *ecc_bench_value(struct ecc_bench_row *row, enum ecc_bench_axis axis)
{
    return axis == ECC_BENCH_THREADS ? &row->threads
           : axis == ECC_BENCH_BATCH ? &row->batch
                                     : &row->latent;
}

static const char *const axis_names[ECC_BENCH_AXES] = {"threads", "batch", "latent"};

static double gflops(const struct ecc_bench_row *row)
{
    return 1e-9 * row->cost.flops / row->seconds;
}

static double items_per_second(const struct ecc_bench_row *row)
{
    return (double)row->batch / row->seconds;
}

/* ---- Words ---------------------------------------------------------------------------------- */

static void print_axis(struct ecc_bench_result *result, enum ecc_bench_axis axis)
{
    const bool net = result->kind->has_net, threads = axis == ECC_BENCH_THREADS;
    const char *const name = !net && axis == ECC_BENCH_BATCH ? "points" : axis_names[axis];
    printf("\n  %8s %12s %12s %9s %8s%s\n", name, "ms", net ? "images/s" : "points/s", "GFLOP/s",
           "of peak", threads ? "  speed-up" : "");
    const double first = result->rows[axis][0].seconds;
    for (size_t i = 0; i < result->counts[axis]; i++) {
        struct ecc_bench_row *const row = &result->rows[axis][i];
        printf("  %8zu %12.4g %12.0f %9.1f %7.0f%%", *ecc_bench_value(row, axis),
               1e3 * row->seconds, items_per_second(row), gflops(row),
               100 * gflops(row) / row->peak_gflops);
        if (threads) printf(" %8.2fx", first / row->seconds);
        putchar('\n');
    }
}

void ecc_bench_print(struct ecc_bench_result *result)
{
    const struct ecc_bench_row *const row = &result->main;
    const struct ecc_bench_kind *const kind = result->kind;
    const bool net = kind->has_net;
    printf("%s: one %s\n", kind->name, kind->shows);
    if (net) printf("  net           %s\n", result->net);
    if (result->data) printf("  data          %s\n", result->data);
    printf("  %-13s %zu, latent size %zu, %zu thread%s\n", net ? "batch" : "points", row->batch,
           row->latent, row->threads, row->threads == 1 ? "" : "s");
    printf("  time          %.4g ms, %.0f %s/s\n", 1e3 * row->seconds, items_per_second(row),
           net ? "images" : "points");
    printf("  GFLOP/s       %.1f (%s)\n", gflops(row), kind->counted);
    printf("  of peak       %.0f%% of %.1f GFLOP/s, what sgemm reaches here on as many threads\n",
           100 * gflops(row) / row->peak_gflops, row->peak_gflops);
    printf("  memory        %.1f MB planned once\n", 1e-6 * (double)row->cost.bytes);
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        print_axis(result, (enum ecc_bench_axis)axis);
    }
    putchar('\n');
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void set_row(json_t *json, const struct ecc_bench_row *row)
{
    ecc_json_count(json, "threads", row->threads);
    ecc_json_count(json, "batch", row->batch);
    ecc_json_count(json, "latent", row->latent);
    ecc_json_number(json, "seconds", row->seconds);
    ecc_json_number(json, "images_per_second", items_per_second(row));
    ecc_json_number(json, "gflops", gflops(row));
    ecc_json_number(json, "peak_gflops", row->peak_gflops);
    ecc_json_number(json, "peak_share", gflops(row) / row->peak_gflops);
    ecc_json_count(json, "bytes", row->cost.bytes);
}

json_t *ecc_bench_json(struct ecc_bench_result *result)
{
    json_t *const json = json_object(), *const scaling = json_object();
    ecc_json_text(json, "bench", result->kind->name);
    if (result->kind->has_net) ecc_json_text(json, "net", result->net);
    if (result->data) ecc_json_text(json, "data", result->data);
    set_row(json, &result->main);
    for (int axis = 0; axis < ECC_BENCH_AXES; axis++) {
        json_t *const list = json_array();
        for (size_t i = 0; i < result->counts[axis]; i++) {
            json_t *const row = json_object();
            set_row(row, &result->rows[axis][i]);
            json_array_append_new(list, row);
        }
        json_object_set_new(scaling, axis_names[axis], list);
    }
    json_object_set_new(json, "scaling", scaling);
    return json;
}
