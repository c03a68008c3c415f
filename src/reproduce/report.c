/* report.c: what was found, put together and written. */
#include "reproduce/report.h"
#include "base/file.h"
#include "base/machine.h"
#include "reproduce/section.h"
#include "reproduce/store.h"
#include "reproduce/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *ecc_repro_report_text(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *ecc_repro_report_remark(const json_t *claims, size_t i)
{
    const char *const why = ecc_repro_report_text(json_array_get(claims, i), "why");
    if (i == 0 || !*why) return why;
    return strcmp(why, ecc_repro_report_text(json_array_get(claims, i - 1), "why")) == 0 ? "″"
                                                                                         : why;
}

/* ---- How it was made ------------------------------------------------------------------------ */

/* What this size means, for the reader. */
static void describe_size(char *out, size_t size, const struct ecc_repro *r)
{
    const struct ecc_recipe *const digits = ecc_recipe_find(r->options->size, ECC_DIGITS),
                                   *const faces = ecc_recipe_find(r->options->size, ECC_FACES);
    if (r->options->measure_only) {
        snprintf(out, size,
                 "Trainings that were there are measured, whoever made them.  How each was made "
                 "stands among the commands, what it took in the table of runs.");
        return;
    }
    switch (r->options->size) {
    case ECC_SIZE_QUICK:
        snprintf(out, size,
                 "A quick look, to see that everything works: data, networks and trainings are "
                 "reduced (digits: %s; faces: %s), so most numbers are not comparable with the "
                 "paper's.",
                 digits->about, faces->about);
        break;
    case ECC_SIZE_MINUTES:
        snprintf(out, size,
                 "Trainings share the time there was.  Digits: %s.  Faces: %s.  What each took "
                 "stands in the table of runs.",
                 digits->about, faces->about);
        break;
    case ECC_SIZE_PAPER:
        snprintf(out, size, "The paper's own settings.  Digits: %s.  Faces: %s.", digits->about,
                 faces->about);
        break;
    }
}

static void put_circumstances(json_t *results, const struct ecc_repro *r)
{
    static const char *const sizes[] = {"quick", "minutes", "paper"};
    char text[800], date[40];
    const time_t now = time(NULL);
    struct tm utc;
    json_object_set_new(results, "program", json_string("eccentric " ECC_VERSION));
    if (gmtime_r(&now, &utc) && strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc)) {
        json_object_set_new(results, "made", json_string(date));
    }
    ecc_machine_name(text, sizeof text);
    json_object_set_new(results, "machine", ecc_json_any(text));
    json_object_set_new(results, "size", json_string(sizes[r->options->size]));
    describe_size(text, sizeof text, r);
    json_object_set_new(results, "about", json_string(text));
    double seconds = 0;
    for (size_t i = 0; i < r->count; i++) seconds += r->tasks[i].seconds;
    ecc_numbers_put(results, "seconds", seconds);
}

/* ---- Runs ----------------------------------------------------------------------------------- */

static json_t *run_json(const struct ecc_task *task)
{
    static const char *const keys[] = {"items",        "steps", "epochs",      "seconds", "error",
                                       "eccentricity", "trace", "eigenvalues", "loss"};
    const json_t *const result = json_object_get(task->result, "result");
    json_t *const json = json_object();
    json_object_set_new(json, "name", json_string(task->name));
    json_object_set_new(json, "command", ecc_store_command(task));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_object_set(json, keys[i], json_object_get(result, keys[i]));
    }
    return json;
}

static json_t *runs_json(const struct ecc_repro *r)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < r->count; i++) {
        if (r->tasks[i].training && r->tasks[i].result) {
            json_array_append_new(list, run_json(&r->tasks[i]));
        }
    }
    return list;
}

/* How many claims came to each verdict. */
static json_t *count_verdicts(const json_t *sections)
{
    json_t *const counts = json_object();
    for (size_t v = 0; v < ECC_JUDGEMENTS; v++) {
        size_t count = 0;
        for (size_t s = 0; s < json_array_size(sections); s++) {
            const json_t *const claims = json_object_get(json_array_get(sections, s), "claims");
            for (size_t c = 0; c < json_array_size(claims); c++) {
                const char *const verdict =
                    ecc_repro_report_text(json_array_get(claims, c), "verdict");
                count += strcmp(verdict, ecc_judgement_names[v]) == 0;
            }
        }
        json_object_set_new(counts, ecc_judgement_names[v], json_integer((json_int_t)count));
    }
    return counts;
}

static bool is_empty(const json_t *section)
{
    static const char *const lists[] = {"tables", "figures", "claims", "missing"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        count += json_array_size(json_object_get(section, lists[i]));
    }
    return count == 0;
}

enum ecc_status ecc_repro_report_gather(json_t **results, const struct ecc_repro *r,
                                        struct ecc_error *error)
{
    json_t *const all = json_object(), *const sections = json_array();
    enum ecc_status status = all && sections ? ECC_OK : ecc_fail_memory(error, "the report");
    for (size_t i = 0; status == ECC_OK && ecc_items[i]; i++) {
        if (!r->chosen[i]) continue;
        const struct ecc_item *const item = ecc_items[i];
        json_t *const section = ecc_section_create(item->name, item->title, item->about);
        status = item->report(r, section, error);
        if (is_empty(section)) ecc_section_missing(section, "nothing of it is there yet");
        json_array_append_new(sections, section);
    }
    put_circumstances(all, r);
    json_object_set_new(all, "verdicts", count_verdicts(sections));
    json_object_set_new(all, "sections", sections);
    json_object_set_new(all, "runs", runs_json(r));
    *results = all;
    return status;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static enum ecc_status write_page(const struct ecc_repro *r, const json_t *results,
                                  const char *name, struct ecc_error *error)
{
    struct ecc_output output;
    char *const path = ecc_path_join(r->options->out, name);
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ecc_output_open(&output, path, error);
    free(path);
    ECC_TRY(status);
    if (strcmp(name, "report.md") == 0) {
        ecc_repro_report_markdown(output.stream, results);
    } else {
        status = ecc_repro_report_html(output.stream, results, r->options->out, error);
    }
    if (status == ECC_OK) return ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}

enum ecc_status ecc_repro_report_write(const struct ecc_repro *r, const json_t *results,
                                       struct ecc_error *error)
{
    char *const path = ecc_path_join(r->options->out, "results.json");
    if (!path) return ecc_fail_memory(error, "a path");
    const enum ecc_status status = ecc_store_write_json(results, path, error);
    free(path);
    ECC_TRY(status);
    ECC_TRY(write_page(r, results, "report.md", error));
    return write_page(r, results, "report.html", error);
}
