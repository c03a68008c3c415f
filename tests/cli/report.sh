# `eccentric report`: one page that holds all it needs, whose figures are those of the other commands; images grey and in
# colour, attributes, tables, one dimension; unfinished runs, data that is gone, and what cannot be made.
set -e
train() {
    "$eccentric" train "$@" --threads 1 --quiet >/dev/null
}
train glyphs --items 600 --batch 50 --epochs 3 --latent 4 --validation 100 --lambda 0.002 --out run
"$eccentric" report run --threads 1 --items 400 --quiet --json >report.json
"$eccentric" report run --threads 1 --items 400 --quiet --out again.html | sed 's/[0-9.]* [kM]B/SIZE/'
cmp run/report.html again.html
"$eccentric" components run --threads 1 --quiet --json >components.json
"$eccentric" classify run --threads 1 --items 400 --quiet --json >knn.json
"$eccentric" classify run --threads 1 --items 400 --method tree --baselines no --quiet --json >tree.json
"$python" - <<'PYTHON'
import json
from report_page import Page
load = lambda name: json.load(open(name + ".json"))
page, c, knn, tree, r, result = Page("run/report.html"), load("components"), load("knn"), load("tree"), load("report"), load("run/result")
assert list(page.sections)[1:] == ["training", "spectrum", "components", "reconstructions", "samples", "map", "classes", "settings"]
assert r["missing"] == {} and r["bytes"] == len(page.source.encode()) and r["out"] == "run/report.html"
assert f"eccentricity {c['eccentricity']:.4f}, trace {c['trace']:.4f}" in page.sections["spectrum"]
for k in range(4):
    row = page.cells("spectrum", f"p{k + 1}")
    assert row[1] == f"{c['eigenvalues'][k]:.4f}" and row[3] == f"{100 * c['explained_variance'][k]:.2f} %", row
    # the first share starts from the items' mean, not from the decoded one, so that the shares add up to what is kept
    first = c["explained_data_by_mean"] if k == 0 else 0
    assert row[5] == f"{100 * (first + c['explained_data_variance'][k]):.2f} %", row
    assert row[6] == f"{100 * (c['explained_data_by_mean'] + sum(c['explained_data_variance'][:k + 1])):.1f} %", row
needed = next(k for k in range(1, 5) if sum(c["explained_variance"][:k]) >= 0.9)
assert f"it takes {needed} of 4 components to hold 90 % of their variance (of a sphere, 4)" in page.sections[""], page.sections[""]
assert ("nearly a sphere" in page.sections[""]) == (c["eccentricity"] < 0.25)
assert page.cells("classes", "latents")[1:4] == [f"{100 * knn['error']:.2f} %", f"{100 * knn['balanced_error']:.2f} %",
                                                 f"{knn['macro_f1']:.3f}"]
for i, name in enumerate(knn["classes"]):
    assert page.cells("classes", name)[1:] == [str(n) if n else "" for n in knn["confusion"][i]]
assert page.cells("classes", "PCA")[1] == f"{100 * knn['baselines']['pca']:.2f} %"
assert page.cells("classes", "pixels")[1] == f"{100 * knn['baselines']['pixels']:.2f} %"
assert page.cells("classes", "majority")[1] == f"{100 * knn['baselines']['majority']:.2f} %"
stumps = sorted(tree["stumps"], key=lambda s: -s["gain"])
at = next(i for i, row in enumerate(page.tables["classes"]) if row[:2] == ["class", "component"])
for s, row in zip(stumps, page.tables["classes"][at + 1:at + 11]):
    right = [f"{100 * s['majority_accuracy']:.1f} %", f"{100 * s['accuracy']:.1f} %"]
    assert row == [s["name"], f"p{s['component']}", f"{s['gain']:.3f} bits", f"{100 * s['share_below']:.1f} %",
                   f"{100 * s['share_above']:.1f} %"] + (right if s["verdict"] == "tells" else ["same answer on both sides"]), (s, row)
assert f"mean squared error {r['error']:.5f}" in page.sections["reconstructions"]
head = page.sections[""].replace("\n", "")
assert f"{r['error']:.5f}error, unseen items" in head or f"error, unseen items{r['error']:.5f}" in head, head
assert len(page.images) == 4 + 2 + 1  # strips, reconstructions, samples
command = page.source.split('<pre class="command">')[1].split("</pre>")[0]
assert command == "eccentric train glyphs --out NEW-RUN --latent 4 --lambda 0.002 --epochs 3 --batch 50 " \
    "--validation 100 --keep best --items 600 --threads 1", command
open("command", "w").write(command.replace("eccentric", '"$eccentric"', 1).replace("NEW-RUN", "second --quiet >/dev/null"))
print("the page has what the commands say")
PYTHON
sh ./command
cmp run/model.safetensors second/model.safetensors && echo "and the command that makes the run again, bit for bit"

# names that would be markup: of classes, columns, attributes, runs
"$python" - <<'PYTHON'
import os
import numpy as np
import toy
random = np.random.default_rng(1)
for k, name in enumerate(['<b>&"', "plain"]):
    os.makedirs("photos/" + name)
    for i in range(40):
        x = random.integers(0, 80, (16, 16, 3))
        x[4 * k:4 * k + 8, 4:12, k] = 255
        toy.png(f"photos/{name}/{i:02}.png", x.astype("u1"))
x, attributes = random.normal(0, 60, (120, 1, 1, 3)) + 120 + np.zeros((120, 16, 16, 3)), random.random((120, 2)) < .5
attributes[:, 0] = x[:, 0, 0, 0] > 120
toy.faces("faces", ["Red", "<i>&"], x, attributes)
with open("table.csv", "w") as file:
    file.write('a,"<u>b&""c",still,label\n')
    for i in range(300):
        k = i % 3
        file.write(f"{random.normal(k)},{random.normal(-k)},7,{'<s>' if k == 0 else chr(96 + k)}\n")
np.save("plain.npy", random.random((80, 8, 8), "float32"))
PYTHON
train photos --batch 20 --epochs 2 --latent 2 --size 16 --out 'photo&run'
train faces --crop 16 --size 16 --batch 20 --epochs 2 --latent 3 --out faces-run
train table.csv --batch 20 --epochs 3 --latent 2 --out table
train plain.npy --batch 20 --epochs 2 --latent 1 --regularizer none --out one
for run in 'photo&run' faces-run table one; do "$eccentric" report "$run" --threads 1 --quiet --out "$run.html" | sed 's/[0-9.]* [kM]B/SIZE/'; done
"$python" - <<'PYTHON'
from report_page import Page
photo, faces, table, one = Page("photo&run.html"), Page("faces-run.html"), Page("table.html"), Page("one.html")
assert "photo&run" in photo.sections[""] and photo.cells("classes", '<b>&"') and '<b>&"' in photo.sections["map"]
assert photo.images[0][25] == 2 and "colour images of 16 × 16" in photo.sections[""]  # the PNG's colour type
assert "Means over 40 attributes" in faces.sections["classes"] and faces.cells("classes", "<i>&") and "Red" in faces.sections["map"]
assert not table.images and table.cells("components", '<u>b&"c') and table.cells("classes", "<s>") and table.cells("samples", "sample 8")
assert "still" not in table.sections["reconstructions"] and table.cells("classes", "columns")  # it never changes
assert "no labels" in one.sections["classes"] and len(one.images) > 2
print("grey, colour, attributes, a table and one dimension are well formed")
PYTHON

# what is gone leaves a gap that the page explains
cp -r run gone
sed -i 's|"source": "glyphs"|"source": "absent<b>.csv"|' gone/config.json
"$eccentric" report gone --quiet --threads 1 | sed 's/[0-9.]* [kM]B/SIZE/'
cp -r gone bare
rm bare/components.npz bare/metrics.jsonl
"$eccentric" report bare --quiet --threads 1 --json | "$python" -c 'import json, sys; print(sorted(json.load(sys.stdin)["missing"]))'
"$eccentric" report gone --data glyphs --items 100 --quiet --threads 1 --out back.html | sed 's/[0-9.]* [kM]B/SIZE/'
cp -r run stopped
rm stopped/model.safetensors stopped/result.json
"$eccentric" report stopped --items 100 --threads 1 --baselines no 2>&1 | grep -v "items/s\|repeats" | sed 's/[0-9.]* [kM]B/SIZE/'
"$python" - <<'PYTHON'
from report_page import Page
gone, bare, back, stopped = Page("gone/report.html"), Page("bare/report.html"), Page("back.html"), Page("stopped/report.html")
lacking = lambda page: [name for name, text in page.sections.items() if "Not available:" in text]
assert lacking(gone) == ["reconstructions", "map", "classes"] and len(gone.images) == 4 + 1, lacking(gone)
assert lacking(bare) == ["training", "spectrum", "components", "reconstructions", "samples", "map", "classes"], lacking(bare)
assert "absent<b>.csv" in bare.sections["map"] and lacking(back) == lacking(stopped) == []
assert "not finished" in stopped.sections[""] and stopped.sections["spectrum"] != ""
print("gaps are explained, the rest is there")
PYTHON

# what cannot be made leaves nothing behind
set +e
try() {
    "$eccentric" report "$@" --quiet
    echo "-> $?"
}
rm -r run/report.html gone/report.html
head -c 1000 run/model.safetensors >cut && cp -r run broken && cp cut broken/model.safetensors
try broken
try nowhere
try run --items 50 --out run/config.json/page.html
ln -s /dev/full full.html
try run --items 50 --out full.html
try run --out run/model.safetensors
try gone --data absent.csv
try run --data plain.npy
try run --baselines perhaps
try
ls run/*.html gone/*.html broken/*.html missing *.part 2>/dev/null
true
