# Faces with forty attributes, as CelebA has them: all are classified at once, by neighbours and by trees, and NumPy, given the
# same latents, agrees about each.
set -e
"$python" - <<'PYTHON'
import numpy as n, toy
r = n.random.default_rng(1)
grid, images, attributes = n.mgrid[:16, :16], [], []
for i in range(600):
    bright, tall, red = r.random(3) < (0.5, 0.4, 0.2)
    a, b = (5, 2.5) if tall else (2.5, 5)
    shape = ((grid[0] - 7.5) / a) ** 2 + ((grid[1] - 7.5) / b) ** 2 < r.uniform(0.8, 1.2)
    x = n.full((16, 16, 3), 40.0) + shape[..., None] * (150.0 if bright else 60.0)
    x[..., 0] += 50 * red
    images.append(x + r.normal(0, 6, x.shape))
    attributes.append((bright, tall, red))
toy.faces("faces", ["Bright", "Tall", "Reddish"], images, attributes)
PYTHON
"$eccentric" train faces --size 16 --latent 4 --batch 30 --epochs 12 --validation 60 --threads 1 --quiet --out run >/dev/null
"$eccentric" classify run --neighbours 20 --threads 1 --quiet --json >knn.json
"$eccentric" classify run --method tree --depth 1,8 --threads 1 --quiet --json --out stumps.png >tree.json
"$eccentric" classify run --labels 50,all --repeats 2 --threads 1 --quiet | head -n 12 | sed 's/[0-9.]* ± [0-9.]* %/E ± D %/g; s/ [0-9][0-9.]* %/ E %/g; s/ [01][.][0-9]* ± [0-9.]*/ F ± D/g; s/ [01][.][0-9]*/ F/g; s/  */ /g'
"$eccentric" encode run faces --threads 1 --quiet --out train.npy >/dev/null
"$eccentric" encode run faces:test --threads 1 --quiet --out test.npy >/dev/null
"$eccentric" components run --threads 1 --quiet --json >components.json
"$python" - <<'PYTHON'
import json, numpy as n
load = lambda name: json.load(open(name + ".json"))
rows = [line.split() for line in open("faces/list_attr_celeba.txt").read().splitlines()[2:]]
y = n.array([[v == "1" for v in row[1:]] for row in sorted(rows)])
a, b = n.load("train.npy").astype(float), n.load("test.npy").astype(float)
assert len(a) == 540 and len(b) == 60
known, true = y[:540], y[540:]   # the last tenth, by name, is the test part
near = n.argsort(((b[:, None] - a[None]) ** 2).sum(2), axis=1)[:, :20]
votes = known[near].mean(1)
wrong = ((votes > 0.5) != true).mean()
r = load("knn")
assert r["items"] == 540 and r["test_items"] == 60 and abs(r["error"] - wrong) < 1e-12, (r["error"], wrong)
majority = ((known.mean(0) > 0.5) != true).mean()
assert abs(r["baselines"]["majority"] - majority) < 1e-12
assert r["error"] < 0.3 * majority and r["baselines"]["pixels"] < majority and r["baselines"]["pca"] < majority

# the best split of one component for one attribute
c = load("components")
p = (a - n.array(c["mean"])) @ n.array(c["components"]).T
def entropy(q):
    q = n.clip(q, 1e-300, 1 - 1e-16)
    return -(q * n.log2(q) + (1 - q) * n.log2(1 - q))
def best(values, labels):
    order = n.argsort(values)
    v, l = values[order], labels[order].astype(float)
    k, N = n.arange(1, len(v)), len(v)
    left, right = l.cumsum()[:-1] / k, (l.sum() - l.cumsum()[:-1]) / (N - k)
    gain = entropy(l.mean()) - (k * entropy(left) + (N - k) * entropy(right)) / N
    return gain[v[1:] > v[:-1]].max()
t = load("tree")
stumps = {s["name"]: s for s in t["stumps"]}
for k, name in enumerate(["Bright", "Tall", "Reddish"]):
    gains = [best(p[:, j], known[:, k]) for j in range(4)]
    s = stumps[name]
    assert s["component"] == 1 + int(n.argmax(gains)) and abs(s["gain"] - max(gains)) < 1e-5, (s, gains)
assert t["results"][0]["error"] <= majority and t["results"][1]["error"] < t["results"][0]["error"]
print("neighbours and stumps are those of NumPy")
PYTHON
head -c 8 stumps.png | od -An -c
