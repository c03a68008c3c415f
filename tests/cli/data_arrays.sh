# Arrays as people save them: names of arrays, labels that are words, labels in a file of their own.
set -e
info() {
    echo "\$ data info $*"
    "$eccentric" data info "$@" 2>&1 | sed '/^data  /d; /^source/d; /^values/d' || true
}
"$python" - <<'PYTHON'
import gzip
import numpy as np
rng = np.random.RandomState(1)
table, images = rng.rand(40, 5), rng.randint(0, 256, (40, 6, 6)).astype("u1")
words = np.array(["cat", "Hund", "poisson", "\u9b5a"] * 10)
np.savez("words.npz", X=table, y=words, feature_names=np.array(list("abcde")), extra=np.zeros(3))
np.savez("bytes.npz", images=images, labels=np.array(words.tolist()[:3] + [b"x"] * 37, dtype="S8"))
np.savez("medical.npz", train_images=images[:30], test_images=images[30:], val_images=images[:4],
         train_labels=np.arange(30, dtype="i4")[:, None] % 3, test_labels=np.arange(10, dtype="i8")[:, None] % 3)
np.savez("keras.npz", x_train=images[:30], x_test=images[30:], y_train=words[:30], y_test=np.array(["Hund"] * 10))
np.savez("plain.npz", table, np.arange(40) % 2 * 2 - 1)
np.savez("onehot.npz", data=table, target=np.eye(4)[np.arange(40) % 4], target_names=np.array(["n", "e", "s", "w"]))
np.savez("regression.npz", data=table, target=rng.rand(40))
np.savez("ages.npz", data=table, target=20 + (np.arange(40) * 7) % 37)
np.savez("gaps.npz", data=table, y=np.array([3, 7])[np.arange(40) % 2])
np.savez("one.npz", spectra=table)
np.savez("other.npz", spectra=table, wavelengths=np.arange(5), instrument="x", date="y")
np.savez("chosen.npz", data=table, y=np.arange(40) % 2, species=words)
np.savez("objects.npz", x=np.array([[1, 2], [3]], dtype=object))
np.savez("wrong.npz", x=table, y=np.arange(39))
np.savez("twotypes.npz", x_train=table, x_test=table.astype("f4"))

np.save("table.npy", table)
np.save("images.npy", images)
np.save("y.npy", np.arange(40) % 3)
np.save("gaps.npy", np.arange(40) % 2 + 1)
np.save("words.npy", words)
np.save("big.npy", words.astype(">U9"))
np.save("fractions.npy", rng.rand(40))
np.save("objects.npy", words.astype(object))
open("y.txt", "w", encoding="utf-8").write("\n".join(words) + "\n")
open("header.csv", "w", encoding="utf-8").write("\ufeffspecies\r\n" + "".join('"%s"\r\n' % w for w in words))
gzip.open("numbers.txt.gz", "wt").write("\n".join(str(i % 2) for i in range(40)))
open("two words.txt", "w").write("\n".join(["great dane", "poodle, small"] * 20))
open("ages.txt", "w").write("\n".join(str(20 + i * 7 % 37) for i in range(39)) + "\nNA\n")
open("gap.txt", "w").write("species\n" + "".join(w + "\n" if i != 9 else "\n" for i, w in enumerate(words[:3].tolist() * 14) if i < 40))
open("toomany.txt", "w").write("a\nb\n" * 20 + "a\n")
open("missing.txt", "w").write("NA\n" * 40)
open("wide.txt", "wb").write("\n".join(words).encode("utf-16"))
np.save("nan.npy", np.full(40, np.nan))
np.save("empty.npy", np.full((40, 3), np.nan))
open("columns.csv", "w").write("".join("%d,%s\n" % (i, "ab"[i % 2]) for i in range(40)))
open("short.txt", "w").write("a\nb\n")
open("zeros.bin", "wb").write(b"a\0b")
PYTHON
for file in words bytes medical keras plain onehot regression ages gaps one other chosen objects wrong twotypes; do info $file.npz:all; done
info medical.npz:test
info chosen.npz:all --label species
info chosen.npz:all --label none
info chosen.npz:all --label genus
echo "== --labels"
for labels in y.npy gaps.npy ages.txt gap.txt toomany.txt missing.txt wide.txt nan.npy words.npy big.npy fractions.npy objects.npy y.txt header.csv numbers.txt.gz "two words.txt" columns.csv \
    short.txt zeros.bin absent; do
    info table.npy:all --labels "$labels"
done
info images.npy:test --labels y.txt
info empty.npy
info words.npz:all --labels y.npy
echo "== options that the data has no use for"
printf 'a,b,c\n%s\n' "1,2,3
4,5,7
2,2,2" >table.csv
info table.npy:all --crop 3 --size 8 --strict --columns a --decimal comma --label x --scaling robust
info images.npy:all --drop a --scaling robust
info glyphs --items 20 --label x --strict | grep remark
info table.csv:all --size 8 --label c
echo "== a run keeps them, for its own data"
"$eccentric" train images.npy --labels y.txt --batch 10 --epochs 1 --latent 2 --validation 0 --quiet --out run >/dev/null
mkdir elsewhere
cd elsewhere
"$eccentric" classify ../run --json 2>&1 | grep -c '"error"'
"$eccentric" classify ../run --test ../keras.npz:test --json 2>&1 | grep -c '"error"'
grep '"labels"' ../run/config.json | sed "s,$(dirname "$PWD"),.,"
