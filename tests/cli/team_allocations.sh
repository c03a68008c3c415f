# A step of several processes allocates nothing of the program's own.
set -e
. "$data/team.inc"
. "$data/team_steps.inc"
counter=$(dirname "$eccentric")/tests/libown_allocations.so
cat >count.sh <<'SH'
LD_PRELOAD=$counter exec "$eccentric" train $small --items 1000 --batch 25 --validation 0 --average 0 --keep last --checkpoint-seconds 60 --out run "$@"
SH
export counter eccentric small
# count EPOCHS OPTIONS...: what each of two processes asked for
count() {
    rm -f counts
    OWN_ALLOCATIONS=$PWD/counts "$mpirun" $crowded -n 2 sh count.sh --epochs "$@" >/dev/null 2>errors </dev/null || cat errors
    sort -n counts | tr '\n' ' '
}
# compare WORDS OPTIONS...: 20 steps an epoch; there is one row of metrics in either case.  Again if they differ: a training that
# takes longer than two seconds, on a busy machine, writes a checkpoint.
compare() {
    words=$1
    shift
    for _ in 1 2 3 4 5; do
        few=$(count 1 "$@")
        many=$(count 2 "$@")
        [ "$few" != "$many" ] || break
    done
    if [ "$few" = "$many" ]; then echo "$words: the same"; else echo "$words: $few, then $many"; fi
}
compare "eccentric"
compare "shared batch norm" --sync-norm
ECCENTRIC_OVERLAP=1 compare "gradients sent beside"
ECCENTRIC_SHARE_PAIRS=1 compare "shared pairs"
compare "kl" --regularizer kl
compare "vq" --regularizer vq:codes=16
compare "wae-gan" --regularizer wae-gan:width=16
