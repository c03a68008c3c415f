#!/bin/sh
# Installs what is missing for a purpose, by package name, on Debian and Ubuntu; elsewhere lists it.
# usage: scripts/deps.sh build|test|lint|fuzz|bench ...     Does nothing when all is there.
set -eu

packages_for() {
    case $1 in
    build) echo gcc libc6-dev make cmake pkg-config libopenblas-openmp-dev libcairo2-dev libjansson-dev fonts-dejavu-core ;;
    test) echo g++ libcmocka-dev python3 python3-numpy ;;
    lint) echo clang-tidy clang-format cppcheck python3 ;;
    fuzz) echo clang libomp-dev ;;
    bench) echo python3 python3-venv ;;
    *) echo "deps.sh: unknown purpose '$1' (build, test, lint, fuzz, bench)" >&2; exit 2 ;;
    esac
}

wanted=""
for purpose in "$@"; do wanted="$wanted $(packages_for "$purpose")"; done

if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    case " $* " in *" build "*) command -v cmake >/dev/null 2>&1 && command -v pkg-config >/dev/null 2>&1 \
        && pkg-config --exists cairo jansson && exit 0 ;; esac
    echo "This is neither Debian nor Ubuntu.  Please install these by hand (Debian names):" >&2
    for package in $wanted; do echo "  $package" >&2; done
    exit 1
fi

missing=""
for package in $wanted; do
    # a virtual or replaced package (pkgconf for pkg-config) counts as installed when dpkg says so
    state=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | head -n 1 || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
        echo "Missing packages, and neither root nor sudo to install them:$missing" >&2
        echo "Please run as root: apt-get install$missing" >&2
        exit 1
    }
    as_root="sudo"
fi
echo "installing:$missing" >&2
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
