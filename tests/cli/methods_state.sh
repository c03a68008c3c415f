# Methods with a state of their own: killed and resumed they give the same bytes, a second training
# starts from nothing, other commands can use the runs, and options that do not fit are refused.
set -e
try() {
    "$eccentric" "$@" 2>&1 || echo "-> $?"
}
small="--items 300 --batch 50 --latent 4 --validation 50 --threads 1 --width 0.1 --quiet --checkpoint-seconds 0.02"
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
x = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 6)) + 0.1 * rng.normal(size=(200, 6))
np.savetxt("table.csv", x, delimiter=",", header="a,b,c,d,e,f", comments="")
PYTHON
methods="vq:restart=0.1 vq:update=gradient vq:update=simvq wae-gan:width=64 rae-gp rae-sn vae:gamma=learned"
for method in $methods; do
    rm -rf whole killed refit
    "$eccentric" train glyphs $small --epochs 40 --regularizer $method --out whole >/dev/null
    "$eccentric" train glyphs $small --epochs 40 --regularizer $method --out killed >/dev/null 2>&1 &
    process=$!
    while [ ! -e killed/config.json ]; do sleep 0.02; done
    for pause in 0.05 0.02 0.1; do
        sleep $pause
        kill -9 $process 2>/dev/null || true
        wait $process 2>/dev/null || true
        "$eccentric" train --resume killed --quiet >/dev/null 2>&1 &
        process=$!
    done
    wait $process
    cmp whole/model.safetensors killed/model.safetensors && echo "$method: killed and resumed, the same weights"
    "$eccentric" train table.csv --latent 2 --batch 20 --epochs 20 --keep refit --threads 1 --quiet \
        --regularizer $method --out refit >/dev/null && echo "$method: trained twice on a table"
    "$eccentric" encode whole glyphs:test --items 20 --out z.npy --quiet >/dev/null
    "$eccentric" sample whole -n 4 --out sheet.png --quiet >/dev/null
    "$eccentric" report whole --quiet >/dev/null
    "$python" - <<'PYTHON'
import re
from report_page import Page
text = Page("whole/report.html").sections["training"]
for line in re.findall(r"Codes used: .*?code|Learned noise", text): print(re.sub(r"[0-9]+(,[0-9]{3})*", "N", line))
PYTHON
    "$eccentric" components whole --quiet >/dev/null && echo "$method: encode, sample, report and components"
done
try train glyphs $small --regularizer vq:dim=3 --out bad
try train glyphs $small --regularizer vq:update=both --out bad
try train glyphs $small --regularizer wae-gan:trick=maybe --out bad
try train glyphs $small --regularizer rae-gp:weight=-1 --out bad
# The linear layers of irmae as one matrix: latents and singular values beside NumPy's.
"$eccentric" train glyphs $small --epochs 4 --regularizer irmae:layers=3 --out irmae >/dev/null
"$eccentric" components irmae --json --quiet >irmae.json
"$eccentric" report irmae --quiet >/dev/null
"$eccentric" components irmae --quiet | grep -A 1 singular | cut -c 1-54 | head -n 1
"$python" - <<'PYTHON'
import json, struct
import numpy as np
raw = open("irmae/model.safetensors", "rb").read()
size = struct.unpack("<Q", raw[:8])[0]
header = json.loads(raw[8:8 + size])
def tensor(name):
    begin, end = header[name]["data_offsets"]
    return np.frombuffer(raw[8 + size + begin:8 + size + end], np.float32).reshape(header[name]["shape"]).astype(float)
w = tensor("latent.2.weight") @ tensor("latent.1.weight") @ tensor("latent.0.weight")
from report_page import Page
values = json.load(open("irmae.json"))["singular_values"]
text = " ".join(Page("irmae/report.html").sections["training"].split())
assert "%d of 4 are above a hundredth of the largest, %.4g." % (sum(v > 0.01 * values[0] for v in values), values[0]) in text, text
print("singular values agree", np.allclose(json.load(open("irmae.json"))["singular_values"], np.linalg.svd(w)[1], rtol=1e-4))
PYTHON
# A second VAE of the latents: made once, used again, the same latents each time.
"$eccentric" sample irmae --from two-stage --steps 30 -n 20 --threads 1 --quiet --out x.npy --latents one.npy
touch -d 2020-01-01 irmae/two-stage/model.safetensors
"$eccentric" sample irmae --from two-stage -n 10 --threads 1 --quiet --out x.npy --latents two.npy
"$python" -c 'import numpy as np; print("the same latents", bool(np.allclose(np.load("one.npy")[:10], np.load("two.npy"), atol=1e-5)))'
find irmae/two-stage/model.safetensors -not -newermt 2020-01-02
try sample irmae --from two-stage --truncation 2 --out x.npy
try sample irmae --steps 5 --out x.npy
