#!/bin/bash
# Measures, beside PyTorch in the same run, in turns; best of several.   usage: bench/run.sh BUILD_DIR
# PyTorch comes from the package registry into BUILD_DIR/torch, once (TORCH_PYTHON=... uses another).
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
python=${TORCH_PYTHON:-$build/torch/bin/python}
if ! "$python" -c 'import torch' 2>/dev/null; then
    scripts/deps.sh bench
    echo "fetching PyTorch into $build/torch (once)" >&2
    python3 -m venv "$build/torch" && "$build/torch/bin/pip" install --quiet numpy torch >&2 || true
    python=$build/torch/bin/python
    "$python" -c 'import torch' 2>/dev/null || { echo "no PyTorch to be had: measuring without it" >&2; python=; }
fi

sizes=(100 8 100 64 1000 64 8192 64 8192 8)
for round in 1 2 3; do
    "$build/bench/bench_loss" "${sizes[@]}" | sed 's/^/ours /'
    [ -z "$python" ] || [ $round = 3 ] || "$python" bench/loss_torch.py "${sizes[@]}" | sed 's/^/torch /'
done | python3 bench/loss_table.py
