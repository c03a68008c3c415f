#!/bin/sh
# Proves that a clean clone of HEAD needs only what it installs itself, in a bare root file system (debootstrap's minbase
# and make).  The targets are made one after another in the same root.  Run as root; needs debootstrap and git.
# usage: [MIRROR=URL] [TMPDIR=DIR] scripts/prove_bare.sh bookworm|trixie|noble demo|test|lint ...
set -eu
[ $# -ge 2 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
suite=$1
shift
repository=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
cleanup() {
    umount -l "$root/proc" "$root/dev" 2>/dev/null || true
    mountpoint -q "$root/dev" || rm -rf --one-file-system "$root"
}
trap cleanup EXIT

debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$root" ${MIRROR:+"$MIRROR"} >/dev/null
cp /etc/resolv.conf "$root/etc/resolv.conf"
[ -d /etc/apt/apt.conf.d ] && cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
git clone -q --no-hardlinks "$repository" "$root/srv/eccentric"

in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" sh -c "cd /srv/eccentric && $1"; }
packages() { chroot "$root" dpkg-query -W; }
for target in "$@"; do
    echo "== $suite: make $target, with $(packages | wc -l) packages"
    start=$(date +%s)
    in_root "make $target"
    echo "== made in $(($(date +%s) - start)) s"
done
before=$(packages)
echo "== make $target again: nothing more is installed"
in_root "make $target" >/dev/null
[ "$before" = "$(packages)" ]
echo "proved: $suite, make $*"
