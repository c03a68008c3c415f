# Training: a run directory with all its files, the same bytes from the same seed, going on after kill -9 as if
# nothing had happened, a table, and what cannot be done.
set -e
# One thread and a narrow net, but for one pair: two threads on a busy machine mostly wait for each other.
small="--items 600 --batch 50 --latent 3 --validation 50 --threads 1 --width 0.3 --quiet"
"$eccentric" train glyphs $small --epochs 3 --out one >/dev/null
ls one one/figures | grep -v previous # a second checkpoint, after two seconds
"$eccentric" train glyphs $small --epochs 3 --out two --json >two.json
cmp one/model.safetensors two/model.safetensors && echo "same seed, same weights"
for pair in four five; do "$eccentric" train glyphs $small --threads 2 --epochs 1 --out $pair >/dev/null; done
cmp four/model.safetensors five/model.safetensors && echo "and so with two threads"
"$eccentric" train glyphs $small --epochs 3 --seed 2 --out three >/dev/null
cmp -s one/model.safetensors three/model.safetensors || echo "another seed, other weights"
"$python" - <<'PYTHON'
import csv, json, struct
r = json.load(open("two.json"))
assert r["steps"] == 33 and r["latent"] == 3 and len(r["eigenvalues"]) == 3
assert abs(sum(r["eigenvalues"]) - r["trace"]) < 1e-9 and 0 < r["error"] < 0.5
rows = list(csv.DictReader(open("two/metrics.csv")))
assert [int(row["step"]) for row in rows] == sorted(int(row["step"]) for row in rows) and rows[-1]["step"] == "33"
lines = [json.loads(line) for line in open("two/metrics.jsonl")]
assert len(lines) == len(rows) and lines[-1]["validation_error"] > 0
raw = open("two/model.safetensors", "rb").read()
header = json.loads(raw[8:8 + struct.unpack("<Q", raw[:8])[0]])
assert any(name.startswith("encoder.") for name in header) and any(name.startswith("decoder.") for name in header)
config = json.load(open("two/config.json"))
assert config["regularizer"]["name"] == "eccentric" and config["train"]["total_steps"] == 33 and "conv" in config["net"]["text"]
print("result, metrics, weights and settings can be read")
PYTHON
# Killed at twenty random moments; the length is such that it cannot have finished before the last of them.
long="--items 600 --batch 50 --latent 3 --validation 50 --threads 1 --width 0.2 --quiet --epochs 80 --checkpoint-seconds 0.02"
"$eccentric" train glyphs $long --out whole >/dev/null
"$eccentric" train glyphs $long --out killed >/dev/null 2>&1 &
process=$!
while [ ! -e killed/config.json ]; do sleep 0.05; done # before that there is nothing to resume
pauses=$("$python" -c 'import random; random.seed(1); print(*(round(random.uniform(0.03, 0.25), 3) for k in range(20)))')
for pause in $pauses; do
    sleep $pause
    kill -9 $process || echo "finished before it was killed"
    wait $process 2>/dev/null || true
    "$eccentric" train --resume killed --quiet >/dev/null 2>&1 &
    process=$!
done
wait $process
cmp whole/model.safetensors killed/model.safetensors && echo "killed 20 times and resumed: the same weights"
cut -d, -f 1,2,5- whole/metrics.csv >a
cut -d, -f 1,2,5- killed/metrics.csv >b
cmp a b && echo "and the same metrics"
"$eccentric" train glyphs $long --out stopped >/dev/null 2>stopped.err &
process=$!
while [ ! -e stopped/config.json ]; do sleep 0.1; done
sleep 0.5
kill -TERM $process # as Ctrl-C: a shell lets its background jobs ignore that
wait $process || sed 's/step [0-9]*/step N/' stopped.err
"$eccentric" train --resume stopped --quiet >/dev/null
cmp whole/model.safetensors stopped/model.safetensors && echo "stopped and resumed: the same weights"
ls stopped/figures
"$eccentric" train glyphs $small --epochs 4 --schedule constant --out planned >/dev/null
"$eccentric" train glyphs $small --epochs 2 --schedule constant --out longer >/dev/null
"$eccentric" train --resume longer --epochs 400 --quiet >/dev/null 2>&1 &
process=$!
while [ -e longer/model.safetensors ]; do sleep 0.05; done
kill -9 $process # what is planned is in the config, and nothing says that it is done
wait $process 2>/dev/null || true
ls longer | grep -v 'part\|previous'
"$eccentric" train --resume longer --epochs 4 --quiet >/dev/null
cmp planned/model.safetensors longer/model.safetensors && grep -h '"epochs"' longer/config.json longer/result.json
for regularizer in none kl mmd; do
    "$eccentric" train glyphs $small --epochs 1 --regularizer $regularizer --out $regularizer >/dev/null && echo "$regularizer trains"
done
"$python" -c '
import random
random.seed(1)
print("a,b,c,label")
for i in range(300): x = random.gauss(0, 1); print(f"{x},{2*x+random.gauss(0,.1)},{random.gauss(5,3)},{i%2}")' >table.csv
"$eccentric" train table.csv --latent 2 --batch 30 --epochs 5 --quiet --out table >/dev/null && ls table/figures
"$eccentric" train glyphs --describe --net paper-mnist | grep ^total
"$eccentric" data info glyphs --items 20 --out one.png >/dev/null && mkdir images && mv one.png images
set +e
try() {
    "$eccentric" train "$@"
    echo "-> $?"
}
try glyphs $small --out one
try --resume nowhere
try --resume table.csv
try glyphs
try
try glyphs --out x --lambda -1
try glyphs --out x --target-eccentricity 9
try glyphs --out x --target-loss -3.2
try glyphs $small --epochs 2 --latent 2 --target-eccentricity 0.99 --out far 2>&1 | sed '/^eccentric/!d; s/it is [0-9.]* /it is X /; s/lambda [0-9.e-]*;/lambda L;/; s/falling\|rising/moving/; s/smaller\|larger/other/'
try glyphs --out x --regularizer lasso
try glyphs --out x --net nothing.net
try glyphs --out x --items 20 --batch 100
try absent.csv --out x
ls -d x 2>/dev/null
try --resume one --out x
try images --out images
try images --out images/new/run
ls images | grep -v previous
try --resume one --lr 0.1
try --resume one --mu 2
try --resume one --seed 2
try --resume one --epochs 0.5
cp -r one bare && rm bare/checkpoint*
try --resume bare --epochs 9
cmp one/metrics.csv bare/metrics.csv && rm -r bare
try --resume one --describe
try absent.csv --overwrite --out one
try glyphs --items 20 --batch 100 --overwrite --out one
"$eccentric" train --resume one --quiet >/dev/null && cmp one/model.safetensors two/model.safetensors && echo "the old run is still there"
try table.csv --latent 2 --batch 30 --epochs 30 --lr 100 --quiet --threads 1 --out diverged 2>&1 | sed 's/ is [0-9.e+]* at step [0-9]* (rate [0-9.]*)/ is X at step N (rate R)/'
try glyphs $small --epochs 3 --lr 100 --checkpoint-seconds 0 --out diverged2 2>&1 | sed 's/ is [0-9.e+]* at step [0-9]*/ is X at step N/'
ls diverged2
