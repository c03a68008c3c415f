# Scores: against NumPy on given images, of runs, of statistics in and out, and of a small classifier.
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
"$eccentric" train glyphs --items 300 --epochs 1 --batch 50 --latent 3 --validation 0 --threads 1 --quiet --out run >/dev/null
"$eccentric" train glyphs --items 300 --epochs 1 --batch 50 --latent 3 --validation 0 --threads 1 --quiet --regularizer none --out plain >/dev/null
cat >make.py <<'END'
import numpy as np
rng = np.random.default_rng(3)
base = rng.random((64, 64)) / 8
for name, n, shift in ("a", 300, 0), ("b", 250, 30):
    x = np.clip(rng.normal(0, 40, (n, 64)) @ base + 120 + shift, 0, 255)
    np.save(name + ".npy", x.astype(np.uint8).reshape(n, 8, 8))
np.save("b2.npy", np.load("b.npy")[::-1])
END
"$python" make.py
cat >check.py <<'END'
import json, sys, numpy as np
from numpy.linalg import eigh, eigvalsh
def root(s):
    w, v = eigh(s)
    return (v * np.sqrt(np.clip(w, 0, None))) @ v.T
def fid(x, y):
    a, b = np.cov(x, rowvar=False), np.cov(y, rowvar=False)
    e = np.clip(eigvalsh(root(a) @ b @ root(a)), 0, None)
    return ((x.mean(0) - y.mean(0)) ** 2).sum() + np.trace(a) + np.trace(b) - 2 * np.sqrt(e).sum()
def mmd(x, y):
    k = lambda p, q: (p @ q.T / p.shape[1] + 1) ** 3
    off = lambda m: (m.sum() - np.trace(m)) / (len(m) * (len(m) - 1))
    return off(k(x, x)) + off(k(y, y)) - 2 * k(x, y).mean()
x, y = (np.load(n).reshape(-1, 64).astype(float) / 255 for n in ("a.npy", "b.npy"))
got = json.load(sys.stdin)
assert abs(got["fid"] - fid(x, y)) < 1e-6 * fid(x, y), (got["fid"], fid(x, y))
assert abs(got["kid"] - mmd(x, y)) < 3 * got["kid_error"], (got, mmd(x, y))
print("agrees with NumPy;", got["features"], got["items_a"], got["items_b"])
END
"$eccentric" fid a.npy:all b.npy:all --features pixels --quiet --json | "$python" check.py
echo "== of itself, and of the same in another order"
"$eccentric" fid b.npy:all b.npy:all --features pixels --kid no --quiet
"$eccentric" fid b.npy:all b2.npy:all --features pixels --kid no --quiet
echo "== statistics that NumPy reads"
"$eccentric" fid b.npy:all --features pixels --save-statistics b.npz --quiet
"$python" -c '
import numpy as np
f, y = np.load("b.npz"), np.load("b.npy").reshape(-1, 64) / 255
assert np.allclose(f["mu"], y.mean(0)) and np.allclose(f["sigma"], np.cov(y, rowvar=False))
print(f["identity"].tobytes().decode(), f["count"])
np.savez("foreign.npz", mu=f["mu"].astype("f4"), sigma=np.asfortranarray(f["sigma"].astype(">f4")))'
echo "== and statistics that NumPy wrote"
"$eccentric" fid a.npy:all b.npz --kid no --quiet
"$eccentric" fid a.npy:all foreign.npz --features pixels 2>said
grep features said
"$eccentric" fid b.npz foreign.npz
echo "== runs"
"$eccentric" fid run plain glyphs:test --items 400 --features pixels --kid no --out s.png --csv s.csv --quiet --json >runs.json
"$eccentric" fid run glyphs:test --items 400 -n 500 --features pixels --quiet --json >one.json
"$eccentric" fid run run --features pixels -n 800 --from normal --kid no --quiet --json >self.json
"$python" -c '
import csv, json
runs, one = json.load(open("runs.json")), json.load(open("one.json"))
print([(s["a"], s["regularizer"], s["items_a"], s["latent"]) for s in runs["scores"]], runs["items_b"])
print(one["items_a"], one["items_b"], sorted(one))
assert all(s["fid"] > 5 and s["eccentricity"] > 0 for s in runs["scores"])
rows = list(csv.DictReader(open("s.csv")))
assert [float(r["fid"]) for r in rows] == [float("%.9g" % s["fid"]) for s in runs["scores"]]
print(list(rows[0]))
self = json.load(open("self.json"))
assert 0 < self["fid"] < one["fid"] / 5, (self, one)' # other samples of the same distribution
head -c 4 s.png | tail -c 3; echo
"$eccentric" fid run glyphs:test --items 300 --features pixels 2>&1 >/dev/null | grep only
echo "== a classifier, trained once"
"$eccentric" fid run glyphs:test --items 200 --train-items 120 --threads 1 --kid no 2>said >first.txt
grep -q steps said && echo trained
ls cache/eccentric | wc -l
"$eccentric" fid run glyphs:test --items 200 --train-items 120 --threads 1 --kid no 2>said >second.txt
grep -q steps said || echo not again
cmp first.txt second.txt && grep -o 'classifier 1x28x28, 10 classes, 108 items' second.txt
