#!/bin/sh
# Builds without oneDNN in BUILD_DIR and tests that build: it needs no libdnnl, its nets agree with the reference and
# with PyTorch, and it trains what PROGRAM, built with oneDNN, trains; each encodes with the other's runs.
# usage: small_build.sh PROGRAM SOURCE_DIR BUILD_DIR [CMAKE_OPTION ...]
set -eu
full=$(realpath "$1")
source=$2
build=$(realpath -m "$3")
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
quietly cmake -S "$source" -B "$build" -DECC_ONEDNN=OFF "$@"
quietly cmake --build "$build" -j "$(nproc)" --target eccentric test_net test_net_golden test_train
small="$build/eccentric"
ldd "$small" > "$work/libraries"
if grep dnnl "$work/libraries"; then
    echo "a build without oneDNN needs libdnnl"
    exit 1
fi
(cd "$build" && quietly ctest -R '^unit\.(net|net_golden|train)$')

awk 'BEGIN { srand(1); print "a,b,c,d,e"; for (i = 0; i < 400; i++) { x = rand(); y = rand();
    print x "," y "," x + y "," x * y "," x - y } }' > "$work/table.csv"
cd "$work"
for program in full small; do
    eval "p=\$$program"
    "$p" train table.csv --latent 2 --batch 50 --epochs 20 --seed 3 --quiet --json --out table.$program > table.$program.json
    "$p" train glyphs --items 500 --net paper-mnist --batch 50 --epochs 1 --seed 3 --quiet --json \
        --out digits.$program > digits.$program.json
done
for run in full small; do
    "$full" encode digits.$run glyphs --items 100 --quiet --out full.$run.npy > log
    "$small" encode digits.$run glyphs --items 100 --quiet --out small.$run.npy > log
done
# NumPy comes with Debian's own python3, which need not be the first in the path
python=python3
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
"$python" - <<'EOF'
import json
import sys

import numpy

for name in "table", "digits":
    full, small = (json.load(open(f"{name}.{program}.json")) for program in ("full", "small"))
    for key in "error", "validation_error", "trace":
        if not abs(full[key] - small[key]) <= 0.01 * full[key]:
            sys.exit(f"{name}: {key} {full[key]} with oneDNN, {small[key]} without")
    print(f"{name}: same error, validation error and trace after {small['steps']} steps")
for run in "full", "small":
    a, b = (numpy.load(f"{program}.{run}.npy") for program in ("full", "small"))
    if not numpy.abs(a - b).max() <= 1e-4 * numpy.abs(a).max():
        sys.exit(f"latents differ by {numpy.abs(a - b).max()}")
print("same latents from either program")
EOF
