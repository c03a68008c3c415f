/* celeba_list.c: CelebA's lists.  Real copies are truncated or have wrong counts; they are read as
 * they are. */
#include "data/celeba_list.h"

#include "base/text.h"
#include "data/inflate.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = ECC_CELEBA_ATTRIBUTES + 2 }; /* of a line, one more than allowed */

struct lines {
    char *at;
    size_t line; /* the one just read, from 1 */
    const char *path;
};

/* Cuts the next line that is not blank into words; commas count as blanks.  *count is 0 at the end.
 */
static void next_line(struct lines *lines, char *words[WORDS], size_t *count)
{
    *count = 0;
    while (*lines->at && *count == 0) {
        char *const end = lines->at + strcspn(lines->at, "\n");
        char *const next = *end ? end + 1 : end;
        *end = '\0';
        char *rest = NULL;
        for (char *word = strtok_r(lines->at, " \t\r,", &rest); word && *count < WORDS;
             word = strtok_r(NULL, " \t\r,", &rest)) {
            words[(*count)++] = word;
        }
        lines->at = next;
        lines->line++;
    }
}

static enum ecc_status load_text(struct ecc_celeba_list *list, const char *path,
                                 struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    *list = (struct ecc_celeba_list){0};
    ECC_TRY(ecc_inflate_file(&bytes, &size, path, error));
    char *const text = realloc(bytes, size + 1);
    if (!text) {
        free(bytes);
        return ecc_fail_memory(error, "a list");
    }
    text[size] = '\0';
    list->text = text;
    return ECC_OK;
}

static struct ecc_celeba_row *add_row(struct ecc_celeba_list *list)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? list->capacity * 2 : 1024;
        struct ecc_celeba_row *const rows = realloc(list->rows, capacity * sizeof *rows);
        if (!rows) return NULL;
        list->rows = rows;
        list->capacity = capacity;
    }
    struct ecc_celeba_row *const row = &list->rows[list->count];
    *row = (struct ecc_celeba_row){.order = list->count++};
    return row;
}

/* `values`: how many numbers follow the name: the attributes, or 1, the part. */
static enum ecc_status parse_row(struct ecc_celeba_list *list, const struct lines *lines,
                                 char *const *words, size_t count, size_t values,
                                 struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE], quoted[ECC_QUOTE_SIZE];
    ecc_quote_path(shown, lines->path);
    if (count != values + 1) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s, line %zu: expected an image and %zu numbers, found %zu words", shown,
                        lines->line, values, count);
    }
    struct ecc_celeba_row *const row = add_row(list);
    if (!row) return ecc_fail_memory(error, "a list");
    row->name = words[0];
    for (size_t i = 0; i < values; i++) {
        const char *const word = words[i + 1];
        const char most = values == 1 ? '2' : '1';
        const bool plain = word[0] >= '0' && word[0] <= most && word[1] == '\0';
        if (!plain && strcmp(word, "-1") != 0) {
            return ecc_fail(error, ECC_BAD_DATA,
                            "%s, line %zu: found %s, expected -1 or a whole number from 0 to %c",
                            shown, lines->line, ecc_quote(quoted, word, strlen(word)), most);
        }
        row->attributes[i] = (uint8_t)(plain ? word[0] - '0' : 0);
    }
    return ECC_OK;
}

static int by_name(const void *a, const void *b)
{
    const struct ecc_celeba_row *const x = a, *const y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static enum ecc_status parse_rows(struct ecc_celeba_list *list, struct lines *lines, size_t values,
                                  struct ecc_error *error)
{
    char *words[WORDS];
    size_t count;
    for (next_line(lines, words, &count); count > 0; next_line(lines, words, &count)) {
        ECC_TRY(parse_row(list, lines, words, count, values, error));
    }
    if (list->count == 0) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s lists no images",
                        ecc_quote_path(shown, lines->path));
    }
    qsort(list->rows, list->count, sizeof *list->rows, by_name);
    return ECC_OK;
}

/* The number of rows, which may be missing, and the names of the attributes. */
static enum ecc_status parse_head(struct ecc_celeba_list *list, struct lines *lines,
                                  struct ecc_error *error)
{
    char *words[WORDS];
    size_t count;
    next_line(lines, words, &count);
    if (count == 1 && ecc_parse_size(words[0], &list->announced)) next_line(lines, words, &count);
    const size_t skip = count == ECC_CELEBA_ATTRIBUTES + 1; /* "image_id" */
    if (count - skip != ECC_CELEBA_ATTRIBUTES) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s, line %zu: expected the names of %d attributes",
                        ecc_quote_path(shown, lines->path), lines->line, ECC_CELEBA_ATTRIBUTES);
    }
    memcpy(list->attribute_names, words + skip, sizeof list->attribute_names);
    return ECC_OK;
}

static enum ecc_status read_list(struct ecc_celeba_list *list, const char *path, bool attributes,
                                 struct ecc_error *error)
{
    ECC_TRY(load_text(list, path, error));
    struct lines lines = {.at = list->text, .path = path};
    enum ecc_status status = attributes ? parse_head(list, &lines, error) : ECC_OK;
    if (status == ECC_OK) {
        status = parse_rows(list, &lines, attributes ? ECC_CELEBA_ATTRIBUTES : 1, error);
    }
    if (status != ECC_OK) ecc_celeba_release(list);
    return status;
}

enum ecc_status ecc_celeba_read_attributes(struct ecc_celeba_list *list, const char *path,
                                           struct ecc_error *error)
{
    return read_list(list, path, true, error);
}

enum ecc_status ecc_celeba_read_partition(struct ecc_celeba_list *list, const char *path,
                                          struct ecc_error *error)
{
    return read_list(list, path, false, error);
}

void ecc_celeba_release(struct ecc_celeba_list *list)
{
    free(list->text);
    free(list->rows);
    *list = (struct ecc_celeba_list){0};
}

const struct ecc_celeba_row *ecc_celeba_find(const struct ecc_celeba_list *list, const char *name)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(list->rows[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && strcmp(list->rows[low].name, name) == 0 ? &list->rows[low] : NULL;
}
