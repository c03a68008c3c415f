/* fuzz_page_net.c: the net of the one-file page, read from any bytes; one that is read can be run.
 */
#include "fuzz.h"
#include "wasm/net.c"

#include <stdlib.h>

enum { MOST = 1 << 20 }; /* bytes that a net may take */

static void *taken[4096];
static size_t taken_count, taken_bytes;

void *net_reserve(unsigned long bytes)
{
    if (bytes > MOST - taken_bytes || taken_count == sizeof taken / sizeof taken[0]) return NULL;
    taken_bytes += bytes;
    return taken[taken_count++] = aligned_alloc(16, (bytes + 31) / 16 * 16);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    const int net = net_load(data, length);
    if (net) {
        for (size_t i = 0; i < nets[net - 1].inputs; i++) net_input(net)[i] = (float)i;
        net_run(net);
    }
    while (taken_count > 0) free(taken[--taken_count]);
    taken_bytes = 0;
    net_count = 0;
    return 0;
}
