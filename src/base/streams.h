/*
 * streams.h: the registry of random streams (rng.h): one for each purpose, so that no two purposes
 * draw the same numbers from the same seed.
 *
 * Most are a word in the upper 24 bits; the 40 bits below count steps, epochs or attempts.  Never
 * change a value: the results of a seed depend on it.  tests/unit/test_rng.c checks that none is
 * used twice.
 */
#ifndef ECC_BASE_STREAMS_H
#define ECC_BASE_STREAMS_H

#include <stdint.h>

/* Name and value; who draws what; + what is added to the value. */
// clang-format off
#define ECC_STREAMS(S) \
    S(PLAIN, 0)                             /* simulate: start; data: test part, examples */ \
    S(NET, UINT64_C(0x6e6574) << 40)        /* nn: initial weights; + number of the tensor */ \
    S(ORDER, UINT64_C(0x6f72646572) << 24)  /* data: order of the items; + epoch */ \
    S(GLYPH_DIGIT, 0x676c7970)              /* data: digit and style of a glyph */ \
    S(GLYPH_NORMAL, 0x676c7971)             /* data: factors and tremor of a glyph */ \
    S(MMD, UINT64_C(0x6d6d64) << 40)        /* regularizer: sample of the prior; + step */ \
    S(KL, UINT64_C(0x6b6c) << 40)           /* regularizer: noise of the latents; + step */ \
    S(UAE, UINT64_C(0x756165) << 40)        /* regularizer: noise of the latents; + step */ \
    S(NESTED, UINT64_C(0x6e7374) << 40)     /* regularizer: how many latents are kept; + step */ \
    S(SIGREG, UINT64_C(0x736967) << 40)     /* regularizer: directions; + step */ \
    S(SWAE, UINT64_C(0x737761) << 40)       /* regularizer: directions; + step */ \
    S(SWAE_PRIOR, UINT64_C(0x737770) << 40) /* regularizer: sample of the prior; + step */ \
    S(SVAE_TANGENT, UINT64_C(0x737674) << 40) /* regularizer: direction around the mean; + step */ \
    S(SVAE_HEIGHT, UINT64_C(0x737668) << 40) /* regularizer: cosine to the mean; + step */ \
    S(SVAE_GAMMA, UINT64_C(0x737667) << 40) /* regularizer: of a Gamma variable; + step */ \
    S(BINARY, UINT64_C(0x62696e) << 40)     /* train: black or white pixels; + step */ \
    S(BINARY_ASIDE, UINT64_C(0x626961) << 40) /* train: those of the validation items */ \
    S(BINARY_TEST, UINT64_C(0x626974) << 40) /* likelihood: those of the items that are measured */ \
    S(IMPORTANCE, UINT64_C(0x696d70) << 40) /* likelihood: latents of an item; + item */ \
    S(VQ, UINT64_C(0x7671) << 40)           /* regularizer: outputs that codes restart from; + step */ \
    S(SIMVQ, UINT64_C(0x737671) << 40)      /* regularizer: vectors that a codebook is made of */ \
    S(CRITIC, UINT64_C(0x637274) << 40)     /* regularizer: first weights of a discriminator */ \
    S(WAE_GAN, UINT64_C(0x776761) << 40)    /* regularizer: draws of its prior; + step */ \
    S(SPECTRAL, UINT64_C(0x737063) << 40)   /* nn: first vectors of power iterations; + number */ \
    S(IMPORTANCE_HEIGHT, UINT64_C(0x696d68) << 40) /* likelihood: of latents on a sphere; + item */ \
    S(IMPORTANCE_GAMMA, UINT64_C(0x696d67) << 40) /* likelihood: likewise; + item */ \
    S(TWO_STAGE, UINT64_C(0x747773) << 40)  /* evaluate: latents of a second stage */ \
    S(TWO_STAGE_NOISE, UINT64_C(0x74776e) << 40) /* evaluate: noise of what it decodes */ \
    S(VALIDATION, UINT64_C(0x76616c) << 40) /* train: items kept aside for validation */ \
    S(SAMPLES, UINT64_C(0x736d70) << 40)    /* train: figures/samples.png */ \
    S(PCA, UINT64_C(0x706361) << 40)        /* latent: first guess of the components */ \
    S(NORMAL, UINT64_C(0x736d6e) << 40)     /* latent: samples; + attempt */ \
    S(CHOICE, UINT64_C(0x736d63) << 40)     /* latent: which Gaussian a sample comes from */ \
    S(MIXTURE, UINT64_C(0x676d6d) << 40)    /* latent: first centre; + 1 for the others */ \
    S(MIXTURE_PART, UINT64_C(0x676d73) << 40) /* latent: items that a mixture is fitted to */ \
    S(CLASSIFY, UINT64_C(0x636c73) << 40)   /* classify: subsets; + size << 16 + repeat, times 2 */ \
    S(HEAD_WEIGHTS, UINT64_C(0x686477) << 40) /* latent: first weights of a classifier */ \
    S(HEAD_ORDER, UINT64_C(0x68646f) << 40) /* latent: order of its items; + epoch */ \
    S(HEAD_DROPOUT, UINT64_C(0x686464) << 40) /* latent: what its dropout leaves */ \
    S(HEAD_SPLIT, UINT64_C(0x686473) << 40) /* latent: items kept aside to choose epochs by */ \
    S(SPLIT, 0x434c5300)                    /* score: items kept aside by the classifier */ \
    S(KID_KEEP, 0x4b494400)                 /* score: features that are kept */ \
    S(KID_SUBSET, 0x4b494401)               /* score: subsets of features; + 2 * number + side */ \
    S(SHOWN, UINT64_C(0x727074) << 40)      /* report: items on the map */ \
    S(PLANE, UINT64_C(0x706c6e) << 40)      /* show: order in which points are drawn */
// clang-format on

#define ECC_STREAM_CONSTANT(name, value) static const uint64_t ECC_STREAM_##name = value;
ECC_STREAMS(ECC_STREAM_CONSTANT)
#undef ECC_STREAM_CONSTANT

#endif
