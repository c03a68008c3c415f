#!/bin/sh
# web/net.wasm is what scripts/wasm.sh makes of wasm/net.c.   77: clang 14 is not there.
command -v clang-14 >/dev/null && [ -x /usr/bin/wasm-ld-14 ] || { echo "skipped: no clang-14 and lld-14 (scripts/deps.sh wasm)"; exit 77; }
made=$(mktemp)
trap 'rm -f "$made"' EXIT
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/wasm.sh" "$made" && cmp "$made" "$root/web/net.wasm"
