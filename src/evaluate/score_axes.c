/* score_axes.c: scores by principal components: whose axes they are, those of a statistics file or
 * new ones, and what the user is told about them. */
#include "evaluate/score.h"

#include "base/text.h"
#include "score/pixel_axes.h"

/* ---- Axes of a file ------------------------------------------------------------------------- */

/* identity: of the file whose axes are used, or NULL: this one's would be. */
static enum ecc_status check_side(const struct ecc_scoring *g, const struct ecc_score_side *side,
                                  const char *identity, struct ecc_error *error)
{
    char shown[ECC_PATH_SIZE];
    const struct ecc_statistics *const s = &side->statistics;
    ecc_quote_path(shown, side->name);
    if (!s->identity[0]) {
        return ecc_fail(error, ECC_BAD_DATA,
                        "%s does not say which features it has, expected principal components "
                        "and their axes",
                        shown);
    }
    if (identity) return ecc_score_check_identity(g, side, identity, s->size, error);
    if (s->pca.d > 0) return ECC_OK;
    return ecc_fail(error, ECC_BAD_DATA,
                    "%s lacks the axes of its principal components ('axes' and 'centre'), so "
                    "images cannot be compared with it; save it again",
                    shown);
}

enum ecc_status ecc_score_find_axes(const struct ecc_scoring *g, struct ecc_score_side **from,
                                    struct ecc_error *error)
{
    *from = NULL;
    for (size_t i = 0; i < g->count; i++) {
        struct ecc_score_side *const side = &g->sides[(g->count - 1 + i) % g->count];
        if (side->kind != ECC_SCORE_STATISTICS) continue;
        ECC_TRY(check_side(g, side, *from ? (*from)->statistics.identity : NULL, error));
        if (!*from) *from = side;
    }
    return ECC_OK;
}

/* ---- New axes ------------------------------------------------------------------------------- */

size_t ecc_score_most_axes(const struct ecc_scoring *g)
{
    const struct ecc_score_side *const b = &g->sides[g->count - 1];
    if (!b->data) return ECC_AXES_MOST;
    const size_t most = b->data->count / ECC_AXES_ITEMS_OF_ONE;
    return most < 1 ? 1 : most < ECC_AXES_MOST ? most : ECC_AXES_MOST;
}

void ecc_score_remark_axes(const struct ecc_scoring *g, const struct ecc_dataset *fitted)
{
    char shown[ECC_PATH_SIZE];
    ecc_quote_path(shown, fitted->name);
    if (g->options->features == ECC_FEATURES_PCA) {
        ecc_watch_remark(g->watch, "the axes are fitted to %.300s", shown);
        return;
    }
    ecc_watch_remark(
        g->watch, "for the published FID, convert pt_inception-2015-12-05-6726825d.pth, which "
                  "pytorch-fid downloads, with scripts/inception_to_safetensors.py, and name the "
                  "result as Inception's weights");
    ecc_watch_remark(g->watch,
                     "until then, images are compared by principal components of the pixels of "
                     "%.300s: such scores compare only with others along the same axes",
                     shown);
}
