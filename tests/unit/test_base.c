/* test_base.c: arena, files, text, threads, clock, progress. */
#include "testing.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/place.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <pty.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Arena ---------------------------------------------------------------------------------- */

static void an_arena_measures_then_cuts(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 63, 64, 65, 0, 1000};
    struct ecc_arena arena = {0};
    for (size_t i = 0; i < 6; i++) {
        assert_null(ecc_arena_cut(&arena, counts[i], sizeof(float)));
    }
    const size_t measured = arena.used;
    check_ok(ecc_arena_reserve(&arena, "the test", &testing_error));
    assert_true(arena.capacity == measured && arena.used == 0);
    unsigned char *end = arena.base;
    for (size_t i = 0; i < 6; i++) {
        unsigned char *piece = ecc_arena_cut(&arena, counts[i], sizeof(float));
        assert_non_null(piece);
        assert_true((uintptr_t)piece % ECC_ALIGNMENT == 0 && piece >= end);
        end = piece + counts[i] * sizeof(float);
        for (unsigned char *byte = piece; byte < end; byte++) {
            assert_int_equal(*byte, 0);
        }
        memset(piece, 0xff, counts[i] * sizeof(float));
    }
    assert_true(end <= arena.base + arena.capacity);
    assert_null(ecc_arena_cut(&arena, 1, 1)); /* past the capacity */
    ecc_arena_release(&arena);
    ecc_arena_release(&arena); /* harmless */
    assert_null(arena.base);
}

static void an_arena_knows_what_cannot_be_addressed(void **state)
{
    (void)state;
    static const size_t huge[][2] = {{SIZE_MAX / 2, 3}, {SIZE_MAX - 10, 1}};
    for (size_t i = 0; i < 2; i++) {
        struct ecc_arena arena = {0};
        assert_null(ecc_arena_cut(&arena, huge[i][0], huge[i][1]));
        check_fails(ecc_arena_reserve(&arena, "the latent", &testing_error), ECC_NO_MEMORY,
                    "the latent is too large to address");
    }
    struct ecc_arena arena = {0};
    ecc_arena_cut(&arena, SIZE_MAX / 2, 1);
    ecc_arena_cut(&arena, SIZE_MAX / 2, 1);
    ecc_arena_cut(&arena, SIZE_MAX / 2, 1);
    check_fails(ecc_arena_reserve(&arena, "the latent", &testing_error), ECC_NO_MEMORY,
                "the latent is too large to address");
}

/* ---- Files ---------------------------------------------------------------------------------- */

static void check_content(const char *path, const char *expected)
{
    unsigned char *bytes;
    size_t size;
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void write_text(const char *path, const char *text)
{
    struct ecc_output output;
    check_ok(ecc_output_open(&output, path, &testing_error));
    fputs(text, output.stream);
    check_ok(ecc_output_commit(&output, &testing_error));
    ecc_output_discard(&output); /* harmless */
}

static int entries(const char *path)
{
    DIR *directory = opendir(path);
    assert_non_null(directory);
    int count = -2; /* . and .. */
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

static void an_output_appears_when_it_is_whole(void **state)
{
    (void)state;
    struct ecc_output output;
    const char *folder = testing_path("output"), *path = testing_path("output/text");
    check_ok(ecc_make_directory(folder, &testing_error));
    write_text(path, "old");
    check_content(path, "old");
    check_ok(ecc_output_open(&output, path, &testing_error));
    fputs("new", output.stream);
    fflush(output.stream);
    check_content(path, "old");
    assert_int_equal(entries(folder), output.named ? 2 : 1);
    ecc_output_discard(&output);
    check_content(path, "old");
    assert_int_equal(entries(folder), 1);
    write_text(path, "new");
    check_content(path, "new");
    assert_int_equal(entries(folder), 1);
}

static void an_output_follows_links(void **state)
{
    (void)state;
    const char *path = testing_path("linked"), *link = testing_path("link");
    struct stat information;
    write_text(path, "old");
    assert_int_equal(symlink("linked", link), 0);
    write_text(link, "new");
    check_content(path, "new");
    assert_int_equal(lstat(link, &information), 0);
    assert_true(S_ISLNK(information.st_mode));
}

static void a_link_to_nothing_is_not_replaced(void **state)
{
    (void)state;
    const char *link = testing_path("dangling");
    struct ecc_output output;
    struct stat information;
    assert_int_equal(symlink("nothing there", link), 0);
    check_fails(ecc_output_open(&output, link, &testing_error), ECC_IO, "a link to something");
    assert_int_equal(lstat(link, &information), 0);
    assert_true(S_ISLNK(information.st_mode));
}

static void an_output_keeps_its_mode(void **state)
{
    (void)state;
    const char *path = testing_path("private");
    struct stat information;
    write_text(path, "old");
    assert_int_equal(chmod(path, 0600), 0);
    write_text(path, "new");
    assert_int_equal(stat(path, &information), 0);
    assert_int_equal(information.st_mode & 07777, 0600);
}

static void a_device_is_not_replaced(void **state)
{
    (void)state;
    struct stat information;
    write_text("/dev/null", "gone");
    assert_int_equal(stat("/dev/null", &information), 0);
    assert_true(S_ISCHR(information.st_mode));
    const char *path = testing_path("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    FILE *reader = fopen(path, "r+"); /* both ends, so that neither waits */
    assert_non_null(reader);
    write_text(path, "through");
    char text[8] = "";
    assert_int_equal(fread(text, 1, 7, reader), 7);
    assert_string_equal(text, "through");
    fclose(reader);
}

/* From now on this process can make no files without a name, as on some file systems. */
static bool have_no_nameless_files(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 020000000, 0, 1), /* the bit of O_TMPFILE alone */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int write_beside(const char *path)
{
    struct ecc_output output;
    if (!have_no_nameless_files()) return 77;
    if (ecc_output_open(&output, path, NULL) != ECC_OK || !output.named) return 1;
    char *const temporary = strdup(output.temporary);
    if (access(temporary, F_OK) != 0) return 2;
    struct ecc_output other; /* nobody can guess the name: another time it is another */
    if (ecc_output_open(&other, path, NULL) != ECC_OK) return 6;
    if (strcmp(other.temporary, temporary) == 0) return 7;
    ecc_output_discard(&other);
    fputs("beside", output.stream);
    if (ecc_output_commit(&output, NULL) != ECC_OK || access(temporary, F_OK) == 0) return 3;
    if (ecc_output_open(&output, path, NULL) != ECC_OK) return 4;
    strcpy(temporary, output.temporary);
    ecc_output_discard(&output);
    return access(temporary, F_OK) == 0 ? 5 : 0;
}

static void files_without_a_name_are_not_needed(void **state)
{
    (void)state;
    const char *path = testing_path("beside");
    const pid_t child = fork();
    if (child == 0) _exit(write_beside(path));
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
    check_content(path, "beside");
}

static void failed_outputs_say_why(void **state)
{
    (void)state;
    struct ecc_output output;
    check_fails(ecc_output_open(&output, "/nowhere/file", &testing_error), ECC_IO,
                "cannot write '/nowhere/file': No such file or directory");
    const char *folder = testing_path("a folder");
    check_ok(ecc_make_directory(folder, &testing_error));
    check_fails(ecc_output_open(&output, folder, &testing_error), ECC_IO, "Is a directory");
    if (access("/dev/full", W_OK) != 0) return;
    check_ok(ecc_output_open(&output, "/dev/full", &testing_error));
    fputs("x", output.stream);
    check_fails(ecc_output_commit(&output, &testing_error), ECC_IO, "No space left on device");
}

static void whole_files_of_any_size_are_read(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    const char *path = testing_path("sized");
    for (size_t i = 0; i < 6; i++) {
        unsigned char *bytes, *original = malloc(sizes[i] + 1);
        size_t size;
        struct ecc_output output;
        assert_non_null(original);
        for (size_t k = 0; k < sizes[i]; k++) {
            original[k] = (unsigned char)(k * 31 + k / 256);
        }
        check_ok(ecc_output_open(&output, path, &testing_error));
        fwrite(original, 1, sizes[i], output.stream);
        check_ok(ecc_output_commit(&output, &testing_error));
        check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(bytes, original, size);
        free(bytes);
        free(original);
    }
    unsigned char *bytes;
    size_t size;
    check_fails(ecc_file_read(&bytes, &size, "/nowhere/file", &testing_error), ECC_IO,
                "cannot open '/nowhere/file'");
    check_fails(ecc_file_read(&bytes, &size, "/tmp", &testing_error), ECC_IO, "Is a directory");
}

/* Sends text through a named pipe, from another process, after a moment. */
static void send_later(const char *path, const char *text)
{
    if (fork() != 0) return;
    usleep(200000);
    const int file = open(path, O_WRONLY);
    const bool sent = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    _exit(sent ? 0 : 1);
}

static void pipes_are_read_while_somebody_writes(void **state)
{
    (void)state;
    const char *path = testing_path("named");
    unsigned char *bytes;
    size_t size;
    assert_int_equal(mkfifo(path, 0600), 0);
    send_later(path, "through a pipe");
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    assert_int_equal(size, 14);
    assert_memory_equal(bytes, "through a pipe", 14);
    free(bytes);
    int status;
    wait(&status);
    assert_int_equal(status, 0);
    const double start = ecc_seconds();
    check_fails(ecc_file_read(&bytes, &size, path, &testing_error), ECC_IO,
                "is a pipe that nobody has written to for 10 seconds");
    assert_true(ecc_seconds() - start < 30);
    int ends[2]; /* a shell's pipe: its writer may be gone */
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    char name[40];
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    for (size_t round = 0; round < 2; round++) {
        check_ok(ecc_file_read(&bytes, &size, name, &testing_error));
        assert_int_equal(size, round == 0 ? 3 : 0);
        free(bytes);
    }
    close(ends[0]);
    check_fails(ecc_file_read(&bytes, &size, "/dev/zero", &testing_error), ECC_BAD_DATA,
                "'/dev/zero' is a device, expected a file");
}

static void directories_are_made_with_their_parents(void **state)
{
    (void)state;
    struct stat information;
    static const char *const names[] = {"one", "one/two/three", "one//four/", "one/two/three/"};
    for (size_t i = 0; i < 4; i++) {
        const char *path = testing_path(names[i]);
        check_ok(ecc_make_directory(path, &testing_error));
        check_ok(ecc_make_directory(path, &testing_error));
        assert_true(stat(path, &information) == 0 && S_ISDIR(information.st_mode));
    }
    check_ok(ecc_make_directory("/", &testing_error));
    check_ok(ecc_make_directory(".", &testing_error));
    check_fails(ecc_make_directory("", &testing_error), ECC_IO, "cannot make directory ''");
    write_text(testing_path("one/file"), "");
    check_fails(ecc_make_directory(testing_path("one/file"), &testing_error), ECC_IO,
                "exists and is not a directory");
    check_fails(ecc_make_directory(testing_path("one/file/x"), &testing_error), ECC_IO,
                "Not a directory");
}

static void paths_are_joined(void **state)
{
    (void)state;
    static const char *const cases[][3] = {{"run", "config.json", "run/config.json"},
                                           {"run/", "x", "run/x"},
                                           {"/", "x", "/x"},
                                           {"", "x", "x"}};
    for (size_t i = 0; i < 4; i++) {
        char *path = ecc_path_join(cases[i][0], cases[i][1]);
        assert_string_equal(path, cases[i][2]);
        free(path);
    }
}

/* ---- Text ----------------------------------------------------------------------------------- */

static void foreign_text_is_quoted(void **state)
{
    (void)state;
    char out[ECC_QUOTE_SIZE], all[256];
    assert_string_equal(ecc_quote(out, "plain", 5), "'plain'");
    assert_string_equal(ecc_quote(out, "", 0), "''");
    assert_string_equal(ecc_quote(out, "a\n\0\xc3", 4), "'a\\x0a\\x00\\xc3'");
    memset(all, 'y', sizeof all);
    assert_string_equal(ecc_quote(out, all, 40), "'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'");
    assert_string_equal(ecc_quote(out, all, 41), "'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy...'");
    for (size_t i = 0; i < 256; i++) {
        all[i] = (char)i;
    }
    for (size_t start = 0; start < 256; start++) {
        ecc_quote(out, all + start, 256 - start);
        assert_true(strlen(out) < sizeof out);
    }
}

static void names_disturb_no_terminal(void **state)
{
    (void)state;
    char out[ECC_QUOTE_SIZE], path[ECC_PATH_SIZE];
    assert_string_equal(ecc_quote_name(out, "Größe\x1b[2J \xc2\x9b"), "'Größe?[2J ?\?'");
    char listed[] = "b\xc2\x9dl \x1b";
    ecc_hide_controls(listed);
    assert_string_equal(listed, "b?\?l ?");
    assert_string_equal(ecc_quote_path(path, "a\xc2\x9b/\xc2\xa0"), "'a?\?/\xc2\xa0'");
}

/* What ecc_print_to writes, in a buffer that the next call overwrites. */
#define PRINTED(...) (print_start(), ecc_print_to(printed_stream, __VA_ARGS__), print_end())
static char printed[2000];
static FILE *printed_stream;

static void print_start(void)
{
    memset(printed, 0, sizeof printed);
    printed_stream = fmemopen(printed, sizeof printed, "w");
    assert_non_null(printed_stream);
}

static const char *print_end(void)
{
    fclose(printed_stream);
    return printed;
}

static void printing_disturbs_no_terminal(void **state)
{
    (void)state;
    assert_string_equal(PRINTED("label %s\n", "a\033]0;evil\007\nb"), "label a?]0;evil??b\n");
    assert_string_equal(PRINTED("%s", "\xc2\x9b"
                                      "2J \x9b \x7f"),
                        "?\?2J ? ?");
    assert_string_equal(PRINTED("%s", "exe.\xe2\x80\xaegnp"), "exe.??\?gnp"); /* right to left */
    assert_string_equal(PRINTED("%s", "Größe 测试 é"), "Größe 测试 é");
    assert_string_equal(PRINTED("%c%c", '\033', 'a'), "?a");
    assert_string_equal(PRINTED("\033[32m%s\033[0m", "own"), "\033[32mown\033[0m");
    const char unended[] = {'a', '\xc3'}; /* half a character, and no end */
    assert_string_equal(PRINTED("%.*s|", 2, unended), "a?|");
    char long_text[1500];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_string_equal(PRINTED("%s", long_text), long_text);
    print_start();
    ecc_print_lines(printed_stream, "one\ttwo\r\n\033three");
    assert_string_equal(print_end(), "one\ttwo?\n?three");
}

static void printing_is_that_of_the_c_library(void **state)
{
    (void)state;
    char expected[400];
#define SAME(...)                                                                                  \
    do {                                                                                           \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                          \
        assert_string_equal(PRINTED(__VA_ARGS__), expected);                                       \
    } while (0)
    SAME("%d %5d|%-5d|%05d %+d %i", -1, 42, 42, 42, 42, INT32_MIN);
    SAME("%zu %10zu %llu %lld %lu %ld %u %x", SIZE_MAX, (size_t)7, ULLONG_MAX, LLONG_MIN, ULONG_MAX,
         LONG_MIN, UINT_MAX, 0xbeefU);
    SAME("%g %.3f %12.4g|%-12.4e|%*.*f %5.1f%%", 1e-300, 2.0 / 3, 1e9, -1.5, 9, 2, 3.14159, 99.5);
    SAME("%f %g %g", 1e308, (double)INFINITY, (double)-NAN);
    SAME("%s|%10s|%-10s|%.3s|%*s|%-*s|%*s|%.*s", "abc", "abc", "abc", "abcdef", 6, "x", 6, "x", -6,
         "x", 2, "abc");
    SAME("%c|%3c|100%%", 'z', 'y');
#undef SAME
}

static void sentences_disturb_no_terminal(void **state)
{
    (void)state;
    struct ecc_error error;
    ecc_set_error(&error, ECC_IO, "label '%s' of %s", "\033[2J", "a\nb");
    assert_string_equal(error.text, "label '?[2J' of a?b");
    ecc_set_error(&error, ECC_IO, "%*s\xc3\xa9", (int)sizeof error.text - 2, ""); /* cut in two */
    assert_string_equal(error.text + sizeof error.text - 2, "?");
}

static void shell_words_disturb_no_terminal(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"run.1", "run.1"},
                                           {"", "''"},
                                           {"a b", "'a b'"},
                                           {"it's é", "'it'\\''s é'"},
                                           {"a\033[2J\nb", "'a'$'\\x1b''[2J'$'\\x0a''b'"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        print_start();
        ecc_put_shell_word(printed_stream, words[i][0]);
        assert_string_equal(print_end(), words[i][1]);
    }
}

static void paths_are_quoted(void **state)
{
    (void)state;
    char out[ECC_PATH_SIZE], path[501];
    assert_string_equal(ecc_quote_path(out, "dir/z\033[2J.npy"), "'dir/z?[2J.npy'");
    assert_string_equal(ecc_quote_path(out, "d\xc3\xa9j\xc3\xa0"), "'d\xc3\xa9j\xc3\xa0'");
    assert_string_equal(ecc_quote_path(out, "\xa0.npy\xc3"), "'?.npy?'"); /* not UTF-8 */
    for (size_t length = 150; length < 501; length++) {
        memset(path, 'p', length);
        memcpy(path + length - 2, "\xc3\xa9", 2);
        path[length] = '\0';
        ecc_quote_path(out, path);
        assert_true(strlen(out) <= ECC_PATH_CHARS + 2);
        assert_true(!strncmp(out, "'...", 4) == (length > ECC_PATH_CHARS));
        assert_string_equal(out + strlen(out) - 3, "\xc3\xa9'");
    }
}

static void bytes_that_are_no_characters_are_replaced(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x99\x82"};
    static const char *const bad[] = {
        "\x80",     "\xc3",         "\xc3(",        "\xc0\xaf",
        "\xe2\x82", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xff"};
    for (size_t i = 0; i < 4; i++) assert_int_equal(ecc_utf8_length(good[i]), i + 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ecc_utf8_length(bad[i]), 0);
    }
    char text[] = "d\xc3\xa9j\xc3 \xe2\x82";
    ecc_utf8_repair(text);
    assert_string_equal(text, "d\xc3\xa9j? ??");
}

static void numbers_are_parsed_strictly(void **state)
{
    (void)state;
    static const char *const wrong_doubles[] = {"",    " 1",  "1 ",    "1x",  "0x10",
                                                "inf", "nan", "1e999", "--1", "1e",
                                                ".",   "e5",  "1,5",   "1-",  "\n"};
    static const char *const wrong_sizes[] = {
        "", " 1", "-1", "+1", "1.0", "1e3", "0x1", "1 ", "18446744073709551616"};
    double number = 7;
    size_t size = 7;
    uint64_t wide = 7;
    for (size_t i = 0; i < sizeof wrong_doubles / sizeof wrong_doubles[0]; i++) {
        assert_false(ecc_parse_double(wrong_doubles[i], &number));
    }
    for (size_t i = 0; i < sizeof wrong_sizes / sizeof wrong_sizes[0]; i++) {
        assert_false(ecc_parse_size(wrong_sizes[i], &size));
        assert_false(ecc_parse_u64(wrong_sizes[i], &wide));
    }
    assert_true(number == 7 && size == 7 && wide == 7); /* untouched */
    assert_true(ecc_parse_double("-1.5e-3", &number) && number == -1.5e-3);
    assert_true(ecc_parse_double(".5", &number) && number == 0.5);
    assert_true(ecc_parse_double("+3", &number) && number == 3);
    assert_true(ecc_parse_size("007", &size) && size == 7);
    assert_true(ecc_parse_u64("18446744073709551615", &wide) && wide == UINT64_MAX);
}

/* ---- Status, threads, clock ----------------------------------------------------------------- */

static void failures_fit_their_text(void **state)
{
    (void)state;
    char path[3000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    struct ecc_error error;
    assert_int_equal(ecc_fail(&error, ECC_BAD_DATA, "%s", path), ECC_BAD_DATA);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_int_equal(ecc_fail(NULL, ECC_NUMERIC, "nobody asks"), ECC_NUMERIC);
    unsigned char *bytes;
    size_t size;
    check_fails(ecc_file_read(&bytes, &size, path, &testing_error), ECC_IO, "File name too long");
}

static void threads_are_counted(void **state)
{
    (void)state;
    assert_int_equal(ecc_threads(3), 3);
    assert_int_equal(ecc_threads(5000), ECC_MAX_THREADS);
    assert_int_equal(ecc_threads(0), omp_get_max_threads());
    omp_set_num_threads(5);
    assert_int_equal(ecc_threads(0), 5);
    assert_int_equal(ecc_threads(-2), 5);
}

static void the_clock_goes_forward(void **state)
{
    (void)state;
    const double before = ecc_seconds();
    usleep(20000);
    const double passed = ecc_seconds() - before;
    assert_true(passed >= 0.019 && passed < 10);
}

/* ---- Progress: through a pseudo terminal and a pipe ------------------------------------------ */

struct screen {
    int master;
    FILE *stream; /* what the program writes to */
    char text[1 << 16];
};

static void open_screen(struct screen *screen, unsigned short width)
{
    int slave;
    struct winsize size = {.ws_row = 25, .ws_col = width};
    assert_int_equal(openpty(&screen->master, &slave, NULL, NULL, &size), 0);
    assert_int_equal(fcntl(screen->master, F_SETFL, O_NONBLOCK), 0);
    screen->stream = fdopen(slave, "w");
    assert_non_null(screen->stream);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
}

/* All that was written since the last time. */
static const char *read_screen(struct screen *screen)
{
    fflush(screen->stream);
    size_t used = 0;
    for (ssize_t got;
         used < sizeof screen->text - 1 &&
         (got = read(screen->master, screen->text + used, sizeof screen->text - 1 - used)) > 0;) {
        used += (size_t)got;
    }
    screen->text[used] = '\0';
    return screen->text;
}

static void close_screen(struct screen *screen)
{
    fclose(screen->stream);
    close(screen->master);
}

/* The longest line between carriage returns, in columns, without escape sequences. */
static size_t widest(const char *text)
{
    size_t most = 0, column = 0;
    for (; *text; text++) {
        if (*text == '\r') {
            column = 0;
        } else if (*text == '\033') {
            text += strcspn(text, "Km");
        } else {
            column += ((unsigned char)*text & 0xc0) != 0x80;
        }
        most = column > most ? column : most;
    }
    return most;
}

/* An update that is drawn at once, as if the last one were long ago. */
static void update_now(struct ecc_progress *progress, uint64_t done, const char *text)
{
    progress->drawn = -1000;
    ecc_progress_update(progress, done, text);
}

static void a_terminal_shows_a_bar(void **state)
{
    (void)state;
    static struct screen screen;
    struct ecc_progress progress;
    open_screen(&screen, 80);
    ecc_progress_start(&progress, screen.stream, ECC_PROGRESS_AUTO, "train", "steps", 1000);
    progress.started -= 35.9;
    update_now(&progress, 450, "loss -24.71");
    assert_string_equal(read_screen(&screen),
                        "\rtrain   45%  \033[32m[====>     ]\033[0m  450/1000 steps  12.5/s  "
                        "0:36  0:44 left  loss -24.71\033[K");
    ecc_progress_clear(&progress);
    assert_string_equal(read_screen(&screen), "\r\033[K");
    update_now(&progress, 1000, NULL);
    assert_non_null(strstr(read_screen(&screen), "100%"));
    ecc_progress_end(&progress, NULL);
    assert_string_equal(read_screen(&screen), "\r\033[K");
    ecc_progress_end(&progress, "again");
    assert_string_equal(read_screen(&screen), "");
    close_screen(&screen);
}

static void a_terminal_ends_with_one_line(void **state)
{
    (void)state;
    static struct screen screen;
    struct ecc_progress progress;
    open_screen(&screen, 80);
    setenv("NO_COLOR", "1", 1);
    ecc_progress_start(&progress, screen.stream, ECC_PROGRESS_AUTO, "train", "steps", 1000);
    ecc_progress_skip(&progress, 500);
    progress.started -= 100;
    update_now(&progress, 750, "a\tb\033[2J");
    const char *text = read_screen(&screen);
    assert_non_null(strstr(text, "2.5/s  1:40  1:40 left  a?b?[2J"));
    assert_null(strstr(text, "\033[32m"));
    ecc_progress_update(&progress, 1000, NULL); /* too soon to be drawn */
    ecc_progress_end(&progress, "loss -25.02");
    assert_string_equal(read_screen(&screen), "\r\033[Ktrain: 100%, 1000/1000 steps, 5.0 steps/s, "
                                              "1:40 elapsed, loss -25.02\r\n");
    close_screen(&screen);
}

static void a_narrow_terminal_never_wraps(void **state)
{
    (void)state;
    static struct screen screen;
    char remark[600];
    memset(remark, 'r', sizeof remark);
    remark[sizeof remark - 1] = '\0';
    for (unsigned short width = 1; width < 200; width += width < 100 ? 1 : 33) {
        for (int kind = 0; kind < 3; kind++) {
            struct ecc_progress progress;
            open_screen(&screen, width);
            ecc_progress_start(&progress, screen.stream, ECC_PROGRESS_AUTO, "\xc3\xa9t\xc3\xa9",
                               "images", kind == 1 ? 0 : 60000);
            update_now(&progress, 59999, kind == 2 ? remark : "loss -24.71");
            const char *text = read_screen(&screen);
            assert_true(widest(text) < width && !strchr(text, '\n'));
            if (width > 5 && kind == 0) assert_non_null(strstr(text, "99%"));
            close_screen(&screen);
        }
    }
}

static void a_bar_is_redrawn_ten_times_a_second(void **state)
{
    (void)state;
    static struct screen screen;
    struct ecc_progress progress;
    open_screen(&screen, 80);
    ecc_progress_start(&progress, screen.stream, ECC_PROGRESS_AUTO, "train", "steps", 100000);
    const double start = ecc_seconds();
    uint64_t step = 0;
    while (ecc_seconds() - start < 0.35) {
        ecc_progress_update(&progress, ++step, NULL);
    }
    int drawn = 0;
    for (const char *c = read_screen(&screen); *c; c++) {
        drawn += *c == '\r';
    }
    assert_in_range(drawn, 1, 3);
    close_screen(&screen);
}

static void a_pipe_gets_plain_lines(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    struct ecc_progress progress;
    const char *path = testing_path("lines");
    FILE *stream = fopen(path, "w+");
    assert_non_null(stream);
    ecc_progress_start(&progress, stream, ECC_PROGRESS_AUTO, "encode", "images", 600);
    progress.started -= 1200;
    ecc_progress_update(&progress, 1, "too soon");
    update_now(&progress, 60, NULL);
    ecc_progress_update(&progress, 61, "too soon");
    ecc_progress_clear(&progress);
    ecc_progress_update(&progress, 600, NULL);
    ecc_progress_end(&progress, NULL);
    fclose(stream);
    check_ok(ecc_file_read((unsigned char **)&text, &size, path, &testing_error));
    static const char expected[] =
        "encode: 10%, 60/600 images, 20.0 s each, 20:00 elapsed, 3:00:00 left\n"
        "encode: 100%, 600/600 images, 2.0 s each, 20:00 elapsed\n";
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(text, expected, size);
    free(text);
}

static void quiet_is_quiet(void **state)
{
    (void)state;
    static struct screen screen;
    struct ecc_progress progress;
    open_screen(&screen, 80);
    ecc_progress_start(&progress, screen.stream, ECC_PROGRESS_NONE, "train", "steps", 10);
    update_now(&progress, 5, "x");
    ecc_progress_clear(&progress);
    ecc_progress_end(&progress, "done");
    ecc_progress_start(&progress, NULL, ECC_PROGRESS_AUTO, "train", "steps", 10);
    update_now(&progress, 5, "x");
    ecc_progress_end(&progress, "done");
    assert_string_equal(read_screen(&screen), "");
    setenv("TERM", "dumb", 1);
    ecc_progress_start(&progress, screen.stream, ECC_PROGRESS_AUTO, "train", "steps", 10);
    progress.started -= 4;
    update_now(&progress, 8, NULL);
    const char *text = read_screen(&screen);
    assert_non_null(strstr(text, "2.0 steps/s, 0:04 elapsed, 0:01 left"));
    assert_null(strchr(text, '\033'));
    ecc_progress_end(&progress, "broken off");
    assert_non_null(strstr(read_screen(&screen), "80%, 8/10 steps, 2.0 steps/s, 0:04 elapsed, "
                                                 "broken off"));
    close_screen(&screen);
}

static void test_endings(void **state)
{
    (void)state;
    assert_true(ecc_ends_in("a.npy", ".npy") && !ecc_ends_in("a.NPY", ".npy"));
    assert_false(ecc_ends_in(".npy", ".npy") || ecc_ends_in("npy", ".npy") ||
                 ecc_ends_in("a.npy.gz", ".npy"));
    assert_true(ecc_ends_in_any_case("a.NPY", ".npy") && ecc_ends_in_any_case("a.npy", ".npy"));
    assert_false(ecc_ends_in_any_case(".npy", ".npy") || ecc_ends_in_any_case("a.np", ".npy"));
    ecc_free_texts(NULL, 3);
}

/* ---- Places --------------------------------------------------------------------------------- */

static void a_name_tells_its_format(void **state)
{
    (void)state;
    char words[ECC_FORMAT_WORDS];
    assert_int_equal(ecc_format_of("a.csv"), ECC_FORMAT_CSV);
    assert_int_equal(ecc_format_of("a/b.PNG"), ECC_FORMAT_PNG);
    assert_int_equal(ecc_format_of("a.jpg"), ECC_FORMAT_OTHER);
    assert_int_equal(ecc_format_of("a.csv.gz"), ECC_FORMAT_OTHER);
    assert_int_equal(ecc_format_of("a.csv/"), ECC_FORMAT_FOLDER);
    assert_int_equal(ecc_format_of("a.cvs"), ECC_FORMAT_OTHER);
    assert_int_equal(ecc_format_of("a.H5"), ECC_FORMAT_OTHER);
    assert_int_equal(ecc_format_of("run.3"), ECC_FORMAT_FOLDER);
    assert_int_equal(ecc_format_of("run.x/faces.d8"), ECC_FORMAT_FOLDER);
    assert_int_equal(ecc_format_of("x/.hidden"), ECC_FORMAT_FOLDER);
    assert_string_equal(ecc_format_words(words, ECC_FORMAT_CSV), ".csv");
    assert_string_equal(ecc_format_words(words, ECC_FORMAT_PICTURE | ECC_FORMAT_FOLDER),
                        ".png, .svg, .pdf or a folder");
    check_ok(ecc_format_check("out", "z.npz", ECC_FORMAT_NPZ | ECC_FORMAT_NPY, &testing_error));
    check_fails(ecc_format_check("out", "z.txt", ECC_FORMAT_CSV | ECC_FORMAT_NPY, &testing_error),
                ECC_BAD_ARGUMENT, "--out is 'z.txt', expected a name that ends in .csv or .npy");
    check_fails(ecc_format_check("out", "z.csv", ECC_FORMAT_FOLDER, &testing_error),
                ECC_BAD_ARGUMENT, "--out is 'z.csv', expected a folder");
    check_fails(ecc_format_check("out", "", ECC_FORMAT_FOLDER, &testing_error), ECC_BAD_ARGUMENT,
                "expected a folder");
}

static void a_place_is_made_and_taken_away(void **state)
{
    (void)state;
    size_t made;
    char place[4096];
    snprintf(place, sizeof place, "%s", testing_path("new/deep//place/x.csv"));
    check_ok(ecc_place_prepare(place, false, &made, &testing_error));
    assert_int_equal(made, 3);
    assert_int_equal(access(testing_path("new/deep/place"), W_OK), 0);
    ecc_place_undo(place, false, made);
    assert_int_not_equal(access(testing_path("new"), F_OK), 0);

    snprintf(place, sizeof place, "%s", testing_path("folder/of/results/"));
    check_ok(ecc_place_prepare(place, true, &made, &testing_error));
    assert_int_equal(made, 3);
    check_ok(ecc_place_prepare(testing_path("folder/file.csv"), false, &made, &testing_error));
    assert_int_equal(made, 0);
    fclose(fopen(testing_path("folder/file.csv"), "w"));
    ecc_place_undo(place, true, 3); /* not what holds something */
    assert_int_equal(access(testing_path("folder/file.csv"), F_OK), 0);
    assert_int_not_equal(access(testing_path("folder/of"), F_OK), 0);

    check_fails(
        ecc_place_prepare(testing_path("folder/file.csv/x.csv"), false, &made, &testing_error),
        ECC_IO, "file.csv");
    mkdir(testing_path("a.csv"), 0777);
    check_fails(ecc_place_prepare(testing_path("a.csv"), false, &made, &testing_error), ECC_IO,
                "Is a directory");
    check_fails(ecc_place_prepare("/proc/x.csv", false, NULL, &testing_error), ECC_IO,
                "cannot write '/proc/x.csv'");
    check_ok(ecc_place_prepare("/dev/null", false, NULL, &testing_error));
}

static void text_fits_the_columns_of_a_terminal(void **state)
{
    (void)state;
    char out[ECC_FIT_SIZE];
    assert_int_equal(ecc_cell_width("abc"), 3);
    assert_int_equal(ecc_cell_width("Übergröße"), 9);
    assert_int_equal(ecc_cell_width("苹果"), 4);
    assert_int_equal(ecc_cell_width("e\xcc\x81"), 1); /* e and a combining accent */
    assert_string_equal(ecc_cell_fit(out, "Köln", 6), "Köln  ");
    assert_string_equal(ecc_cell_fit(out, "Köln", -6), "  Köln");
    assert_string_equal(ecc_cell_fit(out, "Übergröße", 9), "Übergröße");
    assert_string_equal(ecc_cell_fit(out, "Übergröße", 8), "Überg...");
    assert_string_equal(ecc_cell_fit(out, "香蕉和橘子", 8),
                        "香蕉... "); /* half of one would not do */
    assert_string_equal(ecc_cell_fit(out, "a\x1b[31m\xff", 9), "a?[31m?  ");
    assert_string_equal(ecc_cell_fit(out, "", 3), "   ");
    char marks[2000] = "x";
    for (int i = 0; i < 900; i++) strcat(marks, "\xcc\x81");
    assert_true(strlen(ecc_cell_fit(out, marks, 60)) < sizeof out);
}

static void numbers_are_plain(void **state)
{
    (void)state;
    char out[ECC_PLAIN_SIZE];
    assert_string_equal(ecc_plain_number(out, 33377.03, 4), "33377");
    assert_string_equal(ecc_plain_number(out, -0.0203844, 4), "-0.02038");
    assert_string_equal(ecc_plain_number(out, 123.456, 4), "123.5");
    assert_string_equal(ecc_plain_number(out, -1e300, 4), "-1e+300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endings),
        cmocka_unit_test(an_arena_measures_then_cuts),
        cmocka_unit_test(an_arena_knows_what_cannot_be_addressed),
        cmocka_unit_test(an_output_appears_when_it_is_whole),
        cmocka_unit_test(an_output_follows_links),
        cmocka_unit_test(a_link_to_nothing_is_not_replaced),
        cmocka_unit_test(an_output_keeps_its_mode),
        cmocka_unit_test(a_device_is_not_replaced),
        cmocka_unit_test(files_without_a_name_are_not_needed),
        cmocka_unit_test(failed_outputs_say_why),
        cmocka_unit_test(whole_files_of_any_size_are_read),
        cmocka_unit_test(pipes_are_read_while_somebody_writes),
        cmocka_unit_test(directories_are_made_with_their_parents),
        cmocka_unit_test(paths_are_joined),
        cmocka_unit_test(foreign_text_is_quoted),
        cmocka_unit_test(printing_disturbs_no_terminal),
        cmocka_unit_test(printing_is_that_of_the_c_library),
        cmocka_unit_test(sentences_disturb_no_terminal),
        cmocka_unit_test(shell_words_disturb_no_terminal),
        cmocka_unit_test(paths_are_quoted),
        cmocka_unit_test(names_disturb_no_terminal),
        cmocka_unit_test(bytes_that_are_no_characters_are_replaced),
        cmocka_unit_test(numbers_are_parsed_strictly),
        cmocka_unit_test(text_fits_the_columns_of_a_terminal),
        cmocka_unit_test(numbers_are_plain),
        cmocka_unit_test(failures_fit_their_text),
        cmocka_unit_test(threads_are_counted),
        cmocka_unit_test(the_clock_goes_forward),
        cmocka_unit_test(a_terminal_shows_a_bar),
        cmocka_unit_test(a_terminal_ends_with_one_line),
        cmocka_unit_test(a_narrow_terminal_never_wraps),
        cmocka_unit_test(a_bar_is_redrawn_ten_times_a_second),
        cmocka_unit_test(a_pipe_gets_plain_lines),
        cmocka_unit_test(quiet_is_quiet),
        cmocka_unit_test(a_name_tells_its_format),
        cmocka_unit_test(a_place_is_made_and_taken_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
