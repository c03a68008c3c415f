/* test_page_net.c: the net of the one-file page (wasm/net.c), compiled natively, beside the net it
 * was made from. */
#include "explore/page_check.h"
#include "export/page_net.h"
#include "testing.h"
#include "train/trainer.h"
#include "wasm/net.h"

#include <eccentric_train.h>

enum { ITEMS = 60, TRIED = 5 };

struct kind {
    const char *name, *net, *regularizer;
    size_t channels, side; /* of images; a table has side columns */
    bool table;
};

static float pixel(size_t i)
{
    return 0.5F + 0.5F * sinf(0.37F * (float)i + (float)(i % 11));
}

/* A model after a few steps. */
static struct ecc_model *train(const struct kind *kind, float **x)
{
    struct ecc_run *run;
    struct ecc_trainer *trainer;
    struct ecc_model *model;
    struct ecc_train_result result;
    struct ecc_train_options options = ecc_train_defaults();
    const size_t size = kind->table ? kind->side : kind->channels * kind->side * kind->side;
    *x = malloc(ITEMS * size * sizeof **x);
    for (size_t i = 0; i < ITEMS * size; i++) (*x)[i] = pixel(i);
    const struct ecc_array_data array = {.x = *x,
                                         .n = ITEMS,
                                         .channels = kind->table ? 1 : kind->channels,
                                         .height = kind->table ? 1 : kind->side,
                                         .width = kind->side,
                                         .is_table = kind->table};
    check_ok(ecc_data_lend("items", &array, &testing_error));
    options.data = "memory:items";
    options.net = kind->net;
    options.latent = 3;
    options.regularizer = kind->regularizer;
    options.batch = 20;
    options.epochs = 2;
    options.validation = 0;
    options.threads = 1;
    const char *const directory = testing_path(kind->name);
    check_ok(ecc_run_create(&run, directory, true, &testing_error));
    check_ok(ecc_trainer_start(&trainer, run, &options, NULL, &testing_error));
    while (!ecc_trainer_done(trainer)) {
        struct ecc_train_progress now;
        check_ok(ecc_trainer_step(trainer, &now, &testing_error));
    }
    check_ok(ecc_trainer_finish(trainer, &result, &testing_error));
    ecc_train_result_release(&result);
    ecc_trainer_free(trainer);
    ecc_run_close(run);
    check_ok(ecc_model_open(&model, directory, NULL, &testing_error));
    return model;
}

static int load(const struct ecc_model *m, const struct ecc_components *c, bool decoder,
                enum ecc_weight_format format)
{
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_page_net(&bytes, &size, m, c, decoder, format, &testing_error));
    const int net = net_load(bytes, size);
    assert_int_not_equal(net, 0);
    /* no part of it is a net */
    for (size_t cut = 0; cut < size; cut += 1 + size / 7) assert_int_equal(net_load(bytes, cut), 0);
    free(bytes);
    return net;
}

/* The place of number i, [c, h, w], among pixels [h, w, c]. */
static size_t place(const struct ecc_model *m, size_t i)
{
    const size_t pixels = m->shape.height * m->shape.width;
    return i % pixels * m->shape.channels + i / pixels;
}

/* The largest difference of decoded items, for some amounts. */
static double try_decoder(struct ecc_model *m, const struct ecc_components *c,
                          enum ecc_weight_format format)
{
    const int net = load(m, c, true, format);
    float *const y = malloc(m->size * sizeof *y);
    double worst = 0;
    for (size_t t = 0; t < TRIED; t++) {
        float z[3];
        for (size_t k = 0; k < 3; k++) {
            const float amount = 2 * pixel(100 * t + 7 * k) - 1;
            net_input(net)[k] = amount;
            z[k] = amount * (float)c->deviations[k];
        }
        check_ok(ecc_components_restore(c, z, z, 1, &testing_error));
        check_ok(ecc_model_decode(m, y, z, 1, &testing_error));
        net_run(net);
        for (size_t i = 0; i < m->size; i++) {
            worst = fmax(worst, fabs((double)net_output(net)[place(m, i)] - (double)y[i]));
        }
    }
    free(y);
    return worst;
}

/* The largest difference of amounts, times the deviation of each. */
static double try_encoder(struct ecc_model *m, const struct ecc_components *c, const float *x)
{
    const int net = load(m, c, false, ECC_WEIGHTS_FLOAT);
    double worst = 0;
    for (size_t t = 0; t < TRIED; t++) {
        float z[3];
        for (size_t i = 0; i < m->size; i++) net_input(net)[place(m, i)] = x[t * m->size + i];
        check_ok(ecc_model_encode(m, z, x + t * m->size, 1, &testing_error));
        check_ok(ecc_components_project(c, z, z, 1, &testing_error));
        net_run(net);
        for (size_t k = 0; k < 3; k++) {
            const double found = (double)net_output(net)[k] * c->deviations[k];
            worst = fmax(worst, fabs(found - (double)z[k]));
        }
    }
    return worst;
}

static void test_nets(void **state)
{
    static const struct kind kinds[] = {
        {"paper", "paper-mnist", "eccentric", 1, 28, false},
        {"colour", "auto", "eccentric", 3, 16, false},
        {"odd", "auto", "kl", 3, 11, false},
        {"sphere", "auto", "sphere", 1, 12, false},
        {"svae", "auto", "svae", 1, 12, false},
        {"irmae", "auto", "irmae:layers=2", 1, 12, false},
        {"table", "auto", "eccentric", 1, 6, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct ecc_components c;
        float *x;
        struct ecc_model *const m = train(&kinds[k], &x);
        check_ok(ecc_model_components(m, &c, NULL, NULL, &testing_error));
        const double exact = try_decoder(m, &c, ECC_WEIGHTS_FLOAT);
        const double half = try_decoder(m, &c, ECC_WEIGHTS_HALF);
        const double byte = try_decoder(m, &c, ECC_WEIGHTS_BYTE), encoder = try_encoder(m, &c, x);
        print_message("%s: decoder %.1e, by 16 bits %.1e, by 8 bits %.1e; encoder %.1e\n",
                      kinds[k].name, exact, half, byte, encoder);
        assert_true(exact < 1e-5 && half < 2e-3 && byte < 5e-2 && encoder < 1e-5);
        ecc_components_release(&c);
        ecc_model_close(m);
        ecc_data_return("items");
        free(x);
    }
    ecc_page_nets_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
