/* lend.c: arrays of the calling program as DATA, under the name "memory:NAME". */
#include "base/text.h"
#include "data/array_data.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "memory:"

struct lent {
    char *name;
    struct ecc_array_data array; /* its pointers stay the caller's */
    struct lent *next;
};

static struct lent *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct lent **find(const char *name, size_t length)
{
    struct lent **at = &first;
    while (*at && (strlen((*at)->name) != length || strncmp((*at)->name, name, length) != 0)) {
        at = &(*at)->next;
    }
    return at;
}

/* NULL if nothing is lent under this name. */
static struct lent *take_out(const char *name)
{
    struct lent **const at = find(name, strlen(name)), *const entry = *at;
    if (entry) *at = entry->next;
    return entry;
}

static void free_lent(struct lent *entry)
{
    if (!entry) return;
    free(entry->name);
    free(entry);
}

/* Opened once, so that what is wrong is said at once, under the name that it will have. */
static enum ecc_status check_array(const char *name, const struct ecc_array_data *array,
                                   struct ecc_error *error)
{
    struct ecc_array_data named = *array;
    struct ecc_dataset *data;
    const size_t size = strlen(PREFIX) + strlen(name) + 1;
    char *const what = malloc(size);
    if (!what) return ecc_fail_memory(error, "a name");
    snprintf(what, size, PREFIX "%s", name);
    named.name = what;
    const enum ecc_status status =
        ecc_dataset_from_array(&data, &named, ECC_SPLIT_ALL, NULL, error);
    free(what);
    if (status == ECC_OK) ecc_dataset_close(data);
    return status;
}

enum ecc_status ecc_data_lend(const char *name, const struct ecc_array_data *array,
                              struct ecc_error *error)
{
    if (*name == '\0' || strchr(name, ':')) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "'%.40s' cannot name data in memory, expected text without a colon", name);
    }
    ECC_TRY(check_array(name, array, error));
    struct lent *const entry = calloc(1, sizeof *entry);
    char *const copy = strdup(name);
    if (!entry || !copy) {
        free(entry);
        free(copy);
        return ecc_fail_memory(error, "data in memory");
    }
    *entry = (struct lent){.name = copy, .array = *array};
    pthread_mutex_lock(&lock);
    struct lent *const old = take_out(name);
    entry->next = first;
    first = entry;
    pthread_mutex_unlock(&lock);
    free_lent(old);
    return ECC_OK;
}

void ecc_data_return(const char *name)
{
    pthread_mutex_lock(&lock);
    struct lent *const entry = take_out(name);
    pthread_mutex_unlock(&lock);
    free_lent(entry);
}

bool ecc_data_is_lent(const char *what)
{
    return strncmp(what, PREFIX, strlen(PREFIX)) == 0;
}

enum ecc_status ecc_dataset_open_lent(struct ecc_dataset **data, const char *what,
                                      const struct ecc_data_options *options,
                                      struct ecc_error *error)
{
    const char *const name = what + strlen(PREFIX), *const colon = strchr(name, ':');
    char quoted[ECC_QUOTE_SIZE];
    enum ecc_split split = ECC_SPLIT_TRAIN;
    if (colon && !ecc_split_parse(&split, colon + 1)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the split is %s, expected train, test or all",
                        ecc_quote(quoted, colon + 1, strlen(colon + 1)));
    }
    pthread_mutex_lock(&lock);
    const struct lent *const entry = *find(name, colon ? (size_t)(colon - name) : strlen(name));
    struct ecc_array_data array = {0};
    if (entry) array = entry->array;
    pthread_mutex_unlock(&lock);
    if (!entry) {
        return ecc_fail(error, ECC_IO, "there is no data in memory under %s: lend it first",
                        ecc_quote(quoted, what, strlen(what)));
    }
    array.name = what;
    return ecc_dataset_from_array(data, &array, split, options, error);
}
