/* hint.c: the options behind the advice in sentences of the library, which knows no command line.
 */
#include "base/text.h"
#include "cli/command.h"

static const struct {
    const char *advice, *hint;
} hints[] = {
    {"choose one from the list of methods", " (eccentric methods)"},
    {"resume the training", ": eccentric train --resume RUN"},
    {"a smaller learning rate or a longer warm-up may help", " (--lr, --warmup)"},
    {"start from a smaller lambda", " (--lambda)"},
    {"start from a larger lambda", " (--lambda)"},
    {"a run trained with validation items", " (--validation N)"},
    {"name data with labels to train it, or choose other features", " (--train, --features)"},
    {"name other test data", " (--test DATA)"},
    {"name other test data, or other labelled items", " (--test, --train)"},
    {"choose the features classifier or pixels", " (--features)"},
    {"choose the features pca, classifier or pixels", " (--features)"},
    {"name other images to fit principal components to, or choose other features",
     " (--train, --features)"},
    {"no principal components; choose other features", " (--features pixels)"},
    {"name the result as Inception's weights", " (--weights FILE)"},
};

const char *ecc_hint(const char *sentence)
{
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (ecc_ends_in(sentence, hints[i].advice)) return hints[i].hint;
    }
    return "";
}
