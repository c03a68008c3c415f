/* test_spec.c: the text of nets: what it means, what is refused and how, and the built-in ones. */
#include "nn/spec.h"
#include "testing.h"

static const struct ecc_item_shape digit = {1, 28, 28}, face = {3, 64, 64};

static struct ecc_net_spec *parse(const char *text, struct ecc_item_shape shape, size_t latent)
{
    struct ecc_net_spec *spec;
    check_ok(ecc_net_spec_parse(&spec, text, "my.net", shape, latent, latent, &testing_error));
    return spec;
}

static struct ecc_net_spec *load(const char *name, struct ecc_item_shape shape, size_t latent,
                                 double width)
{
    struct ecc_net_spec *spec;
    check_ok(ecc_net_spec_load(&spec, name, shape, latent, latent, width, &testing_error));
    return spec;
}

static void check_output(const struct ecc_layer_spec *layer, size_t c, size_t h, size_t w)
{
    assert_int_equal(layer->output.channels, c);
    assert_int_equal(layer->output.height, h);
    assert_int_equal(layer->output.width, w);
}

/* ---- Meaning -------------------------------------------------------------------------------- */

static void text_has_a_meaning(void **state)
{
    (void)state;
    struct ecc_net_spec *const spec = parse(
        "# a comment\n\nencoder\r\n\tpad 1x2\n conv 6 kernel 4x3 stride 2 padding 1x0 # more\n"
        "batchnorm\nleakyrelu 0.25\nflatten\nrelu\ndense latent\ndecoder\n"
        "reshape latent 1 1\ndeconv channels kernel 10x12\nsigmoid",
        (struct ecc_item_shape){2, 10, 12}, 5);
    assert_int_equal(spec->encoder_count, 7);
    assert_int_equal(spec->decoder_count, 3);
    check_output(&spec->encoder[0], 2, 12, 16);
    check_output(&spec->encoder[1], 6, 6, 7);
    assert_int_equal(spec->encoder[1].line, 5);
    assert_int_equal(spec->encoder[1].parameters, 6 * 2 * 4 * 3 + 6);
    check_relative(spec->encoder[1].flops, 2.0 * 6 * 2 * 12 * 6 * 7, 1e-12, "flops");
    assert_true(spec->encoder[3].slope == 0.25);
    check_output(&spec->encoder[4], 252, 1, 1);
    check_output(&spec->encoder[6], 5, 1, 1);
    check_output(&spec->decoder[1], 2, 10, 12);
    assert_int_equal(spec->decoder[1].parameters, 5 * 2 * 120 + 2);
    assert_int_equal(ecc_net_spec_parameters(spec), 150 + 12 + 252 * 5 + 5 + 1202);
    ecc_net_spec_free(spec);
}

/* A VAE's encoder gives two numbers for each latent dimension. */
static void encoder_may_give_more(void **state)
{
    (void)state;
    struct ecc_net_spec *spec;
    check_ok(ecc_net_spec_load(&spec, "paper-mnist", digit, 8, 16, 1, &testing_error));
    check_output(&spec->encoder[spec->encoder_count - 1], 16, 1, 1);
    check_output(&spec->decoder[0], 8, 1, 1);
    ecc_net_spec_free(spec);
}

/* ---- Built in ------------------------------------------------------------------------------- */

static void paper_nets_are_the_papers(void **state)
{
    (void)state;
    struct ecc_net_spec *spec = load("paper-mnist", digit, 8, 1);
    assert_int_equal(ecc_net_spec_parameters(spec), 147097);
    static const size_t sides[] = {28, 13, 10, 4}, back[] = {3, 8, 11, 24, 28, 28, 28};
    for (size_t i = 0, k = 0; i < spec->encoder_count; i++) {
        if (spec->encoder[i].kind != ECC_LAYER_CONV) continue;
        assert_int_equal(spec->encoder[i].output.height, sides[k++]);
    }
    for (size_t i = 0, k = 0; i < spec->decoder_count; i++) {
        if (spec->decoder[i].kind != ECC_LAYER_DECONV) continue;
        assert_int_equal(spec->decoder[i].output.width, back[k++]);
    }
    ecc_net_spec_free(spec);
    spec = load("paper-celeba", face, 64, 1);
    check_output(&spec->encoder[9], 1024, 4, 4);
    check_output(&spec->decoder[1], 1024, 8, 8);
    check_output(&spec->decoder[8], 128, 64, 64);
    ecc_net_spec_free(spec);
    spec = load("paper-celeba", face, 64, 0.25);
    check_output(&spec->encoder[9], 256, 4, 4);
    ecc_net_spec_free(spec);
}

static void auto_fits_every_shape(void **state)
{
    (void)state;
    for (size_t h = 1; h <= 70; h += h < 20 ? 1 : 7) {
        for (size_t w = 1; w <= 300; w += w < 20 ? 1 : 31) {
            for (size_t c = 1; c <= 5; c += 2) {
                const struct ecc_item_shape shape = {c, h, w};
                struct ecc_net_spec *const spec = load("auto", shape, 7, h % 2 ? 1 : 0.3);
                const struct ecc_layer_spec *const last = &spec->decoder[spec->decoder_count - 1];
                check_output(last, c, h, w);
                assert_true((last->kind == ECC_LAYER_SIGMOID) == (h > 1 || w > 1));
                ecc_net_spec_free(spec);
            }
        }
    }
}

/* A count in braces is scaled by the width, in a file as in a built-in net; nothing else is. */
static void width_scales_braces(void **state)
{
    (void)state;
    const char *const path = testing_path("wide.net");
    FILE *const file = fopen(path, "wb");
    fputs("encoder # {x}\n conv {16} kernel 28\n flatten\n dense 20\n dense latent\n"
          "decoder\n dense {24*14*14}\n reshape {24} 14 14\n"
          " deconv channels kernel 2 stride 2\n",
          file);
    fclose(file);
    struct ecc_net_spec *spec = load(path, digit, 4, 0.7);
    check_output(&spec->encoder[0], 8, 1, 1); /* 11.2 */
    check_output(&spec->encoder[2], 20, 1, 1);
    check_output(&spec->decoder[0], 16 * 14 * 14, 1, 1); /* 16.8 */
    check_output(&spec->decoder[1], 16, 14, 14);
    assert_null(strchr(strchr(spec->text, '\n'), '{'));
    ecc_net_spec_free(spec);
    spec = load(path, digit, 4, 1);
    check_output(&spec->encoder[0], 16, 1, 1);
    check_output(&spec->decoder[1], 24, 14, 14);
    ecc_net_spec_free(spec);
}

static void refuse_braces(const char *text, const char *words)
{
    char *filled;
    check_fails(ecc_net_fill(&filled, text, "my.net", 1, NULL, &testing_error), ECC_BAD_DATA,
                words);
    assert_null(filled);
}

static void bad_braces_are_refused(void **state)
{
    (void)state;
    refuse_braces("encoder\nconv {16 kernel 3", "'my.net', line 2: cannot read '{16 kernel 3'");
    refuse_braces("conv {}", "line 1: cannot read '{}', expected a number of channels");
    refuse_braces("conv {16*}", "cannot read '{16*}'");
    refuse_braces("conv {0}", "cannot read '{0}'");
    refuse_braces("conv {rows}", "cannot read '{rows}'");
    refuse_braces("conv {16777216*16777216*16777216}", "expected a number of channels");
}

static void check_same_layers(const struct ecc_layer_spec *a, const struct ecc_layer_spec *b,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) assert_memory_equal(&a[i], &b[i], sizeof a[i]);
}

static void copies_are_the_same(void **state)
{
    (void)state;
    struct ecc_net_spec *const spec = load("paper-celeba", face, 64, 0.25), *copy;
    check_ok(ecc_net_spec_copy(&copy, spec, &testing_error));
    assert_string_equal(copy->text, spec->text);
    assert_string_equal(copy->name, spec->name);
    assert_int_equal(copy->encoder_count, spec->encoder_count);
    assert_int_equal(copy->decoder_count, spec->decoder_count);
    check_same_layers(copy->encoder, spec->encoder, spec->encoder_count);
    check_same_layers(copy->decoder, spec->decoder, spec->decoder_count);
    ecc_net_spec_free(spec);
    ecc_net_spec_free(copy);
}

/* The text of a net says all there is to it. */
static void text_can_be_read_again(void **state)
{
    (void)state;
    struct ecc_net_spec *const first = load("auto", face, 10, 0.5);
    struct ecc_net_spec *const second = parse(first->text, face, 10);
    assert_int_equal(ecc_net_spec_parameters(first), ecc_net_spec_parameters(second));
    assert_int_equal(first->decoder_count, second->decoder_count);
    ecc_net_spec_free(first);
    ecc_net_spec_free(second);
}

static void table_names_everything(void **state)
{
    (void)state;
    struct ecc_net_spec *const spec = load("paper-mnist", digit, 8, 1);
    char *text;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);
    ecc_net_spec_describe(stream, spec);
    fclose(stream);
    assert_non_null(strstr(text, "conv 24 kernel 4 stride 2"));
    assert_non_null(strstr(text, "24 x 13 x 13"));
    assert_non_null(strstr(text, "147097"));
    assert_null(strstr(text, " \n"));
    free(text);
    ecc_net_spec_free(spec);
}

/* ---- What is refused ------------------------------------------------------------------------ */

static void refuse(const char *text, const char *words)
{
    struct ecc_net_spec *spec;
    check_fails(ecc_net_spec_parse(&spec, text, "my.net", digit, 4, 4, &testing_error),
                ECC_BAD_DATA, words);
    assert_null(spec);
    assert_non_null(strstr(testing_error.text, "my.net"));
}

#define TAIL "\ndecoder\ndense size\nreshape channels height width\n"

static void errors_name_line_and_reason(void **state)
{
    (void)state;
    refuse("", "no layers in its encoder");
    refuse("encoder\nflatten\ndense latent\n", "no layers in its decoder");
    refuse("conv 3 kernel 3", "line 1: a layer before 'encoder'");
    refuse("decoder", "'decoder' before 'encoder'");
    refuse("encoder\nencoder", "line 2: a second 'encoder'");
    refuse("encoder here", "expected 'encoder' alone on its line");
    refuse("encoder\n\nconvolve 3", "line 3: unknown layer 'convolve', expected conv, deconv");
    refuse("encoder\nconv", "line 2: a number is missing, expected: conv OUTPUTS kernel K");
    refuse("encoder\nconv 3", "the kernel is missing");
    refuse("encoder\nconv 3 kernel", "a number is missing");
    refuse("encoder\nconv 3 kernel 3y4", "cannot read the number (or two, as in 4x3) '3y4'");
    refuse("encoder\nconv 3 kernel 0", "0 is out of range, expected 1 to 1000");
    refuse("encoder\nconv 3 kernel 3 strides 2", "unexpected 'strides'");
    refuse("encoder\nconv three kernel 3", "cannot read the size 'three'");
    refuse("encoder\nconv 99999999 kernel 3", "out of range");
    refuse("encoder\nconv 3 kernel 99x1" TAIL,
           "the kernel is 99x1 but the padded input only 28x28");
    refuse("encoder\ndense 10" TAIL, "expected a vector (flatten before it)");
    refuse("encoder\ndense 10 20", "unexpected '20'");
    refuse("encoder\nbatchnorm 1", "unexpected '1', expected: batchnorm");
    refuse("encoder\nleakyrelu", "the slope is missing");
    refuse("encoder\nleakyrelu 1.5", "the slope is 1.5, expected 0 to 1");
    refuse("encoder\nleakyrelu x", "cannot read the slope 'x'");
    refuse("encoder\nreshape 2 14", "a number is missing");
    refuse("encoder\nflatten\ndense 5" TAIL,
           "the encoder ends in 5 x 1 x 1, expected a vector of 4");
    refuse("encoder\nflatten\ndense latent\ndecoder\ndense 10\nreshape 3 3 1\n",
           "line 6: reshape from 10 x 1 x 1 to 3 x 3 x 1, expected the same count of numbers");
    refuse("encoder\nflatten\ndense latent\ndecoder\ndense size\n",
           "the decoder ends in 784 x 1 x 1, expected the shape of an item, 1 x 28 x 28");
    refuse("encoder\nflatten\ndense latent\ndecoder\nreshape 4 1 1\ndeconv 2 kernel 3 padding 2",
           "padding 2x2 is too large");
    refuse("encoder\ndeconv 16777216 kernel 900" TAIL, "expected at most");
    refuse("encoder\nconv 3 kernel 3 \001", "unexpected '\\x01'");
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    struct ecc_net_spec *spec;
    check_fails(ecc_net_spec_load(&spec, "paper-mnist", face, 8, 8, 1, &testing_error),
                ECC_BAD_ARGUMENT, "paper-mnist is for images of 28 x 28");
    check_fails(ecc_net_spec_load(&spec, "auto", digit, 0, 0, 1, &testing_error), ECC_BAD_ARGUMENT,
                "latent");
    check_fails(ecc_net_spec_load(&spec, "auto", digit, 8, 8, 0, &testing_error), ECC_BAD_ARGUMENT,
                "width");
    check_fails(
        ecc_net_spec_load(&spec, "auto", (struct ecc_item_shape){0, 1, 1}, 8, 8, 1, &testing_error),
        ECC_BAD_ARGUMENT, "items of 0");
    check_fails(ecc_net_spec_load(&spec, "no/such.net", digit, 8, 8, 1, &testing_error), ECC_IO,
                "no/such.net");
    const char *const path = testing_path("binary.net");
    FILE *const file = fopen(path, "wb");
    fwrite("encoder\0\n", 1, 9, file);
    fclose(file);
    check_fails(ecc_net_spec_load(&spec, path, digit, 8, 8, 1, &testing_error), ECC_BAD_DATA,
                "is not text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_has_a_meaning),          cmocka_unit_test(encoder_may_give_more),
        cmocka_unit_test(paper_nets_are_the_papers),   cmocka_unit_test(auto_fits_every_shape),
        cmocka_unit_test(text_can_be_read_again),      cmocka_unit_test(table_names_everything),
        cmocka_unit_test(errors_name_line_and_reason), cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(width_scales_braces),         cmocka_unit_test(bad_braces_are_refused),
        cmocka_unit_test(copies_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
