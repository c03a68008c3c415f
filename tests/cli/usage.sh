# Wrong usage: one sentence, a hint, exit 2.  Help: exit 0.
try() {
    echo "\$ eccentric $*"
    "$eccentric" "$@"
    echo "-> $?"
}
try
try --version
try help
try los
try theory
try theory radios
try theory radius --dim 2
try theory radius --dim two --mu 1
try theory radius --dim 1 --mu 1
try theory radius --dim 2 --mu 0.5
try theory radius --dim 2 --mu nan
try theory radius --dim 2 --mu 1 --m big
try theory radius --dim 2 --mu
try theory radius --dim=2 --mu=1 --json=yes
try theory radius extra --dim 2 --mu 1
try loss
try loss z.npy --gradeint g.npy
try loss z.npy --pairs some
try loss z.npy --pairs
try simulate --points 1
try simulate --threads 0
try simulate -n 5
try help nothing
try loss --help
"$eccentric" theory radius --dim 3 --mu 1 >/dev/full
echo "-> $?"
