#!/bin/sh
# make.sh PROGRAM VERSION: small runs as a version of the program writes them, and the latents it gives, for tests/cli/old.sh to
# open for ever.  Run it in this directory with the program of that version, once; never again for a version that is there.
# Paths of this machine are taken out.
set -eu
program=$1 version=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
make() {
    name=$version-$1
    data=$2
    shift 2
    [ ! -e "$name" ] || { echo "$name is there already" >&2; exit 1; }
    "$program" train "$data" --seed 1 --latent 2 --out "$name" --quiet "$@"
    case $data in *.csv) items=$data:all ;; *) items=$data ;; esac
    "$program" encode "$name" "$items" --items 20 --out "$name/z.npy" --quiet
    rm -rf "$name/figures" "$name"/checkpoint.previous "$name/metrics.csv"
    sed -i "s,$here/,,g; s/\"machine\": \"[^\"]*\"/\"machine\": \"\"/" "$name"/*.json
}
make numbers numbers.csv --epochs 2 --batch 10 --width 0.1
[ "$version" = 0.1 ] || make table table.csv --epochs 2 --batch 10 --width 0.1 # words and gaps came with 0.2
make images glyphs --items 100 --epochs 1 --batch 20 --net tiny.net
make noise glyphs --items 100 --epochs 1 --batch 20 --net tiny.net --regularizer kl
