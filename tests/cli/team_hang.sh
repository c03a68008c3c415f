# A process that hangs or dies ends the others within ten seconds, with one sentence; one that is only slow does not.
# A machine that is overloaded gets twice that here.
set -e
. "$data/team.inc"
make_table
table="train table.csv --latent 2 --batch 20 --threads 1 --quiet --overwrite --checkpoint-seconds 0.05"

# start PROCESSES RUN OPTIONS...: a training in the background, under way when this returns
start() {
    processes=$1 run=$2
    shift 2
    rm -rf "$run"
    "$mpirun" $crowded -n "$processes" "$@" --out "$run" </dev/null >"$run.said" 2>&1 &
    launcher=$!
    while [ ! -e "$run/checkpoint" ]; do sleep 0.02; done
}
# what was said, and whether the launcher ended in time
ended() {
    began=$(date +%s)
    wait $launcher || true
    [ $(($(date +%s) - began)) -lt 20 ] || echo "it took more than twenty seconds"
    # MPICH's mpirun kills the others at once: nearly always, but not always, after one has spoken
    [ "$family$how" != mpichKILL ] || { echo "killed: all ended"; return; }
    only_ours <"$1.said"
}

for rank in 1 0; do
    for how in STOP KILL; do
        start 3 hung "$eccentric" $table --epochs 100000
        kill -$how "$(rank_pid hung $rank)"
        ended hung
    done
done
how=""
"$eccentric" encode hung table.csv --out z.npy --quiet >/dev/null && echo "the last checkpoint was whole"
# A file that never comes.
mkfifo pipe.csv
"$mpirun" $crowded -n 1 "$eccentric" $table --out read : -n 1 "$eccentric" train pipe.csv --latent 2 --batch 20 --out read \
    </dev/null >read.said 2>&1 &
launcher=$!
ended read
# Other commands: one is at its end before the other has begun.
"$mpirun" $crowded -n 1 "$eccentric" $table --out odd : -n 1 "$eccentric" train --help </dev/null 2>&1 | only_ours

# Only slow: stopped for a moment, and a disk that takes three seconds where two of silence would be too long.
team 2 $table --epochs 120 --out whole
start 2 slow "$eccentric" $table --epochs 120
victim=$(rank_pid slow 1)
kill -STOP $victim
sleep 2
kill -CONT $victim
wait $launcher || true
only_ours <slow.said
cmp whole/model.safetensors slow/model.safetensors && echo "stopped for a moment: the same bytes"
short="$table --checkpoint-seconds 60 --epochs 5"
team 2 $short --out whole
ECCENTRIC_HANG=2 "$mpirun" $crowded -n 2 env LD_PRELOAD="$(dirname "$eccentric")/tests/libslow_disk.so" "$eccentric" $short --out disk \
    </dev/null 2>&1 | only_ours
cmp whole/model.safetensors disk/model.safetensors && echo "a slow disk: the same bytes"
