#!/bin/sh
# Installs what is missing for a purpose, by package name, on Debian and Ubuntu; elsewhere lists it.
# usage: scripts/deps.sh build|small|test|browser|mpi|lint|clang|fuzz|valgrind|bench|wheel|wasm|deb ...     Does nothing when nothing is missing.
set -eu

small="gcc libc6-dev make cmake pkg-config libopenblas-openmp-dev libcairo2-dev libjansson-dev libpng-dev libjpeg-dev libwebp-dev
zlib1g-dev libmicrohttpd-dev fonts-dejavu-core"

# shellcheck disable=SC2086 # lists of names
packages_for() {
    case $1 in
    build) echo $small libdnnl-dev ;;
    small) echo $small ;; # without oneDNN
    test) echo g++ libcmocka-dev python3 python3-numpy python3-pytest python3-sklearn curl ;;
    browser) echo chromium ;;
    mpi) echo libopenmpi-dev openmpi-bin libmpich-dev mpich ;; # training by several processes
    lint) echo clang-tidy clang-format cppcheck libomp-dev python3 git ;; # libomp-dev: clang does not see GCC's omp.h
    clang) echo clang libomp-dev ;;
    fuzz) echo clang libclang-rt-dev libomp-dev ;;
    valgrind) echo valgrind ;;
    bench) echo python3 python3-venv ;;
    wheel) echo python3 python3-venv fonts-dejavu-core ;;
    wasm) echo clang-14 lld-14 ;; # Debian 12's
    deb) echo build-essential libopenmpi-dev debhelper dh-python dpkg-dev lintian git ;;
    *) echo "deps.sh: unknown purpose '$1' (build, small, test, browser, mpi, lint, clang, fuzz, valgrind, bench, wheel, wasm, deb)" >&2; exit 2 ;;
    esac
}

# Whether the tools of a purpose are there; for systems without dpkg.
tools_for() {
    case $1 in
    build | small) has cc cmake pkg-config && pkg-config --exists cairo jansson libpng libjpeg libwebp zlib libmicrohttpd ;;
    test) has c++ && pkg-config --exists cmocka &&
        { python3 -c 'import numpy' || /usr/bin/python3 -c 'import numpy'; } 2>/dev/null ;;
    browser) has chromium ;;
    mpi) has mpicc mpirun ;;
    lint) has clang-tidy clang-format cppcheck git ;;
    clang | fuzz) has clang ;;
    valgrind) has valgrind ;;
    bench) has python3 ;;
    wheel) has python3 ;;
    wasm) has clang-14 wasm-ld-14 ;;
    deb) has dpkg-buildpackage dh lintian ;;
    esac
}

has() {
    for tool in "$@"; do command -v "$tool" >/dev/null 2>&1 || return 1; done
}

wanted=""
for purpose in "$@"; do wanted="$wanted $(packages_for "$purpose")"; done

if ! has dpkg-query apt-get; then
    missing=""
    for purpose in "$@"; do tools_for "$purpose" || missing="$missing $purpose"; done
    [ -n "$missing" ] || exit 0
    echo "This is not Debian or Ubuntu.  Please install these packages yourself (Debian names):" >&2
    for purpose in $missing; do
        for package in $(packages_for "$purpose"); do echo "  $package" >&2; done
    done
    exit 1
fi

missing=""
for package in $wanted; do
    # pkgconf provides pkg-config under another package name
    if [ "$package" = pkg-config ] && has pkg-config; then continue; fi
    state=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | head -n 1 || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
    has sudo || {
        echo "Missing packages, and neither root nor sudo to install them:$missing" >&2
        echo "Please run as root: apt-get install$missing" >&2
        exit 1
    }
    as_root="sudo"
fi

apt() {
    $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"
}

# A machine that has just started may be updating itself: apt-get install can wait for that, update cannot.
# Other failures, such as a third-party source that is gone, need not matter for our packages.
update() {
    for pause in 5 10 20 40 0; do
        said=$(apt update 2>&1) || true
        case $said in *"Could not get lock"*) sleep $pause ;; *) break ;; esac
    done
    [ -z "$said" ] || echo "$said" >&2
}

echo "installing:$missing" >&2
update
# shellcheck disable=SC2086
apt install -y --no-install-recommends $missing >/dev/null || {
    echo "Could not install these packages:$missing" >&2
    echo "Please run as root, once that is possible: apt-get update && apt-get install$missing" >&2
    exit 1
}
