#!/bin/sh
# Proves a wheel (make wheel) in a bare root file system: debootstrap's minbase with Python, and none of our libraries.
# Installs it in a fresh venv with scikit-learn, pandas and pytest from the package index, and runs python/tests.
# Run as root; needs debootstrap.   usage: [MIRROR=URL] [TMPDIR=DIR] scripts/prove_wheel.sh bookworm|trixie WHEEL
set -eu
[ $# = 2 ] || { sed -n '4s/.*usage/usage/p' "$0" >&2; exit 2; }
suite=$1
wheel=$(realpath "$2")
repository=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
cleanup() {
    rm -f "$root.log"
    umount -l "$root/proc" "$root/dev" 2>/dev/null || true
    mountpoint -q "$root/dev" || rm -rf --one-file-system "$root"
}
trap cleanup EXIT

debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates "$suite" "$root" ${MIRROR:+"$MIRROR"} >"$root.log" ||
    { tail -n 5 "$root.log"; exit 1; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
# how pip reaches its index from here
for file in /etc/pip.conf "${PIP_CERT:-}" "${SSL_CERT_FILE:-}" "${REQUESTS_CA_BUNDLE:-}"; do
    [ ! -f "$file" ] || cp --parents "$file" "$root"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
mkdir -p "$root/srv"
cp "$wheel" "$root/srv/"
cp -r "$repository/python/tests" "$root/srv/tests"
cp -r "$repository/examples" "$root/srv/examples"

settings=$(env | grep -E '^(PIP|SSL|REQUESTS|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)' || true)
# shellcheck disable=SC2086 # settings without blanks
in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 $settings chroot "$root" sh -euc "cd /srv && $1"; }
echo "== $suite: $(chroot "$root" dpkg-query -W | wc -l) packages, $(in_root 'python3 --version')"
in_root "python3 -m venv venv"
in_root "venv/bin/pip install -q ./$(basename "$wheel") pytest scikit-learn pandas"
in_root "venv/bin/eccentric --version"
in_root "venv/bin/python -m pytest -q -rs tests"
echo "proved: $suite, $(basename "$wheel")"
