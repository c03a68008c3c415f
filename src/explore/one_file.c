/* one_file.c: the explorer as one HTML file that needs no server. */
#include "explore/page_check.h"

#include "base/file.h"
#include "base/watch.h"
#include "data/source.h"
#include "explore/page_pack.h"
#include "explore/route.h"
#include "export/half.h"
#include "export/page_net.h"
#include "model/product.h"
#include "show/html.h"

#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

/* Items that are stored together; of a sheet, side by side; WebP's quality, up to 100. */
enum { SHEET_ITEMS = ECC_SPACE_MOST, SHEET_COLUMNS = 16, SHEET_QUALITY = 85, SHEET_BLOCK = 16 };

/* Weights that would take more than HALVES_MOST bytes as halves are stored as bytes, unless what is
 * decoded then differs by more than this: images of 255, tables in deviations of a column. */
enum { HALVES_MOST = 2000000, MOST_PIXELS = 8 };
#define TYPICAL_PIXELS 0.5
#define MOST_DEVIATIONS 0.1
#define TYPICAL_DEVIATIONS 0.01

/* What is packed into the page: bytes, and where each part of them is. */
struct store {
    struct ecc_space *space;
    const struct ecc_watch *watch;
    enum ecc_weight_format format;
    struct ecc_one_file_sizes *sizes; /* and what the weights cost in that format */
    unsigned char *bytes;
    size_t size, room;
    json_t *answers; /* path -> [at, size] */
};

/* ---- Parts ---------------------------------------------------------------------------------- */

static enum ecc_status add(struct store *s, json_t **place, const void *bytes, size_t size,
                           struct ecc_error *error)
{
    if (s->size + size > s->room) {
        const size_t room = 2 * (s->size + size);
        unsigned char *const grown = realloc(s->bytes, room);
        if (!grown) return ecc_fail_memory(error, "the page");
        s->bytes = grown;
        s->room = room;
    }
    if (size > 0) memcpy(s->bytes + s->size, bytes, size);
    *place = json_pack("[I, I]", (json_int_t)s->size, (json_int_t)size);
    s->size += size;
    return ECC_OK;
}

/* Numbers of two bytes each: the first ones of all come before the second ones, which packs
 * better.  *place: [at, size, 2] */
static enum ecc_status add_pairs(struct store *s, json_t **place, const unsigned char *bytes,
                                 size_t size, struct ecc_error *error)
{
    unsigned char *const apart = calloc(size + 1, 1);
    if (!apart) return ecc_fail_memory(error, "the page");
    const size_t half = (size + 1) / 2;
    for (size_t i = 0; i < size; i++) apart[i % 2 * half + i / 2] = bytes[i];
    const enum ecc_status status = add(s, place, apart, size, error);
    if (status == ECC_OK) json_array_append_new(*place, json_integer(2));
    free(apart);
    return status;
}

/* The answer of the server to GET api/TARGET; *size: its bytes. */
static enum ecc_status record(struct store *s, const char *target, size_t *size,
                              struct ecc_error *error)
{
    const struct ecc_work work = {"answers", "answers", json_object_size(s->answers), 0, NULL};
    ECC_TRY(ecc_watch_work(s->watch, &work, error));
    char whole[ECC_REQUEST_TARGET];
    struct ecc_request request;
    struct ecc_reply reply = {0};
    json_t *place = NULL;
    snprintf(whole, sizeof whole, "/api/%s", target);
    ECC_TRY(ecc_request_parse(&request, whole, NULL, error));
    const struct ecc_route *const route = ecc_route_find(request.path);
    enum ecc_status status = route->run(s->space, &reply, &request, error);
    if (status == ECC_OK) status = add(s, &place, reply.bytes, reply.size, error);
    if (place) json_object_set_new(s->answers, target, place);
    if (size) *size = reply.size;
    ecc_reply_release(&reply);
    return status;
}

/* NAME?k=0, 1, ... */
static enum ecc_status record_each(struct store *s, const char *name, size_t count,
                                   struct ecc_error *error)
{
    for (size_t k = 0; k < count; k++) {
        char target[80];
        snprintf(target, sizeof target, "%s?k=%zu", name, k);
        ECC_TRY(record(s, target, NULL, error));
    }
    return ECC_OK;
}

/* How unusual rows are comes in pieces. */
static enum ecc_status record_unusual(struct store *s, struct ecc_error *error)
{
    for (size_t first = 0, size; first < s->space->count; first += size / 8) {
        char target[80];
        snprintf(target, sizeof target, "unusual?first=%zu", first);
        ECC_TRY(record(s, target, &size, error));
    }
    return ECC_OK;
}

static enum ecc_status record_answers(struct store *s, struct ecc_error *error)
{
    const struct ecc_space *const space = s->space;
    const struct ecc_dataset *const data = space->data;
    ECC_TRY(record(s, "about", NULL, error));
    ECC_TRY(record(s, "targets", NULL, error));
    if (!data || space->count == 0) return ECC_OK;
    size_t folder = 0;
    if (ecc_data_file(data, 0, &folder)) ECC_TRY(record(s, "names", NULL, error));
    if (data->labels) ECC_TRY(record(s, "labels", NULL, error));
    ECC_TRY(record_each(s, "attribute", data->attribute_count, error));
    ECC_TRY(record_each(s, "factor", data->factor_count, error));
    ECC_TRY(record_each(s, "number", data->number_count, error));
    ECC_TRY(record_each(s, "word", data->word_count, error));
    if (space->is_table || space->kept) ECC_TRY(record(s, "rows", NULL, error));
    if (!space->is_table) return ECC_OK;
    ECC_TRY(record_each(s, "cells", ecc_route_columns(space), error));
    return record_unusual(s, error);
}

/* bytes: [n items], as the page receives them. */
static enum ecc_status read_items(struct store *s, unsigned char *bytes, size_t first, size_t n,
                                  struct ecc_error *error)
{
    struct ecc_space *const space = s->space;
    uint32_t list[ECC_SPACE_MOST];
    const struct ecc_work work = {"items", "items", first + n, space->count, NULL};
    for (size_t i = 0; i < n; i++) list[i] = (uint32_t)(first + i);
    ECC_TRY(ecc_dataset_read(space->data, space->x, list, n, error));
    ecc_space_pack(space, bytes, space->x, n);
    return ecc_watch_work(s->watch, &work, error);
}

/* Photographs cannot be packed without loss: a sheet of them as WebP. */
static enum ecc_status add_sheet(struct store *s, json_t **place, const unsigned char *items,
                                 size_t n, struct ecc_error *error)
{
    const struct ecc_item_shape shape = s->space->shape;
    const size_t row = 3 * shape.width, sheet_row = SHEET_COLUMNS * row;
    const size_t rows = (n + SHEET_COLUMNS - 1) / SHEET_COLUMNS * shape.height;
    unsigned char *const sheet = calloc(rows * sheet_row + 1, 1);
    uint8_t *file = NULL;
    if (!sheet) return ecc_fail_memory(error, "a sheet of items");
    for (size_t i = 0; i < n * shape.height; i++) {
        const size_t item = i / shape.height, y = i % shape.height;
        memcpy(sheet + (item / SHEET_COLUMNS * shape.height + y) * sheet_row +
                   item % SHEET_COLUMNS * row,
               items + i * row, row);
    }
    const size_t size = WebPEncodeRGB(sheet, (int)(SHEET_COLUMNS * shape.width), (int)rows,
                                      (int)sheet_row, SHEET_QUALITY, &file);
    const enum ecc_status status =
        size > 0 ? add(s, place, file, size, error) : ecc_fail_memory(error, "a sheet of items");
    WebPFree(file);
    free(sheet);
    return status;
}

/* Colour images as sheets, where each fills whole blocks of WebP; everything else as it is. */
static enum ecc_status add_items(struct store *s, json_t *index, struct ecc_error *error)
{
    const struct ecc_space *const space = s->space;
    const size_t item = ecc_space_item_bytes(space);
    const bool sheets = !space->is_table && space->shape.channels == 3 &&
                        space->shape.width % SHEET_BLOCK == 0 &&
                        space->shape.height % SHEET_BLOCK == 0 &&
                        SHEET_COLUMNS * space->shape.width <= WEBP_MAX_DIMENSION &&
                        SHEET_ITEMS / SHEET_COLUMNS * space->shape.height <= WEBP_MAX_DIMENSION;
    unsigned char *const bytes = malloc(SHEET_ITEMS * item);
    if (!bytes) return ecc_fail_memory(error, "the items");
    json_t *const places = json_array();
    json_object_set_new(index, sheets ? "sheets" : "items", places);
    enum ecc_status status = ECC_OK;
    for (size_t first = 0, n; status == ECC_OK && first < space->count; first += n) {
        json_t *place = NULL;
        n = space->count - first < SHEET_ITEMS ? space->count - first : SHEET_ITEMS;
        status = read_items(s, bytes, first, n, error);
        if (status == ECC_OK) {
            status = sheets ? add_sheet(s, &place, bytes, n, error)
                            : add(s, &place, bytes, n * item, error);
        }
        if (place) json_array_append_new(places, place);
    }
    free(bytes);
    return status;
}

static enum ecc_status check_net(const struct store *s, size_t r, bool decoder,
                                 const unsigned char *bytes, size_t size, struct ecc_error *error)
{
    struct ecc_page_error *const found = &s->sizes->error;
    if (decoder) return ecc_page_check(found, s->space, r, bytes, size, error);
    return r == 0 ? ecc_page_check_encoder(found, s->space, bytes, size, error) : ECC_OK;
}

static enum ecc_status add_net(struct store *s, json_t *nets, size_t r, bool decoder,
                               struct ecc_error *error)
{
    const struct ecc_space_run *const run = &s->space->runs[r];
    unsigned char *bytes;
    size_t size;
    json_t *place = NULL;
    ECC_TRY(ecc_page_net(&bytes, &size, run->one, &run->components, decoder, s->format, error));
    enum ecc_status status = s->format == ECC_WEIGHTS_HALF
                                 ? add_pairs(s, &place, bytes, size, error)
                                 : add(s, &place, bytes, size, error);
    if (status == ECC_OK) status = check_net(s, r, decoder, bytes, size, error);
    if (place) json_object_set_new(nets, decoder ? "decoder" : "encoder", place);
    free(bytes);
    return status;
}

/* What turns latents into amounts, for samples. */
static json_t *latents_of(const struct ecc_space_run *run)
{
    const struct ecc_components *const c = &run->components;
    json_t *const json = json_object();
    ecc_json_numbers(json, "mean", c->mean, c->d);
    ecc_json_numbers(json, "deviations", c->deviations, c->d);
    ecc_json_matrix(json, "axes", c->axes, c->d, c->d);
    ecc_json_number(json, "radius", ecc_model_radius(run->one));
    return json;
}

/* How an image of one's own is cut. */
static json_t *cut_of(const struct ecc_space_run *run)
{
    json_t *const json = json_object();
    ecc_json_count(json, "crop", run->one->options.crop);
    ecc_json_flag(json, "faces", run->faces);
    return json;
}

static enum ecc_status add_model(struct store *s, json_t *index, size_t r, struct ecc_error *error)
{
    const struct ecc_space_run *const run = &s->space->runs[r];
    json_t *const nets = json_object();
    json_array_append_new(json_object_get(index, "nets"), nets);
    ECC_TRY(add_net(s, nets, r, true, error));
    if (!s->space->is_table && ecc_model_encoder_is_exportable(run->one)) {
        ECC_TRY(add_net(s, nets, r, false, error));
    }
    json_array_append_new(json_object_get(index, "latents"), latents_of(run));
    json_array_append_new(json_object_get(index, "cuts"), cut_of(run));
    return ECC_OK;
}

/* In place of those that were there, all after the first `start` bytes. */
static enum ecc_status add_models(struct store *s, json_t *index, size_t start,
                                  struct ecc_error *error)
{
    const struct ecc_space *const space = s->space;
    s->size = start;
    s->sizes->error = (struct ecc_page_error){0};
    for (const char *const *name = (const char *const[]){"nets", "latents", "cuts", NULL}; *name;
         name++) {
        json_array_clear(json_object_get(index, *name));
    }
    for (size_t r = 0; r < space->run_count; r++) {
        if (space->runs[r].one) ECC_TRY(add_model(s, index, r, error));
    }
    return ECC_OK;
}

/* Whether nobody will see what the weights cost. */
static bool is_small(const struct store *s)
{
    const struct ecc_page_error *const found = &s->sizes->error;
    const bool table = s->space->is_table;
    return found->typical <= (table ? TYPICAL_DEVIATIONS : TYPICAL_PIXELS) &&
           found->most <= (table ? MOST_DEVIATIONS : MOST_PIXELS);
}

/* 16 bits for each weight; where these are many, 8, if that is nearly the same. */
static enum ecc_status add_chosen(struct store *s, json_t *index, struct ecc_error *error)
{
    const size_t start = s->size;
    if (s->format != ECC_WEIGHTS_AUTO) return add_models(s, index, start, error);
    s->format = ECC_WEIGHTS_HALF;
    ECC_TRY(add_models(s, index, start, error));
    const size_t halves = s->size;
    if (halves - start <= HALVES_MOST) return ECC_OK;
    s->format = ECC_WEIGHTS_BYTE;
    ECC_TRY(add_models(s, index, start, error));
    s->sizes->spared = halves - s->size;
    if (is_small(s)) return ECC_OK;
    s->sizes->spared = 0;
    s->format = ECC_WEIGHTS_HALF;
    return add_models(s, index, start, error);
}

/* The items' amounts: as they are without a model, or where its weights are exact; else by 16 bits.
 */
static enum ecc_status add_amounts(struct store *s, json_t *index, size_t r,
                                   struct ecc_error *error)
{
    const float *const amounts = s->space->runs[r].amounts;
    const size_t count = s->space->count * s->space->d;
    json_t *place = NULL;
    if (!amounts) return ECC_OK;
    enum ecc_status status = ECC_OK;
    if (s->format == ECC_WEIGHTS_FLOAT || !s->space->runs[r].one) {
        status = add(s, &place, amounts, count * sizeof *amounts, error);
    } else {
        unsigned char *const halves = malloc(2 * count + 1);
        if (!halves) return ecc_fail_memory(error, "the page");
        ecc_put_halves(halves, amounts, count);
        status = add_pairs(s, &place, halves, 2 * count, error);
        free(halves);
    }
    if (place) json_array_append_new(json_object_get(index, "amounts"), place);
    return status;
}

/* What the page says of its weights. */
static json_t *precision_of(const struct store *s)
{
    json_t *const json = json_object();
    ecc_json_text(json, "weights", ecc_weight_format_names[s->format]);
    ecc_json_number(json, "most", s->sizes->error.most);
    ecc_json_number(json, "typical", s->sizes->error.typical);
    return json;
}

/* Fills the store, and the index of what is in it. */
static enum ecc_status fill(struct store *s, json_t *index, struct ecc_error *error)
{
    struct ecc_one_file_sizes *const sizes = s->sizes;
    const struct ecc_asset *const wasm = ecc_asset_find("net.wasm");
    json_t *place = NULL;
    ECC_TRY(add(s, &place, wasm->bytes, wasm->size, error));
    json_object_set_new(index, "wasm", place);
    ECC_TRY(add_chosen(s, index, error));
    sizes->nets = s->size;
    sizes->weights = s->format;
    if (sizes->error.items > 0) json_object_set_new(index, "precision", precision_of(s));
    for (size_t r = 0; r < s->space->run_count; r++) ECC_TRY(add_amounts(s, index, r, error));
    ECC_TRY(record_answers(s, error));
    sizes->answers = s->size - sizes->nets;
    ECC_TRY(add_items(s, index, error));
    json_object_set_new(index, "sheet", json_pack("[i, i]", SHEET_ITEMS, SHEET_COLUMNS));
    sizes->items = s->size - sizes->nets - sizes->answers;
    return ECC_OK;
}

/* ---- The page ------------------------------------------------------------------------------- */

/* *packed: [*size] = gzip of the size of `text`, `text`, and the store's bytes. */
static enum ecc_status pack(const struct store *s, const char *text, unsigned char **packed,
                            size_t *size, struct ecc_error *error)
{
    const size_t length = strlen(text);
    const unsigned char head[4] = {length & 255, length >> 8 & 255, length >> 16 & 255,
                                   length >> 24 & 255};
    const struct ecc_page_part parts[] = {{head, 4}, {text, length}, {s->bytes, s->size}};
    return ecc_page_pack(packed, size, parts, 3, ECC_PAGE_MOST, error);
}

/* A module as a data: address; what it imports from './x.js' then comes from 'page/x.js'. */
static void put_module(FILE *out, const struct ecc_asset *asset, char *room)
{
    static const char relative[] = "'./", named[] = "'page/";
    const char *text = (const char *)asset->bytes;
    const char *const end = text + asset->size;
    size_t size = 0;
    while (text < end) {
        if (end - text >= 3 && memcmp(text, relative, 3) == 0) {
            memcpy(room + size, named, sizeof named - 1);
            size += sizeof named - 1;
            text += 3;
        } else {
            room[size++] = *text++;
        }
    }
    fprintf(out, "\"page/%s\":\"data:text/javascript;base64,", asset->path);
    ecc_html_base64(out, (const unsigned char *)room, size);
    putc('"', out);
}

static enum ecc_status put_modules(FILE *out, struct ecc_error *error)
{
    const char *comma = "";
    fputs("<script type=\"importmap\">{\"imports\":{", out);
    for (const struct ecc_asset *asset = ecc_assets; asset->path; asset++) {
        const size_t length = strlen(asset->path);
        if (length < 3 || strcmp(asset->path + length - 3, ".js") != 0) continue;
        char *const room = malloc(2 * asset->size + 1);
        if (!room) return ecc_fail_memory(error, "the page");
        fputs(comma, out);
        put_module(out, asset, room);
        free(room);
        comma = ",\n";
    }
    fputs("}}</script>\n", out);
    return ECC_OK;
}

static bool has(const char *line, size_t length, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++) {
        if (memcmp(line + i, word, size) == 0) return true;
    }
    return false;
}

/* Lines of index.html that name other files, and what stands in their place. */
static enum ecc_status put_line(FILE *out, const char *line, size_t length, struct ecc_error *error)
{
    if (has(line, length, "href=\"style.css\"")) {
        const struct ecc_asset *const style = ecc_asset_find("style.css");
        fputs("<style>\n", out);
        fwrite(style->bytes, 1, style->size, out);
        fputs("</style>\n", out);
    } else if (has(line, length, "href=\"icon.svg\"")) {
        const struct ecc_asset *const icon = ecc_asset_find("icon.svg");
        fputs("<link rel=\"icon\" href=\"data:image/svg+xml;base64,", out);
        ecc_html_base64(out, icon->bytes, icon->size);
        fputs("\">\n", out);
    } else if (has(line, length, "src=\"main.js\"")) {
        ECC_TRY(put_modules(out, error));
        fputs("<script type=\"module\">import 'page/main.js';</script>\n", out);
    } else {
        fwrite(line, 1, length, out);
    }
    return ECC_OK;
}

/* The scripts are modules, which start when all of the page is there. */
static enum ecc_status put_page(FILE *out, const unsigned char *packed, size_t size,
                                struct ecc_error *error)
{
    const struct ecc_asset *const index = ecc_asset_find("");
    const char *at = (const char *)index->bytes, *const end = at + index->size;
    while (at < end) {
        const char *const next = memchr(at, '\n', (size_t)(end - at));
        const size_t length = next ? (size_t)(next - at) + 1 : (size_t)(end - at);
        ECC_TRY(put_line(out, at, length, error));
        if (has(at, length, "<body")) {
            fputs("<script type=\"text/plain\" id=\"inside\">", out);
            ecc_html_base64(out, packed, size);
            fputs("</script>\n", out);
        }
        at += length;
    }
    return ECC_OK;
}

static enum ecc_status write_page(const char *path, const unsigned char *packed, size_t size,
                                  struct ecc_one_file_sizes *sizes, struct ecc_error *error)
{
    struct ecc_output output = {0};
    ECC_TRY(ecc_output_open(&output, path, error));
    enum ecc_status status = put_page(output.stream, packed, size, error);
    const long written = ftell(output.stream);
    sizes->all = written > 0 ? (size_t)written : 0;
    sizes->page = sizes->all > size / 3 * 4 ? sizes->all - size / 3 * 4 : 0;
    if (status == ECC_OK) status = ecc_output_commit(&output, error);
    ecc_output_discard(&output);
    return status;
}

enum ecc_status ecc_one_file_write(struct ecc_space *space, const char *path,
                                   enum ecc_weight_format format, struct ecc_one_file_sizes *sizes,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    struct store s = {
        .space = space, .watch = watch, .format = format, .sizes = sizes, .answers = json_object()};
    json_t *const index = json_pack("{s:O, s:[], s:[], s:[], s:[]}", "answers", s.answers, "nets",
                                    "latents", "cuts", "amounts");
    unsigned char *packed = NULL;
    size_t size = 0;
    *sizes = (struct ecc_one_file_sizes){0};
    enum ecc_status status = index ? fill(&s, index, error) : ecc_fail_memory(error, "the page");
    char *const text = status == ECC_OK ? json_dumps(index, JSON_COMPACT) : NULL;
    if (status == ECC_OK && !text) status = ecc_fail_memory(error, "the page");
    if (status == ECC_OK) status = pack(&s, text, &packed, &size, error);
    if (status == ECC_OK) status = write_page(path, packed, size, sizes, error);
    if (s.size > 0) sizes->packed = 4.0 / 3 * (double)size / (double)s.size;
    json_decref(s.answers);
    json_decref(index);
    free(text);
    free(packed);
    free(s.bytes);
    return status;
}
