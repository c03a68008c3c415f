/* fuzz_csv.c: any bytes as a table of text, with each way to find its labels. */
#include "data/csv.h"
#include "fuzz.h"

#include <math.h>

static void check_table(const struct ecc_csv *csv)
{
    require(csv->rows > 0 && csv->columns > 0);
    for (size_t i = 0; i < csv->rows * csv->columns; i++) {
        require(isfinite(csv->values[i]));
    }
    for (size_t i = 0; csv->names && i < csv->columns; i++) {
        require(csv->names[i] != NULL);
    }
    for (size_t i = 0; csv->labels && i < csv->rows; i++) {
        require(csv->labels[i] >= 0 && (size_t)csv->labels[i] < csv->class_count);
    }
    for (size_t i = 0; i < csv->class_count; i++) {
        require(csv->class_names[i] != NULL);
        require(i == 0 || strcmp(csv->class_names[i - 1], csv->class_names[i]) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const labels[] = {NULL, "none", "class", "2"};
    for (size_t i = 0; i < 4; i++) {
        char *const text = malloc(size + 1);
        require(text != NULL);
        if (size) memcpy(text, bytes, size);
        struct ecc_csv csv;
        struct ecc_error error = {0};
        if (ecc_csv_parse(&csv, text, size, labels[i], "fuzz.csv", &error) == ECC_OK) {
            free(text); /* nothing of it may be in use */
            check_table(&csv);
            ecc_csv_release(&csv);
        } else {
            free(text);
            check_sentence(&error);
        }
    }
    return 0;
}
