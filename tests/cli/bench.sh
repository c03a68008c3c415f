# bench: the shape of what it prints, never the times
export TMPDIR=$PWD/scratch
mkdir scratch
quick="--quick --seconds 0.01 --batch 4 --points 16 --threads 1 --quiet"
"$eccentric" bench $quick --latent 4 --json >all.json
echo "exit $?"
"$eccentric" bench loss $quick --json >loss.json
echo "exit $?"
"$python" - <<'END'
import json
everything = json.load(open("all.json"))
print(list(everything))
for name, result in everything.items():
    scaling = result.pop("scaling")
    print(name, sorted(result))
    assert result["bench"] == name and result["threads"] == 1 and result["latent"] == 4
    assert result["batch"] == (16 if name == "loss" else 4)
    for axis, rows in scaling.items():
        print(" ", axis, [row[axis] for row in rows])
        for row in rows + [result]:
            assert row["seconds"] > 0 and row["peak_gflops"] > 0
            assert abs(row["images_per_second"] * row["seconds"] / row["batch"] - 1) < 1e-9
            assert abs(row["peak_share"] * row["peak_gflops"] / row["gflops"] - 1) < 1e-9
loss = json.load(open("loss.json"))
print(loss["bench"], loss["batch"], loss["latent"], "net" in loss)
END
echo "-- the loss of other regularizers"
for method in mhe:half=yes kl swae; do
    "$eccentric" bench loss $quick --regularizer $method --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["seconds"] > 0)'
done
"$eccentric" bench loss $quick --regularizer vq
echo "exit $?"
"$eccentric" bench loss $quick --regularizer nobody
echo "exit $?"
echo "-- a net and data of one's own"
printf 'encoder\n flatten\n dense latent\ndecoder\n dense size\n reshape channels height width\n' >tiny.net
"$python" -c 'import numpy; numpy.save("x.npy", numpy.random.rand(40, 3, 5, 5).astype("f4"))'
"$eccentric" bench step $quick --net tiny.net --data x.npy --json >own.json
echo "exit $?"
"$python" -c 'import json; r = json.load(open("own.json")); print(r["net"], r["data"], r["batch"])'
echo "-- in words"
"$eccentric" bench encode $quick --net tiny.net --data x.npy | sed 's/[0-9.][0-9.e+-]*/N/g; s/  */ /g'
echo "-- wrong"
"$eccentric" bench stp
echo "exit $?"
"$eccentric" bench step $quick --net no-such-net
echo "exit $?"
"$eccentric" bench step $quick --data no-such-data
echo "exit $?"
echo "-- Ctrl-C"
"$eccentric" bench step --seconds 1000 --batch 4 --threads 1 --quiet &
sleep 1
kill -TERM $!
wait $!
echo "exit $?"
ls -A scratch | wc -l
