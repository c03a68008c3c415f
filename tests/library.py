"""Compares what tests/library.c found through the installed libraries with what the commands say.
usage: library.py ECCENTRIC RUN OTHER_RUN NEW_RUN VAE ONNX     in the directory of its results, library.json and *.raw"""
import json
import subprocess
import sys

import numpy as np

eccentric, run, other, new, vae, onnx = sys.argv[1:]


def command(*words):
    return subprocess.run([eccentric, *words, "--quiet"], check=True, stdout=subprocess.PIPE).stdout


def raw(name, *shape):
    return np.fromfile(name + ".raw", np.float32).reshape(shape)


ours = json.load(open("library.json"))
d = len(ours["mean"])
assert ours["shape"] == [1, 28, 28] and ours["finished"] == 1 and ours["data"] == "glyphs"

command("encode", run, "glyphs:test", "--items", "230", "--out", "z.npy")
command("encode", run, "glyphs:test", "--items", "230", "--components", "--out", "p.npy")
command("decode", run, "z.npy", "--out", "x.npy")
assert np.array_equal(raw("z", 230, d), np.load("z.npy"))
assert np.array_equal(raw("p", 230, d), np.load("p.npy"))
assert np.array_equal(raw("x", 230, 28, 28), np.load("x.npy"))
command("encode", run, "x.npy:all", "--out", "again.npy")
assert np.allclose(raw("again", 230, d), np.load("again.npy"), atol=1e-5)

components = json.loads(command("components", run, "--json"))
assert ours["count"] == components["items"]
for key in "trace", "eccentricity", "effective_rank", "mean", "eigenvalues", "explained_variance", "skewness":
    assert np.allclose(ours[key], components[key], rtol=1e-12), key  # JSON has 15 digits
assert np.allclose(np.reshape(ours["axes"], (d, d)), components["components"], atol=1e-12)

for name in "gaussian", "normal", "sphere", "second":
    extra = ["--components", "p2", "--truncation", "1"] if name == "second" else ["--from", name]
    command("sample", run, "-n", "20", "--seed", "3", *extra, "--out", "items.npy", "--latents", name + ".npy")
    assert np.array_equal(raw(name, 20, d), np.load(name + ".npy")), name
assert np.isfinite(raw("mixture", 20, d)).all()  # of fewer items than the command's

angles = json.loads(command("align", run, other, "--items", "230", "--json"))["pairs"][0]
for key in "angle_raw", "angle_aligned", "angle_procrustes", "cka", "signs", "correlations":
    assert np.allclose(ours[key], angles[key], rtol=1e-12), key

knn = json.loads(command("classify", run, "--items", "230", "--neighbours", "5", "--baselines", "no", "--json"))
tree = json.loads(command("classify", run, "--items", "230", "--method", "tree", "--depth", "4", "--baselines", "no", "--json"))
assert np.allclose([ours["knn_error"], ours["tree_error"]], [knn["error"], tree["error"]], rtol=1e-12)

def close(key, *values):
    assert np.allclose(ours[key], values, rtol=1e-12), (key, ours[key], values)


# what is one call of the library
result = json.load(open(run + "/result.json"))
for key, value in ours["train"].items():
    assert value == result[key], key
for name in "model.safetensors", "components.npz":
    assert open(f"{run}/{name}", "rb").read() == open(f"{new}/{name}", "rb").read(), name
knn = json.loads(command("classify", run, "--items", "230", "--neighbours", "5", "--json"))
close("classify", knn["error"], knn["baselines"]["pca"], knn["baselines"]["pixels"])
close("align", angles["angle_raw"], angles["angle_aligned"])
fid = json.loads(command("fid", run, "glyphs:test", "--features", "pixels", "--items", "230", "--json"))
close("fid", fid["fid"], fid["kid"])
command("scatter", run, "glyphs:test", "--items", "230", "--points", "points.npy", "--out", "scatter.png")
assert np.array_equal(raw("p", 230, d)[:, :2], np.load("points.npy")[:, :2])
dims = json.loads(command("dims", "glyphs", "--items", "300", "--epochs", "1", "--latent", "2,3", "--seed", "1", "--threads", "1", "--json"))
close("dims", dims["recommended"], *[size["error"] for size in dims["sizes"]], dims["sizes"][1]["pca_error"])
likelihood = json.loads(command("likelihood", vae, "--items", "40", "--samples", "20", "--json"))
close("likelihood", likelihood["log_likelihood"], likelihood["elbo"], likelihood["divergence"])
command("export", run, "--onnx", "onnx-of-command")
for name in "encoder.onnx", "decoder.onnx":
    assert open(f"{onnx}/{name}", "rb").read() == open(f"onnx-of-command/{name}", "rb").read(), name
info = json.loads(subprocess.check_output([eccentric, "data", "info", "glyphs:test", "--items", "230", "--json"]))
close("data_info", info["items"], len(info["classes"]), info["high"], info["mean"])
simulated = json.loads(command("simulate", "--points", "60", "--dim", "3", "--json"))
close("simulate", simulated["loss"], simulated["trace"], simulated["steps"])
np.save("points.npy", raw("points", 60, 3))
loss = json.loads(subprocess.check_output([eccentric, "loss", "points.npy", "--json"]))
close("loss", loss["loss"], loss["attraction"])


def theory(*words):
    return json.loads(subprocess.check_output([eccentric, "theory", *words, "--json"]))


accuracy = theory("accuracy", "--from", "12", "--to", "12", "--step", "0.01")
close("theory", theory("radius", "--dim", "5", "--mu", "1.5")["radius"],
      theory("m", "--dim", "5", "--mu", "1.5", "--radius", "2")["M"],
      accuracy["percent"][0],
      theory("force", "--dim", "64", "--mu", "1")["curves"][0]["force"][-1])
methods = json.loads(subprocess.check_output([eccentric, "methods", "--json"]))["methods"]
assert [m[:3] for m in ours["methods"]] == [[m["name"], m["summary"], len(m["options"])] for m in methods]
assert np.allclose([m[3] for m in ours["methods"]], [m.get("lambda", 0) for m in methods], rtol=1e-12)
print("the libraries and the commands agree: train, encode, decode, components, sample, align, classify, fid, "
      "scatter, dims, likelihood, export, data info, simulate, loss, theory, methods")
