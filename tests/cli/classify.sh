# Classification: neighbours with all labels and with few, trees, validation items, a table, attributes, pictures; the
# same on any number of threads; and what cannot be classified.
set -e
"$eccentric" train glyphs --items 2000 --batch 50 --threads 1 --quiet --epochs 6 --latent 6 --validation 200 --out run >/dev/null
"$eccentric" classify run --items 1000 --quiet --json --out confusion.png --confusion confusion.csv >knn.json
"$eccentric" classify run --items 1000 --quiet --json --threads 1 >again.json
"$eccentric" classify run --items 1000 --labels 10,100,all --repeats 3 --quiet --json --out curves.svg >labels.json
"$eccentric" classify run --items 1000 --labels 10,100 --repeats 3 --subset uniform --quiet --json --baselines no >uniform.json
"$eccentric" classify run --items 1000 --method tree --depth 1,8,full --quiet --json --out stumps.pdf >tree.json
"$eccentric" classify run --validation --quiet --json >validation.json
"$eccentric" classify run --items 1000 --method mlp --labels 30,all --repeats 2 --epochs 40 --baselines no --quiet --json >mlp.json
"$python" -c '
import json
few, all = json.load(open("mlp.json"))["results"]
assert few["epochs"] == 40 and all["epochs"] in (10, 20, 30, 40) and len(few["errors"]) == 2 and len(all["errors"]) == 1
assert all["error"] < few["error"] < 0.9
print("a network learns from", few["labels"], "and", all["labels"], "labelled items")'
"$eccentric" classify run --items 300 --labels 20,all --repeats 2 --neighbours 3 --quiet | sed 's/[0-9.]* ± [0-9.]* %/E ± D %/g; s/ [0-9][0-9.]* %/ E %/g; s/ 0[.][0-9]* ± [0-9.]*/ F ± D/g; s/ [01][.][0-9]*/ F/g; s/  */ /g; /^[0-9]/s/[0-9][0-9]*/N/g'
"$eccentric" classify run --items 300 --method tree --quiet | head -n 5 | sed 's/[0-9.]* %/E %/g; s/ 0[.][0-9]*/ F/g; s/  */ /g'
"$python" - <<'PYTHON'
import json
load = lambda name: json.load(open(name + ".json"))
r, again = load("knn"), load("again")
assert r["method"] == "knn" and r["labels"] == 1000 and r["neighbours"] == 5 and r["test_items"] == 1000 and r["latent"] == 6
b = r["baselines"]
assert 0 < r["error"] < 0.6 * b["majority"] and 0 < b["pixels"] < b["majority"] and 0 < b["pca"] < b["majority"]
# what NumPy makes of the confusions
import csv
rows = list(csv.reader(open("confusion.csv")))
assert rows[0] == ["class"] + r["classes"] and [row[0] for row in rows[1:]] == r["classes"] == [str(i) for i in range(10)]
m = [[int(cell) for cell in row[1:]] for row in rows[1:]]
assert m == r["confusion"] and sum(map(sum, m)) == 1000
recall = [m[c][c] / sum(m[c]) for c in range(10)]
f1 = [2 * m[c][c] / (sum(m[c]) + sum(row[c] for row in m)) for c in range(10)]
assert abs(r["error"] - 1 + sum(m[c][c] for c in range(10)) / 1000) < 1e-9
assert abs(r["balanced_error"] - 1 + sum(recall) / 10) < 1e-9 and abs(r["macro_f1"] - sum(f1) / 10) < 1e-9
assert abs(b["majority_balanced_error"] - 0.9) < 1e-9 and b["majority_macro_f1"] < 0.05 and 0 < b["pca_balanced_error"] < 0.9
worst = r["mistakes"][0]
assert worst["items"] == max(m[i][j] for i in range(10) for j in range(10) if i != j) == m[int(worst["class"])][int(worst["taken_for"])]
assert r["errors"] == [r["error"]] and r["deviation"] == 0 and len(r["results"]) == 1
# threads change the last bits of latents, and so at most a vote or two
assert abs(again["error"] - r["error"]) < 0.005 and abs(again["baselines"]["pixels"] - b["pixels"]) < 0.005
r = load("labels")
assert [(x["labels"], x["neighbours"]) for x in r["results"]] == [(10, 1), (100, 1), (1000, 5)], r["results"]
assert r["results"][0]["error"] > r["results"][1]["error"] > r["results"][2]["error"] == r["error"]
assert len(r["results"][0]["errors"]) == 3 and r["results"][0]["deviation"] > 0
u = load("uniform")
assert u["baselines"]["pixels"] is None and u["baselines"]["majority"] > 0.8
t = load("tree")
assert [x["depth"] for x in t["results"]] == [1, 8, "full"] and t["results"][1]["error"] < t["results"][0]["error"]
assert len(t["stumps"]) == 10 and all(1 <= s["component"] <= 6 and 0 < s["gain"] < 1 for s in t["stumps"])
assert all((s["verdict"] == "tells") == ((s["share_below"] > 0.5) != (s["share_above"] > 0.5)) for s in t["stumps"])
v = load("validation")
assert v["validation"] and v["items"] == 1800 and v["test_items"] == 200 and v["error"] < v["baselines"]["majority"]
print("neighbours, labels, trees and validation agree with what is known")
PYTHON
head -c 4 stumps.pdf && head -c 5 curves.svg && head -c 8 confusion.png | od -An -c
"$python" -c '
import random
random.seed(1)
print("a,b,c,label")
for i in range(400): k = i % 2; print(f"{random.gauss(2*k,1)},{random.gauss(0,1)},{random.gauss(5,3)},{k}")' >table.csv
"$eccentric" train table.csv --latent 2 --batch 30 --epochs 5 --quiet --out table >/dev/null
"$eccentric" classify table --neighbours 5 --quiet | sed 's/[0-9.]* %/E %/g; s/ [01][.][0-9]*/ F/g; s/  */ /g; /^[01] /s/ [0-9][0-9]*/ N/g'
"$python" - <<'PYTHON'
import numpy as n
n.save("plain.npy", n.random.default_rng(1).random((60, 28, 28), "float32"))
n.save("other.npy", n.zeros((60, 20, 20), "float32"))
n.savez("single.npz", x_train=n.zeros((60, 28, 28), "uint8"), y_train=n.zeros(60, "int64"))
PYTHON
"$eccentric" train glyphs --items 200 --batch 50 --threads 1 --quiet --epochs 1 --latent 2 --validation 0 --out bare >/dev/null
# a label with fractions is a number to predict
"$python" - <<'PYTHON'
import numpy as n
random = n.random.default_rng(2)
x = random.normal(size=(300, 4))
y = 50 + 10 * x[:, 0] - 5 * x[:, 1]
y[::10] = n.nan
n.savez("age.npz", x=x.astype("float32"), y=y)
PYTHON
"$eccentric" train age.npz --latent 3 --epochs 5 --quiet --out age >/dev/null 2>&1
"$eccentric" classify age --quiet --out age.svg | sed 's/ -*[0-9][0-9]*[.][0-9]*/ V/g; s/  */ /g'
"$eccentric" classify age --target y --depth 2,full --neighbours 4 --quiet --json >age.json
"$python" - <<'PYTHON'
import json
r = json.load(open("age.json"))
y, = r["numbers"]
assert "error" not in r and "confusion" not in r and y["name"] == "y" and 230 < y["items"] < 270 and y["items"] + y["test_items"] == 270
assert abs(y["mean"] - 50) < 3 and abs(y["deviation"] - 11.2) < 2 and y["baseline"]["r2"] <= 0
knn, two, full = y["results"]
assert (knn["method"], knn["neighbours"], two["depth"], full["depth"]) == ("knn", 4, 2, "full")
assert knn["pixels"]["r2"] > 0.7 and knn["r2"] > two["r2"] > 0 and knn["mae"] < knn["rmse"] < y["baseline"]["rmse"]
print("numbers are predicted")
PYTHON
set +e
try() {
    "$eccentric" classify "$@" --quiet
    echo "-> $?"
}
try nowhere
try run --train plain.npy
try run --train other.npy
try run --test other.npy
try run --train single.npz
try run --items 300 --neighbours 301
try run --items 300 --labels 10,20 --neighbours 15
try run --items 300 --labels 400
try run --labels 10,x
try run --depth 0
try run --method forest
try run --method mlp --epochs 0
try run --validation --train glyphs
try bare --validation
try run --target age
try age --target age 2>&1 | sed "s|'/.*/|'|"
try age --confusion age.csv
try run --out picture.gif
[ ! -e picture.gif ]
