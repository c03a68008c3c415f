/* projector.c: the items of a space for TensorBoard's Embedding Projector. */
#include "explore/space.h"

#include "base/file.h"
#include "base/watch.h"
#include "data/image_file.h"

#include <math.h>
#include <stdlib.h>

enum { SPRITE_MOST = 8192 }; /* pixels of a side: the most that it shows */

/* Images side by side in a square sprite; 0: no sprite, since they are not images, or too many. */
static size_t sprite_columns(const struct ecc_space *space)
{
    const struct ecc_item_shape shape = space->shape;
    const size_t columns = (size_t)ceil(sqrt((double)space->count));
    const size_t side = shape.width > shape.height ? shape.width : shape.height;
    const bool drawable =
        !space->is_table && !space->pixels && (shape.channels == 1 || shape.channels == 3);
    return drawable && columns * side <= SPRITE_MOST ? columns : 0;
}

/* A file of the directory that is written as text. */
static enum ecc_status write_text(const struct ecc_space *space, const char *directory,
                                  const char *name,
                                  void (*put)(FILE *out, const struct ecc_space *space),
                                  struct ecc_error *error)
{
    struct ecc_output output = {0};
    char *const path = ecc_path_join(directory, name);
    if (!path) return ecc_fail_memory(error, "a path");
    enum ecc_status status = ecc_output_open(&output, path, error);
    if (status == ECC_OK) {
        put(output.stream, space);
        status = ecc_output_commit(&output, error);
    }
    ecc_output_discard(&output);
    free(path);
    return status;
}

static void put_tensors(FILE *out, const struct ecc_space *space)
{
    const size_t d = space->d;
    for (size_t i = 0; i < space->count * d; i++) {
        fprintf(out, "%.7g%c", (double)space->runs[0].amounts[i], (i + 1) % d ? '\t' : '\n');
    }
}

/* Text in a cell: tabs and line ends would end it. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
}

static void put_label(FILE *out, const struct ecc_dataset *data, size_t item)
{
    const int32_t label = data->labels[item];
    if (label < 0) return;
    if (data->class_names) {
        put_cell(out, data->class_names[label]);
    } else {
        fprintf(out, "%d", (int)label);
    }
}

static bool several(const struct ecc_dataset *data)
{
    return data->labels ||
           data->attribute_count + data->factor_count + data->number_count + data->word_count > 0;
}

static void put_header(FILE *out, const struct ecc_dataset *data)
{
    fputs("item", out);
    if (data->labels) fputs("\tlabel", out);
    for (size_t k = 0; k < data->attribute_count; k++) {
        putc('\t', out);
        put_cell(out, data->attribute_names[k]);
    }
    for (size_t k = 0; k < data->factor_count; k++) {
        putc('\t', out);
        put_cell(out, data->factor_names[k]);
    }
    for (size_t k = 0; k < data->number_count; k++) {
        putc('\t', out);
        put_cell(out, data->number_names[k]);
    }
    for (size_t k = 0; k < data->word_count; k++) {
        putc('\t', out);
        put_cell(out, data->words[k].name);
    }
    putc('\n', out);
}

/* One column has no header there, and several have one. */
static void put_metadata(FILE *out, const struct ecc_space *space)
{
    const struct ecc_dataset *const data = space->data;
    if (several(data)) put_header(out, data);
    for (size_t i = 0; i < space->count; i++) {
        fprintf(out, "%zu", space->kept ? space->kept[i] : i);
        if (data->labels) putc('\t', out);
        if (data->labels) put_label(out, data, i);
        for (size_t k = 0; k < data->attribute_count; k++) {
            fprintf(out, "\t%d", data->attributes[i * data->attribute_count + k]);
        }
        for (size_t k = 0; k < data->factor_count; k++) {
            fprintf(out, "\t%.7g", (double)data->factors[i * data->factor_count + k]);
        }
        for (size_t k = 0; k < data->number_count; k++) {
            const double number = data->numbers[i * data->number_count + k];
            putc('\t', out);
            if (!isnan(number)) fprintf(out, "%.10g", number);
        }
        for (size_t k = 0; k < data->word_count; k++) {
            const struct ecc_item_words *const words = &data->words[k];
            putc('\t', out);
            if (words->of[i] != ECC_NO_LEVEL) put_cell(out, words->levels[words->of[i]]);
        }
        putc('\n', out);
    }
}

static void put_config(FILE *out, const struct ecc_space *space)
{
    const size_t columns = sprite_columns(space);
    fputs("embeddings {\n  tensor_name: \"components\"\n  tensor_path: \"tensors.tsv\"\n"
          "  metadata_path: \"metadata.tsv\"\n",
          out);
    if (columns > 0) {
        fprintf(out,
                "  sprite {\n    image_path: \"sprite.png\"\n    single_image_dim: %zu\n"
                "    single_image_dim: %zu\n  }\n",
                space->shape.width, space->shape.height);
    }
    fputs("}\n", out);
}

/* ---- The sprite ----------------------------------------------------------------------------- */

/* x: [c, side h, side w] of a square of images */
static void place_item(float *x, const struct ecc_item_shape *shape, size_t columns, size_t item,
                       const float *from)
{
    const size_t width = columns * shape->width, height = columns * shape->height;
    const size_t top = item / columns * shape->height, left = item % columns * shape->width;
    for (size_t i = 0; i < ecc_shape_size(*shape); i++) {
        const size_t column = i % shape->width, row = i / shape->width % shape->height;
        const size_t plane = i / (shape->width * shape->height);
        x[(plane * height + top + row) * width + left + column] = from[i];
    }
}

static enum ecc_status draw_sprite(struct ecc_space *space, const char *path, size_t columns,
                                   const struct ecc_watch *watch, struct ecc_error *error)
{
    const struct ecc_item_shape item = space->shape;
    const struct ecc_item_shape all = {item.channels, columns * item.height, columns * item.width};
    float *const x = calloc(ecc_shape_size(all), sizeof *x);
    enum ecc_status status = x ? ECC_OK : ecc_fail_memory(error, "the sprite");
    for (size_t first = 0, n; status == ECC_OK && first < space->count; first += n) {
        uint32_t list[ECC_SPACE_MOST];
        const struct ecc_work work = {"sprite", "items", first, space->count, NULL};
        n = space->count - first < ECC_SPACE_MOST ? space->count - first : ECC_SPACE_MOST;
        for (size_t i = 0; i < n; i++) list[i] = (uint32_t)(first + i);
        status = ecc_dataset_read(space->data, space->x, list, n, error);
        for (size_t i = 0; status == ECC_OK && i < n; i++) {
            place_item(x, &item, columns, first + i, space->x + i * space->size);
        }
        if (status == ECC_OK) status = ecc_watch_work(watch, &work, error);
    }
    if (status == ECC_OK) status = ecc_image_write(path, x, all, error);
    free(x);
    return status;
}

enum ecc_status ecc_projector_write(struct ecc_space *space, const char *directory, bool *sprite,
                                    const struct ecc_watch *watch, struct ecc_error *error)
{
    const size_t columns = sprite_columns(space);
    *sprite = columns > 0;
    if (space->count == 0) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "there are no items to project: give --data, the run's data was not found");
    }
    ECC_TRY(ecc_make_directory(directory, error));
    ECC_TRY(write_text(space, directory, "tensors.tsv", put_tensors, error));
    ECC_TRY(write_text(space, directory, "metadata.tsv", put_metadata, error));
    if (*sprite) {
        char *const path = ecc_path_join(directory, "sprite.png");
        const enum ecc_status status = path ? draw_sprite(space, path, columns, watch, error)
                                            : ecc_fail_memory(error, "a path");
        free(path);
        ECC_TRY(status);
    }
    return write_text(space, directory, "projector_config.pbtxt", put_config, error);
}
