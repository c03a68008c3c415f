/* fuzz_metrics.c: any bytes as metrics.jsonl, and cut where a resumed training would cut them. */
#include "fuzz.h"
#include "run/metrics_table.h"

static void check_table(const struct ecc_metrics_table *table)
{
    require(table->rows == 0 || (table->columns > 0 && strcmp(table->names[0], "step") == 0));
    for (size_t i = 0; i < table->columns; i++) require(table->names[i] != NULL);
    for (size_t i = 0; i < table->rows; i++) require(table->values[i * table->columns] >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *const text = (const char *)bytes;
    struct ecc_metrics_table table;
    struct ecc_error error = {0};
    if (ecc_metrics_decode(&table, text, size, "fuzz", &error) == ECC_OK) {
        check_table(&table);
        ecc_metrics_table_release(&table);
    } else {
        check_sentence(&error);
    }
    for (uint64_t step = 0; step < 3; step++) {
        const size_t kept = ecc_metrics_lines_until(text, size, step * step * 100);
        require(kept <= size && (kept == 0 || text[kept - 1] == '\n'));
        /* what is kept can be read */
        error = (struct ecc_error){0};
        require(ecc_metrics_decode(&table, text, kept, "fuzz", &error) == ECC_OK);
        ecc_metrics_table_release(&table);
    }
    return 0;
}
