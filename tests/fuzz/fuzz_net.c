/* fuzz_net.c: any bytes as the text of a net, for items of several shapes. */
#include "fuzz.h"
#include "nn/spec.h"

#include <math.h>

static size_t size_of(struct ecc_item_shape shape)
{
    require(shape.channels > 0 && shape.height > 0 && shape.width > 0);
    return shape.channels * shape.height * shape.width;
}

/* Each layer takes what the one before it gives; nothing is larger than the planner can hold. */
static void check_layers(struct ecc_item_shape *shape, const struct ecc_layer_spec *layers,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        require(memcmp(shape, &layers[i].input, sizeof *shape) == 0);
        require(size_of(layers[i].output) <= (size_t)1 << 28);
        require(layers[i].parameters <= (size_t)2000000000);
        require(isfinite(layers[i].flops) && layers[i].flops >= 0);
        require(layers[i].line > 0 && (i == 0 || layers[i].line > layers[i - 1].line));
        require(ecc_layer_name(layers[i].kind) != NULL);
        *shape = layers[i].output;
    }
}

static void check_net(const struct ecc_net_spec *spec)
{
    struct ecc_item_shape shape = spec->shape;
    check_layers(&shape, spec->encoder, spec->encoder_count);
    require(size_of(shape) == spec->encoder_outputs && shape.channels == spec->encoder_outputs);
    shape = (struct ecc_item_shape){spec->latent, 1, 1};
    check_layers(&shape, spec->decoder, spec->decoder_count);
    require(memcmp(&shape, &spec->shape, sizeof shape) == 0);
    require(isfinite(ecc_net_spec_flops(spec)));

    char *table = NULL;
    size_t length = 0, lines = 0;
    FILE *const stream = open_memstream(&table, &length);
    require(stream != NULL);
    ecc_net_spec_describe(stream, spec);
    fclose(stream);
    for (size_t i = 0; i < length; i++) lines += table[i] == '\n';
    require(lines == spec->encoder_count + spec->decoder_count + 4);
    free(table);
}

/* The text that a run keeps gives the same net again. */
static void check_again(const struct ecc_net_spec *spec)
{
    struct ecc_net_spec *again;
    struct ecc_error error = {0};
    require(ecc_net_spec_parse(&again, spec->text, spec->name, spec->shape, spec->latent,
                               spec->encoder_outputs, &error) == ECC_OK);
    require(ecc_net_spec_parameters(again) == ecc_net_spec_parameters(spec));
    require(ecc_net_spec_flops(again) == ecc_net_spec_flops(spec));
    ecc_net_spec_free(again);
}

/* As a file is read: what is in braces is replaced, then the text is parsed. */
static enum ecc_status read_net(struct ecc_net_spec **spec, const uint8_t *bytes, size_t size,
                                struct ecc_item_shape shape, size_t latent, size_t outputs,
                                struct ecc_error *error)
{
    char *const text = malloc(size + 1), *filled;
    require(text != NULL);
    if (size) memcpy(text, bytes, size);
    text[size] = '\0';
    *spec = NULL;
    enum ecc_status status =
        ecc_net_fill(&filled, text, "fuzz.net", shape.width > 1 ? 0.3 : 1, NULL, error);
    free(text); /* nothing of it may be in use */
    if (status != ECC_OK) return status;
    status = ecc_net_spec_parse(spec, filled, "fuzz.net", shape, latent, outputs, error);
    free(filled);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct {
        struct ecc_item_shape shape;
        size_t latent, outputs;
    } items[] = {{{1, 28, 28}, 8, 8}, {{3, 64, 64}, 64, 128}, {{5, 1, 1}, 2, 2}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        struct ecc_net_spec *spec;
        struct ecc_error error = {0};
        const enum ecc_status status =
            read_net(&spec, bytes, size, items[i].shape, items[i].latent, items[i].outputs, &error);
        if (status == ECC_OK) {
            check_net(spec);
            check_again(spec);
            ecc_net_spec_free(spec);
        } else {
            require(spec == NULL);
            check_sentence(&error);
        }
    }
    return 0;
}
