# A step allocates nothing of the program's own.
set -e
launch=""
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
cat >train.sh <<'SH'
LD_PRELOAD=$counter exec "$eccentric" train glyphs --items 1000 --net small.net --latent 4 --validation 0 --average 0 --keep last \
    --threads 1 --checkpoint-seconds 60 --overwrite --quiet --out run "$@"
SH
. "$data/allocations.inc"
for method in eccentric kl mmd svae rae-gp rae-sn irmae vq wae-gan:width=16 sigreg; do
    compare $method --batch 50 --regularizer $method
done
compare "two threads" --batch 50 --threads 2
compare "steered" --batch 50 --target-eccentricity 0.2
