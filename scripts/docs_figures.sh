#!/bin/sh
# Draws the pictures of docs/theory.md again.   usage: scripts/docs_figures.sh BINARY
set -eu
eccentric=$1
images=$(cd "$(dirname "$0")/../docs/images" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$eccentric" theory accuracy --quiet --out "$images/accuracy.png" >/dev/null
"$eccentric" theory force --out "$images/force.png" >/dev/null

"$eccentric" simulate --quiet --points 600 --dim 2 --seed 1 --out "$work/plane" >/dev/null
cp "$work/plane/points.png" "$images/plane.png"

"$eccentric" simulate --quiet --points 1000 --dim 64 --seed 1 --out "$work/sphere" >/dev/null
cp "$work/sphere/radius.png" "$images/radius.png"
cp "$work/sphere/history.png" "$images/history.png"

"$eccentric" simulate --quiet --points 600 --dim 2 --mu 2.5 --pairs distinct --steps 3000 --tolerance 1e-7 --seed 1 --out "$work/rings" >/dev/null
cp "$work/rings/points.png" "$images/rings.png"
ls -l "$images"
