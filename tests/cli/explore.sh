# The explorer's server: what each address answers, against encode and decode; malformed requests get a 4xx and
# nothing else happens; token, Host, sizes.
set -e
export PYTHONDONTWRITEBYTECODE=1
"$eccentric" train glyphs --items 500 --epochs 2 --batch 50 --latent 4 --validation 50 --threads 1 --quiet --out run >/dev/null
"$eccentric" train glyphs --items 500 --epochs 2 --batch 50 --latent 4 --validation 50 --seed 2 --threads 1 --quiet --out other >/dev/null
"$eccentric" train glyphs --items 300 --epochs 1 --batch 50 --latent 3 --threads 1 --quiet --out small >/dev/null

echo "== wrong usage"
for words in "" "run other run" "run --port 70000" "run --address nowhere" "run --items 0"; do
    "$eccentric" explore $words 2>&1 || echo "exit $?"
done
"$eccentric" explore nowhere --port 0 2>&1 || echo "exit $?"
"$eccentric" explore run small --port 0 --quiet 2>&1 || echo "exit $?"
"$eccentric" explore run --data nothing-here --port 0 --quiet 2>&1 || echo "exit $?"

serve() { # serve NAME ARGUMENTS: starts a server, waits for its address in NAME.json
    name=$1
    shift
    "$eccentric" explore "$@" --port 0 --json --quiet >"$name.json" 2>"$name.err" &
    servers="$servers $!"
    for i in $(seq 600); do
        [ -s "$name.json" ] && return
        sleep 0.1
    done
    cat "$name.err"
    exit 1
}
servers=""
trap 'kill $servers 2>/dev/null || true' EXIT

echo "== one run"
serve one run --threads 1
"$eccentric" encode run --items 500 --components --out p.npy --quiet >/dev/null
"$eccentric" encode run --items 500 --out z.npy --quiet >/dev/null
"$python" "$data/explore_api.py" one.json
"$eccentric" decode run latent.npy --out decoded.npy --quiet >/dev/null
"$eccentric" decode run latent.npy --out decoded --quiet >/dev/null
"$python" - <<'PYTHON'
import numpy as np
page, command = np.load("page.npy"), np.load("decoded.npy")
assert page.shape == command.shape and page.dtype == command.dtype and np.abs(page - command).max() < 1e-5
print("the exported pixels are decode's")
PYTHON
cmp page.png decoded/00000.png && echo "the PNG file is decode's"

echo "== malformed requests"
"$python" "$data/explore_bad.py" one.json
"$python" "$data/explore_raw.py" one.json

echo "== two runs, and another address"
serve two run other --threads 1
serve open run --address 0.0.0.0 --threads 1 --items 200
"$python" "$data/explore_two.py" two.json open.json

echo "== faces"
"$python" "$data/explore_faces.py" make
"$eccentric" train celeba-few --size 16 --latent 3 --batch 30 --epochs 6 --threads 1 --quiet --out faces-run >/dev/null
"$eccentric" train celeba-few --size 16 --crop 12 --latent 3 --batch 30 --epochs 2 --threads 1 --quiet --out crop-run >/dev/null
"$eccentric" explore run faces-run --port 0 --quiet 2>&1 || echo "exit $?"
serve faces-run faces-run --threads 1
"$python" "$data/explore_faces.py" check faces-run.json
# cut as the run's own data was: for two runs each its own way, for other items, and without any
serve crops faces-run crop-run --threads 1
serve folder faces-run --data celeba-few/img --threads 1
mv celeba-few/img/0003.png 3.png
rm -r celeba-few
serve faces-gone faces-run --threads 1
"$python" "$data/explore_faces.py" uploads crops.json folder.json faces-gone.json

echo "== a table"
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
base = rng.normal(size=(400, 2))
rows = np.c_[base[:, 0] * 3 + 10, base[:, 0] - base[:, 1], base[:, 1] * 100, base.sum(1)] + rng.normal(size=(400, 4)) * 0.01
with open("table.csv", "w") as f:
    f.write("height,width,mass,sum,kind\n")
    for r, b in zip(rows, base):
        f.write(",".join(f"{v:.5f}" for v in r) + (",big" if b[0] > 0 else ",small") + "\n")
PYTHON
"$eccentric" train table.csv --epochs 20 --batch 50 --latent 2 --threads 1 --quiet --out table-run >/dev/null
"$eccentric" encode table-run table.csv:train --out table-z.csv --quiet --json >table-z.json
serve table table-run --threads 1
"$python" "$data/explore_table.py" table.json

echo "== two runs that prepare the same items their own ways"
"$python" - <<'PYTHON'
lines = open("table.csv").read().splitlines()
with open("shifted.csv", "w") as f:
    f.write(lines[0] + "\n")
    for line in lines[1:]:
        *numbers, kind = line.split(",")
        f.write(",".join(f"{1.5 * float(v) + 7:.5f}" for v in numbers) + "," + kind + "\n")
PYTHON
"$eccentric" train shifted.csv --epochs 20 --batch 50 --latent 2 --threads 1 --quiet --out shifted-run >/dev/null
serve tables table-run shifted-run --threads 1
"$eccentric" encode table-run table.csv:train --components --out first.npy --quiet >/dev/null
"$eccentric" encode shifted-run table.csv:train --components --out second.npy --quiet >/dev/null
"$python" "$data/explore_tables.py" tables.json

echo "== without its data"
rm table.csv
serve gone table-run --threads 1
"$python" - <<'PYTHON'
import json, urllib.request
about = json.load(urllib.request.urlopen(json.load(open("gone.json"))["url"] + "api/about"))
print("items", about["items"], "targets", about["targets"])
PYTHON
grep -c . gone.err || true

echo "== the end"
for server in $servers; do
    kill -TERM "$server"
    wait "$server" && echo "ended well"
done
