# Files that cannot be used: one sentence each, exit 1, and nothing half-written.
try() {
    "$eccentric" loss "$@"
    echo "-> $?"
}
"$python" - <<'PYTHON'
import numpy as np
good = np.arange(12, dtype=np.float32).reshape(4, 3)
np.save("good.npy", good)
np.save("cube.npy", np.zeros((3, 4, 5), np.float32))
np.save("line.npy", np.zeros(5, np.float32))
np.save("thin.npy", np.zeros((5, 1), np.float32))
np.save("one.npy", np.zeros((1, 5), np.float32))
np.save("none.npy", np.zeros((0, 5), np.float32))
np.save("text.npy", np.array([["a", "b"]]))
np.save("complex.npy", np.zeros((2, 2), np.complex64))
bad = good.copy(); bad[2, 1] = np.nan
np.save("nan.npy", bad)
bad[2, 1] = -np.inf
np.save("inf.npy", bad)
bad[2, 1] = 3e38
np.save("huge.npy", bad)
bad = good.astype("f8"); bad[3, 2] = -1e300 # a number, but none of float32
np.save("double.npy", bad)
np.save("columns.npy", np.asfortranarray(bad))
bytes_ = open("good.npy", "rb").read()
open("half.npy", "wb").write(bytes_[:len(bytes_) - 20])
open("header.npy", "wb").write(bytes_[:60])
open("empty.npy", "wb").write(b"")
open("words.npy", "wb").write(b"these are not numbers\n")
open("shape.npy", "wb").write(bytes_.replace(b"(4, 3)", b"(4,-3"))
PYTHON
for file in absent empty words header half shape cube line thin one none text complex nan inf huge double columns; do
    try $file.npy --gradient g.npy
done
mkdir folder folder.npy
try folder
try good.npy --gradient good.npy/g.npy
try good.npy --gradient folder.npy
try good.npy --regularizer lasso
try good.npy --m -1
ls
