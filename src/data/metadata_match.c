/*
 * metadata_match.c: finds the rows of images by the names of their files.
 *
 * A cell names a file by its path below the folder, by its name if no other file has it, or by its
 * name without the ending, as many tables of ids do.
 */
#include "data/metadata.h"

#include "base/text.h"
#include "data/tally.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum level { WHOLE = 0, NAME, STEM, LEVELS };
enum { ROWS_TRIED = 1000 }; /* to choose the column */

struct names {
    struct ecc_tally files[LEVELS]; /* number: the item */
    char **texts[LEVELS];           /* [count] what they point to */
    size_t count;
    char *buffer; /* of a cell */
    size_t room;
};

/* ---- Names ---------------------------------------------------------------------------------- */

static const char *last_part(const char *text)
{
    const char *const slash = strrchr(text, '/');
    return slash ? slash + 1 : text;
}

static void cut_ending(char *text)
{
    char *const point = strrchr(text, '.');
    if (point && point > text) *point = '\0';
}

/* "./a/b.png", "a\\b.png" and "/a/b.png" are "a/b.png". */
static void clean(char *text)
{
    char *from = text;
    for (char *at = text; *at; at++) {
        if (*at == '\\') *at = '/';
    }
    while (*from == '/' || (from[0] == '.' && from[1] == '/')) from++;
    memmove(text, from, strlen(from) + 1);
}

/* A new text, or NULL. */
static char *at_level(const char *path, enum level level)
{
    char *const text = strdup(level == WHOLE ? path : last_part(path));
    if (text && level == STEM) cut_ending(text);
    return text;
}

static void release(struct names *names)
{
    for (int level = 0; level < LEVELS; level++) {
        ecc_tally_release(&names->files[level]);
        ecc_free_texts(names->texts[level], names->count);
    }
    free(names->buffer);
}

static bool add_name(struct names *names, enum level level, const char *path, size_t item)
{
    char *const text = at_level(path, level);
    names->texts[level][item] = text;
    if (!text) return false;
    clean(text);
    struct ecc_tally_entry *const entry = ecc_tally_add(&names->files[level], text);
    if (entry) entry->number = item;
    return entry;
}

static enum ecc_status collect(struct names *names, char *const *paths, const char *folder,
                               size_t count, struct ecc_error *error)
{
    const size_t length = strlen(folder);
    *names = (struct names){.count = count};
    bool whole = true;
    for (int level = 0; level < LEVELS && whole; level++) {
        names->texts[level] = calloc(count + 1, sizeof **names->texts);
        whole = names->texts[level];
        for (size_t i = 0; i < count && whole; i++) {
            const bool below = strncmp(paths[i], folder, length) == 0;
            whole = add_name(names, (enum level)level, paths[i] + (below ? length : 0), i);
        }
    }
    if (whole) return ECC_OK;
    release(names);
    return ecc_fail_memory(error, "the names of images");
}

/* ---- Cells ---------------------------------------------------------------------------------- */

/* The item if exactly one has this name. */
static size_t find_name(const struct names *names, enum level level, const char *text)
{
    const struct ecc_tally_entry *const entry = ecc_tally_find(&names->files[level], text);
    return entry && entry->count == 1 ? entry->number : SIZE_MAX;
}

/* The item that a cell names, or SIZE_MAX. */
static size_t find_item(struct names *names, const char *cell)
{
    const size_t size = strlen(cell) + 1;
    if (!names->buffer || size > names->room) {
        char *const larger = realloc(names->buffer, size * 2);
        if (!larger) return SIZE_MAX;
        names->buffer = larger;
        names->room = size * 2;
    }
    memcpy(names->buffer, cell, size);
    clean(names->buffer);
    size_t item = find_name(names, WHOLE, names->buffer);
    char *const name = names->buffer + (last_part(names->buffer) - names->buffer);
    if (item == SIZE_MAX) item = find_name(names, NAME, name);
    if (item == SIZE_MAX) item = find_name(names, STEM, name);
    if (item == SIZE_MAX) {
        cut_ending(name);
        item = find_name(names, STEM, name);
    }
    return *cell ? item : SIZE_MAX;
}

static size_t count_found(const struct ecc_metadata *m, struct names *names, size_t column)
{
    size_t found = 0;
    const size_t rows = ecc_metadata_rows(m), most = rows < ROWS_TRIED ? rows : ROWS_TRIED;
    for (size_t row = 0; row < most; row++) {
        found += find_item(names, ecc_metadata_cell(m, row, column)) != SIZE_MAX;
    }
    return found;
}

/* ---- The column ----------------------------------------------------------------------------- */

static bool names_files(const char *name)
{
    static const char *const usual[] = {"file_name", "filename", "file",     "image",
                                        "path",      "image_id", "filepath", "file_path"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (strcasecmp(name, usual[i]) == 0) return true;
    }
    return false;
}

/* A column with such a name and a file in it, else the first in which most cells name files. */
static size_t find_column(const struct ecc_metadata *m, struct names *names)
{
    const size_t rows = ecc_metadata_rows(m), tried = rows < ROWS_TRIED ? rows : ROWS_TRIED;
    for (size_t column = 0; column < m->csv.columns; column++) {
        if (names_files(ecc_metadata_column(m, column)) && count_found(m, names, column) > 0) {
            return column;
        }
    }
    for (size_t column = 0; column < m->csv.columns; column++) {
        if (2 * count_found(m, names, column) > tried) return column;
    }
    return SIZE_MAX;
}

static bool is_in_row(const struct ecc_metadata *m, struct names *names, size_t row)
{
    for (size_t column = 0; column < m->csv.columns; column++) {
        if (find_item(names, ecc_csv_cell(&m->csv, row, column)) != SIZE_MAX) return true;
    }
    return false;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static void remark_on_rest(struct ecc_dataset *data, const struct ecc_metadata *m, size_t strange,
                           size_t again)
{
    size_t alone = 0;
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, ecc_short_name(m->path));
    for (size_t i = 0; i < m->count; i++) alone += m->rows[i] == SIZE_MAX;
    if (alone)
        ecc_data_remark(data, "%zu of %zu image%s %s no row in %s", alone, m->count,
                        ecc_s(m->count), ecc_has_have(alone), shown);
    if (strange) {
        ecc_data_remark(data, "%zu %s of %s %s no image that is here", strange,
                        strange == 1 ? "row" : "rows", shown, strange == 1 ? "names" : "name");
    }
    if (again) {
        ecc_data_remark(data, "%zu %s of %s %s an image again and %s not used", again,
                        again == 1 ? "row" : "rows", shown, again == 1 ? "names" : "name",
                        again == 1 ? "was" : "were");
    }
}

static void fill_rows(struct ecc_metadata *m, struct names *names, struct ecc_dataset *data)
{
    size_t strange = 0, again = 0;
    for (size_t i = 0; i < m->count; i++) m->rows[i] = SIZE_MAX;
    for (size_t row = 0; row < ecc_metadata_rows(m); row++) {
        const size_t item = find_item(names, ecc_metadata_cell(m, row, m->key));
        if (item == SIZE_MAX) {
            strange++;
        } else if (m->rows[item] != SIZE_MAX) {
            again++;
        } else {
            m->rows[item] = row;
        }
    }
    remark_on_rest(data, m, strange, again);
}

enum ecc_status ecc_metadata_match(struct ecc_metadata *m, bool *found, struct ecc_dataset *data,
                                   char *const *paths, const char *folder, struct ecc_error *error)
{
    struct names names;
    *found = false;
    m->count = data->count;
    m->rows = malloc((m->count + 1) * sizeof *m->rows);
    if (!m->rows) return ecc_fail_memory(error, "metadata");
    ECC_TRY(collect(&names, paths, folder, m->count, error));
    /* a first line that names a file is not a header */
    if (m->own_header && is_in_row(m, &names, 0)) m->own_header = false;
    m->key = find_column(m, &names);
    *found = m->key != SIZE_MAX;
    if (*found) fill_rows(m, &names, data);
    release(&names);
    return ECC_OK;
}
