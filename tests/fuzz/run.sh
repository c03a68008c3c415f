#!/bin/sh
# run.sh SECONDS [TOPIC...]: builds every fuzz_* with clang's libFuzzer and sanitizers, or only those of the topics (csv npy ...),
# and runs each for that long, one after another, on one core and with low priority; ROUNDS=N: N times in turn.
# Starts from the corpora beside this script and keeps what it learns in build-fuzz/corpus (minimise.sh takes the best of it
# over); inputs that crash go to build-fuzz/found.  Fails when there is one.  How many inputs were tried is added to the table in
# docs/reliability.md.
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

# try TARGET    for $seconds; fails if it crashes
try() {
    target=$1
    topic=${target#fuzz_}
    work=$build/corpus/$topic
    found=$build/found/$topic
    log=$build/$target.log
    mkdir -p "$work" "$found"
    set -- -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$found/"
    [ ! -f "$here/$topic.dict" ] || set -- "$@" -dict="$here/$topic.dict"
    if nice "$build/tests/$target" "$@" "$work" "$here/corpus/$topic" >"$log" 2>&1; then
        python3 "$here/count.py" "$root/docs/reliability.md" "$target" "$log"
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        edges=$(sed -n 's/^#.*DONE *cov: *\([0-9]*\).*/\1/p' "$log")
        echo "$target: $runs inputs, $edges edges reached, no crash"
    else
        tail -n 40 "$log"
        echo "$target: crashed; the input is in $found"
        return 1
    fi
}

status=0 round=0
while [ $round -lt "${ROUNDS:-1}" ]; do
    for each in $targets; do try "$each" || status=1; done
    round=$((round + 1))
done
exit $status
