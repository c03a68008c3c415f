# Every method trains by several processes as by one, to 1e-4 after twenty steps: each with 2, 3 or 4; with ECC_ALL=yes, with all three.
set -e
. "$data/team.inc"
. "$data/team_steps.inc"
tried=0
for method in $("$eccentric" methods | sed -n 's/ .*//p'); do
    [ $method != wae-gan ] || method=wae-gan:width=16 # its 512 units differ between numbers of threads, too: docs/cluster.md
    lambda="--lambda 0.1"
    [ $method != none ] || lambda=""
    "$eccentric" train $steps --regularizer $method $lambda --batch 24 --out one >/dev/null 2>said ||
        { lambda=""; "$eccentric" train $steps --regularizer $method --batch 24 --out one >/dev/null; } # it has no lambda
    counts=$((2 + tried % 3))
    [ -z "${ECC_ALL:-}" ] || counts="2 3 4"
    for processes in $counts; do
        team $processes train $steps --regularizer $method $lambda --batch $((24 / processes)) --sync-norm --out many
        found=$("$python" compare.py one many)
        [ "$found" = "as one process" ] || echo "$method, $processes processes: $found"
        tried=$((tried + 1))
    done
done
[ $tried -ge 25 ] && echo "methods by several processes: as by one"
