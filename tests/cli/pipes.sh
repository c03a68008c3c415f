# Pipes: results go through them whole, and what is printed goes elsewhere; input is read while somebody writes.
set -e
"$eccentric" train glyphs --items 200 --epochs 1 --batch 50 --latent 3 --validation 0 --quiet --out run >/dev/null
"$eccentric" encode run glyphs --items 30 --out z.npy --quiet >/dev/null
"$eccentric" decode run z.npy --out x.npy --quiet >/dev/null
ln -s /dev/stdout out.npy
ln -s /dev/stdout out.npz
ln -s /dev/stdout out.csv
echo "## standard output is a pipe"
"$eccentric" encode run glyphs --items 30 --out out.npy 2>words | cat >piped.npy
cmp z.npy piped.npy && sed 's/(.*/(TIME)/; /^encode/d' words
"$eccentric" encode run glyphs --items 30 --out out.npy --json 2>words | cmp - z.npy && grep -c '"latent"' words
"$eccentric" decode run z.npy --out out.npy 2>/dev/null | cmp - x.npy && echo "decoded"
"$eccentric" encode run glyphs --items 30 --out out.csv 2>/dev/null | head -n 1
"$eccentric" encode run glyphs --items 30 --out out.npz 2>/dev/null >piped.npz
"$python" -c 'import numpy as np; assert (np.load("piped.npz")["z"] == np.load("z.npy")).all(); print("an archive")'
"$eccentric" sample run -n 4 --out out.npy --latents l.npy 2>/dev/null | "$python" -c '
import io, sys, numpy as np
print(np.load(io.BytesIO(sys.stdin.buffer.read())).shape, np.load("l.npy").shape)'
echo "## a named pipe with a writer, and one without"
mkfifo pipe.npy pipe.csv
(sleep 0.3; cat z.npy) >pipe.npy &
"$eccentric" loss pipe.npy | sed 's/ .*//'
"$eccentric" loss z.npy --json | grep '"n"'
(sleep 0.3; printf 'a,b\n1,2\n3,5\n2,9\n') >pipe.csv &
"$eccentric" data info pipe.csv:all 2>&1 | grep items
wait
timeout 100 "$eccentric" loss pipe.npy 2>&1 || echo "-> $?"
echo "## standard output is closed: the link to it leads nowhere, and stays"
ln -s /proc/self/fd/1 nowhere.npy
"$eccentric" loss z.npy --gradient nowhere.npy >&- 2>err || echo "-> $?"
[ -h nowhere.npy ] && cat err
