#!/bin/sh
# run.sh BUILD [STAGE...]: what `make test-hard` does: commands in which one thing goes wrong (hard.py), and valgrind's memcheck on
# commands.  MOST=N: places of each kind for each command (0: all); SEED=N shifts them.  One at a time, with low priority.
# The results are in BUILD/hard.log.  Stages: memory files kills reproduce valgrind; without any: all.
set -u
build=${1:?usage: run.sh BUILD [STAGE...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd)
[ $# -gt 0 ] || set -- memory files kills reproduce valgrind
status=0
: >"$build/hard.log"
for stage in "$@"; do
    echo "== $stage"
    if [ "$stage" = valgrind ]; then
        nice python3 "$here/checked.py" "$build/eccentric"
    else
        nice python3 "$here/hard.py" "$build/eccentric" "$build/tests/inject" "$build/tests/libfail_memory.so" "$stage" \
            --most "${MOST:-60}" --seed "${SEED:-1}"
    fi >"$build/hard.stage" 2>&1
    code=$?
    tee -a "$build/hard.log" <"$build/hard.stage"
    rm -f "$build/hard.stage"
    [ $code = 0 ] || [ $code = 77 ] || status=1
done
exit $status
