/*
 * config.h: config.json of a run: the resolved, complete settings, read and written by key.
 *
 * Keys may reach into sections: "train.lambda".  Getters name file and key when a key is missing
 * or has the wrong type.  Setters remember a failure, and ecc_config_write reports it, so a list of
 * them needs no checks.  A number that is not finite, and a text that is NULL, become null; null
 * reads back as NaN.
 */
#ifndef ECC_RUN_CONFIG_H
#define ECC_RUN_CONFIG_H

#include "base/status.h"

#include <jansson.h>

enum { ECC_CONFIG_FORMAT = 1, ECC_CONFIG_MAX_KEY = 128 };

struct ecc_config {
    json_t *root; /* an object */
    char *path;   /* for messages */
    bool failed;  /* a setter failed */
};

enum ecc_status ecc_config_init(struct ecc_config *config, const char *path,
                                struct ecc_error *error);
enum ecc_status ecc_config_read(struct ecc_config *config, const char *path,
                                struct ecc_error *error);
/* From memory; the bytes may be anything. */
enum ecc_status ecc_config_decode(struct ecc_config *config, const char *bytes, size_t size,
                                  const char *path, struct ecc_error *error);
/* As JSON; *text is the caller's to free. */
enum ecc_status ecc_config_encode(const struct ecc_config *config, char **text,
                                  struct ecc_error *error);
/* Durably, keys in the order in which they were set. */
enum ecc_status ecc_config_write(const struct ecc_config *config, struct ecc_error *error);
void ecc_config_release(struct ecc_config *config);

bool ecc_config_has(const struct ecc_config *config, const char *key);

void ecc_config_set_text(struct ecc_config *config, const char *key, const char *value);
void ecc_config_set_number(struct ecc_config *config, const char *key, double value);
void ecc_config_set_u64(struct ecc_config *config, const char *key, uint64_t value);
void ecc_config_set_flag(struct ecc_config *config, const char *key, bool value);
void ecc_config_set_numbers(struct ecc_config *config, const char *key, const double *values,
                            size_t count);
/* Takes over `value`; NULL is a failure, as without memory. */
void ecc_config_set_json(struct ecc_config *config, const char *key, json_t *value);
void ecc_config_set_texts(struct ecc_config *config, const char *key, char *const *values,
                          size_t count);

/* *value points into the config. */
enum ecc_status ecc_config_get_text(const struct ecc_config *config, const char **value,
                                    const char *key, struct ecc_error *error);
enum ecc_status ecc_config_get_number(const struct ecc_config *config, double *value,
                                      const char *key, struct ecc_error *error);
enum ecc_status ecc_config_get_u64(const struct ecc_config *config, uint64_t *value,
                                   const char *key, struct ecc_error *error);
enum ecc_status ecc_config_get_size(const struct ecc_config *config, size_t *value, const char *key,
                                    struct ecc_error *error);
enum ecc_status ecc_config_get_flag(const struct ecc_config *config, bool *value, const char *key,
                                    struct ecc_error *error);
/* NULL if there is no such key; stays the config's. */
const json_t *ecc_config_get_json(const struct ecc_config *config, const char *key);
/* How long a list is; then its items, which must be exactly `count`. */
enum ecc_status ecc_config_get_length(const struct ecc_config *config, size_t *count,
                                      const char *key, struct ecc_error *error);
enum ecc_status ecc_config_get_numbers(const struct ecc_config *config, double *values,
                                       const char *key, size_t count, struct ecc_error *error);
/* values: [count] pointers into the config. */
enum ecc_status ecc_config_get_texts(const struct ecc_config *config, const char **values,
                                     const char *key, size_t count, struct ecc_error *error);

#endif
