"""The eccentric loss, its theory, and points that it moves."""

from __future__ import annotations

import ctypes
import tempfile
import warnings
from ctypes import byref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import Float32, Float64, address, copied, doubles, floats
from ._errors import check
from ._library import call, has_pictures, lib
from ._results import Owned, Record, Result, frame, summary
from ._watch import Watch

Pairs = Literal["published", "distinct"]
PAIRS = {"published": c.ECC_PAIRS_PUBLISHED, "distinct": c.ECC_PAIRS_DISTINCT}
RULES = {"paper": c.ECC_M_PAPER, "exact": c.ECC_M_EXACT}


def choose(value: str, choices: dict[str, int], what: str) -> int:
    if value in choices:
        return choices[value]
    raise ValueError(f"{what} is {value!r}, expected one of: {', '.join(choices)}")


def loss_options(
    mu: float = 1.0,
    m: float | Literal["paper", "exact"] = "paper",
    pairs: Pairs = "published",
    threads: int = 0,
) -> c.ecc_loss_options:
    """`struct ecc_loss_options` from what the functions below take."""
    return c.ecc_loss_options(
        mu=float(mu),
        m_rule=choose(m, RULES, "m") if isinstance(m, str) else c.ECC_M_GIVEN,
        m=0.0 if isinstance(m, str) else float(m),
        pairs=choose(pairs, PAIRS, "pairs"),
        threads=threads,
    )


# ---- The loss --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LossValue(Record):
    """The eccentric loss of a batch.  `float(value)` is the loss."""

    loss: float  # attraction - repulsion
    attraction: float
    repulsion: float
    m: float  # the M that was used
    gradient: Float32 | None = field(default=None, repr=False)  # [n, d], if asked for

    def __float__(self) -> float:
        return self.loss


def loss(
    z: Any,
    *,
    mu: float = 1.0,
    m: float | Literal["paper", "exact"] = "paper",
    pairs: Pairs = "published",
    gradient: bool = False,
    threads: int = 0,
) -> LossValue:
    """The eccentric loss of latents z: [n, d], n and d at least 2, and its gradient.

    mu: strength of the repulsion, above 1/2.  m: the paper's closed form, "exact" for a radius of exactly
    sqrt(d), or a number.  pairs: "published" counts i = j as the paper's code does, "distinct" does not.
    threads: 0 for all; the result does not depend on it.

    float32 arrays that are contiguous are read where they are; others are converted.
    """
    z = floats(z)
    dz = np.empty_like(z) if gradient else None
    value = c.ecc_loss_value()
    options = loss_options(mu, m, pairs, threads)
    call(lib.ecc_loss, byref(value), address(dz), address(z), *z.shape, byref(options))
    return LossValue(value.loss, value.attraction, value.repulsion, value.m, dz)


class LossPlan:
    """The same for training loops: planned once, for batches of up to n_max items of d numbers.

    One thread at a time may use a plan.
    """

    def __init__(
        self,
        n_max: int,
        d: int,
        *,
        mu: float = 1.0,
        m: float | Literal["paper", "exact"] = "paper",
        pairs: Pairs = "published",
        threads: int = 0,
    ) -> None:
        self.d = d
        self._plan: ctypes.c_void_p | None = ctypes.c_void_p()
        options = loss_options(mu, m, pairs, threads)
        call(lib.ecc_loss_plan_create, byref(self._plan), n_max, d, byref(options))

    def evaluate(self, z: Any, dz: Float32 | None = None) -> LossValue:
        """Of z: [n, d]; the gradient goes to dz, an array of the same shape, or to a new one."""
        z = floats(z, columns=self.d)
        if dz is None:
            dz = np.empty_like(z)
        elif dz.shape != z.shape or dz.dtype != np.float32 or not dz.flags.c_contiguous:
            raise ValueError(f"dz must be a contiguous float32 array of shape {z.shape}")
        value = c.ecc_loss_value()
        call(
            lib.ecc_loss_plan_evaluate,
            self._plan,
            byref(value),
            address(dz),
            address(z),
            z.shape[0],
        )
        return LossValue(value.loss, value.attraction, value.repulsion, value.m, dz)

    @property
    def bytes(self) -> int:
        """Memory that the plan holds."""
        return lib.ecc_loss_plan_bytes(self._plan)

    def __del__(self) -> None:
        plan, self._plan = getattr(self, "_plan", None), None
        if plan:
            lib.ecc_loss_plan_free(plan)


# ---- Theory ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Theory(Record):
    """Where the minimum of the loss lies, for latents of d numbers."""

    d: int
    mu: float
    m: float
    radius: float  # of the uniform sphere that is stationary (Theorem 1)
    sphere_loss: float  # the loss of that sphere
    escape_gain: float  # > 0: the sphere is not the minimum; the loss falls by so much per mass ...
    escape_radius: float  # ... that moves to this radius

    def force(self, distance: Any) -> Float64:
        """Size of the repulsive force between two items at a distance."""
        r = np.asarray(distance, float)
        force = [lib.ecc_theory_force(value, self.mu, self.m) for value in r.ravel()]
        return np.reshape(force, r.shape)

    def accuracy(self, step: float = 0.01) -> tuple[float, float]:
        """How far the paper's M is off at worst, over mu = 1, 1 + step, ..., 2d + 1: the error of the
        radius in percent, and the mu where it occurs."""
        percent, worst = ctypes.c_double(), ctypes.c_double()
        call(lib.ecc_theory_accuracy, byref(percent), byref(worst), self.d, step)
        return percent.value, worst.value


def theory(
    d: int,
    *,
    mu: float = 1.0,
    m: float | Literal["paper", "exact"] = "paper",
    radius: float | None = None,
) -> Theory:
    """What Theorem 1 says for d dimensions.  radius: find the M that gives this radius instead."""
    found = [ctypes.c_double() for _ in range(5)]
    m_used, rho, sphere, gain, place = found
    options = loss_options(mu, m)
    if radius is not None:
        call(lib.ecc_theory_m_for_radius, byref(m_used), d, mu, radius)
    else:
        call(lib.ecc_theory_m, byref(m_used), d, mu, options.m_rule, options.m)
    call(lib.ecc_theory_radius, byref(rho), d, mu, m_used)
    call(lib.ecc_theory_sphere_loss, byref(sphere), d, mu, m_used, rho)
    call(lib.ecc_theory_escape, byref(gain), byref(place), d, mu, m_used)
    return Theory(d, mu, *(number.value for number in found))


# ---- Points moved by the loss ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Simulation(Result):
    """Free points that the loss has moved, and what the theory says."""

    points: Float32  # [n, d] at the end
    start: Float32  # [n, d]
    history: dict[str, Float64]  # step, loss, force, radius: [steps + 1]
    steps: int
    at_rest: bool
    interrupted: bool  # by Ctrl-C; everything is of the points reached so far
    loss_start: float
    loss: float
    loss_sphere: float  # of the uniform sphere of Theorem 1's radius
    radius: float  # mean distance from the origin ...
    radius_deviation: float  # ... and its deviation
    radius_theory: float
    eigenvalues: Float64  # [d] of the points' covariance, falling
    trace: float
    eccentricity: float
    effective_rank: float
    nearest: float  # mean distance to the nearest neighbour
    trapped: int  # points that rest well inside the sphere
    seconds: float
    _owned: Owned = field(repr=False)

    def __repr__(self) -> str:
        n, d = self.points.shape
        return summary(
            "Simulation",
            n=n,
            d=d,
            steps=self.steps,
            loss=self.loss,
            loss_sphere=self.loss_sphere,
            radius=self.radius,
            radius_theory=self.radius_theory,
        )

    def to_frame(self, library: str | None = None) -> Any:
        """The history: a row for each step."""
        return frame(self.history, library)

    _ending = "png"

    def _draw(self, ending: str) -> bytes | None:
        if not has_pictures or self._owned.struct is None:
            return None
        with tempfile.TemporaryDirectory(prefix="eccentric-") as folder:
            call(
                lib.ecc_draw_simulation,
                byref(self._owned.struct),
                folder.encode(),
                ending.encode(),
            )
            return (Path(folder) / f"points.{ending}").read_bytes()


def simulate(
    points: int | Any = 1000,
    dim: int = 2,
    *,
    mu: float = 1.0,
    m: float | Literal["paper", "exact"] = "paper",
    pairs: Pairs = "published",
    regularizer: str | None = None,
    steps: int = 200,
    starts: int = 1,
    uniform: bool = False,
    tolerance: float = 1e-4,
    seed: int = 1,
    threads: int = 0,
    progress: bool | None = None,
) -> Simulation:
    """Minimises the loss of free points.

    points: how many, drawn at random in `dim` dimensions, or where they start: [n, d].  regularizer:
    another loss on latents, such as "mhe:s=1".  starts: the best of several, from seed, seed + 1, ...
    Ctrl-C ends it with the points reached so far.
    """
    options = lib.ecc_simulation_defaults()
    options.loss = loss_options(mu, m, pairs, threads)
    options.regularizer = regularizer.encode() if regularizer else None
    start: NDArray[Any] | None = None
    if isinstance(points, (int, np.integer)):
        options.points, options.dim = int(points), dim
    else:
        start = floats(points, "points")
        options.points, options.dim = start.shape
        options.start = address(start)
    options.steps, options.starts, options.uniform = steps, starts, uniform
    options.tolerance, options.seed = tolerance, seed
    owned, error = Owned(c.ecc_simulation(), "ecc_simulation_release"), c.ecc_error()
    result = owned.struct
    with Watch(progress, keeps=True) as watch:
        status = lib.ecc_simulation_run(byref(result), byref(options), watch.pointer, byref(error))
    if not (status == c.ECC_INTERRUPTED and result.points):
        check(status, error)
    if result.interrupted:
        warnings.warn(f"stopped after step {result.steps:,}: these are the points so far", stacklevel=2)
    return simulation_of(result, owned)


def simulation_of(r: c.ecc_simulation, owned: Owned) -> Simulation:
    names = ("step", "loss", "force", "radius")
    return Simulation(
        points=copied(r.points, ctypes.c_float, (r.n, r.d)),
        start=copied(r.start, ctypes.c_float, (r.n, r.d)),
        history={name: doubles(r.history[i], r.steps + 1) for i, name in enumerate(names)},
        steps=r.steps,
        at_rest=r.at_rest,
        interrupted=r.interrupted,
        loss_start=r.loss_start,
        loss=r.loss,
        loss_sphere=r.loss_sphere,
        radius=r.radius.mean,
        radius_deviation=r.radius.deviation,
        radius_theory=r.radius_theory,
        eigenvalues=doubles(r.eigenvalues, r.d),
        trace=r.trace,
        eccentricity=r.eccentricity,
        effective_rank=r.effective_rank,
        nearest=r.nearest.mean,
        trapped=r.trapped,
        seconds=r.seconds,
        _owned=owned,
    )
