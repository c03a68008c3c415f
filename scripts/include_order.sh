#!/bin/sh
# Checks that includes go one way only: a folder of src/ may use itself and those above it in this list.
# usage: scripts/include_order.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"
order="base math theory regularizer latent figure data nn run train model show report score reproduce explore cli"

rank() {
    position=0
    for folder in $order; do
        position=$((position + 1))
        [ "$folder" = "$1" ] && { echo $position; return; }
    done
    echo 0
}

bad=0
for file in src/*/*.[ch]; do
    folder=$(basename "$(dirname "$file")")
    own=$(rank "$folder")
    [ "$own" != 0 ] || { echo "$file: folder '$folder' is not in the order of $0"; bad=1; continue; }
    for used in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
        theirs=$(rank "$used")
        if [ "$theirs" = 0 ] || [ "$theirs" -gt "$own" ]; then
            echo "$file: $folder/ may not use $used/"
            bad=1
        fi
    done
done
[ $bad = 0 ] && echo "includes go one way: $(ls src/*/*.[ch] | wc -l) files"
exit $bad
