# What has no score: each is one sentence, and leaves nothing behind.
HOME=$PWD
XDG_CACHE_HOME=$PWD/cache
export HOME XDG_CACHE_HOME
unset ECCENTRIC_DATA
"$eccentric" train glyphs --items 100 --epochs 1 --batch 50 --latent 2 --validation 0 --threads 1 --quiet --out run >/dev/null
"$python" -c '
import numpy as np
np.save("one.npy", np.zeros((1, 8, 8), np.uint8))
np.save("small.npy", np.arange(640).astype(np.uint8).reshape(10, 8, 8))
np.save("other.npy", np.arange(1210).astype(np.uint8).reshape(10, 11, 11))
np.save("colour.npy", np.arange(1920).astype(np.uint8).reshape(10, 8, 8, 3))
np.save("table.npy", np.arange(50).astype(np.float32).reshape(10, 5))
open("table.csv", "w").write("x,y,label\n" + "".join("%d,%d,%d\n" % (i, i * i % 7, i % 2) for i in range(40)))
np.savez("size.npz", mu=np.zeros(5), sigma=np.eye(5))
np.savez("skew.npz", mu=np.zeros(2), sigma=np.array([[1., 2.], [0., 1.]]))
np.savez("nan.npz", mu=np.zeros(2), sigma=np.array([[1., np.nan], [np.nan, 1.]]))
np.savez("shape.npz", mu=np.zeros(3), sigma=np.eye(2))
np.savez("half.npz", mu=np.zeros(3))
big = np.eye(64); name = np.frombuffer(b"pixels 1x9x9", np.uint8)
np.savez("identity.npz", mu=np.zeros(64), sigma=big, identity=name)
np.savez("another.npz", mu=np.zeros(64), sigma=big, identity=np.frombuffer(b"pixels 1x7x7", np.uint8))
np.savez("nameless.npz", mu=np.zeros(64), sigma=big)'
"$eccentric" train table.csv --epochs 1 --batch 10 --latent 2 --validation 0 --threads 1 --quiet --out rows >/dev/null
try() {
    "$eccentric" fid "$@" --quiet --threads 1
    echo "-> $?"
}
try
try small.npy:all
try small.npy:all small.npy:all --features taste
try small.npy:all small.npy:all --features pixels --weights w.safetensors
try small.npy:all small.npy:all --features pixels --train glyphs
try small.npy:all small.npy:all --gaussians 3
try small.npy:all small.npy:all --out s.gif
try small.npy:all small.npy:all -n 1
try absent.npy small.npy:all --features pixels
try nowhere/ glyphs:test --features pixels
try small.npy:all other.npy:all --features pixels
try run small.npy:all --features pixels
# found before a classifier learns anything
try absent.npy glyphs:test --features classifier
try run other.npy:all glyphs:test --features classifier
try one.npy:all small.npy:all --features pixels
try table.npy small.npy:all --features pixels
try table.csv small.npy:all --features pixels
try rows table.csv --features pixels
try small.npy:all small.npy:all
try small.npy:all small.npy:all --train glyphs
try small.npy:all small.npy:all --features classifier --train table.csv
try colour.npy:all colour.npy:all --features inception
try small.npy:all size.npz --features pixels
try small.npy:all identity.npz
try small.npy:all skew.npz --features pixels
try small.npy:all nan.npz --features pixels
try small.npy:all shape.npz --features pixels
try small.npy:all half.npz --features pixels
try size.npz identity.npz
try identity.npz another.npz nameless.npz
try run identity.npz --features classifier
try small.npy:all --features pixels --save-statistics run/model.safetensors
try small.npy:all small.npy:all --features pixels --csv run/config.json
try nameless.npz nameless.npz --save-statistics nameless.npz
try small.npy:all small.npy:all --features pixels --out s.png
try small.npy:all small.npy:all --features pixels --save-statistics table.csv/s.npz
try small.npy:all --save-statistics s.npz --csv t.csv
ls
