# Folders of images as people have them: WebP, photos with an EXIF orientation, files that cannot be read.
set -e
corpus=$data/../fuzz/corpus/image
mkdir webp photos
cp "$corpus/lossy.webp" "$corpus/lossless.webp" webp/
cp "$corpus/alpha.webp" webp/no_ending
cp "$corpus/exif.jpg" photos/a.jpg
cp "$corpus/exif.jpg" photos/b.JPEG
echo "## WebP"
"$eccentric" data info webp:all
echo "## photos on their side: 17 x 13 is stored, 13 x 17 is shown"
"$eccentric" data info photos:all
echo "## an animation"
cp "$corpus/animation.webp" webp/
"$eccentric" data info webp 2>&1 || true
echo "## left out, or with --strict an error"
head -c 90 "$corpus/lossy.webp" >webp/half.webp
echo words >webp/words.png
"$eccentric" data info webp:all | tail -n 2
"$eccentric" data info webp:all --strict 2>&1 || true
"$eccentric" train webp:all --strict --epochs 1 --out run 2>&1 | sed "s,$PWD,.,"
ls run 2>&1 || true
echo "## damaged inside: seen when it is read"
"$python" - "$corpus" <<'PYTHON'
import os, sys
import numpy as np, toy
os.makedirs("inside")
rng = np.random.RandomState(1)
for i in range(40):
    toy.png(f"inside/{i:02}.png", rng.randint(0, 256, (20, 20, 1)).astype(np.uint8))
bytes_ = bytearray(open("inside/07.png", "rb").read())
bytes_[200:210] = b"\xff" * 10
open("inside/07.png", "wb").write(bytes_)
PYTHON
"$eccentric" data info inside:all | tail -n 1
"$eccentric" data info inside:all --strict 2>&1 || true
"$eccentric" train inside:all --batch 10 --validation 0 --epochs 1 --latent 2 --out run 2>&1 | grep damaged
