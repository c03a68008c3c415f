/* section.c: what one item of the paper comes to, as JSON that both reports are written from. */
#include "reproduce/section.h"
#include "base/text.h"
#include "reproduce/store.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 2000 };

json_t *ecc_json_any(const char *text)
{
    char *const copy = strdup(text);
    if (!copy) return NULL;
    ecc_utf8_repair(copy);
    json_t *const json = json_string(copy);
    free(copy);
    return json;
}

json_t *ecc_section_create(const char *id, const char *title, const char *about)
{
    static const char *const lists[] = {"texts", "tables", "figures", "claims", "missing"};
    json_t *const section = json_object();
    json_object_set_new(section, "id", json_string(id));
    json_object_set_new(section, "title", json_string(title));
    json_object_set_new(section, "about", json_string(about));
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        json_object_set_new(section, lists[i], json_array());
    }
    json_object_set_new(section, "numbers", json_object());
    json_object_set_new(section, "commands", json_array());
    return section;
}

static json_t *format_text(const char *format, va_list values)
{
    char text[TEXT];
    vsnprintf(text, sizeof text, format, values);
    return ecc_json_any(text);
}

void ecc_section_text(json_t *section, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_array_append_new(json_object_get(section, "texts"), format_text(format, values));
    va_end(values);
}

void ecc_section_missing(json_t *section, const char *format, ...)
{
    json_t *const list = json_object_get(section, "missing");
    va_list values;
    va_start(values, format);
    json_t *const text = format_text(format, values);
    va_end(values);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), text)) {
            json_decref(text);
            return;
        }
    }
    json_array_append_new(list, text);
}

json_t *ecc_section_table_columns(json_t *section, const char *title, const char *const *columns)
{
    json_t *const table = json_object(), *const list = json_array();
    for (; *columns; columns++) json_array_append_new(list, json_string(*columns));
    json_object_set_new(table, "title", json_string(title));
    json_object_set_new(table, "columns", list);
    json_object_set_new(table, "rows", json_array());
    json_array_append_new(json_object_get(section, "tables"), table);
    return table;
}

json_t *ecc_table_row(json_t *table)
{
    json_t *const row = json_array();
    json_array_append_new(json_object_get(table, "rows"), row);
    return row;
}

void ecc_row_cell(json_t *row, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_array_append_new(row, format_text(format, values));
    va_end(values);
}

void ecc_section_figure(json_t *section, const char *file, const char *format, ...)
{
    json_t *const figure = json_object();
    va_list values;
    va_start(values, format);
    json_object_set_new(figure, "file", json_string(file));
    json_object_set_new(figure, "caption", format_text(format, values));
    va_end(values);
    json_array_append_new(json_object_get(section, "figures"), figure);
}

void ecc_section_claim(json_t *section, const char *claim, const char *paper, const char *ours,
                       enum ecc_judgement judgement, const char *why)
{
    json_t *const entry = json_object();
    json_object_set_new(entry, "claim", ecc_json_any(claim));
    json_object_set_new(entry, "paper", ecc_json_any(paper));
    json_object_set_new(entry, "ours", ecc_json_any(ours));
    json_object_set_new(entry, "verdict", json_string(ecc_judgement_names[judgement]));
    json_object_set_new(entry, "why", ecc_json_any(why));
    json_array_append_new(json_object_get(section, "claims"), entry);
}

json_t *ecc_section_numbers(json_t *section)
{
    return json_object_get(section, "numbers");
}

void ecc_numbers_put(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

/* ---- Where it comes from -------------------------------------------------------------------- */

static void add_command(json_t *section, const struct ecc_task *task)
{
    json_t *const list = json_object_get(section, "commands");
    json_t *const command = ecc_store_command(task);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), command)) {
            json_decref(command);
            return;
        }
    }
    json_array_append_new(list, command);
}

void ecc_section_task(json_t *section, const struct ecc_repro *r, int index)
{
    if (index == ECC_NO_TASK) return;
    const struct ecc_task *const task = &r->tasks[index];
    for (size_t i = 0; i < task->need_count; i++) ecc_section_task(section, r, task->needs[i]);
    add_command(section, task);
    if (task->state == ECC_TASK_FAILED) {
        ecc_section_missing(section, "%s failed: %s", task->name, task->failure);
    } else if (task->state != ECC_TASK_DONE) {
        ecc_section_missing(section, "%s is not done yet", task->name);
    }
}

void ecc_section_lacks(json_t *section, const struct ecc_repro *r, enum ecc_repro_set set)
{
    const struct ecc_repro_data *const data = &r->data[set];
    if (!data->missing[0]) return;
    ecc_section_missing(section, "%s%s", data->missing,
                        data->what ? "; the built-in glyphs stand in" : "");
}
