/* latents_option.c: the options of latents from elsewhere. */
#include "cli/latents_option.h"

enum ecc_status ecc_cli_check_latents(const struct ecc_latents_request *latents, size_t runs,
                                      const char *data, const char *command,
                                      struct ecc_error *error)
{
    if (latents->latents && runs > 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "%s takes RUN or --latents Z.npy, got both: latents of a run come with it",
                        command);
    }
    if (latents->latents && data) {
        return ecc_fail(error, ECC_BAD_ARGUMENT,
                        "--data goes with a run; the images of --latents are --images DATA");
    }
    if (!latents->latents && runs == 0) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "%s needs RUN [RUN2], or --latents Z.npy",
                        command);
    }
    if (!latents->latents && (latents->images || latents->metadata)) {
        return ecc_fail(error, ECC_BAD_ARGUMENT, "--%s goes with --latents Z.npy, not with a run",
                        latents->images ? "images" : "metadata");
    }
    return ECC_OK;
}
