# encode, fid and classify by several processes: the same bytes as by one.
set -e
. "$data/team.inc"
make_table
export XDG_CACHE_HOME="$PWD/cache"
"$eccentric" train table.csv --label f --latent 2 --batch 20 --epochs 5 --threads 1 --quiet --out rows >/dev/null
"$eccentric" train glyphs --items 1200 --latent 4 --net paper-mnist --width 0.25 --epochs 1 --threads 1 --quiet --out digits >/dev/null

# what a command prints and writes, with what it would keep for the next time computed again; 0: without a launcher
run() {
    processes=$1
    shift
    rm -rf cache out rows/limits.npz rows/components.npz digits/components.npz digits/two-stage
    mkdir out
    if [ "$processes" = 0 ]; then
        "$eccentric" "$@" --threads 1 --quiet
    else
        "$mpirun" $crowded -n "$processes" "$eccentric" "$@" --threads 1 --quiet </dev/null
    fi 2>&1 | sed -E 's/"(seconds|images_per_second)": [0-9.e+-]+/"\1": T/; s/\(.* s, .* items\/s\)/(T)/' >out/printed
    for kept in rows/limits.npz rows/components.npz digits/components.npz cache/*/*; do
        [ ! -e $kept ] || cp $kept out
    done
}
while read -r what; do
    run 0 $what
    rm -rf expected
    mv out expected
    for processes in 2 3; do
        run $processes $what
        diff -r expected out && echo "$what, $processes processes: the same"
    done
done <<'COMMANDS'
encode rows table.csv --out out/z.csv --impute out/filled.csv
encode rows table.csv --out out/z.npz --json
encode digits glyphs:test --items 550 --out out/z.npy --labels out/y.npy
classify digits --items 600 --out out/c.svg --confusion out/c.csv
classify digits --items 600 --method tree --json
classify digits --items 300 --labels 20,all --repeats 4
classify digits --items 300 --labels 50 --repeats 3 --method mlp --epochs 10
classify rows --json
fid digits glyphs:test --items 300 --train-items 300 --csv out/s.csv --save-statistics out/s.npz
fid digits glyphs:test --items 250 --features pca --json
fid digits glyphs:test --items 250 --features pixels --from mixture --gaussians 2
COMMANDS
# What goes wrong is said once.
team 3 classify digits --items 100 --labels 200
team 2 encode rows nowhere.csv --out z.csv
team 2 encode rows table.csv --out nowhere/z.npy
ls nowhere
"$mpirun" $crowded -n 1 "$eccentric" encode rows table.csv --out z.csv : \
    -n 1 "$eccentric" encode rows table.csv --items 100 --out z.csv </dev/null 2>&1 | only_ours
ls z.csv 2>/dev/null || echo "nothing was written"
team 2 decode rows z.npy --out x.csv
