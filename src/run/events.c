/*
 * events.c: scalars in TensorBoard's event files.
 *
 * A file is a sequence of records: length, its checksum, bytes, their checksum.  The bytes are a
 * protocol buffer `Event`; we need so little of it that we encode it by hand:
 *     Event   { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5;
 *               SessionLog session_log = 7; }
 *     Summary { repeated Value value = 1; }   Value { string tag = 1; float simple_value = 2; }
 *     SessionLog { enum status = 1; }         with START = 1
 */
#include "run/events.h"
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct ecc_events {
    FILE *stream;
    char *path;
};

/* ---- Protocol buffers ----------------------------------------------------------------------- */

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 }; /* how a field is encoded */

static void put_varint(FILE *stream, uint64_t value)
{
    for (; value > 127; value >>= 7) putc((int)(value & 127) | 128, stream);
    putc((int)value, stream);
}

static size_t varint_size(uint64_t value)
{
    size_t size = 1;
    while (value >>= 7) size++;
    return size;
}

static void put_key(FILE *stream, unsigned field, unsigned encoding)
{
    put_varint(stream, field << 3 | encoding);
}

/* The lower `size` bytes of a number, little-endian. */
static void put_fixed(FILE *stream, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++) putc((int)(bits >> 8 * i & 255), stream);
}

static void put_bytes(FILE *stream, unsigned field, const void *bytes, size_t size)
{
    put_key(stream, field, BYTES);
    put_varint(stream, size);
    fwrite(bytes, 1, size, stream);
}

static void put_float(FILE *stream, unsigned field, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_key(stream, field, FIXED32);
    put_fixed(stream, bits, sizeof bits);
}

static void put_double(FILE *stream, unsigned field, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_key(stream, field, FIXED64);
    put_fixed(stream, bits, sizeof bits);
}

/* ---- Records -------------------------------------------------------------------------------- */

/* CRC-32C (Castagnoli), bit by bit since records are short; then rotated and shifted, as
 * TensorBoard wants it. */
static uint32_t checksum(const char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    crc = ~crc;
    return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

static enum ecc_status write_record(struct ecc_events *events, const char *bytes, size_t size,
                                    struct ecc_error *error)
{
    char length[8];
    for (size_t i = 0; i < 8; i++) length[i] = (char)((uint64_t)size >> 8 * i & 255);
    fwrite(length, 1, sizeof length, events->stream);
    put_fixed(events->stream, checksum(length, sizeof length), 4);
    fwrite(bytes, 1, size, events->stream);
    put_fixed(events->stream, checksum(bytes, size), 4);
    if (fflush(events->stream) == 0 && !ferror(events->stream)) return ECC_OK;
    return ecc_fail_errno(error, "write", events->path);
}

/* Writes one event of this step, with these bytes as its field. */
static enum ecc_status write_event(struct ecc_events *events, uint64_t step, unsigned field,
                                   const void *bytes, size_t size, struct ecc_error *error)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    char *record = NULL;
    size_t length = 0;
    FILE *const event = open_memstream(&record, &length);
    if (!event) return ecc_fail_memory(error, "an event");
    put_double(event, 1, (double)now.tv_sec + 1e-6 * (double)now.tv_usec);
    put_key(event, 2, VARINT);
    put_varint(event, step);
    put_bytes(event, field, bytes, size);
    const bool whole = !ferror(event), closed = fclose(event) == 0;
    const enum ecc_status status = whole && closed ? write_record(events, record, length, error)
                                                   : ecc_fail_memory(error, "an event");
    free(record);
    return status;
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* TensorBoard reads the files of a directory in the order of their names, so a second file within
 * the same second takes the next one's name. */
static enum ecc_status open_file(struct ecc_events *events, const char *directory,
                                 struct ecc_error *error)
{
    char host[80] = "localhost", name[160];
    if (gethostname(host, sizeof host) != 0) strcpy(host, "localhost");
    host[sizeof host - 1] = '\0';
    for (char *c = host; *c; c++) *c = *c == '/' ? '_' : *c;
    for (long long now = (long long)time(NULL); !events->stream; now++) {
        snprintf(name, sizeof name, "events.out.tfevents.%010lld.%s", now, host);
        free(events->path);
        events->path = ecc_path_join(directory, name);
        if (!events->path) return ecc_fail_memory(error, "a path");
        events->stream = fopen(events->path, "wbx");
        if (!events->stream && errno != EEXIST) return ecc_fail_errno(error, "write", events->path);
    }
    return ECC_OK;
}

static enum ecc_status write_first_events(struct ecc_events *events, uint64_t resumed_step,
                                          struct ecc_error *error)
{
    static const char version[] = "brain.Event:2";
    static const char start[] = {1 << 3 | VARINT, 1};
    ECC_TRY(write_event(events, 0, 3, version, strlen(version), error));
    /* TensorBoard then drops what earlier files say about this step and later ones */
    return write_event(events, resumed_step ? resumed_step + 1 : 0, 7, start, sizeof start, error);
}

enum ecc_status ecc_events_create(struct ecc_events **result, const char *directory,
                                  uint64_t resumed_step, struct ecc_error *error)
{
    *result = NULL;
    struct ecc_events *const events = calloc(1, sizeof *events);
    if (!events) return ecc_fail_memory(error, "events");
    enum ecc_status status = open_file(events, directory, error);
    if (status == ECC_OK) status = write_first_events(events, resumed_step, error);
    if (status != ECC_OK) {
        ecc_events_close(events);
        return status;
    }
    *result = events;
    return ECC_OK;
}

/* A Value, preceded by its size. */
static void put_value(FILE *summary, const struct ecc_metric *metric)
{
    const size_t length = strlen(metric->name);
    put_key(summary, 1, BYTES);
    put_varint(summary, 1 + varint_size(length) + length + 1 + sizeof(float));
    put_bytes(summary, 1, metric->name, length);
    put_float(summary, 2, (float)metric->value);
}

enum ecc_status ecc_events_append(struct ecc_events *events, uint64_t step,
                                  const struct ecc_metric *row, size_t count,
                                  struct ecc_error *error)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *const summary = open_memstream(&bytes, &size);
    if (!summary) return ecc_fail_memory(error, "an event");
    for (size_t i = 0; i < count; i++) put_value(summary, &row[i]);
    const bool whole = !ferror(summary), closed = fclose(summary) == 0;
    const enum ecc_status status = whole && closed
                                       ? write_event(events, step, 5, bytes, size, error)
                                       : ecc_fail_memory(error, "an event");
    free(bytes);
    return status;
}

void ecc_events_close(struct ecc_events *events)
{
    if (!events) return;
    if (events->stream) fclose(events->stream);
    free(events->path);
    free(events);
}
