/*
 * progress.c: the progress of a long computation: a bar on a terminal, plain lines elsewhere.
 *
 *   train   45%  [====>     ]  450/1000 steps  12.3/s  0:36  0:44 left  loss -24.71
 *
 * A line is put together from parts in a buffer and written at once.  When the terminal is narrow
 * the least important parts go first.
 */
#include "base/progress.h"
#include "base/clock.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LINE = 512,   /* bytes in a line, at most */
    PART = 160,   /* bytes in a part of it */
    BAR_MIN = 10, /* columns, brackets included */
    BAR_MAX = 32,
    GAP = 2, /* columns between parts */
};
static const double bar_seconds = 0.1, plain_seconds = 10;

/* ---- Numbers as text ------------------------------------------------------------------------ */

/* 0:05, 12:34, 1:02:03, 4d03h. */
static void put_duration(char out[32], double seconds)
{
    const uint64_t whole = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 1000000000;
    const unsigned s = whole % 60, m = whole / 60 % 60;
    const uint64_t h = whole / 3600;
    if (h >= 100) {
        snprintf(out, 32, "%" PRIu64 "d%02" PRIu64 "h", h / 24, h % 24);
    } else if (h > 0) {
        snprintf(out, 32, "%" PRIu64 ":%02u:%02u", h, m, s);
    } else {
        snprintf(out, 32, "%u:%02u", m, s);
    }
}

/* "12.3 steps/s", in brief "12.3/s"; for slow work "2.5 s each". */
static void put_rate(char out[PART], double rate, const char *unit, bool brief)
{
    if (rate >= 1) {
        snprintf(out, PART, "%.*f%s%s/s", rate >= 100 ? 0 : 1, rate, brief ? "" : " ",
                 brief ? "" : unit);
    } else if (rate > 0) {
        snprintf(out, PART, "%.1f s each", 1 / rate);
    }
}

/* The caller's text, without characters that could move the cursor. */
static void put_text(char out[PART], const char *text)
{
    snprintf(out, PART, "%s", text ? text : "");
    ecc_hide_controls(out);
}

/* Columns of UTF-8 text: bytes that start a character. */
static size_t columns(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return count;
}

/* ---- What a line says ----------------------------------------------------------------------- */

enum part { LABEL, PERCENT, BAR, COUNT, RATE, ELAPSED, LEFT, TEXT, PARTS };

/* The first to be dropped when there is no room. */
static const enum part expendable[] = {ELAPSED, RATE, BAR, COUNT, TEXT, LEFT, LABEL, PERCENT};

static double fraction_done(const struct ecc_progress *p)
{
    return p->done < p->total ? (double)p->done / (double)p->total : 1;
}

/* Rounded down, and 100 only when all is done. */
static int percent_done(const struct ecc_progress *p)
{
    const int percent = (int)(100 * fraction_done(p));
    return p->done < p->total && percent > 99 ? 99 : percent;
}

static void put_parts(char part[PARTS][PART], const struct ecc_progress *p, double now,
                      const char *text, bool brief)
{
    char time[32];
    const double elapsed = now - p->started;
    const uint64_t here = p->done > p->skipped ? p->done - p->skipped : 0;
    const double rate = elapsed > 0 ? (double)here / elapsed : 0;
    memset(part, 0, PARTS * sizeof part[0]);
    put_text(part[LABEL], p->label);
    put_text(part[TEXT], text);
    put_rate(part[RATE], rate, p->unit, brief);
    put_duration(time, elapsed);
    snprintf(part[ELAPSED], PART, "%s%s", time, brief ? "" : " elapsed");
    if (p->total == 0) {
        snprintf(part[COUNT], PART, "%" PRIu64 " %s", p->done, p->unit);
        return;
    }
    snprintf(part[PERCENT], PART, brief ? "%3d%%" : "%d%%", percent_done(p));
    snprintf(part[COUNT], PART, "%" PRIu64 "/%" PRIu64 " %s", p->done, p->total, p->unit);
    if (rate > 0 && p->done < p->total) {
        put_duration(time, (double)(p->total - p->done) / rate);
        snprintf(part[LEFT], PART, "%s left", time);
    }
}

/* Appends with a separator; what does not fit into the line is cut off. */
static void append(char line[LINE], const char *separator, const char *text)
{
    const char *pieces[] = {line[0] ? separator : "", text};
    size_t used = strlen(line);
    for (int i = 0; i < 2 && *text; i++) {
        const size_t length = strlen(pieces[i]), room = LINE - 1 - used;
        memcpy(line + used, pieces[i], length < room ? length : room);
        used += length < room ? length : room;
        line[used] = '\0';
    }
}

/* ---- On a terminal -------------------------------------------------------------------------- */

static size_t terminal_width(FILE *stream)
{
    struct winsize size;
    const bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

static size_t line_width(char part[PARTS][PART])
{
    size_t width = 0;
    for (int i = 0; i < PARTS; i++) {
        if (part[i][0]) width += columns(part[i]) + (width ? GAP : 0);
    }
    return width;
}

/* "[====>   ]" of this many columns. */
static void put_bar(char out[PART], double fraction, size_t width)
{
    const size_t inside = width - 2, filled = (size_t)(fraction * (double)inside);
    memset(out, ' ', width);
    memset(out + 1, '=', filled);
    if (filled < inside) out[1 + filled] = '>';
    out[0] = '[';
    out[width - 1] = ']';
    out[width] = '\0';
}

/* Drops parts until the rest fits, then gives the bar what is left over. */
static void fit(char part[PARTS][PART], const struct ecc_progress *p, size_t width)
{
    if (p->total > 0) memset(part[BAR], '=', BAR_MIN);
    for (size_t i = 0; i < PARTS && line_width(part) > width; i++) {
        part[expendable[i]][0] = '\0';
    }
    if (!part[BAR][0]) return;
    size_t room = BAR_MIN + width - line_width(part);
    if (room > BAR_MAX) room = BAR_MAX;
    put_bar(part[BAR], fraction_done(p), room);
}

static void draw_bar(struct ecc_progress *p, double now, const char *text)
{
    char part[PARTS][PART], line[LINE] = "";
    put_parts(part, p, now, text, true);
    fit(part, p, terminal_width(p->stream) - 1); /* the last column would wrap on some */
    for (int i = 0; i < PARTS; i++) {
        char coloured[PART + 16];
        const bool paint = i == BAR && part[i][0] && p->color;
        if (paint) snprintf(coloured, sizeof coloured, "\033[32m%s\033[0m", part[i]);
        append(line, "  ", paint ? coloured : part[i]);
    }
    fprintf(p->stream, "\r%s\033[K", line);
    fflush(p->stream);
    p->shown = true;
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

/* "train: 45%, 450/1000 steps, 12.3 steps/s, 0:36 elapsed, 0:44 left, loss -24.71" */
static void write_plain(struct ecc_progress *p, double now, const char *text, bool last)
{
    char part[PARTS][PART], line[LINE] = "";
    put_parts(part, p, now, text, false);
    if (last) part[LEFT][0] = '\0'; /* of interrupted work */
    append(line, "", part[LABEL]);
    const char *separator = ": ";
    for (int i = PERCENT; i < PARTS; i++) {
        append(line, separator, part[i]);
        if (part[i][0]) separator = ", ";
    }
    fprintf(p->stream, "%s\n", line);
    fflush(p->stream);
}

/* ---- The interface -------------------------------------------------------------------------- */

static bool can_draw(FILE *stream)
{
    const char *terminal = getenv("TERM");
    return isatty(fileno(stream)) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void ecc_progress_start(struct ecc_progress *progress, FILE *stream, enum ecc_progress_style style,
                        const char *label, const char *unit, uint64_t total)
{
    *progress = (struct ecc_progress){.label = label, .unit = unit, .total = total};
    progress->started = progress->drawn = ecc_seconds();
    if (style == ECC_PROGRESS_NONE || !stream) return;
    progress->stream = stream;
    progress->bar = style == ECC_PROGRESS_AUTO && can_draw(stream);
    const char *no_color = getenv("NO_COLOR"); /* no-color.org: set and not empty */
    progress->color = progress->bar && !(no_color && *no_color);
}

void ecc_progress_skip(struct ecc_progress *progress, uint64_t done)
{
    progress->skipped = progress->done = done;
}

void ecc_progress_update(struct ecc_progress *progress, uint64_t done, const char *text)
{
    progress->done = done;
    if (!progress->stream) return;
    const double now = ecc_seconds();
    if (now - progress->drawn < (progress->bar ? bar_seconds : plain_seconds)) return;
    progress->drawn = now;
    if (progress->bar) {
        draw_bar(progress, now, text);
    } else {
        write_plain(progress, now, text, false);
    }
}

void ecc_progress_clear(struct ecc_progress *progress)
{
    if (!progress->shown) return;
    fputs("\r\033[K", progress->stream);
    fflush(progress->stream);
    progress->shown = false;
}

void ecc_progress_end(struct ecc_progress *progress, const char *final_text)
{
    if (!progress->stream) return;
    ecc_progress_clear(progress);
    if (!progress->bar || final_text) write_plain(progress, ecc_seconds(), final_text, true);
    progress->stream = NULL;
}
