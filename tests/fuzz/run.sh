#!/bin/sh
# run.sh SECONDS [TOPIC...]: builds every fuzz_* with clang's libFuzzer and sanitizers, or only those of the topics (csv npy ...),
# and runs each for that long, one after another, on one core and with low priority.
# Starts from the corpora beside this script and keeps what it learns in build-fuzz/corpus; inputs that
# crash go to build-fuzz/found.  Fails when there is one.
set -eu
seconds=${1:?usage: run.sh SECONDS [TOPIC...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${ECC_FUZZ_BUILD:-$root/build-fuzz}

# fuzzer-no-link: the library counts its branches, main comes with the targets.
mkdir -p "$build"
CC=clang cmake -S "$root" -B "$build" -DECC_FUZZ=ON -DECC_SANITIZE=address,undefined -DECC_WERROR=OFF \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS=-fsanitize=fuzzer-no-link >"$build/configure.log" 2>&1 ||
    { cat "$build/configure.log"; exit 1; }
if [ $# -gt 0 ]; then
    targets=$(printf 'fuzz_%s\n' "$@")
else
    targets=$(cd "$here" && ls fuzz_*.c | sed 's/\.c$//')
fi
# shellcheck disable=SC2086 # one word for each target
cmake --build "$build" -j "${JOBS:-$(nproc)}" --target $targets >"$build/build.log" 2>&1 ||
    { tail -n 40 "$build/build.log"; exit 1; }

status=0
for target in $targets; do
    topic=${target#fuzz_}
    work=$build/corpus/$topic
    found=$build/found/$topic
    mkdir -p "$work" "$found"
    set -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$found/"
    [ ! -f "$here/$topic.dict" ] || set -- "$@" -dict="$here/$topic.dict"
    if nice "$build/tests/$target" "$@" "$work" "$here/corpus/$topic" >"$build/$target.log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
        edges=$(sed -n 's/^#.*DONE *cov: *\([0-9]*\).*/\1/p' "$build/$target.log")
        echo "$target: $runs inputs, $edges edges reached, no crash"
    else
        tail -n 40 "$build/$target.log"
        echo "$target: crashed; the input is in $found"
        status=1
    fi
done
exit $status
