"""The loss in plain eager code on the CPU, without the operator's overhead: in Python, or compiled (native.cpp)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from . import _native
from ._op import Settings, c_loss, loss


class Quick(torch.autograd.Function):
    """The operator for z: [N, d] that `takes` accepts."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, settings: Settings) -> Tensor:
        dz = ctx.dz = torch.empty_like(z)
        ctx.inputs = (z, settings)
        return torch.scalar_tensor(c_loss(z, dz, settings))

    @staticmethod
    def backward(ctx: Any, dvalue: Tensor) -> tuple[Tensor, None]:
        dz, ctx.dz = ctx.dz, None
        if dz is None or torch.is_grad_enabled():  # a second time through a graph, or create_graph=True
            z, settings = ctx.inputs
            return loss(z, *settings)[1] * dvalue, None
        return dz.mul_(dvalue), None


transforms_active = getattr(torch._C, "_are_functorch_transforms_active", lambda: True)
modes_active = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 1)


def takes(z: Tensor) -> bool:
    return (
        (type(z) is Tensor or type(z) is torch.nn.Parameter)
        and z.dtype is torch.float32
        and z.is_cpu
        and z.dim() == 2
        and min(z.shape) >= 2
        and z.is_contiguous()
        and not transforms_active()
        and not modes_active()
    )


def in_python(z: Tensor, settings: Settings) -> Tensor | None:
    if not takes(z):
        return None
    if (z.requires_grad and torch.is_grad_enabled()) or getattr(forward_ad, "_current_level", 0) >= 0:
        return Quick.apply(z, settings)
    return torch.scalar_tensor(c_loss(z, None, settings))


# (z, settings) -> the loss, or None for what goes through the operator
way: _native.Native = _native.load() or in_python


def build_native() -> None:
    """Compiles the loss for the PyTorch that is installed, once, in about a minute: a call then takes less of
    Python's time.  Needs a C++ compiler, Python's headers and ninja.  Later sessions find what was compiled
    in ~/.cache/eccentric (or $XDG_CACHE_HOME/eccentric)."""
    global way
    way = _native.build()
