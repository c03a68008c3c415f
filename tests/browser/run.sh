#!/bin/sh
# The explorer in a real browser: headless Chromium.  usage: run.sh BINARY      77: there is no Chromium or NumPy.
set -u
export PYTHONDONTWRITEBYTECODE=1
eccentric=$1
here=$(cd "$(dirname "$0")" && pwd)
python=""
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || { echo "skipped: no python3 with NumPy"; exit 77; }
for browser in chromium chromium-browser google-chrome none; do command -v $browser >/dev/null && break; done
[ $browser != none ] || { echo "skipped: no Chromium (apt-get install chromium)"; exit 77; }
work=$(mktemp -d)
servers=""
trap 'kill $servers 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

"$eccentric" train glyphs --items 600 --epochs 2 --batch 50 --latent 12 --validation 50 --threads 1 --quiet --out run >/dev/null &&
    "$eccentric" train glyphs --items 600 --epochs 2 --batch 50 --latent 12 --validation 50 --seed 2 --threads 1 --quiet --out other >/dev/null ||
    exit 1
PYTHONPATH="$here/../cli" "$python" "$here/kinds_data.py" &&
    "$eccentric" train faces --size 16 --latent 3 --batch 30 --epochs 6 --threads 1 --quiet --out faces-run >/dev/null &&
    "$eccentric" train table.csv --epochs 20 --batch 50 --latent 2 --threads 1 --quiet --out table-run >/dev/null &&
    "$eccentric" train homes.csv --label price --epochs 20 --latent 2 --threads 1 --quiet --out homes-run >/dev/null &&
    "$eccentric" train shifted.csv --epochs 20 --batch 50 --latent 2 --threads 1 --quiet --out shifted-run >/dev/null ||
    exit 1
for columns in 30 500 7000; do
    "$eccentric" train table$columns.csv --epochs 2 --latent 3 --threads 1 --quiet --out table$columns-run >/dev/null || exit 1
done
serve() {
    name=$1
    shift
    "$eccentric" explore "$@" --port 0 --json --quiet --threads 1 >"$name.json" &
    servers="$servers $!"
    for i in $(seq 3000); do
        [ -s "$name.json" ] && return
        sleep 0.1
    done
    echo "the server does not start"
    exit 1
}
serve one run
serve two run other
serve faces faces-run
serve table table-run
serve homes homes-run
serve tables table-run shifted-run
for columns in 30 500 7000; do serve table$columns table$columns-run; done
serve own --latents own.npy --images own_x.npy --metadata own.csv
serve bare --latents own.npy
serve many --latents many.npy
result=0
for file in ${FILES:-explore map kinds access}; do
    timeout 1500 "$python" "$here/$file.py" "$eccentric" || result=1
done

# The same once more on pages that need no server, but for what is about the server itself.
page() {
    name=$1
    shift
    "$eccentric" export --items ${items:-20000} "$@" --html "$name.html" --weights float32 --quiet >/dev/null || exit 1
    echo "{\"url\": \"file://$work/$name.html\"}" >"$name.json"
}
kill $servers 2>/dev/null
servers=""
page one run
page two run other
page faces faces-run
page table table-run
page homes homes-run
page tables table-run shifted-run
for columns in 30 500 7000; do page table$columns table$columns-run; done
page own --latents own.npy --images own_x.npy --metadata own.csv
page bare --latents own.npy
items=120000 page many --latents many.npy
echo "one file:"
[ -n "${FILES:-}" ] || timeout 1500 "$python" "$here/one_file.py" "$eccentric" || result=1
for file in ${FILES:-explore map kinds access}; do
    WITHOUT="newest_wins,strips_wait,gone" timeout 1500 "$python" "$here/$file.py" "$eccentric" || result=1
done
exit $result
