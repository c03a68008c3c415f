#!/bin/sh
# Trains across two hosts that are network namespaces of this machine, with TCP between them, and counts what travels.
# usage: scripts/two_hosts.sh BINARY [openmpi|mpich [RATE|cut]]      as root; RATE such as 100mbit needs tc's tbf
# Prints bytes and time of a step, and whether the weights are those of one host.  With cut, the second host loses its network
# under way: prints what is said, and how long processes and launcher still took.
set -eu
eccentric=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
family=${2:-openmpi}
rate=${3:-}
cut=false
[ "$rate" != cut ] || { cut=true rate=""; }
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
# UCX takes only devices that run, which the kernel says up to a second later
for k in 1 2; do
    while [ "$(ip netns exec ecc$k cat /sys/class/net/wire/operstate)" != up ]; do sleep 0.1; done
done
# in place of ssh: a host has its own network and its own name; ssh does not end when the other side has and the network is lost
cat >"$work/on" <<'AGENT'
#!/bin/sh
here=$(dirname "$0")
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
code=0
ip netns exec "$host" unshare --uts sh -c "hostname $host; $*" || code=$?
[ ! -e "$here/is_cut" ] || [ "$host" = ecc1 ] || sleep 60
exit $code
AGENT
chmod +x "$work/on"
printf 'ecc1 slots=1\necc2 slots=1\n' >"$work/hosts.openmpi"
printf 'ecc1:1\necc2:1\n' >"$work/hosts.mpich"
case $family in
openmpi) launch="mpirun.openmpi --allow-run-as-root --bind-to none --hostfile $work/hosts.openmpi --mca plm_rsh_agent $work/on --mca oob_tcp_if_include wire --mca btl_tcp_if_include wire --mca btl tcp,self --mca pml ob1" ;;
# UCX, which moves MPICH's messages, knows that both hosts are one machine, and would use its memory
mpich) launch="mpirun.mpich -genv UCX_TLS tcp,self -genv UCX_NET_DEVICES wire -f $work/hosts.mpich -launcher ssh -launcher-exec $work/on -iface wire" ;;
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
# who of ecc1 and ecc2 is left, by name
left() {
    for host in ecc1 ecc2; do
        for pid in $(ip netns pids $host); do cat "/proc/$pid/comm" 2>/dev/null || true; done
    done | grep -c "^$1" || true
}
# until_gone NAME: prints how long after the cut
until_gone() {
    for tenth in $(seq 300); do
        [ "$(left "$1")" != 0 ] || break
        sleep 0.1
    done
    echo "$began $(date +%s.%N)" | awk -v name="$2" '{printf "%s after %.1f s\n", name, $2 - $1}'
}
cut_and_look() {
    across "$train --epochs 100000 --checkpoint-seconds 0.5 --out run" >"$work/printed" &
    launcher=$!
    while [ ! -e "$work/run/checkpoint" ]; do
        kill -0 $launcher 2>/dev/null || { cat "$work/printed" >&2; exit 1; }
        sleep 0.1
    done
    touch "$work/is_cut"
    ip -n ecc2 link set wire down
    began=$(date +%s.%N)
    until_gone eccentric "both processes had ended"
    until_gone mpirun "mpirun had ended"
    grep "^eccentric" "$work/printed"
    "$eccentric" encode "$work/run" glyphs --items 100 --out "$work/z.npy" --quiet >"$work/printed" && echo "the last checkpoint was whole"
}
if $cut; then
    cut_and_look
    exit 0
fi
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
