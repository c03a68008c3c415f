# Results as people use them: CSV in, CSV out, and what is unusual; checked with NumPy.
set -e
"$python" -c '
import random
random.seed(1)
print("height,\"weight, kg\",age,sex")
for i in range(400):
    x = random.gauss(0, 1)
    h, w, a = 170 + 9 * x, 70 + 8 * x + random.gauss(0, 2), random.randint(18, 80)
    if i == 321: h, w = 150, 110     # fits no other row
    print(f"{h:.1f},{w:.2f},{a}", random.choice(["male", "female"]), sep=",")' >people.csv
"$eccentric" train people.csv --latent 2 --batch 30 --epochs 60 --quiet --out run >/dev/null

echo "== encode"
"$eccentric" encode run --out new/folder/z.csv --quiet | sed 's/(.*)/(time)/; s/[0-9.]* \(limit\) [0-9.]*: [0-9]* above/X/g; s/[0-9]*% X/X/g; s/rows .*/rows .../'
mv new/folder/z.csv z.csv
head -n 1 z.csv
"$eccentric" encode run people.csv:test --out test.csv --quiet >/dev/null
"$eccentric" encode run people.csv:test --raw --out raw.csv --quiet >/dev/null
head -n 1 raw.csv
"$eccentric" encode run --out z.npz --quiet --json >encode.json
"$eccentric" encode run --out z.npy --quiet >/dev/null
"$eccentric" encode run --components --out p.npy --quiet >/dev/null
"$eccentric" decode run z.csv --out x.csv --quiet | sed 's/(.*)/(time)/'
head -n 1 x.csv
"$eccentric" decode run raw.csv --out raw-x.csv --quiet >/dev/null
"$eccentric" decode run z.npz --out x.npy --quiet >/dev/null
"$eccentric" decode run z.npz --out x.npz --quiet >/dev/null
"$eccentric" sample run -n 5 --out drawn.npz --quiet
"$eccentric" sample run -n 5 --out drawn.npy --latents drawn-z.npy --quiet >/dev/null
"$eccentric" decode run drawn.npz --out again.npz --quiet >/dev/null
"$eccentric" data info x.npz | sed -n '/^source/p; /^items/p'
"$python" - <<'PYTHON'
import csv, json, numpy as np
rows = list(csv.DictReader(open("people.csv")))
z = list(csv.DictReader(open("z.csv")))
assert [int(r["row"]) for r in z] == list(range(1, 401)) and [r["label"] for r in z] == [r["sex"] for r in rows]
a, c, l, j = np.load("z.npz"), np.load("run/components.npz"), np.load("run/limits.npz"), json.load(open("encode.json"))
assert sorted(a.files) == ["Q", "T2", "class_names", "error", "label", "p", "row", "z"]
assert list(a["class_names"][a["label"]]) == [r["sex"] for r in rows]
d = np.load("x.npz")
assert sorted(d.files) == ["feature_names", "x", "z"] and list(d["feature_names"]) == ["height", "weight, kg", "age"]
assert (d["x"] == np.load("x.npy")).all() and d["x"].dtype == np.float64 and (d["z"] == a["z"]).all()
d, again = np.load("drawn.npz"), np.load("again.npz")
assert (d["x"] == np.load("drawn.npy")).all() and (d["z"] == np.load("drawn-z.npy")).all() and (again["x"] == d["x"]).all()
column = lambda table, name: np.array([float(r[name]) for r in table])
p = np.stack([column(z, "p1"), column(z, "p2")], 1)
assert np.allclose(p, a["p"], rtol=1e-5, atol=1e-6) and np.allclose(a["p"], np.load("p.npy")) and np.allclose(a["z"], np.load("z.npy"))
assert np.allclose((a["z"] - c["mean"]) @ c["components"].T, a["p"], atol=1e-5)
# T2 and Q as they are defined, from the file, the components and what decode gives back
x = np.array([[float(r[k]) for k in ("height", "weight, kg", "age")] for r in rows])
config = json.load(open("run/config.json"))
mean, deviation = np.array(config["data"]["mean"]), np.array(config["data"]["deviation"])
residual = ((x - np.load("x.npy")) / deviation) ** 2
assert np.allclose(a["T2"], (a["p"] ** 2 / c["eigenvalues"]).sum(1), rtol=1e-4)
assert np.allclose(a["Q"], residual.sum(1), rtol=1e-3, atol=1e-5) and np.allclose(a["error"], residual.mean(1), rtol=1e-3, atol=1e-5)
assert np.allclose(column(z, "T2"), a["T2"], rtol=1e-5) and np.allclose(column(z, "Q"), a["Q"], rtol=1e-5)
# the limits
n, d = int(c["count"]), 2
assert np.allclose(j["T2"]["limits"], l["t2"]) and np.allclose(j["Q"]["limits"], l["q"]) and l["items"] == n
f = (0.05 ** (-2 / (n - d)) - 1) * (n - d) / 2  # the quantile of F(2, n - 2)
assert np.isclose(l["t2"][0], d * (n + 1) / (n - d) * f)
assert j["T2"]["above_99"] == (a["T2"] > l["t2"][1]).sum() and j["Q"]["above_95"] == (a["Q"] > l["q"][0]).sum()
excess = np.maximum(a["T2"] / l["t2"][1], a["Q"] / l["q"][1])
assert excess[321] > 1 and list(np.argsort(-excess)[:3] + 1) == j["most_unusual"][:3]
# a part of the table, with the row numbers of the file
test = list(csv.DictReader(open("test.csv")))
assert len(test) == 40 and all(z[int(r["row"]) - 1] == r for r in test)
# back in the units of the table
decoded = list(csv.DictReader(open("x.csv")))
assert abs(np.corrcoef(column(decoded, "height"), x[:, 0])[0, 1]) > 0.9
raw = list(csv.DictReader(open("raw-x.csv")))
assert np.allclose(column(raw, "age"), column([decoded[int(r["row"]) - 1] for r in test], "age"), atol=0.11)
PYTHON

echo "== what the components mean"
"$eccentric" components run --quiet --out meaning | sed 's/-*[0-9]\.[0-9]*/X/g; s/[+-][0-9X.]*/+X/g' | sed -n '/what/,$p' | sed 's/^\(p[12]  *\).*/\1.../'
"$eccentric" components run --quiet --json --deviations 0.5 --out meaning >components.json
head -n 1 meaning/meaning.csv
"$eccentric" components run --quiet --out meaning >/dev/null
"$eccentric" scatter run --quiet --out new/scatter.svg
"$eccentric" scatter run --quiet --arrows 2 --out two.svg >/dev/null
"$python" - <<'PYTHON'
import csv, json, numpy as np
c, j = np.load("run/components.npz"), json.load(open("components.json"))
m = list(csv.DictReader(open("meaning/meaning.csv")))
s = np.sqrt(c["eigenvalues"])
with open("steps.csv", "w") as f:
    print("p1,p2", *(f"{x},{y}" for x, y in ((s[0], 0), (-s[0], 0), (0, s[1]), (0, -s[1]))), sep="\n", file=f)
assert [r["column"] for r in m] == ["height", "weight, kg", "age"] and all(r["unit"] == "" for r in m)
for k, component in enumerate(j["meaning"]):
    sizes = [abs(e["standardised"]) for e in component["changes"]]
    assert component["component"] == f"p{k + 1}" and sizes == sorted(sizes, reverse=True) and component["deviations"] == 0.5
    assert component["words"].startswith(component["changes"][0]["column"])
PYTHON
"$eccentric" decode run steps.csv --out steps.npy --quiet >/dev/null
"$python" - <<'PYTHON'
import csv, numpy as np
x, m = np.load("steps.npy"), list(csv.DictReader(open("meaning/meaning.csv")))
for k in range(2):
    change = np.array([float(r[f"p{k + 1}"]) for r in m])
    assert np.allclose((x[2 * k] - x[2 * k + 1]) / 2, change, rtol=1e-4, atol=1e-4), (k, change)
PYTHON

echo "== missing cells"
"$python" -c '
import random
random.seed(2)
whole, gaps = open("whole.csv", "w"), open("gaps.csv", "w")
for f in whole, gaps: print("id;height;weight;since;region;label", file=f)
for i in range(400):
    x = random.gauss(0, 1)
    north = random.random() < .5
    cells = [f"k{i}", f"{170 + 9 * x:.1f}".replace(".", ","), f"{70 + 8 * x + random.gauss(0, 1):.1f}".replace(".", ","),
             f"{random.randint(1, 28):02d}.{random.randint(1, 12):02d}.{2010 if north else 2020}", "north" if north else "south", "ab"[x > 0]]
    print(*cells, sep=";", file=whole)
    for k in range(1, 5):
        if random.random() < .05: cells[k] = random.choice(["", "NA", "?"])
    print(*cells, sep=";", file=gaps)'
"$eccentric" train gaps.csv --latent 2 --batch 30 --epochs 80 --quiet --out gaps-run >/dev/null
"$eccentric" encode gaps-run gaps.csv --impute filled.csv --out gaps-z.csv --quiet | sed 's/(.*)/(time)/' | grep -v 'limit\|unusual'
"$eccentric" encode gaps-run gaps.csv --impute again.csv --quiet --json
cmp filled.csv again.csv
iconv -f UTF-8 -t UTF-16 gaps.csv >excel.csv
"$eccentric" encode gaps-run excel.csv --impute excel-filled.csv --quiet >/dev/null 2>&1
(printf '\357\273\277'; cat filled.csv) | cmp - excel-filled.csv
"$eccentric" sample gaps-run -n 3 --out rows.csv --quiet
head -n 1 rows.csv
"$python" - <<'PYTHON'
import csv, math
whole, gaps, filled = ([l.rstrip("\n").split(";") for l in open(f"{n}.csv")] for n in ("whole", "gaps", "filled"))
assert len(filled) == len(gaps) == 401 and all(len(f) == 6 for f in filled)
missing = [(i, k) for i, row in enumerate(gaps) for k, cell in enumerate(row) if cell in ("", "NA", "?")]
assert all(filled[i][k] == gaps[i][k] for i in range(401) for k in range(6) if (i, k) not in missing), "what is there stays"
number = lambda cell: float(cell.replace(",", "."))
weights = [i for i, k in missing if k == 2]
mean = sum(number(g[2]) for g in gaps[1:] if g[2] not in ("", "NA", "?")) / 380
off = sum((number(filled[i][2]) - number(whole[i][2])) ** 2 for i in weights)
assert off < 0.5 * sum((mean - number(whole[i][2])) ** 2 for i in weights), "better than the mean"
assert all(len(filled[i][2].split(",")[1]) == 1 for i in weights), "with one decimal, after a comma"
assert all(filled[i][4] in ("north", "south") for i, k in missing if k == 4)
assert all(len(filled[i][3]) == 10 and filled[i][3][2] == filled[i][3][5] == "." for i, k in missing if k == 3)
print(len(missing), "cells, regions right:", sum(filled[i][4] == whole[i][4] for i, k in missing if k == 4) > 0.8 * sum(k == 4 for i, k in missing))
rows = list(csv.DictReader(open("gaps-z.csv")))
assert len(rows) == 400 and all(math.isfinite(float(r[c])) for r in rows for c in ("p1", "p2", "error", "T2", "Q"))
PYTHON

echo "== refused"
try() {
    "$eccentric" "$@" --quiet
    echo "-> $?"
}
set +e
try encode run --out z.txt
try encode run --out z.csv --raw --components
try encode run
try encode run people.csv --impute people.csv
try encode run people.csv --impute filled.xlsx
try encode run z.npy --impute filled.csv
try decode run people.csv --out x.csv
try decode run z.csv --out x.png
printf 'p1,p2\n1,2\n1,x\n' >bad.csv
try decode run bad.csv --out y.csv
printf 'p1,p2\n' >bad.csv
try decode run bad.csv --out y.csv
try sample run --out rows.xlsx
mv people.csv moved.csv
rm run/limits.npz
"$eccentric" encode run moved.csv --out z.csv 2>&1 | grep -v items | sed "s#'/.*people.csv#'people.csv#"
try encode run moved.csv --data moved.csv --out z.csv 2>&1 | sed 's/(.*)/(time)/' | grep -c limit
ls
