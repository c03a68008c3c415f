# reproduce: theory, a table on tiny data, what is there is not made again, interrupted and killed and gone on with,
# runs that are not what they are called, bad input.  One thread: two on a busy machine mostly wait for each other.
export OMP_NUM_THREADS=1
unset ECCENTRIC_DATA
export HOME=$PWD
"$python" -c 'import toy; toy.digits("data/mnist")'
echo "-- theory"
"$eccentric" reproduce figure2 --out theory --quiet
echo "exit $?"
(cd theory && ls . figures)
grep -c "data:image/png;base64" theory/report.html
grep "agrees" theory/report.md
cp theory/steps/figure2.json before.json
"$eccentric" reproduce figure2 --out theory 2>&1 >/dev/null | sed 's/about .*/about T/'
cmp theory/steps/figure2.json before.json && echo "not made again"
rm theory/figures/figure2.svg
"$eccentric" reproduce figure2 --out theory 2>&1 >/dev/null | sed 's/done in .*/done in T/; s/about .*/about T/'
sed -i 's/"eccentric theory force --dim 64/"eccentric theory force --dim 32/' theory/steps/figure2.json
"$eccentric" reproduce figure2 --out theory 2>&1 >/dev/null | grep '1/1'
echo "-- a table"
"$eccentric" reproduce table2 --data data --minutes 0.03 --out tiny --quiet >/dev/null
echo "exit $?"
ls tiny/runs
cat >look.py <<'END'
import json, sys
results = json.load(open(sys.argv[1] + "/results.json"))
for section in results["sections"]:
    print(section["id"], [table["columns"] for table in section["tables"]])
    print(len(section["claims"]), sorted({claim["verdict"] for claim in section["claims"]}))
    for claim in section["claims"]:
        assert claim["verdict"] != "not comparable" or "300 of 60000 items" in claim["why"]
    print(len(section["commands"]), "commands,", len(section["missing"]), "things missing")
    assert all(command.startswith("eccentric ") for command in section["commands"])
print(len(results["runs"]), "runs", sum(results["verdicts"].values()), "verdicts")
assert all(run["items"] == 300 and run["eigenvalues"] for run in results["runs"])
END
"$python" look.py tiny
# the report's numbers are those that its commands give
"$python" -c '
import json, shlex
section = json.load(open("tiny/results.json"))["sections"][0]
command = [c for c in section["commands"] if " classify " in c and "-d4-" in c][0]
print(" ".join(shlex.quote(word) for word in shlex.split(command)[1:]))' >command
(cd tiny && eval "\"$eccentric\" $(cat ../command) --quiet") >again.json
"$python" -c '
import json
again = json.load(open("again.json"))["results"]
numbers = json.load(open("tiny/results.json"))["sections"][0]["numbers"]
for row in again: assert abs(100 * row["error"] - numbers["d4_labels%d" % row["labels"]]["mean"]) < 1e-9
print("a command of the report gives its number")'
"$eccentric" reproduce table2 --data data --minutes 0.03 --out tiny 2>&1 >/dev/null | sed 's/about .*/about T/'
rm tiny/report.html
"$eccentric" reproduce all --data data --minutes 0.03 --out tiny --report --quiet >/dev/null
echo "exit $?"
ls tiny/report.html
echo "-- measured, not trained"
cp -r tiny measured
rm -r measured/steps/knn-*-d4-* measured/runs/*-d6-*
"$eccentric" reproduce all --data data --minutes 1 --on mnist --out measured --measure 2>&1 >/dev/null | sed -n 's/to do; about .*/to do; about T/p'
ls measured/runs measured/steps | grep -c -- -d6-
ls measured/steps | grep -- -d4-
# other weights under the same name: only what was measured of them is measured again
printf x >>"$(ls -d measured/runs/mnist-d2-*)"/model.safetensors
"$eccentric" reproduce all --data data --minutes 1 --on mnist --out measured --measure --plan 2>/dev/null | grep "^#" |
    grep -v "already there" | cut -d : -f 1
echo "-- interrupted"
"$eccentric" reproduce table2 --data data --minutes 0.3 --out stopped >/dev/null 2>stopped.err &
process=$!
while [ -z "$(ls stopped/runs/*/config.json 2>/dev/null)" ]; do sleep 0.05; done
sleep 0.3
"$eccentric" reproduce figure2 --out stopped --quiet
kill -TERM $process
wait $process
echo "exit $?"
sed -n '/^eccentric/p' stopped.err
ls stopped/report.html
"$eccentric" reproduce table2 --data data --minutes 0.02 --out stopped 2>&1 >/dev/null | sed -n '/continued/p'
echo "-- killed"
"$eccentric" reproduce table2 --data data --minutes 0.3 --out killed --quiet >/dev/null 2>&1 &
process=$!
while [ -z "$(ls killed/runs/*/config.json 2>/dev/null)" ]; do sleep 0.05; done
sleep 0.3
kill -9 $process
wait $process 2>/dev/null
"$eccentric" reproduce table2 --data data --minutes 0.02 --out killed --quiet >/dev/null
echo "exit $?"
"$python" look.py killed | tail -n 2
echo "-- a run that is not what it is called"
cp -r tiny other
rm -r other/runs/*-d6-*
cp -r other/runs/mnist-d4-eccentric-lambda0.001-mu1-seed1 other/runs/mnist-d6-eccentric-lambda0.001-mu1-seed1
"$eccentric" reproduce table2 --data data --minutes 0.03 --out other --quiet
echo "exit $?"
cp -r tiny twice
cp -r twice/runs/mnist-d4-eccentric-lambda0.001-mu1-seed1 twice/runs/mnist-d4-eccentric-lambda0.001-mu1-seed2
"$eccentric" reproduce table2 --data data --minutes 0.03 --out twice --report --quiet
rm -r twice/runs/*-seed2
sed -i 's|"source": "[^"]*"|"source": "/elsewhere/glyphs:train"|' twice/runs/mnist-d4-*/config.json
"$eccentric" reproduce table2 --data data --minutes 0.03 --out twice --report --quiet
sed -i 's|"source": "[^"]*"|"source": "/elsewhere/mnist/"|' twice/runs/mnist-d4-*/config.json
"$eccentric" reproduce table2 --data data --minutes 0.03 --out twice --report --quiet >/dev/null
echo "exit $?"
echo "-- a task that fails does not keep the others from being done"
cp -r tiny broken
rm -r broken/steps/knn-*-d4-* broken/steps/knn-*-d6-* broken/report.html
: >broken/runs/mnist-d4-eccentric-lambda0.001-mu1-seed1/model.safetensors
"$eccentric" reproduce table2 --data data --minutes 0.03 --out broken --quiet 2>&1 | cut -c 1-100
"$python" look.py broken
grep "Missing" broken/report.md | cut -c 1-100
echo "-- the plan"
"$eccentric" reproduce figure1 table2 --data data --minutes 60 --plan --json --quiet --out none |
    python3 -c 'import json, sys
for task in json.load(sys.stdin)["plan"][:4]: print(task["name"][:14], task["done"], task["seconds"] > 0, task["command"].split()[:2])'
[ ! -e none ]
"$eccentric" reproduce table2 --data data --minutes 60 --plan --out none 2>&1 | sed "s|$PWD|DIR|" | tail -n 3
echo "-- bad input"
try() {
    "$eccentric" reproduce "$@" 2>&1 | sed "s|$PWD|DIR|"
}
try
try figure2
try figure4 --out x
try tabel2 --out x
try table2 --out x --quick --minutes 3
try table2 --out x --minutes 0
try table2 --out x --plan --report
try table2 --out x --measure --report
try table2 --out x --data nowhere
try table2 --out x --data tiny/runs
try figure2 --out before.json
[ -e x ] || echo "x was not made"
