#!/bin/sh
# minimise.sh [TOPIC...]: takes over into tests/fuzz/corpus what `make fuzz` has found since, as few and as small files as
# reach what the corpus there does not.  Files that people have named stay as they are.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${ECC_FUZZ_BUILD:-$here/../../build-fuzz}
[ $# -gt 0 ] || set -- $(cd "$here" && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
for topic in "$@"; do
    [ -d "$build/corpus/$topic" ] || continue
    small=$build/small
    rm -rf "$small"
    mkdir "$small"
    find "$build/corpus/$topic" -type f -size -4k -exec cp {} "$small" \;
    before=$(ls "$here/corpus/$topic" | wc -l)
    # counters off: a branch taken once is as good as one taken often
    "$build/tests/fuzz_$topic" -merge=1 -use_counters=0 "$here/corpus/$topic" "$small" >"$build/merge.log" 2>&1 ||
        { tail -n 20 "$build/merge.log"; exit 1; }
    echo "$topic: $before files, now $(ls "$here/corpus/$topic" | wc -l)"
done
rm -rf "$build/small"
