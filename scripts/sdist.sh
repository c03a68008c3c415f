#!/bin/sh
# Makes a source distribution of the Python package, with the C sources that it is built from: pip install FILE builds it.
# usage: scripts/sdist.sh      prints the path and size of build-python/sdist/eccentric-VERSION.tar.gz
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build-python
tools=$out/tools
[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/python" -c 'import scikit_build_core' 2>/dev/null || "$tools/bin/pip" install -q scikit-build-core

# The package lies in python/ and its sources beside it; there, they lie within.
tree=$out/sdist-tree
rm -rf "$tree" "$out/sdist"
mkdir -p "$tree/source" "$out/sdist"
trap 'rm -rf "$tree"' EXIT
list() { git ls-files --cached --others --exclude-standard "$@" 2>/dev/null | grep . || find "$@" -type f; }
for file in $(list CMakeLists.txt LICENSE cmake include nets packaging src wasm web); do
    mkdir -p "$tree/source/$(dirname "$file")"
    cp "$file" "$tree/source/$file"
done
for file in $(list python/pyproject.toml python/README.md python/eccentric python/tests); do
    mkdir -p "$tree/$(dirname "${file#python/}")"
    cp "$file" "$tree/${file#python/}"
done
cp LICENSE "$tree/"
sed -i 's|^cmake.source-dir = "\.\."|cmake.source-dir = "source"|
s|"\.\./build-python/|"build/|
s|"\.\./LICENSE"|"LICENSE"|' "$tree/pyproject.toml"
! grep -n '"\.\./' "$tree/pyproject.toml" || { echo "sdist.sh: pyproject.toml points outside of the package" >&2; exit 1; }

(cd "$tree" && "$tools/bin/python" -c 'import sys, scikit_build_core.build as b; b.build_sdist(sys.argv[1])' "$out/sdist" >/dev/null)
file=$(ls "$out"/sdist/*.tar.gz)
echo "$file: $(($(stat -c %s "$file") / 1000)) kB"
