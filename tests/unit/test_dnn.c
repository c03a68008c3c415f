/* test_dnn.c: oneDNN that gets no memory while it is asked for its layouts: an error, never
 * another layout, with which training would give other weights. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "testing.h"

#include "nn/dnn_api.h"

#include <dlfcn.h>
#include <errno.h>

#define error (&testing_error)

/* Calls of oneDNN that describe a convolution: how many there were, and the one that fails. */
static size_t described, failing;
static dnnl_status_t failure;

static bool fails(void)
{
    if (++described != failing) return false;
    errno = ENOMEM;
    return true;
}

/* The program's calls come here, and go on to the library. */
#define DESCRIBE(name, parameters, arguments)                                                      \
    dnnl_status_t name parameters;                                                                 \
    dnnl_status_t name parameters                                                                  \
    {                                                                                              \
        dnnl_status_t(*next) parameters;                                                           \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                 \
        return fails() ? failure : next arguments;                                                 \
    }

#if DNNL_VERSION_MAJOR >= 3
DESCRIBE(dnnl_convolution_forward_primitive_desc_create,
         (dnnl_primitive_desc_t * result, dnnl_engine_t engine, dnnl_prop_kind_t prop,
          dnnl_alg_kind_t kind, const_dnnl_memory_desc_t in, const_dnnl_memory_desc_t weights,
          const_dnnl_memory_desc_t bias, const_dnnl_memory_desc_t out, const dnnl_dims_t stride,
          const dnnl_dims_t dilation, const dnnl_dims_t before, const dnnl_dims_t after,
          const_dnnl_primitive_attr_t attributes),
         (result, engine, prop, kind, in, weights, bias, out, stride, dilation, before, after,
          attributes))
#else
DESCRIBE(dnnl_primitive_desc_create,
         (dnnl_primitive_desc_t * result, const_dnnl_op_desc_t op,
          const_dnnl_primitive_attr_t attributes, dnnl_engine_t engine,
          const_dnnl_primitive_desc_t hint),
         (result, op, attributes, engine, hint))
#endif

static void check_every_failure(dnnl_status_t status)
{
    struct ecc_dnn *dnn;
    described = failing = 0;
    check_ok(ecc_dnn_create(&dnn, error));
    const size_t block = ecc_dnn_block(dnn), count = described;
    assert_true(count > 0);
    ecc_dnn_free(dnn);
    failure = status;
    for (size_t i = 1; i <= count; i++) {
        described = 0;
        failing = i;
        check_fails(ecc_dnn_create(&dnn, error), ECC_NO_MEMORY, "memory");
        assert_null(dnn);
    }
    described = failing = 0;
    check_ok(ecc_dnn_create(&dnn, error));
    assert_int_equal(ecc_dnn_block(dnn), block);
    ecc_dnn_free(dnn);
}

/* oneDNN reports it as it should, or as "unimplemented", which it also says of layouts. */
static void test_no_memory(void **state)
{
    (void)state;
    check_every_failure(dnnl_out_of_memory);
    check_every_failure(dnnl_unimplemented);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
