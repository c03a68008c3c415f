# Data that cannot be used: one sentence with file and place, exit 1, and nothing half-written.
try() {
    echo "\$ data info $*"
    "$eccentric" data info "$@" 2>message
    code=$?
    sed 's/packed byte [0-9]*: .*/packed byte N/' message # zlib's own words
    echo "-> $code"
}
"$python" - <<'PYTHON'
import os, struct
import numpy as np
os.makedirs("empty"); os.makedirs("idx"); os.makedirs("labels"); os.makedirs("broken")
open("idx/train-images-idx3-ubyte", "wb").write(b"\0\0\x08\x03" + struct.pack(">3I", 10, 28, 28) + b"\0" * 7839)
open("labels/train-images-idx3-ubyte", "wb").write(b"\0\0\x08\x03" + struct.pack(">3I", 2, 1, 1) + b"\0" * 2)
open("labels/train-labels-idx1-ubyte.gz", "wb").write(b"\x1f\x8b\x08\0 nothing like gzip")
open("broken/face.jpg", "wb").write(b"\xff\xd8\xff\xe0\0\x10JFIF\0")
open("empty.csv", "w").close()
open("nan.csv", "w").write("height,width,class\n1,2,a\n3,nan,b\n")
open("ragged.csv", "w").write("1,2,3\n1,2,3\n1,2\n")
open("photo.csv", "wb").write(b"\x89PNG\r\n\x1a\n\0\0\0")
np.save("range.npy", np.full((3, 2, 2), 2.0))
np.savez("other.npz", a=np.zeros(3))
open("half.npz", "wb").write(open("other.npz", "rb").read()[:100])
PYTHON
unset ECCENTRIC_DATA
HOME=$PWD
export HOME
try absent
try empty
try idx
try labels
try broken --out sheet.png
try empty.csv
try nan.csv
try nan.csv --label size
try ragged.csv
try photo.csv
try range.npy
try other.npz
try half.npz
try mnist
try glyphs:both
try celeba
echo "# wrong usage"
try
try glyphs --split half
try glyphs --out sheet.bmp
try glyphs --items 0
ls sheet.* 2>/dev/null
true
