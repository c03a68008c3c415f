/*
 * spec_parse.c: turns the text of a net into a list of layers.
 *
 * Every layer is one row of a table: its name, the function that reads its line, and its usage.
 */
#include "base/file.h"
#include "base/text.h"
#include "nn/spec.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAYERS = 1000, MAX_WORDS = 16, MAX_WORD = 64, MAX_TEXT = 1 << 20, MAX_SIZE = 1 << 24 };

/* The parser's state; `file` is the quoted name for messages. */
struct parser {
    struct ecc_net_spec *spec;
    struct ecc_error *error;
    char file[ECC_PATH_SIZE];
    size_t line;
    char words[MAX_WORDS][MAX_WORD];
    size_t word_count;
    bool in_decoder;
    bool seen[2]; /* encoder, decoder */
};

typedef enum ecc_status parse_arguments(struct parser *parser, struct ecc_layer_spec *layer);
static parse_arguments parse_convolution, parse_dense, parse_slope, parse_nothing, parse_reshape,
    parse_pad;

static const struct layer_row {
    const char *name;
    parse_arguments *parse;
    const char *usage;
} layer_rows[] = {
    [ECC_LAYER_CONV] = {"conv", parse_convolution, "conv OUTPUTS kernel K [stride S] [padding P]"},
    [ECC_LAYER_DECONV] = {"deconv", parse_convolution,
                          "deconv OUTPUTS kernel K [stride S] [padding P]"},
    [ECC_LAYER_DENSE] = {"dense", parse_dense, "dense OUTPUTS"},
    [ECC_LAYER_BATCHNORM] = {"batchnorm", parse_nothing, "batchnorm"},
    [ECC_LAYER_LEAKY_RELU] = {"leakyrelu", parse_slope, "leakyrelu SLOPE"},
    [ECC_LAYER_RELU] = {"relu", parse_nothing, "relu"},
    [ECC_LAYER_SIGMOID] = {"sigmoid", parse_nothing, "sigmoid"},
    [ECC_LAYER_FLATTEN] = {"flatten", parse_nothing, "flatten"},
    [ECC_LAYER_RESHAPE] = {"reshape", parse_reshape, "reshape CHANNELS HEIGHT WIDTH"},
    [ECC_LAYER_PAD] = {"pad", parse_pad, "pad P"},
    [ECC_LAYER_BYPASS] = {"bypass", parse_nothing, "bypass"},
};
enum { ROW_COUNT = sizeof layer_rows / sizeof layer_rows[0] };

const char *ecc_layer_name(enum ecc_layer_kind kind)
{
    return layer_rows[kind].name;
}

/* "FILE, line N: REASON" */
static enum ecc_status fail_at(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum ecc_status fail_at(struct parser *parser, const char *format, ...)
{
    char reason[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return ecc_fail(parser->error, ECC_BAD_DATA, "%s, line %zu: %s", parser->file, parser->line,
                    reason);
}

static enum ecc_status fail_usage(struct parser *parser, const char *problem, const char *word)
{
    char quoted[ECC_QUOTE_SIZE];
    enum ecc_layer_kind kind = 0;
    while (strcmp(layer_rows[kind].name, parser->words[0]) != 0) kind++;
    return fail_at(parser, "%s%s%s, expected: %s", problem, word ? " " : "",
                   word ? ecc_quote(quoted, word, strlen(word)) : "", layer_rows[kind].usage);
}

/* ---- Words ---------------------------------------------------------------------------------- */

/* A size of at least 1: a number, or a word for one. */
static enum ecc_status parse_count(struct parser *parser, size_t *count, size_t index)
{
    const struct ecc_net_spec *const spec = parser->spec;
    if (index >= parser->word_count) return fail_usage(parser, "a number is missing", NULL);
    const char *const word = parser->words[index];
    const struct {
        const char *name;
        size_t value;
    } names[] = {
        {"latent", parser->in_decoder ? spec->latent : spec->encoder_outputs},
        {"channels", spec->shape.channels},
        {"height", spec->shape.height},
        {"width", spec->shape.width},
        {"size", ecc_shape_size(spec->shape)},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(word, names[i].name) == 0) {
            *count = names[i].value;
            return ECC_OK;
        }
    }
    if (!ecc_parse_size(word, count)) return fail_usage(parser, "cannot read the size", word);
    if (*count < 1 || *count > MAX_SIZE) {
        return fail_at(parser, "%s is out of range, expected 1 to %d", word, MAX_SIZE);
    }
    return ECC_OK;
}

/* "3" or "4x3" (height x width), each from `least` to 1000. */
static enum ecc_status parse_pair(struct parser *parser, size_t pair[2], size_t index, size_t least)
{
    if (index >= parser->word_count) return fail_usage(parser, "a number is missing", NULL);
    char *const word = parser->words[index], copy[MAX_WORD];
    memcpy(copy, word, sizeof copy);
    char *const cross = strchr(copy, 'x');
    if (cross) *cross = '\0';
    if (!ecc_parse_size(copy, &pair[0]) || !ecc_parse_size(cross ? cross + 1 : copy, &pair[1])) {
        return fail_usage(parser, "cannot read the number (or two, as in 4x3)", word);
    }
    for (int k = 0; k < 2; k++) {
        if (pair[k] < least || pair[k] > 1000) {
            return fail_at(parser, "%s is out of range, expected %zu to 1000", word, least);
        }
    }
    return ECC_OK;
}

static enum ecc_status expect_end(struct parser *parser, size_t used)
{
    if (parser->word_count <= used) return ECC_OK;
    return fail_usage(parser, "unexpected", parser->words[used]);
}

/* ---- After the name of a layer -------------------------------------------------------------- */

static enum ecc_status parse_convolution(struct parser *parser, struct ecc_layer_spec *layer)
{
    ECC_TRY(parse_count(parser, &layer->outputs, 1));
    const struct {
        const char *name;
        size_t *pair, least;
    } keys[] = {
        {"kernel", layer->kernel, 1}, {"stride", layer->stride, 1}, {"padding", layer->padding, 0}};
    for (size_t i = 2; i < parser->word_count; i += 2) {
        size_t k = 0;
        while (k < 3 && strcmp(parser->words[i], keys[k].name) != 0) k++;
        if (k == 3) return fail_usage(parser, "unexpected", parser->words[i]);
        ECC_TRY(parse_pair(parser, keys[k].pair, i + 1, keys[k].least));
    }
    if (layer->kernel[0] == 0) return fail_usage(parser, "the kernel is missing", NULL);
    return ECC_OK;
}

static enum ecc_status parse_dense(struct parser *parser, struct ecc_layer_spec *layer)
{
    ECC_TRY(parse_count(parser, &layer->outputs, 1));
    return expect_end(parser, 2);
}

static enum ecc_status parse_slope(struct parser *parser, struct ecc_layer_spec *layer)
{
    if (parser->word_count < 2) return fail_usage(parser, "the slope is missing", NULL);
    if (!ecc_parse_double(parser->words[1], &layer->slope)) {
        return fail_usage(parser, "cannot read the slope", parser->words[1]);
    }
    if (layer->slope < 0 || layer->slope > 1) {
        return fail_at(parser, "the slope is %g, expected 0 to 1", layer->slope);
    }
    return expect_end(parser, 2);
}

static enum ecc_status parse_nothing(struct parser *parser, struct ecc_layer_spec *layer)
{
    (void)layer;
    return expect_end(parser, 1);
}

static enum ecc_status parse_reshape(struct parser *parser, struct ecc_layer_spec *layer)
{
    ECC_TRY(parse_count(parser, &layer->output.channels, 1));
    ECC_TRY(parse_count(parser, &layer->output.height, 2));
    ECC_TRY(parse_count(parser, &layer->output.width, 3));
    return expect_end(parser, 4);
}

static enum ecc_status parse_pad(struct parser *parser, struct ecc_layer_spec *layer)
{
    ECC_TRY(parse_pair(parser, layer->padding, 1, 0));
    return expect_end(parser, 2);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static enum ecc_status split_words(struct parser *parser, const char *line, size_t length)
{
    parser->word_count = 0;
    for (size_t i = 0; i < length && line[i] != '#';) {
        if (strchr(" \t\r", line[i])) {
            i++;
            continue;
        }
        size_t end = i;
        while (end < length && line[end] && !strchr(" \t\r#", line[end])) end++;
        char quoted[ECC_QUOTE_SIZE];
        if (end == i || end - i >= MAX_WORD) {
            return fail_at(parser, "cannot read %s, expected words and numbers",
                           ecc_quote(quoted, line + i, end == i ? 1 : end - i));
        }
        if (parser->word_count == MAX_WORDS) {
            return fail_at(parser, "too many words, expected one layer on a line");
        }
        char *const word = parser->words[parser->word_count++];
        memcpy(word, line + i, end - i);
        word[end - i] = '\0';
        i = end;
    }
    return ECC_OK;
}

static enum ecc_status start_section(struct parser *parser, bool decoder)
{
    const char *const name = parser->words[0];
    if (parser->word_count > 1) {
        return fail_at(parser, "expected '%s' alone on its line, with its layers below", name);
    }
    if (parser->seen[decoder]) {
        return fail_at(parser, "a second '%s', expected one encoder and one decoder", name);
    }
    if (decoder && !parser->seen[0]) {
        return fail_at(parser, "'decoder' before 'encoder', expected the encoder first");
    }
    parser->seen[decoder] = true;
    parser->in_decoder = decoder;
    return ECC_OK;
}

static enum ecc_status add_layer(struct parser *parser, const struct ecc_layer_spec *layer)
{
    struct ecc_net_spec *const spec = parser->spec;
    struct ecc_layer_spec **const layers = parser->in_decoder ? &spec->decoder : &spec->encoder;
    size_t *const count = parser->in_decoder ? &spec->decoder_count : &spec->encoder_count;
    if (*count == MAX_LAYERS) return fail_at(parser, "more than %d layers", MAX_LAYERS);
    struct ecc_layer_spec *const grown = realloc(*layers, (*count + 1) * sizeof *grown);
    if (!grown) return ecc_fail_memory(parser->error, "the layers of a net");
    *layers = grown;
    grown[(*count)++] = *layer;
    return ECC_OK;
}

static enum ecc_status parse_layer(struct parser *parser)
{
    const char *const word = parser->words[0];
    for (size_t kind = 0; kind < ROW_COUNT; kind++) {
        if (strcmp(word, layer_rows[kind].name) != 0) continue;
        if (!parser->seen[0]) {
            return fail_at(parser, "a layer before 'encoder', expected that word first");
        }
        struct ecc_layer_spec layer = {
            .kind = (enum ecc_layer_kind)kind, .line = parser->line, .stride = {1, 1}};
        ECC_TRY(layer_rows[kind].parse(parser, &layer));
        return add_layer(parser, &layer);
    }
    char quoted[ECC_QUOTE_SIZE];
    return fail_at(parser,
                   "unknown layer %s, expected conv, deconv, dense, batchnorm, leakyrelu, relu, "
                   "sigmoid, flatten, reshape, pad, bypass, or the words encoder and decoder",
                   ecc_quote(quoted, word, strlen(word)));
}

static enum ecc_status parse_lines(struct parser *parser, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        parser->line++;
        ECC_TRY(split_words(parser, text, length));
        const char *const first = parser->word_count ? parser->words[0] : "";
        if (strcmp(first, "encoder") == 0 || strcmp(first, "decoder") == 0) {
            ECC_TRY(start_section(parser, first[0] == 'd'));
        } else if (parser->word_count) {
            ECC_TRY(parse_layer(parser));
        }
        text += length + (text[length] == '\n');
    }
    if (!parser->spec->encoder_count || !parser->spec->decoder_count) {
        return ecc_fail(parser->error, ECC_BAD_DATA,
                        "%s has no layers in its %s, expected 'encoder' and 'decoder', each with "
                        "layers below it",
                        parser->file, parser->spec->encoder_count ? "decoder" : "encoder");
    }
    return ECC_OK;
}

/* ---- Whole nets ----------------------------------------------------------------------------- */

static enum ecc_status check_request(struct ecc_item_shape shape, size_t latent, size_t outputs,
                                     struct ecc_error *error)
{
    if (shape.channels < 1 || shape.height < 1 || shape.width < 1 || shape.channels > MAX_SIZE ||
        shape.height > MAX_SIZE || shape.width > MAX_SIZE ||
        (double)shape.channels * (double)shape.height * (double)shape.width > MAX_SIZE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "items of %zu x %zu x %zu numbers, expected 1 to %d in total",
                        shape.channels, shape.height, shape.width, MAX_SIZE);
    }
    if (latent < 1 || latent > MAX_SIZE || outputs < 1 || outputs > MAX_SIZE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu latent dimensions, expected 1 to %d", latent,
                        MAX_SIZE);
    }
    return ECC_OK;
}

enum ecc_status ecc_net_spec_parse(struct ecc_net_spec **spec, const char *text, const char *name,
                                   struct ecc_item_shape shape, size_t latent,
                                   size_t encoder_outputs, struct ecc_error *error)
{
    return ecc_net_spec_parse_to(spec, text, name, shape, latent, encoder_outputs, shape, error);
}

enum ecc_status ecc_net_spec_parse_to(struct ecc_net_spec **result, const char *text,
                                      const char *name, struct ecc_item_shape shape, size_t latent,
                                      size_t encoder_outputs, struct ecc_item_shape target,
                                      struct ecc_error *error)
{
    *result = NULL;
    ECC_TRY(check_request(shape, latent, encoder_outputs, error));
    struct ecc_net_spec *const spec = calloc(1, sizeof *spec);
    if (!spec) return ecc_fail_memory(error, "the description of a net");
    spec->shape = shape;
    spec->target = target;
    spec->latent = latent;
    spec->encoder_outputs = encoder_outputs;
    spec->name = strdup(name);
    spec->text = strdup(text);
    enum ecc_status status = ECC_OK;
    if (!spec->name || !spec->text) status = ecc_fail_memory(error, "the description of a net");
    if (status == ECC_OK) {
        struct parser parser = {.spec = spec, .error = error};
        ecc_quote_path(parser.file, name);
        status = parse_lines(&parser, text);
    }
    if (status == ECC_OK) status = ecc_net_spec_shapes(spec, error);
    if (status != ECC_OK) {
        ecc_net_spec_free(spec);
        return status;
    }
    *result = spec;
    return ECC_OK;
}

static enum ecc_status read_text(char **text, const char *path, struct ecc_error *error)
{
    unsigned char *bytes;
    size_t size;
    char quoted[ECC_PATH_SIZE];
    ECC_TRY(ecc_file_read(&bytes, &size, path, error));
    if (size > MAX_TEXT || memchr(bytes, 0, size)) {
        free(bytes);
        return ecc_fail(error, ECC_BAD_DATA, "%s is not text, expected the layers of a net",
                        ecc_quote_path(quoted, path));
    }
    *text = realloc(bytes, size + 1);
    if (!*text) {
        free(bytes);
        return ecc_fail_memory(error, "the description of a net");
    }
    (*text)[size] = '\0';
    return ECC_OK;
}

static enum ecc_status load_text(char **text, const char *name_or_path, struct ecc_item_shape shape,
                                 double width, struct ecc_error *error)
{
    if (!(width >= 1e-3 && width <= 1e3)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "the width is %g, expected 0.001 to 1000", width);
    }
    ECC_TRY(ecc_net_builtin(text, name_or_path, shape, width, error));
    if (*text) return ECC_OK;
    char *raw;
    ECC_TRY(read_text(&raw, name_or_path, error));
    const enum ecc_status status = ecc_net_fill(text, raw, name_or_path, width, NULL, error);
    free(raw);
    return status;
}

enum ecc_status ecc_net_spec_load(struct ecc_net_spec **spec, const char *name_or_path,
                                  struct ecc_item_shape shape, size_t latent,
                                  size_t encoder_outputs, double width, struct ecc_error *error)
{
    *spec = NULL;
    char *text;
    ECC_TRY(check_request(shape, latent, encoder_outputs, error));
    ECC_TRY(load_text(&text, name_or_path, shape, width, error));
    const enum ecc_status status =
        ecc_net_spec_parse(spec, text, name_or_path, shape, latent, encoder_outputs, error);
    free(text);
    return status;
}

static struct ecc_layer_spec *copy_layers(const struct ecc_layer_spec *layers, size_t count)
{
    struct ecc_layer_spec *const copy = malloc(count * sizeof *copy);
    if (copy) memcpy(copy, layers, count * sizeof *copy);
    return copy;
}

enum ecc_status ecc_net_spec_copy(struct ecc_net_spec **result, const struct ecc_net_spec *spec,
                                  struct ecc_error *error)
{
    *result = NULL;
    struct ecc_net_spec *const copy = malloc(sizeof *copy);
    if (!copy) return ecc_fail_memory(error, "the description of a net");
    *copy = *spec;
    copy->name = strdup(spec->name);
    copy->text = strdup(spec->text);
    copy->encoder = copy_layers(spec->encoder, spec->encoder_count);
    copy->decoder = copy_layers(spec->decoder, spec->decoder_count);
    if (!copy->name || !copy->text || !copy->encoder || !copy->decoder) {
        ecc_net_spec_free(copy);
        return ecc_fail_memory(error, "the description of a net");
    }
    *result = copy;
    return ECC_OK;
}

void ecc_net_spec_free(struct ecc_net_spec *spec)
{
    if (!spec) return;
    free(spec->name);
    free(spec->text);
    free(spec->encoder);
    free(spec->decoder);
    free(spec);
}
