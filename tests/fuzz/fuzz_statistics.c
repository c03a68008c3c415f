/* fuzz_statistics.c: any bytes as the statistics of features: mean, covariance, what they are of.
 */
#include "fuzz.h"
#include "score/feature_statistics.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[] = "fuzz.npz";
    struct ecc_archive file = {.path = path};
    struct ecc_statistics s;
    struct ecc_error error = {0};
    if (ecc_zip_open(&file.zip, bytes, size, path, &error) != ECC_OK) {
        check_sentence(&error);
        return 0;
    }
    if (ecc_statistics_decode(&s, &file, &error) != ECC_OK) {
        check_sentence(&error);
        require(!s.mean && !s.covariance && !s.pca.axes && !s.pca.mean);
    } else {
        require(s.size >= 1 && s.size <= ECC_MOST_FEATURES);
        for (size_t i = 0; i < s.size; i++) {
            require(s.covariance[i] == s.covariance[i * s.size]); /* symmetric */
        }
        require(strlen(s.identity) < sizeof s.identity);
        if (s.pca.d > 0) {
            require(s.pca.d == s.size && s.pca.size > 0 && strncmp(s.identity, "pca ", 4) == 0);
            for (size_t i = 0; i < s.pca.d * s.pca.size; i++) require(isfinite(s.pca.axes[i]));
            for (size_t i = 0; i < s.pca.size; i++) require(isfinite(s.pca.mean[i]));
        } else {
            require(!s.pca.axes && !s.pca.mean);
        }
    }
    ecc_statistics_release(&s);
    ecc_zip_release(&file.zip);
    return 0;
}
