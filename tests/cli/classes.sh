# Classes of two files are matched by name: each file numbers only the classes that it has.
set -e
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
label = np.arange(200) % 4
x = (rng.normal(size=(200, 6)) / 8 + np.eye(4, 6)[label] * 4).astype("f4")
names = np.array(["ash", "birch", "elm", "oak"])
train, test = slice(0, 120), np.arange(120, 200)
np.savez("all.npz", x=x[train], y=names[label[train]])
def save(name, keep, y):
    np.savez(name, x=x[test][keep], y=y[keep])
known = label[test]
save("some.npz", known > 1, names[known])                        # elm and oak: 0 and 1 in this file
save("new.npz", known > 0, np.array(["", "birch", "elm", "fir"])[known])
save("other.npz", known > 0, np.array(["", "A", "B", "C"])[known])
save("numbers.npz", known > 1, known)                            # without names: numbers of classes
np.savez("onetwo.npz", x=x[train], y=(label[train] + 1).astype(str))
save("one.npz", known > 1, known + 1)                            # numbers that are names
PYTHON
for data in all onetwo; do
    "$eccentric" train $data.npz:all --latent 3 --epochs 1 --out $data --quiet >/dev/null
done
try() {
    echo "\$ classify $*"
    "$eccentric" classify "$@" --baselines no --quiet 2>&1 | sed -n '/^  labels/d; /error /p; /confusions/,$p; /^eccentric/p'
}
for test in some new other numbers; do try all --test $test.npz; done
try onetwo --test one.npz
echo "== a word on classes that cannot be learned"
"$eccentric" classify all --test new.npz --baselines no 2>&1 | grep "no labelled"
echo "== long help is not cut off"
"$eccentric" train --help | grep -A5 "^  --keep"
