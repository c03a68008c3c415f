/* space.c: opens runs for the explorer and decodes latents. */
#include "explore/space.h"

#include "data/image_file.h"
#include "data/source.h"
#include "data/thin.h"
#include "explore/reply.h"
#include "model/seen.h"
#include "show/item_output.h"
#include "latent/walk.h"

#include <stdlib.h>
#include <string.h>

/* FEW: a plan always computes its whole batch, and strips are short.  Of large images, at least
 * FEWEST. */
enum { FEW = 8, FEWEST = 100 };

enum ecc_status ecc_space_create(struct ecc_space **space, struct ecc_dataset *data,
                                 struct ecc_error *error)
{
    struct ecc_space *const s = calloc(1, sizeof *s);
    *space = s;
    if (!s) {
        ecc_dataset_close(data);
        return ecc_fail_memory(error, "the explorer");
    }
    s->data = data;
    s->count = s->of = data ? data->count : 0;
    return ECC_OK;
}

size_t ecc_space_room(const struct ecc_dataset *data, size_t items, size_t pixels)
{
    if (pixels == 0 || data->is_table) return items;
    const size_t most = pixels / (data->shape.height * data->shape.width);
    const size_t room = most > FEWEST ? most : FEWEST;
    return items == 0 || room < items ? room : items;
}

enum ecc_status ecc_space_thin(struct ecc_dataset *data, uint32_t **kept, size_t items,
                               struct ecc_error *error)
{
    *kept = NULL;
    if (items == 0 || items >= data->count) return ECC_OK;
    *kept = malloc(items * sizeof **kept);
    if (!*kept) return ecc_fail_memory(error, "the list of items");
    const enum ecc_status status = ecc_dataset_thin(data, *kept, items, error);
    if (status == ECC_OK && data->labels) return ECC_OK;
    free(*kept);
    *kept = NULL;
    return status;
}

static void release_run(struct ecc_space_run *run)
{
    ecc_model_close(run->one);
    ecc_model_close(run->some);
    ecc_components_release(&run->components);
    free(run->amounts);
    free(run->gains);
    free(run->inside);
    free(run->beside);
}

size_t ecc_space_items(const struct ecc_space *space)
{
    return space->count;
}

size_t ecc_space_items_of(const struct ecc_space *space)
{
    return space->of;
}

void ecc_space_free(struct ecc_space *s)
{
    if (!s) return;
    for (size_t r = 0; r < ECC_SPACE_RUNS; r++) release_run(&s->runs[r]);
    for (char **name = s->class_names; name && *name; name++) free(*name);
    free(s->class_names);
    ecc_labels_release(&s->targets);
    ecc_alignment_release(&s->alignment);
    ecc_dataset_close(s->data);
    free(s->kept);
    free(s->latents);
    free(s->pixels);
    free(s->z);
    free(s->x);
    free(s);
}

/* ---- Adding a run --------------------------------------------------------------------------- */

enum ecc_status ecc_space_check(const struct ecc_space *s, const struct ecc_model *m,
                                struct ecc_error *error)
{
    char ours[64], theirs[64];
    if (s->run_count == ECC_SPACE_RUNS) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the explorer shows at most %d runs",
                        ECC_SPACE_RUNS);
    }
    if (m->scaling.columns == 0 && !ecc_model_drawable(m)) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "items with %zu channels cannot be shown: expected 1 or 3 channels, or a table",
            m->shape.channels);
    }
    if (s->run_count == 0) return ECC_OK;
    if (memcmp(&m->shape, &s->shape, sizeof m->shape) != 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "the runs have items of %s and of %s: expected the same",
                        ecc_model_shape_text(ours, s->shape, s->is_table),
                        ecc_model_shape_text(theirs, m->shape, m->scaling.columns > 0));
    }
    if (m->d == s->d) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "the runs have %zu and %zu latent dimensions: expected the same", s->d, m->d);
}

static enum ecc_status take_shape(struct ecc_space *s, const struct ecc_model *m,
                                  struct ecc_error *error)
{
    ECC_TRY(ecc_space_check(s, m, error));
    if (s->run_count > 0) return ECC_OK;
    s->d = m->d;
    s->size = m->size;
    s->shape = m->shape;
    s->is_table = m->scaling.columns > 0;
    s->z = malloc(ECC_SPACE_MOST * s->d * sizeof *s->z);
    s->x = malloc(ECC_SPACE_MOST * s->size * sizeof *s->x);
    return s->z && s->x ? ECC_OK : ecc_fail_memory(error, "decoded items");
}

static enum ecc_status open_run(struct ecc_space_run *run, const struct ecc_model *model,
                                int threads, struct ecc_error *error)
{
    const struct ecc_model_options one = {.batch = 1, .threads = threads};
    const struct ecc_model_options some = {.batch = FEW, .threads = threads};
    ECC_TRY(ecc_model_copy(&run->one, model, &one, error));
    return ecc_model_copy(&run->some, model, &some, error);
}

enum ecc_status ecc_space_add(struct ecc_space *s, const struct ecc_model *model,
                              struct ecc_components *components, const float *z, int threads,
                              struct ecc_error *error)
{
    ECC_TRY(take_shape(s, model, error));
    const size_t r = s->run_count;
    struct ecc_space_run *const run = &s->runs[r];
    ECC_TRY(open_run(run, model, threads, error));
    if (z) {
        run->amounts = malloc((s->count * s->d + 1) * sizeof *run->amounts);
        if (!run->amounts) return ecc_fail_memory(error, "the items' components");
    }
    run->faces = ecc_data_of_faces(model->options.data);
    run->components = *components;
    *components = (struct ecc_components){0};
    if (s->run_count++ == 0 && s->data) {
        ECC_TRY(ecc_model_mark_seen(model, NULL, &s->seen, s->data, false, error));
    }
    return z ? ecc_space_amounts(s, r, run->amounts, z, s->count, error) : ECC_OK;
}

/* ---- Latents -------------------------------------------------------------------------------- */

enum ecc_status ecc_space_amounts(const struct ecc_space *s, size_t run, float *amounts,
                                  const float *z, size_t n, struct ecc_error *error)
{
    const struct ecc_components *const c = &s->runs[run].components;
    ECC_TRY(ecc_components_project(c, amounts, z, n, error));
    for (size_t i = 0; i < n * s->d; i++) {
        const size_t k = i % s->d;
        const bool varies = ecc_component_varies(c, k);
        amounts[i] = varies ? (float)((double)amounts[i] / c->deviations[k]) : 0;
    }
    return ECC_OK;
}

/* z: [n, d] of amounts: [n, d]. */
static enum ecc_status places(const struct ecc_space *s, size_t run, float *z, const float *amounts,
                              size_t n, struct ecc_error *error)
{
    size_t *const list = malloc(s->d * sizeof *list);
    double *const exact = malloc(s->d * sizeof *exact);
    const enum ecc_status status = list && exact ? ECC_OK : ecc_fail_memory(error, "a latent");
    for (size_t i = 0; status == ECC_OK && i < n; i++) {
        for (size_t k = 0; k < s->d; k++) {
            list[k] = k;
            exact[k] = (double)amounts[i * s->d + k];
        }
        ecc_walk_point(&s->runs[run].components, z + i * s->d, list, exact, s->d);
    }
    free(list);
    free(exact);
    return status;
}

enum ecc_status ecc_space_decode(struct ecc_space *s, size_t run, const float *amounts, size_t n,
                                 struct ecc_error *error)
{
    const struct ecc_space_run *const r = &s->runs[run];
    ECC_TRY(places(s, run, s->z, amounts, n, error));
    /* the last one or two are faster one by one than as a whole batch */
    const size_t rest = n % FEW, together = rest <= 2 ? n - rest : n;
    ECC_TRY(ecc_model_decode(r->some, s->x, s->z, together, error));
    return ecc_model_decode(r->one, s->x + together * s->size, s->z + together * s->d, n - together,
                            error);
}

size_t ecc_space_item_bytes(const struct ecc_space *s)
{
    return s->is_table ? 4 * s->size : s->size;
}

void ecc_space_pack(const struct ecc_space *s, unsigned char *bytes, const float *x, size_t n)
{
    if (s->is_table) {
        ecc_put_f32(bytes, x, n * s->size);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ecc_image_bytes(bytes + i * s->size, x + i * s->size, s->shape);
    }
}
