/* tally.c: how often each of many texts occurs: a table of hashes with open addressing. */
#include "data/tally.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash ^ hash >> 29;
}

static struct ecc_tally_entry *place_of(const struct ecc_tally *t, const char *text, uint64_t hash)
{
    size_t at = (size_t)hash & (t->capacity - 1);
    while (t->entries[at].text &&
           (t->entries[at].hash != hash || strcmp(t->entries[at].text, text) != 0)) {
        at = (at + 1) & (t->capacity - 1);
    }
    return &t->entries[at];
}

static bool grow(struct ecc_tally *t)
{
    struct ecc_tally larger = {.capacity = t->capacity ? t->capacity * 2 : 64,
                               .distinct = t->distinct};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (!larger.entries) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        const struct ecc_tally_entry *const old = &t->entries[i];
        if (old->text) *place_of(&larger, old->text, old->hash) = *old;
    }
    free(t->entries);
    *t = larger;
    return true;
}

struct ecc_tally_entry *ecc_tally_add(struct ecc_tally *t, const char *text)
{
    if (2 * t->distinct >= t->capacity && !grow(t)) return NULL;
    const uint64_t hash = hash_of(text);
    struct ecc_tally_entry *const entry = place_of(t, text, hash);
    if (!entry->text) {
        *entry = (struct ecc_tally_entry){.text = text, .hash = hash};
        t->distinct++;
    }
    entry->count++;
    return entry;
}

struct ecc_tally_entry *ecc_tally_find(const struct ecc_tally *t, const char *text)
{
    if (t->capacity == 0) return NULL;
    struct ecc_tally_entry *const entry = place_of(t, text, hash_of(text));
    return entry->text ? entry : NULL;
}

void ecc_tally_release(struct ecc_tally *t)
{
    free(t->entries);
    *t = (struct ecc_tally){0};
}

/* ---- Sorted --------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "1" and "1.0" are different names, in a fixed order. */
static int by_value(const void *a, const void *b)
{
    double x = 0, y = 0;
    ecc_parse_double(*(const char *const *)a, &x);
    ecc_parse_double(*(const char *const *)b, &y);
    return x < y ? -1 : x > y ? 1 : by_text(a, b);
}

static int by_count(const void *a, const void *b)
{
    const struct ecc_tally_entry *const x = a, *const y = b;
    return x->count > y->count ? -1 : x->count < y->count ? 1 : strcmp(x->text, y->text);
}

const char **ecc_tally_sorted(const struct ecc_tally *t)
{
    const char **const texts = malloc((t->distinct + 1) * sizeof *texts);
    size_t used = 0;
    bool numbers = true;
    for (size_t i = 0; texts && i < t->capacity; i++) {
        double unused;
        if (!t->entries[i].text) continue;
        texts[used++] = t->entries[i].text;
        numbers = numbers && ecc_parse_double(t->entries[i].text, &unused);
    }
    if (texts) qsort(texts, used, sizeof *texts, numbers ? by_value : by_text);
    return texts;
}

const char **ecc_tally_frequent(const struct ecc_tally *t)
{
    const char **const texts = malloc((t->distinct + 1) * sizeof *texts);
    struct ecc_tally_entry *const entries = malloc((t->distinct + 1) * sizeof *entries);
    size_t used = 0;
    for (size_t i = 0; texts && entries && i < t->capacity; i++) {
        if (t->entries[i].text) entries[used++] = t->entries[i];
    }
    if (entries) qsort(entries, used, sizeof *entries, by_count);
    for (size_t i = 0; texts && entries && i < used; i++) texts[i] = entries[i].text;
    free(entries);
    if (entries) return texts;
    free(texts);
    return NULL;
}
