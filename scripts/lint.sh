#!/bin/sh
# clang-tidy, cppcheck, the order of includes, the format, and of Python what ruff and mypy find, where they are installed.
# usage: scripts/lint.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}

scripts/include_order.sh .
clang-format --dry-run --Werror $(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp')
echo "format is as clang-format makes it"
# cppcheck after 2.10 wrongly reports arrays that a loop fills as uninitialized, and pointers that a status guards as null
case $(cppcheck --version) in
*" 2.10"*) doubtful="" ;;
*) doubtful="--suppress=uninitvar --suppress=nullPointerOutOfMemory --suppress=nullPointerArithmeticOutOfMemory" ;;
esac
# shellcheck disable=SC2086 # a list of options
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches $doubtful -I include -I src -j 2 src
echo "cppcheck finds nothing"
cmake -S . -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
# GCC's own flags in the compile commands are unknown to clang
git ls-files --cached --others --exclude-standard 'src/*.c' |
    xargs -P "$(nproc 2>/dev/null || echo 2)" -n 10 clang-tidy --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option
echo "clang-tidy finds nothing"
if command -v ruff >/dev/null; then
    ruff check -q python && ruff format -q --check python
    echo "ruff finds nothing"
else
    echo "ruff is not installed: the Python package was not looked at"
fi
if command -v mypy >/dev/null; then
    cache=$(cd "$build" && pwd)/mypy
    (cd python && mypy --no-error-summary --cache-dir "$cache")
    echo "mypy finds nothing"
else
    echo "mypy is not installed: the types of the Python package were not checked"
fi
