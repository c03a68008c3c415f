# Commands on runs whose training is under way, was interrupted, or has only begun: what is there so far, with one remark.
export GOMP_SPINCOUNT=0
seq 1 120 | awk 'BEGIN { print "a,b,c,kind" }
    { print sin($1) "," cos($1 * 2) "," sin($1) + cos($1 * 3) / 4 "," ($1 % 2 ? "odd" : "even") }' >table.csv
"$eccentric" train table.csv --latent 2 --batch 20 --epochs 12 --keep best --threads 1 --quiet --out whole >/dev/null
"$eccentric" train glyphs --items 300 --latent 2 --batch 50 --epochs 4 --width 0.2 --threads 1 --quiet --out images >/dev/null
"$eccentric" encode whole table.csv --out z.npy --threads 1 --quiet >/dev/null

# what a command says of a run, and whether it works
say() {
    command=$1
    shift
    case "$*" in --resume*) ;; *) set -- "$@" --threads 1 ;; esac
    "$eccentric" "$command" "$@" >out 2>err
    echo "$command -> $?: $(grep -v '^[a-z]*: [0-9]*%\|^Open' err | sort -u | tr '\n' '|')"
}
every_command() {
    say encode "$1" table.csv --out a.npy
    say decode "$1" z.npy --out a.npy
    say components "$1" --out pictures
    say grid "$1" --x p1 --y p2 --out a.png
    say sample "$1" -n 4 --out a.npy
    say scatter "$1" --out a.png
    say align "$1" "$1"
    say classify "$1" --baselines no
    say report "$1" --out a.html
    rm -f address
    "$eccentric" explore "$1" --port 0 >address 2>err &
    explorer=$!
    while [ ! -s address ] && kill -0 $explorer 2>/dev/null; do sleep 0.05; done
    kill -TERM $explorer 2>/dev/null
    wait $explorer
    echo "explore -> $?: $(grep -v '%\|^Open' err)"
}

# The trainer locks the directory of the run, which flock does as well as a training that lasts.
locked() {
    exec 9<"$1"
    flock 9
    shift
    "$@"
    exec 9<&-
}

echo "-- begun, nothing but the directory"
mkdir empty
locked empty say encode empty table.csv --out a.npy
locked empty say fid empty images
locked empty say train --resume empty
locked empty say train table.csv --out empty
say encode empty table.csv --out a.npy
echo "-- begun, without a checkpoint"
cp -r whole begun
rm begun/model.safetensors begun/components.npz begun/checkpoint* begun/result.json
locked begun every_command begun
locked begun say fid begun images
echo "-- ended there"
every_command begun
say fid begun images
"$eccentric" train --resume begun --quiet >/dev/null
cmp whole/model.safetensors begun/model.safetensors && echo "resumed: the same weights"
echo "-- under way, with a checkpoint"
cp -r whole going
rm going/model.safetensors going/components.npz going/result.json
locked going every_command going
grep -o 'This training [^<]*' a.html
locked going say train --resume going
locked going say train table.csv --overwrite --out going
cp -r images faces
rm faces/model.safetensors faces/components.npz faces/result.json
locked faces say fid faces images --features pixels --count 50 --kid no | sed 's/|.*//'
echo "-- interrupted there"
every_command going
grep -o 'This training [^<]*' a.html
echo "-- finished"
every_command whole

# A real one: its first checkpoint comes long before --checkpoint-seconds.
"$eccentric" train table.csv --latent 2 --minutes 5 --threads 1 --checkpoint-seconds 60 --quiet --out real >/dev/null 2>&1 &
trainer=$!
seconds=0
while [ ! -e real/checkpoint ] && [ $seconds -lt 40 ]; do
    sleep 1
    seconds=$((seconds + 1))
done
[ $seconds -lt 40 ] && echo "a checkpoint before the first minute"
say encode real table.csv --out a.npy | sed 's/step [0-9]*\( of [0-9]*\)*/step N/'
kill -9 $trainer
wait $trainer 2>/dev/null
say encode real table.csv --out a.npy | sed 's/step [0-9]*\( of [0-9]*\)*/step N/'
