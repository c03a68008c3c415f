# Training by several processes: as one process would, the same bytes again, and one sentence for what goes wrong.
set -e
. "$data/team.inc"
. "$data/team_steps.inc"
while read -r method counts; do
    "$eccentric" train $steps --regularizer $method --lambda 0.1 --batch 24 --out one >/dev/null
    for p in $counts; do
        team $p train $steps --regularizer $method --lambda 0.1 --batch $((24 / p)) --sync-norm --out many
        echo "$method, $p processes: $("$python" compare.py one many)"
    done
done <<'METHODS'
eccentric 2 3 4
kl 3
mmd 4
vq:codes=16 2
wae-gan:width=16 2
METHODS
# Large batches: each process evaluates its share of the pairs.
for d in 4 40; do
    large="$steps --items 1200 --latent $d --lambda 0.1"
    "$eccentric" train $large --batch 300 --out one >/dev/null
    ECCENTRIC_SHARE_PAIRS=1 team 3 train $large --batch 100 --sync-norm --out many
    echo "shared pairs, $d dimensions: $("$python" compare.py one many)"
done
# Without --sync-norm, with validation, an average and a table with gaps; again, killed and resumed: the same bytes.
make_table
table="train table.csv --latent 2 --batch 20 --keep best --threads 1 --quiet --overwrite --checkpoint-seconds 0.05"
team 2 $table --epochs 100 --out whole
team 2 $table --epochs 100 --out again
cmp whole/model.safetensors again/model.safetensors && echo "the same bytes again"
"$mpirun" $crowded -n 2 "$eccentric" $table --epochs 100 --out killed >/dev/null 2>&1 &
launcher=$!
while [ ! -e killed/checkpoint ]; do sleep 0.02; done
kill -9 "$(rank_pid killed 1)"
began=$(date +%s)
wait $launcher || true
[ $(($(date +%s) - began)) -lt 20 ] && echo "one process killed, the other ended"
team 2 train --resume killed --quiet
cmp whole/model.safetensors killed/model.safetensors && echo "resumed, the same bytes"
team 3 train --resume killed --epochs 200
"$python" -c 'import json; print("processes:", json.load(open("killed/config.json"))["train"]["processes"])'
# What goes wrong is said once.
# differing OTHER: the second process has other words than the first (mpirun's own way, with ':', crashes in Open MPI 5.0.7)
differing() {
    export program="$eccentric" first="$small --items 400" second="$1"
    "$mpirun" $crowded -n 2 sh -c '[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 ] && second=$first
        exec "$program" train $second --batch 12 --out bad' 2>&1 | only_ours
}
differing "$small --items 300"
differing nowhere.csv
team 2 train $small --items 30 --batch 20 --out bad
team 2 train $small --bad
team 2 decode whole z.npy --out x.csv
ECCENTRIC_TEAM=/nowhere.so team 2 train $small --out bad | any_mpi
ls bad 2>/dev/null || echo "nothing was written"
