/* test_team.c: what processes do together, with threads in their place: means in their order,
 * agreed failures, decisions. */
#include "testing.h"

#include "train/team.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5 };

/* A link between threads: each leaves what it sends where all can read it. */
struct meeting {
    pthread_barrier_t barrier;
    int size;
    const void *sent[MOST];
};

struct seat {
    struct meeting *meeting;
    int rank;
};

static void meet(const struct seat *s)
{
    pthread_barrier_wait(&s->meeting->barrier);
}

static int seat_gather(void *state, void *all, size_t bytes)
{
    const struct seat *const s = state;
    s->meeting->sent[s->rank] = (char *)all + (size_t)s->rank * bytes;
    meet(s);
    for (int k = 0; k < s->meeting->size; k++) {
        if (k != s->rank) memcpy((char *)all + (size_t)k * bytes, s->meeting->sent[k], bytes);
    }
    meet(s);
    return 0;
}

static int seat_exchange(void *state, void *to, const void *from, size_t bytes)
{
    const struct seat *const s = state;
    s->meeting->sent[s->rank] = from;
    meet(s);
    for (int k = 0; k < s->meeting->size; k++) {
        memcpy((char *)to + (size_t)k * bytes,
               (const char *)s->meeting->sent[k] + (size_t)s->rank * bytes, bytes);
    }
    meet(s);
    return 0;
}

static int seat_broadcast(void *state, void *data, size_t bytes, int root)
{
    const struct seat *const s = state;
    if (s->rank == root) s->meeting->sent[root] = data;
    meet(s);
    if (s->rank != root) memcpy(data, s->meeting->sent[root], bytes);
    meet(s);
    return 0;
}

static const struct ecc_team_link link_of_threads = {.version = ECC_TEAM_LINK_VERSION,
                                                     .gather = seat_gather,
                                                     .exchange = seat_exchange,
                                                     .broadcast = seat_broadcast};

/* What one of them does and finds. */
struct member {
    struct seat seat;
    struct ecc_team team;
    float *x;
    size_t count;
    int largest, broadcast;
    enum ecc_status status;
    struct ecc_error error;
    void (*job)(struct member *member);
};

static void *run_member(void *argument)
{
    struct member *const m = argument;
    m->job(m);
    ecc_team_release(&m->team);
    return NULL;
}

static void run_team(struct member *members, int size, void (*job)(struct member *member))
{
    struct meeting meeting = {.size = size};
    pthread_t threads[MOST];
    pthread_barrier_init(&meeting.barrier, NULL, (unsigned)size);
    for (int k = 0; k < size; k++) {
        struct member *const m = &members[k];
        m->seat = (struct seat){&meeting, k};
        m->team = ecc_team_alone();
        m->team.rank = k;
        m->team.size = size;
        m->team.link = &link_of_threads;
        m->team.state = &m->seat;
        m->job = job;
        assert_int_equal(pthread_create(&threads[k], NULL, run_member, m), 0);
    }
    for (int k = 0; k < size; k++) pthread_join(threads[k], NULL);
    pthread_barrier_destroy(&meeting.barrier);
}

/* ---- Means ---------------------------------------------------------------------------------- */

static void average_job(struct member *m)
{
    m->status = ecc_team_average(&m->team, m->x, m->count, &m->error);
}

static float number(size_t i, int k)
{
    return (float)sin((double)(i + 1) * (k + 1)) * (float)pow(10, k);
}

/* All hold the mean, taken in double in the order of the processes, to the last bit. */
static void check_average(int size, size_t count)
{
    struct member members[MOST] = {0};
    for (int k = 0; k < size; k++) {
        members[k].count = count;
        members[k].x = malloc((count + 1) * sizeof(float));
        for (size_t i = 0; i < count; i++) members[k].x[i] = number(i, k);
        members[k].x[count] = 7;
    }
    run_team(members, size, average_job);
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (int k = 0; k < size; k++) sum += (double)number(i, k);
        const float mean = (float)(sum / size);
        for (int k = 0; k < size; k++) assert_memory_equal(&members[k].x[i], &mean, sizeof mean);
    }
    for (int k = 0; k < size; k++) {
        assert_int_equal(members[k].status, ECC_OK);
        assert_true(members[k].x[count] == 7);
        free(members[k].x);
    }
}

static void means_are_the_same_everywhere(void **state)
{
    (void)state;
    for (int size = 1; size <= MOST; size++) {
        check_average(size, 1);
        check_average(size, 7);
        check_average(size, 1000);
    }
    check_average(3, (1 << 23) + 12345); /* more than travels at a time */
}

/* ---- Failures ------------------------------------------------------------------------------- */

static void fail_job(struct member *m)
{
    const bool fails = m->count > 0;
    enum ecc_status mine = ECC_OK;
    if (fails) mine = ecc_fail(&m->error, ECC_BAD_DATA, "item %zu is broken", m->count);
    m->status = ecc_team_settle(&m->team, mine, &m->error);
}

static void all_learn_who_failed(void **state)
{
    (void)state;
    struct member members[MOST] = {0};
    members[2].count = 17;
    run_team(members, 4, fail_job);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(members[k].status, ECC_BAD_DATA);
        assert_true(members[k].team.agreed);
        assert_string_equal(members[k].error.text,
                            k == 2 ? "item 17 is broken" : "process 2 of 4: item 17 is broken");
    }
    struct member well[MOST] = {0};
    run_team(well, 3, fail_job);
    for (int k = 0; k < 3; k++) assert_int_equal(well[k].status, ECC_OK);
    assert_false(well[0].team.agreed);
}

/* ---- Decisions ------------------------------------------------------------------------------ */

static void decide_job(struct member *m)
{
    m->largest = m->team.rank == 1 ? 5 : -m->team.rank;
    m->broadcast = 10 + m->team.rank;
    m->status = ecc_team_agree(&m->team, &m->largest, &m->error);
    if (m->status == ECC_OK) {
        m->status = ecc_team_broadcast(&m->team, &m->broadcast, sizeof m->broadcast, &m->error);
    }
}

static void all_decide_the_same(void **state)
{
    (void)state;
    struct member members[MOST] = {0};
    run_team(members, 5, decide_job);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(members[k].status, ECC_OK);
        assert_int_equal(members[k].largest, 5);
        assert_int_equal(members[k].broadcast, 10);
    }
}

/* ---- Who started it ------------------------------------------------------------------------- */

static void launchers_are_recognised(void **state)
{
    (void)state;
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                        "SLURM_STEP_NUM_TASKS"};
    int rank;
    for (size_t i = 0; i < 4; i++) unsetenv(names[i]);
    assert_int_equal(ecc_team_started(&rank), 1);
    setenv("SLURM_NTASKS", "8", 1); /* a batch script, not a step */
    assert_int_equal(ecc_team_started(&rank), 1);
    setenv("SLURM_STEP_NUM_TASKS", "8", 1);
    setenv("SLURM_PROCID", "3", 1);
    assert_int_equal(ecc_team_started(&rank), 8);
    assert_int_equal(rank, 3);
    setenv("ECCENTRIC_TEAM", "/nowhere.so", 1);
    struct ecc_team *team;
    check_fails(ecc_team_join(&team, &testing_error), ECC_IO, "8 processes were started");
    unsetenv("SLURM_STEP_NUM_TASKS");
    check_ok(ecc_team_join(&team, &testing_error));
    assert_null(team);
    assert_int_equal(ecc_team_size(team), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_the_same_everywhere),
        cmocka_unit_test(all_learn_who_failed),
        cmocka_unit_test(all_decide_the_same),
        cmocka_unit_test(launchers_are_recognised),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
