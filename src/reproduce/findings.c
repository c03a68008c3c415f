/* findings.c: what was found, put together and written. */
#include "reproduce/findings.h"
#include "base/file.h"
#include "base/machine.h"
#include "reproduce/store.h"

#include <string.h>
#include <time.h>

/* ---- How it was made ------------------------------------------------------------------------ */

/* What this size means, for the reader. */
static json_t *describe_size(const struct ecc_repro *r)
{
    static const char *const formats[] = {
        "A quick look, to see that everything works: data, networks and trainings are reduced "
        "(digits: %s; faces: %s), so most numbers are not comparable with the paper's.",
        "Trainings share the time there was.  Digits: %s.  Faces: %s.  The table of runs says what "
        "each took.",
        "The paper's own settings.  Digits: %s.  Faces: %s.",
    };
    const enum ecc_repro_size size = r->options->size;
    if (r->options->measure_only) {
        return json_string("Trainings that were already there are measured, whoever made them.  "
                           "The commands say how each was made, the table of runs what it took.");
    }
    return json_sprintf(formats[size], ecc_size_about(size, ECC_DIGITS),
                        ecc_size_about(size, ECC_FACES));
}

static void put_circumstances(json_t *results, const struct ecc_repro *r)
{
    static const char *const sizes[] = {"quick", "minutes", "paper"};
    char machine[200], date[40] = "";
    const time_t now = time(NULL);
    struct tm utc;
    double seconds = 0;
    if (gmtime_r(&now, &utc)) strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    ecc_machine_name(machine, sizeof machine);
    for (size_t i = 0; i < r->count; i++) seconds += r->tasks[i].seconds;
    json_object_set_new(results, "program", json_string("eccentric " ECC_VERSION));
    json_object_set_new(results, "made", json_string(date));
    json_object_set_new(results, "machine", ecc_json_any(machine));
    json_object_set_new(results, "size", json_string(sizes[r->options->size]));
    json_object_set_new(results, "about", describe_size(r));
    ecc_json_number(results, "seconds", seconds);
}

/* ---- Runs and verdicts ---------------------------------------------------------------------- */

static json_t *runs_json(const struct ecc_repro *r)
{
    static const char *const keys[] = {"items",        "steps", "epochs",      "seconds", "error",
                                       "eccentricity", "trace", "eigenvalues", "loss"};
    json_t *const list = json_array();
    for (size_t i = 0; i < r->count; i++) {
        const struct ecc_task *const task = &r->tasks[i];
        if (task->step.measure || !task->result) continue;
        json_t *const json = json_pack("{s:s}", "name", task->name);
        json_object_set_new(json, "command", ecc_plan_command(task));
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            json_object_set(json, keys[k], json_object_get(task->result, keys[k]));
        }
        json_array_append_new(list, json);
    }
    return list;
}

json_t *ecc_repro_report_runs(const json_t *results)
{
    const json_t *const runs = json_object_get(results, "runs");
    if (json_array_size(runs) == 0) return NULL;
    struct ecc_section s = ecc_section_start(NULL, "runs", "Runs", "");
    json_t *const table =
        ecc_section_table(&s, "", "run\titems\tepochs\tminutes\terror\teccentricity\ttrace");
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *const run = json_array_get(runs, i);
        ecc_table_row(table, "%s\t%.0f\t%.1f\t%.1f\t%.5f\t%.3f\t%.3f", ecc_get_text(run, "name"),
                      ecc_get_number(run, "items"), ecc_get_number(run, "epochs"),
                      ecc_get_number(run, "seconds") / 60, ecc_get_number(run, "error"),
                      ecc_get_number(run, "eccentricity"), ecc_get_number(run, "trace"));
    }
    return s.json;
}

json_t *ecc_repro_report_claims(const json_t *section)
{
    static const char *const keys[] = {"claim", "paper", "ours", "verdict"};
    const json_t *const claims = json_object_get(section, "claims");
    const char *before = "";
    if (json_array_size(claims) == 0) return NULL;
    json_t *const rows = json_array();
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *const claim = json_array_get(claims, i);
        const char *const why = ecc_get_text(claim, "why");
        json_t *const row = json_array();
        for (size_t k = 0; k < 4; k++) json_array_append(row, json_object_get(claim, keys[k]));
        json_array_append_new(row, json_string(*why && strcmp(why, before) == 0 ? "″" : why));
        json_array_append_new(rows, row);
        before = why;
    }
    return json_pack("{s:s,s:[s,s,s,s,s],s:o}", "title", "Verdicts", "columns", "claim", "paper",
                     "ours", "verdict", "remarks", "rows", rows);
}

/* How many claims came to each verdict. */
static json_t *count_verdicts(const json_t *sections)
{
    json_t *const counts = json_object();
    for (size_t v = 0; v < ECC_JUDGEMENTS; v++) {
        json_int_t count = 0;
        for (size_t s = 0; s < json_array_size(sections); s++) {
            const json_t *const claims = json_object_get(json_array_get(sections, s), "claims");
            for (size_t c = 0; c < json_array_size(claims); c++) {
                count += strcmp(ecc_get_text(json_array_get(claims, c), "verdict"),
                                ecc_judgement_names[v]) == 0;
            }
        }
        json_object_set_new(counts, ecc_judgement_names[v], json_integer(count));
    }
    return counts;
}

/* ---- All ------------------------------------------------------------------------------------ */

static bool is_empty(const json_t *section)
{
    return json_array_size(json_object_get(section, "tables")) == 0 &&
           json_array_size(json_object_get(section, "figures")) == 0 &&
           json_array_size(json_object_get(section, "claims")) == 0 &&
           json_array_size(json_object_get(section, "missing")) == 0;
}

enum ecc_status ecc_repro_report_gather(json_t **results, struct ecc_repro *r,
                                        struct ecc_error *error)
{
    json_t *const sections = json_array();
    enum ecc_status status = ECC_OK;
    *results = json_object();
    for (size_t i = 0; status == ECC_OK && ecc_items[i]; i++) {
        if (!r->chosen[i]) continue;
        const struct ecc_item *const item = ecc_items[i];
        struct ecc_section s = ecc_section_start(r, item->name, item->title, item->about);
        item->make(&s);
        if (s.status != ECC_OK) status = ecc_fail(error, s.status, "%s", s.error.text);
        if (is_empty(s.json)) ecc_section_missing(&s, "nothing of it has been done yet");
        json_array_append_new(sections, s.json);
    }
    put_circumstances(*results, r);
    json_object_set_new(*results, "verdicts", count_verdicts(sections));
    json_object_set_new(*results, "sections", sections);
    json_object_set_new(*results, "runs", runs_json(r));
    return status;
}

static enum ecc_status write_page(const struct ecc_repro *r, const json_t *results,
                                  const char *name, struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, ECC_IN_STORE(r, "", name, ""), error));
    const enum ecc_status status =
        (strcmp(name, "report.md") == 0 ? ecc_repro_report_markdown
                                        : ecc_repro_report_html)(output.stream, results, r, error);
    if (status == ECC_OK) return ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}

enum ecc_status ecc_repro_report_write(const struct ecc_repro *r, const json_t *results,
                                       struct ecc_error *error)
{
    ECC_TRY(ecc_workroom_write_json(results, ECC_RESULTS_DIGITS,
                                    ECC_IN_STORE(r, "", "results.json", ""), error));
    ECC_TRY(write_page(r, results, "report.md", error));
    return write_page(r, results, "report.html", error);
}
