/* section.c: what one item of the paper comes to, as JSON that both reports are written from. */
#include "reproduce/section.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ecc_section ecc_section_start(struct ecc_repro *r, const char *id, const char *title,
                                     const char *about)
{
    json_t *const json = json_pack("{s:s,s:s,s:s,s:[],s:[],s:[],s:[],s:[],s:{},s:[]}", "id", id,
                                   "title", title, "about", about, "texts", "tables", "figures",
                                   "claims", "missing", "numbers", "commands");
    return (struct ecc_section){.r = r, .json = json};
}

/* ---- Texts ---------------------------------------------------------------------------------- */

static json_t *format_text(const char *format, va_list values)
{
    char text[2000];
    vsnprintf(text, sizeof text, format, values);
    return ecc_json_any(text);
}

/* Takes the text into a list, unless it is there. */
static void append_once(json_t *list, json_t *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), text)) {
            json_decref(text);
            return;
        }
    }
    json_array_append_new(list, text);
}

void ecc_section_text(struct ecc_section *s, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_array_append_new(json_object_get(s->json, "texts"), format_text(format, values));
    va_end(values);
}

void ecc_section_missing(struct ecc_section *s, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    append_once(json_object_get(s->json, "missing"), format_text(format, values));
    va_end(values);
}

void ecc_section_figure(struct ecc_section *s, const char *file, const char *format, ...)
{
    json_t *const figure = json_pack("{s:s}", "file", file);
    va_list values;
    va_start(values, format);
    json_object_set_new(figure, "caption", format_text(format, values));
    va_end(values);
    json_array_append_new(json_object_get(s->json, "figures"), figure);
}

/* ---- Tables and claims ---------------------------------------------------------------------- */

/* Adds what stands between tabs. */
static void add_cells(json_t *row, const char *cells)
{
    for (const char *at = cells;; at++) {
        char cell[300];
        const size_t length = strcspn(at, "\t");
        snprintf(cell, sizeof cell, "%.*s", (int)length, at);
        json_array_append_new(row, ecc_json_any(cell));
        at += length;
        if (!*at) return;
    }
}

json_t *ecc_section_table(struct ecc_section *s, const char *title, const char *columns)
{
    json_t *const table = json_pack("{s:s,s:[],s:[]}", "title", title, "columns", "rows");
    add_cells(json_object_get(table, "columns"), columns);
    json_array_append_new(json_object_get(s->json, "tables"), table);
    return table;
}

static void format_cells(json_t *row, const char *format, va_list values)
{
    char cells[2000];
    vsnprintf(cells, sizeof cells, format, values);
    add_cells(row, cells);
}

json_t *ecc_table_row(json_t *table, const char *format, ...)
{
    json_t *const row = json_array();
    va_list values;
    va_start(values, format);
    format_cells(row, format, values);
    va_end(values);
    json_array_append_new(json_object_get(table, "rows"), row);
    return row;
}

void ecc_row_cells(json_t *row, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    format_cells(row, format, values);
    va_end(values);
}

void ecc_section_claim(struct ecc_section *s, enum ecc_judgement judgement, const char *rule,
                       const char *format, ...)
{
    const char *const remarks = ECC_WHY(&s->fairness);
    char why[ECC_WHY_TEXT + ECC_SAID];
    json_t *const entry = json_object(), *const cells = json_array();
    va_list values;
    va_start(values, format);
    format_cells(cells, format, values);
    va_end(values);
    json_object_set(entry, "claim", json_array_get(cells, 0));
    json_object_set(entry, "paper", json_array_get(cells, 1));
    json_object_set(entry, "ours", json_array_get(cells, 2));
    json_object_set_new(entry, "verdict", json_string(ecc_judgement_names[judgement]));
    snprintf(why, sizeof why, "%s%s%s", rule ? rule : "", rule && *remarks ? "; " : "", remarks);
    json_object_set_new(entry, "why", ecc_json_any(why));
    json_array_append_new(json_object_get(s->json, "claims"), entry);
    json_decref(cells);
}

void ecc_section_runs(struct ecc_section *s, const struct ecc_group *group,
                      enum ecc_repro_set paper_set)
{
    ecc_fairness_group(&s->fairness, s->r, group, paper_set);
}

void ecc_section_fresh(struct ecc_section *s)
{
    s->fairness = (struct ecc_fairness){0};
}

/* ---- Numbers -------------------------------------------------------------------------------- */

json_t *ecc_section_numbers(struct ecc_section *s, const char *key)
{
    json_t *const object = json_object();
    json_object_set_new(json_object_get(s->json, "numbers"), key, object);
    return object;
}

/* ---- Where it comes from -------------------------------------------------------------------- */

void ecc_section_task(struct ecc_section *s, int index)
{
    const struct ecc_task *const task = index == ECC_NO_TASK ? NULL : &s->r->tasks[index];
    if (!task || task->state == ECC_TASK_ABSENT) return;
    for (size_t i = 0; i < task->step.runs.count; i++) {
        ecc_section_task(s, task->step.runs.runs[i]);
    }
    append_once(json_object_get(s->json, "commands"), ecc_plan_command(task));
    if (task->state == ECC_TASK_FAILED) {
        ecc_section_missing(s, "%s failed: %s", task->name, task->failure);
    } else if (task->state != ECC_TASK_DONE) {
        ecc_section_missing(s, "%s is not done yet", task->name);
    }
}

void ecc_section_lacks(struct ecc_section *s, enum ecc_repro_set set)
{
    const struct ecc_repro_data *const data = &s->r->data[set];
    if (!data->missing[0]) return;
    ecc_section_missing(s, "%s%s", data->missing,
                        data->what ? "; the built-in glyphs stand in" : "");
}
