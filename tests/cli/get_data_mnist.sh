# The script that downloads data knows the sums of the real MNIST, which a directory beside the repository may have.
set -e
root=$(cd "$data/../.." && pwd)
mnist=$root/../shared/data/mnist
[ -d "$mnist" ] || { echo "skipped: ../shared/data/mnist is not there"; exit 77; }
command -v curl >/dev/null || { echo "skipped: curl is missing"; exit 77; }

ECC_MNIST_MIRRORS="file://$mnist" ECC_NPM=false "$root/scripts/get_data.sh" mnist into 2>&1 | sed 's|file://.*|MIRROR|'
ls -A into into/mnist
ECCENTRIC_DATA=$PWD/into "$eccentric" data info mnist:test | head -n 4
