# Runs that older versions wrote (tests/old): opened for ever, with the latents that they gave then.
set -e
export OMP_NUM_THREADS=1
cp "$data"/../old/*.csv "$data/../old/tiny.net" .
for old in "$data"/../old/*-*/; do
    name=$(basename "$old")
    cp -r "$old" "$name"
    case $name in *-table) items=table.csv:all ;; *-numbers) items=numbers.csv:all ;; *) items=glyphs ;; esac
    "$eccentric" encode "$name" "$items" --items 20 --out z.npy --quiet >/dev/null
    "$eccentric" components "$name" --data "$items" --json --quiet >components.json 2>/dev/null
    "$eccentric" sample "$name" -n 4 --data "$items" --out sample.npz --quiet >/dev/null 2>&1
    "$eccentric" report "$name" --out report.html --quiet >/dev/null 2>&1
    "$python" - "$name" <<'PYTHON'
import json, sys
import numpy as np
name = sys.argv[1]
z, then = np.load("z.npy"), np.load(name + "/z.npy")
assert z.shape == then.shape == (20, 2) and np.abs(z - then).max() < 1e-4, np.abs(z - then).max()
assert len(json.load(open("components.json"))["eigenvalues"]) == 2
assert np.load("sample.npz")["z"].shape == (4, 2) and b"<svg" in open("report.html", "rb").read()
print(name + ": the same latents, components, samples and a report")
PYTHON
    # trained on, or refused with a sentence that says what to do
    cp "$name/config.json" before.json
    if "$eccentric" train --resume "$name" --epochs 9 --quiet >/dev/null 2>err; then
        echo "$name: trained on"
    else
        sed "s/^/$name: /" err
        cmp before.json "$name/config.json" # nothing has changed
    fi
done
