# What `data info` says of each kind of data; pictures and JSON.
set -e
"$eccentric" data info glyphs --items 500 --out sheet.png
head -c 8 sheet.png | od -An -c | tr -d ' '
"$eccentric" data info glyphs:test --items 300 --json >g.json
"$python" - <<'PYTHON'
import gzip, json, os
import numpy as np, toy
info = json.load(open("g.json"))
print(info["source"], info["items"], info["channels"], info["height"], info["width"], len(info["classes"]), info["remarks"])
assert sum(c["items"] for c in info["classes"]) == 300
assert [f["name"] for f in info["factors"]][:4] == ["style", "slant", "width", "thickness"]
rng = np.random.RandomState(1)

os.makedirs("digits")
toy.idx("digits/train-images-idx3-ubyte.gz", rng.randint(0, 256, (40, 5, 4)), gzip.open)
toy.idx("digits/train-labels-idx1-ubyte", np.arange(40) % 3)
toy.idx("digits/t10k-images-idx3-ubyte", np.zeros((6, 5, 4)))
toy.idx("digits/t10k-labels-idx1-ubyte", np.array([0, 1, 1, 0, 3, 3]))

x = rng.rand(30, 8, 9, 3)
np.savez_compressed("colour.npz", images=x, labels=np.arange(30) % 4)
np.savez("parts.npz", x_train=rng.randint(0, 256, (12, 6, 6)).astype(np.uint8), y_train=np.arange(12),
         x_test=rng.randint(0, 256, (3, 6, 6)).astype(np.uint8), y_test=np.arange(3))
np.save("table.npy", rng.rand(50, 7))
gzip.open("words.csv.gz", "wt").write("a,b,species\n" + "".join("%g,%g,%s\n" % (i, i * i, "ab"[i % 2]) for i in range(20)))

for name in ("cats", "dogs"):
    os.makedirs("pets/" + name)
    for i in range(15):
        toy.png("pets/%s/%02d.png" % (name, i), rng.randint(0, 256, (20 + i, 30, 3)).astype(np.uint8))
PYTHON
for data in digits digits:test colour.npz:all parts.npz:test table.npy words.csv.gz words.csv.gz:test "pets --crop 20" "pets:all --size 8 --out pets.svg"; do
    echo "## $data"
    # shellcheck disable=SC2086 # options are words of their own
    "$eccentric" data info $data
done
echo "## the first items"
"$eccentric" data info digits --items 30 | grep split
echo "## --split and --label"
"$eccentric" data info words.csv.gz --split all --label species | tail -n 8
