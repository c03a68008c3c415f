/*
 * npy.h: NumPy's .npy files, versions 1.0 to 3.0.
 *
 * Read: float16/32/64, (u)int8/16/32/64 and bool, either byte order, C and Fortran order; what
 * comes out is in this machine's byte order and row-major (C order).  Text is read where labels and
 * names are wanted.  Bytes after the array are
 * ignored, as NumPy does.  Sizes are checked against the real file before anything is allocated.
 * Written: version 1.0, this machine's byte order, C order, data at a multiple of 64 bytes, under
 * its name only when complete.
 */
#ifndef ECC_BASE_NPY_H
#define ECC_BASE_NPY_H

#include "base/dtype.h"
#include "base/file.h"
#include "base/status.h"

enum {
    ECC_NPY_MAX_RANK = 32,
    ECC_NPY_MAX_HEADER = 1 << 20, /* longest header that is read */
    ECC_NPY_HEADER_SIZE = 1024,   /* longest header that is written */
};

/* ---- Headers -------------------------------------------------------------------------------- */

struct ecc_npy_header {
    enum ecc_dtype dtype;
    bool swapped; /* the other byte order */
    bool fortran; /* column-major; never set where it makes no difference (rank 0 and 1) */
    size_t text;  /* characters of an item of text, which are the last dimension; 0: numbers */
    size_t rank;
    size_t shape[ECC_NPY_MAX_RANK];
    size_t count;  /* items: product of shape, 1 for rank 0 */
    size_t bytes;  /* count times the size of an item */
    size_t offset; /* where the data starts */
};

/* How long the header is, from the first ECC_NPY_PRELUDE bytes of a file (fewer if it has fewer).
 */
enum { ECC_NPY_PRELUDE = 12 };
enum ecc_status ecc_npy_header_length(size_t *length, const unsigned char *bytes, size_t size,
                                      const char *name, struct ecc_error *error);

/* Parses the header at the start of `bytes`, which must hold all of it; the caller checks that the
 * data is there, too.  `name` is the file name for messages. */
enum ecc_status ecc_npy_parse(struct ecc_npy_header *header, const unsigned char *bytes,
                              size_t size, const char *name, struct ecc_error *error);
/* The same, and text is not refused: "U5" is read as u4 (code points), "S5" as u1, each with
 * another dimension of 5. */
enum ecc_status ecc_npy_parse_any(struct ecc_npy_header *header, const unsigned char *bytes,
                                  size_t size, const char *name, struct ecc_error *error);

/* The size of the file that begins like this, or 0 if it does not say. */
size_t ecc_npy_announced(const unsigned char *head, size_t size);

/* Opens a file, parses its header and leaves *stream at the data.  For a regular file, also checks
 * that all the data is there. */
enum ecc_status ecc_npy_open(FILE **stream, struct ecc_npy_header *header, const char *path,
                             struct ecc_error *error);

/* Writes a header for C-order data of this machine's byte order; returns its length. */
size_t ecc_npy_format(unsigned char out[ECC_NPY_HEADER_SIZE], enum ecc_dtype dtype, size_t rank,
                      const size_t *shape);
/* The same for a list of texts of that many characters each. */
size_t ecc_npy_format_texts(unsigned char out[ECC_NPY_HEADER_SIZE], size_t width, size_t count);

/* "(3, 4)", "(3,)", "()" for messages; long shapes end in "...".  Returns out. */
enum { ECC_SHAPE_TEXT = 120 };
const char *ecc_shape_text(char out[ECC_SHAPE_TEXT], const size_t *shape, size_t rank);

/* ---- Whole arrays --------------------------------------------------------------------------- */

struct ecc_array {
    enum ecc_dtype dtype;
    size_t rank;
    size_t shape[ECC_NPY_MAX_RANK];
    size_t count; /* items */
    void *data;   /* native byte order, C order; ecc_array_release frees it */
};

void ecc_array_release(struct ecc_array *array);

/* From a file (or pipe), from an open one, and from bytes, such as a member of an .npz. */
enum ecc_status ecc_npy_read(struct ecc_array *array, const char *path, struct ecc_error *error);
enum ecc_status ecc_npy_read_data(struct ecc_array *array, FILE *stream,
                                  const struct ecc_npy_header *header, const char *path,
                                  struct ecc_error *error);
enum ecc_status ecc_npy_decode(struct ecc_array *array, const unsigned char *bytes, size_t size,
                               const char *name, struct ecc_error *error);

/* Numbers, or text as a list of strings. */
struct ecc_npy_any {
    struct ecc_array array; /* of text only its shape */
    char **texts;           /* [array.count] in UTF-8, or NULL: numbers */
};

enum ecc_status ecc_npy_decode_any(struct ecc_npy_any *any, const unsigned char *bytes, size_t size,
                                   const char *name, struct ecc_error *error);
/* Its second half: characters, with the last dimension as their number, become texts. */
enum ecc_status ecc_npy_make_texts(struct ecc_npy_any *any, struct ecc_error *error);
void ecc_npy_any_release(struct ecc_npy_any *any);

/* UTF-8 texts: [count] as NumPy keeps them: *characters: [count, *width], filled up with zeros,
 * which the caller frees. */
enum ecc_status ecc_npy_from_texts(uint32_t **characters, size_t *width, const char *const *texts,
                                   size_t count, struct ecc_error *error);

/* A two-dimensional file of any numbers as float, z: [n, d]; the caller frees *z. */
enum ecc_status ecc_npy_read_f32(float **z, size_t *n, size_t *d, const char *path,
                                 struct ecc_error *error);

enum ecc_status ecc_npy_write(const char *path, const struct ecc_array *array,
                              struct ecc_error *error);
enum ecc_status ecc_npy_write_f32(const char *path, const float *z, size_t n, size_t d,
                                  struct ecc_error *error);
enum ecc_status ecc_npy_write_f64(const char *path, const double *z, size_t n, size_t d,
                                  struct ecc_error *error);

/* ---- Rows as a stream ----------------------------------------------------------------------- */

/*
 * Rows (along the first dimension) of any numbers as float, few at a time: memory does not grow
 * with the file.  Only a Fortran-order file, whose rows are scattered, is held whole.
 */
struct ecc_npy_reader {
    struct ecc_npy_header header;
    size_t rows, row_items; /* shape[0], and the product of the rest */
    size_t row;             /* the next one to read */
    FILE *stream;
    char *path;
    unsigned char *buffer; /* items as they are in the file */
    struct ecc_array whole;
};

/* Rank 0 is refused.  After a failure there is nothing to close, but closing is harmless. */
enum ecc_status ecc_npy_reader_open(struct ecc_npy_reader *reader, const char *path,
                                    struct ecc_error *error);
/* Reads up to `rows` rows into out: [rows, row_items]; *got < rows only at the end. */
enum ecc_status ecc_npy_reader_read(struct ecc_npy_reader *reader, float *out, size_t *got,
                                    size_t rows, struct ecc_error *error);
/* The next read starts at this row (<= rows).  Pipes cannot go back. */
enum ecc_status ecc_npy_reader_seek(struct ecc_npy_reader *reader, size_t row,
                                    struct ecc_error *error);
void ecc_npy_reader_close(struct ecc_npy_reader *reader);

/*
 * Rows appended one batch after another; commit puts their number into the header and the file
 * under its name.  After any failure call discard, which is harmless after a commit.
 */
struct ecc_npy_writer {
    struct ecc_output output;
    enum ecc_dtype dtype;
    size_t rank;                    /* 1 + rank of a row */
    size_t shape[ECC_NPY_MAX_RANK]; /* shape[0]: rows so far */
    size_t announced;               /* rows announced in the header */
    size_t row_bytes;
};

/* row_shape: [row_rank], row_rank 0 for one number a row. */
enum ecc_status ecc_npy_writer_open(struct ecc_npy_writer *writer, const char *path,
                                    enum ecc_dtype dtype, const size_t *row_shape, size_t row_rank,
                                    struct ecc_error *error);
/* The same for a number of rows that is known: then the file may be a pipe. */
enum ecc_status ecc_npy_writer_open_rows(struct ecc_npy_writer *writer, const char *path,
                                         enum ecc_dtype dtype, size_t rows, const size_t *row_shape,
                                         size_t row_rank, struct ecc_error *error);
/* rows: [count, row_shape] of the writer's dtype. */
enum ecc_status ecc_npy_writer_append(struct ecc_npy_writer *writer, const void *rows, size_t count,
                                      struct ecc_error *error);
enum ecc_status ecc_npy_writer_commit(struct ecc_npy_writer *writer, struct ecc_error *error);
void ecc_npy_writer_discard(struct ecc_npy_writer *writer);

#endif
