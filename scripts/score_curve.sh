#!/bin/sh
# The score of samples against eccentricity (the paper's Figure 10), in small: trains runs with several
# regularizers and strengths, scores each against unseen images, writes OUT/scores.csv and OUT/scores.png.
# usage: scripts/score_curve.sh OUT [BINARY]       Finished runs are kept, interrupted ones resumed.
# Variables and their defaults:
#   DATA=mnist TEST=DATA:test NET=paper-mnist LATENT=8 EPOCHS=10 SEED=1 FEATURES=classifier
#   ITEMS (of DATA; all) FID (more options for the scores) TRAIN (more for the trainings)
#   ECCENTRIC, KL, MMD: lists of lambdas
set -eu
out=${1:?usage: scripts/score_curve.sh OUT [BINARY]}
eccentric=${2:-$(dirname "$0")/../build/eccentric}
DATA=${DATA:-mnist} NET=${NET:-paper-mnist} LATENT=${LATENT:-8} EPOCHS=${EPOCHS:-10} SEED=${SEED:-1}
TEST=${TEST:-$DATA:test} FEATURES=${FEATURES:-classifier}
ECCENTRIC=${ECCENTRIC:-0.00001 0.0001 0.0003 0.001 0.003 0.01 0.1}
KL=${KL:-0.00001 0.0001 0.0003 0.001 0.003 0.01}
MMD=${MMD:-0.001 0.01 0.03 0.1 0.3 1}
mkdir -p "$out/runs"

# train REGULARIZER LAMBDA
train() {
    run=$out/runs/$1${2:+-$2}
    names="$names $run"
    [ ! -f "$run/model.safetensors" ] || return 0
    if ls "$run"/checkpoint* >/dev/null 2>&1; then
        "$eccentric" train --resume "$run" >>"$out/train.log"
        return
    fi
    echo "$run" >&2
    # shellcheck disable=SC2086 # lists of options
    "$eccentric" train "$DATA" --net "$NET" --latent "$LATENT" --epochs "$EPOCHS" --seed "$SEED" \
        --regularizer "$1" ${2:+--lambda $2} ${ITEMS:+--items $ITEMS} ${TRAIN:-} --overwrite --out "$run" >>"$out/train.log"
}

names=
train none ""
for lambda in $ECCENTRIC; do train eccentric "$lambda"; done
for lambda in $KL; do train kl "$lambda"; done
for lambda in $MMD; do train mmd "$lambda"; done

# shellcheck disable=SC2086 # lists of names and options
"$eccentric" fid $names "$TEST" --features "$FEATURES" ${FID:-} --csv "$out/scores.csv" --out "$out/scores.png" |
    tee "$out/scores.txt"
