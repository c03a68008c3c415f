# A step of several processes allocates nothing of the program's own.
set -e
. "$data/team.inc"
. "$data/team_steps.inc"
export small
launch="$mpirun $crowded -n 2"
cat >train.sh <<'SH'
LD_PRELOAD=$counter exec "$eccentric" train $small --items 1000 --batch 25 --validation 0 --average 0 --keep last \
    --checkpoint-seconds 60 --out run "$@"
SH
. "$data/allocations.inc"
compare "eccentric"
compare "shared batch norm" --sync-norm
ECCENTRIC_OVERLAP=1 compare "gradients sent beside"
ECCENTRIC_SHARE_PAIRS=1 compare "shared pairs"
compare "kl" --regularizer kl
compare "vq" --regularizer vq:codes=16
compare "wae-gan" --regularizer wae-gan:width=16
