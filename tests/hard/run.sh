#!/bin/sh
# run.sh BUILD [STAGE...]: what `make test-hard` does: commands in which one thing goes wrong (hard.py), valgrind's memcheck on
# commands, and the tests under sanitizers.  MOST=N: places of each kind for each command (0: all); SEED=N shifts them.  One at a
# time, with low priority.  The results are in BUILD/hard.log.  Stages, without any all:
#   memory files kills reproduce   hard.py
#   valgrind                       checked.py
#   threads                        what has threads, under the thread sanitizer (clang)
#   sanitize                       all tests, under the address, undefined-behaviour and leak sanitizers
set -u
build=${1:?usage: run.sh BUILD [STAGE...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -gt 0 ] || set -- memory files kills reproduce valgrind threads sanitize
status=0

# sanitized SANITIZERS WORDS... -- WORDS...    all tests in a build of its own; words for cmake, then for ctest
sanitized() {
    name=$(echo "$1" | tr , -)
    sanitizers=$1 configure="" jobs=$(nproc)
    shift
    while [ "$1" != -- ]; do configure="$configure $1" && shift; done
    shift
    # shellcheck disable=SC2086 # words
    nice cmake -S "$root" -B "$build/$name" -DECC_SANITIZE="$sanitizers" $configure >"$build/$name.log" 2>&1 &&
        nice cmake --build "$build/$name" -j "$jobs" >>"$build/$name.log" 2>&1 || { tail -n 40 "$build/$name.log" && return 1; }
    (cd "$build/$name" && nice ctest --output-on-failure "$@")
}

# GCC's OpenMP waits in ways that the sanitizer does not see; clang's tells it by archer.  Without oneDNN, whose code it does not
# see either.  These programs and commands are what has threads; each net trains with its own number of them.
threads() {
    command -v clang >/dev/null || { echo "clang is not installed: scripts/deps.sh clang fuzz" && return 77; }
    archer=$(clang -print-file-name=libarcher.so)
    [ -e "$archer" ] || { echo "libomp is not installed: scripts/deps.sh clang" && return 77; }
    export OMP_TOOL_LIBRARIES="$archer" OMP_NUM_THREADS=4
    export TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=0 exitcode=66 suppressions=$here/threads.supp"
    CC=clang sanitized thread -DECC_ONEDNN=OFF -DECC_WERROR=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo -- -R "$THREADED"
}
THREADED='^unit\.(base|batch_losses|loss|methods|simulate|neighbours|math|net|wide|loader|model|train|team|events|signals|score|theory|head|likelihood|evaluate_.*|explore.*)$'

: >"$build/hard.log"
for stage in "$@"; do
    echo "== $stage"
    case $stage in
    valgrind) nice python3 "$here/checked.py" "$build/eccentric" ;;
    threads) (threads) ;;
    sanitize) sanitized address,undefined -- ;;
    *) nice python3 "$here/hard.py" "$build/eccentric" "$build/tests/inject" "$build/tests/libfail_memory.so" "$stage" \
        --most "${MOST:-60}" --seed "${SEED:-1}" ;;
    esac >"$build/hard.stage" 2>&1
    code=$?
    tee -a "$build/hard.log" <"$build/hard.stage"
    rm -f "$build/hard.stage"
    [ $code = 0 ] || [ $code = 77 ] || status=1
done
exit $status
