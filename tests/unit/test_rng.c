/* test_rng.c: Philox against its published answers; fills against themselves and statistics. */
#include "testing.h"

#include "base/rng.h"
#include "base/streams.h"

#include <omp.h>

enum { N = 1 << 20 };

/* ---- Known answers -------------------------------------------------------------------------- */

/* From Random123's kat_vectors; NumPy's numpy.random.Philox is the 4x64 sibling. */
static const struct {
    uint32_t counter[4], key[2], answer[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t out[4];
        ecc_philox(out, known[i].counter, known[i].key);
        assert_memory_equal(out, known[i].answer, sizeof out);
    }
}

/* The same answers through the interface: key = seed, counter = (block, stream). */
static void bits_are_philox_blocks(void **state)
{
    (void)state;
    const uint64_t seed = UINT64_C(0x299f31d0a4093822);
    const uint64_t block = UINT64_C(0x85a308d3243f6a88), stream = UINT64_C(0x0370734413198a2e);
    /* 2 * block does not fit; its low 63 bits belong to another block, checked by hand below. */
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32) & 0x7fffffff,
                                 (uint32_t)stream, (uint32_t)(stream >> 32)};
    uint32_t word[4];
    ecc_philox(word, counter, known[2].key);
    assert_true(ecc_rng_bits(seed, stream, 2 * block) == (word[0] | (uint64_t)word[1] << 32));
    assert_true(ecc_rng_bits(seed, stream, 2 * block + 1) == (word[2] | (uint64_t)word[3] << 32));
    assert_true(ecc_rng_bits(0, 0, 0) == UINT64_C(0xe169c58d6627e8d5));
    assert_true(ecc_rng_bits(0, 0, 1) == UINT64_C(0x9b00dbd8bc57ac4c));
}

/* Item by item from the definition, with the C library's functions. */
static void fills_follow_their_definition(void **state)
{
    (void)state;
    const uint64_t first = UINT64_C(0x1fffffff0);
    double uniform[64], normal[64];
    ecc_rng_uniform(uniform, 5, 9, first, 64);
    ecc_rng_normal(normal, 5, 9, first, 64);
    for (uint64_t i = 0; i < 64; i += 2) {
        const double u = ((double)(ecc_rng_bits(5, 9, first + i) >> 12) + 0.5) * 0x1p-52;
        const double v = ((double)(ecc_rng_bits(5, 9, first + i + 1) >> 12) + 0.5) * 0x1p-52;
        assert_true(uniform[i] == u && uniform[i + 1] == v);
        const double radius = sqrt(-2 * log(u)), angle = 2 * 3.14159265358979323846 * v;
        check_absolute(normal[i], radius * cos(angle), 1e-14, "cosine half");
        check_absolute(normal[i + 1], radius * sin(angle), 1e-14, "sine half");
    }
}

static void float_fills_follow_their_definition(void **state)
{
    (void)state;
    float uniform[64], normal[64];
    ecc_rng_uniform_f32(uniform, 5, 9, 8, 64);
    ecc_rng_normal_f32(normal, 5, 9, 8, 64);
    for (uint64_t i = 0; i < 64; i += 2) {
        const uint64_t bits = ecc_rng_bits(5, 9, 4 + i / 2);
        const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
        assert_true(uniform[i] == (float)(((low >> 9) + 0.5) * 0x1p-23));
        assert_true(uniform[i + 1] == (float)(((high >> 9) + 0.5) * 0x1p-23));
        const double radius = sqrt(-2 * log((low + 0.5) * 0x1p-32));
        const double angle = 2 * 3.14159265358979323846 * (high + 0.5) * 0x1p-32;
        check_absolute((double)normal[i], radius * cos(angle), 3e-7, "cosine half");
        check_absolute((double)normal[i + 1], radius * sin(angle), 3e-7, "sine half");
    }
}

/* ---- Any part by any thread ----------------------------------------------------------------- */

typedef void any_fill(void *out, uint64_t seed, uint64_t stream, uint64_t first, size_t n);

#define ANY(function)                                                                              \
    static void any_##function(void *out, uint64_t seed, uint64_t stream, uint64_t first,          \
                               size_t n)                                                           \
    {                                                                                              \
        ecc_rng_##function(out, seed, stream, first, n);                                           \
    }
ANY(uniform)
ANY(normal)
ANY(uniform_f32)
ANY(normal_f32)

static const struct {
    any_fill *fill;
    size_t size;
} fills[] = {
    {any_uniform, sizeof(double)},
    {any_normal, sizeof(double)},
    {any_uniform_f32, sizeof(float)},
    {any_normal_f32, sizeof(float)},
};

static void a_fill_can_be_split_anywhere(void **state)
{
    (void)state;
    static unsigned char whole[200 * sizeof(double)], parts[sizeof whole];
    for (size_t f = 0; f < 4; f++) {
        for (uint64_t first = 0; first < 70; first += 23) {
            fills[f].fill(whole, 3, 4, first, 200);
            for (size_t cut = 0; cut <= 200; cut++) {
                memset(parts, 0xaa, sizeof parts);
                fills[f].fill(parts, 3, 4, first, cut);
                fills[f].fill(parts + cut * fills[f].size, 3, 4, first + cut, 200 - cut);
                assert_memory_equal(whole, parts, 200 * fills[f].size);
            }
        }
    }
}

static void thread_count_does_not_matter(void **state)
{
    (void)state;
    unsigned char *one = malloc(N * sizeof(double)), *many = malloc(N * sizeof(double));
    assert_true(one && many);
    for (size_t f = 0; f < 4; f++) {
        for (int threads = 2; threads <= 7; threads += 5) {
            omp_set_num_threads(1);
            fills[f].fill(one, 11, 12, 13, N - 5);
            omp_set_num_threads(threads);
            fills[f].fill(many, 11, 12, 13, N - 5);
            assert_memory_equal(one, many, (N - 5) * fills[f].size);
        }
    }
    free(one);
    free(many);
}

static void a_fill_keeps_within_its_bounds(void **state)
{
    (void)state;
    for (size_t n = 0; n < 70; n++) {
        float out[72];
        for (size_t i = 0; i < 72; i++) {
            out[i] = 99;
        }
        ecc_rng_normal_f32(out + 1, 1, 2, 31, n);
        assert_true(out[0] == 99 && out[n + 1] == 99);
    }
}

static void seeds_and_streams_differ(void **state)
{
    (void)state;
    static double a[N / 4], b[N / 4];
    static const struct {
        uint64_t seed, stream;
    } other[] = {{1, 0}, {0, 1}, {UINT64_C(1) << 32, 0}, {0, UINT64_C(1) << 32}};
    ecc_rng_normal(a, 0, 0, 0, N / 4);
    for (size_t k = 0; k < 4; k++) {
        ecc_rng_normal(b, other[k].seed, other[k].stream, 0, N / 4);
        double product = 0;
        for (size_t i = 0; i < N / 4; i++) {
            product += a[i] * b[i];
        }
        check_absolute(product / (N / 4), 0, 4.5 / sqrt(N / 4), "correlation of streams");
    }
}

/* ---- Statistics: fixed seeds, so a pass stays a pass ---------------------------------------- */

/* The 99.99% point of chi-square with many degrees of freedom (Wilson-Hilferty). */
static double chi_square_limit(double degrees)
{
    const double t = 1 - 2 / (9 * degrees) + 3.72 * sqrt(2 / (9 * degrees));
    return degrees * t * t * t;
}

static double chi_square(const double *unit, size_t n, size_t bins)
{
    size_t *count = calloc(bins, sizeof *count);
    assert_non_null(count);
    for (size_t i = 0; i < n; i++) {
        assert_true(unit[i] > 0 && unit[i] < 1);
        count[(size_t)(unit[i] * (double)bins)]++;
    }
    const double expected = (double)n / (double)bins;
    double sum = 0;
    for (size_t k = 0; k < bins; k++) {
        sum += ((double)count[k] - expected) * ((double)count[k] - expected) / expected;
    }
    free(count);
    return sum;
}

static void uniforms_are_uniform(void **state)
{
    (void)state;
    double *u = malloc(N * sizeof *u);
    float *single = malloc(N * sizeof *single);
    assert_true(u && single);
    ecc_rng_uniform(u, 2022, 1, 0, N);
    assert_true(chi_square(u, N, 1000) < chi_square_limit(999));
    double mean = 0;
    for (size_t i = 0; i < N; i++) {
        mean += u[i] / N;
    }
    check_absolute(mean, 0.5, 4 * sqrt(1.0 / 12 / N), "mean");
    ecc_rng_uniform_f32(single, 2022, 2, 0, N);
    for (size_t i = 0; i < N; i++) {
        assert_true(single[i] > 0 && single[i] < 1);
        u[i] = (double)single[i];
    }
    assert_true(chi_square(u, N, 1000) < chi_square_limit(999));
    free(u);
    free(single);
}

/* Moments, neighbours, and the whole distribution by way of the normal's own integral. */
static void check_normals(const double *x, double *unit)
{
    double moment[5] = {0}, neighbours = 0;
    for (size_t i = 0; i < N; i++) {
        assert_true(isfinite(x[i]));
        double power = 1;
        for (int k = 1; k <= 4; k++) {
            moment[k] += (power *= x[i]) / N;
        }
        if (i > 0) neighbours += x[i] * x[i - 1] / N;
        unit[i] = 0.5 * erfc(-x[i] / sqrt(2.0));
    }
    const double root = 1 / sqrt((double)N);
    check_absolute(moment[1], 0, 4 * root, "mean");
    check_absolute(moment[2], 1, 4 * sqrt(2.0) * root, "variance");
    check_absolute(moment[3], 0, 4 * sqrt(15.0) * root, "third moment");
    check_absolute(moment[4], 3, 4 * sqrt(96.0) * root, "fourth moment");
    check_absolute(neighbours, 0, 4 * root, "product of neighbours");
    assert_true(chi_square(unit, N, 1000) < chi_square_limit(999));
}

static void normals_are_normal(void **state)
{
    (void)state;
    double *x = malloc(N * sizeof *x), *unit = malloc(N * sizeof *unit);
    float *single = malloc(N * sizeof *single);
    assert_true(x && unit && single);
    ecc_rng_normal(x, 7, 1, 0, N);
    check_normals(x, unit);
    ecc_rng_normal_f32(single, 7, 2, 0, N);
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)single[i];
    }
    check_normals(x, unit);
    free(x);
    free(unit);
    free(single);
}

static void whole_numbers_stay_below_their_bound(void **state)
{
    (void)state;
    assert_true(ecc_rng_below(1, 2, 3, 0) == 0 && ecc_rng_below(1, 2, 3, 1) == 0);
    double count[7] = {0}, sum = 0;
    for (uint64_t i = 0; i < 70000; i++) {
        const uint64_t k = ecc_rng_below(8, 0, i, 7);
        assert_true(k < 7);
        count[k]++;
    }
    for (size_t k = 0; k < 7; k++) {
        sum += (count[k] - 10000) * (count[k] - 10000) / 10000;
    }
    assert_true(sum < 27.9); /* 99.99% of chi-square with 6 degrees of freedom */
}

static void a_permutation_is_one(void **state)
{
    (void)state;
    for (size_t n = 0; n < 200; n += n < 5 ? 1 : 31) {
        uint32_t order[200];
        bool seen[200] = {false};
        ecc_rng_permutation(order, n, 1, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(order[i] < n && !seen[order[i]]);
            seen[order[i]] = true;
        }
    }
}

/* Each of the 24 orders of four occurs equally often. */
static void permutations_are_fair(void **state)
{
    (void)state;
    double count[256] = {0}, sum = 0;
    for (uint64_t stream = 0; stream < 24000; stream++) {
        uint32_t order[4];
        ecc_rng_permutation(order, 4, 3, stream);
        count[order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3]]++;
    }
    size_t orders = 0;
    for (size_t k = 0; k < 256; k++) {
        if (count[k] == 0) continue;
        orders++;
        sum += (count[k] - 1000) * (count[k] - 1000) / 1000;
    }
    assert_int_equal(orders, 24);
    assert_true(sum < chi_square_limit(23));
}

/* ---- The registry --------------------------------------------------------------------------- */

/* Streams with a word above bit 40 own all numbers below it; ecc_labels_draw doubles its stream. */
static void registered_streams_are_distinct(void **state)
{
    (void)state;
#define VALUE(name, value) value,
    const uint64_t values[] = {ECC_STREAMS(VALUE) 2 * ECC_STREAM_CLASSIFY,
                               2 * ECC_STREAM_CLASSIFY + (UINT64_C(1) << 40)};
#undef VALUE
    const size_t count = sizeof values / sizeof *values;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(values[i], values[j]);
            assert_true(values[i] >> 40 == 0 || values[i] >> 40 != values[j] >> 40);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(bits_are_philox_blocks),
        cmocka_unit_test(fills_follow_their_definition),
        cmocka_unit_test(float_fills_follow_their_definition),
        cmocka_unit_test(a_fill_can_be_split_anywhere),
        cmocka_unit_test(thread_count_does_not_matter),
        cmocka_unit_test(a_fill_keeps_within_its_bounds),
        cmocka_unit_test(seeds_and_streams_differ),
        cmocka_unit_test(uniforms_are_uniform),
        cmocka_unit_test(normals_are_normal),
        cmocka_unit_test(whole_numbers_stay_below_their_bound),
        cmocka_unit_test(a_permutation_is_one),
        cmocka_unit_test(permutations_are_fair),
        cmocka_unit_test(registered_streams_are_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
