/*
 * assignment.c: the Hungarian problem by shortest augmenting paths with potentials.
 *
 * Rows enter one after another.  Each takes the cheapest path to a free column, where a step may
 * push the row that holds a column to another one.  Potentials of rows and columns reduce the costs
 * along the path and keep them at 0 or above, so Dijkstra's search works.
 */
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

#define NONE SIZE_MAX

/* Larger entries could make potentials, which are sums of them, infinite. */
static const double largest = 1e290;

struct matching {
    const double *value; /* [rows, columns] */
    size_t rows, columns;
    double sign;       /* -1 to maximise */
    double *of_row;    /* [rows] potentials */
    double *of_column; /* [columns] */
    double *distance;  /* [columns] of the cheapest path found so far */
    size_t *before;    /* [columns] the column before it on that path, NONE for the first */
    size_t *holder;    /* [columns] the row that holds it, NONE while free */
    size_t *open;      /* [columns] those whose distance is not final yet */
};

/* Shortens the paths to open columns by one step from this row; returns the place in `open` of the
 * column that is then nearest. */
static size_t relax(struct matching *m, size_t open_count, size_t row, size_t from,
                    double travelled)
{
    const double *const value = m->value + row * m->columns;
    const double base = travelled - m->of_row[row];
    double least = (double)INFINITY;
    size_t nearest = 0;
    for (size_t i = 0; i < open_count; i++) {
        const size_t j = m->open[i];
        const double length = base + m->sign * value[j] - m->of_column[j];
        if (length < m->distance[j]) {
            m->distance[j] = length;
            m->before[j] = from;
        }
        /* a free column among the nearest ends the search */
        if (m->distance[j] < least || (m->distance[j] == least && m->holder[j] == NONE &&
                                       m->holder[m->open[nearest]] != NONE)) {
            least = m->distance[j];
            nearest = i;
        }
    }
    return nearest;
}

/* After a search that ended at `last`: adjusts the potentials of the columns whose distance is
 * final, and of their rows, by how much longer the path to `last` is. */
static void update_potentials(struct matching *m, size_t open_count, size_t row, size_t last)
{
    const double total = m->distance[last];
    m->of_row[row] += total;
    for (size_t i = open_count; i < m->columns; i++) {
        const size_t j = m->open[i];
        if (j == last) continue;
        m->of_row[m->holder[j]] += total - m->distance[j];
        m->of_column[j] -= total - m->distance[j];
    }
}

static void add_row(struct matching *m, size_t row)
{
    size_t open_count = m->columns, from = NONE, current = row;
    double travelled = 0;
    for (size_t j = 0; j < m->columns; j++) {
        m->open[j] = j;
        m->distance[j] = (double)INFINITY;
    }
    for (;;) {
        const size_t place = relax(m, open_count, current, from, travelled);
        const size_t j = m->open[place];
        /* closed columns gather behind the open ones */
        m->open[place] = m->open[--open_count];
        m->open[open_count] = j;
        from = j;
        travelled = m->distance[j];
        if (m->holder[j] == NONE) break;
        current = m->holder[j];
    }
    update_potentials(m, open_count, row, from);
    /* every row on the path moves one column on */
    for (size_t j = from; j != NONE; j = m->before[j]) {
        m->holder[j] = m->before[j] == NONE ? row : m->holder[m->before[j]];
    }
}

static enum ecc_status check(const double *value, size_t rows, size_t columns,
                             struct ecc_error *error)
{
    if (rows == 0 || rows > columns) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%zu rows and %zu columns, expected at least one row and as many columns "
                        "as rows",
                        rows, columns);
    }
    for (size_t i = 0; i < rows * columns; i++) {
        if (!(fabs(value[i]) <= largest)) { /* or NaN */
            return ecc_fail(error, ECC_BAD_DATA, "the matrix has %g in row %zu, column %zu",
                            value[i], i / columns, i % columns);
        }
    }
    return ECC_OK;
}

static enum ecc_status reserve(struct matching *m, struct ecc_error *error)
{
    m->of_row = calloc(m->rows, sizeof *m->of_row);
    m->of_column = calloc(m->columns, sizeof *m->of_column);
    m->distance = calloc(m->columns, sizeof *m->distance);
    m->before = calloc(m->columns, sizeof *m->before);
    m->holder = calloc(m->columns, sizeof *m->holder);
    m->open = calloc(m->columns, sizeof *m->open);
    if (!m->of_row || !m->of_column || !m->distance || !m->before || !m->holder || !m->open) {
        return ecc_fail_memory(error, "an assignment");
    }
    for (size_t j = 0; j < m->columns; j++) m->holder[j] = NONE;
    return ECC_OK;
}

static void release(struct matching *m)
{
    free(m->of_row);
    free(m->of_column);
    free(m->distance);
    free(m->before);
    free(m->holder);
    free(m->open);
}

enum ecc_status ecc_assignment(size_t *column, double *total, const double *value, size_t rows,
                               size_t columns, bool maximise, struct ecc_error *error)
{
    ECC_TRY(check(value, rows, columns, error));
    struct matching m = {
        .value = value, .rows = rows, .columns = columns, .sign = maximise ? -1 : 1};
    const enum ecc_status status = reserve(&m, error);
    if (status == ECC_OK) {
        for (size_t row = 0; row < rows; row++) add_row(&m, row);
        for (size_t j = 0; j < columns; j++) {
            if (m.holder[j] != NONE) column[m.holder[j]] = j;
        }
        double sum = 0;
        for (size_t row = 0; row < rows; row++) sum += value[row * columns + column[row]];
        if (total) *total = sum;
    }
    release(&m);
    return status;
}
