#!/bin/sh
# Installs into a fresh directory and lets the examples use the library through pkg-config, shared and
# static, in C and C++; checks man page, completion and pkg-config file.
# usage: install.sh BUILD_DIR SOURCE_DIR
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR="$work/root" cmake --install "$build" >/dev/null
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$build/CMakeCache.txt")
root="$work/root$prefix"
libraries=$(dirname "$(find "$root" -name libeccentric.a)")
for file in bin/eccentric include/eccentric.h share/man/man1/eccentric.1 \
    share/bash-completion/completions/eccentric; do
    [ -s "$root/$file" ] || { echo "not installed: $file"; exit 1; }
done
"$root/bin/eccentric" --version
bash -n "$root/share/bash-completion/completions/eccentric"

export PKG_CONFIG_PATH="$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/root"
flags=$(pkg-config --cflags eccentric)
shared=$(pkg-config --libs eccentric)
static=$(pkg-config --libs --static eccentric | sed "s/-leccentric/-l:libeccentric.a/; s|-L$work/root/usr/lib|-L/usr/lib|g")
cc -std=c11 -O2 -Wall -Werror "$source/examples/training_loop.c" $flags $shared -lm -o "$work/c_shared"
cc -std=c11 -O2 -Wall -Werror "$source/examples/training_loop.c" $flags $static -lm -o "$work/c_static" \
    -Wl,-rpath,"$(pkg-config --variable=blasdir eccentric)"
c++ -std=c++17 -O2 -Wall -Werror "$source/examples/training_loop.cpp" $flags $shared -o "$work/cpp_shared"
for program in c_shared c_static cpp_shared; do
    echo "== $program"
    LD_LIBRARY_PATH="$libraries" "$work/$program"
done
