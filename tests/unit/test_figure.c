/* test_figure.c: ticks, colours, and pictures of every kind in every format, good and bad input. */
#include "testing.h"

#include "base/file.h"
#include "figure/colour.h"
#include "figure/plot.h"
#include "figure/scale.h"
#include "figure/lettering.h"
#include "figure/shape.h"
#include "show/html.h"
#include "show/plane.h"

#include <cairo.h>
#include <dirent.h>
#include <unistd.h>

/* ---- Ticks -------------------------------------------------------------------------------------
 */

static void check_ticks(double low, double high, bool logarithmic, size_t most)
{
    const struct ecc_scale scale = {low, high, logarithmic};
    struct ecc_ticks ticks;
    ecc_ticks_choose(&ticks, &scale, most);
    assert_in_range(ticks.count, 1, most);
    const double slack = 1e-6;
    for (size_t i = 0; i < ticks.count; i++) {
        const double at = ecc_scale_place(&scale, ticks.at[i]);
        assert_true(at >= -slack && at <= 1 + slack);
        assert_true(strlen(ticks.label[i]) > 0);
        if (i == 0) continue;
        assert_true(ticks.at[i] > ticks.at[i - 1]);
        assert_string_not_equal(ticks.label[i], ticks.label[i - 1]);
    }
}

static void ticks_lie_within_and_differ(void **state)
{
    (void)state;
    srand(1);
    for (int i = 0; i < 3000; i++) {
        const double size = pow(10, rand() % 40 - 20);
        const double low = size * (rand() / (double)RAND_MAX - 0.5);
        const double span = size * (0.001 + rand() / (double)RAND_MAX);
        check_ticks(low, low + span, false, 3 + (size_t)rand() % 9);
        const double bottom = pow(10, rand() % 40 - 20) * (1 + rand() / (double)RAND_MAX);
        check_ticks(bottom, bottom * pow(10, 0.05 + 12 * (rand() / (double)RAND_MAX)), true,
                    3 + (size_t)rand() % 9);
    }
    check_ticks(-1e300, 1e300, false, 6);
    check_ticks(1e-300, 1e300, true, 6);
}

static void linear_ticks_are_evenly_spaced(void **state)
{
    (void)state;
    const struct ecc_scale scale = {0, 0.3, false};
    struct ecc_ticks ticks;
    ecc_ticks_choose(&ticks, &scale, 4);
    assert_int_equal(ticks.count, 4);
    assert_string_equal(ticks.label[0], "0.0");
    assert_string_equal(ticks.label[3], "0.3"); /* 3 x 0.1 is more than 0.3 in binary */
    assert_true(ticks.at[3] == 0.3);
}

static void labels_have_the_right_precision(void **state)
{
    (void)state;
    static const struct {
        struct ecc_scale scale;
        size_t most;
        const char *first, *last;
    } CASES[] = {
        {{-2, 2, false}, 5, "−2", "2"},        {{0, 1, false}, 6, "0.0", "1.0"},
        {{0, 60000, false}, 7, "0", "60,000"}, {{0, 2e6, false}, 3, "0", "2,000,000"},
        {{0, 5e-9, false}, 6, "0", "5×10⁻⁹"},  {{0, 1.5e10, false}, 4, "0", "1.5×10¹⁰"},
        {{0.001, 10, true}, 5, "0.001", "10"}, {{1e-12, 1e3, true}, 20, "10⁻¹²", "10³"},
        {{1, 10, true}, 8, "1", "10"},         {{2.2, 3.9, true}, 5, "2.5", "3.5"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct ecc_ticks ticks;
        ecc_ticks_choose(&ticks, &CASES[i].scale, CASES[i].most);
        assert_true(ticks.count > 1);
        assert_string_equal(ticks.label[0], CASES[i].first);
        assert_string_equal(ticks.label[ticks.count - 1], CASES[i].last);
    }
}

static void scales_fit_what_they_saw(void **state)
{
    (void)state;
    const struct ecc_axis plain = {0}, logarithmic = {.logarithmic = true},
                          own = {.low = 2, .high = 3};
    struct ecc_span span = {0};
    struct ecc_scale scale;
    ecc_scale_fit(&scale, &plain, &span, 0.05);
    assert_true(scale.low < scale.high);
    ecc_span_add(&span, (double)NAN, false);
    ecc_span_add(&span, (double)INFINITY, false);
    assert_false(span.any);
    ecc_span_add(&span, 7, false);
    ecc_scale_fit(&scale, &plain, &span, 0.05);
    assert_true(scale.low < 7 && scale.high > 7);
    ecc_scale_fit(&scale, &logarithmic, &span, 0.05);
    assert_true(scale.low > 0 && scale.low < 7 && scale.high > 7);
    ecc_scale_fit(&scale, &own, &span, 0.05);
    assert_true(scale.low == 2 && scale.high == 3);
    struct ecc_span positive = {0};
    ecc_span_add(&positive, 0, true);
    ecc_span_add(&positive, -1, true);
    assert_false(positive.any);
    const struct ecc_scale decades = {1e-2, 1e2, true};
    check_absolute(ecc_scale_place(&decades, 1), 0.5, 1e-12, "the middle of four decades");
    assert_true(isnan(ecc_scale_place(&decades, 0)));
}

/* ---- Colours -----------------------------------------------------------------------------------
 */

static double lightness(struct ecc_colour c)
{
    return 0.2126 * pow(c.red, 2.2) + 0.7152 * pow(c.green, 2.2) + 0.0722 * pow(c.blue, 2.2);
}

static void colours_run_as_promised(void **state)
{
    (void)state;
    const struct ecc_colour low = ecc_colour_diverging(-1), high = ecc_colour_diverging(1);
    const struct ecc_colour middle = ecc_colour_diverging(0);
    assert_true(middle.red == 1 && middle.green == 1 && middle.blue == 1 && middle.alpha == 1);
    assert_true(low.blue > low.red + 0.2 && high.red > high.blue + 0.2);
    const struct ecc_colour beyond = ecc_colour_diverging(-9);
    assert_memory_equal(&low, &beyond, sizeof low);
    for (int i = 0; i < 100; i++) {
        const double t = i / 100.0, next = (i + 1) / 100.0;
        assert_true(lightness(ecc_colour_diverging(next)) < lightness(ecc_colour_diverging(t)));
        assert_true(lightness(ecc_colour_diverging(-next)) < lightness(ecc_colour_diverging(-t)));
        assert_true(lightness(ecc_colour_sequence(next)) > lightness(ecc_colour_sequence(t)));
    }
    assert_true(ecc_colour_diverging((double)NAN).red == 1);
}

static void categories_differ_and_cycle(void **state)
{
    (void)state;
    for (size_t i = 0; i < 10; i++) {
        const struct ecc_colour a = ecc_colour_category(i), again = ecc_colour_category(i + 10);
        assert_memory_equal(&a, &again, sizeof a);
        for (size_t k = 0; k < i; k++) {
            const struct ecc_colour b = ecc_colour_category(k);
            const double apart =
                fabs(a.red - b.red) + fabs(a.green - b.green) + fabs(a.blue - b.blue);
            assert_true(apart > 0.3);
        }
    }
}

/* ---- Text --------------------------------------------------------------------------------------
 */

static void text_is_cleaned(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"μ = 1, √d", "μ = 1, √d"},
        {"a\nb\tc", "a b c"},
        {"\xFFz", "\xEF\xBF\xBDz"},
        {"\xC3", "\xEF\xBF\xBD"},
        {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},                 /* overlong */
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* a surrogate */
        {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
    };
    char cleaned[ECC_TEXT_BYTES];
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ecc_text_clean(cleaned, CASES[i][0]);
        assert_string_equal(cleaned, CASES[i][1]);
    }
    ecc_text_clean(cleaned, NULL);
    assert_string_equal(cleaned, "");
    char huge[3000];
    memset(huge, 0xC3, sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    ecc_text_clean(cleaned, huge);
    assert_true(strlen(cleaned) < ECC_TEXT_BYTES);
}

/* ---- Pictures ----------------------------------------------------------------------------------
 */

/* One picture of each kind, on static data. */
static double xs[200], ys[200], matrix[6];
static int classes[200];
static float images[3 * 3 * 4 * 5];
static struct ecc_series series[3];
static const struct ecc_rule rules[] = {{1.5, true, "√d"}, {0.25, false, "ρ"}};
static const struct ecc_circle circles[] = {{0, 0, 1, "ρ = 1"}};
static const char *const names[] = {"one", "two", "three"};

static struct ecc_panel make_chart(void)
{
    for (size_t i = 0; i < 200; i++) {
        xs[i] = (double)(i + 1) / 50;
        ys[i] = sin(xs[i]);
        classes[i] = (int)(i % 4) - 1;
    }
    series[0] = (struct ecc_series){.name = "line", .x = xs, .y = ys, .n = 200};
    series[1] = series[0];
    series[1].mark = ECC_MARK_POINTS;
    series[1].category = classes;
    series[2] = (struct ecc_series){.x = ys, .y = xs, .n = 9, .mark = ECC_MARK_STEPS};
    struct ecc_panel panel = {.title = "chart", .kind = ECC_PANEL_CHART};
    panel.chart = (struct ecc_chart){.x = {.label = "x"},
                                     .y = {.label = "a longer y label"},
                                     .series = series,
                                     .series_count = 3,
                                     .rules = rules,
                                     .rule_count = 2,
                                     .circles = circles,
                                     .circle_count = 1,
                                     .category_names = names,
                                     .category_count = 3};
    return panel;
}

static struct ecc_panel make_heat(void)
{
    static const double VALUES[] = {-2, 0, 2, 1, -1, NAN};
    memcpy(matrix, VALUES, sizeof matrix);
    struct ecc_panel panel = {.kind = ECC_PANEL_HEAT};
    panel.heat = (struct ecc_heat){.values = matrix,
                                   .rows = 2,
                                   .columns = 3,
                                   .column_names = names,
                                   .scale_label = "covariance"};
    return panel;
}

static struct ecc_panel make_sheet(void)
{
    for (size_t i = 0; i < 3 * 3 * 4 * 5; i++) {
        images[i] = i < 20 ? 1 : 0; /* the first image is red, the others black */
    }
    struct ecc_panel panel = {.kind = ECC_PANEL_SHEET};
    panel.sheet = (struct ecc_sheet){.pixels = images,
                                     .count = 3,
                                     .channels = 3,
                                     .height = 4,
                                     .width = 5,
                                     .columns = 2,
                                     .captions = names,
                                     .row_names = names,
                                     .column_names = names,
                                     .scale = 4};
    return panel;
}

static struct ecc_panel (*const MAKERS[])(void) = {make_chart, make_heat, make_sheet};

static enum ecc_status write_panel(const struct ecc_panel *panel, const char *path)
{
    const struct ecc_figure figure = {
        .title = "μ = 1", .caption = "of √d", .panels = panel, .panel_count = 1};
    return ecc_figure_write(&figure, path, &testing_error);
}

/* Fails unless the directory of the tests holds nothing but these files' endings, no ".part". */
static void check_nothing_left(void)
{
    DIR *directory = opendir(testing_path(""));
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (strstr(entry->d_name, ".part")) fail_msg("'%s' was left behind", entry->d_name);
    }
    closedir(directory);
}

static void every_kind_in_every_format(void **state)
{
    (void)state;
    static const struct {
        const char *name, *signature;
        size_t length;
    } FORMATS[] = {
        {"a.png", "\x89PNG\r\n\x1a\n", 8}, {"a.svg", "<?xml", 5}, {"a.PDF", "%PDF-1.", 7}};
    for (size_t kind = 0; kind < 3; kind++) {
        const struct ecc_panel panel = MAKERS[kind]();
        for (size_t i = 0; i < 3; i++) {
            const char *path = testing_path(FORMATS[i].name);
            unsigned char *bytes, *again;
            size_t size, size_again;
            check_ok(write_panel(&panel, path));
            check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
            assert_true(size > 500);
            assert_memory_equal(bytes, FORMATS[i].signature, FORMATS[i].length);
            check_ok(write_panel(&panel, path)); /* the same picture is the same bytes */
            check_ok(ecc_file_read(&again, &size_again, path, &testing_error));
            assert_int_equal(size, size_again);
            /* cairo numbers the images of an SVG through all of a process. */
            if (i != 1) assert_memory_equal(bytes, again, size);
            free(bytes);
            free(again);
            assert_int_equal(remove(path), 0);
        }
    }
    check_nothing_left();
}

/* Writes a PNG and counts its pixels of a colour; *first_x and *first_y say where one is. */
static size_t count_pixels(const struct ecc_panel *panel, uint32_t colour, int *first_x,
                           int *first_y)
{
    const char *path = testing_path("pixels.png");
    check_ok(write_panel(panel, path));
    cairo_surface_t *image = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    const int width = cairo_image_surface_get_width(image);
    const int height = cairo_image_surface_get_height(image);
    const int stride = cairo_image_surface_get_stride(image);
    assert_true(width > 100 && height > 50 && width % 2 == 0 && height % 2 == 0);
    size_t count = 0;
    for (int y = 0; y < height; y++) {
        const unsigned char *row = cairo_image_surface_get_data(image) + (size_t)y * (size_t)stride;
        for (int x = 0; x < width; x++) {
            uint32_t pixel;
            memcpy(&pixel, row + 4 * x, sizeof pixel);
            if ((pixel & 0xFFFFFF) != colour) continue;
            if (count++ == 0) {
                *first_x = x;
                *first_y = y;
            }
        }
    }
    cairo_surface_destroy(image);
    return count;
}

static void heat_cells_have_their_colours(void **state)
{
    (void)state;
    const struct ecc_panel panel = make_heat();
    int red_x, red_y, blue_x, blue_y, x, y;
    /* Cells of 26 points are 52 pixels; the ends of the scale beside them add less than a cell. */
    const size_t cell = 52 * 52;
    assert_in_range(count_pixels(&panel, 0x67001f, &red_x, &red_y), cell, 2 * cell - 1);
    assert_in_range(count_pixels(&panel, 0x053061, &blue_x, &blue_y), cell, 2 * cell - 1);
    assert_int_equal(red_x - blue_x, 104);
    assert_int_equal(red_y, blue_y);
    /* NaN is grey, as are a few pixels of the letters. */
    assert_in_range(count_pixels(&panel, 0xd1d1d1, &x, &y), cell, cell + 100);
}

static void sheet_pixels_are_sharp(void **state)
{
    (void)state;
    struct ecc_panel panel = make_sheet();
    int x, y;
    /* 5 x 4 pixels at 4 points, 2 pixels of the PNG a point. */
    assert_int_equal(count_pixels(&panel, 0xff0000, &x, &y), 20 * 8 * 8);
    images[7] = 0.5f;
    assert_int_equal(count_pixels(&panel, 0xff0000, &x, &y), 19 * 8 * 8);
    assert_int_equal(count_pixels(&panel, 0x800000, &x, &y), 8 * 8);
    panel.sheet.channels = 1; /* the same numbers as grey: 3 of the 9 planes */
    panel.sheet.captions = panel.sheet.row_names = panel.sheet.column_names = NULL;
    assert_in_range(count_pixels(&panel, 0x808080, &x, &y), 64, 200);
}

static void points_and_lines_leave_ink(void **state)
{
    (void)state;
    double at[] = {1, 2}, far[] = {-1e9, 1e9};
    struct ecc_series one = {.x = at, .y = at, .n = 2, .size = 20, .mark = ECC_MARK_POINTS};
    one.colour = (struct ecc_colour){1, 0, 0, 1};
    struct ecc_panel panel = {.kind = ECC_PANEL_CHART};
    panel.chart.series = &one;
    panel.chart.series_count = 1;
    int x, y;
    const size_t disc = count_pixels(&panel, 0xff0000, &x, &y);
    /* Two discs of 40 pixels across, less the mixed colours at their edges. */
    assert_in_range(disc, 2 * 1050, 2 * 1300);
    one = (struct ecc_series){.x = far, .y = far, .n = 2, .colour = one.colour, .size = 3};
    panel.chart.x = panel.chart.y = (struct ecc_axis){.low = -1, .high = 1};
    assert_true(count_pixels(&panel, 0xff0000, &x, &y) > 1500); /* through the whole body */
}

/* ---- Unfriendly input --------------------------------------------------------------------------
 */

static void odd_charts_are_drawn(void **state)
{
    (void)state;
    static double x[] = {1, 2, 3, 4};
    static double odd[][4] = {{5, 5, 5, 5},
                              {0, 0, 0, 0},
                              {-1, 0, -2, -3},
                              {NAN, NAN, NAN, NAN},
                              {1, INFINITY, -INFINITY, 2},
                              {-1e308, 1e308, 0, 1},
                              {5e-324, 1e-310, 0, 1e-320},
                              {-1e300, 1e300, 0, 1e299},
                              {1, 1 + 1e-15, 1, 1}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        for (int variant = 0; variant < 16; variant++) {
            struct ecc_series one = {.name = "odd \xFF",
                                     .x = variant & 8 ? odd[i] : x,
                                     .y = odd[i],
                                     .n = 4,
                                     .mark = (enum ecc_mark)(variant & 3)};
            struct ecc_panel panel = {.kind = ECC_PANEL_CHART};
            panel.chart.series = &one;
            panel.chart.series_count = 1;
            panel.chart.y.logarithmic = (variant & 4) != 0;
            panel.chart.equal_scales = (variant & 8) != 0;
            check_ok(write_panel(&panel, testing_path("odd.png")));
            check_ok(write_panel(&panel, testing_path("odd.svg")));
        }
    }
}

static void empty_charts_are_drawn(void **state)
{
    (void)state;
    struct ecc_series none = {.name = "none"};
    struct ecc_panel panel = {.kind = ECC_PANEL_CHART};
    check_ok(write_panel(&panel, testing_path("empty.pdf")));
    panel.chart.series = &none;
    panel.chart.series_count = 1;
    check_ok(write_panel(&panel, testing_path("empty.png")));
    const struct ecc_circle odd[] = {{0, 0, -1, "a"},
                                     {NAN, 0, 1, "b"},
                                     {0, 0, INFINITY, "c"},
                                     {0, 0, 1e299, "d"},
                                     {0, 0, 1e-300, NULL}};
    const struct ecc_rule lost[] = {{NAN, false, "a"}, {INFINITY, true, "b"}, {0, true, NULL}};
    panel.chart.circles = odd;
    panel.chart.circle_count = 5;
    panel.chart.rules = lost;
    panel.chart.rule_count = 3;
    check_ok(write_panel(&panel, testing_path("empty.png")));
}

static void many_points_stay_small(void **state)
{
    (void)state;
    enum { N = 300000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    assert_true(x && y);
    for (size_t i = 0; i < N; i++) {
        x[i] = rand() / (double)RAND_MAX;
        y[i] = rand() / (double)RAND_MAX;
    }
    struct ecc_series many[] = {{.x = x, .y = y, .n = N, .mark = ECC_MARK_POINTS},
                                {.name = "line", .x = x, .y = y, .n = 2000}};
    struct ecc_panel panel = {.kind = ECC_PANEL_CHART};
    panel.chart.series = many;
    panel.chart.series_count = 2;
    const char *path = testing_path("many.svg");
    unsigned char *bytes;
    size_t size;
    check_ok(write_panel(&panel, path));
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    assert_true(size < 8000000);
    free(bytes);
    free(x);
    free(y);
}

static void check_refused(const struct ecc_panel *panel, const char *words)
{
    const char *path = testing_path("refused.png");
    testing_error.text[0] = '\0';
    check_fails(write_panel(panel, path), ECC_BAD_ARGUMENT, words);
    assert_int_not_equal(access(path, F_OK), 0);
    check_nothing_left();
}

/* Everything that a page gets: well nested, coloured by classes alone, inside its size. */
static void charts_become_inline_svg(void **state)
{
    (void)state;
    struct ecc_panel panel = make_chart();
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    assert_non_null(page);
    check_ok(ecc_chart_inline(page, &panel.chart, 340, 200, "a \"<b>\" \xFF", &testing_error));
    fclose(page);
    assert_non_null(strstr(text, "<svg role=\"img\" viewBox=\"0 0 340 200\""));
    assert_non_null(strstr(text, "aria-label=\"a &quot;&lt;b&gt;&quot; \xEF\xBF\xBD\""));
    static const char *const CLASSES[] = {"\"grid\"",
                                          "\"axis\"",
                                          "\"rule dashed\"",
                                          "\"circle\"",
                                          "\"line k0\"",
                                          "\"line k2\"",
                                          "\"point large none\"",
                                          "\"point large k2\"",
                                          "\"tick end\"",
                                          "\"label middle\" transform"};
    for (size_t i = 0; i < sizeof CLASSES / sizeof CLASSES[0]; i++) {
        char attribute[60];
        snprintf(attribute, sizeof attribute, "class=%s", CLASSES[i]);
        if (!strstr(text, attribute)) fail_msg("no %s in %s", attribute, text);
    }
    assert_null(strstr(text, "rgb"));
    assert_null(strchr(text, '#'));
    assert_null(strstr(text, "nan"));
    assert_string_equal(text + size - 7, "</svg>\n");
    for (const char *at = text; (at = strchr(at, 'M')); at++) {
        double x = -1, y = -1;
        if (sscanf(at, "M%lf %lf", &x, &y) != 2) continue;
        assert_true(x >= -1 && x <= 341 && y >= -1 && y <= 201);
    }
    free(text);
    panel.chart.x = (struct ecc_axis){.low = 3, .high = 1};
    check_fails(ecc_chart_inline(stderr, &panel.chart, 340, 200, "", &testing_error),
                ECC_BAD_ARGUMENT, "x axis");
}

static void bars_stand_on_zero(void **state)
{
    (void)state;
    const double heights[] = {2, -1, NAN};
    const struct ecc_series bars = {
        .y = heights, .n = 3, .mark = ECC_MARK_BARS, .colour = {1, 0, 0, 1}};
    struct ecc_panel panel = {.chart = {.x = {NULL, 0.5, 3.5, false, true},
                                        .y = {NULL, -2, 4, false, false},
                                        .series = &bars,
                                        .series_count = 1}};
    int x, y;
    /* 3 units of area: each 0.72 of a third of the width by a sixth of the height, but at most 40
     * points wide; the body is 352 by 235 points, 2 pixels each. */
    const double unit = 2 * 40 * 2 * 235 / 6.0;
    assert_in_range(count_pixels(&panel, 0xff0000, &x, &y), 2.9 * unit, 3.1 * unit);
}

/* The page has the colours of colour.c: the one list is checked against the other. */
static void pages_have_the_same_colours(void **state)
{
    (void)state;
    const struct ecc_style *style = ecc_styles;
    while (style->name && strcmp(style->name, "page") != 0) style++;
    assert_non_null(style->name);
    for (size_t i = 0; i < 10; i++) {
        char words[40];
        snprintf(words, sizeof words, "--k%zu: #%06x;", i,
                 (unsigned)(ecc_colour_pixel(ecc_colour_category(i)) & 0xffffff));
        if (!strstr(style->text, words)) fail_msg("page.css lacks %s", words);
    }
}

/* ---- Many categories ------------------------------------------------------------------------ */

/* Pixels and paths have the same shapes, all about as large as the disc. */
static void shapes_are_the_same_as_distances_and_paths(void **state)
{
    (void)state;
    cairo_surface_t *const surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *const cr = cairo_create(surface);
    for (int category = 0; category < ECC_CATEGORY_MARKS; category += 10) {
        const enum ecc_shape shape = ecc_category_shape(category);
        size_t inside = 0, differ = 0;
        cairo_new_path(cr);
        ecc_shape_path(cr, shape, 0, 0, 10);
        for (int i = -200; i <= 200; i++) {
            for (int k = -200; k <= 200; k++) {
                const double x = 0.1 * i + 0.03, y = 0.1 * k + 0.03;
                const double distance = ecc_shape_distance(shape, x, y, 10);
                if (distance < 0) assert_true(hypot(x, y) <= 10.3 * ecc_shape_reach(shape));
                inside += distance < 0;
                differ += fabs(distance) > 0.1 && (distance < 0) != cairo_in_fill(cr, x, y);
            }
        }
        assert_int_equal(differ, 0);
        check_relative((double)inside / 100, M_PI * 100, 0.2, "the area of a shape");
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

/* No two of forty categories have the same colour and shape; the others have none. */
static void forty_categories_have_a_mark(void **state)
{
    (void)state;
    const struct ecc_colour none = ecc_category_colour(-1), more = ecc_category_colour(40);
    assert_memory_equal(&none, &more, sizeof none);
    assert_false(ecc_category_marked(-1) || ecc_category_marked(ECC_CATEGORY_MARKS));
    for (int a = 0; a < ECC_CATEGORY_MARKS; a++) {
        for (int b = 0; b < a; b++) {
            const struct ecc_colour one = ecc_category_colour(a), two = ecc_category_colour(b);
            assert_true(ecc_category_shape(a) != ecc_category_shape(b) ||
                        memcmp(&one, &two, sizeof one) != 0);
        }
    }
}

/* 2,000 of one class, 20 of another: the rare ones come last, mixed with as many of the others. */
static void rare_categories_are_drawn_last(void **state)
{
    (void)state;
    enum { N = 2020 };
    static double x[N], y[N];
    static int32_t category[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)i;
        category[i] = i < 20;
    }
    const struct ecc_plane plane = {
        .x = x, .y = y, .category = category, .n = N, .category_count = 2};
    struct ecc_plane arranged;
    check_ok(ecc_plane_arrange(&arranged, &plane, &testing_error));
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        const size_t item = (size_t)arranged.x[i];
        assert_int_equal(arranged.category[i], category[item]);
        if (item < 20) assert_in_range(i, N - 80, N - 1);
        sum += arranged.x[i];
    }
    assert_true(sum == (double)N * (N - 1) / 2 && x[0] == 0);
    ecc_plane_release(&arranged);
}

/* Of fifty classes the ten rarest are left without a mark, whatever their numbers. */
static void the_most_frequent_categories_keep_their_marks(void **state)
{
    (void)state;
    enum { N = 50 * 51 / 2 };
    static double x[N], y[N];
    static int32_t category[N];
    static char texts[50][8];
    const char *many[50];
    size_t n = 0;
    for (int32_t c = 0; c < 50; c++) {
        snprintf(texts[c], sizeof texts[c], "c%d", (int)c);
        many[c] = texts[c];
        for (int32_t i = 0; i <= c; i++) category[n++] = c;
    }
    for (size_t i = 0; i < N; i++) x[i] = y[i] = category[i];
    const struct ecc_plane plane = {
        .x = x, .y = y, .category = category, .n = N, .category_names = many, .category_count = 50};
    struct ecc_plane arranged;
    check_ok(ecc_plane_arrange(&arranged, &plane, &testing_error));
    assert_string_equal(arranged.category_names[0], "c49");
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(arranged.category[i], 49 - (int)arranged.x[i]);
    }
    ecc_plane_release(&arranged);
    const char *path = testing_path("classes.svg");
    check_ok(ecc_draw_plane(&plane, path, &testing_error));
    check_relative(ecc_plane_reach(&plane, x, 5), 1.2 * 49, 1e-12, "shows the last class");
    check_relative(ecc_plane_reach(&plane, x, 500), 500, 1e-12, "at least");
}

/* In a page, the words of arrows and classes: each once, and apart from the others. */
static void words_on_a_chart_do_not_overlap(void **state)
{
    (void)state;
    struct ecc_plot plot;
    make_chart();
    ecc_plot_start(&plot, NULL, 0, 0);
    ecc_plot_chart(&plot, NULL, NULL, NULL)->legend = ECC_LEGEND_NONE;
    ecc_plot_points(&plot, NULL, xs, ys, 200);
    for (int i = 0; i < 6; i++) {
        ecc_plot_arrow(&plot, 2 + 0.001 * i, 0.5, ecc_plot_text(&plot, "arrow %d", i));
        ecc_plot_tag(&plot, 1 + 0.01 * i, 0.1, ecc_plot_text(&plot, "tag %d", i));
    }
    char *page;
    size_t size, found = 0;
    FILE *const out = open_memstream(&page, &size);
    check_ok(ecc_plot_inline(&plot, out, 400, 300, "words", &testing_error));
    fclose(out);
    double places[12][2];
    for (const char *at = page; (at = strstr(at, "<text class=\"halo\" x=\"")); at++) {
        assert_int_equal(sscanf(at, "<text class=\"halo\" x=\"%lf\" y=\"%lf\"", &places[found][0],
                                &places[found][1]),
                         2);
        for (size_t i = 0; i < found; i++) {
            assert_true(fabs(places[found][1] - places[i][1]) > 7 ||
                        fabs(places[found][0] - places[i][0]) > 20);
        }
        found++;
    }
    assert_int_equal(found, 12);
    free(page);
    ecc_plot_release(&plot);
}

/* Step by step, of many pieces, the same picture as from structs. */
static void plots_are_figures(void **state)
{
    (void)state;
    const struct ecc_panel panel = make_chart();
    const char *path = testing_path("plot.pdf");
    unsigned char *bytes, *again;
    size_t size, size_again;
    check_ok(write_panel(&panel, path));
    check_ok(ecc_file_read(&bytes, &size, path, &testing_error));
    struct ecc_plot plot;
    ecc_plot_start(&plot, "μ = 1", 0, 0);
    plot.figure.caption = ecc_plot_text(&plot, "of √%s", "d");
    struct ecc_chart *const chart = ecc_plot_chart(&plot, "chart", "x", "a longer y label");
    chart->category_names = names;
    chart->category_count = 3;
    ecc_plot_line(&plot, "line", xs, ys, 200);
    ecc_plot_points(&plot, "line", xs, ys, 200)->category = classes;
    ecc_plot_line(&plot, NULL, ys, xs, 9)->mark = ECC_MARK_STEPS;
    ecc_plot_rule_upright(&plot, 1.5, "√d");
    ecc_plot_rule(&plot, 0.25, "ρ");
    ecc_plot_circle(&plot, 0, 0, 1, "ρ = 1");
    check_ok(ecc_plot_draw(&plot, testing_path("plot.png"), &testing_error));
    check_ok(ecc_plot_write(&plot, path, &testing_error));
    check_ok(ecc_file_read(&again, &size_again, path, &testing_error));
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    free(bytes);
    free(again);
}

static void plots_grow(void **state)
{
    (void)state;
    struct ecc_plot plot;
    ecc_plot_start(&plot, "many", 60, 40);
    plot.figure.columns = 6;
    const double heights[] = {1, 3, 2};
    for (size_t p = 0; p < 11; p++) {
        ecc_plot_chart(&plot, ecc_plot_text(&plot, "panel %zu", p), NULL, NULL);
        for (size_t s = 0; s < p; s++) ecc_plot_line(&plot, NULL, NULL, heights, 3);
        ecc_plot_rule(&plot, 2, ecc_plot_text(&plot, "%zu", p));
    }
    const char **const list = ecc_plot_names(&plot, 2);
    double *const values = ecc_plot_numbers(&plot, 2);
    assert_true(list && values && !list[1] && values[1] == 0);
    list[0] = list[1] = "name";
    ecc_plot_heat(&plot, "heat", values, 1, 2)->column_names = list;
    ecc_plot_sheet(&plot, images, 3, 3, 4, 5)->columns = 3;
    char folder[400];
    snprintf(folder, sizeof folder, "%s", testing_path(""));
    check_ok(ecc_plot_write_in(&plot, folder, "many.png", &testing_error));
    assert_int_equal(access(testing_path("many.png"), F_OK), 0);
    ecc_plot_start(&plot, "empty", 0, 0);
    check_fails(ecc_plot_write(&plot, testing_path("none.png"), &testing_error), ECC_BAD_ARGUMENT,
                "one panel");
    ecc_plot_start(&plot, "too large", 0, 0);
    assert_null(ecc_plot_numbers(&plot, SIZE_MAX / 2));
    ecc_plot_chart(&plot, NULL, NULL, NULL);
    check_fails(ecc_plot_write(&plot, testing_path("none.png"), &testing_error), ECC_NO_MEMORY,
                "a picture");
}

static void bad_charts_are_refused(void **state)
{
    (void)state;
    struct ecc_panel panel = make_chart();
    panel.chart.x = (struct ecc_axis){.low = 3, .high = 1};
    check_refused(&panel, "x axis");
    panel = make_chart();
    panel.chart.y = (struct ecc_axis){.low = 0, .high = 1, .logarithmic = true};
    check_refused(&panel, "logarithmic y axis starts at 0");
    panel.chart.y = (struct ecc_axis){.low = 0, .high = INFINITY};
    check_refused(&panel, "y axis");
    panel = make_chart();
    series[1].y = NULL;
    check_refused(&panel, "series 2 of a chart has 200 points but no y");
    panel = make_chart();
    series[0].size = -1;
    check_refused(&panel, "size -1");
    panel = make_chart();
    panel.chart.series = NULL;
    check_refused(&panel, "NULL");
    panel.kind = (enum ecc_panel_kind)7;
    check_refused(&panel, "unknown kind 7");
}

static void bad_grids_are_refused(void **state)
{
    (void)state;
    struct ecc_panel panel = make_heat();
    panel.heat.rows = 0;
    check_refused(&panel, "0 by 3");
    panel.heat.rows = SIZE_MAX;
    check_refused(&panel, "too large");
    panel = make_heat();
    panel.heat.limit = -1;
    check_refused(&panel, "not -1");
    panel = make_sheet();
    panel.sheet.channels = 2;
    check_refused(&panel, "not 2");
    panel = make_sheet();
    panel.sheet.count = 0;
    check_refused(&panel, "0 of 5 by 4 pixels");
    panel.sheet.count = SIZE_MAX / 8;
    check_refused(&panel, "too large");
    panel = make_sheet();
    panel.sheet.scale = 1e6;
    check_refused(&panel, "14400");
    panel.sheet.scale = 900; /* no side too long: 9000 by 7200 points */
    check_refused(&panel, "40 million");
    panel.sheet.scale = (double)NAN;
    check_refused(&panel, "points per pixel");
}

static void bad_figures_and_paths_are_refused(void **state)
{
    (void)state;
    const struct ecc_panel panel = make_chart();
    struct ecc_figure figure = {0};
    const char *path = testing_path("x.png");
    check_fails(ecc_figure_write(&figure, path, &testing_error), ECC_BAD_ARGUMENT, "one panel");
    figure.panels = &panel;
    figure.panel_count = 1;
    figure.panel_width = 1e9;
    check_fails(ecc_figure_write(&figure, path, &testing_error), ECC_BAD_ARGUMENT, "14400");
    assert_int_not_equal(access(path, F_OK), 0);
    check_fails(ecc_figure_check_path("x.jpg", &testing_error), ECC_BAD_ARGUMENT, "'x.jpg'");
    check_fails(ecc_figure_check_path("png", &testing_error), ECC_BAD_ARGUMENT, ".svg or .pdf");
    check_fails(ecc_figure_check_path(NULL, &testing_error), ECC_BAD_ARGUMENT, ".png");
    check_ok(ecc_figure_check_path("a/b.Svg", &testing_error));
    check_fails(write_panel(&panel, testing_path("missing/x.png")), ECC_IO, "missing/x.png");
    check_fails(write_panel(&panel, testing_path("x.gif")), ECC_BAD_ARGUMENT, "x.gif");
    check_nothing_left();
}

static void panels_stand_in_a_grid(void **state)
{
    (void)state;
    struct ecc_panel panels[5] = {make_chart(), make_heat(), make_sheet(), make_heat(),
                                  make_chart()};
    const struct ecc_figure figure = {.title = "a title that is far longer than the figure is wide",
                                      .panels = panels,
                                      .panel_count = 5,
                                      .columns = 2,
                                      .panel_width = 120,
                                      .panel_height = 90};
    const char *path = testing_path("grid.png");
    check_ok(ecc_figure_write(&figure, path, &testing_error));
    cairo_surface_t *image = cairo_image_surface_create_from_png(path);
    assert_in_range(cairo_image_surface_get_width(image), 2 * 240, 2 * 900);
    assert_in_range(cairo_image_surface_get_height(image), 2 * 270, 2 * 900);
    cairo_surface_destroy(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_lie_within_and_differ),
        cmocka_unit_test(linear_ticks_are_evenly_spaced),
        cmocka_unit_test(labels_have_the_right_precision),
        cmocka_unit_test(scales_fit_what_they_saw),
        cmocka_unit_test(colours_run_as_promised),
        cmocka_unit_test(categories_differ_and_cycle),
        cmocka_unit_test(text_is_cleaned),
        cmocka_unit_test(every_kind_in_every_format),
        cmocka_unit_test(heat_cells_have_their_colours),
        cmocka_unit_test(sheet_pixels_are_sharp),
        cmocka_unit_test(points_and_lines_leave_ink),
        cmocka_unit_test(odd_charts_are_drawn),
        cmocka_unit_test(empty_charts_are_drawn),
        cmocka_unit_test(many_points_stay_small),
        cmocka_unit_test(charts_become_inline_svg),
        cmocka_unit_test(bars_stand_on_zero),
        cmocka_unit_test(pages_have_the_same_colours),
        cmocka_unit_test(plots_are_figures),
        cmocka_unit_test(plots_grow),
        cmocka_unit_test(bad_charts_are_refused),
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(bad_figures_and_paths_are_refused),
        cmocka_unit_test(panels_stand_in_a_grid),
        cmocka_unit_test(shapes_are_the_same_as_distances_and_paths),
        cmocka_unit_test(forty_categories_have_a_mark),
        cmocka_unit_test(rare_categories_are_drawn_last),
        cmocka_unit_test(the_most_frequent_categories_keep_their_marks),
        cmocka_unit_test(words_on_a_chart_do_not_overlap),
    };
    return cmocka_run_group_tests_name("figure", tests, NULL, NULL);
}
