/* shared.c: turns options that several commands share into options of the library. */
#include "cli/shared.h"
#include "base/text.h"

#include <string.h>

struct ecc_loss_words ecc_loss_words_defaults(void)
{
    return (struct ecc_loss_words){.mu = 1, .m = "paper"};
}

enum ecc_status ecc_loss_words_read(struct ecc_loss_options *options,
                                    const struct ecc_loss_words *words, size_t threads,
                                    struct ecc_error *error)
{
    *options = (struct ecc_loss_options){
        .mu = words->mu, .pairs = (enum ecc_pairs)words->pairs, .threads = (int)threads};
    return ecc_parse_m(&options->m_rule, &options->m, words->m, error);
}

struct ecc_train_options ecc_data_words_train(const struct ecc_data_words *words)
{
    struct ecc_train_options o = ecc_train_defaults();
    o.items = words->items;
    o.crop = words->crop;
    o.size = words->size;
    o.label = words->label;
    o.labels = words->labels;
    o.metadata = words->metadata;
    o.strict = words->strict;
    o.columns = words->columns;
    o.drop = words->drop;
    o.decimal = (enum ecc_decimal)words->decimal;
    o.scaler = (enum ecc_scaler)words->scaler;
    return o;
}

struct ecc_data_options ecc_data_words_read(const struct ecc_data_words *words, uint64_t seed)
{
    struct ecc_train_options o = ecc_data_words_train(words);
    o.data_seed = seed;
    return ecc_settings_data(&o);
}
