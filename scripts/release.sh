#!/bin/sh
# Makes the files of a release: the source, and the program and libraries, stripped, for the system it runs on.
# usage: scripts/release.sh OUT [BUILD]      BUILD is built already; default: build
set -eu
cd "$(dirname "$0")/.."
out=${1:?usage: scripts/release.sh OUT [BUILD]}
build=${2:-build}
version=$(sed -n 's/^#define ECC_VERSION "\(.*\)"/\1/p' include/eccentric.h)
system=$(. /etc/os-release && echo "$ID${VERSION_ID:-}")
name=eccentric-$version-$system-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

git archive --prefix="eccentric-$version/" HEAD | gzip -n -9 >"$out/eccentric-$version.tar.gz"

DESTDIR="$work/root" cmake --install "$build" --strip >/dev/null
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:[A-Z]*=//p' "$build/CMakeCache.txt")
mv "$work/root$prefix" "$work/$name"
cp LICENSE "$work/$name/"
# the packages of the shared libraries that the program names itself; the C library is everywhere
packages=$(objdump -p "$work/$name/bin/eccentric" | awk '/NEEDED/ { print $2 }' | while read -r library; do
    path=$(ldd "$work/$name/bin/eccentric" | awk -v name="$library" '$1 == name { print $3 }')
    dpkg-query -S "$(realpath "$path")" 2>/dev/null || dpkg-query -S "$path"
done | cut -d : -f 1 | sort -u | grep -vx libc6 | tr '\n' ' ')
cat >"$work/$name/INSTALL.txt" <<END
eccentric $version for $system ($(uname -m)).  As root:

    apt-get install ${packages}fonts-dejavu-core
    tar -xzf $name.tar.gz -C $prefix --strip-components=1 --exclude=INSTALL.txt --exclude=LICENSE
    ldconfig
END
tar -czf "$out/$name.tar.gz" -C "$work" --owner=0 --group=0 --sort=name "$name"
ls -l "$out"
