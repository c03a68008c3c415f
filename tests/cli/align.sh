# Alignment of runs: of a run with itself, of two seeds, of three; a picture; and what cannot be aligned.
set -e
small="--items 1000 --batch 50 --threads 1 --quiet --epochs 4"
"$eccentric" train glyphs $small --latent 3 --out one >/dev/null
"$eccentric" train glyphs $small --latent 3 --seed 2 --out two >/dev/null
"$eccentric" train glyphs $small --latent 3 --regularizer none --out three >/dev/null
"$eccentric" align one one --items 500 --quiet | tail -n +3
"$eccentric" align one two three --data glyphs --items 500 --quiet --json --out figure.png >three.json
"$eccentric" align one two three --items 500 --quiet --json --threads 1 >again.json
"$python" - <<'PYTHON'
import json
r, again = json.load(open("three.json")), json.load(open("again.json"))
assert len(r["pairs"]) == 3 and r["items"] == 500 and r["latent"] == 3 and len(r["stability"]) == 3
mean = sum(p["angle_aligned"] for p in r["pairs"]) / 3
assert abs(r["angle_aligned"] - mean) < 1e-9 and r["angle_aligned_deviation"] > 0
for p in r["pairs"]:
    assert sorted(p["partners"]) == [1, 2, 3] and all(s in (-1, 1) for s in p["signs"])
    assert 0 < p["angle_procrustes"] < 90 and 0 < p["cka"] <= 1 and p["verdict"] == p["verdict"].lower()
    for k in range(3):
        assert abs(p["after"][k][k] - p["correlations"][k]) < 1e-12
        assert abs(abs(p["before"][k][p["partners"][k] - 1]) - abs(p["correlations"][k])) < 1e-12
assert abs(r["angle_raw"] - again["angle_raw"]) < 1e-3
print("three runs, three pairs")
PYTHON
head -c 8 figure.png | od -An -c
"$eccentric" train glyphs $small --latent 2 --out flat >/dev/null
"$python" -c 'import numpy as n; n.save("small.npy", n.zeros((50, 20, 20), "float32")); n.save("few.npy", n.zeros((50, 28, 28), "float32"))'
set +e
try() {
    "$eccentric" align "$@" --quiet
    echo "-> $?"
}
try one
try one flat
try one nowhere
try one two --data small.npy
try one two --data absent.npy
try one two --out figure.gif
try one two --items 1
"$python" -c 'import numpy as n; n.save("same.npy", n.ones((100, 8, 8)))'
"$eccentric" train same.npy --latent 2 --batch 20 --threads 1 --quiet --epochs 1 --out same >/dev/null
try same same
"$eccentric" components same --quiet | sed -n 2p
