#!/bin/bash
# Measures, beside PyTorch in the same run, in turns; best of several.   usage: bench/run.sh BUILD_DIR [loss|python|step|faces|engines|knn|inception|side]...
# PyTorch comes from the package registry into BUILD_DIR/torch, once; TORCH_PYTHON=... uses another, TORCH_PYTHON=no none.
# TORCH_FACES=yes runs PyTorch on paper-celeba, too (6 s and more a step on two cores); TORCH_COMPILE=no leaves torch.compile out.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
shift || true
[ $# -gt 0 ] || set -- loss python step faces engines knn inception side
python=${TORCH_PYTHON:-$build/torch/bin/python}
# as the program sets it for itself
export GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-10000}

fetch_torch() {
    scripts/deps.sh bench
    echo "fetching PyTorch into $build/torch: once, about 3 GB, 6 GB unpacked (pip's own settings may name an index of CPU builds)" >&2
    rm -rf "$build/torch"
    python3 -m venv "$build/torch" &&
        timeout 1800 "$build/torch/bin/pip" install --quiet --no-cache-dir --only-binary :all: numpy torch >&2 &&
        "$build/torch/bin/python" -c 'import torch' && return
    rm -rf "$build/torch"
    return 1
}

if [ "$python" = no ]; then
    python=
elif ! "$python" -c 'import torch' 2>/dev/null; then
    python=$build/torch/bin/python
    fetch_torch || { echo "PyTorch cannot be had here: measuring without it" >&2; python=; }
fi

# ONNX Runtime and OpenVINO, beside PyTorch, which writes the nets for them.
fetch_engines() {
    [ -n "$python" ] || return 1
    "$python" -c 'import onnx, onnxruntime, openvino' 2>/dev/null ||
        timeout 1800 "$python" -m pip install --quiet --no-cache-dir --only-binary :all: onnx onnxruntime openvino >&2
}

# in_turns ROUNDS OURS... -- THEIRS...    ours in every round, PyTorch between the rounds
in_turns() {
    local rounds=$1 round ours=() theirs
    shift
    while [ "$1" != -- ]; do ours+=("$1"); shift; done
    shift
    theirs=("$@")
    for ((round = 1; round <= rounds; round++)); do
        "${ours[@]}" | sed 's/^/ours /'
        [ -z "$python" ] || [ ${#theirs[@]} = 0 ] || [ "$round" = "$rounds" ] || peer "$round" "${theirs[@]}"
    done
}

# PyTorch with our way of waiting for threads and with its own, by turns.
peer() {
    local round=$1
    shift
    if [ $((round % 2)) = 1 ]; then "$python" "$@"; else env -u GOMP_SPINCOUNT "$python" "$@"; fi | sed 's/^/torch /'
}

compile=--compile
[ "${TORCH_COMPILE:-yes}" = yes ] || compile=
export TORCHINDUCTOR_CACHE_DIR=${TORCHINDUCTOR_CACHE_DIR:-$(cd "$build" && pwd)/torch-compiled}
small=(paper-mnist 100 paper-mnist 32 paper-mnist 16)
wide=(paper-celeba 16 paper-celeba 64 paper-celeba 100 paper-celeba:0.25 16 paper-celeba:0.25 64)
sizes=(100 8 100 64 1000 64 8192 64 8192 8)
faces=()
[ "${TORCH_FACES:-no}" = no ] || faces=(bench/step_torch.py $compile "${wide[@]}")
for part in "$@"; do
    case $part in
    loss) in_turns 3 "$build/bench/bench_loss" "${sizes[@]}" -- bench/loss_torch.py "${sizes[@]}" | python3 bench/table.py loss ;;
    python) if [ -n "$python" ]; then
        PYTHONPATH=python ECCENTRIC_LIBRARY=$(cd "$build" && pwd)/libeccentric_pages.so "$python" bench/loss_python.py 100 8 8192 64
    else echo "no PyTorch: the loss of the Python package is not compared" >&2; fi ;;
    step) in_turns 3 "$build/bench/bench_step" "${small[@]}" -- bench/step_torch.py $compile "${small[@]}" |
        python3 bench/table.py step ;;
    faces) in_turns 2 "$build/bench/bench_step" "${wide[@]}" -- "${faces[@]}" | python3 bench/table.py step ;;
    engines) if fetch_engines; then
        in_turns 3 "$build/bench/bench_step" "${small[@]}" -- bench/infer_engines.py "${small[@]}" |
            python3 bench/table.py engines
    else echo "no ONNX Runtime and OpenVINO: encoding and decoding are not compared with them" >&2; fi ;;
    knn) if [ -n "$python" ]; then TORCH_PYTHON=$python bench/knn.sh "$build"; else echo "no Python: neighbours are not compared" >&2; fi ;;
    inception) in_turns 3 "$build/bench/bench_inception" 8 -- bench/inception_torch.py $compile 8 | python3 bench/table.py inception ;;
    side) python3 bench/side.py "$build/eccentric" || echo "two trainings at once: one has less than 40% of its speed alone" >&2 ;;
    *) echo "bench/run.sh: there is no part '$part', expected loss, python, step, faces, engines, knn, inception or side" >&2; exit 2 ;;
    esac
done
