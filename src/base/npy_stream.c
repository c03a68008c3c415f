/* npy_stream.c: rows of .npy files, read and written a few at a time. */
#include "base/npy.h"
#include "base/text.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 16 };

/* ---- Reading -------------------------------------------------------------------------------- */

static enum ecc_status open_source(struct ecc_npy_reader *reader, const char *path,
                                   struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    ECC_TRY(ecc_npy_open(&reader->stream, &reader->header, path, error));
    if (reader->header.rank == 0) {
        return ecc_fail(error, ECC_BAD_DATA, "%s holds a single number, expected rows",
                        ecc_quote_path(file, path));
    }
    reader->path = strdup(path);
    if (!reader->path) return ecc_fail_memory(error, "a path");
    if (reader->header.fortran) {
        return ecc_npy_read_data(&reader->whole, reader->stream, &reader->header, path, error);
    }
    reader->buffer = malloc(BUFFER_BYTES);
    return reader->buffer ? ECC_OK : ecc_fail_memory(error, "a buffer");
}

enum ecc_status ecc_npy_reader_open(struct ecc_npy_reader *reader, const char *path,
                                    struct ecc_error *error)
{
    *reader = (struct ecc_npy_reader){0};
    const enum ecc_status status = open_source(reader, path, error);
    if (status != ECC_OK) {
        ecc_npy_reader_close(reader);
        return status;
    }
    reader->rows = reader->header.shape[0];
    reader->row_items = 1;
    for (size_t i = 1; i < reader->header.rank; i++) {
        reader->row_items *= reader->header.shape[i]; /* cannot overflow: see the header's parser */
    }
    return ECC_OK;
}

static enum ecc_status short_read(struct ecc_npy_reader *reader, size_t items,
                                  struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    if (ferror(reader->stream)) return ecc_fail_errno(error, "read", reader->path);
    return ecc_fail(error, ECC_BAD_DATA, "%s ends in row %zu, expected %zu rows",
                    ecc_quote_path(file, reader->path), reader->row + items / reader->row_items,
                    reader->rows);
}

/* item: of those that are being read.  value: float64, not aligned. */
static enum ecc_status too_large(const struct ecc_npy_reader *reader, size_t item,
                                 const unsigned char *at, struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    double value;
    memcpy(&value, at, sizeof value);
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s: row %zu, column %zu is %g, too large for float32: expected at most %.2g",
                    ecc_quote_path(file, reader->path), reader->row + item / reader->row_items,
                    item % reader->row_items, value, (double)FLT_MAX);
}

/* The next `count` items as float. */
static enum ecc_status read_items(struct ecc_npy_reader *reader, float *out, size_t count,
                                  struct ecc_error *error)
{
    const enum ecc_dtype dtype = reader->header.dtype;
    const size_t size = ecc_dtype_size(dtype), most = BUFFER_BYTES / size;
    if (dtype == ECC_F4 && !reader->header.swapped) {
        const size_t got = fread(out, size, count, reader->stream);
        return got == count ? ECC_OK : short_read(reader, got, error);
    }
    for (size_t done = 0; done < count;) {
        const size_t want = count - done < most ? count - done : most;
        const size_t got = fread(reader->buffer, size, want, reader->stream);
        if (got < want) return short_read(reader, done + got, error);
        if (reader->header.swapped) ecc_swap_bytes(reader->buffer, size, want);
        const size_t good = ecc_to_f32_until(out + done, reader->buffer, dtype, want);
        if (good < want) {
            return too_large(reader, done + good, reader->buffer + good * size, error);
        }
        done += want;
    }
    return ECC_OK;
}

enum ecc_status ecc_npy_reader_read(struct ecc_npy_reader *reader, float *out, size_t *got,
                                    size_t rows, struct ecc_error *error)
{
    const size_t left = reader->rows - reader->row, take = rows < left ? rows : left;
    const size_t count = take * reader->row_items;
    *got = 0;
    if (reader->whole.data) {
        const enum ecc_dtype dtype = reader->whole.dtype;
        const size_t size = ecc_dtype_size(dtype), start = reader->row * reader->row_items * size;
        const unsigned char *const in = (unsigned char *)reader->whole.data + start;
        const size_t good = ecc_to_f32_until(out, in, dtype, count);
        if (good < count) return too_large(reader, good, in + good * size, error);
    } else if (count > 0) {
        ECC_TRY(read_items(reader, out, count, error));
    }
    reader->row += take;
    *got = take;
    return ECC_OK;
}

enum ecc_status ecc_npy_reader_seek(struct ecc_npy_reader *reader, size_t row,
                                    struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    if (row > reader->rows) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "cannot go to row %zu of %s, which has %zu rows",
                        row, reader->path ? ecc_quote_path(file, reader->path) : "an array",
                        reader->rows);
    }
    const size_t start = row * reader->row_items * ecc_dtype_size(reader->header.dtype);
    if (!reader->whole.data && row != reader->row &&
        fseeko(reader->stream, (off_t)(reader->header.offset + start), SEEK_SET) != 0) {
        return ecc_fail_errno(error, "go to a row of", reader->path);
    }
    reader->row = row;
    return ECC_OK;
}

void ecc_npy_reader_close(struct ecc_npy_reader *reader)
{
    if (reader->stream) fclose(reader->stream);
    free(reader->path);
    free(reader->buffer);
    ecc_array_release(&reader->whole);
    *reader = (struct ecc_npy_reader){0};
}

/* ---- Writing -------------------------------------------------------------------------------- */

static enum ecc_status write_bytes(struct ecc_npy_writer *writer, const void *bytes, size_t size,
                                   struct ecc_error *error)
{
    if (size == 0 || fwrite(bytes, 1, size, writer->output.stream) == size) return ECC_OK;
    return ecc_fail_errno(error, "write", writer->output.path);
}

static enum ecc_status write_header(struct ecc_npy_writer *writer, size_t rows,
                                    struct ecc_error *error)
{
    unsigned char header[ECC_NPY_HEADER_SIZE];
    size_t shape[ECC_NPY_MAX_RANK];
    memcpy(shape, writer->shape, sizeof shape);
    shape[0] = rows;
    writer->announced = rows;
    return write_bytes(writer, header, ecc_npy_format(header, writer->dtype, writer->rank, shape),
                       error);
}

enum ecc_status ecc_npy_writer_open_rows(struct ecc_npy_writer *writer, const char *path,
                                         enum ecc_dtype dtype, size_t rows, const size_t *row_shape,
                                         size_t row_rank, struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    *writer = (struct ecc_npy_writer){.dtype = dtype, .rank = row_rank + 1};
    writer->row_bytes = ecc_dtype_size(dtype);
    bool fits = row_rank < ECC_NPY_MAX_RANK;
    for (size_t i = 0; fits && i < row_rank; i++) {
        writer->shape[i + 1] = row_shape[i];
        fits = !__builtin_mul_overflow(writer->row_bytes, row_shape[i], &writer->row_bytes);
    }
    if (!fits) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "rows of %zu dimensions are too large for %s",
                        row_rank, ecc_quote_path(file, path));
    }
    ECC_TRY(ecc_output_open(&writer->output, path, error));
    const enum ecc_status status = write_header(writer, rows, error);
    if (status != ECC_OK) ecc_npy_writer_discard(writer);
    return status;
}

enum ecc_status ecc_npy_writer_open(struct ecc_npy_writer *writer, const char *path,
                                    enum ecc_dtype dtype, const size_t *row_shape, size_t row_rank,
                                    struct ecc_error *error)
{
    return ecc_npy_writer_open_rows(writer, path, dtype, 0, row_shape, row_rank, error);
}

enum ecc_status ecc_npy_writer_append(struct ecc_npy_writer *writer, const void *rows, size_t count,
                                      struct ecc_error *error)
{
    char file[ECC_PATH_SIZE];
    size_t bytes;
    if (__builtin_mul_overflow(writer->row_bytes, count, &bytes) ||
        __builtin_add_overflow(writer->shape[0], count, &writer->shape[0])) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%zu rows are too many for %s", count,
                        ecc_quote_path(file, writer->output.path));
    }
    return write_bytes(writer, rows, bytes, error);
}

enum ecc_status ecc_npy_writer_commit(struct ecc_npy_writer *writer, struct ecc_error *error)
{
    enum ecc_status status = ECC_OK;
    if (writer->announced != writer->shape[0]) {
        status = fseeko(writer->output.stream, 0, SEEK_SET) == 0
                     ? write_header(writer, writer->shape[0], error)
                     : ecc_fail_errno(error, "write the number of rows to", writer->output.path);
    }
    if (status == ECC_OK) status = ecc_output_commit(&writer->output, error);
    ecc_npy_writer_discard(writer);
    return status;
}

void ecc_npy_writer_discard(struct ecc_npy_writer *writer)
{
    ecc_output_discard(&writer->output);
}

/* ---- Whole arrays --------------------------------------------------------------------------- */

static enum ecc_status write_rows(const char *path, enum ecc_dtype dtype, const void *data,
                                  size_t rows, const size_t *row_shape, size_t row_rank,
                                  struct ecc_error *error)
{
    struct ecc_npy_writer writer;
    ECC_TRY(ecc_npy_writer_open_rows(&writer, path, dtype, rows, row_shape, row_rank, error));
    enum ecc_status status = ecc_npy_writer_append(&writer, data, rows, error);
    if (status == ECC_OK) status = ecc_npy_writer_commit(&writer, error);
    ecc_npy_writer_discard(&writer);
    return status;
}

/* A single number: no rows to count. */
static enum ecc_status write_scalar(const char *path, const struct ecc_array *array,
                                    struct ecc_error *error)
{
    unsigned char header[ECC_NPY_HEADER_SIZE];
    struct ecc_npy_writer writer = {.dtype = array->dtype};
    ECC_TRY(ecc_output_open(&writer.output, path, error));
    const size_t length = ecc_npy_format(header, array->dtype, 0, NULL);
    enum ecc_status status = write_bytes(&writer, header, length, error);
    if (status == ECC_OK) {
        status = write_bytes(&writer, array->data, ecc_dtype_size(array->dtype), error);
    }
    if (status == ECC_OK) status = ecc_output_commit(&writer.output, error);
    ecc_npy_writer_discard(&writer);
    return status;
}

enum ecc_status ecc_npy_write(const char *path, const struct ecc_array *array,
                              struct ecc_error *error)
{
    if (array->rank == 0) return write_scalar(path, array, error);
    return write_rows(path, array->dtype, array->data, array->shape[0], array->shape + 1,
                      array->rank - 1, error);
}

enum ecc_status ecc_npy_write_f32(const char *path, const float *z, size_t n, size_t d,
                                  struct ecc_error *error)
{
    return write_rows(path, ECC_F4, z, n, &d, 1, error);
}

enum ecc_status ecc_npy_write_f64(const char *path, const double *z, size_t n, size_t d,
                                  struct ecc_error *error)
{
    return write_rows(path, ECC_F8, z, n, &d, 1, error);
}
