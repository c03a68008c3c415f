#!/bin/sh
# Makes Debian packages of the files that git knows, for the system it runs on: program, libraries, headers, Python, MPI,
# documents (packaging/debian/control).  lintian must have nothing to say.  The same sources give the same bytes.
# usage: scripts/deb.sh [OUT]      to OUT; default: build-deb
set -eu
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-build-deb}")
version=$(sed -n 's/^#define ECC_VERSION "\(.*\)"/\1/p' include/eccentric.h)
grep -q "^eccentric ($version-" packaging/debian/changelog ||
    { echo "deb.sh: packaging/debian/changelog does not begin with version $version" >&2; exit 1; }

tree=$out/eccentric-$version
rm -rf "$tree"
mkdir -p "$tree"
trap 'rm -rf "$tree"' EXIT
list() { git ls-files --cached --others --exclude-standard 2>/dev/null | grep . || find . -type f -not -path './build*' -not -path './.git/*'; }
list | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | tar -cf - -T - | tar -xf - -C "$tree"
mv "$tree/packaging/debian" "$tree/debian"
# Packages of one version for two systems have two names: 0.2.0-1~deb12, 0.2.0-1~deb13.
system=$(. /etc/os-release && echo "$ID${VERSION_ID:-}" | sed 's/^debian/deb/')
sed -i "1s/)/~$system)/" "$tree/debian/changelog"

rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
(cd "$tree" && dpkg-buildpackage -b -us -uc) >"$out/log" 2>&1 || { tail -n 30 "$out/log"; exit 1; }
lintian --allow-root --fail-on error,warning --display-level ">=warning" "$out"/*.changes 2>&1 | grep -v '^running with root' || true
lintian --allow-root --fail-on error,warning "$out"/*.changes >/dev/null 2>&1 ||
    { echo "deb.sh: lintian complains" >&2; exit 1; }
ls -l "$out"/*.deb
