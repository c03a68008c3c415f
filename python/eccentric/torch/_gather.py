"""The latents of all ranks."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor


class Scaled(torch.autograd.Function):
    """The same numbers; the gradient times a factor."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, factor: int) -> Tensor:
        ctx.factor = factor
        return z.view_as(z)

    @staticmethod
    def backward(ctx: Any, dz: Tensor) -> tuple[Tensor, None]:
        return dz * ctx.factor, None


def others(z: Tensor, group: Any) -> list[Tensor]:
    """z: [..., N, d] of every rank; the N may differ."""
    world = dist.get_world_size(group)
    size = torch.tensor([z.shape[-2]], device=z.device)
    sizes = [torch.empty_like(size) for _ in range(world)]
    dist.all_gather(sizes, size, group=group)
    counts = [int(count) for count in sizes]
    sent = z.new_zeros(*z.shape[:-2], max(counts), z.shape[-1])
    sent[..., : z.shape[-2], :] = z
    found = [torch.empty_like(sent) for _ in range(world)]
    dist.all_gather(found, sent, group=group)
    return [part[..., :count, :] for part, count in zip(found, counts, strict=True)]


@torch.compiler.disable
def gathered(z: Tensor, group: Any) -> Tensor:
    """The latents of all ranks in their order; only our own have a gradient.

    DistributedDataParallel takes the mean of the ranks' gradients, where the gradient of one loss of all
    latents is their sum: hence the factor.
    """
    if not (dist.is_available() and dist.is_initialized()) or dist.get_world_size(group) == 1:
        return z
    parts = others(z.detach(), group)
    parts[dist.get_rank(group)] = Scaled.apply(z, len(parts))
    return torch.cat(parts, dim=-2)
