/* meaning.c: what the components of a table do to its columns, in their own units and in words. */
#include "eccentric_evaluate.h"

#include "base/text.h"
#include "latent/walk.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns -------------------------------------------------------------------------------- */

static bool name_column(struct ecc_meaning_column *column, const struct ecc_scaling *scaling,
                        size_t feature)
{
    char number[32];
    snprintf(number, sizeof number, "column%zu", feature + 1);
    column->name = strdup(scaling->names ? scaling->names[feature] : number);
    column->deviation = scaling->deviation[feature];
    return column->name != NULL;
}

/* Columns that are not plain numbers. */
static void set_units(struct ecc_meaning *r, const struct ecc_schema *schema)
{
    for (size_t c = 0; schema && c < schema->count; c++) {
        const struct ecc_column *const column = &schema->columns[c];
        for (size_t f = column->first; f < column->first + column->features; f++) {
            if (column->kind == ECC_COLUMN_DATE) r->columns[f].unit = ECC_MEANING_DAYS;
            if (column->kind != ECC_COLUMN_CATEGORY) continue;
            r->columns[f].unit = ECC_MEANING_SHARE;
            r->columns[f].deviation *= 100;
        }
    }
}

/* ---- Changes -------------------------------------------------------------------------------- */

static enum ecc_status measure(struct ecc_meaning *r, struct ecc_model *m,
                               const struct ecc_components *c, struct ecc_error *error)
{
    const size_t d = m->d, size = m->size;
    float *const z = malloc((2 * (d + size) + 1) * sizeof *z), *const x = z ? z + 2 * d : NULL;
    if (!z) return ecc_fail_memory(error, "what the components mean");
    enum ecc_status status = ECC_OK;
    for (size_t l = 0; l < r->count && status == ECC_OK; l++) {
        ecc_walk_strip(c, z, r->components[l], 2, r->deviations);
        status = ecc_model_decode(m, x, z, 2, error);
        for (size_t j = 0; j < size && status == ECC_OK; j++) {
            const double change = ((double)x[size + j] - (double)x[j]) / 2;
            r->standard[l * size + j] = change;
            r->change[l * size + j] = change * r->columns[j].deviation;
        }
    }
    free(z);
    return status;
}

struct ranked {
    double size;
    size_t column;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *const s = a, *const t = b;
    if (s->size != t->size) return s->size > t->size ? -1 : 1;
    return s->column < t->column ? -1 : s->column > t->column;
}

static enum ecc_status rank(struct ecc_meaning *r, struct ecc_error *error)
{
    const size_t n = r->column_count;
    struct ranked *const list = malloc((n + 1) * sizeof *list);
    if (!list) return ecc_fail_memory(error, "what the components mean");
    for (size_t l = 0; l < r->count; l++) {
        for (size_t j = 0; j < n; j++) {
            const double size = fabs(r->standard[l * n + j]);
            list[j] = (struct ranked){isfinite(size) ? size : 0, j};
        }
        qsort(list, n, sizeof *list, compare_ranked);
        for (size_t j = 0; j < n; j++) r->ranking[l * n + j] = list[j].column;
    }
    free(list);
    return ECC_OK;
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status make_room(struct ecc_meaning *r, const struct ecc_model *m,
                                 struct ecc_error *error)
{
    const size_t n = r->column_count = m->size, cells = r->count * n + 1;
    r->components = calloc(r->count + 1, sizeof *r->components);
    r->columns = calloc(n + 1, sizeof *r->columns);
    r->change = calloc(cells, sizeof *r->change);
    r->standard = calloc(cells, sizeof *r->standard);
    r->ranking = calloc(cells, sizeof *r->ranking);
    bool room = r->components && r->columns && r->change && r->standard && r->ranking;
    for (size_t j = 0; room && j < n; j++) room = name_column(&r->columns[j], &m->scaling, j);
    return room ? ECC_OK : ecc_fail_memory(error, "what the components mean");
}

static enum ecc_status check(const struct ecc_model *m, const struct ecc_components *c,
                             const struct ecc_meaning_options *o, struct ecc_error *error)
{
    if (m->scaling.columns == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the run was not trained on a table");
    }
    if (c->d != m->d) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu components do not belong to a run of %zu",
                        c->d, m->d);
    }
    for (size_t l = 0; o->list && l < o->list_count; l++) {
        if (o->list[l] < m->d) continue;
        return ecc_fail(error, ECC_BAD_ARGUMENT, "there is no component p%zu, only %zu of them",
                        o->list[l] + 1, m->d);
    }
    return ECC_OK;
}

enum ecc_status ecc_model_meaning(struct ecc_meaning *r, struct ecc_model *m,
                                  const struct ecc_components *c,
                                  const struct ecc_meaning_options *options,
                                  struct ecc_error *error)
{
    const struct ecc_meaning_options o = options ? *options : (struct ecc_meaning_options){0};
    *r = (struct ecc_meaning){.count = o.list ? o.list_count : m->d,
                              .deviations = o.deviations > 0 ? o.deviations : 1};
    ECC_TRY(check(m, c, &o, error));
    enum ecc_status status = make_room(r, m, error);
    if (status == ECC_OK) {
        for (size_t l = 0; l < r->count; l++) r->components[l] = o.list ? o.list[l] : l;
        set_units(r, ecc_model_schema(m));
        status = measure(r, m, c, error);
    }
    if (status == ECC_OK) status = rank(r, error);
    if (status != ECC_OK) ecc_meaning_release(r);
    return status;
}

void ecc_meaning_release(struct ecc_meaning *r)
{
    for (size_t j = 0; r->columns && j < r->column_count; j++) free(r->columns[j].name);
    free(r->components);
    free(r->columns);
    free(r->change);
    free(r->standard);
    free(r->ranking);
    *r = (struct ecc_meaning){0};
}

/* ---- The columns that change most ----------------------------------------------------------- */

/* A column, and the component that changes it most. */
struct mover {
    struct ranked ranked;
    size_t by;
};

static int compare_movers(const void *a, const void *b)
{
    const struct mover *const s = a, *const t = b;
    if (s->by != t->by) return s->by < t->by ? -1 : 1;
    return compare_ranked(&s->ranked, &t->ranked);
}

static struct mover find_mover(const struct ecc_meaning *r, size_t column)
{
    struct mover mover = {.ranked.column = column};
    for (size_t l = 0; l < r->count; l++) {
        const double size = fabs(r->standard[l * r->column_count + column]);
        if (!(size > mover.ranked.size)) continue;
        mover.ranked.size = size;
        mover.by = l;
    }
    return mover;
}

/* Every component in turn takes the column that it changes most of those left. */
static size_t choose(struct mover *movers, bool *taken, const struct ecc_meaning *r, size_t most)
{
    const size_t n = r->column_count;
    size_t count = 0;
    for (size_t i = 0; i < n * r->count && count < most; i++) {
        const size_t column = r->ranking[i % r->count * n + i / r->count];
        if (taken[column]) continue;
        taken[column] = true;
        movers[count++] = find_mover(r, column);
    }
    return count;
}

size_t ecc_meaning_columns(size_t *list, const struct ecc_meaning *r, size_t most)
{
    struct mover *const movers = calloc(r->column_count + 1, sizeof *movers);
    bool *const taken = calloc(r->column_count + 1, sizeof *taken);
    const size_t count = movers && taken ? choose(movers, taken, r, most) : 0;
    if (count > 0) qsort(movers, count, sizeof *movers, compare_movers);
    for (size_t i = 0; i < count; i++) list[i] = movers[i].ranked.column;
    free(movers);
    free(taken);
    return count;
}

/* ---- Words ---------------------------------------------------------------------------------- */

const char *ecc_meaning_number(char *text, size_t size, const struct ecc_meaning_column *column,
                               double change)
{
    static const char *const UNITS[] = {"", " days", " pp"};
    /* two digits that count, but not those of what is small for this column */
    const double amount = fmax(fabs(change), column->deviation / 10);
    int decimals = amount > 0 ? 1 - (int)floor(log10(amount)) : 0;
    decimals = decimals < 0 ? 0 : decimals;
    if (column->unit != ECC_MEANING_NUMBER && decimals > 1) decimals = 1;
    if (decimals > 6 || amount >= 1e9) {
        snprintf(text, size, "%+.1e%s", change, UNITS[column->unit]);
    } else {
        snprintf(text, size, "%+.*f%s", decimals, change, UNITS[column->unit]);
    }
    if (size > 1 && strcspn(text, "123456789") == strlen(text)) strcpy(text, "0");
    return text;
}

const char *ecc_meaning_words(char *text, size_t size, const struct ecc_meaning *r,
                              size_t component, size_t most)
{
    static const double FAR_LESS = 0.2;
    const size_t n = r->column_count;
    const size_t *const ranking = r->ranking + component * n;
    size_t used = 0;
    if (size > 0) text[0] = '\0';
    for (size_t i = 0; i < n && i < most && used < size; i++) {
        char number[48];
        const size_t at = component * n + ranking[i];
        const double first = fabs(r->standard[component * n + ranking[0]]);
        if (i > 0 && fabs(r->standard[at]) < FAR_LESS * first) break;
        const struct ecc_meaning_column *const column = &r->columns[ranking[i]];
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", i ? ", " : "", column->name,
                                 ecc_meaning_number(number, sizeof number, column, r->change[at]));
    }
    if (used >= size && size > 0) ecc_utf8_repair(text);
    for (char *c = text; size > 0 && *c; c++) { /* a level may have line ends */
        if (*c == '\n' || *c == '\r' || *c == '\t') *c = ' ';
    }
    return text;
}
