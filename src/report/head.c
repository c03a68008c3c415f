/* head.c: the top of the page: what was trained, on what data, and how good it is. */
#include "report/part.h"

#include <math.h>
#include <string.h>

static const char *loss_name(const struct ecc_model *m)
{
    const struct ecc_regularizer *const entry = m->regularizer.entry;
    if (entry == &ecc_regularizer_eccentric) return "the eccentric loss";
    if (entry == &ecc_regularizer_kl) return "the Kullback-Leibler divergence (a VAE)";
    if (entry == &ecc_regularizer_mmd) return "the maximum mean discrepancy (a WAE)";
    return entry == &ecc_regularizer_none ? "no regularizer" : m->options.regularizer;
}

static void put_data(FILE *out, const struct ecc_report *page)
{
    const struct ecc_model *const m = page->model;
    const double items = ecc_report_result(page, "items");
    const size_t count = isfinite(items)          ? (size_t)items
                         : page->components.d > 0 ? page->components.count
                                                  : 0;
    char number[32];
    if (count > 0) fprintf(out, "%s ", ecc_report_count(number, count));
    if (m->scaling.columns > 0) {
        fprintf(out, "rows of %zu column%s", m->scaling.columns, ecc_s(m->scaling.columns));
    } else {
        fprintf(out, "%simages of %zu × %zu pixels",
                m->shape.channels == 1   ? "grey "
                : m->shape.channels == 3 ? "colour "
                                         : "",
                m->shape.width, m->shape.height);
    }
    ecc_html_in(out, " (<b>", ecc_short_name(m->options.data), "</b>)");
}

static const char *one_item(const struct ecc_classification *c)
{
    return c->validation                     ? "a validation item"
           : c->seen.answer == ECC_SEEN_NONE ? "a test item"
                                             : "an item";
}

/* How good the reconstructions are, in one sentence. */
static void put_kept(FILE *out, const struct ecc_report *page)
{
    char words[ECC_SEEN_WORDS];
    const char *const items = ecc_report_items(words, page);
    if (!isfinite(page->kept)) return;
    if (page->kept >= 0) {
        fprintf(out, " Its reconstructions keep %.0f %% of the variance between %s.",
                100 * page->kept, items);
    } else {
        fprintf(
            out,
            " Its reconstructions of %s are worse than their mean would be, with %.1f times its "
            "error.",
            items, 1 - page->kept);
    }
}

static void put_sentence(FILE *out, const struct ecc_report *page)
{
    const struct ecc_model *const m = page->model;
    const struct ecc_components *const c = &page->components;
    const struct ecc_classify_row *const classes = ecc_report_errors(page);
    const double epochs = ecc_report_last(page, "epoch");
    char shape[ECC_REPORT_SHAPE];
    fprintf(
        out,
        "<p class=\"about\">An autoencoder that represents each item by %zu number%s, trained on ",
        m->d, ecc_s(m->d));
    put_data(out, page);
    if (isfinite(epochs)) fprintf(out, " for %.3g epoch%s", epochs, epochs == 1 ? "" : "s");
    fprintf(out, " with %s", loss_name(m));
    if (!m->regularizer.entry->no_lambda) fprintf(out, ", λ = %.3g", ecc_model_lambda(m));
    fputs(".", out);
    put_kept(out, page);
    if (classes) {
        fprintf(out,
                " Nearest neighbours in the latent space predict %s of %s correctly %.1f %% of the "
                "time.",
                page->classes.attributes ? "an attribute" : "the class", one_item(&page->classes),
                100 - 100 * classes->error[ECC_VIEW_LATENTS]);
    }
    if (c->d > 1 && ecc_components_vary(c)) {
        fprintf(out, " The latents are %s.", ecc_report_shape(shape, c));
    }
    fputs("</p>\n", out);
}

static void put_tile(FILE *out, const char *value, const char *name)
{
    fprintf(out, "<div><dt>%s</dt><dd>%s</dd></div>", name, value);
}

static void put_tiles(FILE *out, const struct ecc_report *page)
{
    char text[64], words[ECC_SEEN_WORDS], name[ECC_SEEN_WORDS + 16];
    const struct ecc_classify_row *const classes = ecc_report_errors(page);
    const double seconds = ecc_report_result(page, "seconds");
    const double aside = ecc_report_result(page, "validation_error");
    const bool measured = isfinite(page->error); /* on the items that the other tiles are about */
    const double error = measured ? page->error : aside;
    fputs("<dl class=\"tiles-row\">", out);
    if (isfinite(error)) {
        snprintf(text, sizeof text, "%.5f", error);
        snprintf(name, sizeof name, "error, %s",
                 measured ? ecc_report_items(words, page) : "validation items");
        put_tile(out, text, name);
    }
    if (isfinite(page->kept)) {
        snprintf(text, sizeof text, "%.1f %%", 100 * page->kept);
        put_tile(out, page->kept < 0 ? "none" : text, "variance kept");
    }
    if (page->components.d > 0) {
        snprintf(text, sizeof text, "%.3f", page->components.eccentricity);
        put_tile(out, text, "eccentricity");
    }
    if (classes) {
        snprintf(text, sizeof text, "%.2f %%", 100 * classes->error[ECC_VIEW_LATENTS]);
        put_tile(out, text, "neighbours' error");
    }
    snprintf(text, sizeof text, "%zu", page->model->d);
    put_tile(out, text, "dimensions");
    char time[32];
    ecc_report_duration(time, isfinite(seconds) ? seconds : ecc_report_last(page, "seconds"));
    put_tile(out, time, "training time");
    fputs("</dl>\n", out);
}

void ecc_report_head(FILE *out, const struct ecc_report *page)
{
    char step[32], steps[32];
    ecc_html_in(out, "<header><p class=\"by\">eccentric · report of a run</p><h1>", page->name,
                "</h1>\n");
    put_sentence(out, page);
    if (!page->model->finished) {
        fprintf(out,
                "<p class=\"missing\">This training %s: the report describes its checkpoint after "
                "step %s",
                page->model->training ? "was still going on" : "is not finished",
                ecc_report_count(step, page->model->step));
        const uint64_t total = ecc_model_steps(page->model);
        if (total) fprintf(out, " of %s", ecc_report_count(steps, total));
        fputs(".</p>\n", out);
    }
    if (page->no_unseen.text[0]) {
        fputs("<p class=\"missing\">The items below are training items: ", out);
        ecc_html_text(out, page->no_unseen.text);
        fputs(".</p>\n", out);
    }
    put_tiles(out, page);
    fputs("</header>\n", out);
}
