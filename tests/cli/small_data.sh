# Few rows: they are trained instead of refused, PCA stands beside, sizes are compared and components come out again.
set -e
"$python" - <<'PYTHON'
import random
random.seed(2)
for rows in (30, 50):
    with open(f"rows{rows}.csv", "w") as file:
        print("a,b,c,d,e,label", file=file)
        for i in range(rows):
            s, t = random.gauss(0, 1), random.gauss(0, 1)
            print(*(f"{v:.3f}" for v in (s, 2 * s + random.gauss(0, .2), t, s - t, t + random.gauss(0, .2))), "yes" if s > 0 else "no", sep=",", file=file)
with open("noise.csv", "w") as file:
    print("a,b,c,d,e", file=file)
    for i in range(60):
        print(*(f"{random.gauss(0, 1):.3f}" for k in range(5)), sep=",", file=file)
PYTHON
for rows in 30 50; do
    "$eccentric" train rows$rows.csv --latent 2 --out run$rows --quiet | sed -n 's/[0-9][0-9.]*/N/g; /explained/p'
done
"$eccentric" train rows30.csv --latent 2 --out again --json --quiet >again.json
cmp run30/model.safetensors again/model.safetensors && echo "same seed, same weights"
"$eccentric" train rows30.csv --latent 5 --out wide 2>&1 >wide.txt | grep compress
grep "is PCA" wide.txt
# three validation items say nothing: the model stays PCA, which the one test item then cannot prefer
head -17 rows30.csv >rows16.csv
"$eccentric" train rows16.csv --latent 2 --out few 2>&1 | grep -c "is PCA\|PCA of the same size reconstructs"
"$eccentric" dims rows50.csv --latent 2..4 --json --quiet --out new/dims.png >dims.json
"$eccentric" dims noise.csv --latent 2,3 --quiet | grep recommended
"$eccentric" components run50 --stability 2 --json --quiet >components.json
"$python" - <<'PYTHON'
import json
r = json.load(open("again.json"))["unseen"]
assert r["part"] == "test" and r["items"] == 3 and r["error"] <= 1.02 * r["pca_error"] + 1e-9
d = json.load(open("dims.json"))
assert [row["latent"] for row in d["sizes"]] == [2, 3, 4] and d["recommended"] in (2, 3, 4)
c = json.load(open("components.json"))
assert len(c["stability"]) == 2 and all(-1 <= s <= 1 for s in c["stability"])
print("errors, sizes and stability can be read")
PYTHON
ls new
# columns are chosen as train does: of three that are left, two dimensions can be tried
"$eccentric" dims rows50.csv --columns a,b,c,d --drop d --latent 2..4 --json --quiet >some.json
"$eccentric" train rows50.csv --columns a,b,c,d --drop d --latent 2 --keep best --json --quiet --out some >train.json
"$python" - <<'PYTHON'
import json
sizes, trained = json.load(open("some.json"))["sizes"], json.load(open("train.json"))["unseen"]
assert [row["latent"] for row in sizes] == [2] and sizes[0]["error"] == trained["error"]
print("dims measures what train gives")
PYTHON
set +e
for sizes in 2..16 2,4,8 two; do "$eccentric" train rows50.csv --latent $sizes --out x; echo "-> $?"; done
for sizes in 4,2 0..3 x 2,,3; do "$eccentric" dims rows50.csv --latent $sizes; echo "-> $?"; done
