"""EccentricPCA: deep principal components as a scikit-learn transformer.

    from eccentric import EccentricPCA
    EccentricPCA(n_components=2).fit_transform(X)

Wherever PCA is, in a Pipeline or GridSearchCV.
"""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from ._run import Run
from ._train import train

try:
    from sklearn.utils._param_validation import RealNotInt
except ImportError:  # before scikit-learn 1.3
    RealNotInt = numbers.Real
try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before scikit-learn 1.6

    def validate_data(estimator: Any, X: Any, *, ensure_all_finite: Any = True, **options: Any) -> Any:
        return estimator._validate_data(X, force_all_finite=ensure_all_finite, **options)


MOST_LATENTS = 32  # of a net whose number of components follows from a share of the variance
USUAL = 8  # components, unless the table has fewer columns


class EccentricPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Deep principal components of a table.

    An autoencoder that starts as PCA of the standardised columns and learns what PCA cannot express; the
    eccentric loss holds its latents in shape, so that they have principal components of their own, ranked by
    variance and uncorrelated.  Where training finds nothing that is better on held-out rows, it is PCA.

    Parameters
    ----------
    n_components : int, float or None, default=None
        How many components `transform` gives.  A float between 0 and 1: as many as explain this share of the
        variance.  None: 8, or the number of columns if that is smaller.
    latent_dim : int or None, default=None
        Dimensions of the latent space, of which the components are found.  None: `n_components`, at least 2;
        for a share, the number of columns, at most 32.
    regularization : float, default=1e-3
        Weight of the eccentric loss (lambda).  A smaller weight gives less even variances.
    mu : float, default=1.0
        Strength of the repulsion, above 1/2.
    epochs : float or None, default=None
        Passes through the data, at most.  None: by the number of rows.
    batch_size : int or None, default=None
        Rows per step.  None: by the number of rows.
    learning_rate : float, default=3e-3
        Of Adam, at its highest.
    scaling : {"standard", "robust"}, default="standard"
        Columns by mean and deviation, or, against outliers, by median and interquartile range.
    n_jobs : int or None, default=None
        Threads.  None: one.  -1: all.
    random_state : int, RandomState instance or None, default=None
        Seed of the net and of the batches.
    verbose : bool, default=False
        Progress on stderr.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        The direction, of length 1, in which each component moves the columns, measured in their deviations, at
        the mean.  The components are curved; this is how they start.  Where the model is PCA, these are PCA's.
    loadings_ : ndarray of shape (n_components_, n_features_in_)
        What one deviation more of a component does to each column, in the column's own unit.
    explained_variance_ : ndarray of shape (n_components_,)
        Variances of the columns that `transform` gives for the training rows.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        Their cumulative sum is the share of the variance of the (scaled) training rows that comes back from the
        first components, the others at their mean; measured, not a ratio of eigenvalues.
    mean_, scale_ : ndarray of shape (n_features_in_,)
        Of the columns, missing cells left out.
    n_components_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        If the columns have names.
    n_steps_ : int
        Steps of the training.
    run_ : eccentric.Run
        The model, with `explore()`, `measure()`, `meaning()` and `save()`.

    Notes
    -----
    Cells may be missing (NaN) in `fit` and `transform`; `inverse_transform(transform(X))` fills them.  Pickles
    hold the model as bytes.  A row gives the same bits whatever other rows are transformed with it.
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_components": [
            Interval(numbers.Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
            None,
        ],
        "latent_dim": [Interval(numbers.Integral, 2, 4096, closed="both"), None],
        "regularization": [Interval(numbers.Real, 0, None, closed="left")],
        "mu": [Interval(numbers.Real, 0.5, None, closed="neither")],
        "epochs": [Interval(numbers.Real, 0, None, closed="neither"), None],
        "batch_size": [Interval(numbers.Integral, 2, None, closed="left"), None],
        "learning_rate": [Interval(numbers.Real, 0, None, closed="neither")],
        "scaling": [StrOptions({"standard", "robust"})],
        "n_jobs": [numbers.Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_components: int | float | None = None,
        *,
        latent_dim: int | None = None,
        regularization: float = 1e-3,
        mu: float = 1.0,
        epochs: float | None = None,
        batch_size: int | None = None,
        learning_rate: float = 3e-3,
        scaling: str = "standard",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.n_components = n_components
        self.latent_dim = latent_dim
        self.regularization = regularization
        self.mu = mu
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.scaling = scaling
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    # ---- Fitting

    def fit(self, X: Any, y: Any = None) -> EccentricPCA:
        """Trains on X: (n_samples, n_features), NaN where a cell is missing; y is ignored."""
        self._validate_params()
        X = self._check(X, reset=True)
        latent = self._latent_size(*X.shape)
        seed = self.random_state
        if not isinstance(seed, numbers.Integral):
            seed = check_random_state(seed).randint(2**31)
        settings: dict[str, Any] = {"epochs": self.epochs, "batch": self.batch_size, "scaling": self.scaling}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # remarks on few rows and missing cells
            run = train(
                X,
                columns=[str(name) for name in getattr(self, "feature_names_in_", [])] or None,
                hold_out=False,
                progress=None if self.verbose else False,
                latent=latent,
                lambda_=self.regularization,
                mu=self.mu,
                lr=self.learning_rate,
                seed=int(seed),
                threads=self._threads(),
                **{name: value for name, value in settings.items() if value is not None},
            )
        if run.training is not None and run.training.stopped:
            warnings.warn("training was interrupted: this is the model so far", stacklevel=2)
        self._take(run)
        return self

    def _latent_size(self, rows: int, columns: int) -> int:
        wanted = self.n_components
        if wanted is None:
            wanted = min(USUAL, columns)
        share = not isinstance(wanted, numbers.Integral)
        if not share and wanted > columns:
            raise ValueError(
                f"n_components={wanted} must be between 1 and n_features={columns}: there are no more columns"
            )
        latent = self.latent_dim
        if latent is None:
            latent = max(2, min(columns, MOST_LATENTS) if share else int(wanted))
        if not share and wanted > latent:
            raise ValueError(f"n_components={wanted} must be at most latent_dim={latent}")
        return latent

    def _threads(self) -> int:
        from joblib import effective_n_jobs

        return 1 if self.n_jobs is None else effective_n_jobs(self.n_jobs)

    def _take(self, run: Run) -> None:
        """Everything that the model tells, with the training rows still in reach."""
        found = run.components(explained=True)
        meaning = run.meaning()
        explained = np.nan_to_num(found.of_mean + np.cumsum(found.of_data))
        kept = self._kept(explained)
        lengths = np.linalg.norm(meaning.standard, axis=1, keepdims=True)
        self.n_components_ = kept
        self.components_ = (meaning.standard / np.where(lengths > 0, lengths, 1))[:kept]
        self.loadings_ = meaning.change[:kept]
        self.explained_variance_ = found.eigenvalues[:kept]
        self.explained_variance_ratio_ = np.diff(explained, prepend=0)[:kept]
        self.mean_, self.scale_ = run.mean, run.deviation
        self.n_steps_ = run.training.steps if run.training else 0
        self.run_ = run.steady(threads=self._threads())
        self.run_._lent = None

    def _kept(self, explained: NDArray[np.float64]) -> int:
        wanted = self.n_components
        if wanted is None:
            return min(USUAL, self.n_features_in_)
        if isinstance(wanted, numbers.Integral):
            return int(wanted)
        enough = np.flatnonzero(explained >= wanted)
        return int(enough[0]) + 1 if len(enough) else len(explained)

    # ---- Using

    def transform(self, X: Any) -> NDArray[Any]:
        """Coordinates along the components, (n_samples, n_components_)."""
        check_is_fitted(self)
        return self._coordinates(self._check(X, reset=False))

    def _coordinates(self, X: NDArray[Any]) -> NDArray[Any]:
        p = self.run_.components().project(self.run_.encode(X))
        return p[:, : self.n_components_].astype(X.dtype)

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """Rows, (n_samples, n_features_in_), of coordinates along the components; components beyond
        n_components_ are at their mean."""
        check_is_fitted(self)
        p = np.asarray(X)
        if p.ndim != 2 or p.shape[1] != self.n_components_:
            raise ValueError(f"X has shape {p.shape}, expected (n_samples, {self.n_components_})")
        whole = np.zeros((len(p), self.run_.latent), np.float32)
        whole[:, : self.n_components_] = p
        rows = self.run_.decode(self.run_.components().restore(whole))
        return rows.astype(np.float32 if p.dtype == np.float32 else np.float64)

    def score(self, X: Any, y: Any = None) -> float:
        """The share of the variance of X around mean_, in deviations of the columns, that comes back from the
        components: 1 at best, 0 for the mean alone.  Missing cells do not count."""
        check_is_fitted(self)
        X = self._check(X, reset=False)
        wrong = (X - self.inverse_transform(self._coordinates(X))) / self.scale_
        spread = (X - self.mean_) / self.scale_
        total = np.nansum(spread**2)
        return float(1 - np.nansum(wrong**2) / total) if total > 0 else 0.0

    def sample(self, n_samples: int = 1, random_state: Any = None) -> NDArray[np.float64]:
        """New rows, (n_samples, n_features_in_), of the Gaussian of the training rows' latents."""
        check_is_fitted(self)
        seed = random_state
        if not isinstance(seed, numbers.Integral):
            seed = check_random_state(seed).randint(2**31)
        return self.run_.sample(n_samples, seed=int(seed))

    # ---- For scikit-learn

    def _check(self, X: Any, reset: bool) -> NDArray[Any]:
        return validate_data(
            self,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            ensure_all_finite="allow-nan",
            ensure_min_samples=2 if reset else 1,
        )

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"allow_nan": True, "preserves_dtype": [np.float64, np.float32]}
