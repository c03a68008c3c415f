/* label_file.c: labels from a file of their own: a .npy file, or text with one label a line. */
#include "base/text.h"
#include "data/encoding.h"
#include "data/inflate.h"
#include "data/item_labels.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text ----------------------------------------------------------------------------------- */

struct lines {
    char **texts; /* [count] in the caller's text */
    size_t count, capacity;
};

static bool add_line(struct lines *lines, char *text)
{
    if (lines->count == lines->capacity) {
        const size_t capacity = lines->capacity ? lines->capacity * 2 : 256;
        char **const texts = realloc(lines->texts, capacity * sizeof *texts);
        if (!texts) return false;
        lines->texts = texts;
        lines->capacity = capacity;
    }
    lines->texts[lines->count++] = text;
    return true;
}

/* Without blanks and quotes around it. */
static char *trimmed(char *text, size_t length)
{
    while (length > 0 && strchr(" \t\r", text[length - 1])) length--;
    while (length > 0 && strchr(" \t\r", *text)) text++, length--;
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') text++, length -= 2;
    text[length] = '\0';
    return text;
}

/* text: [size + 1]; a blank line is a label that is missing. */
static enum ecc_status cut_lines(struct lines *lines, char *text, size_t size,
                                 struct ecc_error *error)
{
    char *at = text, *const end = text + size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) at += 3;
    while (at < end) {
        char *const stop = memchr(at, '\n', (size_t)(end - at));
        char *const next = stop ? stop + 1 : end;
        char *const line = trimmed(at, (size_t)((stop ? stop : end) - at));
        if (!add_line(lines, line)) return ecc_fail_memory(error, "the labels");
        at = next;
    }
    return ECC_OK;
}

/* Whether every line has the same number of these, at least one: a table. */
static bool separated_by(const struct lines *lines, char delimiter)
{
    size_t expected = 0;
    for (size_t i = 0; i < lines->count; i++) {
        size_t count = 0;
        if (i > 0 && !*lines->texts[i]) continue;
        for (const char *at = lines->texts[i]; *at; at++) count += *at == delimiter;
        if (i == 0) expected = count;
        if (count == 0 || count != expected) return false;
    }
    return lines->count > 0;
}

/* A line more than there are items is a header, unless it is one of the labels. */
static bool is_header(const struct lines *lines, size_t items)
{
    if (lines->count == 0 || lines->count != items + 1 || !*lines->texts[0]) return false;
    for (size_t i = 1; i < lines->count; i++) {
        if (strcmp(lines->texts[i], lines->texts[0]) == 0) return false;
    }
    return true;
}

/* Blank lines at the end are not labels, if there are enough without them. */
static void drop_last(struct lines *lines, size_t items)
{
    while (lines->count > items && !*lines->texts[lines->count - 1] && !is_header(lines, items)) {
        lines->count--;
    }
}

static size_t count_labels(const struct lines *lines)
{
    size_t count = 0;
    for (size_t i = 0; i < lines->count; i++) count += *lines->texts[i] != '\0';
    return count;
}

static enum ecc_status use_lines(struct ecc_dataset *data, struct lines *lines, const char *path,
                                 struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, path);
    if (separated_by(lines, ',') || separated_by(lines, ';') || separated_by(lines, '\t')) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has several columns, expected one label a line; give it with "
                        "--metadata, and the column with --label",
                        shown);
    }
    const size_t labels = count_labels(lines);
    drop_last(lines, data->count);
    const bool header = is_header(lines, data->count);
    if (labels == (header ? 1 : 0) || lines->count != data->count + header) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has %zu label%s, but there %s %zu item%s", shown,
                        labels, ecc_s(labels), ecc_is_are(data->count), data->count,
                        ecc_s(data->count));
    }
    const char *const *const texts = (const char *const *)lines->texts + header;
    ECC_TRY(ecc_labels_from_texts(data, texts, header ? lines->texts[0] : "label", path, error));
    if (!data->labels || data->class_count > 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has no labels: all of its %zu lines mean a missing one", shown,
                    data->count);
}

static enum ecc_status from_text(struct ecc_dataset *data, unsigned char *bytes, size_t size,
                                 const char *path, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    if (memchr(bytes, '\0', size)) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is neither text nor a .npy file with labels",
                        ecc_quote_path(shown, path));
    }
    struct lines lines = {0};
    enum ecc_status status = cut_lines(&lines, (char *)bytes, size, error);
    if (status == ECC_OK) status = use_lines(data, &lines, path, error);
    free(lines.texts);
    return status;
}

/* ---- All ------------------------------------------------------------------------------------ */

static enum ecc_status from_npy(struct ecc_dataset *data, const unsigned char *bytes, size_t size,
                                const char *path, struct ecc_error *error)
{
    struct ecc_npy_any any;
    ECC_TRY(ecc_npy_decode_any(&any, bytes, size, path, error));
    enum ecc_status status = ecc_labels_from_array(data, &any, "label", path, error);
    if (status == ECC_OK) status = ecc_labels_close_gaps(data, error);
    ecc_npy_any_release(&any);
    return status;
}

static bool is_npy(const char *path)
{
    return ecc_ends_in(path, ".npy") || ecc_ends_in(path, ".npy.gz");
}

enum ecc_status ecc_labels_from_bytes(struct ecc_dataset *data, unsigned char *bytes, size_t size,
                                      const char *path, struct ecc_error *error)
{
    return is_npy(path) ? from_npy(data, bytes, size, path, error)
                        : from_text(data, bytes, size, path, error);
}

enum ecc_status ecc_labels_from_file(struct ecc_dataset *data, const char *path,
                                     struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    ECC_TRY(ecc_inflate_file(&bytes, &size, path, error));
    if (is_npy(path)) {
        const enum ecc_status status = from_npy(data, bytes, size, path, error);
        free(bytes);
        return status;
    }
    struct ecc_plain_text plain;
    ECC_TRY(ecc_plain_text_init(&plain, bytes, size, error));
    const enum ecc_status status =
        from_text(data, (unsigned char *)plain.text, plain.size, path, error);
    free(plain.text);
    return status;
}
