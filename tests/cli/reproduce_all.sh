# reproduce all, at toy size, with digits and faces: every item has its section, figures are there as PNG and SVG, runs are
# shared, each number has its command, and without faces the rest is done all the same.
export OMP_NUM_THREADS=1
unset ECCENTRIC_DATA
export HOME=$PWD XDG_CACHE_HOME=$PWD/cache
"$python" - <<'END'
import os, struct, zlib
import numpy as np
random = np.random.default_rng(1)
os.makedirs("data/mnist")
os.makedirs("data/celeba/img")
def write(path, a):
    shape = b"".join(struct.pack(">I", n) for n in a.shape)
    open(path, "wb").write(struct.pack(">BBBB", 0, 0, 8, a.ndim) + shape + a.astype("u1").tobytes())
for part, n in ("train", 300), ("t10k", 60):
    label = np.arange(n) % 10
    angle, radius = label * 0.628 + random.normal(0, .1, n), 3.5 + random.normal(0, .4, n)
    y, x = np.mgrid[0:12, 0:12]
    far = (x - 5.5 - (radius * np.cos(angle))[:, None, None]) ** 2 + (y - 5.5 - (radius * np.sin(angle))[:, None, None]) ** 2
    write(f"data/mnist/{part}-images-idx3-ubyte", 255 * np.exp(-far / 3))
    write(f"data/mnist/{part}-labels-idx1-ubyte", label)
def png(path, x):
    part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    raw = b"".join(b"\0" + row.tobytes() for row in x)
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", x.shape[1], x.shape[0], 8, 2, 0, 0, 0)) +
                           part(b"IDAT", zlib.compress(raw)) + part(b"IEND", b""))
rows = ["120", "Male Smiling Attractive " + " ".join(f"Never{k}" for k in range(37))]
for i in range(120):
    male, smiling, attractive = random.random(3) < 0.5
    x = random.normal(100, 10, (64, 64, 3))
    x[:32] += 60 * male
    x[:, :32, 0] += 60 * smiling
    x[20:40, 20:40, 2] -= 60 * attractive
    png(f"data/celeba/img/{i:06}.png", x.clip(0, 255).astype("u1"))
    rows.append(f"{i:06}.png " + " ".join(["1" if v else "-1" for v in (male, smiling, attractive)] + ["-1"] * 37))
open("data/celeba/list_attr_celeba.txt", "w").write("\n".join(rows) + "\n")
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
grep "Not done" all/report.md | sort -u
