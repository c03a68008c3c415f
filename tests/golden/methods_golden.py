"""Writes the golden values of tests/unit/test_methods_golden.c: losses on latents as their authors
write them, in PyTorch, with gradients by its automatic differentiation.

usage: python3 tests/golden/methods_golden.py        (needs PyTorch 2 and NumPy)

It writes methods.txt beside this script.  Latents and random draws come from the same
counter-based generator as in src/base/rng.c, so none has to be stored.
"""
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

from make_golden import philox, uniform

SEED, STEP, N, D = 3, 4, 10, 8
STREAMS = {"mmd": 0x6D6D64 << 40, "sigreg": 0x736967 << 40, "swae": 0x737761 << 40, "swae prior": 0x737770 << 40}


def normal(seed, stream, count):
    """As ecc_rng_normal_f32: Box and Muller's pairs of 32 bits each."""
    words = philox(seed, stream, (count + 3) // 4).astype(np.float64)
    unit = (words + 0.5) / 2.0**32
    radius, angle = np.sqrt(-2 * np.log(unit[:, 0::2])), 2 * np.pi * unit[:, 1::2]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=2).reshape(-1)[:count].astype(np.float32)


def draw(name, rows, columns):
    return torch.from_numpy(normal(SEED, STREAMS[name] + STEP, rows * columns)).double().reshape(rows, columns)


def directions(name, count):
    a = draw(name, count, D)
    return a / a.norm(dim=1, keepdim=True)


def rae(z):  # models/rae/loss_functions.py
    return torch.mean(z**2)


def mhe(z, s, half):  # wy1iu/MHE code/architecture.py, filters in the rows of z
    w = torch.cat([z, -z]) if half else z
    w = w / torch.sqrt((w**2).sum(1, keepdim=True) + 1e-4)
    i, j = torch.triu_indices(len(w), len(w), 1)
    q = (2 - 2 * w @ w.T)[i, j] + 1e-6  # this floor is ours: without it, gradients differ by up to 1e-5
    return (-torch.log(q) if s == 0 else q ** (-s / 2)).mean()


def uniformity(z, t):  # SsnL/align_uniform align_uniform/__init__.py
    return torch.pdist(F.normalize(z, dim=1), p=2).pow(2).mul(-t).exp().mean().log()


def cwae(z):  # gmum/cwae-pytorch src/metrics/cw.py
    n, d = z.shape
    y, k = (4 / (3 * n)) ** 0.4, 1 / (2 * d - 3)
    distances = ((z[:, None] - z[None]) ** 2).sum(2)
    a = (1 / n**2) * (1 / torch.sqrt(y + k * distances)).sum()
    b = (2 / n) * (1 / torch.sqrt(y + 0.5 + k * (z**2).sum(1))).sum()
    return torch.log(1 / math.sqrt(1 + y) + a - b + 1e-7)


def swae(z):  # skolouri/swae, with a normal prior
    theta = directions("swae", 50)
    prior = draw("swae prior", len(z), D)
    projected, of_prior = theta @ z.T, theta @ prior.T
    return ((projected.sort(dim=1).values - of_prior.sort(dim=1).values) ** 2).mean()


def sigreg(z, slices):  # rbalestr-lab/lejepa MINIMAL.md
    t = torch.linspace(0, 3, 17).double()
    dt = 3 / 16
    weights = torch.full((17,), 2 * dt).double()
    weights[[0, -1]] = dt
    phi = torch.exp(-(t**2) / 2)
    along = (z @ directions("sigreg", slices).T)[:, :, None] * t
    error = (along.cos().mean(0) - phi) ** 2 + along.sin().mean(0) ** 2
    return ((error @ (weights * phi)) * len(z)).mean()


def vicreg(z):  # facebookresearch/vicreg main_vicreg.py, one branch
    n, d = z.shape
    x = z - z.mean(0)
    std = torch.sqrt(x.var(dim=0) + 1e-4)
    cov = (x.T @ x) / (n - 1)
    off = cov.flatten()[:-1].view(d - 1, d + 1)[:, 1:].flatten()
    return 25 * torch.mean(F.relu(1 - std)) / 2 + off.pow(2).sum().div(d)


def dip(z):  # google-research/disentanglement_lib vae.py, DIP-VAE I
    mean = z.mean(0)
    cov = (z[:, :, None] * z[:, None]).mean(0) - mean[:, None] * mean[None]
    diagonal = torch.diagonal(cov)
    off = cov - torch.diag(diagonal)
    return (off**2).sum() + 10 * ((diagonal - 1) ** 2).sum()


def info(z):  # ShengjiaZhao/MMD-Variational-Autoencoder mmd_vae.py
    def kernel(x, y):
        return torch.exp(-((x[:, None] - y[None]) ** 2).mean(2) / D)

    prior = draw("mmd", len(z), D)
    return kernel(prior, prior).mean() + kernel(z, z).mean() - 2 * kernel(prior, z).mean()


def evenness(z):
    p = torch.linalg.eigvalsh(torch.cov(z.T))
    p = p / p.sum()
    return (p * p.log()).sum() + math.log(D)


def cosine(z):
    i, j = torch.triu_indices(len(z), len(z), 1)
    return (F.cosine_similarity(z[i], z[j]) ** 2).mean()


def fsq(x, levels, g):  # google-research fsq/fsq.ipynb; g stands for the decoder
    half = (levels - 1) * (1 - 1e-3) / 2
    offset = 0.0 if levels % 2 else 0.5
    bounded = torch.tanh(x + math.tan(offset / half)) * half - offset
    return (g * (bounded + (torch.round(bounded) - bounded).detach()) / (levels // 2)).sum()


def main():
    z = (6 * uniform(SEED, 1000, N * D) - np.float32(3)).reshape(N, D)
    g = torch.from_numpy(uniform(SEED, 1001, N * D).reshape(N, D)).double()
    cases = {
        "rae": rae,
        "mhe": lambda z: mhe(z, 2, False), "mhe:s=0": lambda z: mhe(z, 0, False), "mhe:s=1": lambda z: mhe(z, 1, False),
        "mhe:s=0:half=yes": lambda z: mhe(z, 0, True), "mhe:s=1:half=yes": lambda z: mhe(z, 1, True),
        "mhe:half=yes": lambda z: mhe(z, 2, True),
        "uniform": lambda z: uniformity(z, 2), "cwae": cwae, "swae": swae,
        "sigreg": lambda z: sigreg(z, 256), "sigreg:slices=1024": lambda z: sigreg(z, 1024),
        "vicreg": vicreg, "dip": dip, "mmd:kernel=info": info, "evenness": evenness, "cosine": cosine,
        "fsq": lambda x: fsq(x, 5, g), "fsq:levels=8": lambda x: fsq(x, 8, g),
    }
    lines = [f"# written by tests/golden/methods_golden.py: text, scale, value, gradient; seed, step, n, d:", f"{SEED} {STEP} {N} {D}"]
    for name, loss in cases.items():
        # what only sees directions: far out, the 1e-4 that is added to |z|^2, here or there, does not count
        scale = 100 if name.split(":")[0] in ("mhe", "uniform", "cosine") else 1
        x = torch.from_numpy(np.float32(scale) * z).double().requires_grad_()
        value = loss(x)
        value.backward()
        lines.append(f"{name} {scale} {value.item():.12g}")
        lines += [" ".join(f"{v:.9g}" for v in row) for row in x.grad.tolist()]
    (pathlib.Path(__file__).parent / "methods.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
