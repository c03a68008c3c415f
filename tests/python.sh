#!/bin/sh
# Tests the Python package (python/tests) over the libraries and the program of a build.  Skips where Python 3.11 with NumPy
# and pytest is missing; tests of scikit-learn, pandas and PyTorch skip one by one.
# usage: [PYTHON=python3] python.sh BUILD_DIR SOURCE_DIR
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
python=""
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
    "$candidate" -c 'import sys, numpy, pytest; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
    echo "skipped: the Python package needs Python 3.11 or newer with NumPy and pytest (scripts/deps.sh test)"
    exit 77
fi
# ECC_ONEDNN=OFF and builds elsewhere: this build's, not what would be found first
export ECCENTRIC_LIBRARY="$build/libeccentric_pages.so" ECCENTRIC_PROGRAM="$build/eccentric"
export PYTHONPATH="$source/python" PYTHONDONTWRITEBYTECODE=1
cd "$source/python"
exec "$python" -m pytest -q -p no:cacheprovider -rs tests
