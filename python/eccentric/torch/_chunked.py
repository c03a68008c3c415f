"""The loss and its gradient in torch operations, for what the C code does not take: other devices, float64.

Rows in chunks: of all pairs, at most a chunk's is in memory at a time.
"""

from __future__ import annotations

import torch
from torch import Tensor

CHUNK = {"cpu": 1 << 19, "other": 1 << 23}  # pairs


def chunk_rows(z: Tensor) -> int:
    pairs = CHUNK["cpu" if z.device.type == "cpu" else "other"]
    return max(1, min(len(z), pairs // len(z)))


def chunked_loss(z: Tensor, mu: float, m: float, distinct: bool) -> tuple[Tensor, Tensor]:
    """Value, [], and gradient, [n, d], of latents z: [n, d], in the type of z."""
    with torch.autocast(z.device.type, enabled=False):
        return sums(z, mu, m, distinct)


def chunked_curvature(z: Tensor, v: Tensor, mu: float, m: float, distinct: bool) -> Tensor:
    """The second derivatives at z: [n, d] times v: [n, d]."""
    with torch.autocast(z.device.type, enabled=False):
        return bends(z, v, mu, m, distinct)


def scaled_distances(centred: Tensor, squares: Tensor, first: int, rows: int, m: float) -> Tensor:
    """x_ij = |z_i - z_j|^2 / M of the rows i of a chunk: [rows, n]."""
    x = torch.addmm(squares, centred[first : first + rows], centred.T, alpha=-2.0)
    x.add_(squares[first : first + rows, None]).clamp_(min=0).div_(m)
    x.diagonal(first).zero_()
    return x


def sums(z: Tensor, mu: float, m: float, distinct: bool) -> tuple[Tensor, Tensor]:
    n, rows = len(z), chunk_rows(z)
    exact = z.dtype if z.device.type == "mps" else torch.float64
    centred = z - z.mean(0)  # distances from products of vectors: the shorter, the more exact
    squares = centred.square().sum(1)
    logs, forces = torch.zeros((), dtype=exact, device=z.device), torch.empty_like(z)
    for first in range(0, n, rows):
        part = centred[first : first + rows]
        x = scaled_distances(centred, squares, first, rows, m)
        logs += x.log1p().sum(dtype=exact)
        weights = x.add_(1).reciprocal_()
        torch.mul(part, weights.sum(1, keepdim=True), out=forces[first : first + rows])
        forces[first : first + rows].addmm_(weights, centred, alpha=-1.0)
    items = n if distinct else n - 1
    value = z.square().sum(dtype=exact) / items - mu * m / (n * (n - 1)) * logs
    return value.to(z.dtype), z * (2 / items) - forces * (4 * mu / (n * (n - 1)))


def bends(z: Tensor, v: Tensor, mu: float, m: float, distinct: bool) -> Tensor:
    """Of the forces sum_j w_ij (z_i - z_j), w = 1/(1 + x): each changes by w_ij (v_i - v_j), and by
    -2/M w_ij^2 p_ij (z_i - z_j), where p_ij = (z_i - z_j).(v_i - v_j)."""
    n, rows = len(z), chunk_rows(z)
    centred, moved = z - z.mean(0), v - v.mean(0)
    squares, products = centred.square().sum(1), (centred * moved).sum(1)
    change = torch.empty_like(z)
    for first in range(0, n, rows):
        part, step = centred[first : first + rows], moved[first : first + rows]
        weights = scaled_distances(centred, squares, first, rows, m).add_(1).reciprocal_()
        p = torch.addmm(products, part, moved.T, alpha=-1.0).addmm_(step, centred.T, alpha=-1.0)
        p.add_(products[first : first + rows, None]).mul_(weights).mul_(weights).mul_(2 / m)
        turned = p.sum(1, keepdim=True) * part - p @ centred
        change[first : first + rows] = weights.sum(1, keepdim=True) * step - weights @ moved - turned
    items = n if distinct else n - 1
    return v * (2 / items) - change * (4 * mu / (n * (n - 1)))
