/* fingerprint.c: hashes of files and of lists of files, and rows of a source found again. */
#include "data/fingerprint.h"

#include "data/images.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ---------------------------------------------------------------------------------- */

enum { BLOCK = 1 << 16, BLOCKS = 1 << 12 }; /* together 256 MB: all of a file that is no larger */

/* Up to `size` bytes at `offset`; the number of them, or -1. */
static ssize_t read_block(int file, unsigned char *block, size_t size, off_t offset)
{
    size_t have = 0;
    while (have < size) {
        const ssize_t got = pread(file, block + have, size - have, offset + (off_t)have);
        if (got < 0) return -1;
        if (got == 0) break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

static bool add_blocks(struct ecc_hash *hash, int file, uint64_t size)
{
    unsigned char *const block = malloc(BLOCK);
    const uint64_t all = (size + BLOCK - 1) / BLOCK, used = all < BLOCKS ? all : BLOCKS;
    bool good = block;
    for (uint64_t i = 0; good && i < used; i++) {
        const uint64_t number = used == all ? i : i * (all - 1) / (used - 1);
        const ssize_t got = read_block(file, block, BLOCK, (off_t)(number * BLOCK));
        good = got >= 0;
        if (good) ecc_hash_add(hash, block, (size_t)got);
    }
    free(block);
    return good;
}

bool ecc_fingerprint_add_file(struct ecc_hash *hash, const char *path)
{
    struct stat information;
    if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const uint64_t size = (uint64_t)information.st_size;
    ecc_hash_add(hash, &size, sizeof size);
    const bool good = add_blocks(hash, file, size);
    close(file);
    return good;
}

uint64_t ecc_fingerprint_file(const struct ecc_dataset *data,
                              const struct ecc_data_request *request)
{
    struct ecc_hash hash;
    (void)data;
    ecc_hash_start(&hash);
    return ecc_fingerprint_add_file(&hash, request->path) ? ecc_hash_end(&hash) : 0;
}

/* ---- Lists of images ------------------------------------------------------------------------ */

/* Of one file: its name below the folder, and its size. */
static uint64_t name_and_size(const char *path, const char *folder)
{
    struct stat information;
    const size_t length = strlen(folder);
    const char *const name = strncmp(path, folder, length) == 0 ? path + length : path;
    const uint64_t size = stat(path, &information) == 0 ? (uint64_t)information.st_size : 0;
    struct ecc_hash hash;
    ecc_hash_start(&hash);
    ecc_hash_add(&hash, name, strlen(name));
    ecc_hash_add(&hash, &size, sizeof size);
    return ecc_hash_end(&hash);
}

uint64_t ecc_fingerprint_images(const struct ecc_dataset *data,
                                const struct ecc_data_request *request)
{
    const struct ecc_image_list *const list = ecc_images_list(data);
    uint64_t *const files = malloc((list->count + 1) * sizeof *files);
    if (!files) return 0;
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < list->count; i++) {
        files[i] = name_and_size(list->paths[i], request->path);
    }
    const uint64_t value = ecc_hash_of(files, list->count * sizeof *files);
    free(files);
    return value;
}

/* ---- Rows found again ----------------------------------------------------------------------- */

struct ecc_row_choice ecc_dataset_choice(const struct ecc_dataset *data)
{
    struct ecc_row_choice choice = {.split = data->split, .count = data->count};
    for (size_t row = 0; data->test && row < data->source_rows; row++) {
        choice.train_rows += !data->test[row];
    }
    return choice;
}

/* A row of the source, and which of its part it is. */
struct place {
    size_t row, rank;
    bool test;
};

static size_t find_in(const struct ecc_row_choice *choice, struct place at)
{
    const bool there =
        choice->split == ECC_SPLIT_ALL || at.test == (choice->split == ECC_SPLIT_TEST);
    const size_t place = choice->split == ECC_SPLIT_ALL ? at.row : at.rank;
    return there && place < choice->count ? place : SIZE_MAX;
}

void ecc_dataset_places(const struct ecc_dataset *data, size_t *places,
                        const struct ecc_row_choice *choice)
{
    size_t row = 0, ranks[2] = {0, 0};
    const bool test = data->split == ECC_SPLIT_TEST;
    for (size_t i = 0; i < data->count; i++) {
        if (!data->test) { /* one part alone: training rows come first in such sources */
            const size_t rank = data->rows[i];
            places[i] = find_in(
                choice, (struct place){test ? choice->train_rows + rank : rank, rank, test});
            continue;
        }
        for (; row < data->rows[i]; row++) ranks[data->test[row]]++;
        places[i] = find_in(choice, (struct place){row, ranks[data->test[row]], data->test[row]});
    }
}
