/* view.c: how far everything is, on standard error. */
#include "reproduce/view.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double draw_seconds = 0.5;
enum { NAME_COLUMNS = 52 };

const char *ecc_repro_view_duration(char out[32], double seconds)
{
    const long whole = seconds > 0 ? lround(fmin(seconds, 1e9)) : 0;
    if (whole >= 3600) {
        snprintf(out, 32, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    } else {
        snprintf(out, 32, "%ld:%02ld", whole / 60, whole % 60);
    }
    return out;
}

static size_t terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

void ecc_repro_view_start(struct ecc_repro_view *view, const struct ecc_repro *r)
{
    const char *const kind = getenv("TERM");
    *view = (struct ecc_repro_view){.silent = r->options->quiet, .started = ecc_seconds()};
    view->terminal = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->tasks[i].state != ECC_TASK_WAITING) continue;
        view->total++;
        view->expected += r->tasks[i].guess;
    }
}

/* Takes the live lines off the screen. */
static void clear(struct ecc_repro_view *view)
{
    for (; view->live > 0; view->live--) fputs("\033[A\r\033[K", stderr);
}

void ecc_repro_view_started(struct ecc_repro_view *view, const struct ecc_task *task)
{
    if (view->silent || view->terminal) return;
    fprintf(stderr, "%zu/%zu  %s%s\n", view->ended + 1, view->total, task->name,
            task->resumes ? " (goes on)" : "");
}

/* What a finished training is known by. */
static void describe(char *out, size_t size, const struct ecc_task *task)
{
    const json_t *const result = json_object_get(task->result, "result");
    out[0] = '\0';
    if (!task->training || !result) return;
    snprintf(out, size, "  error %.4f  eccentricity %.3f",
             json_number_value(json_object_get(result, "error")),
             json_number_value(json_object_get(result, "eccentricity")));
}

void ecc_repro_view_ended(struct ecc_repro_view *view, const struct ecc_task *task)
{
    char time[32], text[120];
    if (task->state == ECC_TASK_DONE || task->state == ECC_TASK_FAILED) view->ended++;
    if (view->silent) return;
    clear(view);
    if (task->state == ECC_TASK_FAILED) {
        fprintf(stderr, "failed  %s: %s\n", task->name, task->failure);
    } else if (task->state == ECC_TASK_DONE) {
        describe(text, sizeof text, task);
        fprintf(stderr, "done    %-*s %8s%s\n", NAME_COLUMNS, task->name,
                ecc_repro_view_duration(time, task->seconds), text);
    }
}

void ecc_repro_view_ending(struct ecc_repro_view *view)
{
    if (view->silent) return;
    clear(view);
    fprintf(stderr, "ending: what runs is saved first\n");
}

/* One line, cut to the terminal's width. */
static void live_line(struct ecc_repro_view *view, size_t columns, const char *text)
{
    fprintf(stderr, "%.*s\033[K\n", (int)columns - 1, text);
    view->live++;
}

void ecc_repro_view_show(struct ecc_repro_view *view, const struct ecc_repro *r,
                         const struct ecc_child *children, size_t running)
{
    const double now = ecc_seconds();
    if (view->silent || !view->terminal || now - view->drawn < draw_seconds) return;
    const size_t columns = terminal_columns();
    char line[600], said[400], gone[32], left[32];
    view->drawn = now;
    clear(view);
    double expected = 0;
    for (size_t i = 0; i < r->count; i++) {
        const enum ecc_task_state state = r->tasks[i].state;
        if (state == ECC_TASK_WAITING || state == ECC_TASK_RUNNING) expected += r->tasks[i].guess;
    }
    for (size_t i = 0; i < running; i++) {
        const struct ecc_task *const task = &r->tasks[children[i].task];
        const double since = now - children[i].started;
        ecc_child_last_line(said, sizeof said, r, task);
        snprintf(line, sizeof line, "        %-*s %8s  %s", NAME_COLUMNS, task->name,
                 ecc_repro_view_duration(gone, since), said);
        live_line(view, columns, line);
        expected -= fmin(since, task->guess);
    }
    snprintf(line, sizeof line, "%zu of %zu done, %s gone, about %s left", view->ended, view->total,
             ecc_repro_view_duration(gone, now - view->started),
             ecc_repro_view_duration(left, expected / (double)r->options->jobs));
    live_line(view, columns, line);
    fflush(stderr);
}

void ecc_repro_view_finish(struct ecc_repro_view *view)
{
    if (!view->silent && view->terminal) clear(view);
}
