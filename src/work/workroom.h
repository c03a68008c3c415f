/*
 * workroom.h: a directory in which one process at a time trains runs and keeps what it measured.
 */
#ifndef ECC_WORK_WORKROOM_H
#define ECC_WORK_WORKROOM_H

#include "base/status.h"

#include <jansson.h>

/* Digits of the numbers in results.json. */
enum { ECC_RESULTS_DIGITS = 12 };

#define ECC_INTERRUPTED_TEXT "interrupted; the same command goes on where it stopped"

/* Makes OUT and folders, ending in NULL, and keeps other processes from working in it until *lock,
 * a file, is closed or this process ends. */
enum ecc_status ecc_workroom_open(int *lock, const char *out, const char *const *folders,
                                  struct ecc_error *error);

/* Complete or not there; with 17 digits numbers are read back as they were. */
enum ecc_status ecc_workroom_write_json(const json_t *json, size_t digits, const char *path,
                                        struct ecc_error *error);

/* *text: of the results, as in their file, which this releases; NULL if there are none.  Passes the
 * status on. */
enum ecc_status ecc_workroom_text(char **text, json_t *results, enum ecc_status status,
                                  struct ecc_error *error);

/* A checksum of a file; 0 where it cannot be read. */
uint32_t ecc_workroom_sum(const char *path);

#endif
