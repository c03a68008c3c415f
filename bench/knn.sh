#!/bin/bash
# Nearest neighbours beside scikit-learn, in the same run.   usage: bench/knn.sh BUILD_DIR
# scikit-learn comes from the package registry into BUILD_DIR/torch, once (TORCH_PYTHON=... uses another).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
python=${TORCH_PYTHON:-$build/torch/bin/python}
if ! "$python" -c 'import sklearn' 2>/dev/null; then
    [ -x "$python" ] || { python3 -m venv "$build/torch"; python=$build/torch/bin/python; }
    "$python" -m pip install --quiet numpy scikit-learn >&2 || { echo "no scikit-learn to be had: nothing to compare with" >&2; exit 0; }
fi
"$python" bench/knn_sklearn.py "$build/bench/bench_knn"
