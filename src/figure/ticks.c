/* ticks.c: round numbers along an axis and their labels. */
#include "figure/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double power_of_ten(int exponent)
{
    return pow(10, exponent);
}

/* ---- Labels -------------------------------------------------------------------------------- */

/* "⁻12" in superscript digits. */
static void append_superscript(char *label, size_t capacity, int exponent)
{
    static const char *const DIGITS[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", exponent);
    size_t used = strlen(label);
    for (const char *digit = plain; *digit; digit++) {
        const char *raised = *digit == '-' ? "⁻" : DIGITS[*digit - '0'];
        used += (size_t)snprintf(label + used, capacity - used, "%s", raised);
        if (used >= capacity) return;
    }
}

/* Puts commas into the five and more digits of "60000", in place. */
static void group_thousands(char *number, size_t capacity)
{
    size_t length = strlen(number);
    size_t digits = strcspn(number, ".");
    if (digits < 5) return;
    while (digits > 3 && length + 2 <= capacity) {
        digits -= 3;
        memmove(number + digits + 1, number + digits, length - digits + 1);
        number[digits] = ',';
        length++;
    }
}

/* A number with a true minus sign, the same width as a plus. */
static void print_number(char *label, size_t capacity, double value, int decimals)
{
    char plain[40];
    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    const bool zero = strspn(plain, "0.") == strlen(plain);
    group_thousands(plain, sizeof plain);
    snprintf(label, capacity, "%s%s", value < 0 && !zero ? "−" : "", plain);
}

/* Multiples of a step share their decimals; very large and very small ones, a power of ten. */
static void label_linear(struct ecc_ticks *ticks, int step_exponent)
{
    const size_t capacity = sizeof ticks->label[0];
    double largest = 0;
    for (size_t i = 0; i < ticks->count; i++) {
        largest = fmax(largest, fabs(ticks->at[i]));
    }
    const int exponent = largest > 0 ? (int)floor(log10(largest) + 1e-9) : 0;
    const bool plain = exponent < 7 && step_exponent >= -4;
    for (size_t i = 0; i < ticks->count; i++) {
        char *label = ticks->label[i];
        const double value = ticks->at[i];
        if (plain || value == 0) {
            print_number(label, capacity, value, plain && step_exponent < 0 ? -step_exponent : 0);
            continue;
        }
        const int decimals = exponent - step_exponent;
        print_number(label, capacity, value / power_of_ten(exponent),
                     decimals < 15 ? decimals : 15);
        snprintf(label + strlen(label), capacity - strlen(label), "×10");
        append_superscript(label, capacity, exponent);
    }
}

/* m x 10^e: "0.002" where all ticks are of ordinary size, else "2×10⁻⁵", and "10⁻⁵" for m = 1. */
static void label_power(char *label, size_t capacity, int mantissa, int exponent, bool plain)
{
    if (plain) {
        print_number(label, capacity, mantissa * power_of_ten(exponent),
                     exponent < 0 ? -exponent : 0);
        return;
    }
    if (mantissa == 1) {
        snprintf(label, capacity, "10");
    } else {
        snprintf(label, capacity, "%d×10", mantissa);
    }
    append_superscript(label, capacity, exponent);
}

/* ---- Linear scales ------------------------------------------------------------------------- */

/* Multiples of step = mantissa x 10^exponent within the scale: how many, and the first. */
static double count_multiples(const struct ecc_scale *scale, double step, double *first)
{
    /* A limit such as 0.3 = 3 x 0.1 must not be lost to rounding. */
    const double slack = 1e-9;
    *first = ceil(scale->low / step - slack);
    return floor(scale->high / step + slack) - *first + 1;
}

static void choose_linear(struct ecc_ticks *ticks, const struct ecc_scale *scale, size_t most)
{
    static const int MANTISSAS[] = {1, 2, 5};
    const double span = scale->high - scale->low;
    int exponent = (int)floor(log10(span / (double)most)) - 1;
    for (size_t i = 0;; i++) {
        if (i == 3) {
            i = 0;
            exponent++;
        }
        if (scale->whole && exponent < 0) continue;
        const double step = MANTISSAS[i] * power_of_ten(exponent);
        double first;
        const double count = count_multiples(scale, step, &first);
        if (!(count <= (double)most)) continue;
        ticks->count = count > 0 ? (size_t)count : 0;
        for (size_t k = 0; k < ticks->count; k++) {
            /* A product with a power of ten below 1 is inexact: 3 x 0.1; a quotient is right. */
            const double multiple = (first + (double)k) * MANTISSAS[i];
            ticks->at[k] = exponent < 0 && exponent > -300 ? multiple / power_of_ten(-exponent)
                                                           : multiple * power_of_ten(exponent);
        }
        label_linear(ticks, exponent);
        return;
    }
}

/* ---- Logarithmic scales -------------------------------------------------------------------- */

/* The exponents of the powers of ten within the scale are first to last (none: last < first). */
struct decades {
    int first, last;
};

static struct decades find_decades(const struct ecc_scale *scale)
{
    return (struct decades){(int)ceil(log10(scale->low) - 1e-9),
                            (int)floor(log10(scale->high) + 1e-9)};
}

static bool within(const struct ecc_scale *scale, double value)
{
    return value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9);
}

/* Ticks at the given multiples of every power of ten; false if there would be more than `most`. */
static bool choose_multiples(struct ecc_ticks *ticks, const struct ecc_scale *scale,
                             const int *mantissas, size_t mantissa_count, size_t most)
{
    const struct decades d = find_decades(scale);
    const bool plain = scale->low >= 0.5e-3 && scale->high <= 2e5;
    ticks->count = 0;
    for (int exponent = d.first - 1; exponent <= d.last; exponent++) {
        for (size_t i = 0; i < mantissa_count; i++) {
            const double value = mantissas[i] * power_of_ten(exponent);
            if (!within(scale, value)) continue;
            if (ticks->count == most) return false;
            ticks->at[ticks->count] = value;
            label_power(ticks->label[ticks->count++], sizeof ticks->label[0], mantissas[i],
                        exponent, plain);
        }
    }
    return true;
}

/* Every stride-th power of ten, starting from a multiple of the stride. */
static void choose_powers(struct ecc_ticks *ticks, const struct ecc_scale *scale, size_t most)
{
    const struct decades d = find_decades(scale);
    int stride = 1;
    while ((size_t)(d.last - d.first) / (size_t)stride + 1 > most) {
        stride++;
    }
    const bool plain = scale->low >= 0.5e-3 && scale->high <= 2e5;
    ticks->count = 0;
    for (int exponent = d.first; exponent <= d.last && ticks->count < most; exponent++) {
        if (exponent % stride != 0) continue;
        ticks->at[ticks->count] = power_of_ten(exponent);
        label_power(ticks->label[ticks->count++], sizeof ticks->label[0], 1, exponent, plain);
    }
}

static void add_minor(struct ecc_ticks *ticks, const struct ecc_scale *scale)
{
    const struct decades d = find_decades(scale);
    for (int exponent = d.first - 1; exponent <= d.last; exponent++) {
        for (int mantissa = 2; mantissa <= 9; mantissa++) {
            const double value = mantissa * power_of_ten(exponent);
            if (within(scale, value) && ticks->minor_count < ECC_MINOR_TICKS) {
                ticks->minor[ticks->minor_count++] = value;
            }
        }
    }
}

static void choose_logarithmic(struct ecc_ticks *ticks, const struct ecc_scale *scale, size_t most)
{
    static const int MANTISSAS[] = {1, 2, 5};
    const struct decades d = find_decades(scale);
    if ((d.last - d.first + 2) * 8 <= ECC_MINOR_TICKS) add_minor(ticks, scale);
    if (choose_multiples(ticks, scale, MANTISSAS, 3, most) && ticks->count >= 3) return;
    if (d.last > d.first) {
        choose_powers(ticks, scale, most);
    } else if (ticks->count < 3) {
        /* Less than a decade, and no three of 1, 2, 5 in it: evenly spaced numbers say more. */
        choose_linear(ticks, scale, most);
    }
}

void ecc_ticks_choose(struct ecc_ticks *ticks, const struct ecc_scale *scale, size_t most)
{
    if (most < 2) most = 2;
    if (most > ECC_TICKS) most = ECC_TICKS;
    ticks->count = ticks->minor_count = 0;
    if (scale->logarithmic) {
        choose_logarithmic(ticks, scale, most);
    } else {
        choose_linear(ticks, scale, most);
    }
}
