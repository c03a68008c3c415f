# reproduce all, at toy size, with digits and faces: every item has its section, figures are there as PNG and SVG, runs are
# shared, each number has its command, and without faces the rest is done all the same.
export OMP_NUM_THREADS=1
unset ECCENTRIC_DATA
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache
"$python" - <<'END'
import numpy as np, toy
random = np.random.default_rng(1)
toy.digits("data/mnist")
x = random.normal(100, 10, (120, 64, 64, 3))
male, smiling, attractive = attributes = random.random((3, 120)) < 0.5
x[male, :32] += 60
x[smiling, :, :32, 0] += 60
x[attractive, 20:40, 20:40, 2] -= 60
toy.faces("data/celeba", ["Male", "Smiling", "Attractive"], x, attributes.T)
END
"$eccentric" reproduce all --data data --quick --out all --quiet >/dev/null
echo "exit $?"
cat >look.py <<'END'
import json, os, sys
results = json.load(open("all/results.json"))
names = {run["name"] for run in results["runs"]}
print(len(names), "runs")
assert len(names) == len(results["runs"]) == len(os.listdir("all/runs"))
verdicts = {"agrees", "better", "worse", "differs", "not comparable", "not done"}
for section in results["sections"]:
    for figure in section["figures"]:
        for ending in ".png", ".svg": assert os.path.getsize("all/" + figure["file"] + ending) > 1000
    for table in section["tables"]:
        assert table["rows"] and all(len(row) == len(table["columns"]) for row in table["rows"])
    for claim in section["claims"]: assert claim["verdict"] in verdicts and claim["claim"] and claim["ours"]
    assert section["commands"] and all(c.startswith("eccentric ") for c in section["commands"])
    print(section["id"], len(section["figures"]), "figures", len(section["tables"]), "tables", len(section["claims"]), "claims",
          *section["missing"])
page = open("all/report.html").read()
assert page.count("<img ") == sum(len(s["figures"]) for s in results["sections"])
assert 'src="http' not in page and "<link" not in page and "<script" not in page
END
"$python" look.py
"$eccentric" reproduce all --data data --quick --out all 2>&1 >/dev/null | sed 's/about .*/about T/'
cp all/results.json before.json
"$eccentric" reproduce all --data data --report --out all --quiet >/dev/null
"$python" -c '
import json
a, b = (json.load(open(name))["sections"] for name in ("before.json", "all/results.json"))
for x, y in zip(a, b): assert x["claims"] == y["claims"] and x["tables"] == y["tables"], (x["id"], x["claims"], y["claims"])
print("a report of what is there is the same", len(a) == len(b))'
echo "-- without faces"
rm -r data/celeba
"$eccentric" reproduce figure7 table3 table4 figure2 --data data --quick --out all 2>&1 | sed 's/about .*/about T/'
grep "Missing: there is no directory" all/report.md | sort -u
