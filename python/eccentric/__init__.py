"""Deep principal components: autoencoders whose latent space is held in shape by the eccentric loss.

The same C code as the program `eccentric`, for NumPy, scikit-learn and notebooks:

    import eccentric
    run = eccentric.train(x)                      # a table [n, columns] or images [n, height, width]
    p = run.components().project(run.encode(x))   # coordinates along the components
    eccentric.loss(z, gradient=True)              # the loss of any latents
    eccentric.EccentricPCA(n_components=2).fit_transform(x)    # for scikit-learn
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._compare import RunsAlignment, Score, align_runs, fid
from ._declarations import VERSION as __version__
from ._errors import NumericError
from ._explore import Explorer
from ._latent import (
    Alignment,
    Components,
    Frechet,
    Kid,
    Mixture,
    align,
    frechet,
    interpolate,
    kid,
    sample,
)
from ._library import version
from ._loss import LossPlan, LossValue, Simulation, Theory, loss, simulate, theory
from ._nearby import Neighbours, Tree, neighbours, trees
from ._pages import Comparison, Page, Report, compare
from ._pictures import Scatter, Sheet, images, scatter
from ._run import Classification, Limits, Meaning, Measures, Run, open_run
from ._train import Step, Training, Unseen, train

if TYPE_CHECKING:
    from .sklearn import EccentricPCA

__all__ = [
    "Alignment",
    "Classification",
    "Comparison",
    "Components",
    "EccentricPCA",
    "Explorer",
    "Frechet",
    "Kid",
    "Limits",
    "LossPlan",
    "LossValue",
    "Meaning",
    "Measures",
    "Mixture",
    "Neighbours",
    "NumericError",
    "Page",
    "Report",
    "Run",
    "RunsAlignment",
    "Scatter",
    "Score",
    "Sheet",
    "Simulation",
    "Step",
    "Theory",
    "Training",
    "Tree",
    "Unseen",
    "__version__",
    "align",
    "align_runs",
    "compare",
    "fid",
    "frechet",
    "images",
    "interpolate",
    "kid",
    "loss",
    "neighbours",
    "open_run",
    "sample",
    "scatter",
    "simulate",
    "theory",
    "train",
    "trees",
    "version",
]


def __getattr__(name: str) -> Any:
    """scikit-learn is imported only where it is used."""
    if name == "EccentricPCA":
        from .sklearn import EccentricPCA

        return EccentricPCA
    raise AttributeError(f"module 'eccentric' has no attribute {name!r}")
