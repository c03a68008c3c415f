# A model as ONNX: read and run by a reader of our own, and by ONNX Runtime where it is there; all kinds of nets and of methods.
set -e
for candidate in "${TORCH_PYTHON:-}" "$python"; do
    [ -n "$candidate" ] && "$candidate" -c 'import numpy' 2>/dev/null && reader=$candidate && break
done
# check RUN X DATA...: X are the items of DATA as the file x.npy has them
check() {
    run=$1 items=$2 what=$3
    shift 3
    "$eccentric" export $run --onnx onnx-$run "$@" --quiet >said
    "$eccentric" encode $run $what --out z.npy --quiet >/dev/null
    "$eccentric" encode $run $what --components --out along.npy --quiet >/dev/null
    "$eccentric" decode $run along.npy --components --out decoded.npy --quiet >/dev/null
    "$python" - $run <<'PYTHON'
import sys, numpy as np
c, along, decoded = np.load(sys.argv[1] + "/components.npz"), np.load("along.npy"), np.load("decoded.npy")
np.save("deviations.npy", np.sqrt(c["eigenvalues"]))
np.save("p.npy", along / np.load("deviations.npy"))
if decoded.ndim == 3:
    np.save("decoded.npy", decoded[:, None])
PYTHON
    "$reader" "$data/export_onnx.py" onnx-$run $items z.npy p.npy decoded.npy deviations.npy | grep -v "by ONNX Runtime: same"
}
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
at, i = rng.uniform(4, 24, (200, 2, 1, 1)), np.arange(28)
np.save("grey.npy", np.exp(-((i[:, None] - at[:, 0]) ** 2 + (i - at[:, 1]) ** 2) / 30).astype(np.float32))
np.save("grey4.npy", np.load("grey.npy")[:, None])
colour = rng.random((60, 3, 16, 16)).astype(np.float32)
np.save("colour.npy", colour)
t = rng.normal(size=(300, 2)) @ rng.normal(size=(2, 5)) + 0.1 * rng.normal(size=(300, 5))
t = np.float32(t * [1, 10, 100, 1, 0.01] + [0, 5, -1000, 3, 0])
np.save("numbers.npy", t)
gaps = np.where(rng.random(t.shape) < 0.1, np.nan, t)
kind = rng.integers(0, 3, 300)
with open("gaps.csv", "w") as file:
    print("a,b,kind,c,d,e", file=file)
    for row, k in zip(gaps, kind):
        cells = ["" if np.isnan(v) else f"{v:.7g}" for v in row]
        print(*cells[:2], "xyz"[k], *cells[2:], sep=",", file=file)
cells = np.array([[float(f"{v:.7g}") for v in row] for row in gaps])
np.save("gaps.npy", np.hstack([cells[:, :2], np.eye(3)[kind], cells[:, 2:]]))
PYTHON

small="--epochs 1 --batch 20 --latent 3 --threads 1 --quiet"
echo "== images"
"$eccentric" train grey.npy --net paper-mnist $small --out grey >/dev/null
check grey grey4.npy grey.npy:all
sed 's/[0-9.]* MB/SIZE/' said
echo "kept batch norm:"
check grey grey4.npy grey.npy:all --keep-norms
"$eccentric" train colour.npy $small --out colour >/dev/null
check colour colour.npy colour.npy:all

echo "== tables"
"$eccentric" train numbers.npy $small --out numbers >/dev/null
check numbers numbers.npy numbers.npy:all
"$eccentric" train gaps.csv --scaling robust $small --out gaps >/dev/null
check gaps gaps.npy gaps.csv:all

echo "== methods"
for method in kl svae sphere irmae:layers=2 nested; do
    name=$(echo $method | tr ':=' '--')
    "$eccentric" train grey.npy --net paper-mnist --regularizer $method $small --out $name >/dev/null
    check $name grey4.npy grey.npy:all >found
    echo "$method: $(grep -c same found) of $(grep -vc columns found) the same"
done
"$eccentric" train numbers.npy --regularizer fsq $small --out fsq >/dev/null
"$eccentric" export fsq --onnx onnx-fsq --quiet | sed 's/[0-9.]* MB/SIZE/'
ls onnx-fsq

echo "== one page"
"$eccentric" export grey --html page.html --items 50 --quiet | sed 's/[0-9.]* MB.*/SIZES/; s/most [0-9.e-]*/most E/; s/square [0-9.e-]*[0-9]/square E/; s/by [0-9.e-]* deviations/by E deviations/'
"$eccentric" export grey kl --html two.html --weights int8 --data grey.npy:all --quiet --json | sed 's/\("bytes": \)[0-9]*/\1N/; s/\("error_[a-z]*": \)[0-9.e-]*/\1E/'
"$eccentric" export gaps --html table.html --quiet >/dev/null
"$eccentric" export fsq --html codes.html --quiet >/dev/null
"$python" - <<'PYTHON'
import base64, gzip, json, re
for name in ("page", "two", "table", "codes"):
    text = open(name + ".html").read()
    data = gzip.decompress(base64.b64decode(re.search('id="inside">([^<]*)<', text)[1]))
    size = int.from_bytes(data[:4], "little")
    index = json.loads(data[4:4 + size])
    about = json.loads(data[4 + size:][slice(index["answers"]["about"][0], sum(index["answers"]["about"]))])
    print(name, about["items"]["count"], [sorted(net) for net in index["nets"]], len(index["answers"]), index.get("precision", {}).get("weights"))
    if name != "codes":
        assert 0 <= index["precision"]["typical"] <= index["precision"]["most"] < (2 if name == "two" else 0.1), index["precision"]
    assert not re.search('(src|href)="(?!data:|#)', text), "nothing comes from elsewhere"
PYTHON

echo "== of many weights and of many pixels"
cat >wide.net <<'NET'
encoder
  flatten
  dense 800
  leakyrelu 0.1
  dense latent
decoder
  dense 800
  leakyrelu 0.1
  dense size
  reshape channels height width
  sigmoid
NET
"$python" - <<'PYTHON'
import numpy as np
at, i = np.random.default_rng(1).uniform(8, 120, (300, 2, 1, 1)), np.arange(256)
np.save("large.npy", np.uint8(255 * np.exp(-((i[:, None] - at[:, 0]) ** 2 + (i - at[:, 1]) ** 2) / 900)))
PYTHON
"$eccentric" train grey.npy --net wide.net $small --out wide >/dev/null
"$eccentric" train large.npy --items 120 --width 0.1 $small --out large >/dev/null
chosen='s/[0-9.]* MB:.*less/SIZES: less/; s/[0-9.]* MB less/N MB less/; s/most [0-9.e-]*/most E/; s/square [0-9.e-]*[0-9]/square E/; s/by [0-9.e-]* deviations/by E deviations/'
"$eccentric" export wide --html wide.html --quiet | sed "$chosen" | tail -n 2
"$eccentric" export wide --html wide.html --weights float16 --quiet | sed "$chosen" | tail -n 2
"$eccentric" export large --html large.html --data large.npy:all --quiet | grep -o "[0-9]* of [0-9]* items"
"$eccentric" export large --html large.html --data large.npy:all --items 250 --quiet | grep -o "[0-9]* of [0-9]* items"

echo "== the projector"
"$eccentric" export grey --projector projector --data grey.npy:all --items 50 --quiet
"$eccentric" export gaps --projector projector-table --quiet --json
ls projector projector-table
cat projector/projector_config.pbtxt
"$eccentric" encode grey grey.npy:all --components --out along.npy --quiet >/dev/null
"$python" - <<'PYTHON'
import zlib, numpy as np
c, p = np.load("grey/components.npz"), np.loadtxt("projector/tensors.tsv", delimiter="\t")
assert p.shape == (50, 3) and np.allclose(p * np.sqrt(c["eigenvalues"]), np.load("along.npy")[:50], atol=1e-4)
assert open("projector/metadata.tsv").read() == "".join(f"{i}\n" for i in range(50)), "one column has no header"
assert np.loadtxt("projector-table/tensors.tsv", delimiter="\t").shape == (270, 3)
png = open("projector/sprite.png", "rb").read()
assert int.from_bytes(png[16:20], "big") == int.from_bytes(png[20:24], "big") == 8 * 28
PYTHON

echo "== what goes wrong"
"$eccentric" export grey 2>&1 || true
"$eccentric" export grey --html page.txt 2>&1 || true
"$eccentric" export grey --html page.html --onnx o 2>&1 || true
"$eccentric" export grey numbers --html page2.html --quiet 2>&1 || true
"$eccentric" export grey kl --onnx o 2>&1 || true
"$eccentric" export nowhere --onnx o 2>&1 || true
"$eccentric" export grey --onnx grey.npy 2>&1 || true
"$eccentric" export grey --onnx o.onnx 2>&1 || true
ls o o.onnx 2>/dev/null || echo "nothing was written"
