/*
 * events.c: scalars in TensorBoard's event files.
 *
 * A file is a sequence of records: length, its checksum, bytes, their checksum.  The bytes are a
 * protocol buffer `Event`, of which we need so little that it is encoded by hand:
 *     Event   { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5;
 *               SessionLog session_log = 7; }
 *     Summary { repeated Value value = 1; }   Value { string tag = 1; float simple_value = 2; }
 *     SessionLog { enum status = 1; }         with START = 1
 */
#include "run/events.h"
#include "base/file.h"
#include "run/crc32c.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 }; /* how protocol buffers mark a field */

/* A message being encoded. */
struct message {
    unsigned char *bytes;
    size_t size, capacity;
    bool failed; /* out of memory */
};

struct ecc_events {
    FILE *stream;
    char *path;
    struct message event, summary, value; /* kept, so that rows allocate nothing */
};

/* ---- Protocol buffers ----------------------------------------------------------------------- */

static void put(struct message *message, const void *bytes, size_t size)
{
    if (size > message->capacity - message->size) {
        const size_t capacity = 2 * (message->capacity + size);
        unsigned char *const larger = realloc(message->bytes, capacity);
        if (!larger) {
            message->failed = true;
            return;
        }
        message->bytes = larger;
        message->capacity = capacity;
    }
    if (size) memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

static void put_varint(struct message *message, uint64_t value)
{
    do {
        const unsigned char byte = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
        put(message, &byte, 1);
        value >>= 7;
    } while (value);
}

static void put_key(struct message *message, unsigned field, unsigned wire)
{
    put_varint(message, field << 3 | wire);
}

/* The lower `size` bytes of a number, little-endian. */
static void put_fixed(struct message *message, uint64_t bits, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    put(message, bytes, size);
}

static void put_bytes(struct message *message, unsigned field, const void *bytes, size_t size)
{
    put_key(message, field, BYTES);
    put_varint(message, size);
    put(message, bytes, size);
}

/* ---- Records -------------------------------------------------------------------------------- */

static void put_record_number(FILE *stream, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++) putc((int)(bits >> 8 * i & 255), stream);
}

static enum ecc_status write_event(struct ecc_events *events, struct ecc_error *error)
{
    const struct message *const event = &events->event;
    if (event->failed || events->summary.failed || events->value.failed) {
        return ecc_fail_memory(error, "an event");
    }
    unsigned char length[8];
    for (size_t i = 0; i < 8; i++) length[i] = (unsigned char)((uint64_t)event->size >> 8 * i);
    fwrite(length, 1, sizeof length, events->stream);
    put_record_number(events->stream, ecc_crc32c_masked(length, sizeof length), 4);
    fwrite(event->bytes, 1, event->size, events->stream);
    put_record_number(events->stream, ecc_crc32c_masked(event->bytes, event->size), 4);
    if (fflush(events->stream) == 0 && !ferror(events->stream)) return ECC_OK;
    return ecc_fail_errno(error, "write", events->path);
}

static void start_event(struct ecc_events *events, uint64_t step)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    const double seconds = (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    events->event.size = 0;
    put_key(&events->event, 1, FIXED64);
    put_fixed(&events->event, bits, 8);
    put_key(&events->event, 2, VARINT);
    put_varint(&events->event, step);
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* TensorBoard reads the files of a directory in the order of their names: a second run within a
 * second counts on. */
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
    start_event(events, 0);
    put_bytes(&events->event, 3, version, strlen(version));
    ECC_TRY(write_event(events, error));
    static const unsigned char start[] = {1 << 3 | VARINT, 1};
    /* what earlier files say of this step and later ones is void */
    start_event(events, resumed_step ? resumed_step + 1 : 0);
    put_bytes(&events->event, 7, start, sizeof start);
    return write_event(events, error);
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

enum ecc_status ecc_events_append(struct ecc_events *events, uint64_t step,
                                  const struct ecc_metric *row, size_t count,
                                  struct ecc_error *error)
{
    struct message *const summary = &events->summary, *const value = &events->value;
    summary->size = 0;
    for (size_t i = 0; i < count; i++) {
        const float number = (float)row[i].value;
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        value->size = 0;
        put_bytes(value, 1, row[i].name, strlen(row[i].name));
        put_key(value, 2, FIXED32);
        put_fixed(value, bits, 4);
        put_bytes(summary, 1, value->bytes, value->size);
    }
    start_event(events, step);
    put_bytes(&events->event, 5, summary->bytes, summary->size);
    return write_event(events, error);
}

void ecc_events_close(struct ecc_events *events)
{
    if (!events) return;
    if (events->stream) fclose(events->stream);
    free(events->event.bytes);
    free(events->summary.bytes);
    free(events->value.bytes);
    free(events->path);
    free(events);
}
