# The other regularizers, beside NumPy's evaluation of their definitions.
set -e
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(3)
np.save("z.npy", rng.normal(size=(50, 6)).astype(np.float32) + 2)
np.save("odd.npy", rng.normal(size=(50, 5)).astype(np.float32))
PYTHON
"$eccentric" loss z.npy --regularizer none --gradient none.npy
"$eccentric" loss z.npy --regularizer kl --json --gradient kl.npy >kl.json
"$eccentric" loss z.npy --regularizer mmd --json --gradient mmd.npy >mmd.json
"$eccentric" loss z.npy --regularizer mmd --json --threads 1 | grep -v seconds >one
grep -v seconds mmd.json >all; cmp one all && echo "threads make no difference"
"$eccentric" loss z.npy --regularizer mmd --json --seed 2 | grep -v seconds >two
cmp -s one two || echo "another seed, another sample of the prior"
"$python" - <<'PYTHON'
import json
import numpy as np
z = np.load("z.npy").astype(np.float64)
assert not np.load("none.npy").any()
kl = json.load(open("kl.json"))
mean, logvar = z[:, :3], z[:, 3:]
loss = 0.5 * (mean ** 2 + np.exp(logvar) - 1 - logvar).sum(1).mean()
gradient = np.hstack([mean, 0.5 * (np.exp(logvar) - 1)]) / len(z)
print("kl agrees", abs(kl["loss"] / loss - 1) < 1e-9, np.allclose(np.load("kl.npy"), gradient, rtol=1e-5), kl["d"])
mmd = json.load(open("mmd.json"))
c = 2 * 6 * np.array([.1, .2, .5, 1, 2, 5, 10])
r = ((z[:, None] - z[None]) ** 2).sum(2)[..., None]
n = len(z)
within = ((c / (c + r)).sum() - 7 * n) / (n * (n - 1))
print("mmd agrees within the latents", abs(mmd["latents"] / within - 1) < 1e-6)
print("mmd adds up", abs(mmd["latents"] + mmd["prior"] - mmd["across"] - mmd["loss"]) < 1e-12)
print("mmd pulls back to the origin", bool((np.load("mmd.npy").mean(0) > 0).all()))
PYTHON
"$eccentric" loss odd.npy --regularizer kl 2>&1 || echo "-> $?"
