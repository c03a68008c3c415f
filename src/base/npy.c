/* npy.c: whole NumPy arrays, from files or from memory, as native row-major data. */
#include "base/npy.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void ecc_array_release(struct ecc_array *array)
{
    free(array->data);
    *array = (struct ecc_array){0};
}

/* ---- Sizes against what is really there ------------------------------------------------------ */

static enum ecc_status check_size(const struct ecc_npy_header *header, size_t size,
                                  const char *name, struct ecc_error *error)
{
    const size_t there = size > header->offset ? size - header->offset : 0;
    if (there >= header->bytes) return ECC_OK;
    char file[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s is too short: shape %s of %s needs %zu bytes after the header, "
                    "but only %zu are there",
                    ecc_quote_path(file, name), ecc_shape_text(shape, header->shape, header->rank),
                    ecc_dtype_name(header->dtype), header->bytes, there);
}

static enum ecc_status read_header(FILE *stream, struct ecc_npy_header *header, const char *path,
                                   struct ecc_error *error)
{
    unsigned char prelude[ECC_NPY_PRELUDE];
    size_t length, used = fread(prelude, 1, sizeof prelude, stream);
    if (ferror(stream)) return ecc_fail_errno(error, "read", path);
    ECC_TRY(ecc_npy_header_length(&length, prelude, used, path, error));
    unsigned char *bytes = malloc(length > used ? length : used);
    if (!bytes) return ecc_fail_memory(error, "a header");
    memcpy(bytes, prelude, used);
    if (length > used) used += fread(bytes + used, 1, length - used, stream);
    const enum ecc_status status = ferror(stream) ? ecc_fail_errno(error, "read", path)
                                                  : ecc_npy_parse(header, bytes, used, path, error);
    free(bytes);
    return status;
}

enum ecc_status ecc_npy_open(FILE **stream, struct ecc_npy_header *header, const char *path,
                             struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    struct stat information;
    ECC_TRY(ecc_input_open(stream, path, error));
    enum ecc_status status;
    if (fstat(fileno(*stream), &information) != 0) {
        status = ecc_fail_errno(error, "read", path);
    } else if (S_ISDIR(information.st_mode)) {
        status = ecc_fail(error, ECC_IO, "%s is a directory, expected a NumPy array (.npy)",
                          ecc_quote_path(file, path));
    } else {
        status = read_header(*stream, header, path, error);
        if (status == ECC_OK && S_ISREG(information.st_mode)) {
            status = check_size(header, (size_t)information.st_size, path, error);
        }
    }
    if (status != ECC_OK) {
        fclose(*stream);
        *stream = NULL;
    }
    return status;
}

/* ---- To native, row-major data --------------------------------------------------------------- */

/* out[i] = in[i * stride] for n items. */
static void gather(unsigned char *out, const unsigned char *in, size_t n, size_t stride,
                   size_t size)
{
#define GATHER(bytes)                                                                              \
    for (size_t i = 0; i < n; i++) {                                                               \
        memcpy(out + i * (bytes), in + i * stride * (bytes), bytes);                               \
    }
    switch (size) {
    case 1: GATHER(1) break;
    case 2: GATHER(2) break;
    case 4: GATHER(4) break;
    default: GATHER(8) break;
    }
#undef GATHER
}

/* Column-major `in` to row-major `out`; rank >= 2, no dimension 0. */
static void to_row_major(unsigned char *out, const unsigned char *in,
                         const struct ecc_npy_header *header)
{
    const size_t size = ecc_dtype_size(header->dtype), last = header->rank - 1;
    const size_t length = header->shape[last];
    size_t index[ECC_NPY_MAX_RANK] = {0};
    for (size_t done = 0; done < header->count; done += length) {
        size_t start = 0, stride = 1;
        for (size_t k = 0; k < last; k++) {
            start += index[k] * stride;
            stride *= header->shape[k];
        }
        gather(out + done * size, in + start * size, length, stride, size);
        for (size_t k = last; k-- > 0 && ++index[k] == header->shape[k];) {
            index[k] = 0;
        }
    }
}

/* Makes the array from `data`, as it was in the file, and takes ownership of it. */
static enum ecc_status finish(struct ecc_array *array, void *data,
                              const struct ecc_npy_header *header, struct ecc_error *error)
{
    if (header->swapped) ecc_swap_bytes(data, ecc_dtype_size(header->dtype), header->count);
    if (header->fortran && header->count > 0) {
        void *rows = malloc(header->bytes + 1);
        if (rows) to_row_major(rows, data, header);
        free(data);
        if (!rows) return ecc_fail_memory(error, "an array in Fortran order");
        data = rows;
    }
    *array = (struct ecc_array){.dtype = header->dtype, .rank = header->rank};
    memcpy(array->shape, header->shape, sizeof array->shape);
    array->count = header->count;
    array->data = data;
    return ECC_OK;
}

/* bytes: the whole file. */
static enum ecc_status copy_data(struct ecc_array *array, const struct ecc_npy_header *header,
                                 const unsigned char *bytes, size_t size, const char *name,
                                 struct ecc_error *error)
{
    ECC_TRY(check_size(header, size, name, error));
    void *data = malloc(header->bytes ? header->bytes : 1);
    if (!data) return ecc_fail_memory(error, "an array");
    memcpy(data, bytes + header->offset, header->bytes);
    return finish(array, data, header, error);
}

enum ecc_status ecc_npy_decode(struct ecc_array *array, const unsigned char *bytes, size_t size,
                               const char *name, struct ecc_error *error)
{
    struct ecc_npy_header header;
    *array = (struct ecc_array){0};
    ECC_TRY(ecc_npy_parse(&header, bytes, size, name, error));
    return copy_data(array, &header, bytes, size, name, error);
}

enum ecc_status ecc_npy_decode_any(struct ecc_npy_any *any, const unsigned char *bytes, size_t size,
                                   const char *name, struct ecc_error *error)
{
    struct ecc_npy_header header;
    *any = (struct ecc_npy_any){0};
    ECC_TRY(ecc_npy_parse_any(&header, bytes, size, name, error));
    ECC_TRY(copy_data(&any->array, &header, bytes, size, name, error));
    if (header.text == 0) return ECC_OK;
    const enum ecc_status status = ecc_npy_make_texts(any, error);
    if (status != ECC_OK) ecc_npy_any_release(any);
    return status;
}

/* Reads what the header announces.  A pipe may announce anything, so memory grows with what
 * arrives. */
static enum ecc_status read_bytes(unsigned char **data, FILE *stream,
                                  const struct ecc_npy_header *header, bool sure, const char *path,
                                  struct ecc_error *error)
{
    const size_t first = 1 << 20;
    size_t capacity = sure || header->bytes < first ? header->bytes : first, used = 0;
    unsigned char *buffer = malloc(capacity ? capacity : 1);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used, stream);
        if (used < capacity || used == header->bytes) break;
        capacity = header->bytes / 2 > capacity ? 2 * capacity : header->bytes;
        unsigned char *larger = realloc(buffer, capacity);
        if (!larger) free(buffer);
        buffer = larger;
    }
    if (!buffer) {
        return ecc_fail(error, ECC_NO_MEMORY, "out of memory for an array of %.1f MB",
                        (double)header->bytes / 1e6);
    }
    const enum ecc_status status = ferror(stream)
                                       ? ecc_fail_errno(error, "read", path)
                                       : check_size(header, header->offset + used, path, error);
    if (status == ECC_OK) {
        *data = buffer;
    } else {
        free(buffer);
    }
    return status;
}

enum ecc_status ecc_npy_read_data(struct ecc_array *array, FILE *stream,
                                  const struct ecc_npy_header *header, const char *path,
                                  struct ecc_error *error)
{
    struct stat information;
    unsigned char *data = NULL;
    const bool sure = fstat(fileno(stream), &information) == 0 && S_ISREG(information.st_mode);
    *array = (struct ecc_array){0};
    ECC_TRY(read_bytes(&data, stream, header, sure, path, error));
    return finish(array, data, header, error);
}

enum ecc_status ecc_npy_read(struct ecc_array *array, const char *path, struct ecc_error *error)
{
    struct ecc_npy_header header;
    FILE *stream;
    *array = (struct ecc_array){0};
    ECC_TRY(ecc_npy_open(&stream, &header, path, error));
    const enum ecc_status status = ecc_npy_read_data(array, stream, &header, path, error);
    fclose(stream);
    return status;
}

enum ecc_status ecc_npy_read_f32(float **z, size_t *n, size_t *d, const char *path,
                                 struct ecc_error *error)
{
    char file[ECC_PATH_SIZE], shape[ECC_SHAPE_TEXT];
    struct ecc_npy_reader reader;
    ECC_TRY(ecc_npy_reader_open(&reader, path, error));
    enum ecc_status status = ECC_OK;
    const struct ecc_npy_header *header = &reader.header;
    float *rows = NULL;
    size_t bytes, got;
    if (header->rank != 2) {
        status = ecc_fail(error, ECC_BAD_DATA, "%s has shape %s, expected two dimensions [n, d]",
                          ecc_quote_path(file, path),
                          ecc_shape_text(shape, header->shape, header->rank));
    } else if (__builtin_mul_overflow(header->count, sizeof *rows, &bytes) ||
               !(rows = malloc(bytes ? bytes : 1))) {
        status = ecc_fail(error, ECC_NO_MEMORY, "out of memory: %s as float32 needs %.1f MB",
                          ecc_quote_path(file, path), (double)header->count * 4e-6);
    } else {
        status = ecc_npy_reader_read(&reader, rows, &got, reader.rows, error);
    }
    if (status == ECC_OK) {
        *n = reader.header.shape[0];
        *d = reader.header.shape[1];
        *z = rows;
    } else {
        free(rows);
    }
    ecc_npy_reader_close(&reader);
    return status;
}
