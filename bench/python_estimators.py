"""EccentricPCA beside PCA, KernelPCA, UMAP and an autoencoder in PyTorch, on scikit-learn's data sets.

    PYTHONPATH=python python bench/python_estimators.py [--seeds 3] [--components 2 8]

A quarter of the rows is held out for each seed.  error: mean squared error of the held-out rows, in deviations of the
training rows; KNN: error of five neighbours among the training rows.  All see standardised columns and have one
thread; seconds are processor time.  The autoencoder is that of bench/tables.py, given the same processor time as ours.
UMAP and PyTorch are left out where they are missing.
"""

import argparse
import os
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA, KernelPCA
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

import eccentric

SETS = ("iris", "wine", "breast_cancer", "digits")


class Autoencoder:
    """columns, 4 x columns (64 to 512), half of that, d, and back; ReLU, Adam at 0.001, batches of 64."""

    def __init__(self, d, seconds, seed):
        self.d, self.seconds, self.seed = d, seconds, seed

    def fit(self, x):
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(self.seed)
        width = min(max(4 * x.shape[1], 64), 512)
        sizes = [x.shape[1], width, width // 2, self.d]
        self.encoder, self.decoder = self.layers(sizes), self.layers(sizes[::-1])
        adam = torch.optim.Adam([*self.encoder.parameters(), *self.decoder.parameters()], lr=1e-3)
        rows = torch.tensor(x, dtype=torch.float32)
        began = time.process_time()
        while time.process_time() - began < self.seconds:
            for batch in torch.randperm(len(rows)).split(64):
                loss = ((self.decoder(self.encoder(rows[batch])) - rows[batch]) ** 2).mean()
                adam.zero_grad()
                loss.backward()
                adam.step()
        return self

    @staticmethod
    def layers(sizes):
        from torch import nn

        parts = []
        for a, b in zip(sizes, sizes[1:]):
            parts += [nn.Linear(a, b), nn.ReLU()]
        return nn.Sequential(*parts[:-1])

    def apply(self, net, x):
        import torch

        with torch.no_grad():
            return net(torch.tensor(x, dtype=torch.float32)).numpy()

    def transform(self, x):
        return self.apply(self.encoder, x)

    def inverse_transform(self, z):
        return self.apply(self.decoder, z)


def has(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def methods(d, seed):
    """Names and makers; the makers get the seconds that ours took."""
    yield "EccentricPCA", lambda seconds: eccentric.EccentricPCA(n_components=d, random_state=seed)
    yield "PCA", lambda seconds: PCA(d)
    yield "KernelPCA", lambda seconds: KernelPCA(d, kernel="rbf", fit_inverse_transform=True)
    if has("umap"):
        import umap

        yield "UMAP", lambda seconds: umap.UMAP(n_components=d, random_state=seed, n_jobs=1)
    if has("torch"):
        yield "MLP (PyTorch)", lambda seconds: Autoencoder(d, seconds, seed)


def measure(model, x, x_test, y, y_test, reconstructs):
    began = time.process_time()
    model.fit(x)
    seconds = time.process_time() - began
    z, z_test = model.transform(x), model.transform(x_test)
    knn = 1 - KNeighborsClassifier().fit(z, y).score(z_test, y_test)
    error = np.nan
    if reconstructs:
        error = float(np.mean((model.inverse_transform(z_test) - x_test) ** 2))
    return error, knn, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--components", type=int, nargs="+", default=[2, 8])
    parser.add_argument("--sets", nargs="+", default=SETS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    toy = np.random.default_rng(0).normal(size=(60, 3))
    for _, make in methods(2, 0):  # what is imported or compiled at first use
        make(0.1).fit(toy)
    print("| data | d | method | error | KNN error | seconds |\n|---|---|---|---|---|---|")
    for name in options.sets:
        data = getattr(datasets, f"load_{name}")()
        for d in (d for d in options.components if d <= data.data.shape[1]):
            rows = {}
            for seed in range(options.seeds):
                x, x_test, y, y_test = train_test_split(data.data, data.target, random_state=seed, test_size=0.25)
                scaler = StandardScaler().fit(x)
                ours = 0
                for label, make in methods(d, seed):
                    parts = scaler.transform(x), scaler.transform(x_test), y, y_test
                    found = measure(make(ours), *parts, label != "UMAP")
                    ours = found[2] if label == "EccentricPCA" else ours
                    rows.setdefault(label, []).append(found)
            for label, found in rows.items():
                error, knn, seconds = np.mean(found, 0)
                shown = "-" if np.isnan(error) else f"{error:.4f}"
                print(f"| {name} | {d} | {label} | {shown} | {knn:.1%} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
