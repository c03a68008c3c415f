/* page_check.c: how far the pictures of a one-file page are from the model's own. */
#include "explore/page_check.h"
#include "data/source.h"
#include "wasm/net.h"

#include <math.h>
#include <stdlib.h>

enum { TRIED = 16, ALIGNED = 16 };

/* ---- Memory of the nets --------------------------------------------------------------------- */

/* Before each block: the one that was taken before it. */
static unsigned char *last;

void *net_reserve(unsigned long size)
{
    const size_t room = (2 * ALIGNED + size) / ALIGNED * ALIGNED;
    unsigned char *const block = room > size ? aligned_alloc(ALIGNED, room) : NULL;
    if (!block) return NULL;
    *(unsigned char **)(void *)block = last;
    last = block;
    return block + ALIGNED;
}

void ecc_page_nets_release(void)
{
    while (last) {
        unsigned char *const before = *(unsigned char **)(void *)last;
        free(last);
        last = before;
    }
    net_forget();
}

/* ---- Comparing ------------------------------------------------------------------------------ */

/* As many as are tried: spread over all. */
static size_t count_tried(const struct ecc_space *space)
{
    return space->count < TRIED ? space->count : TRIED;
}

/* Item number t of those that are tried; without items, the mean. */
static void place(float *amounts, const struct ecc_space *space, size_t run, size_t t, size_t tried)
{
    const float *const items = space->runs[run].amounts;
    for (size_t k = 0; k < space->d; k++) {
        amounts[k] = items ? items[t * space->count / tried * space->d + k] : 0;
    }
}

/* The place of number i, [c, h, w], among pixels [h, w, c]. */
static size_t pixel(const struct ecc_space *space, size_t i)
{
    if (space->is_table) return i;
    const size_t pixels = space->shape.height * space->shape.width;
    return i % pixels * space->shape.channels + i / pixels;
}

/* The sum of squares. */
static double compare(struct ecc_page_error *found, const struct ecc_space *space, const float *y)
{
    const double unit = space->is_table ? 1 : 255;
    double sum = 0;
    for (size_t i = 0; i < space->size; i++) {
        const double apart = unit * fabs((double)y[pixel(space, i)] - (double)space->x[i]);
        sum += apart * apart;
        if (!(apart <= found->most)) found->most = apart;
    }
    return sum;
}

enum ecc_status ecc_page_check(struct ecc_page_error *found, struct ecc_space *space, size_t run,
                               const unsigned char *bytes, size_t size, struct ecc_error *error)
{
    const size_t tried = space->runs[run].amounts ? count_tried(space) : 1;
    const int net = net_load(bytes, size);
    double squares = found->typical * found->typical * (double)found->items;
    enum ecc_status status = net ? ECC_OK : ecc_fail_memory(error, "the model of the page");
    for (size_t t = 0; status == ECC_OK && t < tried; t++) {
        place(net_input(net), space, run, t, tried);
        status = ecc_space_decode(space, run, net_input(net), 1, error);
        net_run(net);
        squares += compare(found, space, net_output(net)) / (double)space->size;
    }
    found->items += tried;
    found->typical = found->items > 0 ? sqrt(squares / (double)found->items) : 0;
    ecc_page_nets_release();
    return status;
}

enum ecc_status ecc_page_check_encoder(struct ecc_page_error *found, struct ecc_space *space,
                                       const unsigned char *bytes, size_t size,
                                       struct ecc_error *error)
{
    const size_t tried = space->data ? count_tried(space) : 0;
    const int net = net_load(bytes, size);
    enum ecc_status status = net ? ECC_OK : ecc_fail_memory(error, "the model of the page");
    for (size_t t = 0; status == ECC_OK && t < tried; t++) {
        const uint32_t item = (uint32_t)(t * space->count / tried);
        const float *const amounts = space->runs[0].amounts + item * space->d;
        status = ecc_dataset_read(space->data, space->x, &item, 1, error);
        if (status != ECC_OK) break;
        for (size_t i = 0; i < space->size; i++) net_input(net)[pixel(space, i)] = space->x[i];
        net_run(net);
        for (size_t k = 0; k < space->d; k++) {
            const double apart = fabs((double)net_output(net)[k] - (double)amounts[k]);
            if (!(apart <= found->placed)) found->placed = apart;
        }
    }
    ecc_page_nets_release();
    return status;
}
