/* unused.c: options that were given and that the data has no use for: a remark, never silence. */
#include "data/known.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* What an option is for. */
enum use { IMAGE_FILES, TEXT_TABLES, TABLES, USES };

static const char *const use_names[USES] = {"folders of images", "text tables", "tables"};

static bool fits(const struct ecc_dataset *data, enum use use)
{
    const bool fit[USES] = {[IMAGE_FILES] = data->source->paths,
                            [TEXT_TABLES] = data->source->has_columns,
                            [TABLES] = data->is_table};
    return fit[use];
}

/* "--crop and --size" of those that were given for one use; empty if there are none. */
static void list_given(char *out, size_t size, const struct ecc_data_options *o, enum use use)
{
    const struct {
        const char *flag;
        enum use use;
        bool given;
    } options[] = {
        {"--crop", IMAGE_FILES, o->crop},     {"--size", IMAGE_FILES, o->size},
        {"--strict", IMAGE_FILES, o->strict}, {"--columns", TEXT_TABLES, o->columns},
        {"--drop", TEXT_TABLES, o->drop},     {"--decimal", TEXT_TABLES, o->decimal},
        {"--scaling", TABLES, o->scaler},
    };
    *out = '\0';
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const size_t used = strlen(out);
        if (options[i].use != use || !options[i].given) continue;
        snprintf(out + used, size - used, "%s%s", used ? ", " : "", options[i].flag);
    }
}

void ecc_remark_on_unused(struct ecc_dataset *data, const struct ecc_data_request *request)
{
    const struct ecc_data_options *const o = request->options;
    char quoted[ECC_QUOTE_SIZE], given[120];
    for (int use = 0; use < USES; use++) {
        list_given(given, sizeof given, o, (enum use)use);
        if (!*given || fits(data, (enum use)use)) continue;
        ecc_data_remark(data, "not used, because for %s only: %s", use_names[use], given);
    }
    const bool label = o->label && strcmp(o->label, "none") != 0;
    if (label && !request->label_used && !data->source->has_columns) {
        ecc_data_remark(data, "not used, because there is no such column or array: --label %s",
                        ecc_quote(quoted, o->label, strlen(o->label)));
    }
}
