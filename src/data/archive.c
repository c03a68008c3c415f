/* archive.c: named arrays in a .npz file, written and read. */
#include "data/archive.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- Writing -------------------------------------------------------------------------------- */

enum { NAME_SIZE = 64, LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, MOST = 64 };

struct member {
    char name[NAME_SIZE];
    unsigned char header[ECC_NPY_HEADER_SIZE];
    size_t header_size, data_size, offset;
    uint32_t crc;
    const void *data;
    uint32_t *characters; /* the data of a list of texts */
};

static void put2(unsigned char *b, size_t value)
{
    b[0] = (unsigned char)value;
    b[1] = (unsigned char)(value >> 8);
}

static void put4(unsigned char *b, size_t value)
{
    put2(b, value & 0xffff);
    put2(b + 2, value >> 16 & 0xffff);
}

/* The fields that local header and directory entry share, from "version needed" on.  The time is
 * the earliest of the format, so that the same arrays give the same bytes. */
static void put_common(unsigned char *b, const struct member *m)
{
    const size_t size = m->header_size + m->data_size;
    put2(b, 20);
    put2(b + 8, 0x21); /* 1980-01-01 */
    put4(b + 10, m->crc);
    put4(b + 14, size);
    put4(b + 18, size);
    put2(b + 22, strlen(m->name));
}

static enum ecc_status prepare(struct member *m, const struct ecc_archive_item *item,
                               const char *path, struct ecc_error *error)
{
    size_t width = 1;
    if (item->texts) {
        ECC_TRY(ecc_npy_from_texts(&m->characters, &width, item->texts, item->shape[0], error));
    }
    m->data = item->texts ? m->characters : item->data;
    size_t bytes = item->texts ? width * sizeof *m->characters : ecc_dtype_size(item->dtype);
    for (size_t i = 0; i < item->rank; i++) {
        if (item->shape[i] > 0 && bytes > 0xf0000000 / item->shape[i]) {
            char shown[ECC_PATH_SIZE];
            return ecc_fail(error, ECC_BAD_ARGUMENT, "%s: array '%s' is too large for a .npz file",
                            ecc_quote_path(shown, path), item->name);
        }
        bytes *= item->shape[i];
    }
    snprintf(m->name, sizeof m->name, "%s.npy", item->name);
    m->header_size = item->texts ? ecc_npy_format_texts(m->header, width, item->shape[0])
                                 : ecc_npy_format(m->header, item->dtype, item->rank, item->shape);
    m->data_size = bytes;
    uLong crc = crc32_z(crc32(0, NULL, 0), m->header, m->header_size);
    if (bytes > 0) crc = crc32_z(crc, m->data, bytes);
    m->crc = (uint32_t)crc;
    return ECC_OK;
}

static size_t write_member(FILE *stream, struct member *m, size_t offset)
{
    unsigned char local[LOCAL_SIZE] = "PK\3\4";
    put_common(local + 4, m);
    m->offset = offset;
    fwrite(local, 1, sizeof local, stream);
    fwrite(m->name, 1, strlen(m->name), stream);
    fwrite(m->header, 1, m->header_size, stream);
    fwrite(m->data, 1, m->data_size, stream);
    return offset + sizeof local + strlen(m->name) + m->header_size + m->data_size;
}

static void write_directory(FILE *stream, const struct member *members, size_t count, size_t offset)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned char entry[ENTRY_SIZE] = "PK\1\2";
        put2(entry + 4, 20);
        put_common(entry + 6, &members[i]);
        put4(entry + 42, members[i].offset);
        fwrite(entry, 1, sizeof entry, stream);
        fwrite(members[i].name, 1, strlen(members[i].name), stream);
        size += sizeof entry + strlen(members[i].name);
    }
    unsigned char end[END_SIZE] = "PK\5\6";
    put2(end + 8, count);
    put2(end + 10, count);
    put4(end + 12, size);
    put4(end + 16, offset);
    fwrite(end, 1, sizeof end, stream);
}

static enum ecc_status write_all(struct ecc_output *output, struct member *members, size_t count,
                                 struct ecc_error *error)
{
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        offset = write_member(output->stream, &members[i], offset);
        if (offset > 0xf0000000) {
            char shown[ECC_PATH_SIZE];
            return ecc_fail(error, ECC_BAD_ARGUMENT, "the arrays are too large for %s",
                            ecc_quote_path(shown, output->path));
        }
    }
    write_directory(output->stream, members, count, offset);
    return ecc_output_commit(output, error);
}

enum ecc_status ecc_archive_write(const char *path, const struct ecc_archive_item *items,
                                  size_t count, struct ecc_error *error)
{
    struct ecc_output output = {0};
    struct member *const members = calloc(count + 1, sizeof *members);
    enum ecc_status status =
        members && count <= MOST ? ECC_OK : ecc_fail_memory(error, "a .npz file");
    for (size_t i = 0; i < count && status == ECC_OK; i++) {
        status = prepare(&members[i], &items[i], path, error);
    }
    if (status == ECC_OK) status = ecc_output_open(&output, path, error);
    if (status == ECC_OK) {
        status = write_all(&output, members, count, error);
        ecc_output_discard(&output);
    }
    for (size_t i = 0; members && i < count; i++) free(members[i].characters);
    free(members);
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

enum ecc_status ecc_archive_open(struct ecc_archive *archive, const char *path,
                                 struct ecc_error *error)
{
    size_t size;
    *archive = (struct ecc_archive){0};
    ECC_TRY(ecc_file_read(&archive->bytes, &size, path, error));
    archive->path = strdup(path);
    const enum ecc_status status =
        archive->path ? ecc_zip_open(&archive->zip, archive->bytes, size, archive->path, error)
                      : ecc_fail_memory(error, "a path");
    if (status != ECC_OK) ecc_archive_close(archive);
    return status;
}

void ecc_archive_close(struct ecc_archive *archive)
{
    ecc_zip_release(&archive->zip);
    free(archive->bytes);
    free(archive->path);
    *archive = (struct ecc_archive){0};
}

enum ecc_status ecc_archive_get(const struct ecc_archive *archive, struct ecc_array *array,
                                const char *name, struct ecc_error *error)
{
    char member_name[NAME_SIZE], shown[ECC_PATH_SIZE], label[ECC_PATH_SIZE + NAME_SIZE];
    snprintf(member_name, sizeof member_name, "%s.npy", name);
    const struct ecc_zip_member *const member = ecc_zip_find(&archive->zip, member_name);
    ecc_quote_path(shown, archive->path);
    if (!member) return ecc_fail(error, ECC_BAD_DATA, "%s has no array '%s'", shown, name);
    snprintf(label, sizeof label, "%s: %s", archive->path, member_name);
    unsigned char *bytes;
    ECC_TRY(ecc_zip_extract(&bytes, &archive->zip, member, ecc_npy_announced, error));
    const enum ecc_status status = ecc_npy_decode(array, bytes, member->size, label, error);
    free(bytes);
    return status;
}

enum ecc_status ecc_archive_get_f64(const struct ecc_archive *archive, double *values,
                                    const char *name, size_t count, struct ecc_error *error)
{
    struct ecc_array array;
    ECC_TRY(ecc_archive_get(archive, &array, name, error));
    enum ecc_status status = ECC_OK;
    if (array.count == count) {
        ecc_to_f64(values, array.data, array.dtype, count);
    } else {
        char shown[ECC_PATH_SIZE];
        status = ecc_fail(error, ECC_BAD_DATA, "%s: '%s' has %zu numbers, expected %zu",
                          ecc_quote_path(shown, archive->path), name, array.count, count);
    }
    ecc_array_release(&array);
    return status;
}
