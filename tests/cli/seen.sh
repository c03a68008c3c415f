# Items that a run was trained on are never called unseen or test: runs on all rows, with and without validation items, other
# files with and without common rows, data that changed or moved, runs that do not say which rows they were given.
set -e
"$python" - <<'PYTHON'
import random
import numpy as np
random.seed(1)
row = lambda i: f"{random.gauss(2 * (i % 2), 1):.4f},{random.gauss(0, 1):.4f},{random.gauss(5, 3):.4f},{'ab'[i % 2]}\n"
rows = [row(i) for i in range(200)]
open("t.csv", "w").writelines(["x,y,z,label\n"] + rows)
open("other.csv", "w").writelines(["x,y,z,label\n"] + rows[:12] + [row(i) for i in range(48)])
open("twice.csv", "w").writelines(["x,y,z,label\n"] + rows[::-1])
images = np.random.default_rng(1).integers(0, 255, (90, 6, 6)).astype("u1")
np.save("images.npy", images[:60])
np.save("more.npy", images[60:])
PYTHON
train() {
    "$eccentric" train "$@" --batch 20 --epochs 2 --latent 2 --threads 1 --quiet >/dev/null
}
train t.csv --validation 20 --keep best --out part
train t.csv:all --validation 0 --out whole
train t.csv:all --validation 40 --keep best --out kept
train images.npy:all --validation 0 --regularizer none --out pictures
"$python" -c '
import json
for run in ["part", "whole", "kept"]:
    d = json.load(open(run + "/config.json"))["data"]
    print(run, len(d["fingerprint"]), d["split"], d["rows"], d.get("train_rows"))'
try() {
    echo "\$ $*"
    "$eccentric" "$@" 2>&1 | grep -v "items/s\|images/s\|samples/s\|repeats\|^ *[0-9][0-9]* *[0-9][0-9]* .*%\|balanced\|macro F1\|^confusions\|^$\|^[ab ] *[0-9ab]* *[0-9ab]*$" | sed 's/[0-9.]* [kM]B/SIZE/'
}
set +e
try classify part --baselines no
try classify whole
try classify kept --baselines no
try classify whole --test other.csv --baselines no
try classify whole --test twice.csv --baselines no
try classify whole --test t.csv:test --train t.csv:train --baselines no
try classify whole --test t.csv:test
try classify part --train t.csv:all --test t.csv:test
try classify whole --test images.npy
try report part --out part.html
try report whole --out whole.html
try report kept --out kept.html
try report whole --out tested.html --test other.csv
"$python" - <<'PYTHON'
from report_page import Page
part, whole, kept, tested = (Page(n + ".html") for n in ["part", "whole", "kept", "tested"])
assert "unseen items" in part.sections["map"] and "test item" in part.sections[""]
for page in [whole, kept]:
    for name, text in page.sections.items():
        if name != "training":
            assert "unseen items" not in text and "test item" not in text, (name, text)
assert "was trained on all items of its data" in whole.sections[""] and "180 training items" not in whole.sections["map"]
assert "200 training items" in whole.sections["map"] and "Not available" in whole.sections["classes"]
assert "40 validation items" in kept.sections["classes"] and "40 validation items" in kept.sections["map"]
assert "unseen items" in tested.sections["map"] and "60 test items" in tested.sections["classes"]
PYTHON
try align part part | sed -n '1p; 4p'
try align whole kept | sed -n '1,2p; 5p'
try align whole kept --test other.csv | sed -n '2p; 5p'
try fid pictures images.npy --features pixels --kid no | grep -v "^FID\|^A\|few\|only"
try fid pictures --test more.npy --features pixels --kid no | grep -v "^FID\|^A\|few\|only"
try fid pictures --test t.csv --features pixels
try fid pictures
"$eccentric" scatter whole --quiet --json | "$python" -c 'import json, sys; r = json.load(sys.stdin); print(r["items"], r["items_trained_on"])'
"$eccentric" scatter part t.csv:test --quiet --json | "$python" -c 'import json, sys; r = json.load(sys.stdin); print(r["items"], r["items_trained_on"])'

echo "moved, old, changed"
mkdir elsewhere
cp t.csv elsewhere/renamed.csv
try classify part --test elsewhere/renamed.csv:test --baselines no
for run in part whole; do
    cp -r $run old-$run
    sed -i '/"fingerprint"/d; /"split"/d; /"rows"/d; /"train_rows"/d' old-$run/config.json
    try classify old-$run --baselines no
done
echo "1,2,3,a" >>t.csv
try classify part --baselines no
rm part/components.npz
"$eccentric" components part 2>&1 | grep trained
cp part/config.json before.json
try train --resume part --epochs 50 | sed "s|'.*/t.csv|'t.csv|" # its test rows would be among those it was trained on
cmp part/config.json before.json
