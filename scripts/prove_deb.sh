#!/bin/sh
# Proves the Debian packages of HEAD: in a bare root file system (debootstrap's minbase and make), make deb makes them twice, the
# second time in another directory, time zone, language and umask, and both have the same bytes; a second bare root, with none
# of the tools, installs them and runs packaging/debian/tests/smoke.  Run as root; needs debootstrap and git.
# usage: [MIRROR=URL] [TMPDIR=DIR] [BASE=DIR] scripts/prove_deb.sh bookworm|trixie [OUT]     BASE: made by debootstrap before
set -eu
[ $# -ge 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
suite=$1
out=${2:-}
repository=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
cleanup() {
    for root in "$work"/*; do
        umount -l "$root/proc" "$root/dev" 2>/dev/null || true
        ! mountpoint -q "$root/dev" || return 0
    done
    rm -rf --one-file-system "$work"
}
trap cleanup EXIT

if [ -n "${BASE:-}" ]; then cp -a "$BASE" "$work/build"; else
    debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$work/build" ${MIRROR:+"$MIRROR"} >"$work.log" ||
        { tail -n 5 "$work.log"; exit 1; }
    rm -f "$work.log"
fi
cp -a "$work/build" "$work/use"
for root in "$work/build" "$work/use"; do
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # how apt reaches its mirror from here; files of packages would be asked about when those are installed
    for file in /etc/apt/apt.conf.d/*; do
        [ ! -f "$file" ] || dpkg-query -S "$file" >/dev/null 2>&1 || cp "$file" "$root/etc/apt/apt.conf.d/"
    done
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --make-rslave "$root/dev"
done
# shellcheck disable=SC2086 # a setting or none
in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive ${3:-} chroot "$work/$1" sh -euc "$2"; }

git clone -q --no-hardlinks "$repository" "$work/build/srv/one"
mkdir -p "$work/build/srv/another/place"
cp -r "$work/build/srv/one" "$work/build/srv/another/place/two"
echo "== $suite: make deb, with $(chroot "$work/build" dpkg-query -W | wc -l) packages"
in_root build "cd /srv/one && make deb"
echo "== again, elsewhere"
in_root build "umask 027; cd /srv/another/place/two && make deb" "TZ=Asia/Tokyo" >/dev/null
in_root build 'cd /srv/one/build-deb && for file in *.deb; do cmp "$file" "/srv/another/place/two/build-deb/$file"; done'
[ -z "$out" ] || { mkdir -p "$out" && cp "$work"/build/srv/one/build-deb/*.deb "$out/"; }

mkdir -p "$work/use/srv/debs"
cp "$work"/build/srv/one/build-deb/*.deb "$work/use/srv/debs/"
rm -f "$work"/use/srv/debs/*-dbgsym_*.deb
cp "$repository/packaging/debian/tests/smoke" "$work/use/srv/"
echo "== installed in a bare system"
in_root use "apt-get -qq update; apt-get -qq -y --no-install-recommends install /srv/debs/*.deb gcc libc6-dev pkg-config \
    python3-sklearn man-db >/dev/null 2>&1 || { apt-get -y --no-install-recommends install /srv/debs/*.deb; exit 1; }"
in_root use "sh /srv/smoke"
echo "proved: $suite, $(cd "$work/use/srv/debs" && cat -- *.deb | sha256sum | cut -c 1-16) of $(ls "$work/use/srv/debs" | wc -l) packages"
