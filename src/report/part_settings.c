/* part_settings.c: everything that decided how the run came out: settings, time, machine. */
#include "report/part.h"
#include "run/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* What a key of config.json means, in a few words. */
static const char *meaning_of(const char *key)
{
    static const char *const others[][2] = {
        {"version", "of the program that trained"},
        {"machine", "on which the training began"},
    };
    const struct ecc_train_setting *const setting = ecc_setting_find(key);
    if (setting) return setting->meaning;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i][0], key) == 0) return others[i][1];
    }
    return "";
}

static void put_value(FILE *out, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING: ecc_html_text(out, json_string_value(value)); break;
    case JSON_INTEGER: fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); break;
    case JSON_REAL: fprintf(out, "%.12g", json_real_value(value)); break;
    case JSON_TRUE: fputs("yes", out); break;
    case JSON_FALSE: fputs("no", out); break;
    case JSON_NULL: break;
    case JSON_ARRAY: fprintf(out, "%zu values", json_array_size(value)); break;
    case JSON_OBJECT: fprintf(out, "%zu settings", json_object_size(value)); break;
    }
}

static void put_setting(FILE *out, const char *section, const char *key, const json_t *value)
{
    char whole[200];
    snprintf(whole, sizeof whole, "%s%s%s", section, *section ? "." : "", key);
    if (strcmp(whole, "net.text") == 0) return; /* below */
    ecc_html_in(out, "<tr><th scope=\"row\"><code>", whole, "</code></th><td>");
    put_value(out, value);
    fprintf(out, "</td><td>%s</td></tr>\n", meaning_of(whole));
}

static void put_settings(FILE *out, json_t *root)
{
    static const char *const heads[] = {"setting", "value", "meaning"};
    const char *key, *inner_key;
    json_t *value, *inner;
    fputs("<details open><summary>All settings, as config.json has them</summary>"
          "<div class=\"scroll\"><table class=\"settings\">\n",
          out);
    ecc_html_heads(out, heads, 3, NULL);
    json_object_foreach(root, key, value)
    {
        if (!json_is_object(value)) put_setting(out, "", key, value);
        json_object_foreach(value, inner_key, inner)
        {
            put_setting(out, key, inner_key, inner);
        }
    }
    fputs("</table></div></details>\n", out);
    const char *const net =
        json_string_value(json_object_get(json_object_get(root, "net"), "text"));
    if (!net) return;
    ecc_html_in(out, "<details><summary>The network, layer by layer</summary><pre>", net,
                "</pre></details>\n");
}

/* ---- Time and machine ----------------------------------------------------------------------- */

static void put_fact(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<tr><th scope=\"row\">%s</th><td>", name);
    ecc_html_text(out, text);
    fputs("</td></tr>\n", out);
}

/* From the run, not from the clock, so that the same run gives the same page. */
static void put_date(FILE *out, const struct ecc_model *m)
{
    struct stat information;
    struct tm utc;
    char date[40];
    if (stat(m->finished ? m->run->model : m->run->checkpoint, &information) != 0) return;
    const time_t when = information.st_mtime;
    if (gmtime_r(&when, &utc) && strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc)) {
        put_fact(out, "weights written", date);
    }
}

static void put_time(FILE *out, const struct ecc_report *page)
{
    char text[32];
    const struct ecc_config *const config = &page->model->run->config;
    const json_t *const machine = json_object_get(config->root, "machine"), *const version =
                                                                                json_object_get(
                                                                                    config->root,
                                                                                    "version");
    double seconds = ecc_report_result(page, "seconds");
    double speed = ecc_report_result(page, "images_per_second");
    if (isnan(seconds)) seconds = ecc_report_last(page, "seconds");
    if (isnan(speed)) speed = ecc_report_last(page, "images_per_second");
    fputs("<h3>Time and machine</h3>\n<div class=\"scroll\"><table class=\"facts\">\n", out);
    if (!isnan(seconds)) put_fact(out, "trained for", ecc_report_duration(text, seconds));
    if (!isnan(speed)) {
        char words[64];
        snprintf(words, sizeof words, "%s items a second",
                 ecc_report_count(text, (uint64_t)fmax(0, speed)));
        put_fact(out, "speed", words);
    }
    put_fact(out, "machine",
             json_is_string(machine) ? json_string_value(machine)
                                     : "not recorded by the version that trained this run");
    if (json_is_string(version)) put_fact(out, "trained by eccentric", json_string_value(version));
    put_fact(out, "page made by eccentric", ECC_VERSION);
    put_date(out, page->model);
    fputs("</table></div>\n", out);
}

/* The command that would train the run again. */
static enum ecc_status put_command(FILE *out, const struct ecc_model *model,
                                   struct ecc_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const command = open_memstream(&text, &size);
    if (!command) return ecc_fail_memory(error, "a command");
    ecc_settings_command(command, &model->options, "NEW-RUN");
    const bool whole = fclose(command) == 0;
    if (whole) ecc_html_text(out, text);
    free(text);
    return whole ? ECC_OK : ecc_fail_memory(error, "a command");
}

static enum ecc_status write_settings(FILE *out, struct ecc_report *page, struct ecc_error *error)
{
    const struct ecc_train_options *const o = &page->model->options;
    ecc_report_how(out, o->minutes > 0
                            ? "This command trains such a run again, on the same data."
                            : "This command trains the run again, on the same data. With the same "
                              "number of threads on the same kind of processor the result is the "
                              "same bit for bit, unless the training was extended.");
    fputs("<pre class=\"command\">", out);
    ECC_TRY(put_command(out, page->model, error));
    fputs("</pre>\n", out);
    if (o->minutes > 0 && o->total_steps > 0) {
        char steps[32];
        fprintf(out,
                "<p class=\"small\">How many steps fit in the time depends on the machine; here "
                "there were %s.</p>\n",
                ecc_report_count(steps, o->total_steps));
    }
    put_time(out, page);
    put_settings(out, page->model->run->config.root);
    return ECC_OK;
}

const struct ecc_report_part ecc_part_settings = {"settings", "Settings, time and machine",
                                                  write_settings};
