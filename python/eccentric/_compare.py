"""Runs beside each other, and samples beside images."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Sequence
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _declarations as c
from ._arrays import Float64, doubles
from ._latent import Alignment, Distribution, alignment_of
from ._library import call, lib
from ._loss import choose
from ._results import Owned, Record, Result, drawn, frame, summary
from ._run import Run
from ._watch import Watch

# ---- Runs aligned ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RunsAlignment(Result):
    """Whether several runs found the same components."""

    verdict: str  # "same components", "same space, rotated", "some components the same", "different spaces"
    pairs: list[tuple[int, int, Alignment]]  # two runs, from 0, and their alignment
    angle_raw: float  # means over the pairs, in degrees
    angle_aligned: float
    angle_procrustes: float
    cka: float
    stability: Float64  # [d] mean correlation of the first run's components with their partners
    least: Float64  # [d] the least
    items: int
    test_items: int
    _owned: Owned = field(repr=False)

    def __repr__(self) -> str:
        return summary("RunsAlignment", verdict=repr(self.verdict), angle_aligned=self.angle_aligned, cka=self.cka)

    def to_frame(self, library: str | None = None) -> Any:
        """A row for each component of the first run."""
        names = [f"p{k + 1}" for k in range(len(self.stability))]
        return frame({"component": names, "stability": self.stability, "least": self.least}, library)

    def _draw(self, ending: str) -> bytes | None:
        if self._owned.struct is None:
            return None
        return drawn("ecc_draw_runs_alignment", byref(self._owned.struct), ending=ending)


@contextlib.contextmanager
def handles(runs: Sequence[Run]) -> Any:
    """The C handles of runs, each locked; in the order of their addresses, so that nobody waits in a circle."""
    with contextlib.ExitStack() as stack:
        found = {run: stack.enter_context(run._model()) for run in sorted(set(runs), key=id)}
        yield [found[run] for run in runs]


def align_runs(
    runs: Sequence[Run],
    data: str | os.PathLike[str] | None = None,
    *,
    test: str | os.PathLike[str] | None = None,
    items: int = 0,
    progress: bool | None = None,
) -> RunsAlignment:
    """Aligns two or more runs of the same number of latents.

    data: DATA whose training part matches the components and whose test part measures; None: the first
    run's.  test: measure on these items instead.  items: only the first N of each.
    """
    options = c.ecc_align_options(items=items)
    options.data = None if data is None else os.fsencode(data)
    options.test = None if test is None else os.fsencode(test)
    owned = Owned(c.ecc_runs_alignment(), "ecc_runs_alignment_release")
    with handles(runs) as models, Watch(progress) as watch:
        array = (ctypes.c_void_p * len(models))(*models)
        at = ctypes.addressof(array)
        call(lib.ecc_align_runs, byref(owned.struct), at, len(models), byref(options), watch.pointer)
    r = owned.struct
    pairs = (c.ecc_run_pair * r.pair_count).from_address(r.pairs)
    return RunsAlignment(
        verdict=r.verdict.decode(),
        pairs=[(pair.a, pair.b, alignment_of(pair.alignment, r.test_items)) for pair in pairs],
        angle_raw=r.raw.mean,
        angle_aligned=r.aligned.mean,
        angle_procrustes=r.procrustes.mean,
        cka=r.cka.mean,
        stability=doubles(r.stability, r.latent),
        least=doubles(r.least, r.latent),
        items=r.items,
        test_items=r.test_items,
        _owned=owned,
    )


# ---- Images scored ---------------------------------------------------------------------------------

Features = Literal["auto", "inception", "classifier", "pixels", "pca"]
FEATURES = {
    "auto": c.ECC_FEATURES_AUTO,
    "inception": c.ECC_FEATURES_INCEPTION,
    "classifier": c.ECC_FEATURES_CLASSIFIER,
    "pixels": c.ECC_FEATURES_PIXELS,
    "pca": c.ECC_FEATURES_PCA,
}
SOURCES = {
    "gaussian": c.ECC_SAMPLE_GAUSSIAN,
    "normal": c.ECC_SAMPLE_NORMAL,
    "sphere": c.ECC_SAMPLE_SPHERE,
    "mixture": c.ECC_SAMPLE_MIXTURE,
}


@dataclass(frozen=True)
class Score(Record):
    """How far images are from the reference."""

    fid: float
    kid: float | None  # None where a side has too few items
    items: int
    reference_items: int
    features: str  # scores of different features cannot be compared
    warning: str  # a sentence when there are too few items, or empty


def fid(
    images: Run | str | os.PathLike[str],
    reference: Run | str | os.PathLike[str],
    *,
    features: Features = "auto",
    distribution: Distribution = "gaussian",
    count: int = 0,
    items: int = 0,
    seed: int = 1,
    progress: bool | None = None,
) -> Score:
    """The Frechet distance (FID) and the kernel distance (KID) of images from a reference.

    Each is a Run, of which samples are drawn, DATA as the commands name it, a run directory or a statistics
    file.  features: "auto" takes Inception for colour where its weights are there, a small classifier for
    grey.  count: samples of a run; items: only the first N images of data.
    """
    options = lib.ecc_score_defaults()
    options.features = choose(features, FEATURES, "features")
    setattr(options, "from", choose(distribution, SOURCES, "distribution"))
    options.count, options.items, options.seed = count, items, seed
    operands = (c.ecc_score_operand * 2)()
    table = c.ecc_score_table()
    runs = [operand for operand in (images, reference) if isinstance(operand, Run)]
    with handles(runs) as models, Watch(progress) as watch:
        left = list(models)
        for place, operand in zip(operands, (images, reference), strict=True):
            if isinstance(operand, Run):
                place.model = left.pop(0)
            else:
                place.name = os.fsencode(operand)
        call(lib.ecc_score_images, byref(table), operands, 2, byref(options), watch.pointer)
    try:
        score = c.ecc_score.from_address(table.scores)
        return Score(
            score.frechet.distance,
            score.kid.value if score.has_kid else None,
            score.items,
            table.reference_items,
            table.identity.decode(),
            score.warning.decode(),
        )
    finally:
        lib.ecc_score_table_release(byref(table))
