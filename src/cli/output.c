/* output.c: what commands share to report results: JSON, CSV tables, progress, and Ctrl-C. */
#include "cli/output.h"
#include "base/file.h"
#include "base/text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ----------------------------------------------------------------------------------- */

static const size_t json_format = JSON_INDENT(2) | JSON_REAL_PRECISION(15);

/* In JSON, what is no line end and not harmless stands in a string: jansson writes control
 * characters of ASCII as \u001b, and here the others follow. */
static void print_json_text(FILE *out, const char *text)
{
    for (size_t bytes; *text; text += bytes) {
        bytes = ecc_harmless_length(text, strnlen(text, 4));
        if (bytes > 0 || *text == '\n') {
            bytes = bytes ? bytes : 1;
            fwrite(text, 1, bytes, out);
        } else {
            bytes = ecc_utf8_length(text);
            if (bytes == 0) bytes = 1;
            fprintf(out, "\\u%04x", (unsigned)ecc_utf8_code(text, bytes));
        }
    }
}

enum ecc_status ecc_json_print(json_t *value, struct ecc_error *error)
{
    char *const text = value ? json_dumps(value, json_format) : NULL;
    json_decref(value);
    if (!text) return ecc_fail_memory(error, "the results as JSON");
    FILE *const out = ecc_print_stream();
    print_json_text(out, text);
    free(text);
    fputc('\n', out);
    return ferror(out) ? ecc_fail(error, ECC_IO, "cannot print the results as JSON") : ECC_OK;
}

enum ecc_status ecc_json_write(json_t *value, const char *path, struct ecc_error *error)
{
    struct ecc_output output;
    enum ecc_status status = ecc_output_open(&output, path, error);
    if (status == ECC_OK && json_dumpf(value, output.stream, json_format) != 0) {
        status = ecc_fail_errno(error, "write", path);
    }
    if (status == ECC_OK) {
        fputc('\n', output.stream);
        status = ecc_output_commit(&output, error);
    }
    ecc_output_discard(&output);
    json_decref(value);
    return status;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

enum ecc_status ecc_csv_write(const char *path, const char *const *names,
                              const double *const *columns, size_t column_count, size_t rows,
                              struct ecc_error *error)
{
    struct ecc_output output;
    ECC_TRY(ecc_output_open(&output, path, error));
    for (size_t c = 0; c < column_count; c++) {
        fprintf(output.stream, "%s%s", c ? "," : "", names[c]);
    }
    fputc('\n', output.stream);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < column_count; c++) {
            fprintf(output.stream, "%s%.12g", c ? "," : "", columns[c][r]);
        }
        fputc('\n', output.stream);
    }
    return ecc_output_commit(&output, error);
}

/* ---- Progress and interruption -------------------------------------------------------------- */

void ecc_cli_progress(struct ecc_progress *progress, const struct ecc_common *common,
                      const char *label, const char *unit, size_t total)
{
    ecc_progress_start(progress, stderr, common->quiet ? ECC_PROGRESS_NONE : ECC_PROGRESS_AUTO,
                       label, unit, total);
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void ecc_catch_interrupt(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
        struct sigaction before;
        sigemptyset(&action.sa_mask);
        /* a signal that is ignored, as under nohup, stays ignored */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

bool ecc_interrupted(void)
{
    return interrupted != 0;
}
