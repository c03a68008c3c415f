# Points moved by the loss: files, formats, reproducibility, going on from a file, and interruption.
set -e
"$eccentric" simulate --quiet --points 200 --dim 5 --mu 1 --seed 3 --out a --json --threads 1 >a.json
"$eccentric" simulate --quiet --points 200 --dim 5 --mu 1 --seed 3 --out b --json --threads 2 >b.json
ls a
cmp a/points.npy b/points.npy && cmp a/history.csv b/history.csv && cmp a/points.png b/points.png && echo "same bytes"
"$eccentric" simulate --quiet --points 200 --dim 5 --mu 1 --seed 4 --out c >/dev/null
cmp -s a/points.npy c/points.npy || echo "another seed, other points"
"$python" - <<'PYTHON'
import json, math
import numpy as np
r = json.load(open("a.json"))
z = np.load("a/points.npy").astype(float)
values = np.linalg.eigvalsh(np.cov(z.T, bias=True))[::-1]
radius = np.linalg.norm(z, axis=1)
distance = np.sqrt(((z[:, None] - z[None]) ** 2).sum(2)); np.fill_diagonal(distance, 9e9)
nearest = distance.min(1)
def same(a, b): assert abs(a - b) < 1e-6, (a, b)
for a, b in zip(r["eigenvalues"], values): same(a, b)
same(r["trace"], values.sum()); same(r["eccentricity"], values.std() / values.mean())
same(r["radius"], radius.mean()); same(r["radius_deviation"], radius.std())
same(r["nearest"], nearest.mean()); same(r["nearest_deviation"], nearest.std()); same(r["nearest_least"], nearest.min())
same(r["loss_paper"], 5 * (1 - 2 * math.log(2)))
assert r == {**json.load(open("a/result.json")), "seconds": r["seconds"]}
assert r["loss"] < r["loss_start"] and not r["interrupted"]
print("NumPy finds the same eigenvalues, radii and neighbours")
rows = open("a/history.csv").read().split()
assert rows[0] == "step,loss,net_force,radius" and len(rows) == r["steps"] + 2
first, last = ([float(v) for v in row.split(",")] for row in (rows[1], rows[-1]))
same(first[1], r["loss_start"]); same(last[1], r["loss"]); same(last[3], r["radius"])
assert first[0] == 0 and last[0] == r["steps"] and r["at_rest"]
PYTHON
"$eccentric" simulate --quiet --start a/points.npy --steps 5 --format svg --out d | grep start
head -c 5 d/points.svg; echo
"$eccentric" simulate --quiet --points 50 --dim 2 --mu 2.5 --start uniform | tail -n 3
"$eccentric" simulate --quiet --threads 1 --regularizer mhe:s=1 --points 12 --dim 3 --starts 4 --steps 1000 --tolerance 1e-5 --out f | grep 'points\|energy\|radius' |
    sed 's,: seed .*,: seed N,; s,^\(radius *\)[0-9.]*,\1N,' # several starts end at the same energy
"$eccentric" simulate --quiet --threads 1 --regularizer mhe:s=0 --points 5 --dim 3 --starts 4 --tolerance 1e-5 --json | grep '"energy"\|"at_rest"\|"regularizer"\|"mu"' | sed 's/\(-4.42050\)[0-9]*/\1/'
"$eccentric" simulate --quiet --threads 1 --regularizer sigreg --points 300 --dim 3 --steps 400 | sed -n 's/^value.*[0-9] *\(0.00\).*/value at the end \1/p'
ls f
set +e
"$eccentric" simulate --regularizer kl; echo "-> $?"
"$eccentric" simulate --regularizer mhe:s=3; echo "-> $?"
"$eccentric" simulate --start a/points.npy --points 7; echo "-> $?"
"$eccentric" simulate --start nowhere.npy; echo "-> $?"
"$eccentric" simulate --out a.json; echo "-> $?"
"$eccentric" simulate --quiet --points 3000 --dim 40 --steps 100000 --tolerance 0 --out e >e.txt 2>e.err &
process=$!
while [ ! -d e ]; do sleep 0.1; done # the steps begin
sleep 1
kill -TERM $process # sh starts what is in the background with INT ignored, which the program respects
wait $process
echo "-> $?"
sed 's/step [0-9]*/step N/' e.err
ls e
grep -c interrupted e/result.json
