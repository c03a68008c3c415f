/* mlp_head.c: classification by a small network on points that do not change. */
#include "latent/mlp_head.h"
#include "base/rng.h"
#include "base/streams.h"
#include "base/watch.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = 10, FEWEST = 50, FIFTH = 5 };
static const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

struct ecc_head_options ecc_head_defaults(void)
{
    return (struct ecc_head_options){
        .width = 128, .epochs = 500, .batch = 100, .dropout = 0.5, .rate = 1e-3, .seed = 1};
}

/* ---- The network ---------------------------------------------------------------------------- */

/* Where the tensors are. */
struct parts {
    float *w1, *b1, *w2, *b2, *w3;
};

static struct parts parts_of(const struct ecc_head *h, float *flat)
{
    struct parts p = {.w1 = flat};
    p.b1 = p.w1 + h->width * h->d;
    p.w2 = p.b1 + h->width;
    p.b2 = p.w2 + h->width * h->width;
    p.w3 = p.b2 + h->width;
    return p;
}

/* U(-1/sqrt(inputs), 1/sqrt(inputs)), biases too. */
static void draw_weights(struct ecc_head *h, uint64_t seed)
{
    const size_t first = h->width * h->d + h->width;
    ecc_rng_uniform_f32(h->weights, seed, ECC_STREAM_HEAD_WEIGHTS, 0, h->count);
    for (size_t i = 0; i < h->count; i++) {
        const float bound = 1 / sqrtf((float)(i < first ? h->d : h->width));
        h->weights[i] = bound * (2 * h->weights[i] - 1);
    }
}

enum ecc_status ecc_head_init(struct ecc_head *h, const struct ecc_labels *labels, size_t d,
                              const struct ecc_head_options *o, struct ecc_error *error)
{
    *h = (struct ecc_head){.d = d, .width = o->width, .batch = o->batch, .labels = labels};
    for (size_t t = 0; t < labels->targets; t++) h->outputs += labels->classes[t];
    h->count = h->width * (d + 1 + h->width + 1 + h->outputs);
    const size_t rows = h->batch * (5 * h->width + h->outputs + d);
    float *const memory = calloc(4 * h->count + rows, sizeof *memory);
    h->memory = memory;
    if (!memory) return ecc_fail_memory(error, "the classifier");
    h->weights = memory;
    h->gradient = h->weights + h->count;
    h->first = h->gradient + h->count;
    h->second = h->first + h->count;
    h->h1 = h->second + h->count;
    h->h2 = h->h1 + h->batch * h->width;
    h->g = h->h2 + h->batch * h->width;
    h->mask = h->g + h->batch * h->width;
    h->y = h->mask + 2 * h->batch * h->width;
    h->x = h->y + h->batch * h->outputs;
    draw_weights(h, o->seed);
    return ECC_OK;
}

void ecc_head_release(struct ecc_head *h)
{
    free(h->memory);
    *h = (struct ecc_head){0};
}

/* out: [n, b] = in: [n, a] w^T, w: [b, a], plus a bias: [b] or NULL. */
static void linear(float *out, const float *in, const float *w, const float *bias, size_t n,
                   size_t a, size_t b)
{
    for (size_t i = 0; bias && i < n; i++) memcpy(out + i * b, bias, b * sizeof *out);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)b, (int)a, 1, in, (int)a, w,
                (int)a, bias ? 1 : 0, out, (int)b);
}

static void activate(float *h, const float *mask, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        h[i] = h[i] > 0 ? h[i] * (mask ? mask[i] : 1) : 0;
    }
}

void ecc_head_forward(struct ecc_head *h, const float *x, size_t n, bool masked)
{
    const struct parts p = parts_of(h, h->weights);
    const float *const second = h->mask + h->batch * h->width;
    linear(h->h1, x, p.w1, p.b1, n, h->d, h->width);
    activate(h->h1, masked ? h->mask : NULL, n * h->width);
    linear(h->h2, h->h1, p.w2, p.b2, n, h->width, h->width);
    activate(h->h2, masked ? second : NULL, n * h->width);
    linear(h->y, h->h2, p.w3, NULL, n, h->width, h->outputs);
}

/* y: [classes] becomes the gradient of the cross-entropy, which is returned. */
static double cross_entropy(float *y, size_t classes, size_t label, double weight)
{
    double most = y[0], sum = 0;
    for (size_t k = 1; k < classes; k++) most = fmax(most, y[k]);
    for (size_t k = 0; k < classes; k++) sum += exp((double)y[k] - most);
    /* the largest adds 1 */
    const double loss = log(fmax(1, sum)) + most - (double)y[label];
    for (size_t k = 0; k < classes; k++) {
        y[k] = (float)(weight * (exp((double)y[k] - most) / sum - (k == label)));
    }
    return loss;
}

/* dw: [b, a] = dout^T in, db: [b] or NULL; din: [n, a] = dout w, or NULL. */
static void linear_back(float *dw, float *db, float *din, const float *dout, const float *in,
                        const float *w, size_t n, size_t a, size_t b)
{
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)b, (int)a, (int)n, 1, dout, (int)b,
                in, (int)a, 0, dw, (int)a);
    for (size_t k = 0; db && k < b; k++) db[k] = 0;
    for (size_t i = 0; db && i < n; i++) {
        for (size_t k = 0; k < b; k++) db[k] += dout[i * b + k];
    }
    if (!din) return;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)a, (int)b, 1, dout, (int)b,
                w, (int)a, 0, din, (int)a);
}

/* Through dropout and ReLU: h is 0 where either was. */
static void activate_back(float *g, const float *h, const float *mask, size_t count)
{
    for (size_t i = 0; i < count; i++) g[i] = h[i] > 0 ? g[i] * mask[i] : 0;
}

double ecc_head_back(struct ecc_head *h, const float *x, const uint32_t *rows, size_t n)
{
    const struct parts w = parts_of(h, h->weights), dw = parts_of(h, h->gradient);
    const size_t cells = n * h->width;
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        float *y = h->y + i * h->outputs;
        for (size_t t = 0; t < h->labels->targets; y += h->labels->classes[t++]) {
            const size_t label = (size_t)h->labels->values[t * h->labels->n + rows[i]];
            loss += cross_entropy(y, h->labels->classes[t], label, 1 / (double)n);
        }
    }
    linear_back(dw.w3, NULL, h->g, h->y, h->h2, w.w3, n, h->width, h->outputs);
    activate_back(h->g, h->h2, h->mask + h->batch * h->width, cells);
    /* h2 is not needed any more, and takes the gradient of h1 */
    linear_back(dw.w2, dw.b2, h->h2, h->g, h->h1, w.w2, n, h->width, h->width);
    activate_back(h->h2, h->h1, h->mask, cells);
    linear_back(dw.w1, dw.b1, NULL, h->h2, x, w.w1, n, h->d, h->width);
    return loss / (double)n;
}

/* ---- Training ------------------------------------------------------------------------------- */

static void update(struct ecc_head *h, double rate, uint64_t step)
{
    const double share1 = 1 - pow(beta1, (double)step), share2 = 1 - pow(beta2, (double)step);
    const float scale = (float)(rate / share1), root = (float)(1 / sqrt(share2));
    for (size_t i = 0; i < h->count; i++) {
        const float g = h->gradient[i];
        h->first[i] = (float)beta1 * h->first[i] + (float)(1 - beta1) * g;
        h->second[i] = (float)beta2 * h->second[i] + (float)(1 - beta2) * g * g;
        h->weights[i] -= scale * h->first[i] / (sqrtf(h->second[i]) * root + (float)epsilon);
    }
}

static void draw_masks(struct ecc_head *h, const struct ecc_head_options *o, uint64_t step)
{
    const size_t count = 2 * h->batch * h->width;
    const float kept = (float)(1 / (1 - o->dropout));
    ecc_rng_uniform_f32(h->mask, o->seed, ECC_STREAM_HEAD_DROPOUT, step * count, count);
    for (size_t i = 0; i < count; i++) h->mask[i] = h->mask[i] < (float)o->dropout ? 0 : kept;
}

/* Predictions of x: [n, d]; predicted: [targets, n]. */
static void predict(struct ecc_head *h, int32_t *predicted, const float *x, size_t n)
{
    for (size_t first = 0; first < n; first += h->batch) {
        const size_t count = n - first < h->batch ? n - first : h->batch;
        ecc_head_forward(h, x + first * h->d, count, false);
        for (size_t i = 0; i < count; i++) {
            const float *y = h->y + i * h->outputs;
            for (size_t t = 0; t < h->labels->targets; y += h->labels->classes[t++]) {
                size_t best = 0;
                for (size_t k = 1; k < h->labels->classes[t]; k++) {
                    if (y[k] > y[best]) best = k;
                }
                predicted[t * n + first + i] = (int32_t)best;
            }
        }
    }
}

static double error_of(const struct ecc_labels *labels, const int32_t *predicted)
{
    double sum = 0;
    for (size_t t = 0; t < labels->targets; t++) {
        sum += ecc_labels_error(labels, t, predicted + t * labels->n);
    }
    return sum / (double)labels->targets;
}

/* Items kept aside to find out how many epochs are best: *best, by their error. */
struct judge {
    const struct ecc_labelled *items;
    int32_t *predicted; /* [targets, items->n] */
    double error;
    size_t best;
};

static void ask(struct judge *judge, struct ecc_head *h, size_t epochs)
{
    predict(h, judge->predicted, judge->items->x, judge->items->n);
    const double error = error_of(judge->items->labels, judge->predicted);
    if (judge->best > 0 && error >= judge->error) return;
    judge->error = error;
    judge->best = epochs;
}

/* judge may be NULL. */
static enum ecc_status train(struct ecc_head *h, const struct ecc_labelled *items, size_t epochs,
                             struct judge *judge, const struct ecc_head_options *o,
                             struct ecc_error *error)
{
    uint64_t step = 0;
    uint32_t *const order = malloc((items->n + 1) * sizeof *order);
    enum ecc_status status = order ? ECC_OK : ecc_fail_memory(error, "the order of the items");
    for (size_t e = 0; status == ECC_OK && e < epochs; e++) {
        const struct ecc_work work = {"head", "epochs", e, epochs, NULL};
        ecc_rng_permutation(order, items->n, o->seed, ECC_STREAM_HEAD_ORDER + e);
        for (size_t first = 0; first < items->n; first += h->batch) {
            const size_t n = items->n - first < h->batch ? items->n - first : h->batch;
            for (size_t i = 0; i < n; i++) {
                memcpy(h->x + i * h->d, items->x + order[first + i] * h->d, h->d * sizeof *h->x);
            }
            draw_masks(h, o, step);
            ecc_head_forward(h, h->x, n, true);
            ecc_head_back(h, h->x, order + first, n);
            update(h, o->rate, ++step);
        }
        if (judge && (e + 1 == epochs || (e + 1) % EVERY == 0)) ask(judge, h, e + 1);
        status = ecc_watch_work(o->watch, &work, error);
    }
    free(order);
    return status;
}

/* ---- How many epochs ------------------------------------------------------------------------ */

/* Two parts of the labelled items: a fifth in kept, the rest in taught. */
struct split {
    float *x[2];
    struct ecc_labels labels[2];
    struct ecc_labelled kept, taught;
};

static void release_split(struct split *s)
{
    for (size_t i = 0; i < 2; i++) {
        free(s->x[i]);
        ecc_labels_release(&s->labels[i]);
    }
}

static enum ecc_status make_split(struct split *s, const struct ecc_labelled *train, uint64_t seed,
                                  struct ecc_error *error)
{
    const size_t kept = train->n / FIFTH;
    uint32_t *const rows = malloc(train->n * sizeof *rows);
    *s = (struct split){.x = {NULL}};
    if (!rows) return ecc_fail_memory(error, "the items kept aside");
    ecc_rng_permutation(rows, train->n, seed, ECC_STREAM_HEAD_SPLIT);
    enum ecc_status status = ecc_labelled_copy(&s->x[0], &s->labels[0], train, rows, kept, error);
    if (status == ECC_OK) {
        status =
            ecc_labelled_copy(&s->x[1], &s->labels[1], train, rows + kept, train->n - kept, error);
    }
    s->kept = (struct ecc_labelled){s->x[0], kept, train->d, &s->labels[0]};
    s->taught = (struct ecc_labelled){s->x[1], train->n - kept, train->d, &s->labels[1]};
    free(rows);
    return status;
}

static enum ecc_status choose_epochs(size_t *epochs, const struct ecc_labelled *train_items,
                                     const struct ecc_head_options *o, struct ecc_error *error)
{
    struct split s;
    struct ecc_head head = {0};
    struct judge judge = {.items = &s.kept};
    *epochs = o->epochs;
    if (train_items->n < FEWEST) return ECC_OK;
    enum ecc_status status = make_split(&s, train_items, o->seed, error);
    judge.predicted =
        malloc((s.kept.n + 1) * train_items->labels->targets * sizeof *judge.predicted);
    if (status == ECC_OK && !judge.predicted) status = ecc_fail_memory(error, "the predictions");
    if (status == ECC_OK) status = ecc_head_init(&head, s.taught.labels, s.taught.d, o, error);
    if (status == ECC_OK) status = train(&head, &s.taught, o->epochs, &judge, o, error);
    if (status == ECC_OK) *epochs = judge.best;
    ecc_head_release(&head);
    free(judge.predicted);
    release_split(&s);
    return status;
}

enum ecc_status ecc_head_predict(int32_t *predicted, size_t *epochs,
                                 const struct ecc_labelled *items, const float *test, size_t test_n,
                                 const struct ecc_head_options *o, struct ecc_error *error)
{
    struct ecc_head head;
    if (items->n == 0 || o->epochs == 0 || o->batch == 0 || o->width == 0 ||
        !(o->dropout >= 0 && o->dropout < 1)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "a classifier without items, epochs or width");
    }
    ECC_TRY(choose_epochs(epochs, items, o, error));
    ECC_TRY(ecc_head_init(&head, items->labels, items->d, o, error));
    const enum ecc_status status = train(&head, items, *epochs, NULL, o, error);
    if (status == ECC_OK) predict(&head, predicted, test, test_n);
    ecc_head_release(&head);
    return status;
}
