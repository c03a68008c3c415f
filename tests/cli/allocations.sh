# A step allocates nothing: in 40 steps the program's own code asks as often for memory as in 20, in one process and in two.
set -e
counter=$(dirname "$eccentric")/tests/libown_allocations.so
if ldd "$eccentric" | grep -q libasan; then echo "skipped: the sanitizer has an allocator of its own"; exit 77; fi
cat >small.net <<'NET'
encoder
  conv 8 kernel 4 stride 2 padding 1
  batchnorm
  leakyrelu 0.1
  flatten
  dense latent
decoder
  dense 1568
  reshape 8 14 14
  batchnorm
  leakyrelu 0.1
  deconv channels kernel 4 stride 2 padding 1
  sigmoid
NET
cat >count.sh <<'SH'
LD_PRELOAD=$counter exec "$eccentric" train glyphs --items 1000 --net small.net --latent 4 --validation 0 --average 0 --keep last \
    --threads 1 --checkpoint-seconds 60 --overwrite --quiet --out run "$@"
SH
export counter eccentric
# count EPOCHS OPTIONS...: what each process asked for
count() {
    rm -f counts
    OWN_ALLOCATIONS=$PWD/counts $launch sh count.sh --epochs "$@" >/dev/null 2>errors || cat errors
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
launch=""
for method in eccentric kl mmd svae rae-gp rae-sn irmae vq wae-gan:width=16 sigreg; do
    compare $method --batch 50 --regularizer $method
done
compare "two threads" --batch 50 --threads 2
compare "steered" --batch 50 --target-eccentricity 0.2
