# Little address space (ulimit -v): a command works or says what it lacks, and never waits for memory that does not come.
set -e
if grep -q __asan_init "$eccentric"; then echo "sanitizers need terabytes"; exit 77; fi
seq 1 60 | awk 'BEGIN { print "a,b,c" } { print sin($1) "," cos($1 * 2) "," sin($1) + cos($1 * 3) / 4 }' >table.csv
"$eccentric" train table.csv --latent 2 --epochs 2 --quiet --out run >/dev/null
"$eccentric" encode run table.csv --out z.npy --quiet >/dev/null
# try KILOBYTES THREADS COMMAND...    the sentence, or that it works
try() {
    limit=$1 threads=$2
    shift 2
    rm -rf new
    code=0
    (ulimit -v "$limit"; OMP_NUM_THREADS=$threads exec timeout 120 "$eccentric" "$@") >out 2>err || code=$?
    case $code in
    0) echo works ;;
    1) if [ -s err ]; then echo says; else echo "$*, $limit kB, $threads threads: exit 1 without a word"; fi ;;
    127) if grep -q "loading shared libraries" err; then echo says; else echo "$*, $limit kB: exit 127: $(cat err)"; fi ;;
    *) echo "$*, $limit kB, $threads threads: exit $code: $(cat err)" ;;
    esac
}
for limit in 150000 200000 250000 300000 350000 400000 450000 500000 550000 600000 700000 900000; do
    for threads in 1 2; do
        try $limit $threads theory radius --dim 8 --mu 1
        try $limit $threads loss z.npy --gradient g.npy
        try $limit $threads train table.csv --latent 2 --epochs 2 --quiet --out new
        try $limit $threads components run --quiet
    done
done >each
grep -v '^works$\|^says$' each || echo "everything works or says why not"
grep -c works each | awk '{ print ($1 > 8 ? "some of it works" : "nothing works") }'
