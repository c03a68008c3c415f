/* space_open.c: a space from the names of runs and data. */
#include "explore/space_latents.h"

#include "base/text.h"
#include "base/threads.h"
#include "base/watch.h"

#include <stdlib.h>

struct opening {
    const struct ecc_space_request *request;
    const struct ecc_watch *watch;
    struct ecc_space *space;
};

static enum ecc_status open_items(const struct opening *o, struct ecc_dataset **data,
                                  const struct ecc_model *model, struct ecc_error *error)
{
    const struct ecc_space_request *const r = o->request;
    const size_t trained_on = model->options.items;
    const bool fewer = !r->data && trained_on && (r->spread || trained_on < r->items);
    const size_t most = r->spread ? 0 : r->items;
    const enum ecc_status status =
        ecc_model_open_data(model, data, r->data, fewer ? trained_on : most, error);
    if (status == ECC_OK || status == ECC_NO_MEMORY || r->data) return status;
    *data = NULL;
    ecc_watch_remark(o->watch, "no items to show: %s", error->text);
    return ECC_OK;
}

/* As many as the space has, chosen alike. */
static enum ecc_status match_items(const struct opening *o, struct ecc_dataset *data,
                                   const char *what, struct ecc_error *error)
{
    const size_t expected = o->space->count;
    if (o->request->spread && data->count == o->space->of) {
        uint32_t *kept = NULL;
        const enum ecc_status status = ecc_space_thin(data, &kept, expected, error);
        free(kept);
        ECC_TRY(status);
    }
    if (data->count == expected) return ECC_OK;
    char name[ECC_PATH_SIZE];
    return ecc_fail(
        error, ECC_BAD_DATA,
        "%s has %zu items for the first run but %zu for the second: expected the same number",
        ecc_quote_path(name, what), expected, data->count);
}

/* The same items for a second run, cropped, resized or scaled as its own data was. */
static enum ecc_status open_again(const struct opening *o, struct ecc_dataset **data,
                                  const struct ecc_model *model, struct ecc_error *error)
{
    const struct ecc_space *const space = o->space;
    const char *const what = o->request->data ? o->request->data : space->runs[0].one->options.data;
    *data = NULL;
    if (!space->data) return ECC_OK;
    const size_t most = o->request->spread ? space->of : space->count;
    ECC_TRY(ecc_model_open_data(model, data, what, most, error));
    const enum ecc_status status = match_items(o, *data, what, error);
    if (status == ECC_OK) return ECC_OK;
    ecc_dataset_close(*data);
    *data = NULL;
    return status;
}

/* The browser draws at the same time: leave it a processor, or both would wait for each other. */
static int serving_threads(const struct ecc_space_request *request)
{
    const int all = ecc_threads(request->threads);
    return request->alone || request->threads > 0 || all == 1 ? all : all - 1;
}

/* What they explain of the data stays unknown where the run's own data is gone. */
static enum ecc_status find_components(struct ecc_components *components, struct ecc_model *model,
                                       const struct ecc_stand_in *items,
                                       const struct ecc_watch *watch, struct ecc_error *error)
{
    enum ecc_status status = ecc_model_explained(model, components, NULL, watch, error);
    if (status == ECC_OK || status == ECC_INTERRUPTED) return status;
    ecc_components_release(components);
    return ecc_model_components_or_fit(model, components, items, watch, error);
}

static enum ecc_status add_encoded(struct opening *o, struct ecc_model *model,
                                   struct ecc_dataset *data, struct ecc_error *error)
{
    struct ecc_components components = {0};
    const size_t count = data ? data->count : 0;
    float *const z = data ? malloc((count * model->d + 1) * sizeof *z) : NULL;
    if (data && !z) return ecc_fail_memory(error, "the latents");
    enum ecc_status status = ECC_OK;
    if (data) status = ecc_model_encode_data(model, z, data, NULL, count, o->watch, error);
    if (status == ECC_OK) {
        const struct ecc_stand_in items = {o->request->data, z, o->space->count};
        status = find_components(&components, model, &items, o->watch, error);
    }
    if (status == ECC_OK) {
        status = ecc_space_add(o->space, model, &components, z, serving_threads(o->request), error);
    }
    ecc_components_release(&components);
    free(z);
    return status;
}

/* T2 and Q are good without their limits, which need the run's own data. */
static enum ecc_status find_limits(struct opening *o, struct ecc_model *model,
                                   struct ecc_error *error)
{
    struct ecc_space *const space = o->space;
    if (!space->is_table || space->count == 0) return ECC_OK;
    const enum ecc_status status = ecc_model_limits(model, &space->limits, NULL, o->watch, error);
    if (status == ECC_OK || status == ECC_INTERRUPTED) return status;
    space->limits = (struct ecc_limits){0};
    return ECC_OK;
}

static enum ecc_status add_first(struct opening *o, struct ecc_model *model,
                                 struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(open_items(o, &data, model, error));
    ECC_TRY(ecc_space_create(&o->space, data, error));
    if (data && o->request->spread) {
        const size_t room = ecc_space_room(data, o->request->items, o->request->pixels);
        ECC_TRY(ecc_space_thin(data, &o->space->kept, room, error));
        o->space->count = data->count;
    }
    ECC_TRY(add_encoded(o, model, data, error));
    return find_limits(o, model, error);
}

static enum ecc_status add_second(struct opening *o, struct ecc_model *model,
                                  struct ecc_error *error)
{
    struct ecc_dataset *data;
    ECC_TRY(ecc_space_check(o->space, model, error));
    ECC_TRY(open_again(o, &data, model, error));
    const enum ecc_status status = add_encoded(o, model, data, error);
    ecc_dataset_close(data);
    return status;
}

/* A model planned for whole batches encodes the items and is then closed. */
static enum ecc_status add_run(struct opening *o, const char *directory, struct ecc_error *error)
{
    const struct ecc_model_options options = {.threads = o->request->threads};
    struct ecc_model *model;
    char text[ECC_UNFINISHED_TEXT];
    ECC_TRY(ecc_model_open(&model, directory, &options, error));
    const char *const unfinished = ecc_model_unfinished(text, model);
    if (unfinished) ecc_watch_remark(o->watch, "%s", unfinished);
    const enum ecc_status status =
        o->space ? add_second(o, model, error) : add_first(o, model, error);
    ecc_model_close(model);
    return status;
}

enum ecc_status ecc_space_open(struct ecc_space **space, const struct ecc_space_request *request,
                               const struct ecc_watch *watch, struct ecc_error *error)
{
    if (request->elsewhere.latents) {
        return ecc_space_open_latents(space, &request->elsewhere, watch, error);
    }
    struct opening o = {.request = request, .watch = watch};
    enum ecc_status status = ECC_OK;
    for (size_t r = 0; status == ECC_OK && r < request->run_count; r++) {
        status = add_run(&o, request->runs[r], error);
    }
    if (status == ECC_OK) status = ecc_space_finish(o.space, error);
    if (status != ECC_OK) ecc_space_free(o.space);
    *space = status == ECC_OK ? o.space : NULL;
    return status;
}
