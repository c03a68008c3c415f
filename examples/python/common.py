"""What the three examples share: digits, a rival of the loss, the shape of a cloud of latents, a table."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import torch
from eccentric.torch import EccentricLoss
from torch import Tensor

Penalty = Callable[[Tensor], Tensor]


def folder_of(data: str) -> Path:
    """A folder, or mnist or fashion-mnist where the program finds them, the latter also in Debian's package of it."""
    kept = os.environ.get("ECCENTRIC_DATA") or Path.home() / ".local/share/eccentric"
    places = [Path(data), Path(kept) / data, Path("/usr/share/datasets") / data]
    for place in places:
        if any(place.glob("train-images-idx3-ubyte*")):
            return place
    raise SystemExit(
        f"{data}: no files of MNIST or Fashion-MNIST there. Name their folder, or get them first: "
        "scripts/get_data.sh mnist, scripts/get_data.sh fashion-mnist or apt install dataset-fashion-mnist"
    )


@cache
def idx(folder: Path, name: str) -> np.ndarray:
    """A file of MNIST or Fashion-MNIST, as it is or with .gz."""
    path = next(p for p in (folder / name, folder / f"{name}.gz") if p.exists())
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        raw = file.read()
    shape = np.frombuffer(raw, ">i4", raw[3], 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def digits(folder: Path, part: str, items: int) -> tuple[Tensor, Tensor]:
    """Images [n, 28, 28] from 0 to 1 and labels [n], the first `items`."""
    images, labels = idx(folder, f"{part}-images-idx3-ubyte"), idx(folder, f"{part}-labels-idx1-ubyte")
    return torch.from_numpy(images[:items] / np.float32(255)), torch.from_numpy(labels[:items].astype(np.int64))


def vicreg(z: Tensor) -> Tensor:
    """The rival: variance and covariance of VICReg (Bardes et al., 2022); [N, d], or the mean over [T, N, d]."""
    centred = z - z.mean(-2, keepdim=True)
    n, d = z.shape[-2:]
    covariance = centred.mT @ centred / (n - 1)
    variances = torch.diagonal(covariance, dim1=-2, dim2=-1)
    spread = torch.relu(1 - (variances + 1e-4).sqrt()).mean(-1)
    others = covariance.square().sum((-2, -1)) - variances.square().sum(-1)
    return (12.5 * spread + others / d).mean()


def attraction(z: Tensor) -> Tensor:
    """The eccentric loss without its repulsion: to see which of the two helps."""
    return z.square().sum(-1).mean()


def methods(*weights: float) -> dict[str, tuple[float, Penalty]]:
    """Name: weight and penalty; without one first."""
    found: dict[str, tuple[float, Penalty]] = {"without": (0.0, lambda z: z.new_zeros(()))}
    for name, penalty in (("eccentric", EccentricLoss()), ("vicreg", vicreg), ("attraction", attraction)):
        found |= {f"{name} {weight:g}": (weight, penalty) for weight in weights}
    return found


def shape(z: Tensor) -> dict[str, float]:
    """Trace of the covariance over d (1 on the sphere of radius sqrt(d)), and eccentricity of its eigenvalues."""
    values = torch.linalg.eigvalsh(torch.cov(z.detach().double().T))
    return {"trace/d": float(values.mean()), "eccentricity": float(values.std(correction=0) / values.mean())}


def batches(count: int, size: int, epochs: int):
    """Shuffled batches of item numbers; the last, short one of an epoch is left out."""
    for _ in range(epochs):
        order = torch.randperm(count)
        yield from order[: count // size * size].split(size)


def compare(name: str, run: Callable[..., dict[str, float]], *weights: float) -> None:
    """Runs every method with every seed and prints a table: mean and deviation over the seeds."""
    parser = argparse.ArgumentParser(description=name)
    parser.add_argument("data", help="mnist, fashion-mnist, or a folder with the files of one of them")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--items", type=int, default=0, help="training items; 0: as the example has them")
    parser.add_argument("--epochs", type=int, default=0, help="0: as the example has them")
    parser.add_argument("--only", default="", help="methods that begin so: eccentric")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.data = folder_of(options.data)
    torch.set_num_threads(options.threads)
    table: dict[str, list[dict[str, float]]] = {}
    for seed in range(1, options.seeds + 1):
        for method, (weight, penalty) in methods(*weights).items():
            if not method.startswith(options.only):
                continue
            torch.manual_seed(seed)
            start = time.perf_counter()
            found = run(options, weight, penalty) | {"seconds": time.perf_counter() - start}
            table.setdefault(method, []).append(found)
            print(json.dumps({"method": method, "seed": seed} | found), flush=True)
    show(table)


def show(table: dict[str, list[dict[str, float]]]) -> None:
    columns = list(next(iter(table.values()))[0])
    print("\n| | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for method, rows in table.items():
        cells = []
        for column in columns:
            values = np.array([row[column] for row in rows])
            cells.append(f"{values.mean():.3g} ± {values.std(ddof=1) if len(rows) > 1 else 0:.2g}")
        print(f"| {method} | " + " | ".join(cells) + " |")
