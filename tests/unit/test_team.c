/* test_team.c: what processes do together, with threads in their place: means in their order,
 * agreed failures, decisions; and when one of them is taken to hang. */
#include "testing.h"

#include "base/activity.h"
#include "base/clock.h"
#include "train/team_pulse.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static atomic_int aborted;

static void seat_abort(void *state, int code)
{
    (void)state, (void)code;
    atomic_fetch_add(&aborted, 1);
}

static const struct ecc_team_link link_of_threads = {.version = ECC_TEAM_LINK_VERSION,
                                                     .gather = seat_gather,
                                                     .exchange = seat_exchange,
                                                     .broadcast = seat_broadcast,
                                                     .abort = seat_abort};

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
        m->team.size = m->team.local = size;
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

/* ---- Shared work ---------------------------------------------------------------------------- */

/* Pieces 0 .. count - 1, of which one may fail. */
struct work {
    struct member *member;
    size_t taken, computed, fails; /* fails: a piece that cannot be computed, or SIZE_MAX */
    size_t full;                   /* a piece that process 0 cannot take */
};

static enum ecc_status compute_piece(void *context, void *result, size_t piece,
                                     struct ecc_error *error)
{
    struct work *const w = context;
    w->computed++;
    if (piece == w->fails) return ecc_fail(error, ECC_BAD_DATA, "piece %zu is broken", piece);
    *(uint64_t *)result = 7 * piece + 1;
    return ECC_OK;
}

static enum ecc_status take_piece(void *context, const void *result, size_t piece,
                                  struct ecc_error *error)
{
    struct work *const w = context;
    if (piece != w->taken++ || *(const uint64_t *)result != 7 * piece + 1) {
        return ecc_fail(error, ECC_NUMERIC, "piece %zu is wrong", piece);
    }
    if (piece == w->full && w->member->team.rank == 0) {
        return ecc_fail(error, ECC_IO, "the disk is full");
    }
    return ECC_OK;
}

static size_t piece_count, broken_piece, full_piece;

static void share_job(struct member *m)
{
    struct work work = {.member = m, .fails = broken_piece, .full = full_piece};
    const struct ecc_share *const share = ecc_team_share(&m->team);
    const struct ecc_pieces pieces = {.count = piece_count,
                                      .bytes = sizeof(uint64_t),
                                      .context = &work,
                                      .compute = compute_piece,
                                      .take = take_piece};
    size_t owned = 0;
    for (size_t i = 0; i < piece_count; i++) owned += ecc_share_owns(share, &pieces, i);
    m->status = ecc_share_pieces(share, &pieces, &m->error);
    m->count = work.computed;
    m->largest = work.computed == owned && work.taken == piece_count;
}

static void pieces_are_shared(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 7, 100, 1000};
    broken_piece = full_piece = SIZE_MAX;
    for (int size = 1; size <= MOST; size++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            struct member members[MOST] = {0};
            size_t done = 0;
            piece_count = counts[c];
            run_team(members, size, share_job);
            for (int k = 0; k < size; k++) {
                assert_int_equal(members[k].status, ECC_OK);
                assert_true(members[k].largest);
                done += members[k].count;
            }
            assert_int_equal(done, counts[c]);
        }
    }
}

static void all_end_when_one_cannot(void **state)
{
    (void)state;
    piece_count = 100;
    broken_piece = 61;
    struct member members[MOST] = {0}, others[MOST] = {0};
    run_team(members, 3, share_job);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(members[k].status, ECC_BAD_DATA);
        assert_non_null(strstr(members[k].error.text, "piece 61 is broken"));
    }
    broken_piece = SIZE_MAX;
    full_piece = 99; /* the last */
    run_team(others, 3, share_job);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(others[k].status, ECC_IO);
        assert_string_equal(others[k].error.text,
                            k == 0 ? "the disk is full" : "process 0 of 3: the disk is full");
    }
}

/* ---- Who hangs ------------------------------------------------------------------------------ */

static const struct ecc_team_patience patience = {.hang = 6, .stall = 600};

/* Two processes, of which the other waits in message 10, and a second of this one without a beat
 * is followed by a beat. */
static void live(struct ecc_team_pulse *p, struct ecc_team_beat beat, int seconds, bool deeds)
{
    for (int i = 0; i < seconds; i++) {
        ecc_team_pulse_wait(p, 1);
        beat.deeds += deeds;
        ecc_team_pulse_hear(p, &beat);
    }
}

static int judge(char why[ECC_TEAM_WHY], const struct ecc_team_pulse *p)
{
    struct ecc_team_pulse both[2] = {{.known = true, .last.calls = 10}, *p};
    return ecc_team_judge(why, both, 2, &patience);
}

static void who_does_nothing_hangs(void **state)
{
    (void)state;
    char why[ECC_TEAM_WHY];
    struct ecc_team_pulse p = {0};
    const struct ecc_team_beat late = {.calls = 9, .steps = true}, there = {.calls = 10};
    live(&p, late, 5, false);
    assert_int_equal(judge(why, &p), -1);
    live(&p, late, 2, false);
    assert_int_equal(judge(why, &p), 1);
    assert_non_null(strstr(why, "has done nothing for 6 seconds"));
    live(&p, there, 100, false); /* it waits, as the other does */
    assert_int_equal(judge(why, &p), -1);
    ecc_team_pulse_wait(&p, 6);
    assert_int_equal(judge(why, &p), 1);
    assert_non_null(strstr(why, "has not answered for 6 seconds"));
}

static void who_is_slow_does_not(void **state)
{
    (void)state;
    char why[ECC_TEAM_WHY];
    struct ecc_team_pulse p = {0};
    struct ecc_team_beat beat = {.calls = 8, .steps = true};
    live(&p, beat, 20, true); /* its longest step */
    beat.calls = 9;
    beat.deeds = 20;
    live(&p, beat, 1900, true);
    assert_int_equal(judge(why, &p), -1);
    live(&p, beat, 200, true);
    assert_int_equal(judge(why, &p), 1);
    assert_non_null(strstr(why, "has been busy for"));
    beat.steps = false; /* the last pass over all items */
    live(&p, beat, 10000, true);
    assert_int_equal(judge(why, &p), -1);
    beat.writes = true; /* a slow disk */
    live(&p, beat, 500, false);
    assert_int_equal(judge(why, &p), -1);
    live(&p, beat, 200, false);
    assert_int_equal(judge(why, &p), 1);
}

static void who_leaves_or_dies_is_missed(void **state)
{
    (void)state;
    char why[ECC_TEAM_WHY];
    struct ecc_team_pulse p = {0};
    struct ecc_team_beat beat = {.calls = 10};
    live(&p, beat, 1, true);
    p.closed = true;
    assert_int_equal(judge(why, &p), 1); /* at once: the launcher may end this one as well */
    assert_non_null(strstr(why, "has died without a word"));
    p.last.speaker = 2;
    assert_int_equal(judge(why, &p), -1); /* it has said why */
    p.last.speaker = 0;
    p.last.leaving = true;
    assert_int_equal(judge(why, &p), -1); /* a good end */
    p.last.calls = 9;
    ecc_team_pulse_wait(&p, 1);
    assert_int_equal(judge(why, &p), 1);
    assert_non_null(strstr(why, "has left while the others wait"));
}

static void pause_for(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

static void *wait_for_nothing(void *argument)
{
    int *const pipe_ends = argument;
    char byte;
    return read(pipe_ends[0], &byte, 1) == 1 ? argument : NULL;
}

static void *compute_and_read(void *argument)
{
    const double end = ecc_seconds() + 0.1;
    while (ecc_seconds() < end) {
    }
    return argument;
}

/* Threads that wait do nothing; those that compute do. */
static void activity_is_seen(void **state)
{
    (void)state;
    struct ecc_activity a = {0};
    pthread_t thread;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_nothing, ends), 0);
    pause_for(0.2);
    ecc_activity_look(&a);
    const uint64_t before = a.deeds;
    for (int i = 0; i < 5; i++) {
        pause_for(0.02);
        ecc_activity_look(&a);
    }
    assert_int_equal(a.deeds, before);
    assert_int_equal(write(ends[1], "x", 1), 1);
    pthread_join(thread, NULL);
    ecc_activity_look(&a);
    assert_true(a.deeds > before);
    const uint64_t then = a.deeds;
    assert_int_equal(pthread_create(&thread, NULL, compute_and_read, NULL), 0);
    pthread_join(thread, NULL);
    ecc_activity_look(&a);
    assert_true(a.deeds > then);
    close(ends[0]);
    close(ends[1]);
}

/* ---- The guard ------------------------------------------------------------------------------ */

static atomic_int losses;
static char lost[ECC_TEAM_WHY + 60];

static void on_loss(void *context, const char *sentence)
{
    (void)context;
    atomic_fetch_add(&losses, 1);
    snprintf(lost, sizeof lost, "%s", sentence);
}

static const struct ecc_watch last = {.on_remark = on_loss};

static void watch_job(struct member *m)
{
    m->status = ecc_team_watch(&m->team, &last, &m->error);
    pause_for(0.6);
    meet(&m->seat);
    ecc_team_guard_stop(&m->team);
}

/* Watched, and taken leave of. */
static void nobody_is_missed(void **state)
{
    (void)state;
    struct member members[MOST] = {0};
    run_team(members, 4, watch_job);
    for (int k = 0; k < 4; k++) assert_int_equal(members[k].status, ECC_OK);
    assert_int_equal(atomic_load(&losses), 0);
    assert_int_equal(atomic_load(&aborted), 0);
}

/* The second leaves without having come to the message that the others wait in. */
static void early_job(struct member *m)
{
    m->status = ecc_team_watch(&m->team, &last, &m->error);
    if (m->team.rank != 1) atomic_fetch_add(&m->team.calls, 1);
    if (m->team.rank == 1) ecc_team_guard_say(&m->team, false);
    pause_for(2.5);
    meet(&m->seat);
    ecc_team_guard_stop(&m->team);
}

static void one_speaks(void **state)
{
    (void)state;
    struct member members[MOST] = {0};
    run_team(members, 3, early_job);
    assert_int_equal(atomic_load(&losses), 1);
    assert_int_equal(atomic_load(&aborted), 1);
    assert_string_equal(lost, "process 1 of 3 has left while the others wait for it: were all "
                              "started with the same command?");
}

/* Of two that fail, one says why. */
static void fail_together_job(struct member *m)
{
    m->status = ecc_team_watch(&m->team, &last, &m->error);
    if (m->team.rank > 0) ecc_team_guard_say(&m->team, true);
    pause_for(0.6);
    meet(&m->seat);
    m->largest = ecc_team_guard_speaks(&m->team);
    ecc_team_guard_stop(&m->team);
}

static void one_says_why(void **state)
{
    (void)state;
    struct member members[MOST] = {0};
    atomic_store(&losses, 0);
    run_team(members, 3, fail_together_job);
    assert_false(members[0].largest);
    assert_int_equal(members[1].largest + members[2].largest, 1);
    assert_int_equal(atomic_load(&losses), 0);
}

/* ---- Who started it ------------------------------------------------------------------------- */

static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE",
                                        "OMPI_COMM_WORLD_RANK",
                                        "PMI_SIZE",
                                        "PMI_RANK",
                                        "MPI_LOCALNRANKS",
                                        "PMIX_RANK",
                                        "MV2_COMM_WORLD_SIZE",
                                        "SLURM_STEP_NUM_TASKS",
                                        "SLURM_PROCID"};

/* values: of the variables above; NULL: not set. */
static void check_launcher(const char *const values[9], int size, int rank, const char *family)
{
    int found;
    for (size_t i = 0; i < 9; i++) {
        unsetenv(variables[i]);
        if (values[i]) setenv(variables[i], values[i], 1);
    }
    assert_int_equal(ecc_team_started(&found), size);
    assert_int_equal(found, rank);
    if (family) {
        assert_string_equal(ecc_team_family(), family);
    } else {
        assert_null(ecc_team_family());
    }
}

static void launchers_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *values[9];
        int size, rank;
        const char *family;
    } cases[] = {
        {{NULL}, 1, 0, NULL},
        /* mpirun of Open MPI, which has PMIx; alone; and in a job of Slurm */
        {{"8", "3", [5] = "3"}, 8, 3, "openmpi"},
        {{"1", "0"}, 1, 0, "openmpi"},
        {{"8", "3", [5] = "3", [7] = "2", [8] = "1"}, 8, 3, "openmpi"},
        {{"1", "0", [5] = "0", [7] = "2", [8] = "1"}, 1, 0, "openmpi"},
        /* Hydra, alone and in a job of Slurm */
        {{[2] = "8", [3] = "3", [4] = "4"}, 8, 3, "mpich"},
        {{[2] = "8", [3] = "3", [4] = "4", [5] = "1", [7] = "2", [8] = "1"}, 8, 3, "mpich"},
        {{[2] = "8", [3] = "3"}, 8, 3, "mpich"},
        {{[6] = "8"}, 8, 0, "mpich"},
        /* srun --mpi=pmix, pmi2, none */
        {{[5] = "3", [7] = "8", [8] = "3"}, 8, 3, "openmpi"},
        {{[2] = "8", [3] = "3", [7] = "8", [8] = "3"}, 8, 3, "mpich"},
        {{[7] = "8", [8] = "3"}, 8, 3, "openmpi"},
    };
    setenv("SLURM_NTASKS", "8", 1); /* a batch script, not a step */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_launcher(cases[i].values, cases[i].size, cases[i].rank, cases[i].family);
    }
    setenv("ECCENTRIC_TEAM", "/nowhere.so", 1);
    struct ecc_team *team;
    check_fails(ecc_team_join(&team, &testing_error), ECC_IO, "srun started 8 processes");
    unsetenv("ECCENTRIC_TEAM");
    check_fails(ecc_team_join(&team, &testing_error), ECC_BAD_ARGUMENT, "use srun --mpi=pmix");
    for (size_t i = 0; i < 9; i++) unsetenv(variables[i]);
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
        cmocka_unit_test(pieces_are_shared),
        cmocka_unit_test(all_end_when_one_cannot),
        cmocka_unit_test(who_does_nothing_hangs),
        cmocka_unit_test(who_is_slow_does_not),
        cmocka_unit_test(who_leaves_or_dies_is_missed),
        cmocka_unit_test(activity_is_seen),
        cmocka_unit_test(nobody_is_missed),
        cmocka_unit_test(one_speaks),
        cmocka_unit_test(one_says_why),
        cmocka_unit_test(launchers_are_recognised),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
