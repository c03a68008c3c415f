/* test_layout.c: weights between plain order and blocked layouts, against the definition. */
#include "testing.h"

#include "nn/layout.h"

/* As layout.h defines it, one number at a time. */
static size_t place(const struct ecc_layout *l, size_t number)
{
    size_t at[ECC_MAX_DIMS], offset = 0;
    for (size_t k = l->rank; k-- > 0; number /= l->dims[k]) at[k] = number % l->dims[k];
    for (size_t i = l->inner_count; i-- > 0;) {
        offset += at[l->inner_dim[i]] % l->inner_size[i] * l->inner_stride[i];
        at[l->inner_dim[i]] /= l->inner_size[i];
    }
    for (size_t k = 0; k < l->rank; k++) offset += at[k] * l->strides[k];
    return offset;
}

static void gather_and_scatter(void **state)
{
    (void)state;
    static const struct ecc_layout layouts[] = {
        {1, {7}, {1}, .size = 7},
        {2, {3, 5}, {5, 1}, .size = 15},
        {2, {3, 5}, {1, 3}, .size = 15}, /* transposed */
        {4, {3, 5, 1, 1}, {5, 1, 1, 1}, .size = 15},
        {2, {1, 1}, {1, 1}, .size = 1},
        {2, {5, 6}, {64, 32}, 2, {0, 1}, {8, 4}, {1, 8}, .size = 64}, /* blocks of both, filled up
                                                                       */
        {2, {5, 7}, {64, 32}, 2, {1, 0}, {4, 8}, {8, 1}, .size = 64},
        {4, {9, 6, 3, 2}, {96, 48, 16, 8}, 1, {1}, {8}, {1}, .size = 960},
        {2, {4, 12}, {12, 4}, 2, {1, 1}, {2, 2}, {2, 1}, .size = 48}, /* two levels along a row */
        {3, {2, 3, 4}, {16, 1, 4}, .size = 32},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct ecc_layout *const l = &layouts[i];
        float data[960], plain[960], back[960];
        size_t count = 1;
        for (size_t k = 0; k < l->rank; k++) count *= l->dims[k];
        for (size_t k = 0; k < 960; k++) data[k] = (float)k, back[k] = -1;
        ecc_layout_gather(plain, data, l);
        for (size_t k = 0; k < count; k++) assert_true(plain[k] == (float)place(l, k));
        ecc_layout_scatter(back, plain, l);
        for (size_t k = 0; k < count; k++) assert_true(back[place(l, k)] == (float)place(l, k));
        size_t written = 0; /* filling is left alone */
        for (size_t k = 0; k < 960; k++) written += back[k] >= 0;
        assert_int_equal(written, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gather_and_scatter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
