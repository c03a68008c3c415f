#!/bin/sh
# Proves that a clean clone of HEAD needs only what it installs itself, in a bare root file system (debootstrap's minbase
# and make).  Run as root; needs debootstrap and git.
# usage: scripts/prove_bare.sh bookworm|trixie|noble demo|test [MIRROR]
set -eu
suite=$1
target=$2
mirror=${3:-}
repository=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d)
cleanup() {
    umount -l "$root/proc" "$root/dev" 2>/dev/null || true
    mountpoint -q "$root/dev" || rm -rf --one-file-system "$root"
}
trap cleanup EXIT

debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$root" ${mirror:+"$mirror"} >/dev/null
cp /etc/resolv.conf "$root/etc/resolv.conf"
[ -d /etc/apt/apt.conf.d ] && cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
git clone -q --no-hardlinks "$repository" "$root/srv/eccentric"

in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" sh -c "cd /srv/eccentric && $1"; }
echo "== $suite: make $target, with $(chroot "$root" dpkg-query -W | wc -l) packages"
in_root "make $target"
before=$(chroot "$root" dpkg-query -W)
echo "== again: nothing more is installed"
in_root "make $target" >/dev/null
[ "$before" = "$(chroot "$root" dpkg-query -W)" ]
echo "proved: $suite, make $target"
