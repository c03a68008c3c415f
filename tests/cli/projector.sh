# What --projector writes, loaded by TensorBoard itself.  TENSORBOARD_PYTHON: a Python that has it; 77 without.
set -e
for candidate in "${TENSORBOARD_PYTHON:-}" "${TORCH_PYTHON:-}" "$python" python3; do
    [ -n "$candidate" ] && "$candidate" -c 'import numpy, tensorboard.program' 2>/dev/null && reader=$candidate && break
done
[ -n "${reader:-}" ] || { echo "skipped: no TensorBoard (pip install tensorboard)" >&2; exit 77; }
small="--epochs 1 --batch 50 --latent 4 --threads 1 --quiet"

echo "== images with labels and factors"
"$eccentric" train glyphs --items 500 $small --out run >/dev/null
"$eccentric" export run --projector projector --items 60 --quiet
"$reader" "$data/projector_tensorboard.py" projector
"$python" - <<'PYTHON'
import numpy as np
assert np.allclose(np.load("tensor.npy"), np.loadtxt("projector/tensors.tsv", delimiter="\t"), rtol=1e-6)
PYTHON

echo "== a table, and embeddings from elsewhere"
"$python" - <<'PYTHON'
import numpy as np
r = np.random.default_rng(1)
z = r.normal(size=(80, 3)).astype(np.float32)
np.save("z.npy", z)
np.savetxt("table.csv", z, delimiter=",", header="a,b,c", comments="")
open("m.csv", "w").write("label,weight\n" + "".join(f"{'xy'[i % 2]},{i}\n" for i in range(80)))
PYTHON
"$eccentric" train table.csv --epochs 2 --latent 2 --threads 1 --quiet --out table >/dev/null
"$eccentric" export table --projector projector-table --quiet >/dev/null
"$reader" "$data/projector_tensorboard.py" projector-table
"$eccentric" export --latents z.npy --metadata m.csv --projector projector-z --quiet
"$reader" "$data/projector_tensorboard.py" projector-z
