/* fuzz_words.c: any words on the command line of any command, up to where it would start its work.
 * The first byte is the command; words end in a line end. */
#include "cli/command.h"
#include "fuzz.h"

enum { MOST_WORDS = 40 };

static void check_words(const struct ecc_command *command, char **argv, int argc)
{
    struct ecc_error error = {0};
    void *const settings = calloc(1, command->settings_size);
    struct ecc_words words = {
        .argc = argc, .argv = argv, .operands = calloc((size_t)argc + 1, sizeof *words.operands)};
    require(settings && words.operands);
    ((struct ecc_common *)settings)->seed = 1;
    if (command->defaults) command->defaults(settings);
    enum ecc_status status = ecc_parse_words(command, settings, &words, &error);
    if (status == ECC_OK) {
        const size_t count = words.operand_count;
        require(words.help || (count >= command->operand_min && count <= command->operand_max));
        if (!words.help && command->check) status = command->check(settings, count, &error);
    }
    if (status != ECC_OK) {
        check_sentence(&error);
        ecc_hint(error.text);
    }
    free(settings);
    free(words.operands);
}

static size_t count_commands(void)
{
    size_t count = 0;
    while (ecc_commands[count]) {
        if (ecc_commands[count]->prepare) ecc_commands[count]->prepare();
        count++;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static size_t commands;
    if (commands == 0) commands = count_commands();
    if (size == 0) return 0;
    char *const text = malloc(size);
    char *argv[MOST_WORDS + 1] = {0};
    int argc = 0;
    require(text != NULL);
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = '\0';
    for (char *at = text; *at && argc < MOST_WORDS;) {
        char *const end = at + strcspn(at, "\n");
        argv[argc++] = at;
        at = end + (*end != '\0');
        *end = '\0';
    }
    check_words(ecc_commands[bytes[0] % commands], argv, argc);
    free(text);
    return 0;
}
