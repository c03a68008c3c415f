#!/bin/sh
# The main job, in under a minute: points find their sphere, and the theory that says which.
# usage: scripts/demo.sh BINARY [DIR]
set -eu
eccentric=$1
out=${2:-demo}
mkdir -p "$out"

echo "== 600 points in the plane, moved by the eccentric loss alone =="
"$eccentric" simulate --points 600 --dim 2 --mu 1 --seed 1 --out "$out/plane"
echo
echo "== 1000 points in 64 dimensions: the loss comes to -0.386 d, the trace to d =="
"$eccentric" simulate --points 1000 --dim 64 --mu 1 --seed 1 --out "$out/sphere"
echo
echo "== the paper's Figure 1: how close its M brings the radius to sqrt(d) =="
"$eccentric" theory accuracy --out "$out/figure1.png" --csv "$out/figure1.csv"
echo
echo "== the paper's Figure 2: repulsion against distance =="
"$eccentric" theory force --out "$out/figure2.png" --csv "$out/figure2.csv"
echo
echo "Pictures: $(find "$out" -name '*.png' | sort | tr '\n' ' ')"
