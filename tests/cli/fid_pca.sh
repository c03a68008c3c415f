# Colour images without Inception's weights: principal components of the pixels, against NumPy, and in statistics files.
HOME=$PWD
XDG_CACHE_HOME=$PWD/cache
export HOME XDG_CACHE_HOME
unset ECCENTRIC_DATA
cat >make.py <<'END'
import numpy as np
rng = np.random.default_rng(3)
def images(n, side, shift):
    base = np.random.default_rng(side).normal(0, 1, (30, side, side, 3))
    for axis in 1, 2, 1, 2: base = (base + np.roll(base, 1, axis) + np.roll(base, -1, axis)) / 2
    x = 120 + shift + 40 * np.tensordot(rng.normal(0, 1, (n, 30)) * 0.9 ** np.arange(30), base, 1)
    return np.clip(x + rng.normal(0, 6, x.shape), 0, 255).astype(np.uint8)
np.save("a.npy", images(300, 8, 0)); np.save("b.npy", images(250, 8, 12)); np.save("c.npy", images(260, 8, 30))
np.save("large.npy", images(90, 24, 0)); np.save("larger.npy", images(80, 24, 9))
for n in 2, 3, 10, 50: np.save("few%d.npy" % n, np.load("a.npy")[:n])
np.save("grey.npy", np.load("a.npy")[..., 0])
np.save("equal.npy", np.full((30, 8, 8, 3), 9, np.uint8))
END
"$python" make.py
cat >check.py <<'END'
import json, sys, numpy as np
def root(s):
    w, v = np.linalg.eigh(s)
    return (v * np.sqrt(np.clip(w, 0, None))) @ v.T
def fid(x, y):
    a, b = np.cov(x, rowvar=False), np.cov(y, rowvar=False)
    e = np.clip(np.linalg.eigvalsh(root(a) @ b @ root(a)), 0, None)
    return ((x.mean(0) - y.mean(0)) ** 2).sum() + np.trace(a) + np.trace(b) - 2 * np.sqrt(e).sum()
def mmd(x, y):
    k = lambda p, q: (p @ q.T / p.shape[1] + 1) ** 3
    off = lambda m: (m.sum() - np.trace(m)) / (len(m) * (len(m) - 1))
    return off(k(x, x)) + off(k(y, y)) - 2 * k(x, y).mean()
x, y = (np.load(n).transpose(0, 3, 1, 2).astype(float) / 255 for n in sys.argv[1:])
x, y = x.reshape(len(x), -1), y.reshape(len(y), -1)
d, centre = min(256, y.shape[1], len(y) // 4), y.mean(0)
_, values, axes = np.linalg.svd(y - centre, full_matrices=False)
f, g = (x - centre) @ axes[:d].T, (y - centre) @ axes[:d].T
got, share = json.load(sys.stdin), (values[:d] ** 2).sum() / (values ** 2).sum()
assert got["feature_count"] == d and "%.1f%%" % (100 * share) in got["features"], (got, d, share)
assert abs(got["fid"] - fid(f, g)) < 1e-4 * fid(f, g), (got["fid"], fid(f, g))
assert abs(got["kid"] - mmd(f, g)) < 3 * got["kid_error"], (got, mmd(f, g))
print("agrees with NumPy;", got["features"].split(" of their")[0], got["items_a"], got["items_b"])
END
fid() { "$eccentric" fid "$@" --threads 1 2>said | sed 's/axes [0-9a-f]*$/axes SUM/'; cat said >&2; }
"$eccentric" fid a.npy:all b.npy:all --train b.npy:all --quiet --json | "$python" check.py a.npy b.npy
"$eccentric" fid large.npy:all larger.npy:all --train larger.npy:all --quiet --json | "$python" check.py large.npy larger.npy
"$eccentric" fid large.npy larger.npy --kid no --threads 1 --quiet >one.txt
"$eccentric" fid large.npy larger.npy --kid no --threads 2 --quiet >two.txt
cmp one.txt two.txt && echo "the same with two threads"
echo "== the words"
"$eccentric" fid a.npy:all b.npy --kid no --threads 1 2>&1 >/dev/null | grep eccentric:
fid a.npy:all b.npy --kid no --quiet | grep features
"$eccentric" fid a.npy:all b.npy --features pca --kid no --threads 1 2>&1 >/dev/null | grep eccentric:
"$eccentric" fid grey.npy:all grey.npy:all --features pca --quiet --kid no | grep -o 'pca 1x8x8'
echo "== of itself, and few"
for name in a few2 few3 few10 few50; do fid $name.npy:all $name.npy:all --kid no --quiet; done
for name in few3 few10 few50; do
    "$eccentric" fid a.npy:all $name.npy:all 2>&1 >/dev/null | grep 'has only'
    "$eccentric" fid $name.npy:all a.npy:all 2>&1 >/dev/null | grep 'has only'
done
fid equal.npy equal.npy --quiet
echo "== in files"
fid b.npy:all --save-statistics b.npz --quiet
fid c.npy:all --save-statistics c.npz --quiet
"$eccentric" fid a.npy:all b.npy:all --kid no --quiet --json >images.json
"$eccentric" fid a.npy:all b.npz --quiet --json >file.json
"$eccentric" fid b.npz a.npy:all --save-statistics a-along-b.npz --quiet --json >along.json
"$eccentric" fid a-along-b.npz b.npz --quiet --json >files.json
"$python" -c '
import json, numpy as np
got = [json.load(open(n + ".json")) for n in ("images", "file", "along", "files")]
assert all(abs(g["fid"] - got[0]["fid"]) < 1e-9 for g in got) and len({g["features"] for g in got}) == 1, got
f, y = np.load("b.npz"), np.load("b.npy").transpose(0, 3, 1, 2).reshape(250, -1) / 255
g = (y - f["centre"]) @ f["axes"].T
assert np.allclose(f["mu"], g.mean(0), atol=1e-6) and np.allclose(f["sigma"], np.cov(g, rowvar=False), atol=1e-6)
print("axes", f["axes"].shape, f["axes"].dtype, "the same score from files")
f = dict(f)
np.savez("nameless.npz", mu=f["mu"], sigma=f["sigma"])
np.savez("bare.npz", **{k: v for k, v in f.items() if k not in ("axes", "centre")})
np.savez("turned.npz", **{**f, "axes": -f["axes"]})
np.savez("pytorch.npz", mu=np.zeros(2048), sigma=np.eye(2048))'
try() {
    "$eccentric" fid "$@" --quiet --threads 1 2>&1 | sed 's/axes [0-9a-f]\{8\}/axes SUM/g'
}
echo "== refused"
try c.npz b.npz
try c.npz a.npy:all b.npz
try large.npy b.npz
try a.npy:all b.npz --features pixels
try a.npy:all nameless.npz
try a.npy:all nameless.npz --features pca
try a.npy:all pytorch.npz
try a.npy:all bare.npz
try a.npy:all turned.npz
try a.npy:all b.npy:all --train large.npy
try a.npy:all b.npy:all --train absent.npy
try a.npy:all b.npy:all --weights absent.safetensors
try a.npy:all b.npy:all --features inception
try bare.npz b.npz
echo "== a run"
"$eccentric" train large.npy --epochs 1 --batch 20 --latent 3 --validation 0 --threads 1 --quiet --out run >/dev/null
"$eccentric" fid run large.npy:test --quiet --threads 1 --json >run.json
"$eccentric" fid run run -n 100 --quiet --threads 1 --json >self.json
"$eccentric" fid run a.npy --quiet --threads 1
"$eccentric" fid run run larger.npy --out s.svg --csv s.csv --quiet --threads 1 >/dev/null && head -c 5 s.svg && echo
"$python" -c '
import csv, json
run, self = json.load(open("run.json")), json.load(open("self.json"))
for j in run, self: print(j["features"].split(" of their")[0], j["items_a"], j["items_b"], j["fid"] >= 0, "kid" in j, j.get("warning"))
print([r["features"].split(",")[0] for r in csv.DictReader(open("s.csv"))])'
