#!/bin/sh
# Trains across two hosts that are network namespaces of this machine, with TCP between them, and counts what travels.
# usage: scripts/two_hosts.sh BINARY [openmpi|mpich [RATE]]      as root; RATE such as 100mbit needs tc's tbf
# Prints bytes and time of a step, and whether the weights are those of one host.  A step that sends next to nothing over the
# wire was not between hosts: MPICH 4.0.2 does that here.
set -eu
eccentric=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
family=${2:-openmpi}
rate=${3:-}
[ "$(id -u)" = 0 ] || { echo "two_hosts.sh: only root can make network namespaces" >&2; exit 2; }
work=$(mktemp -d)
clean() {
    for host in ecc1 ecc2; do
        for pid in $(ip netns pids $host 2>/dev/null); do kill -9 "$pid" 2>/dev/null || true; done
        ip netns del $host 2>/dev/null || true
        rm -rf "/etc/netns/$host"
    done
    rm -rf "$work"
}
trap clean EXIT
trap "exit 1" INT TERM
for host in ecc1 ecc2; do
    ip netns add $host
    mkdir -p "/etc/netns/$host"
    printf '127.0.0.1 localhost\n10.77.0.1 ecc1\n10.77.0.2 ecc2\n' >"/etc/netns/$host/hosts"
    ip -n $host link set lo up
done
ip -n ecc1 link add wire type veth peer name wire netns ecc2
for k in 1 2; do
    ip -n ecc$k addr add 10.77.0.$k/24 dev wire
    ip -n ecc$k link set wire up
    [ -z "$rate" ] || ip netns exec ecc$k tc qdisc add dev wire root tbf rate "$rate" burst 64kb latency 200ms
done
# in place of ssh: a host has its own network and its own name
cat >"$work/on" <<'AGENT'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
AGENT
chmod +x "$work/on"
printf 'ecc1 slots=1\necc2 slots=1\n' >"$work/hosts.openmpi"
printf 'ecc1:1\necc2:1\n' >"$work/hosts.mpich"
case $family in
openmpi) launch="mpirun.openmpi --allow-run-as-root --bind-to none --hostfile $work/hosts.openmpi --mca plm_rsh_agent $work/on --mca oob_tcp_if_include wire --mca btl_tcp_if_include wire --mca btl tcp,self --mca pml ob1" ;;
mpich) launch="mpirun.mpich -f $work/hosts.mpich -launcher ssh -launcher-exec $work/on -iface wire" ;;
esac
# across COMMAND: from the first host
across() {
    "$work/on" ecc1 "cd $work && $launch -n 2 $*" </dev/null 2>&1
}
sent() {
    ip netns exec ecc1 cat /sys/class/net/wire/statistics/tx_bytes
}
train="$eccentric train glyphs --items 240 --validation 0 --net paper-mnist --latent 8 --batch 10 --threads 1 --keep last --quiet --overwrite"
# measure EPOCHS RUN: steps, bytes that the first host sent, seconds
measure() {
    before=$(sent)
    began=$(date +%s.%N)
    across "$train --epochs $1 --out $2" >"$work/printed" || { cat "$work/printed" >&2; exit 1; }
    ended=$(date +%s.%N)
    echo "$(sed -n 's/.* items, \([0-9]*\) steps.*/\1/p' "$work/printed") $(($(sent) - before)) $began $ended"
}
# the difference of two trainings is that of their steps alone
{ measure 1 short; measure 6 long; } | awk -v name="$family, rate ${rate:-not limited}" '
    {n[NR] = $1; b[NR] = $2; s[NR] = $4 - $3}
    END {k = n[2] - n[1]; printf "%s: %d steps, each sends %.0f bytes and takes %.1f ms\n", name, k, (b[2] - b[1]) / k, 1e3 * (s[2] - s[1]) / k}'
case $family in
openmpi) near="mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none" ;;
mpich) near=mpirun.mpich ;;
esac
(cd "$work" && ECCENTRIC_OVERLAP=1 $near -n 2 $train --epochs 6 --out near </dev/null >/dev/null)
cmp "$work/long/model.safetensors" "$work/near/model.safetensors" && echo "the same bytes as two processes on one host"
