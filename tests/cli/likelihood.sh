# likelihood: of a VAE and a hyperspherical one trained by the cross-entropy on drawn pixels; words and JSON; killed and
# gone on with bit for bit; what is refused.
small="--items 600 --batch 50 --validation 50 --threads 1 --net svae-mnist --width 0.1 --reconstruction bce --binarize --lambda 0.00128 --quiet"
"$eccentric" train glyphs $small --latent 2 --regularizer vae:warmup=50 --epochs 10 --out normal >/dev/null
long="$small --latent 4 --regularizer svae:warmup=50 --epochs 150 --checkpoint-seconds 0.02"
"$eccentric" train glyphs $long --out sphere >/dev/null
for run in normal sphere; do
    "$eccentric" likelihood $run --items 20 --samples 50 --threads 1 --quiet >words
    sed 's/-*[0-9][0-9]*\.[0-9][0-9]/N/g' words
    "$eccentric" likelihood $run --items 20 --samples 50 --threads 1 --quiet --json >$run.json
done
"$python" <<'PYTHON'
import json
for run in "normal", "sphere":
    r = json.load(open(run + ".json"))
    assert r["items"] == 20 and r["samples"] == 50 and r["binarized"]
    assert r["elbo"] < r["log_likelihood"] < 0 < r["divergence"]
    assert abs(r["elbo"] - r["reconstruction"] + r["divergence"]) < 1e-6
    print(run, "bound below likelihood below 0")
header = open("sphere/metrics.csv").readline().strip().split(",")
print("cross_entropy" in header, "validation_loss" in header)
config = json.load(open("sphere/config.json"))
print(config["train"]["reconstruction"], config["train"]["binarize"])
PYTHON
# samples come from the prior: the unit sphere
for from in "" "--from sphere" "--from gaussian"; do
    "$eccentric" sample sphere -n 30 $from --threads 1 --quiet --json --out x.npy --latents z.npy >s.json
    "$python" -c '
import json, numpy as np
print(json.load(open("s.json"))["from"], np.allclose(np.linalg.norm(np.load("z.npy"), axis=1), 1, atol=1e-5))'
done
"$eccentric" sample sphere -n 30 --truncation 2 --quiet --out x.npy || echo "exit $?"
"$eccentric" sample sphere -n 3 --from gaussian --truncation 2 --quiet --out x.npy
"$eccentric" train glyphs $long --out killed >/dev/null 2>&1 &
process=$!
while [ ! -e killed/config.json ]; do sleep 0.05; done
for pause in 0.1 0.2 0.05 0.15 0.1; do
    sleep $pause
    kill -9 $process || echo "finished before it was killed"
    wait $process 2>/dev/null || true
    "$eccentric" train --resume killed --quiet >/dev/null 2>&1 &
    process=$!
done
wait $process
cmp sphere/model.safetensors killed/model.safetensors && echo "killed and resumed: the same weights"
cut -d, -f 1,2,5- sphere/metrics.csv >a
cut -d, -f 1,2,5- killed/metrics.csv >b
cmp a b && echo "and the same metrics"
echo "-- refused"
try() { { "$eccentric" "$@" 2>&1 && echo "exit 0" || echo "exit $?"; } | sed "s|'/.*/table.csv'|'table.csv'|"; }
"$eccentric" train glyphs --items 200 --epochs 1 --latent 2 --regularizer kl --quiet --out squared >/dev/null
"$eccentric" train glyphs --items 200 --epochs 1 --latent 2 --reconstruction bce --quiet --out other >/dev/null
try likelihood squared
try likelihood other
try likelihood normal --samples 0
try likelihood nowhere
printf 'a,b\n1,2\n3,5\n2,2\n7,1\n' >table.csv
try train table.csv --latent 1 --batch 2 --regularizer none --reconstruction bce --out bad --quiet
try train table.csv --latent 1 --batch 2 --regularizer none --binarize --out bad --quiet
printf 'encoder\n flatten\n dense latent\ndecoder\n dense size\n reshape channels height width\n' >plain.net
try train glyphs --items 200 --net plain.net --reconstruction bce --out bad --quiet
try train glyphs --reconstruction l1 --out bad --quiet
try train glyphs --regularizer vae:gamma=learned --reconstruction bce --out bad --quiet
try train glyphs --latent 1 --regularizer svae --out bad --quiet
try train glyphs --regularizer svae:distribution=power:gradient=published --out bad --quiet
