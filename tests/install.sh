#!/bin/sh
# Installs into a fresh directory and uses the libraries from there through pkg-config: the examples, shared and
# static, in C and C++; a program that must find what the commands find; and what the libraries export and need.
# Checks man page, completion and pkg-config files.   usage: install.sh BUILD_DIR SOURCE_DIR
set -eu
build=$1
source=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR="$work/root" cmake --install "$build" >/dev/null
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$build/CMakeCache.txt")
root="$work/root$prefix"
libraries=$(dirname "$(find "$root" -name libeccentric.a)")
for file in bin/eccentric include/eccentric.h include/eccentric_model.h include/eccentric_train.h \
    include/eccentric_evaluate.h include/eccentric_show.h include/eccentric_pages.h share/man/man1/eccentric.1 \
    share/bash-completion/completions/eccentric share/zsh/site-functions/_eccentric \
    share/fish/vendor_completions.d/eccentric.fish; do
    [ -s "$root/$file" ] || { echo "not installed: $file"; exit 1; }
done
eccentric="$root/bin/eccentric"
"$eccentric" --version
bash -n "$root/share/bash-completion/completions/eccentric"

# an empty element of the run path would be the current directory
for file in "$build/eccentric" "$eccentric" "$build"/libeccentric*.so "$libraries"/libeccentric*.so; do
    path=$(readelf -d "$file" | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/:\2:/p')
    case $path in *::*) echo "$file has the run path $path"; exit 1 ;; esac
done

# another prefix than that of the build is in the pkg-config files, too
cmake --install "$build" --prefix "$work/other" >/dev/null
for file in $(find "$work/other" -name '*.pc'); do
    grep -qx "prefix=$work/other" "$file" || { echo "$file has another prefix"; exit 1; }
done

export PKG_CONFIG_PATH="$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/root"
# Our own things are below the root, those of the system are not.
here() { sed "s|-\([LI]\)$work/root/usr/\(lib\|include\)|-\1/usr/\2|g"; }
shared() { pkg-config --cflags --libs "$1" | here; }
static() {
    pkg-config --cflags --libs --static "$1" | here | sed 's/-leccentric\(_model\|_train\|_show\|_pages\)\?\( \|$\)/-l:libeccentric\1.a /g'
    echo "-Wl,-rpath,$(pkg-config --variable=blasdir eccentric)"
}
c() { cc -std=c11 -O2 -Wall -Wextra -Werror "$@"; }
cpp() { c++ -std=c++17 -O2 -Wall -Wextra -Werror "$@"; }

cd "$work"
c "$source/examples/training_loop.c" $(shared eccentric) -lm -o c_shared
c "$source/examples/training_loop.c" $(static eccentric) -lm -o c_static
cpp "$source/examples/training_loop.cpp" $(shared eccentric) -o cpp_shared
c "$source/examples/use_run.c" $(shared eccentric_model) -o use_run
c "$source/examples/use_run.c" $(static eccentric_model) -lm -o use_run_static
cpp "$source/examples/compare_runs.cpp" $(shared eccentric_model) -o compare_runs
c "$source/tests/library.c" $(shared eccentric_train) -o library
c "$source/tests/library_pages.c" $(shared eccentric_pages) -o library_pages
c "$source/tests/library_pages.c" $(static eccentric_pages) -lm -o library_pages_static
c "$source/examples/train_table.c" $(shared eccentric_train) -lm -o train_table
c "$source/examples/train_table.c" $(static eccentric_train) -lm -o train_table_static

export LD_LIBRARY_PATH="$libraries" OMP_NUM_THREADS=1
for program in c_shared c_static cpp_shared; do
    echo "== $program"
    ./$program
done

small="--items 400 --batch 50 --epochs 2 --latent 3 --threads 1 --quiet"
"$eccentric" train glyphs $small --seed 1 --out one >/dev/null
"$eccentric" train glyphs $small --seed 2 --out two >/dev/null
echo "== use_run"
./use_run one glyphs:test | tee shared.txt
[ "$(head -c 15 samples.pgm)" = "P5 280 280 255" ]
./use_run_static one glyphs:test | diff shared.txt -
if ./use_run nowhere; then exit 1; fi
echo "== compare_runs"
./compare_runs one two glyphs 200

echo "== train_table"
./train_table table.csv | tee table.txt
./train_table_static | diff table.txt -
"$eccentric" train table.csv --latent 4 --batch 30 --epochs 10 --threads 1 --quiet --out table-run --json >train.json
"$eccentric" classify table-run --quiet --json >classify.json
"$eccentric" sample table-run -n 3 --quiet --out samples.csv >/dev/null
python=python3
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
"$python" - <<'PYTHON'
import json
words = open("table.txt").read().split()
ours = dict(zip(words[0:-1], words[1:]))
train, found = json.load(open("train.json")), json.load(open("classify.json"))
for key in "items", "error", "validation_error", "loss", "eccentricity":
    assert float(ours[key]) == train[key], (key, ours[key], train[key])
assert float(ours["knn_error"]) == found["error"] and float(ours["pca"]) == found["baselines"]["pca"]
rows = [line.split(",") for line in open("samples.csv").read().splitlines()[1:]]
samples = [line.split()[1:] for line in open("table.txt") if line.startswith("sample")]
for row, sample in zip(rows, samples):
    assert all(abs(float(a) - float(b)) < 6e-4 for a, b in zip(row, sample)), (row, sample)
print("a table in memory and the same table in a file: the same numbers")
PYTHON

echo "== the commands' figures"
./library one two three vae onnx >library.json
"$python" "$source/tests/library.py" "$eccentric" one two three vae onnx

mkdir pages
(cd pages && "$python" "$source/tests/library_pages.py" ../library_pages "$eccentric" ../one ../two ../table.csv)

echo "== pictures"
cat >draw.c <<'C'
#include <eccentric_show.h>
#include <stdio.h>
int main(void)
{
    static float x[4 * 8 * 8];
    struct ecc_error error;
    if (ecc_draw_images(x, 4, 2, 8, 8, 2, "no.png", &error) != ECC_BAD_ARGUMENT) return 1;
    puts(error.text);
    return ecc_draw_images(x, 4, 1, 8, 8, 2, "sheet.png", &error) != ECC_OK;
}
C
c draw.c $(shared eccentric_show) -o draw
cpp -x c++ draw.c $(shared eccentric_show) -o draw_cpp
./draw && ./draw_cpp >/dev/null
[ "$(head -c 4 sheet.png | tail -c 3)" = PNG ] && [ ! -e no.png ]

echo "== exports and needs"
for library in eccentric eccentric_model eccentric_train eccentric_show eccentric_pages; do
    headers=eccentric.h
    [ $library = eccentric ] || headers="$headers eccentric_model.h"
    case $library in *_train | *_show | *_pages) headers="$headers eccentric_train.h eccentric_evaluate.h" ;; esac
    case $library in *_show | *_pages) headers="$headers eccentric_show.h" ;; esac
    [ $library != eccentric_pages ] || headers="$headers eccentric_pages.h"
    nm -D --defined-only "$libraries/lib$library.so" | awk '{print $NF}' | sort >exported
    (cd "$root/include" && cat $headers) | tr '\n' ' ' | grep -o 'ECC_API[^;(]*(' | sed -n 's/.*[ *]\(ecc_[a-z0-9_]*\)($/\1/p' | sort >declared
    diff declared exported
    echo "$library exports the $(wc -l <declared) functions of: $headers"
    needs=$(ldd "$libraries/lib$library.so")
    case $library in *_pages) unneeded= ;; *_show) unneeded=microhttpd ;; *) unneeded="microhttpd cairo" ;; esac
    for unwanted in $unneeded \
        $([ $library != eccentric ] || echo dnnl jansson libpng); do
        case $needs in *$unwanted*) echo "lib$library needs $unwanted"; exit 1 ;; esac
    done
done
# a program that only uses models carries no trainer
nm "$libraries/libeccentric_model.a" | grep -q ecc_trainer_step && { echo "libeccentric_model trains"; exit 1; }
echo "eccentric_model has no trainer in it"
