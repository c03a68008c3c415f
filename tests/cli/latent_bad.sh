# What cannot be done with a run: each is one sentence, and leaves nothing behind.
"$eccentric" train glyphs --items 300 --epochs 1 --batch 50 --latent 3 --validation 0 --quiet --out run >/dev/null
"$python" -c '
import numpy as np
np.save("wide.npy", np.zeros((5, 4), np.float32))
np.save("flat.npy", np.zeros(3, np.float32))
np.save("nan.npy", np.array([[0, 1, 2], [0, np.nan, 1]], np.float32))
np.save("double.npy", np.array([[0, 1, 1e300]]))
np.savez("double.npz", z=np.array([[0, 1, 1e300]]))
open("double.csv", "w").write("z1,z2,z3\n0,1,2\n0,-1e300,1\n")
np.save("good.npy", np.zeros((150, 3), np.float32))
np.save("small.npy", np.zeros((20, 9, 9), np.uint8))
np.save("table.npy", np.eye(20, 5, dtype=np.float32))
np.save("unlabelled.npy", np.zeros((20, 28, 28), np.uint8))'
try() {
    "$eccentric" "$@" --quiet
    echo "-> $?"
}
try encode nowhere glyphs --out z.npy
try encode good.npy glyphs --out z.npy
try encode run
try encode run small.npy --out z.npy
try encode run table.npy --out z.npy
try encode run absent.csv --out z.npy
try encode run unlabelled.npy --out z.npy --labels y.npy
try encode run glyphs --out good.npy/z.npy
try encode run glyphs --out z.txt
try encode nowhere glyphs --out made/and/removed/z.npy
try encode run glyphs --out z.npy --labels z.npy
try decode run wide.npy --out x.npy
try decode run flat.npy --out x.npy
try decode run nan.npy --out x.npy
try decode run double.npy --out x.npy
try decode run double.npz --out x.npy
try decode run double.csv --out x.npy
try decode run absent.npy --out x.npy
try decode run good.npy --out x.csv
try decode run good.npy --out x.jpg
mkdir full && touch full/file
try decode run good.npy --out full
try components run --components p4
try components run --components p2-p1
try components run nowhere
try grid run --x p1 --y p1
try grid run --x p1
try grid run --x p1 --y p2 --out grid.gif
try sample run --out s.png -n 20000
try sample run --out s.png -n
try sample run --out s.png -k 3
try sample run --out s.png --from cauchy
try sample run --out s.png --from sphere --truncation 1
try sample run --out s.png --path 1
try sample run --out s.png --path 1,2.5
try sample run --out s.png --path 1,300
try sample run --out s.png --path 1,2 --from normal
try sample run --out s.png --sweep p1 --path 1,2
try sample run --out s.png --sweep p9
try sample run --out s.png --tour p1
try sample run --out s.png --tour p1,p2 --path 1,2
try sample run --out s.apng --sweep p1 --truncation 2
try sample run glyphs --out s.png
try sample run --out s.png --gaussians 3
try sample run --out s.npy --latents s.npy
try scatter run --x p1,p2
try scatter run --attribute Smiling
cp -r run moved
rm moved/components.npz
sed -i 's/"glyphs"/"absent.csv"/' moved/config.json
try components moved
try sample moved --from normal -n 2 --out normal.npy # which needs no data
rm normal.npy
rm run/model.safetensors run/components.npz
"$eccentric" encode run glyphs:test --items 10 --out z.npy 2>&1 | grep finished
rm run/checkpoint*
try encode run glyphs --out z2.npy
ls
