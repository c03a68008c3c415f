/* replay.c: runs a fuzz target over every file of the directories given, as an ordinary test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A block of exactly the file's size, so that a sanitizer sees reads beyond it. */
static uint8_t *read_whole(const char *path, size_t *size)
{
    struct stat information;
    FILE *stream = fopen(path, "rb");
    if (!stream) return NULL;
    uint8_t *bytes = NULL;
    if (fstat(fileno(stream), &information) == 0 && S_ISREG(information.st_mode)) {
        *size = (size_t)information.st_size;
        bytes = malloc(*size ? *size : 1);
        if (bytes && fread(bytes, 1, *size, stream) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(stream);
    return bytes;
}

static int replay_file(const char *directory, const char *name)
{
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    uint8_t *bytes = read_whole(path, &size);
    if (!bytes) {
        fprintf(stderr, "replay: cannot read '%s'\n", path);
        return 1;
    }
    fprintf(stderr, "%s\n", path); /* the last one named is the one that crashed */
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 0;
}

/* Returns the number of files, or -1. */
static long replay_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) {
        perror(path);
        return -1;
    }
    long count = 0, failed = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        failed += replay_file(path, entry->d_name);
        count++;
    }
    closedir(directory);
    return failed ? -1 : count;
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "usage: %s CORPUS...\n", arguments[0]);
        return 2;
    }
    long total = 0;
    for (int i = 1; i < count; i++) {
        const long files = replay_directory(arguments[i]);
        if (files < 0) return 1;
        total += files;
    }
    printf("replayed %ld files\n", total);
    if (total == 0) fprintf(stderr, "replay: no files, so nothing was tested\n");
    return total == 0;
}
