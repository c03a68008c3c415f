/* settle.c: settings that were left open, chosen once the data is known. */
#include "train/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_STEPS = 100,    /* between two looks at the validation items, at least */
    BATCH_LEAST = 16,    /* repulsion needs pairs, batch norm needs items ... */
    BATCH_MOST = 100,    /* ... and the paper has this many */
    BATCHES_WANTED = 20, /* in an epoch: small sets get small batches */
    IMAGE_STEPS = 2000,  /* at least: below, nets of images are not yet past PCA */
    TABLE_STEPS = 9000,  /* at least */
    MOST_STEPS = 60000,  /* of tables: more rows than that need not be seen twenty times */
    REFIT_ROWS = 8000,   /* at most: of more, a fifth is not missed */
    FEW_COLUMNS = 256,   /* below, a second thread costs more than it does ... */
    EPOCHS = 20,         /* where these are enough steps */
};

static const double small_step = 2e8; /* ... and for steps of fewer operations than that */

static size_t settled_batch(size_t items)
{
    const size_t wanted = items / BATCHES_WANTED / 8 * 8;
    const size_t batch = wanted < BATCH_LEAST  ? BATCH_LEAST
                         : wanted > BATCH_MOST ? BATCH_MOST
                                               : wanted;
    return batch < items ? batch : items;
}

/* Units of the widest layers of a table's net: four times its columns, 64 to 512. */
static double usual_units(size_t columns)
{
    return fmin(fmax(4 * (double)columns, 64), 512);
}

/* Few rows cannot fill more than half as many units. */
static double settled_width(size_t columns, size_t items)
{
    const double wanted = usual_units(columns);
    const double most = fmax(64, (double)items / 2);
    return most < wanted ? most / wanted : 0; /* 0: as it is */
}

/* A step of a table's net multiplies each weight three times for each row. */
static bool is_small_step(const struct ecc_train_options *o, size_t columns)
{
    const double units = usual_units(columns) * (o->width > 0 ? o->width : 1);
    const double weights = 2 * units * ((double)columns + units / 2);
    return columns <= FEW_COLUMNS || 6 * weights * (double)o->batch < small_step;
}

static double settled_epochs(const struct ecc_train_options *o, bool table, size_t items,
                             size_t processes)
{
    const double together = (double)o->batch * (double)processes;
    const double per_epoch = fmax(1, floor((double)items / together));
    double steps = fmax(EPOCHS * per_epoch, table ? TABLE_STEPS : IMAGE_STEPS);
    if (table) steps = fmin(steps, fmax(MOST_STEPS, per_epoch));
    return ceil(steps / per_epoch);
}

void ecc_settings_settle(struct ecc_train_options *o, const struct ecc_dataset *data, size_t items,
                         size_t processes)
{
    const bool table = data->is_table;
    const size_t size = ecc_shape_size(data->shape);
    if (o->batch == 0) o->batch = settled_batch(items > processes ? items / processes : 1);
    if (o->width <= 0 && table) o->width = settled_width(size, items);
    if (o->threads == 0 && table && is_small_step(o, size)) o->threads = 1;
    if (o->keep == ECC_KEEP_AUTO) {
        const bool refit = table && items <= REFIT_ROWS && o->minutes <= 0;
        o->keep = refit ? ECC_KEEP_REFIT : ECC_KEEP_BEST;
    }
    if (o->epochs <= 0) o->epochs = settled_epochs(o, table, items, processes);
}

uint64_t ecc_validation_steps(size_t batches_per_epoch)
{
    return (LOOK_STEPS + batches_per_epoch - 1) / batches_per_epoch * batches_per_epoch;
}

enum ecc_status ecc_settings_own_texts(struct ecc_train_options *options,
                                       char *texts[ECC_SETTINGS_TEXTS], struct ecc_error *error)
{
    size_t used = 0;
    for (size_t i = 0; i < ecc_setting_count; i++) {
        const struct ecc_train_setting *const s = &ecc_settings[i];
        const char **const field = ecc_setting_at(s, options);
        if (s->kind != ECC_SETTING_TEXT || !*field) continue;
        char *const copy = s->path ? ecc_data_absolute(*field) : strdup(*field);
        if (!copy || used == ECC_SETTINGS_TEXTS) {
            free(copy);
            return ecc_fail_memory(error, "the options");
        }
        *field = texts[used++] = copy;
    }
    return ECC_OK;
}
