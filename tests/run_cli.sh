#!/bin/sh
# Runs one command-line test: a script beside its expected output (NAME.sh, NAME.out).
# usage: run_cli.sh BINARY SCRIPT      The script sees $eccentric and an empty directory as its own.
# UPDATE=1 writes what came out as what is expected.
set -u
if [ $# != 2 ] || [ ! -x "$1" ] || [ ! -f "$2" ]; then
    echo "usage: run_cli.sh BINARY SCRIPT: a program and a file that exist" >&2
    exit 2
fi
# whole paths: the script runs in a directory of its own
eccentric=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$(dirname "$2")" && pwd)
script=$data/$(basename "$2")
expected=${script%.sh}.out
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# NumPy comes with Debian's own python3, which need not be the first in the path
python=python3
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
# tests share what is in toy.py
export eccentric data python PYTHONPATH="$data" PYTHONDONTWRITEBYTECODE=1
(cd "$work" && sh "$script") >"$work.actual" 2>&1
code=$?
# what data info expects of this machine
sed -i 's/^training    .* with default settings on .*/training    TIME/; s/ first, \(up to\|less\).*/ first, TIME/' "$work.actual"
if [ $code = 77 ]; then cat "$work.actual"; rm -f "$work.actual"; exit 77; fi
echo "exit $code" >>"$work.actual"
if [ "${UPDATE:-}" = 1 ]; then cp "$work.actual" "$expected"; fi
diff -u "$expected" "$work.actual"
result=$?
rm -f "$work.actual"
exit $result
