/*
 * events.c: scalars in TensorBoard's event files.
 *
 * A file is a sequence of records: length, its checksum, bytes, their checksum.  The bytes are a
 * protocol buffer `Event`, of which we need:
 *     Event   { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5;
 *               SessionLog session_log = 7; }
 *     Summary { repeated Value value = 1; }   Value { string tag = 1; float simple_value = 2; }
 *     SessionLog { enum status = 1; }         with START = 1
 */
#include "run/events.h"
#include "base/file.h"
#include "base/protobuf.h"

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

/* The lower `size` bytes of a number, little-endian. */
static void put_fixed(char *out, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++) out[i] = (char)(bits >> 8 * i & 255);
}

static enum ecc_status write_record(struct ecc_events *events, const struct ecc_protobuf *event,
                                    struct ecc_error *error)
{
    char length[8], sum[4];
    if (event->failed) return ecc_fail_memory(error, "an event");
    put_fixed(length, event->size, sizeof length);
    fwrite(length, 1, sizeof length, events->stream);
    put_fixed(sum, checksum(length, sizeof length), sizeof sum);
    fwrite(sum, 1, sizeof sum, events->stream);
    fwrite(event->bytes, 1, event->size, events->stream);
    put_fixed(sum, checksum((const char *)event->bytes, event->size), sizeof sum);
    fwrite(sum, 1, sizeof sum, events->stream);
    if (fflush(events->stream) == 0 && !ferror(events->stream)) return ECC_OK;
    return ecc_fail_errno(error, "write", events->path);
}

/* An event of this step, still without what happened. */
static struct ecc_protobuf new_event(uint64_t step)
{
    struct ecc_protobuf event = {0};
    struct timeval now;
    gettimeofday(&now, NULL);
    ecc_protobuf_double(&event, 1, (double)now.tv_sec + 1e-6 * (double)now.tv_usec);
    ecc_protobuf_int(&event, 2, (int64_t)step);
    return event;
}

static enum ecc_status end_event(struct ecc_events *events, struct ecc_protobuf *event,
                                 struct ecc_error *error)
{
    const enum ecc_status status = write_record(events, event, error);
    free(event->bytes);
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
    struct ecc_protobuf event = new_event(0);
    ecc_protobuf_text(&event, 3, "brain.Event:2");
    ECC_TRY(end_event(events, &event, error));
    /* TensorBoard then drops what earlier files say about this step and later ones */
    event = new_event(resumed_step ? resumed_step + 1 : 0);
    const size_t log = ecc_protobuf_begin(&event, 7);
    ecc_protobuf_int(&event, 1, 1);
    ecc_protobuf_end(&event, log);
    return end_event(events, &event, error);
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
    struct ecc_protobuf event = new_event(step);
    const size_t summary = ecc_protobuf_begin(&event, 5);
    for (size_t i = 0; i < count; i++) {
        const size_t value = ecc_protobuf_begin(&event, 1);
        ecc_protobuf_text(&event, 1, row[i].name);
        ecc_protobuf_float(&event, 2, (float)row[i].value);
        ecc_protobuf_end(&event, value);
    }
    ecc_protobuf_end(&event, summary);
    return end_event(events, &event, error);
}

void ecc_events_close(struct ecc_events *events)
{
    if (!events) return;
    if (events->stream) fclose(events->stream);
    free(events->path);
    free(events);
}
