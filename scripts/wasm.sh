#!/bin/sh
# Compiles wasm/net.c to WebAssembly, for the one-file page.   usage: scripts/wasm.sh OUT
# clang 14 (Debian 12): other versions may give other bytes, and web/net.wasm is kept in the repository, so that `make` needs no clang.
set -eu
cd "$(dirname "$0")/.."
exports=""
for name in net_reserve net_load net_input net_output net_run; do exports="$exports -Wl,--export=$name"; done
clang-14 --target=wasm32 -O3 -msimd128 -mbulk-memory -std=c11 -nostdlib -ffreestanding -fno-builtin -Wall -Wextra -Werror -I. \
    -fuse-ld=/usr/bin/wasm-ld-14 -Wl,--no-entry -Wl,--strip-all -Wl,--initial-memory=1048576 $exports -o "$1" wasm/net.c
