/* classifier_file.c: trained classifiers, kept in the user's cache for the next time. */
#include "base/file.h"
#include "base/text.h"
#include "run/safetensors.h"
#include "run/weights.h"
#include "score/classifier.h"

#include <stdlib.h>
#include <string.h>

enum { HASHED_ITEMS = 2000 }; /* spread over the set; labels count in full */

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t state, const void *bytes, size_t size)
{
    const unsigned char *const b = bytes;
    for (size_t i = 0; i < size; i++) state = (state ^ b[i]) * 0x100000001b3U;
    return state;
}

static enum ecc_status hash_data(uint64_t *state, struct ecc_dataset *data, struct ecc_error *error)
{
    const size_t size = ecc_shape_size(data->shape) * sizeof(float);
    const size_t count = data->count < HASHED_ITEMS ? data->count : HASHED_ITEMS;
    float *const x = malloc(size);
    if (!x) return ecc_fail_memory(error, "an image");
    char facts[120];
    snprintf(facts, sizeof facts, "%zu items, %zu classes, %zu %zu %zu", data->count,
             data->class_count, data->shape.channels, data->shape.height, data->shape.width);
    *state = hash(*state, facts, strlen(facts));
    *state = hash(*state, data->labels, data->count * sizeof *data->labels);
    enum ecc_status status = ECC_OK;
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        const uint32_t item = (uint32_t)((uint64_t)i * data->count / count);
        status = ecc_dataset_read(data, x, &item, 1, error);
        if (status == ECC_OK) *state = hash(*state, x, size);
    }
    free(x);
    return status;
}

static char *cache_directory(void)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    if (cache && cache[0] == '/') return ecc_path_join(cache, "eccentric");
    return home && home[0] == '/' ? ecc_path_join(home, ".cache/eccentric") : NULL;
}

enum ecc_status ecc_classifier_path(char **path, const struct ecc_classifier *c,
                                    struct ecc_dataset *data, struct ecc_error *error)
{
    static const char version[] =
        "1"; /* raise it when the training changes: kept classifiers are then trained again */
    uint64_t state = 0xcbf29ce484222325U;
    *path = NULL;
    char *const directory = cache_directory();
    if (!directory) return ECC_OK;
    state = hash(state, version, sizeof version);
    state = hash(state, c->spec->text, strlen(c->spec->text));
    const enum ecc_status status = hash_data(&state, data, error);
    if (status == ECC_OK) {
        char name[60];
        snprintf(name, sizeof name, "classifier-%016llx.safetensors", (unsigned long long)state);
        *path = ecc_path_join(directory, name);
    }
    free(directory);
    return status;
}

enum ecc_status ecc_classifier_write(const struct ecc_classifier *c, const float *flat,
                                     const char *path, struct ecc_error *error)
{
    char accuracy[32], trained[32], held_out[32];
    snprintf(accuracy, sizeof accuracy, "%.17g", c->accuracy);
    snprintf(trained, sizeof trained, "%zu", c->trained);
    snprintf(held_out, sizeof held_out, "%zu", c->held_out);
    const char *const metadata[] = {"accuracy", accuracy, "trained",     trained, "held_out",
                                    held_out,   "net",    c->spec->text, NULL};
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(c->net, &tensors);
    char *const directory = strdup(path);
    if (!directory) return ecc_fail_memory(error, "a path");
    *strrchr(directory, '/') = '\0';
    enum ecc_status status = ecc_make_directory(directory, error);
    free(directory);
    if (status != ECC_OK) return status;
    return ecc_weights_write(path, tensors, count, flat, metadata, error);
}

static bool read_figures(struct ecc_classifier *c, const struct ecc_safetensors *file)
{
    const char *const accuracy = ecc_safetensors_metadata(file, "accuracy");
    const char *const trained = ecc_safetensors_metadata(file, "trained");
    const char *const held_out = ecc_safetensors_metadata(file, "held_out");
    return accuracy && trained && held_out && ecc_parse_double(accuracy, &c->accuracy) &&
           c->accuracy >= 0 && c->accuracy <= 1 && ecc_parse_size(trained, &c->trained) &&
           ecc_parse_size(held_out, &c->held_out);
}

enum ecc_status ecc_classifier_read(struct ecc_classifier *c, float *flat, const char *path,
                                    struct ecc_error *error)
{
    struct ecc_safetensors *file;
    const struct ecc_tensor *tensors;
    const size_t count = ecc_net_tensors(c->net, &tensors);
    ECC_TRY(ecc_safetensors_read(&file, path, error));
    const bool known = read_figures(c, file);
    ecc_safetensors_free(file);
    if (!known) {
        char shown[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s does not say how good its classifier is",
                        ecc_quote_path(shown, path));
    }
    return ecc_weights_read(flat, tensors, count, path, error);
}
