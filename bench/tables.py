"""Tables, default settings, beside PCA of the same size and a plain MLP autoencoder in PyTorch given the same processor time.

usage: tables.py ECCENTRIC [--tables DIR] [--seeds N] [--sets iris,wine,...] [--dims 2,8] [--train="--scaling robust"]

For each seed a quarter of the rows, stratified by label, is held out (optdigits has its own test file) and nobody sees it in
training.  Errors are mean squared errors of the held-out rows in deviations of the training rows; KNN is the error of five
neighbours among the training rows.  Needs scikit-learn and, for the last columns, PyTorch.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import tempfile
import time

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

try:
    import torch
except ImportError:
    torch = None


def read_csv(path):
    """Numbers and labels of a table with a header and the label in the last column."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    names = sorted({row[-1] for row in rows})
    x = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    return x, np.array([names.index(row[-1]) for row in rows])


def load(name, folder):
    """x, y and the number of rows that come before the set's own test rows, or None."""
    if name in ("iris", "wine", "breast_cancer", "digits"):
        bunch = getattr(datasets, "load_" + name)()
        return bunch.data, bunch.target, None
    if name == "optdigits":
        parts = [read_csv(os.path.join(folder, "optdigits." + part)) for part in ("tra", "tes")]
        x, y = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        return x, y, len(parts[0][0])
    x, y = read_csv(os.path.join(folder, {"spambase": "spambase.data", "srbct": "SRBCT.csv"}[name]))
    return x, y, None


def write_csv(path, x, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"c{j}" for j in range(x.shape[1])] + ["label"])
        writer.writerows([*map(repr, map(float, row)), f"class {label}"] for row, label in zip(x, y))


def ours(binary, x, y, parts, scale, d, seed, more):
    """Latents of both parts, reconstructions of the test rows, seconds of processor time."""
    mean, deviation = scale
    with tempfile.TemporaryDirectory() as work:
        run = os.path.join(work, "run")
        for part, rows in parts.items():
            write_csv(os.path.join(work, part + ".csv"), x[rows], y[rows])

        def call(*words):
            return subprocess.run([binary, *words, "--threads", "1", "--quiet"], check=True, capture_output=True, text=True).stdout

        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = json.loads(call("train", f"{work}/train.csv:all", "--label", "label", "--latent", str(d), "--seed", str(seed), "--out", run, "--json", *more))
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        z = {}
        for part in parts:
            call("encode", run, f"{work}/{part}.csv:all", "--out", f"{work}/{part}.npy")
            z[part] = np.load(f"{work}/{part}.npy")
        call("decode", run, f"{work}/test.npy", "--out", f"{work}/y.npy")
        back = np.load(f"{work}/y.npy").reshape(len(parts["test"]), -1)
    if back.shape[1] != len(mean):
        raise SystemExit(f"{back.shape[1]} columns came back, expected {len(mean)}")
    return z, (back - mean) / deviation, seconds, result


def torch_net(sizes):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers += [torch.nn.Linear(a, b)] + ([torch.nn.ReLU()] if i + 2 < len(sizes) else [])
    return torch.nn.Sequential(*layers)


def mlp(x, parts, d, seed, seconds):
    """A plain autoencoder, columns-wide-narrow-d and back, Adam at 0.001, batches of 64, for so many seconds."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    columns = x.shape[1]
    wide = min(max(4 * columns, 64), 512)
    encoder, decoder = torch_net([columns, wide, wide // 2, d]), torch_net([d, wide // 2, wide, columns])
    data = {part: torch.tensor(x[rows], dtype=torch.float32) for part, rows in parts.items()}
    adam = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
    start = time.process_time()
    while time.process_time() - start < seconds:
        for batch in torch.randperm(len(data["train"])).split(64):
            rows = data["train"][batch]
            adam.zero_grad()
            ((decoder(encoder(rows)) - rows) ** 2).mean().backward()
            adam.step()
    with torch.no_grad():
        z = {part: encoder(rows).numpy() for part, rows in data.items()}
        return z, decoder(encoder(data["test"])).numpy()


def measure(binary, name, folder, d, seed, more):
    x, y, cut = load(name, folder)
    rows = np.arange(len(x))
    train, test = (rows[:cut], rows[cut:]) if cut else train_test_split(rows, test_size=0.25, random_state=seed, stratify=y)
    x = x[:, x[train].std(0) > 1e-12]
    parts, scale = {"train": train, "test": test}, (x[train].mean(0), x[train].std(0))
    normal = (x - scale[0]) / scale[1]

    def score(z, back):
        nearest = KNeighborsClassifier(5).fit(z["train"], y[train])
        return np.mean((back - normal[test]) ** 2), 100 * (1 - nearest.score(z["test"], y[test]))

    z, back, seconds, result = ours(binary, x, y, parts, scale, d, seed, more)
    pca = PCA(min(d, x.shape[1], len(train))).fit(normal[train])
    z_pca = {part: pca.transform(normal[r]) for part, r in parts.items()}
    figures = [*score(z, back), *score(z_pca, pca.inverse_transform(z_pca["test"]))]
    figures += score(*mlp(normal, parts, d, seed, seconds)) if torch else (np.nan, np.nan)
    return [*figures, seconds, result["best_step"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--tables", default="../shared/data/tables")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--sets", default="iris,wine,breast_cancer,digits,optdigits,spambase,srbct")
    parser.add_argument("--dims", default="2,8")
    parser.add_argument("--train", default="", help="further options of our training")
    options = parser.parse_args()
    print("| table | d | error | PCA | MLP | KNN error | PCA | MLP | seconds | best step |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in options.sets.split(","):
        for d in map(int, options.dims.split(",")):
            every = np.array([measure(options.binary, name, options.tables, d, seed, options.train.split()) for seed in range(1, options.seeds + 1)])
            m, s = every.mean(0), every.std(0)
            knn = " | ".join(f"{m[k]:.1f} ± {s[k]:.1f}%" for k in (1, 3, 5))
            print(f"| {name} | {d} | {m[0]:.4f} | {m[2]:.4f} | {m[4]:.4f} | {knn} | {m[6]:.1f} | {m[7]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
