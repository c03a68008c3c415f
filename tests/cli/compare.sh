# compare: two methods on glyphs, added to later, interrupted and gone on with; a table without labels; the page; bad
# input.  One thread: two on a busy machine mostly wait for each other.
export OMP_NUM_THREADS=1
unset ECCENTRIC_DATA
export HOME=$PWD
small="--items 120 --latent 2 --net tiny.net --batch 20 --quiet"
cat >tiny.net <<'END'
encoder
  flatten
  dense 16
  leakyrelu 0.1
  dense latent
decoder
  dense 16
  leakyrelu 0.1
  dense 784
  sigmoid
  reshape 1 28 28
END
cat >look.py <<'END'
import json, sys
from report_page import Page
results = json.load(open(sys.argv[1] + "/results.json"))
for section in results["sections"]:
    print(section["latent"], [column["key"] for column in section["columns"]])
    for row in section["rows"]:
        print(row["method"], "lambda" in row, len(row.get("sweep", [])), len(row.get("runs", [])), sorted(row["values"]))
        chosen = [at for at in row.get("sweep", []) if at.get("chosen")]
        assert len(chosen) == (1 if row.get("sweep") else 0)
        # the smallest score of validation items, and no other lambda, was trained for long
        if chosen:
            assert chosen[0]["score"] == min(at["score"] for at in row["sweep"]) and chosen[0]["lambda"] == row["lambda"]
    for text in section["left_out"]: print(text)
    for column in section["columns"]:
        values = [(row["values"][column["key"]]["mean"], row["values"][column["key"]].get("best"))
                  for row in section["rows"] if column["key"] in row["values"] and not row.get("baseline")]
        best = [mean for mean, is_best in values if is_best]
        assert not best or (min if column["better"] == "low" else max)(mean for mean, _ in values) in best
page = Page(sys.argv[1] + "/compare.html")
print(len(page.sections) - 1, "sections,", len(page.images), "pictures")
END
echo "-- two methods"
"$eccentric" compare glyphs --methods eccentric,none --epochs 2 --lambdas 2 $small --out c >/dev/null
echo "exit $?"
ls c
ls c/runs | sed 's/-[0-9a-f]*$//'
"$python" look.py c
grep -c "^| eccentric" c/compare.md
head -n 2 c/compare.csv | sed 's/[0-9.e-]*,[0-9.e-]*,2$/MEAN,DEVIATION,2/'
echo "-- what is there is not made again, and is shared"
touch -d 2001-01-01 c/steps/*.json c/runs/*/result.json
"$eccentric" compare glyphs --methods none,kl:lambda=0.01,eccentric --minutes 5 --lambdas 2 $small --out c >/dev/null
echo "exit $?"
find c/steps c/runs/*/result.json -newermt 2002-01-01 -name "*.json" | sed 's/-[0-9a-f]*\(\/result\)*.json$//' | sort
"$python" -c '
import json
results = json.load(open("c/results.json"))
print(results["epochs"], [row["method"] for row in results["sections"][0]["rows"]])'
"$eccentric" compare glyphs --methods none --report $small --out c | sed '/^none/s/[0-9.]* *//g'
echo "-- codes used"
"$eccentric" compare glyphs --methods vq:codes=8,fsq:levels=3,none --epochs 2 --lambdas 1 --seeds 1 $small --out q >/dev/null
echo "exit $?"
"$python" look.py q
for run in q/runs/vq-* q/runs/fsq-*; do
    "$eccentric" encode $run glyphs:test --items 120 --quiet --out $(basename $run | cut -d- -f1).npy >/dev/null
done
"$python" - <<'END'
import json, struct
def different(name, size):
    data = open(name, "rb").read()
    data = data[10 + struct.unpack("<H", data[8:10])[0]:]
    return len({struct.unpack("<%df" % size, data[i:i + 4 * size]) for i in range(0, len(data), 4 * size)})
rows = {row["method"]: row for row in json.load(open("q/results.json"))["sections"][0]["rows"]}
for method, name, size in ("vq:codes=8", "vq.npy", 2), ("fsq:levels=3", "fsq.npy", 2):
    assert rows[method]["values"]["codes_used"]["mean"] == different(name, size) <= rows[method]["codes"]
    print(rows[method]["codes"])
page, text = open("q/compare.html").read(), open("q/compare.md").read()
print("codes used" in page, "codes used" in text, "test items use" in page)
END
echo "-- interrupted"
"$eccentric" compare glyphs --methods kl,none --epochs 1000 --lambdas 1 --seeds 1 $small --out s >/dev/null 2>stopped.err &
process=$!
while [ -z "$(ls s/runs/*/config.json 2>/dev/null)" ]; do sleep 0.05; done
sleep 0.3
"$eccentric" compare glyphs --methods none --epochs 1 --lambdas 1 $small --out s
kill -TERM $process
wait $process
echo "exit $?"
cat stopped.err
ls s/compare.html
"$eccentric" compare glyphs --methods kl,none --epochs 1000 --lambdas 1 --seeds 1 $(echo $small | sed 's/--quiet//') --out s 2>&1 >/dev/null |
    grep continued | sed 's/-[0-9a-f]* (/ (/'
"$python" look.py s
echo "-- a table"
"$python" - <<'END'
import random
random.seed(1)
with open("table & co.csv", "w") as out:
    out.write("a,b<i>,c,d\n")
    for i in range(150):
        x, y = random.gauss(0, 1), random.gauss(0, 1)
        out.write("%.4f,%.4f,%.4f,%.4f\n" % (x, x + 0.1 * y, y, x - y + 0.1 * random.gauss(0, 1)))
END
"$eccentric" compare "table & co.csv" --methods eccentric,none --label none --epochs 5 --lambdas 3 --seeds 1 --latent 2,3 \
    --quiet --out t >/dev/null
echo "exit $?"
"$python" look.py t
echo "-- a method that cannot be trained does not keep the others from it"
"$eccentric" compare "table & co.csv" --methods eccentric,none --label none --epochs 2 --lambdas 1 --seeds 1 --latent 1 --quiet --out f 2>f.err
echo "exit $?"
sed 's/-[0-9a-f]* failed/ failed/' f.err
grep -c "^- eccentric: seed 1 failed" f/compare.md
grep "^| none" f/compare.md | cut -c 1-10
echo "-- the plan"
"$eccentric" compare glyphs --methods eccentric,none --epochs 2 --items 120 --net tiny.net --plan --out p 2>&1 | sed 's/about .*/about T/'
ls p 2>&1 | sed 's/.*: //'
echo "-- wrong usage"
for options in "" "--epochs 2 --minutes 3" "--epochs 2 --methods kl,nobody" "--epochs 2 --methods kl,kl" \
    "--epochs 2 --methods none:lambda=3" "--epochs 2 --latent 8,2" "--epochs 2 --latent x" "--epochs 0" "--epochs 2 --seeds 9" \
    "--epochs 2 --plan --report"; do
    "$eccentric" compare glyphs --out w $options
    echo "exit $?"
done
"$eccentric" compare glyphs --epochs 2
echo "exit $?"
"$eccentric" compare glyphs:test --epochs 2 --out w
echo "exit $?"
"$eccentric" compare "table & co.csv" --epochs 2 --latent 5 --out w
echo "exit $?"
"$eccentric" compare nowhere --epochs 2 --out w
echo "exit $?"
"$eccentric" compare glyphs --report --out w2
echo "exit $?"
ls w 2>&1 | sed 's/.*: //'
