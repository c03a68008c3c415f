/* test_html.c: pages: foreign text cannot become markup, pictures come back from them. */
#include "show/html.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* What a page would hold; the caller's to free. */
static char *made(void (*put)(FILE *out, const char *text), const char *text)
{
    char *buffer = NULL;
    size_t size;
    FILE *const out = open_memstream(&buffer, &size);
    assert_non_null(out);
    put(out, text);
    assert_int_equal(fclose(out), 0);
    return buffer;
}

static void check_text(const char *text, const char *expected)
{
    char *const got = made(ecc_html_text, text);
    assert_string_equal(got, expected);
    free(got);
}

static void escapes_markup(void **state)
{
    (void)state;
    check_text("", "");
    check_text("<b>&\"'", "&lt;b&gt;&amp;&quot;'");
    check_text("λ ≤ √2 \xf0\x9f\x98\x80", "λ ≤ √2 \xf0\x9f\x98\x80");
    check_text("a\tb\nc", "a\tb\nc");
}

#define NOT "\xef\xbf\xbd"

/* Cut, overlong, surrogates, beyond Unicode, control characters. */
static void replaces_what_is_no_text(void **state)
{
    (void)state;
    check_text("\x80", NOT);
    check_text("a\xc3", "a" NOT);
    check_text("\xc3<", NOT "&lt;");
    check_text("\xe2\x82<", NOT NOT "&lt;");
    check_text("\xc0\xbc", NOT NOT);
    check_text("\xe0\x80\xbc", NOT NOT NOT);
    check_text("\xed\xa0\x80", NOT NOT NOT);
    check_text("\xf4\x90\x80\x80", NOT NOT NOT NOT);
    check_text("\xff\x01\x1b\x7f", NOT NOT NOT NOT);
    check_text("\xc2\x85", NOT NOT);
}

static void put_sentence(FILE *out, const char *text)
{
    ecc_html_print(out, "%s is %d", text, 3);
}

static void put_image(FILE *out, const char *text)
{
    static const unsigned char file[25] = {[0] = 0x89, [18] = 1, [19] = 44, [23] = 60, [24] = 0xfb};
    ecc_html_png(out, file, strlen(text) + 23, 0.5, text);
}

static void puts_pictures_and_heads(void **state)
{
    (void)state;
    char *got = made(put_sentence, "<x>");
    assert_string_equal(got, "&lt;x&gt; is 3");
    free(got);
    got = made(put_image, "\"a"); /* 25 bytes: the last group has one, and two "=" */
    assert_string_equal(got, "<img width=\"150\" height=\"30\" alt=\"&quot;a\" src=\"data:image/"
                             "png;base64,iQAAAAAAAAAAAAAAAAAAAAAAASwAAAA8+w==\">");
    free(got);
    got = made(put_image, "a"); /* 24 bytes: no "=" */
    assert_string_equal(got, "<img width=\"150\" height=\"30\" alt=\"a\" src=\"data:image/"
                             "png;base64,iQAAAAAAAAAAAAAAAAAAAAAAASwAAAA8\">");
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_markup),
        cmocka_unit_test(replaces_what_is_no_text),
        cmocka_unit_test(puts_pictures_and_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
