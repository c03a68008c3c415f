"""The loss as an operator of torch: `torch.ops.eccentric.loss`.

It gives value and gradient at once: z: [N, d], or [T, N, d] for the mean of T losses -> (value: [],
dz: like z).  The operator goes with torch.compile and torch.export.  In plain eager code on the CPU,
`_quick.py` does the same with less overhead.
"""

from __future__ import annotations

import ctypes
import threading
from ctypes import byref
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from .. import _declarations as c
from .._errors import check
from .._library import call, lib
from ._chunked import chunked_curvature, chunked_loss

PLANS = 8  # kept for each thread


@lru_cache(maxsize=256)
def m_of(d: int, mu: float, rule: int, given: float) -> float:
    m = ctypes.c_double()
    call(lib.ecc_theory_m, byref(m), d, mu, rule, given)
    return m.value


# ---- The C code, planned once for each size ----------------------------------------------------------


class Plan:
    """Memory for batches of up to n items, for one thread; without the checks of `LossPlan`."""

    def __init__(self, n: int, d: int, options: c.ecc_loss_options) -> None:
        self.n, self.handle, self.value, self.error = n, ctypes.c_void_p(), c.ecc_loss_value(), c.ecc_error()
        call(lib.ecc_loss_plan_create, byref(self.handle), n, d, byref(options))
        self.places = (self.handle, byref(self.value), byref(self.error))

    def __del__(self, free: Any = lib.ecc_loss_plan_free) -> None:  # at the end of Python, `lib` may be gone
        if self.handle:
            free(self.handle)


kept = threading.local()
evaluate = lib.ecc_loss_plan_evaluate
Settings = tuple[float, int, float, bool]  # mu, rule and number of M, whether pairs are distinct


def plan_for(n: int, d: int, settings: Settings) -> Plan:
    try:
        plans: dict[Any, Plan] = kept.plans
    except AttributeError:
        plans = kept.plans = {}
    threads = torch.get_num_threads()
    key = (d, threads, settings)
    plan = plans.get(key)
    if plan is None or plan.n < n:
        plan = new_plan(plans, key, n)
    return plan


def new_plan(plans: dict[Any, Plan], key: tuple[int, int, Settings], n: int) -> Plan:
    d, threads, (mu, rule, given, distinct) = key
    pairs = c.ECC_PAIRS_DISTINCT if distinct else c.ECC_PAIRS_PUBLISHED
    options = c.ecc_loss_options(mu=mu, m_rule=rule, m=given, pairs=pairs, threads=threads)
    plans.pop(key, None)
    if len(plans) >= PLANS:
        plans.pop(next(iter(plans)))
    plans[key] = Plan(n, d, options)
    return plans[key]


def c_loss(z: Tensor, dz: Tensor | None, settings: Settings) -> float:
    """The loss of z: [n, d], float32, contiguous, on the CPU; the gradient goes to dz, if there is one."""
    n, d = z.shape
    plan = plan_for(n, d, settings)
    handle, value, error = plan.places
    status = evaluate(handle, value, None if dz is None else dz.data_ptr(), z.data_ptr(), n, error)
    if status:
        check(status, plan.error)
    return plan.value.loss


def runs_in_c(z: Tensor) -> bool:
    return z.dtype == torch.float32 and z.device.type == "cpu"


# ---- The operator ------------------------------------------------------------------------------------


def both(z: Tensor, mu: float, rule: int, given: float, distinct: bool) -> tuple[Tensor, Tensor]:
    """Value and gradient of [N, d], or the mean of [T, N, d]."""
    if z.dim() == 2:
        return one(z, mu, rule, given, distinct)
    found = [one(part, mu, rule, given, distinct) for part in z]
    value = torch.stack([value for value, _ in found]).mean()
    return value, torch.stack([dz for _, dz in found]).div_(len(found))


def one(z: Tensor, mu: float, rule: int, given: float, distinct: bool) -> tuple[Tensor, Tensor]:
    if not runs_in_c(z):
        return chunked_loss(z, mu, m_of(z.shape[1], mu, rule, given), distinct)
    dz = torch.empty_like(z, memory_format=torch.contiguous_format)
    return torch.scalar_tensor(c_loss(z.contiguous(), dz, (mu, rule, given, distinct))), dz


@torch.library.custom_op("eccentric::loss", mutates_args=())
def loss(z: Tensor, mu: float, rule: int, given: float, distinct: bool) -> tuple[Tensor, Tensor]:
    return both(z, mu, rule, given, distinct)


@loss.register_fake
def _(z: Tensor, mu: float, rule: int, given: float, distinct: bool) -> tuple[Tensor, Tensor]:
    return z.new_empty(()), torch.empty_like(z, memory_format=torch.contiguous_format)


@torch.library.custom_op("eccentric::curvature", mutates_args=())
def curvature(z: Tensor, v: Tensor, mu: float, rule: int, given: float, distinct: bool) -> Tensor:
    """The second derivatives at z times v, both [N, d] or [T, N, d]."""
    m = m_of(z.shape[-1], mu, rule, given)
    if z.dim() == 2:
        return chunked_curvature(z, v, mu, m, distinct)
    found = [chunked_curvature(*parts, mu, m, distinct) for parts in zip(z, v, strict=True)]
    return torch.stack(found).div_(len(found))


@curvature.register_fake
def _(z: Tensor, v: Tensor, mu: float, rule: int, given: float, distinct: bool) -> Tensor:
    return torch.empty_like(z, memory_format=torch.contiguous_format)


def keep_gradient(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    ctx.save_for_backward(inputs[0], output[1])
    ctx.rest = inputs[1:]
    ctx.set_materialize_grads(False)


def pass_gradient(ctx: Any, dvalue: Tensor | None, ddz: Tensor | None) -> tuple[Any, ...]:
    z, dz = ctx.saved_tensors
    first = None if dvalue is None else dz * dvalue
    second = None if ddz is None else curvature(z, ddz, *ctx.rest)
    total = first if second is None else second if first is None else first + second
    return total, None, None, None, None


loss.register_autograd(pass_gradient, setup_context=keep_gradient)
