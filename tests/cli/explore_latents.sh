# The explorer of latents from elsewhere, as a server and as one file; and items of a page by class.
set -e
export PYTHONDONTWRITEBYTECODE=1
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
z = rng.normal(size=(60, 4)) * [3, 2, 1, 0.5]
np.save("z.npy", z)
np.save("z32.npy", z.astype(np.float32))
np.save("line.npy", z[0])
np.save("cube.npy", z.reshape(3, 20, 4))
np.save("one.npy", z[:1])
np.save("none.npy", z[:, :0])
z[7, 2] = np.nan
np.save("nan.npy", z)
np.save("words.npy", np.array([["a", "b"]]))
np.save("x.npy", rng.random((60, 8, 8)).astype(np.float32))
np.save("few.npy", rng.random((50, 8, 8)).astype(np.float32))
np.save("five.npy", rng.random((60, 5, 8, 8)).astype(np.float32))
open("text.npy", "w").write("not an array")
open("short.npy", "wb").write(open("z.npy", "rb").read()[:500])
with open("m.csv", "w") as file:
    print("label,age,smiles,town,note", file=file)
    for i in range(60):
        print("rare" if i % 20 == 0 else "often" if i % 2 else "some", i, i % 3 == 0 and "yes" or "no", ("Ulm", "Bonn", "", "Köln")[i % 4], f"note {i}", sep=",", file=file)
with open("short.csv", "w") as file:
    print("label\na\nb", file=file)
PYTHON

echo "== wrong usage"
for words in "run --latents z.npy" "--images x.npy" "run --metadata m.csv" "--latents z.npy --data x.npy"; do
    "$eccentric" explore $words --port 0 2>&1 || echo "exit $?"
done
for words in "--html p.html" "run --latents z.npy --html p.html" "--latents z.npy --onnx o" "--latents z.npy --data x.npy --html p.html"; do
    "$eccentric" export $words 2>&1 || echo "exit $?"
done

echo "== bad files"
for file in nowhere.npy text.npy short.npy line.npy cube.npy one.npy none.npy nan.npy words.npy; do
    "$eccentric" explore --latents $file --port 0 --quiet 2>&1 || echo "exit $?"
done
for images in nowhere few.npy five.npy z.npy m.csv; do
    "$eccentric" explore --latents z.npy --images $images --port 0 --quiet 2>&1 || echo "exit $?"
done
for metadata in nowhere.csv short.csv; do
    "$eccentric" explore --latents z.npy --metadata $metadata --port 0 --quiet 2>&1 || echo "exit $?"
done
"$eccentric" export --latents nan.npy --html p.html --quiet 2>&1 || echo "exit $?"
ls p.html o 2>/dev/null || echo "nothing was written"

echo "== a server"
"$eccentric" explore --latents z.npy --images x.npy --metadata m.csv --port 0 --json --quiet >server.json &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for i in $(seq 600); do
    [ -s server.json ] && break
    sleep 0.1
done
"$python" - <<'PYTHON'
import json, urllib.request, urllib.error
import numpy as np
base = json.load(open("server.json"))["url"] + "api/"
get = lambda path, body=None: urllib.request.urlopen(urllib.request.Request(base + path, data=body)).read()
about = json.loads(get("about"))
items, run = about["items"], about["runs"][0]
print(run["name"], run["decoder"], about["d"], items["count"], items["kind"], items["classes"], items["numbers"], items["attributes"], items["words"], items["pictures"])
assert get("word?k=0") == bytes([2, 0, 255, 1] * 15), "towns by name; 255: not known"
z = np.load("z.npy")
p = np.stack([np.frombuffer(get(f"column?k={k}"), np.float32) for k in range(4)], 1)
q = np.linalg.svd(z - z.mean(0))[0][:, :4] * np.sqrt(60)
assert np.allclose(np.abs(np.sum(p * q, 0) / 60), 1, atol=0.02), "the components are those of these latents"
x = np.frombuffer(get("items", np.array([3, 59], np.uint32).tobytes()), np.uint8).reshape(2, 8, 8)
assert np.array_equal(x, np.rint(np.load("x.npy")[[3, 59]] * 255).astype(np.uint8))
for path, body in (("decode", bytes(16)), ("export?as=latent", bytes(16)), ("sample", None), ("upload", b"x"), ("rows", None), ("word?k=1", None)):
    try:
        get(path, body)
    except urllib.error.HTTPError as error:
        print(path, error.code, json.load(error)["error"])
PYTHON
kill -TERM $server
wait $server && echo "ended well"

echo "== one file: of each class its share"
"$eccentric" export --latents z32.npy --images x.npy --metadata m.csv --items 10 --html page.html --quiet --json | sed 's/\("bytes": \)[0-9]*/\1N/'
"$eccentric" export --latents z.npy --html bare.html --quiet --json | sed 's/\("bytes": \)[0-9]*/\1N/'
"$eccentric" export --latents z.npy --items 10 --html first.html --quiet >/dev/null
"$eccentric" export --latents z.npy --metadata m.csv --items 10 --projector projector --quiet --json
"$eccentric" train x.npy --metadata m.csv --latent 3 --epochs 1 --batch 20 --threads 1 --quiet --out run >/dev/null
"$eccentric" export run --data x.npy:all --items 10 --html run.html --quiet >/dev/null
"$python" - <<'PYTHON'
import base64, gzip, json, re
import numpy as np
for name in ("page", "bare", "first", "run"):
    text = open(name + ".html").read()
    data = gzip.decompress(base64.b64decode(re.search('id="inside">([^<]*)<', text)[1]))
    size = int.from_bytes(data[:4], "little")
    index, start = json.loads(data[4:4 + size]), 4 + size
    part = lambda place: data[start + place[0]:start + sum(place)]
    about = json.loads(part(index["answers"]["about"]))
    labels = np.frombuffer(part(index["answers"]["labels"]), np.int32) if "labels" in index["answers"] else np.array([])
    rows = np.frombuffer(part(index["answers"]["rows"]), np.uint32) if "rows" in index["answers"] else np.array([])
    print(name, about["items"]["count"], len(index["nets"]), [about["items"]["classes"][c] for c in labels], rows.tolist())
    if name in ("page", "run"):
        pixels = np.frombuffer(part(index["items"][0]), np.uint8).reshape(-1, 8, 8)
        assert np.array_equal(pixels, np.rint(np.load("x.npy")[rows] * 255).astype(np.uint8)), "each item has its own image"
print(open("projector/metadata.tsv").read().replace("\t", " "), end="")
PYTHON
