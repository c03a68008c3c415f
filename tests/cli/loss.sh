# The loss of a file, beside NumPy's evaluation of the paper's published code.
set -e
"$eccentric" simulate --quiet --points 300 --dim 20 --steps 3 --seed 5 --out run >/dev/null
"$eccentric" loss run/points.npy --mu 1.5 --gradient g.npy | sed 's/\(\.[0-9]\{5\}\)[0-9]*/\1/'
"$eccentric" loss run/points.npy --mu 1.5 --json --threads 1 >one.json
"$eccentric" loss run/points.npy --mu 1.5 --json --threads 2 >two.json
grep -v seconds one.json >a; grep -v seconds two.json >b; cmp a b && echo "threads make no difference"
"$python" - <<'PYTHON'
import json
import numpy as np
z = np.load("run/points.npy").astype(np.float64)
n, d = z.shape
mu = 1.5
m = 2 * d * (1 + 1 / (2 * mu * (d - 1))) / (2 * mu - 1)
difference = z[:, None] - z[None]
stretch = 1 + (difference ** 2).sum(2) / m
loss = ((z ** 2).sum() - mu * m * np.log(stretch).sum() / n) / (n - 1)
gradient = 2 * z / (n - 1) - 4 * mu / (n * (n - 1)) * (difference / stretch[..., None]).sum(1)
ours = json.load(open("one.json"))
g = np.load("g.npy")
assert g.dtype == np.float32 and g.shape == z.shape
print("loss agrees", abs(ours["loss"] / loss - 1) < 1e-6)
print("gradient agrees", np.linalg.norm(g - gradient) < 1e-5 * np.linalg.norm(2 * z / (n - 1)))
for order in "CF":
    for kind in ("<f8", ">f4", ">f8", "<f4"):
        np.save("copy.npy", np.asarray(z, dtype=kind, order=order))
        import os, subprocess
        again = json.loads(subprocess.check_output([os.environ["eccentric"], "loss", "copy.npy", "--mu", "1.5", "--json"]))
        assert again["loss"] == ours["loss"], (order, kind)
print("the same in any order, width and endianness")
np.save("far.npy", (z + 1000).astype(np.float32))
np.save("counts.npy", np.arange(24, dtype=np.uint8).reshape(6, 4))
PYTHON
"$eccentric" loss counts.npy --pairs distinct --m exact
"$eccentric" loss far.npy --m 50 | head -n 1 | cut -c 1-20
