"""Components, samples, alignment and distances of latents from any source."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import (
    Float32,
    Float64,
    address,
    doubles,
    floats,
    sizes,
    text_array,
)
from ._library import call, kind_of, lib
from ._loss import choose
from ._results import Record, Result, drawn, frame, summary
from ._watch import Stop

# ---- Principal components --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Components(Result):
    """Principal components of latents, by falling variance.

    Component k of a latent is p_k = axes[k] . (z - mean).  The sign of an axis is such that the items' third
    moment along it is positive.
    """

    mean: Float64  # [d]
    eigenvalues: Float64  # [d] of the covariance (divided by count), falling
    axes: Float64  # [d, d], row k is component k
    explained: Float64  # [d] share of the variance of the latents
    of_data: Float64  # [d] share of the variance of the data that each adds; NaN: not known
    skewness: Float64  # [d]
    count: int  # latents it was fitted to
    trace: float
    eccentricity: float  # deviation of the eigenvalues over their mean: 0 for a sphere
    effective_rank: float
    of_mean: float  # the share of the data's variance that the decoded mean alone keeps; NaN: not known

    @classmethod
    def fit(cls, z: Any) -> Components:
        """Of latents z: [n, d]."""
        z = floats(z)
        struct = c.ecc_components()
        call(lib.ecc_components_fit, byref(struct), address(z), *z.shape)
        return cls.taken(struct)

    @classmethod
    def taken(cls, struct: c.ecc_components) -> Components:
        """From a struct that the library has filled, which is released."""
        d = struct.d
        found = cls(
            mean=doubles(struct.mean, d),
            eigenvalues=doubles(struct.eigenvalues, d),
            axes=doubles(struct.axes, (d, d)),
            explained=doubles(struct.explained, d),
            of_data=doubles(struct.of_data, d),
            skewness=doubles(struct.skewness, d),
            count=struct.count,
            trace=struct.trace,
            eccentricity=struct.eccentricity,
            effective_rank=struct.effective_rank,
            of_mean=struct.of_mean,
        )
        lib.ecc_components_release(byref(struct))
        return found

    @property
    def d(self) -> int:
        return len(self.mean)

    @property
    def deviations(self) -> Float64:
        """[d] roots of the eigenvalues."""
        return np.sqrt(self.eigenvalues)

    def struct(self) -> tuple[c.ecc_components, Any]:
        """For the library to read, as long as the second part is referenced."""
        names = ("mean", "eigenvalues", "axes", "explained", "of_data", "skewness")
        arrays = {name: np.ascontiguousarray(getattr(self, name), float) for name in names}
        arrays["deviations"] = self.deviations
        struct = c.ecc_components(
            d=self.d,
            count=self.count,
            trace=self.trace,
            eccentricity=self.eccentricity,
            effective_rank=self.effective_rank,
            of_mean=self.of_mean,
            **{name: address(array) for name, array in arrays.items()},
        )
        return struct, arrays

    def project(self, z: Any) -> Float32:
        """Coordinates along the components, [n, d], of latents z: [n, d]."""
        z = floats(z, columns=self.d)
        p, (struct, kept) = np.empty_like(z), self.struct()
        call(lib.ecc_components_project, byref(struct), address(p), address(z), len(z))
        del kept
        return p

    def restore(self, p: Any) -> Float32:
        """Latents, [n, d], of coordinates p: [n, d]."""
        p = floats(p, "p", columns=self.d)
        z, (struct, kept) = np.empty_like(p), self.struct()
        call(lib.ecc_components_restore, byref(struct), address(z), address(p), len(p))
        del kept
        return z

    def __repr__(self) -> str:
        return summary(
            "Components",
            d=self.d,
            count=self.count,
            eccentricity=self.eccentricity,
            trace=self.trace,
            effective_rank=self.effective_rank,
        )

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each component."""
        columns = {
            "component": [f"p{k + 1}" for k in range(self.d)],
            "variance": self.eigenvalues,
            "explained": self.explained,
            "of_data": self.of_data,
            "skewness": self.skewness,
        }
        return frame(columns, library)

    def _draw(self, ending: str) -> bytes | None:
        struct, kept = self.struct()
        names = text_array(["latents"])
        picture = drawn("ecc_draw_spectrum", byref(struct), ctypes.addressof(names), 1, ending=ending)
        del kept
        return picture


# ---- New latents -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Mixture:
    """A Gaussian mixture with full covariances."""

    weights: Float64  # [k], falling
    means: Float64  # [k, d]
    factors: Float64  # [k, d, d], lower Cholesky factors of the covariances
    log_likelihood: float  # mean of an item's
    bic: float
    iterations: int
    converged: bool

    @classmethod
    def fit(cls, z: Any, k: int = 0, *, k_max: int = 32, starts: int = 1, seed: int = 1) -> Mixture:
        """Of latents z: [n, d] by EM; k 0: chosen by BIC, up to k_max."""
        z = floats(z)
        options = lib.ecc_mixture_defaults()
        options.k, options.k_max, options.starts, options.seed = k, k_max, starts, seed
        struct = c.ecc_mixture()
        with Stop() as stop:
            options.on_round = kind_of(c.ecc_mixture_options, "on_round")(lambda *_: not stop.asked)
            call(lib.ecc_mixture_fit, byref(struct), address(z), *z.shape, byref(options))
        return cls.taken(struct)

    @classmethod
    def taken(cls, struct: c.ecc_mixture) -> Mixture:
        k, d = struct.k, struct.d
        found = cls(
            weights=doubles(struct.weights, k),
            means=doubles(struct.means, (k, d)),
            factors=doubles(struct.factors, (k, d, d)),
            log_likelihood=struct.log_likelihood,
            bic=struct.bic,
            iterations=struct.iterations,
            converged=struct.converged,
        )
        lib.ecc_mixture_release(byref(struct))
        return found

    def struct(self) -> tuple[c.ecc_mixture, Any]:
        k, d = self.means.shape
        names = ("weights", "means", "factors")
        arrays = {name: np.ascontiguousarray(getattr(self, name), float) for name in names}
        places = {name: address(array) for name, array in arrays.items()}
        return c.ecc_mixture(k=k, d=d, **places), arrays

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each Gaussian: weight and mean."""
        places = {f"z{k + 1}": column for k, column in enumerate(self.means.T)}
        return frame({"weight": self.weights, **places}, library)

    def score(self, z: Any) -> float:
        """Mean log-likelihood of z: [n, d]."""
        z = floats(z, columns=self.means.shape[1])
        mean, (struct, kept) = ctypes.c_double(), self.struct()
        call(lib.ecc_mixture_score, byref(struct), byref(mean), address(z), len(z))
        del kept
        return mean.value


Distribution = Literal["gaussian", "normal", "sphere", "mixture"]
DISTRIBUTIONS = {
    "gaussian": c.ECC_SAMPLE_GAUSSIAN,
    "normal": c.ECC_SAMPLE_NORMAL,
    "sphere": c.ECC_SAMPLE_SPHERE,
    "mixture": c.ECC_SAMPLE_MIXTURE,
}


def sample(
    source: Components | Mixture | int,
    n: int = 1,
    *,
    distribution: Distribution | None = None,
    along: Sequence[int] | None = None,
    truncation: float = 0.0,
    seed: int = 1,
    first: int = 0,
) -> Float32:
    """New latents, [n, d].

    source: Components (the Gaussian with their mean and covariance), a Mixture, or a number of dimensions
    for distribution "normal" or "sphere".  along: vary along these components only, counted from 0.
    truncation: normal draws beyond this many deviations are drawn again.  Latent number i (from `first`)
    depends on the seed and i alone.
    """
    usual = {Components: "gaussian", Mixture: "mixture"}.get(type(source), "normal")
    name = distribution or usual
    sampler = c.ecc_sampler(truncation=truncation, seed=seed)
    setattr(sampler, "from", choose(name, DISTRIBUTIONS, "distribution"))
    kept: list[Any] = []
    if isinstance(source, (Components, Mixture)):
        struct, arrays = source.struct()
        kept += [struct, arrays]
        field_name = "components" if isinstance(source, Components) else "mixture"
        setattr(sampler, field_name, ctypes.addressof(struct))
        sampler.d = d = struct.d
    else:
        sampler.d = d = int(source)
    if along is not None:
        numbers = np.ascontiguousarray(along, np.uintp)
        kept.append(numbers)
        sampler.list, sampler.list_count = address(numbers), len(numbers)
    if n < 0 or first < 0:
        raise ValueError(f"n is {n} and first is {first}, expected numbers from 0")
    z = np.empty((n, d), np.float32)
    call(lib.ecc_sampler_draw, byref(sampler), address(z), first, n)
    return z


def interpolate(a: Any, b: Any, t: Any, *, mean: Any = None, spherical: bool = True) -> Float32:
    """Latents between a: [d] (t = 0) and b: [d] (t = 1), one for each t: [len(t), d].

    Spherically, the direction from the mean turns evenly while the distance from it changes evenly.
    """
    a, b = floats(a, "a", ndim=1), floats(b, "b", ndim=1)
    if a.shape != b.shape:
        raise ValueError(f"a has shape {a.shape} and b {b.shape}, expected the same")
    d = len(a)
    middle = np.zeros(d) if mean is None else np.ascontiguousarray(mean, float)
    if middle.shape != (d,):
        raise ValueError(f"mean has shape {middle.shape}, expected {(d,)}")
    steps = np.atleast_1d(np.asarray(t, float))
    z = np.empty((len(steps), d), np.float32)
    for row, step in zip(z, steps, strict=True):
        lib.ecc_interpolate(address(row), address(a), address(b), address(middle), d, step, spherical)
    return z


# ---- Two encodings of the same items ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Alignment(Result):
    """Whether two encodings of the same items have the same components."""

    partner: NDArray[np.int64]  # [d] component of b matched with each of a
    sign: Float64  # [d] 1, or -1 where that component of b is flipped
    correlation: Float64  # [d] of the two, after the flip
    share: Float64  # [d] of the variance that they hold
    before: Float64  # [d, d] correlations: components of a by those of b
    after: Float64  # [d, d] the same with b matched and flipped
    angle_raw: float  # mean angle between the two encodings of an item, in degrees, as they are ...
    angle_aligned: float  # ... with b matched and flipped ...
    angle_procrustes: float  # ... and with b rotated as suits best
    cka: float  # linear CKA: 1 for the same space, rotated
    items: int  # measured on

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each component of a."""
        columns = {
            "component": [f"p{k + 1}" for k in range(len(self.partner))],
            "partner": [
                f"{'-' if sign < 0 else ''}p{k + 1}" for k, sign in zip(self.partner, self.sign, strict=True)
            ],
            "correlation": self.correlation,
            "share": self.share,
        }
        return frame(columns, library)

    def __repr__(self) -> str:
        return summary(
            "Alignment",
            d=len(self.partner),
            angle_raw=self.angle_raw,
            angle_aligned=self.angle_aligned,
            angle_procrustes=self.angle_procrustes,
            cka=self.cka,
        )

    def _draw(self, ending: str) -> bytes | None:
        partner = np.ascontiguousarray(self.partner, np.uintp)
        sign, before, after = (np.ascontiguousarray(x, float) for x in (self.sign, self.before, self.after))
        alignment = c.ecc_alignment(
            d=len(partner),
            partner=address(partner),
            sign=address(sign),
            before=address(before),
            after=address(after),
            angle_raw=self.angle_raw,
            angle_aligned=self.angle_aligned,
        )
        pair = c.ecc_run_pair(a=0, b=1, alignment=alignment)
        result = c.ecc_runs_alignment(
            run_count=2,
            latent=len(partner),
            test_items=self.items,
            pairs=ctypes.addressof(pair),
            pair_count=1,
            procrustes=c.ecc_spread(self.angle_procrustes, 0),
            cka=c.ecc_spread(self.cka, 0),
        )
        return drawn("ecc_draw_runs_alignment", byref(result), ending=ending)


def align(a: Any, b: Any, *, test_a: Any = None, test_b: Any = None) -> Alignment:
    """Matches the components of two encodings a, b: [n, d] of the same items.

    Both are turned to their own components first.  As in the paper, components are then matched by the
    assignment that maximises the absolute cross-covariance, and signs are flipped.  test_a, test_b: [m, d],
    other items to measure on; without them, the same are used.
    """
    a, b = floats(a, "a"), floats(b, "b")
    if a.shape != b.shape:
        raise ValueError(f"a has shape {a.shape} and b {b.shape}, expected the same")
    if (test_a is None) != (test_b is None):
        raise ValueError("test_a and test_b belong together: give both, or neither")
    of_a, of_b = Components.fit(a), Components.fit(b)
    train_a, train_b = of_a.project(a), of_b.project(b)
    seen_a, seen_b = train_a, train_b
    if test_a is not None:
        seen_a, seen_b = of_a.project(test_a), of_b.project(test_b)
        if seen_a.shape != seen_b.shape:
            raise ValueError("test_a and test_b must have the same number of items")
    r = c.ecc_alignment()
    n, d = a.shape
    call(
        lib.ecc_align,
        byref(r),
        address(train_a),
        address(train_b),
        n,
        address(seen_a),
        address(seen_b),
        len(seen_a),
        d,
    )
    return alignment_taken(r, len(seen_a))


def alignment_of(r: c.ecc_alignment, items: int) -> Alignment:
    d = r.d
    return Alignment(
        partner=sizes(r.partner, d),
        sign=doubles(r.sign, d),
        correlation=doubles(r.correlation, d),
        share=doubles(r.share, d),
        before=doubles(r.before, (d, d)),
        after=doubles(r.after, (d, d)),
        angle_raw=r.angle_raw,
        angle_aligned=r.angle_aligned,
        angle_procrustes=r.angle_procrustes,
        cka=r.cka,
        items=items,
    )


def alignment_taken(r: c.ecc_alignment, items: int) -> Alignment:
    found = alignment_of(r, items)
    lib.ecc_alignment_release(byref(r))
    return found


# ---- Distances between sets ------------------------------------------------------------------------


@dataclass(frozen=True)
class Frechet(Record):
    """The Frechet distance between two sets of features, fitted by Gaussians.  `float()` gives it."""

    distance: float  # mean + spread
    mean: float  # |mu1 - mu2|^2
    spread: float  # the rest, of the covariances

    def __float__(self) -> float:
        return self.distance


@dataclass(frozen=True)
class Kid(Record):
    """The kernel distance, over random subsets."""

    value: float
    deviation: float  # between the subsets
    error: float  # standard error of the value
    subsets: int
    subset: int  # items in each


def feature_rows(x: Float32) -> c.ecc_feature_rows:
    return c.ecc_feature_rows(address(x), *x.shape)


def frechet(a: Any, b: Any) -> Frechet:
    """Between features a: [n, d] and b: [m, d], at least two of each, d at most 4096."""
    a, b = floats(a, "a"), floats(b, "b")
    found: list[c.ecc_statistics] = []
    result = c.ecc_frechet()
    try:
        for x in (a, b):
            found.append(c.ecc_statistics())
            rows = feature_rows(x)
            call(lib.ecc_statistics_fit, byref(found[-1]), byref(rows), b"features")
        call(lib.ecc_frechet_distance, byref(result), byref(found[0]), byref(found[1]))
    finally:
        for statistics in found:
            lib.ecc_statistics_release(byref(statistics))
    return Frechet(result.distance, result.mean, result.spread)


def kid(a: Any, b: Any, seed: int = 1) -> Kid:
    """The kernel distance between features a: [n, d] and b: [m, d], at least four of each."""
    a, b = floats(a, "a"), floats(b, "b")
    result, rows_a, rows_b = c.ecc_kid(), feature_rows(a), feature_rows(b)
    call(lib.ecc_kid_estimate, byref(result), byref(rows_a), byref(rows_b), seed)
    return Kid(result.value, result.deviation, result.error, result.subsets, result.subset)
