# Every method of the table trains, is killed in the middle and goes on to the same weights; its model is of use.
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(5)
x = np.tanh(rng.normal(size=(600, 3)) @ rng.normal(size=(3, 12))) + 0.05 * rng.normal(size=(600, 12))
np.save("x.npy", x.astype(np.float32))
PYTHON
printf 'encoder\n dense 32\n relu\n dense latent\ndecoder\n dense 32\n relu\n dense size\n' >tiny.net
train="x.npy --net tiny.net --latent 8 --batch 50 --keep last --epochs 120 --threads 1 --quiet --checkpoint-seconds 0.02"
methods=$("$eccentric" methods | sed 's/ .*//')
for method in $methods mhe:s=0 mhe:s=1:half=yes mmd:kernel=info fsq:levels=8; do
    "$eccentric" train $train --regularizer "$method" --out whole --overwrite >text || echo "$method: not trained"
    explained=$(sed -n 's/.* \([0-9-]*\)[.0-9]*% of the data explained.*/\1/p' text)
    [ "$explained" -gt 50 ] || echo "$method: $explained% explained"
    rm -rf killed
    "$eccentric" train $train --regularizer "$method" --out killed >/dev/null 2>&1 &
    process=$!
    while [ ! -e killed/config.json ]; do sleep 0.02; done
    for pause in 0.05 0.1; do
        sleep $pause
        kill -9 $process 2>/dev/null # it may have finished, on a fast machine
        wait $process 2>/dev/null
        "$eccentric" train --resume killed --quiet >/dev/null 2>&1 &
        process=$!
    done
    wait $process || echo "$method: not resumed"
    cmp whole/model.safetensors killed/model.safetensors
    "$eccentric" encode whole x.npy --out z.npy --quiet >/dev/null || echo "$method: no latents"
    "$eccentric" components whole --quiet >/dev/null || echo "$method: no components"
    "$eccentric" sample whole --count 4 --out s.npy --quiet >/dev/null || echo "$method: no samples"
done
echo "all trained, resumed and used"
