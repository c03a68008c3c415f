#!/bin/sh
# The main job, in about two minutes: points find their sphere, an autoencoder learns handwritten digits that the program
# draws itself, and its deep principal components are shown.      usage: scripts/demo.sh BINARY [DIR]
set -eu
eccentric=$1
out=${2:-demo}
mkdir -p "$out"

echo "== 1000 points in 64 dimensions, moved by the loss alone: it comes to -0.386 d, their trace to d =="
"$eccentric" simulate --points 1000 --dim 64 --seed 1 --out "$out/sphere"
echo
echo "== 600 points in the plane =="
"$eccentric" simulate --quiet --points 600 --dim 2 --seed 1 --out "$out/plane" | sed -n 2,6p
"$eccentric" theory accuracy --quiet --out "$out/figure1.png" >/dev/null
"$eccentric" theory force --out "$out/figure2.png" >/dev/null
echo
echo "== an autoencoder with 8 latent dimensions on 60,000 built-in digits, for one minute =="
"$eccentric" train glyphs --minutes 1 --seed 1 --out "$out/run" --overwrite
echo
echo "== its deep principal components =="
figures=$out/run/figures
"$eccentric" components "$out/run" --strip 9 --quiet
"$eccentric" scatter "$out/run" glyphs:test --quiet --out "$figures/scatter.png" >/dev/null
"$eccentric" grid "$out/run" --x p1,p2 --y p3,p4 --out "$figures/grid.png" >/dev/null
echo
echo "== what they know about the digits' labels, beside pixels and ordinary PCA =="
"$eccentric" classify "$out/run" --items 10000 --quiet
echo
echo "Pictures to look at:"
show() { printf '  %-38s %s\n' "$out/$1" "$2"; }
show run/figures/reconstructions.png "unseen digits, and what the autoencoder makes of them"
show run/figures/samples.png "digits it invents, from the Gaussian fitted to its latents"
show run/figures/strips.png "what each component does, from minus to plus"
show run/figures/scatter.png "digits along the first two components, by label"
show run/figures/grid.png "four components combined"
show run/figures/curves.png "how the training went"
show plane/points.png "points before and after"
show sphere/radius.png "1000 points at the same distance from the origin"
show figure1.png "Figure 1 of the paper: how good its constant M is"
show figure2.png "Figure 2 of the paper: repulsion against distance"
echo
echo "To see what the components mean, move them yourself, in a browser:"
echo "  $eccentric explore $out/run"
