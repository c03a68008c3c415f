"""EccentricPCA is a transformer as scikit-learn wants one: all of its checks, and those it does not call."""

import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

from eccentric import EccentricPCA  # noqa: E402

from .conftest import bent  # noqa: E402

FURTHER = (
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
    "check_dataframe_column_names_consistency",
    "check_param_validation",
)


@estimator_checks.parametrize_with_checks([EccentricPCA()])
def test_check_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", FURTHER)
def test_further_checks(name):
    check = getattr(estimator_checks, name, None)
    if check is None:
        pytest.skip(f"scikit-learn {sklearn.__version__} has no {name}")
    if "pandas" in name or "dataframe" in name:
        pytest.importorskip("pandas")
    if "polars" in name:
        pytest.importorskip("polars")
    check("EccentricPCA", EccentricPCA())


@pytest.fixture(scope="module")
def fitted(table):
    return EccentricPCA(n_components=2, random_state=0).fit(table)


def test_like_pca(fitted, table):
    p = fitted.transform(table)
    assert p.shape == (120, 2) and p.dtype == np.float64
    assert np.allclose(p.var(0), fitted.explained_variance_, rtol=1e-3)
    assert abs(np.corrcoef(p.T)[0, 1]) < 1e-3
    assert fitted.components_.shape == fitted.loadings_.shape == (2, 5)
    assert np.allclose((fitted.components_**2).sum(1), 1)
    assert np.allclose(fitted.mean_, table.mean(0))
    assert fitted.explained_variance_ratio_.shape == (2,)
    assert fitted.explained_variance_ratio_.sum() == pytest.approx(fitted.score(table), abs=1e-3)
    back = fitted.inverse_transform(p)
    scaled = make_pipeline(StandardScaler(), PCA(2)).fit(table)
    linear = scaled.inverse_transform(scaled.transform(table))
    ours, theirs = (((x - table) ** 2 / table.var(0)).mean() for x in (back, linear))
    assert ours < theirs
    assert fitted.score(table) == pytest.approx(1 - ours, abs=1e-3)


def test_linear_data_is_pca():
    """Where there is nothing else to learn, the model is PCA, and so are its components."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2)) * [3, 1] @ rng.normal(size=(2, 6)) + 0.1 * rng.normal(size=(200, 6))
    found = EccentricPCA(n_components=2, random_state=0).fit(x)
    pca = PCA(2).fit(StandardScaler().fit_transform(x))
    span = found.components_ @ pca.components_.T  # the same plane
    assert np.allclose(np.linalg.svd(span)[1], 1, atol=0.02)
    assert found.explained_variance_ratio_.sum() == pytest.approx(pca.explained_variance_ratio_.sum(), abs=0.02)


def test_number_of_components(table):
    share = EccentricPCA(n_components=0.6, random_state=0, epochs=50).fit(table)
    assert 1 <= share.n_components_ < 5
    assert share.transform(table).shape == (120, share.n_components_)
    one = EccentricPCA(n_components=1, random_state=0, epochs=50).fit(table)
    assert one.transform(table).shape == (120, 1)
    assert one.inverse_transform(one.transform(table)).shape == table.shape
    wide = EccentricPCA(n_components=1, latent_dim=3, random_state=0, epochs=50).fit(table)
    assert wide.run_.latent == 3
    with pytest.raises(ValueError, match="must be between 1 and n_features=5"):
        EccentricPCA(n_components=6).fit(table)
    with pytest.raises(ValueError, match="at most latent_dim"):
        EccentricPCA(n_components=4, latent_dim=3).fit(table)


def test_missing_cells(table):
    gaps = table.copy()
    gaps[::4, 2] = np.nan
    found = EccentricPCA(n_components=2, random_state=0).fit(gaps)
    filled = found.inverse_transform(found.transform(gaps))
    missing = np.isnan(gaps)
    ours = ((filled - table)[missing] ** 2).mean()
    assert ours < 0.5 * ((np.nanmean(gaps, 0) - table)[missing] ** 2).mean()
    assert 0.5 < found.score(gaps) <= 1


def test_seeds_and_threads(table):
    one, same, other, threads = (
        EccentricPCA(n_components=2, random_state=seed, n_jobs=jobs, epochs=3).fit_transform(table)
        for seed, jobs in ((1, None), (1, None), (2, None), (1, 2))
    )
    assert np.array_equal(one, same)
    assert not np.allclose(one, other)
    assert np.allclose(one, threads, rtol=1e-2, atol=1e-2)


def test_ctrl_c_keeps_the_model(monkeypatch, table):
    from eccentric import _train

    class Asked(_train.Stop):  # as if Ctrl-C had come
        def __enter__(self):
            self.asked = True
            return self

    monkeypatch.setattr(_train, "Stop", Asked)
    with pytest.warns(UserWarning, match="interrupted"):
        found = EccentricPCA(n_components=2, random_state=0).fit(table)
    assert found.n_steps_ == 1 and found.transform(table).shape == (120, 2)


def test_pickles_are_bytes(fitted, table):
    data = pickle.dumps(fitted)
    again = pickle.loads(data)
    assert np.array_equal(again.transform(table), fitted.transform(table))
    assert len(data) < 1_000_000
    assert not hasattr(clone(fitted), "run_")


def test_pipeline_and_grid_search():
    x = bent(150)
    y = (x[:, 0] > 10).astype(int)
    pipeline = make_pipeline(EccentricPCA(random_state=0, epochs=30), KNeighborsClassifier())
    grid = GridSearchCV(pipeline, {"eccentricpca__n_components": [1, 2]}, cv=2).fit(x, y)
    assert grid.best_score_ > 0.8
    alone = GridSearchCV(EccentricPCA(random_state=0, epochs=30), {"n_components": [1, 2]}, cv=2).fit(x)
    assert alone.best_params_ == {"n_components": 2}  # by score(), the explained share


def test_names(table):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table, columns=list("abcde"))
    found = EccentricPCA(n_components=2, random_state=0, epochs=20).set_output(transform="pandas").fit(frame)
    assert list(found.transform(frame).columns) == ["eccentricpca0", "eccentricpca1"]
    assert list(found.feature_names_in_) == list("abcde")


def test_samples(fitted, table):
    drawn = fitted.sample(400, random_state=1)
    assert drawn.shape == (400, 5)
    assert np.array_equal(drawn, fitted.sample(400, random_state=1))
    assert np.allclose(drawn.mean(0), table.mean(0), atol=table.std(0).max())
