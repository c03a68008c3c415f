"""EccentricLoss: the loss as a module."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.autograd import forward_ad

from .. import _declarations as c
from .._loss import PAIRS, RULES, Pairs, choose
from . import _quick
from ._gather import gathered
from ._op import loss, m_of


class EccentricLoss(nn.Module):
    """The eccentric loss of latents: items repel each other, and the origin attracts them.

    Input: [N, d], N and d at least 2; or with one more axis, such as [T, N, d] of a recurrent net: the mean
    of the T losses.  over: the axis of the items that repel each other, -2 unless told; 0 for [N, T, d].
    Output: a number, [].

    mu: strength of the repulsion, above 1/2.  m: the paper's closed form, "exact" for a radius of exactly
    sqrt(d), or a number.  pairs: "published" counts i = j as the paper's code does, "distinct" does not.

    gather: the items of all ranks of torch.distributed repel each other.  Every rank gets the same value, and
    gradients times the number of ranks, for DistributedDataParallel takes their mean.  group: other than
    the default one.

    float32 on the CPU runs the C code of the library, on torch.get_num_threads() threads; half precision is
    converted to float32, also under autocast.  The rest runs in torch, in chunks of rows.  N x N numbers are
    never held.  Second derivatives run in torch; there are no third.
    """

    def __init__(
        self,
        mu: float = 1.0,
        m: float | Literal["paper", "exact"] = "paper",
        pairs: Pairs = "published",
        gather: bool = False,
        *,
        over: int = -2,
        group: torch.distributed.ProcessGroup | None = None,
    ) -> None:
        super().__init__()
        self.mu, self.m, self.pairs, self.gather, self.over, self.group = float(mu), m, pairs, gather, over, group
        rule = choose(m, RULES, "m") if isinstance(m, str) else c.ECC_M_GIVEN
        number = 0.0 if isinstance(m, str) else float(m)
        m_of(2, self.mu, rule, number)  # says what is wrong with mu and m
        self._settings = (self.mu, rule, number, choose(pairs, PAIRS, "pairs") == c.ECC_PAIRS_DISTINCT)
        self._plain = over == -2 and not gather

    def forward(self, z: Tensor) -> Tensor:
        if self._plain and not torch.compiler.is_compiling():
            value = _quick.way(z, self._settings)
            if value is not None:
                return value
            check_derivatives(z)
        z = arranged(z, self.over)
        if self.gather:
            z = gathered(z, self.group)
        check_sizes(z.shape[-2], z.shape[-1])
        return loss(z, *self._settings)[0]

    def extra_repr(self) -> str:
        words = [f"mu={self.mu:g}", f"m={self.m!r}", f"pairs={self.pairs!r}"]
        words += [f"over={self.over}"] if self.over != -2 else []
        return ", ".join(words + (["gather=True"] if self.gather else []))


def arranged(z: Tensor, over: int) -> Tensor:
    """[N, d] or [T, N, d], of float32 or float64."""
    if z.dim() not in (2, 3):
        raise ValueError(f"z has shape {tuple(z.shape)}, expected [N, d], or [T, N, d] and over=")
    if over % z.dim() == z.dim() - 1:
        raise ValueError(f"over is {over}, the axis of the d numbers of a latent: expected that of the items")
    if not z.is_floating_point():
        raise ValueError(f"z has the type {z.dtype}, expected floating point numbers")
    if z.dtype not in (torch.float32, torch.float64):
        z = z.float()
    return z.movedim(over, -2)


def check_derivatives(z: Tensor) -> None:
    """An operator would silently drop the tangent."""
    if isinstance(z, Tensor) and forward_ad.unpack_dual(z).tangent is not None:
        raise NotImplementedError("the eccentric loss has no forward-mode derivatives: use backward()")


def check_sizes(n: int, d: int) -> None:
    if n < 2:
        raise ValueError(
            f"the eccentric loss is a sum over pairs of items, and the batch has {n}: expected at least 2 "
            "(drop_last=True of a DataLoader leaves out a short last batch)"
        )
    if d < 2:
        raise ValueError(f"d is {d}, expected at least 2 numbers in a latent: with fewer there is no sphere")
