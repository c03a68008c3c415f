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

struct ecc_data_options ecc_data_words_read(const struct ecc_data_words *words, uint64_t seed)
{
    return (struct ecc_data_options){.items = words->items,
                                     .crop = words->crop,
                                     .size = words->size,
                                     .label = words->label,
                                     .labels = words->labels,
                                     .metadata = words->metadata,
                                     .strict = words->strict,
                                     .columns = words->columns,
                                     .drop = words->drop,
                                     .decimal = (enum ecc_decimal)words->decimal,
                                     .scaler = (enum ecc_scaler)words->scaler,
                                     .seed = seed};
}
