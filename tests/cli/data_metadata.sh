# What is known of items from a table beside them: metadata.csv in a folder of images, --metadata for any data.
set -e
info() {
    echo "\$ data info $*"
    "$eccentric" data info "$@" 2>&1 | sed '/^data  /d; /^source/d; /^values/d; /^shape/d' || true
}
"$python" - <<'PYTHON'
import os
import numpy as np, toy
rng = np.random.RandomState(1)
for i in range(20):
    for folder in "flat", "ids", "nohead", "wrong", "only/images", "deep/cats" if i % 2 else "deep/dogs":
        os.makedirs(folder, exist_ok=True)
        toy.png(f"{folder}/{i:02}.png", rng.randint(0, 256, (4, 4, 1)).astype(np.uint8))
def table(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
table("flat/metadata.csv", ["file_name,label,age,smiling,glasses,male,author,town,split"] + [
    "%02d.png,%s,%s,%d,%s,%d,%s,%s,%s" % (i, "" if i == 4 else "ab"[i % 2], "" if i == 3 else 20 + i / 2, i % 3 == 0,
                                       "yes" if i % 4 else "no", 2 * (i % 2) - 1, "Anna %d" % i, ("Ulm", "Bonn", "", "Köln")[i % 4], ("train", "val", "test")[i % 3])
    for i in list(range(18)) + [77, 78, 3]])
table("ids/metadata.csv", ["id;weight"] + ["%02d;%d,5" % (i, i) for i in range(20)])
table("nohead/metadata.csv", ["%02d.png,%s" % (i, "red blue".split()[i % 2]) for i in range(20)])
table("wrong/metadata.csv", ["name,label", "x,a", "y,b"])
table("only/metadata.csv", ["path\tspecies", *("images\\%02d.png\t%s" % (i, ("Ara", "Fink")[i % 2]) for i in range(20))])
table("deep.csv", ["image,class,n", *("/elsewhere/%02d.png,%s,%d" % (i, ("big", "small")[i // 10], i) for i in range(20))])
np.save("x.npy", rng.rand(20, 3))
np.savez("x.npz", x=rng.rand(20, 3), y=np.arange(20) % 2)
table("rows.csv", ["price,target"] + ["%d.5,%s" % (i, "uvw"[i % 3]) for i in range(20)])
table("index.csv", [",height,colour"] + ["%d,%d,%s" % (i, 100 + i, "rg"[i % 2]) for i in range(19, -1, -1) if i != 5])
table("short.csv", ["price"] + ["1.5"] * 19)
table("ragged.csv", ["a,b"] + ["1,2"] * 18 + ["1,2,3", "4"])
table("x.csv", ["a,b,c"] + ["%g,%g,%g" % tuple(row) for row in rng.rand(20, 3)])
PYTHON
info flat:all
info flat
info flat:test --label author
info flat:all --label none
info flat:all --label sex
info ids:all
info nohead:all --label "column 2"
info wrong:all
info wrong:all --metadata wrong/metadata.csv
info only:all
info deep:all
info deep:all --metadata deep.csv
echo "== other data: by its order, or by a column that counts the items"
info x.npy:all --metadata rows.csv
info x.npz:all --metadata index.csv --label colour
info x.npz:all --metadata rows.csv
info x.csv:all --metadata rows.csv
info x.npy:all --metadata short.csv
info x.npy:all --metadata ragged.csv
info x.npy:all --metadata x.npy
"$eccentric" data info flat:all --json | "$python" -c '
import json, sys
info = json.load(sys.stdin)
print([c["name"] for c in info["classes"]], [a["name"] for a in info["attributes"]], len(info["remarks"]))'
echo "== results know the files"
"$eccentric" train deep:all --latent 2 --batch 10 --epochs 1 --validation 0 --threads 1 --quiet --out deep-run >/dev/null 2>&1
"$eccentric" encode deep-run deep:all --out files.csv --quiet >/dev/null
"$eccentric" encode deep-run deep:all --out files.npz --quiet >/dev/null
head -n 1 files.csv
"$python" -c '
import csv, numpy as np
rows = list(csv.DictReader(open("files.csv")))
assert all(r["file"].split("/")[0] == r["label"] for r in rows) and sorted(r["file"][5:] for r in rows) == ["%02d.png" % i for i in range(20)]
assert list(np.load("files.npz")["file"]) == [r["file"] for r in rows]
print(rows[0]["file"], rows[-1]["file"])'
