/*
 * idx.c: a directory of idx files under MNIST's names, raw or gzipped:
 *     train-images-idx3-ubyte  train-labels-idx1-ubyte
 *     t10k-images-idx3-ubyte   t10k-labels-idx1-ubyte
 *
 * Also accepted: "." for "-" before idx, "test" for "t10k", and a prefix ("emnist-letters-").
 */
#include "data/idx.h"

#include "base/file.h"
#include "base/text.h"
#include "data/directory.h"
#include "data/fingerprint.h"
#include "data/inflate.h"
#include "data/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- The format ----------------------------------------------------------------------------- */

static size_t big_endian(const unsigned char *b)
{
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

static enum ecc_status parse_magic(struct ecc_idx *idx, const unsigned char *bytes, size_t size,
                                   const char *shown, struct ecc_error *error)
{
    if (size < 4) {
        return ecc_fail(error, ECC_BAD_DATA, "%s has %zu bytes, too few for an idx header", shown,
                        size);
    }
    if (bytes[0] != 0 || bytes[1] != 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is not an idx file: it starts with bytes %02x %02x, expected 00 00",
                        shown, bytes[0], bytes[1]);
    }
    if (bytes[2] != 8) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s: byte 2, the type of the items, is %02x, expected 08 (unsigned bytes)",
                        shown, bytes[2]);
    }
    idx->rank = bytes[3];
    if (idx->rank < 1 || idx->rank > ECC_IDX_MAX_RANK) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s: byte 3, the number of dimensions, is %zu, expected 1 to 4", shown,
                        idx->rank);
    }
    return ECC_OK;
}

size_t ecc_idx_announced(const unsigned char *head, size_t size)
{
    size_t total = 1;
    if (size < 4 || head[3] < 1 || head[3] > ECC_IDX_MAX_RANK || size < 4 + 4 * (size_t)head[3]) {
        return 0;
    }
    for (size_t i = 0; i < head[3]; i++) {
        if (__builtin_mul_overflow(total, big_endian(head + 4 + 4 * i), &total)) return 0;
    }
    return __builtin_add_overflow(total, 4 + 4 * (size_t)head[3], &total) ? 0 : total;
}

enum ecc_status ecc_idx_parse(struct ecc_idx *idx, const unsigned char *bytes, size_t size,
                              const char *name, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, name);
    *idx = (struct ecc_idx){.item_size = 1};
    ECC_TRY(parse_magic(idx, bytes, size, shown, error));
    const size_t header = 4 + 4 * idx->rank;
    if (size < header) {
        return ecc_fail(error, ECC_BAD_DATA, "%s is truncated in its header: %zu bytes of %zu",
                        shown, size, header);
    }
    size_t total = 1;
    bool overflow = false;
    for (size_t i = 0; i < idx->rank; i++) {
        idx->shape[i] = big_endian(bytes + 4 + 4 * i);
        overflow = overflow || __builtin_mul_overflow(total, idx->shape[i], &total);
        if (i > 0) idx->item_size *= overflow ? 0 : idx->shape[i];
    }
    if (overflow || total != size - header) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s is %s: after its header there are %zu bytes, but the %zu items it "
                        "announces need %s%zu",
                        shown, overflow || total > size - header ? "truncated" : "too long",
                        size - header, idx->shape[0], overflow ? "more than " : "",
                        overflow ? SIZE_MAX : total);
    }
    idx->data = bytes + header;
    return ECC_OK;
}

/* ---- Finding the files ---------------------------------------------------------------------- */

/* Whether a file is the one for e.g. ("train", "images-idx3-ubyte"). */
static bool name_matches(const char *name, const char *part, const char *ending)
{
    char plain[300];
    snprintf(plain, sizeof plain, "%s", name);
    size_t length = strlen(plain);
    if (ecc_ends_in(plain, ".gz")) plain[length -= 3] = '\0';
    for (char *dot = plain; (dot = strstr(dot, ".idx"));) {
        *dot = '-';
    }
    const size_t tail = strlen(part) + 1 + strlen(ending);
    if (length < tail) return false;
    const char *const start = plain + length - tail;
    if (start > plain && start[-1] != '-') return false;
    return strncmp(start, part, strlen(part)) == 0 && start[strlen(part)] == '-' &&
           strcmp(start + strlen(part) + 1, ending) == 0;
}

/* The name of the one file that matches, or NULL; of a raw and a gzipped file, the raw one, which
 * sorts first.  Two different ones are ambiguous. */
static enum ecc_status find_file(const char **found, const struct ecc_directory *directory,
                                 const char *path, const char *part, const char *ending,
                                 struct ecc_error *error)
{
    *found = NULL;
    for (size_t i = 0; i < directory->count; i++) {
        const char *const name = directory->entries[i].name;
        if (directory->entries[i].is_directory || !name_matches(name, part, ending)) continue;
        if (!*found) {
            *found = name;
        } else if (strncmp(name, *found, strlen(*found)) != 0) {
            char shown[ECC_PATH_SIZE], a[ECC_QUOTE_SIZE], b[ECC_QUOTE_SIZE];
            return ecc_fail(error, ECC_BAD_DATA,
                            "%s holds both %s and %s: keep each set in its own directory",
                            ecc_quote_path(shown, path), ecc_quote(a, *found, strlen(*found)),
                            ecc_quote(b, name, strlen(name)));
        }
    }
    return ECC_OK;
}

static bool idx_accepts(const char *path, bool is_directory)
{
    struct ecc_directory directory;
    if (!is_directory || ecc_directory_list(&directory, path, NULL) != ECC_OK) return false;
    bool found = false;
    for (size_t i = 0; i < directory.count; i++) {
        const char *const name = directory.entries[i].name;
        found = found || strstr(name, "-idx1-ubyte") || strstr(name, "-idx3-ubyte") ||
                strstr(name, ".idx1-ubyte") || strstr(name, ".idx3-ubyte");
    }
    ecc_directory_release(&directory);
    return found;
}

/* ---- Reading one part ----------------------------------------------------------------------- */

struct part {
    struct ecc_idx images, labels;
    unsigned char *image_bytes, *label_bytes; /* NULL labels: there are none */
    char *image_path, *label_path;
};

static void part_release(struct part *part)
{
    free(part->image_bytes);
    free(part->label_bytes);
    free(part->image_path);
    free(part->label_path);
    *part = (struct part){0};
}

static enum ecc_status load(struct ecc_idx *idx, unsigned char **bytes, char **path,
                            const char *directory, const char *name, struct ecc_error *error)
{
    size_t size;
    *path = ecc_path_join(directory, name);
    if (!*path) return ecc_fail_memory(error, "a path");
    ECC_TRY(ecc_inflate_announced(bytes, &size, *path, ecc_idx_announced, error));
    return ecc_idx_parse(idx, *bytes, size, *path, error);
}

static enum ecc_status check_part(const struct part *part, struct ecc_error *error)
{
    const struct ecc_idx *const images = &part->images, *const labels = &part->labels;
    char a[ECC_PATH_SIZE], b[ECC_PATH_SIZE];
    if (images->rank != 3 || images->item_size == 0 || images->shape[0] == 0) {
        return ecc_fail(
            error, ECC_BAD_DATA,
            "%s does not hold images: it has %zu dimensions, expected 3, each at least 1",
            ecc_quote_path(a, part->image_path), images->rank);
    }
    if (!part->label_bytes) return ECC_OK;
    if (labels->rank != 1) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s does not hold labels: it has %zu dimensions, expected 1",
                        ecc_quote_path(a, part->label_path), labels->rank);
    }
    if (labels->shape[0] == images->shape[0]) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA, "%s has %zu labels, but there are %zu images in %s",
                    ecc_quote_path(a, part->label_path), labels->shape[0], images->shape[0],
                    ecc_quote_path(b, part->image_path));
}

static const char *const train_names[] = {"train", NULL};
static const char *const test_names[] = {"t10k", "test", NULL};

/* `names`: the part's names, ending in NULL.  What is missing stays NULL. */
static enum ecc_status find_part(const char **images, const char **labels,
                                 const struct ecc_directory *directory, const char *path,
                                 const char *const *names, struct ecc_error *error)
{
    *images = *labels = NULL;
    for (; *names && !*images; names++) {
        ECC_TRY(find_file(images, directory, path, *names, "images-idx3-ubyte", error));
        ECC_TRY(find_file(labels, directory, path, *names, "labels-idx1-ubyte", error));
    }
    return ECC_OK;
}

/* A missing part has no image_bytes. */
static enum ecc_status load_part(struct part *part, const struct ecc_directory *directory,
                                 const char *path, const char *const *names,
                                 struct ecc_error *error)
{
    const char *images, *labels;
    ECC_TRY(find_part(&images, &labels, directory, path, names, error));
    if (!images) return ECC_OK;
    ECC_TRY(load(&part->images, &part->image_bytes, &part->image_path, path, images, error));
    if (labels) {
        ECC_TRY(load(&part->labels, &part->label_bytes, &part->label_path, path, labels, error));
    }
    return check_part(part, error);
}

/* ---- The data set --------------------------------------------------------------------------- */

static enum ecc_status fill_labels(struct ecc_dataset *data, const struct part *parts,
                                   size_t part_count, struct ecc_error *error)
{
    size_t labelled = 0, used = 0;
    for (size_t p = 0; p < part_count; p++) {
        labelled += parts[p].label_bytes != NULL;
    }
    if (labelled < part_count) {
        ecc_data_remark(data, "there are no labels for %s",
                        labelled ? "one of the two parts, so labels are not used" : "these images");
        return ECC_OK;
    }
    data->labels = malloc(data->count * sizeof *data->labels);
    if (!data->labels) return ecc_fail_memory(error, "the labels");
    for (size_t p = 0; p < part_count; p++) {
        for (size_t i = 0; i < parts[p].labels.shape[0]; i++) {
            const unsigned char label = parts[p].labels.data[i];
            data->labels[used++] = label;
            if (label >= data->class_count) data->class_count = (size_t)label + 1;
        }
    }
    return ECC_OK;
}

/* Takes the images of one part as they are, and joins those of two. */
static enum ecc_status fill_images(struct ecc_dataset *data, struct part *parts, size_t part_count,
                                   struct ecc_error *error)
{
    const size_t size = parts[0].images.item_size;
    struct ecc_memory memory = {.item_size = size};
    if (part_count == 1) {
        memory.block = parts[0].image_bytes;
        memory.bytes = parts[0].images.data;
        parts[0].image_bytes = NULL;
        return ecc_memory_keep(data, memory, error);
    }
    if (memcmp(parts[0].images.shape + 1, parts[1].images.shape + 1, 2 * sizeof(size_t)) != 0) {
        char a[ECC_PATH_SIZE], b[ECC_PATH_SIZE];
        return ecc_fail(error, ECC_BAD_DATA, "%s and %s have images of different sizes",
                        ecc_quote_path(a, parts[0].image_path),
                        ecc_quote_path(b, parts[1].image_path));
    }
    const size_t first = parts[0].images.shape[0] * size, second = parts[1].images.shape[0] * size;
    unsigned char *const joined = malloc(first + second);
    if (!joined) return ecc_fail_memory(error, "the images");
    memcpy(joined, parts[0].images.data, first);
    memcpy(joined + first, parts[1].images.data, second);
    memory.bytes = memory.block = joined;
    return ecc_memory_keep(data, memory, error);
}

static enum ecc_status load_parts(struct part *parts, const struct ecc_data_request *request,
                                  struct ecc_error *error)
{
    struct ecc_directory directory;
    ECC_TRY(ecc_directory_list(&directory, request->path, error));
    enum ecc_status status = ECC_OK;
    if (request->split != ECC_SPLIT_TEST) {
        status = load_part(&parts[0], &directory, request->path, train_names, error);
    }
    if (status == ECC_OK && request->split != ECC_SPLIT_TRAIN) {
        status = load_part(&parts[1], &directory, request->path, test_names, error);
    }
    ecc_directory_release(&directory);
    return status;
}

static enum ecc_status fill(struct ecc_dataset *data, struct part *parts, size_t part_count,
                            struct ecc_error *error)
{
    const size_t *const shape = parts[0].images.shape;
    data->shape = (struct ecc_item_shape){1, shape[1], shape[2]};
    for (size_t p = 0; p < part_count; p++) {
        data->count += parts[p].images.shape[0];
    }
    ECC_TRY(fill_labels(data, parts, part_count, error));
    return fill_images(data, parts, part_count, error);
}

static enum ecc_status idx_open(struct ecc_dataset *data, struct ecc_data_request *request,
                                struct ecc_error *error)
{
    struct part parts[2] = {{.image_path = NULL}, {.image_path = NULL}};
    request->narrowed = true;
    enum ecc_status status = load_parts(parts, request, error);
    const size_t first = parts[0].image_bytes ? 0 : 1;
    const size_t count = (parts[0].image_bytes != NULL) + (parts[1].image_bytes != NULL);
    char shown[ECC_PATH_SIZE];
    if (status == ECC_OK && count == 0) {
        status =
            ecc_fail(error, ECC_BAD_DATA, "%s has no %s images: expected %s-images-idx3-ubyte%s",
                     ecc_quote_path(shown, request->path),
                     request->split == ECC_SPLIT_TEST ? "test" : "training",
                     request->split == ECC_SPLIT_TEST ? "t10k" : "train", " or the same .gz");
    }
    if (status == ECC_OK && request->split == ECC_SPLIT_ALL) {
        const size_t train = parts[0].image_bytes ? parts[0].images.shape[0] : 0;
        const size_t test = parts[1].image_bytes ? parts[1].images.shape[0] : 0;
        status = ecc_data_mark_test(request, train, train + test, error);
    }
    if (status == ECC_OK) status = fill(data, parts + first, count, error);
    part_release(&parts[0]);
    part_release(&parts[1]);
    return status;
}

static bool add_part(struct ecc_hash *hash, const struct ecc_directory *directory, const char *path,
                     const char *const *names)
{
    const char *images, *labels;
    if (find_part(&images, &labels, directory, path, names, NULL) != ECC_OK) return false;
    if (!images) return true;
    char *const file = ecc_path_join(path, images);
    const bool good = file && ecc_fingerprint_add_file(hash, file);
    free(file);
    return good;
}

/* The images of both parts, as they are in their files: packed ones stay packed. */
static uint64_t idx_fingerprint(const struct ecc_dataset *data,
                                const struct ecc_data_request *request)
{
    struct ecc_directory directory;
    struct ecc_hash hash;
    (void)data;
    if (ecc_directory_list(&directory, request->path, NULL) != ECC_OK) return 0;
    ecc_hash_start(&hash);
    const bool good = add_part(&hash, &directory, request->path, train_names) &&
                      add_part(&hash, &directory, request->path, test_names);
    ecc_directory_release(&directory);
    return good ? ecc_hash_end(&hash) : 0;
}

const struct ecc_data_source ecc_source_idx = {
    .name = "idx",
    .summary = "a directory of idx files, raw or gzipped",
    .accepts = idx_accepts,
    .open = idx_open,
    .read = ecc_memory_read,
    .close = ecc_memory_close,
    .fingerprint = idx_fingerprint,
};
