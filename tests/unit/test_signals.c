/* test_signals.c: a program that handles signals can train.  In oneDNN before 3.11.2 a signal can
 * overwrite the heap (src/nn/enter.c); nets with few channels use the code that lets it. */
#include "base/rng.h"
#include "nn/net.h"
#include "testing.h"

#include <omp.h>
#include <signal.h>
#include <sys/time.h>

enum { BATCH = 50, PIXELS = 28 * 28, LATENT = 3, STEPS = 20 };

static volatile sig_atomic_t ticks;

static void on_tick(int signal_number)
{
    (void)signal_number;
    ticks++;
}

/* Signals in quick succession; 0 ends them. */
static void tick_every(int microseconds)
{
    const struct timeval pause = {.tv_usec = microseconds};
    const struct itimerval timer = {pause, pause};
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static struct ecc_net *narrow_net(int threads)
{
    const struct ecc_net_options options = {BATCH, true, threads};
    struct ecc_net_spec *spec;
    struct ecc_net *net;
    check_ok(ecc_net_spec_load(&spec, "auto", (struct ecc_item_shape){1, 28, 28}, LATENT, LATENT,
                               0.2, &testing_error));
    check_ok(ecc_net_create(&net, spec, &options, &testing_error));
    ecc_net_spec_free(spec);
    ecc_net_initialize(net, 7);
    return net;
}

static void train_step(struct ecc_net *net, const float *x, uint64_t step)
{
    const struct ecc_adam adam = {1e-3, 0, 0.9, 0.999, 1e-8, step};
    const float *z, *dz;
    double squared;
    check_ok(ecc_net_encode(net, &z, x, BATCH, true, &testing_error));
    check_ok(ecc_net_decode(net, NULL, z, BATCH, true, &testing_error));
    check_ok(ecc_net_error(net, &squared, &testing_error));
    check_ok(ecc_net_decode_back(net, &dz, &testing_error));
    check_ok(ecc_net_encode_back(net, dz, &testing_error));
    check_ok(ecc_net_update(net, &adam, &testing_error));
}

/* The weights after a training; the caller frees them. */
static float *trained(size_t *size, int threads)
{
    struct ecc_net *const net = narrow_net(threads);
    float *const x = malloc(BATCH * PIXELS * sizeof *x);
    ecc_rng_uniform_f32(x, 5, 0, 0, BATCH * PIXELS);
    for (uint64_t step = 1; step <= STEPS; step++) train_step(net, x, step);
    *size = ecc_net_flat_size(net) * sizeof(float);
    float *const weights = malloc(*size);
    ecc_net_export(net, weights);
    ecc_net_free(net);
    free(x);
    return weights;
}

static void check_signals(int threads)
{
    size_t size;
    float *const expected = trained(&size, threads);
    ticks = 0;
    tick_every(150);
    float *const weights = trained(&size, threads);
    tick_every(0);
    assert_true(ticks > 0);
    assert_memory_equal(weights, expected, size);
    free(weights);
    free(expected);
}

static void signals_change_nothing(void **state)
{
    (void)state;
    check_signals(1);
}

/* How many of OpenMP's threads, without ours, take signals. */
static int threads_that_take_signals(void)
{
    int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
    if (omp_get_thread_num() > 0) {
        sigset_t blocked;
        pthread_sigmask(SIG_SETMASK, NULL, &blocked);
        count += !sigismember(&blocked, SIGALRM);
    }
    return count;
}

/* OpenMP has its threads already when a net begins to use them. */
static void nor_in_other_threads(void **state)
{
    (void)state;
    assert_in_range(threads_that_take_signals(), 0, 1);
    check_signals(2);
    assert_int_equal(threads_that_take_signals(), 0);
}

/* A caller's own mask stays as it is. */
static void masks_return(void **state)
{
    size_t size;
    sigset_t mine, after;
    (void)state;
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR1);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &mine, NULL), 0);
    free(trained(&size, 1));
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    assert_true(sigismember(&after, SIGUSR1));
    assert_false(sigismember(&after, SIGALRM));
    assert_false(sigismember(&after, SIGTERM));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_change_nothing),
        cmocka_unit_test(nor_in_other_threads),
        cmocka_unit_test(masks_return),
    };
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
