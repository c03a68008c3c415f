/* schema.c: the columns of a table: copies and conversion of cells. */
#include "data/schema.h"

#include "base/text.h"

#include <stdlib.h>

void ecc_schema_free(struct ecc_schema *schema)
{
    if (!schema) return;
    for (size_t i = 0; i < schema->count; i++) {
        struct ecc_column *const column = &schema->columns[i];
        free(column->name);
        free(column->reason);
        ecc_free_texts(column->levels, column->level_count);
    }
    free(schema->columns);
    free(schema);
}
