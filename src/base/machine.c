/* machine.c: the name of this machine's processor, for reports. */
#include "base/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void ecc_machine_name(char *out, size_t size)
{
    char line[300], model[200] = "unknown processor";
    FILE *const file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "model name", 10) != 0) continue;
        const char *const colon = strchr(line, ':');
        if (colon) snprintf(model, sizeof model, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file) fclose(file);
    model[strcspn(model, "\n")] = '\0';
    snprintf(out, size, "%s, %ld cores", model, sysconf(_SC_NPROCESSORS_ONLN));
}
