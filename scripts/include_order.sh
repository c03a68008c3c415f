#!/bin/sh
# Checks that includes go one way only: a folder of src/ may use itself and those above it in this list.
# Also that each include guard is named after its file, that no two files, structs or enums share a name, and that
# commands print through base/terminal.h, which keeps what a terminal would obey out of names.
# usage: scripts/include_order.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/..}"
order="wasm base math theory regularizer method latent figure data nn run model export train score evaluate show report explore work compare reproduce cli"

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

awk '/^#(ifndef|define) ECC_[A-Z0-9_]+_H$/ { found[FILENAME " " $1 " " $2] = 1 }
    END {
        for (i = 1; i < ARGC; i++) {
            guard = "ECC_" toupper(substr(ARGV[i], 5))
            gsub(/[\/.]/, "_", guard)
            if (found[ARGV[i] " #ifndef " guard] && found[ARGV[i] " #define " guard]) continue
            print ARGV[i] ": its include guard must be " guard
            bad = 1
        }
        exit bad
    }' src/*/*.h || bad=1
for name in $(ls src/*/*.[ch] | sed 's|.*/||' | sort | uniq -d); do
    echo "$name is the name of two files:" src/*/"$name"
    bad=1
done
for type in $(sed -En 's/^(struct|enum|union) (ecc_[a-z0-9_]+) \{.*/\2/p' include/*.h src/*/*.[ch] | sort | uniq -d); do
    # one per version of oneDNN, or one with and one without it: a build compiles one of them
    case $type in ecc_desc_storage | ecc_dnn | ecc_dnn_conv | ecc_dnn_infer) continue ;; esac
    echo "$type is defined twice:" $(grep -El "^(struct|enum|union) $type \{" include/*.h src/*/*.[ch])
    bad=1
done

# help and completion print nothing but the program's own tables; JSON has its own way (output.c)
for place in $(grep -nE '(^|[^a-z_])(printf|puts|putchar|vprintf)\(|f?put[cs]?\([^;]*std(out|err)\)|f(printf|write)\(.*std(out|err)' \
    src/cli/*.c src/reproduce/*.c src/work/*.c src/compare/*.c | grep -vE '^src/cli/(help|completion[a-z_]*|output)\.c:' | cut -d: -f1,2); do
    echo "$place: print with ecc_print or ecc_print_to (base/terminal.h)"
    bad=1
done

[ $bad = 0 ] && echo "includes go one way: $(ls src/*/*.[ch] | wc -l) files"
exit $bad
