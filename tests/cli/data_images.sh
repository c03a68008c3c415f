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
"$eccentric" data info webp:all | tail -n 3
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
echo "## images of other formats, in a folder and alone"
mkdir other mixed
printf 'II*\0 and so on' >other/a.tif
printf 'MM\0* and so on' >other/b.TIFF
cp other/* mixed/
cp "$corpus/lossy.webp" mixed/
printf '\0\0\0\030ftypheic and so on' >mixed/photo.jpg
printf 'BM and so on' >mixed/x.bmp
printf 'GIF89a and so on' >mixed/y.gif
echo words >mixed/notes.txt
"$eccentric" data info mixed:all | grep remark
for one in other other/a.tif mixed/photo.jpg mixed/x.bmp mixed/lossy.webp; do "$eccentric" data info $one 2>&1 || true; done
echo "## many sizes"
"$python" - <<'PYTHON'
import os
import numpy as np, toy
os.makedirs("sizes/cats/old"), os.makedirs("sizes/dogs"), os.makedirs("large/all")
for i in range(6):
    toy.png("sizes/%s/%d.png" % (("cats", "dogs")[i % 2], i), np.zeros((20 + i, 90 - 5 * i, 3 if i else 1), "u1"))
toy.png("large/all/1.png", np.zeros((300, 200, 1), "u1"))
open("sizes/list.txt", "w").close()
PYTHON
for options in "" "--crop 20" "--size 24"; do
    # shellcheck disable=SC2086 # options are words of their own
    "$eccentric" data info sizes:all $options 2>&1 | grep -E "eccentric|shape|remark"
done
"$eccentric" data info large:all | grep -E "shape|labels|remark"
"$eccentric" data info large:all --size 64 | grep -E "shape|remark"
