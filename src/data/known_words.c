/* known_words.c: columns of a few different words that are known of items, such as a town. */
#include "data/known.h"

#include "base/text.h"
#include "data/numbers.h"
#include "data/tally.h"

#include <stdlib.h>
#include <string.h>

static void release(struct ecc_item_words *words)
{
    free(words->name);
    ecc_free_texts(words->levels, words->level_count);
    free(words->of);
    *words = (struct ecc_item_words){0};
}

void ecc_known_release_words(struct ecc_dataset *data)
{
    for (size_t k = 0; k < data->word_count; k++) release(&data->words[k]);
    free(data->words);
    data->words = NULL;
    data->word_count = 0;
}

/* sorted: [tally->distinct]; false without memory. */
static bool fill(struct ecc_item_words *words, struct ecc_tally *tally, const char *const *sorted,
                 const char *name, const char *const *texts, size_t n)
{
    words->name = strdup(name);
    words->levels = calloc(tally->distinct + 1, sizeof *words->levels);
    words->of = malloc(n + 1);
    if (!words->name || !words->levels || !words->of) return false;
    for (size_t level = 0; level < tally->distinct; level++) {
        words->levels[level] = strdup(sorted[level]);
        words->level_count = level + 1;
        if (!words->levels[level]) return false;
        ecc_tally_find(tally, sorted[level])->number = level;
    }
    for (size_t i = 0; i < n; i++) {
        const struct ecc_tally_entry *const entry = ecc_tally_find(tally, texts[i]);
        words->of[i] = entry ? (uint8_t)entry->number : ECC_NO_LEVEL;
    }
    return true;
}

static enum ecc_status add(struct ecc_dataset *data, struct ecc_tally *tally, const char *name,
                           const char *const *texts, struct ecc_error *error)
{
    struct ecc_item_words words = {0};
    const size_t size = (data->word_count + 1) * sizeof words;
    struct ecc_item_words *const grown = realloc(data->words, size);
    if (grown) data->words = grown;
    const char **const sorted = grown ? ecc_tally_sorted(tally) : NULL;
    const bool good = sorted && fill(&words, tally, sorted, name, texts, data->count);
    free(sorted);
    if (good) {
        data->words[data->word_count++] = words;
        return ECC_OK;
    }
    release(&words);
    return ecc_fail_memory(error, "the words of items");
}

enum ecc_status ecc_known_add_words(struct ecc_dataset *data, bool *added, const char *name,
                                    const char *const *texts, struct ecc_error *error)
{
    struct ecc_tally tally = {0};
    enum ecc_status status = ECC_OK;
    size_t known = 0;
    for (size_t i = 0; i < data->count && tally.distinct <= ECC_LEVELS_MOST; i++) {
        if (ecc_cell_is_missing(texts[i])) continue;
        if (!ecc_tally_add(&tally, texts[i])) status = ecc_fail_memory(error, "the words of items");
        if (status != ECC_OK) break;
        known++;
    }
    *added = status == ECC_OK && tally.distinct <= ECC_LEVELS_MOST && tally.distinct < known;
    if (*added) status = add(data, &tally, name, texts, error);
    ecc_tally_release(&tally);
    return status;
}
