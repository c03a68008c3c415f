/* image_survey.c: looks at every file of a list of images before the first is used. */
#include "data/image_survey.h"

#include "base/text.h"
#include "data/few_names.h"
#include "data/formats.h"

#include <stdlib.h>

/* What was found of a file. */
struct found {
    struct ecc_image_info info;
    struct ecc_image_format_found foreign; /* an image that is not read */
    enum ecc_status status;
};

struct survey {
    struct ecc_image_list *list;
    struct found *found;                   /* [list->count] */
    struct ecc_error first;                /* of the first image that cannot be read */
    struct ecc_image_format_found foreign; /* the first format that is not read ... */
    struct ecc_few_names foreign_name;     /* ... and files of it */
    bool no_memory;
};

static enum ecc_status look_at_one(struct found *found, const char *path, struct ecc_error *error)
{
    ECC_TRY(ecc_image_check(&found->info, path, error));
    if (found->info.format || ecc_formats_find_image(&found->foreign, path) ||
        !ecc_image_is_named(path)) {
        return ECC_OK;
    }
    char shown[ECC_PATH_SIZE];
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s has the name of an image but is not a " ECC_IMAGE_FORMATS " file",
                    ecc_quote_path(shown, path));
}

/* With all threads.  Whether there are images that cannot be read. */
static bool look_at_all(struct survey *s)
{
    size_t first_bad = SIZE_MAX;
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < s->list->count; i++) {
        struct ecc_error mine = {0};
        s->found[i].status = look_at_one(&s->found[i], s->list->paths[i], &mine);
        if (s->found[i].status == ECC_OK) continue;
#pragma omp critical(ecc_image_survey)
        {
            if (s->found[i].status == ECC_NO_MEMORY) s->no_memory = true;
            if (i < first_bad) {
                first_bad = i;
                s->first = mine;
            }
        }
    }
    return first_bad != SIZE_MAX;
}

/* Files that are left out: by the reason, and for images of other formats by the format. */
enum { FOREIGN_FORMATS = 4 };
struct dropped {
    struct ecc_few_names others, bad, foreign[FOREIGN_FORMATS];
    struct ecc_image_format_found formats[FOREIGN_FORMATS];
    size_t format_count;
};

static void drop(struct dropped *d, const struct found *found, const char *path)
{
    size_t i = 0;
    if (!found->foreign.name) {
        ecc_few_names_add(found->status == ECC_OK ? &d->others : &d->bad, path);
        return;
    }
    while (i < d->format_count && d->formats[i].remedy != found->foreign.remedy) i++;
    if (i == FOREIGN_FORMATS) {
        ecc_few_names_add(&d->others, path);
        return;
    }
    if (i == d->format_count) d->formats[d->format_count++] = found->foreign;
    ecc_few_names_add(&d->foreign[i], path);
}

static void remark_on_dropped(struct ecc_dataset *data, struct dropped *d)
{
    struct ecc_few_names *const others = &d->others, *const bad = &d->bad;
    for (size_t i = 0; i < d->format_count; i++) {
        const bool one = d->foreign[i].count == 1;
        ecc_data_remark(data, "%zu %s left out, %s%s: %s; %s", d->foreign[i].count,
                        one ? "file was" : "files were", one ? "" : "each ", d->formats[i].name,
                        ecc_few_names_end(&d->foreign[i]), d->formats[i].remedy);
    }
    if (others->count) {
        ecc_data_remark(data, "%zu %s left out: %s", others->count,
                        others->count == 1 ? "file is not an image and was"
                                           : "files are not images and were",
                        ecc_few_names_end(others));
    }
    if (bad->count) {
        ecc_data_remark(data, "%zu %s cannot be read and %s left out (--strict stops instead): %s",
                        bad->count, bad->count == 1 ? "image" : "images",
                        bad->count == 1 ? "was" : "were", ecc_few_names_end(bad));
    }
}

/* Keeps the images in the list and their infos. */
static void drop_others(struct survey *s, struct ecc_dataset *data, struct ecc_image_info *infos)
{
    struct ecc_image_list *const list = s->list;
    struct dropped dropped = {0};
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct found *const found = &s->found[i];
        if (found->status == ECC_OK && found->info.format) {
            infos[kept] = found->info;
            list->paths[kept] = list->paths[i];
            list->marks[kept++] = list->marks[i];
            continue;
        }
        drop(&dropped, found, list->paths[i]);
        free(list->paths[i]);
    }
    list->count = kept;
    remark_on_dropped(data, &dropped);
    s->foreign = dropped.formats[0];
    s->foreign_name = dropped.foreign[0];
}

static void remark_on_turned(struct ecc_dataset *data, const struct ecc_image_info *infos,
                             size_t count)
{
    size_t turned = 0;
    for (size_t i = 0; i < count; i++) turned += infos[i].orientation != 1;
    if (turned == 0) return;
    ecc_data_remark(data, "%zu %s turned as %s EXIF orientation says", turned,
                    turned == 1 ? "photo was" : "photos were", turned == 1 ? "its" : "their");
}

static enum ecc_status survey(struct survey *s, struct ecc_dataset *data,
                              struct ecc_image_info *infos, const char *folder, bool strict,
                              struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const bool bad = look_at_all(s);
    if (s->no_memory) return ecc_fail_memory(error, "looking at images");
    if (bad && strict) return ecc_fail(error, s->first.status, "%s", s->first.text);
    drop_others(s, data, infos);
    remark_on_turned(data, infos, s->list->count);
    if (s->list->count > 0) return ECC_OK;
    if (bad) return ecc_fail(error, s->first.status, "%s", s->first.text);
    if (s->foreign.name) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s has no image that is a " ECC_IMAGE_FORMATS " file, but %s, %s%s; %s",
                        ecc_quote_path(shown, folder), s->foreign_name.text,
                        s->foreign_name.count == 1 ? "" : "each ", s->foreign.name,
                        s->foreign.remedy);
    }
    return ecc_fail(error, ECC_BAD_DATA, "%s has no " ECC_IMAGE_FORMATS " images",
                    ecc_quote_path(shown, folder));
}

enum ecc_status ecc_image_survey(struct ecc_dataset *data, struct ecc_image_info **infos,
                                 struct ecc_image_list *list, const char *folder, bool strict,
                                 struct ecc_error *error)
{
    struct survey s = {.list = list};
    s.found = calloc(list->count + 1, sizeof *s.found);
    *infos = calloc(list->count + 1, sizeof **infos);
    const enum ecc_status status = s.found && *infos
                                       ? survey(&s, data, *infos, folder, strict, error)
                                       : ecc_fail_memory(error, "the list of images");
    free(s.found);
    if (status != ECC_OK) {
        free(*infos);
        *infos = NULL;
    }
    return status;
}
