# A trained run in use: encode and decode, components, grid, sample, scatter; what NumPy reads of it, the same
# results from the same seed, and a table.
set -e
"$eccentric" train glyphs --items 500 --epochs 2 --batch 50 --latent 4 --validation 50 --quiet --out run >/dev/null

echo "== encode and decode"
"$eccentric" encode run glyphs:test --items 230 --out z.npy --labels y.npy --quiet | sed 's/(.*)/(time)/'
"$eccentric" encode run glyphs:test --items 230 --out p.npy --components --quiet --json >encode.json
"$eccentric" encode run glyphs:test --items 30 --out few.npy --threads 1 --quiet >/dev/null
"$eccentric" decode run z.npy --out x.npy --quiet | sed 's/(.*)/(time)/'
"$eccentric" decode run p.npy --components --out px.npy --quiet >/dev/null
"$eccentric" decode run p.npy --components --out px.npz --quiet >/dev/null
"$eccentric" decode run few.npy --out images/ --quiet | sed 's/(.*)/(time)/'
ls images | tail -n 2
"$eccentric" decode run z.npy --out sheet.svg --columns 23 --quiet >/dev/null
"$python" - <<'PYTHON'
import json, numpy as np
z, p, few, x, px, y = (np.load(f + ".npy") for f in ("z", "p", "few", "x", "px", "y"))
assert z.shape == p.shape == (230, 4) and z.dtype == np.float32 and y.shape == (230,) and y.dtype == np.int32
assert np.allclose(z[:30], few, atol=1e-4), "the first items are the same whatever the number and the threads"
assert x.shape == (230, 28, 28) and x.min() >= 0 and x.max() <= 1 and np.allclose(x, px, atol=1e-3)
both = np.load("px.npz")
assert sorted(both.files) == ["x", "z"] and (both["x"] == px).all() and np.allclose(both["z"], z, atol=1e-4)
c = np.load("run/components.npz")
print(sorted(c.files))
assert np.allclose((z - c["mean"]) @ c["components"].T, p, atol=1e-5)
e = c["eigenvalues"]
assert np.all(np.diff(e) <= 0) and np.isclose(c["eccentricity"], e.std() / e.mean()) and np.isclose(c["trace"], e.sum())
assert np.allclose(c["components"] @ c["components"].T, np.eye(4)) and c["count"] == 450
assert json.load(open("encode.json"))["components"] is True
PYTHON

echo "== components"
"$eccentric" components run --quiet --strip 5 | sed 's/-*[0-9]\.[0-9]*/X/g' | grep -v '^p\|^mean'
"$eccentric" components run run --quiet --json --components p1-p3 --out both >components.json
ls both
"$eccentric" encode run --out train.npy --quiet >/dev/null
"$python" - <<'PYTHON'
import json, numpy as np
r = json.load(open("components.json"))
assert len(r) == 2 and r[0]["items"] == 450 and r[0]["eigenvalues"] == r[1]["eigenvalues"]
trained = json.load(open("run/result.json"))
assert np.allclose(r[0]["eigenvalues"], trained["eigenvalues"], rtol=1e-3), "as the training said"
z = np.load("train.npy")
assert len(z) == 500
# the sign: a positive third moment (of all 500 items; those along skewed components cannot differ)
p = (z - np.array(r[0]["mean"])) @ np.array(r[0]["components"]).T
skew = (p ** 3).mean(0) / p.std(0) ** 3
assert all(s > 0 for s, q in zip(skew, r[0]["skewness"]) if q > 0.3), (skew, r[0]["skewness"])
PYTHON
echo garbage >run/components.npz
"$eccentric" components run --json 2>&1 >/dev/null | grep again

echo "== grid, sample, scatter"
"$eccentric" grid run --x p1,p3 --y p2 --quiet --out grid.png
for from in gaussian normal sphere mixture; do
    "$eccentric" sample run -n 20 --from $from --seed 3 --quiet --out $from.npy --latents $from-z.npy | tail -n 1
done
"$eccentric" sample run --count 7 --seed 3 --quiet --out seven.npy --latents seven-z.npy >/dev/null
"$eccentric" sample run -n 20 --components p2 --truncation 1 --quiet --out one.npy --latents one-z.npy >/dev/null
"$eccentric" sample run -n 9 --quiet --out sheet.png --json
"$eccentric" sample run glyphs:test --path 0,5,9 -n 4 --spherical --quiet --out path.npy --latents path-z.npy
"$eccentric" scatter run glyphs:test --items 200 --x p2 --y p3 --quiet --out scatter.svg
"$eccentric" scatter run --quiet --json >scatter.json
"$eccentric" sample run --sweep p2,p1 -n 5 --quiet --out sweep.npy --latents sweep-z.npy
"$eccentric" sample run --sweep p2,p1 -n 5 --quiet --out sweep.apng
"$eccentric" sample run --tour p2,p1,p4 -n 7 --quiet --out tour.apng --latents tour-z.npy
"$python" - <<'PYTHON'
import json, numpy as np
c = np.load("run/components.npz")
g, seven = np.load("gaussian.npy"), np.load("seven.npy")
assert np.allclose(g[:7], seven, atol=1e-5), "a longer list begins with the shorter one"
assert np.allclose(np.linalg.norm(np.load("sphere-z.npy"), axis=1), 2, atol=1e-5)
p = (np.load("one-z.npy") - c["mean"]) @ c["components"].T
assert np.allclose(p[:, [0, 2, 3]], 0, atol=1e-5) and np.abs(p[:, 1]).max() <= np.sqrt(c["eigenvalues"][1]) + 1e-5
z, path = np.load("z.npy"), np.load("path-z.npy")
# a film: every chunk with its sum, every frame the image, enlarged eight times
import struct, zlib
c, sweep, film, at, frames = np.load("run/components.npz"), np.load("sweep-z.npy"), open("sweep.apng", "rb").read(), 8, []
p = (sweep - c["mean"]) @ c["components"].T / np.sqrt(c["eigenvalues"])
expected = np.zeros((30, 4))
for k, column in enumerate((1, 0)):
    expected[15 * k:15 * k + 15, column] = np.concatenate([np.linspace(*leg, 5) for leg in ((0, -3), (-3, 3), (3, 0))])
assert np.allclose(p, expected, atol=1e-3), "along the second component, then the first"
# a tour: around the map of the second component and each other, back to where it began, at lengths between those of the corners
q = ((np.load("tour-z.npy") - c["mean"]) @ c["components"].T).reshape(2, 4, 7, 4)
for turn, other in zip(q, (0, 3)):
    corners = np.zeros((5, 4))
    for i, (k, amount) in enumerate(((1, 2), (other, 2), (1, -2), (other, -2), (1, 2))):
        corners[i, k] = amount * np.sqrt(c["eigenvalues"][k])
    assert np.allclose(turn[:, 0], corners[:4], atol=1e-4) and np.allclose(turn[:, -1], corners[1:], atol=1e-4)
    assert np.allclose(np.delete(turn, [1, other], axis=2), 0, atol=1e-4)
    assert np.allclose(np.linalg.norm(turn, axis=2), np.linspace(np.linalg.norm(corners[:4], axis=1), np.linalg.norm(corners[1:], axis=1), 7).T, atol=1e-4)
while at < len(film):
    size, kind = struct.unpack(">I4s", film[at:at + 8])
    data = film[at + 8:at + 8 + size]
    assert struct.unpack(">I", film[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + data)
    if kind == b"acTL": assert struct.unpack(">II", data) == (30, 0)
    if kind in (b"IDAT", b"fdAT"): frames.append(zlib.decompress(data[4 if kind == b"fdAT" else 0:]))
    at += 12 + size
for frame, x in zip(frames, np.load("sweep.npy")):
    rows = np.frombuffer(frame, np.uint8).reshape(224, 225)
    lines = np.cumsum(rows[::8, 1:], axis=1, dtype=np.uint8)
    assert (rows[::8, 0] == 1).all() and all((rows[i::8, 0] == 2).all() and not rows[i::8, 1:].any() for i in range(1, 8))
    assert (lines == np.repeat(np.rint(x * 255), 8, axis=1)).all()
assert len(frames) == 30
assert path.shape == (8, 4) and np.allclose(path[[0, 3, 4, 7]], z[[0, 5, 5, 9]], atol=1e-4), "from item to item"
s = json.load(open("scatter.json"))
assert s["items"] == 500 and len(s["classes"]) == 10 and sum(k["items"] for k in s["classes"]) == 500
PYTHON
ls run/figures

echo "== a table"
"$python" -c '
import random
random.seed(1)
print("alpha,\"beta, the second\",gamma,label")
for i in range(300):
    x = random.gauss(0, 1)
    print(f"{100+x},{2*x+random.gauss(0,.1)},{random.gauss(5,3)},{i%2}")' >table.csv
"$eccentric" train table.csv --latent 2 --batch 30 --epochs 30 --quiet --out table >/dev/null
"$eccentric" components table --quiet --json >table.json
"$eccentric" sample table -n 50 --quiet --out rows.csv
head -n 1 rows.csv
"$python" - <<'PYTHON'
import csv, json
r = json.load(open("table.json"))
assert [sorted(c["column"] for c in m["changes"]) for m in r["meaning"]] == [["alpha", "beta, the second", "gamma"]] * 2
rows = [list(map(float, row)) for row in list(csv.reader(open("rows.csv")))[1:]]
assert len(rows) == 50 and abs(sum(row[0] for row in rows) / 50 - 100) < 2, "in the units of the table"
PYTHON
ls table/figures
