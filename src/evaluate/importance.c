/*
 * importance.c: how likely items are under the model of a run, by importance sampling.
 *
 * log p(x) is estimated by the logarithm of the mean over samples z of the posterior q(z|x) of
 * p(x|z) p(z) / q(z|x).  The decoder is planned a second time, without its sigmoid: log p(x|z) is
 * exact where a sigmoid would have rounded to 0 or 1.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/streams.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/watch.h"
#include "data/binarize.h"
#include "eccentric_evaluate.h"
#include "evaluate/posterior.h"
#include "model/seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 500, AT_ONCE = 500 }; /* usual number; decoded at once, at most */

/* ---- Pixels --------------------------------------------------------------------------------- */

/* exp(x) for -87 <= x <= 0, within 1e-7: 2^n times a polynomial, so that the loop has vectors. */
ECC_INLINE float exp_negative(float x)
{
    const float n = rintf(x * 0x1.715476p+0F);
    const float r = (x - n * 0x1.62e4p-1F) - n * 0x1.7f7d1cp-20F;
    const float p =
        1 +
        r * (1 + r * (1.0F / 2 + r * (1.0F / 6 + r * (1.0F / 24 + r * (1.0F / 120 + r / 720)))));
    const uint32_t bits = (uint32_t)((int32_t)n + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

/* sum of x l - log(1 + exp l) = x l - max(l, 0) - log(1 + exp -|l|); the logarithms of 256 numbers
 * between 1 and 2 are taken at once, of their product. */
ECC_MULTIVERSION
static double log_probability(const float *restrict logits, const float *restrict x, size_t count)
{
    double sum = 0;
    for (size_t start = 0; start < count; start += 256) {
        const size_t end = count - start < 256 ? count : start + 256;
        float part = 0;
        double product = 1;
#pragma omp simd reduction(+ : part) reduction(* : product)
        for (size_t k = start; k < end; k++) {
            const float l = logits[k], size = fabsf(l);
            part += x[k] * l - (l > 0 ? l : 0);
            product *= 1 + (double)exp_negative(size < 87 ? -size : -87);
        }
        sum += (double)part - log(product);
    }
    return sum;
}

/* ---- The decoder without its sigmoid -------------------------------------------------------- */

static enum ecc_status make_decoder(struct ecc_net **net, const struct ecc_model *m, size_t batch,
                                    int threads, struct ecc_error *error)
{
    const struct ecc_net_spec *const spec = m->spec;
    size_t at = spec->decoder_count;
    while (at > 0 && spec->decoder[at - 1].kind != ECC_LAYER_SIGMOID) at--;
    char *const text = strdup(spec->text), *line = text;
    float *const flat = malloc((ecc_net_flat_size(m->net) + 1) * sizeof *flat);
    struct ecc_net_spec *plain = NULL;
    enum ecc_status status = text && flat ? ECC_OK : ecc_fail_memory(error, "a decoder");
    *net = NULL;
    for (size_t k = 1; status == ECC_OK && k < spec->decoder[at - 1].line; k++) {
        line = strchr(line, '\n') + 1;
    }
    if (status == ECC_OK) {
        memset(line, ' ', strcspn(line, "\n"));
        status = ecc_net_spec_parse(&plain, text, spec->name, m->shape, m->d, spec->encoder_outputs,
                                    error);
    }
    if (status == ECC_OK) {
        const struct ecc_net_options options = {
            .batch = batch, .direct = m->options.direct, .threads = threads};
        status = ecc_net_create(net, plain, &options, error);
    }
    if (status == ECC_OK) {
        ecc_net_export(m->net, flat);
        ecc_net_import(*net, flat);
    }
    ecc_net_spec_free(plain);
    free(text);
    free(flat);
    return status;
}

/* ---- Items ---------------------------------------------------------------------------------- */

struct measuring {
    struct ecc_model *model;
    struct ecc_net *decoder;
    enum ecc_posterior_kind kind;
    struct ecc_posterior_samples samples;
    size_t at_once;
    int threads;
    uint64_t seed;
    float *drawn;          /* [batch, size] */
    float *outputs;        /* [batch, columns] */
    float *logits;         /* [at_once, size] */
    double *probabilities; /* [count] log p(x|z) of the samples */
    struct ecc_likelihood *result;
    const struct ecc_watch *watch;
};

static enum ecc_status decode_samples(struct measuring *m, const float *x, struct ecc_error *error)
{
    const size_t size = m->model->size, count = m->samples.count;
    for (size_t first = 0; first < count; first += m->at_once) {
        const size_t n = count - first < m->at_once ? count - first : m->at_once;
        ECC_TRY(ecc_net_decode(m->decoder, m->logits, m->samples.z + first * m->samples.d, n, false,
                               error));
#pragma omp parallel for schedule(static) num_threads(m->threads)
        for (size_t i = 0; i < n; i++) {
            m->probabilities[first + i] = log_probability(m->logits + i * size, x, size);
        }
    }
    return ECC_OK;
}

/* log of the mean of exp(a + b). */
static double log_mean_exp(const double *a, const double *b, size_t count)
{
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, a[i] + b[i]);
    for (size_t i = 0; i < count; i++) sum += exp(a[i] + b[i] - most);
    return most + log(sum / (double)count);
}

static enum ecc_status measure_item(struct measuring *m, const float *x, const float *outputs,
                                    size_t item, struct ecc_error *error)
{
    struct ecc_likelihood *const r = m->result;
    const double divergence = ecc_posterior_draw(&m->samples, m->kind, outputs, m->seed, item);
    double sum = 0;
    ECC_TRY(decode_samples(m, x, error));
    for (size_t i = 0; i < m->samples.count; i++) sum += m->probabilities[i];
    r->each[item] = log_mean_exp(m->probabilities, m->samples.log_ratio, m->samples.count);
    r->log_likelihood += r->each[item];
    r->reconstruction += sum / (double)m->samples.count;
    r->divergence += divergence;
    const struct ecc_work work = {"likelihood", "items", item + 1, r->items, NULL};
    return ecc_watch_work(m->watch, &work, error);
}

static enum ecc_status measure_batch(void *context, const float *x, size_t first, size_t n,
                                     struct ecc_error *error)
{
    struct measuring *const m = context;
    const size_t size = m->model->size, columns = m->model->spec->encoder_outputs;
    const float *outputs;
    if (m->result->binarized) {
        ecc_binarize(m->drawn, x, n * size, m->seed, ECC_STREAM_BINARY_TEST, first * size);
        x = m->drawn;
    }
    ECC_TRY(ecc_net_encode(m->model->net, &outputs, x, n, false, error));
    memcpy(m->outputs, outputs, n * columns * sizeof *outputs);
    for (size_t i = 0; i < n; i++) {
        const float *const item = x + i * size;
        for (size_t k = 0; k < size; k++) {
            if (item[k] >= 0 && item[k] <= 1) continue;
            return ecc_fail(error, ECC_BAD_DATA,
                            "item %zu has the number %g, expected pixels between 0 and 1",
                            first + i, (double)item[k]);
        }
        ECC_TRY(measure_item(m, item, m->outputs + i * columns, first + i, error));
    }
    return ECC_OK;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static enum ecc_status check_run(const struct ecc_model *m, enum ecc_posterior_kind kind,
                                 struct ecc_error *error)
{
    char run[ECC_PATH_SIZE];
    if (kind == ECC_POSTERIOR_NONE) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "the run %s has regularizer %s, whose model gives items no likelihood: "
                        "train with kl, vae or svae",
                        ecc_quote_path(run, m->run->directory), m->options.regularizer);
    }
    if (m->options.reconstruction == ECC_RECONSTRUCTION_BCE) return ECC_OK;
    return ecc_fail(error, ECC_BAD_ARGUMENT,
                    "the run %s was trained by the squared error: train with --reconstruction bce "
                    "for a decoder that gives probabilities of pixels",
                    ecc_quote_path(run, m->run->directory));
}

static enum ecc_status make_room(struct measuring *m, struct ecc_error *error)
{
    const struct ecc_model *const model = m->model;
    const size_t count = m->samples.count, d = m->samples.d, size = model->size;
    m->drawn = malloc(model->batch * size * sizeof *m->drawn);
    m->outputs = malloc(model->batch * model->spec->encoder_outputs * sizeof *m->outputs);
    m->logits = malloc(m->at_once * size * sizeof *m->logits);
    m->probabilities = malloc(count * sizeof *m->probabilities);
    m->samples.z = malloc(count * d * sizeof *m->samples.z);
    m->samples.log_ratio = malloc(count * sizeof *m->samples.log_ratio);
    m->samples.room = malloc((2 * d + count * d) * sizeof *m->samples.room);
    const bool all = m->drawn && m->outputs && m->logits && m->probabilities && m->samples.z &&
                     m->samples.log_ratio && m->samples.room;
    return all ? ECC_OK : ecc_fail_memory(error, "samples of latents");
}

static void release(struct measuring *m)
{
    ecc_net_free(m->decoder);
    free(m->drawn);
    free(m->outputs);
    free(m->logits);
    free(m->probabilities);
    free(m->samples.z);
    free(m->samples.log_ratio);
    free(m->samples.room);
}

static void finish(struct ecc_likelihood *r)
{
    const double n = (double)r->items;
    double squares = 0;
    r->log_likelihood /= n;
    r->reconstruction /= n;
    r->divergence /= n;
    r->bound = r->reconstruction - r->divergence;
    for (size_t i = 0; i < r->items; i++) {
        squares += (r->each[i] - r->log_likelihood) * (r->each[i] - r->log_likelihood);
    }
    r->deviation = sqrt(squares / fmax(1, n - 1) / n);
}

static enum ecc_status measure(struct measuring *m, const struct ecc_test_items *test,
                               struct ecc_error *error)
{
    struct ecc_likelihood *const r = m->result;
    const struct ecc_visit visit = {NULL, measure_batch, m};
    r->items = test->count;
    r->seen = test->seen;
    r->each = calloc(test->count, sizeof *r->each);
    if (!r->each) return ecc_fail_memory(error, "the likelihoods");
    ECC_TRY(make_room(m, error));
    ECC_TRY(make_decoder(&m->decoder, m->model, m->at_once, m->threads, error));
    /* progress is counted here, item by item */
    ECC_TRY(ecc_model_visit(m->model, test->data, test->items, test->count, &visit, NULL, error));
    finish(r);
    return ECC_OK;
}

enum ecc_status ecc_likelihood_measure(struct ecc_likelihood *result, struct ecc_model *model,
                                       const struct ecc_likelihood_options *options,
                                       const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_likelihood_options o = options ? *options : (struct ecc_likelihood_options){0};
    const struct ecc_test_request request = {.test = o.data, .most = o.items};
    const double start = ecc_seconds();
    struct ecc_regularizer_choice choice;
    struct ecc_test_items test = {0};
    *result = (struct ecc_likelihood){.samples = o.samples ? o.samples : SAMPLES,
                                      .binarized = model->options.binarize};
    ECC_TRY(ecc_regularizer_read(&choice, model->options.regularizer, error));
    struct measuring m = {.model = model,
                          .kind = ecc_posterior_of(&choice),
                          .samples = {.count = result->samples, .d = model->d},
                          .at_once = result->samples < AT_ONCE ? result->samples : AT_ONCE,
                          .threads = ecc_threads((int)o.threads),
                          .seed = o.seed ? o.seed : 1,
                          .result = result,
                          .watch = watch};
    ECC_TRY(check_run(model, m.kind, error));
    enum ecc_status status = ecc_model_test_items(model, &test, &request, watch, error);
    if (status == ECC_OK) status = measure(&m, &test, error);
    ecc_test_items_release(&test);
    release(&m);
    result->seconds = ecc_seconds() - start;
    if (status != ECC_OK) ecc_likelihood_release(result);
    return status;
}

void ecc_likelihood_release(struct ecc_likelihood *result)
{
    free(result->each);
    *result = (struct ecc_likelihood){0};
}
