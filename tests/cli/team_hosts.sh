# Two hosts, as network namespaces: gradients travel by TCP, and when the network is cut all end soon, with one sentence.
set -e
. "$data/team.inc"
[ "$(id -u)" = 0 ] && unshare --net --uts --mount ip link show >/dev/null 2>&1 || { echo "skipped: no network namespaces here"; exit 77; }
ip netns add "ecc$$" 2>/dev/null || { echo "skipped: no network namespaces here"; exit 77; }
ip netns del "ecc$$"
hosts="$data/../../scripts/two_hosts.sh"
# a step sends the gradients of 147,097 weights and a little more
"$hosts" "$eccentric" $family | sed -E 's/.* ([0-9]+) steps, each sends ([0-9]+) bytes .*/\1 steps \2/' |
    awk '$2 == "steps" {print $1, "steps:", ($3 > 588388 && $3 < 700000) ? "the gradients went over the wire" : $3 " bytes"; next} {print}'
"$hosts" "$eccentric" $family cut | awk '/ had ended after /{sub(/ s$/, ""); if ($NF > 20) print; next} {print}'
