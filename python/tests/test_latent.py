"""Components, samples, alignment, neighbours, trees, distances: against NumPy."""

import numpy as np
import pytest

import eccentric


@pytest.fixture(scope="module")
def z():
    rng = np.random.default_rng(3)
    return (rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4)) + 5).astype(np.float32)


def test_components_are_the_covariance(z):
    found = eccentric.Components.fit(z)
    values = np.linalg.eigvalsh(np.cov(z.T.astype(float), bias=True))[::-1]
    assert np.allclose(found.eigenvalues, values)
    assert np.allclose(found.mean, z.astype(float).mean(0))
    assert found.trace == pytest.approx(values.sum())
    assert found.eccentricity == pytest.approx(values.std() / values.mean())
    p = found.project(z)
    assert np.allclose(p.var(0), values, rtol=1e-4)
    assert np.allclose(found.restore(p), z, atol=1e-4)
    assert (np.mean(p**3, 0) > -1e-4).all()  # the sign comes from the data
    assert found.d == 4 and found.count == 300
    with pytest.raises(ValueError, match="expected 4 columns"):
        found.project(z[:, :2])


def test_samples(z):
    found = eccentric.Components.fit(z)
    many = eccentric.sample(found, 20000, seed=2)
    assert np.allclose(np.cov(many.T), np.cov(z.T), rtol=0.1, atol=0.2)
    assert np.array_equal(eccentric.sample(found, 5, seed=2, first=10), many[10:15])
    along = found.project(eccentric.sample(found, 50, along=[1]))
    assert np.allclose(along[:, [0, 2, 3]], 0, atol=1e-4) and along[:, 1].std() > 0
    sphere = eccentric.sample(3, 10, distribution="sphere")
    assert np.allclose((sphere**2).sum(1), 3, rtol=1e-5)
    with pytest.raises(ValueError, match="distribution"):
        eccentric.sample(found, 5, distribution="cauchy")


def test_mixture(z):
    two = np.concatenate([z, z + 30])
    mixture = eccentric.Mixture.fit(two, k_max=4)
    assert len(mixture.weights) == 2
    assert np.allclose(mixture.weights, 0.5, atol=0.01)
    assert mixture.score(two) == pytest.approx(mixture.log_likelihood, abs=1e-3)
    drawn = eccentric.sample(mixture, 1000)
    assert abs((drawn[:, 0] > 20).mean() - 0.5) < 0.1


def test_interpolation(z):
    path = eccentric.interpolate(z[0], z[1], np.linspace(0, 1, 5), spherical=False)
    assert np.allclose(path[0], z[0]) and np.allclose(path[4], z[1])
    assert np.allclose(path[2], (z[0] + z[1]) / 2)


def test_a_turned_encoding_is_aligned(z):
    c = eccentric.Components.fit(z)
    p = c.project(z)
    turned = p[:, [2, 0, 3, 1]] * [1, -1, 1, -1]
    found = eccentric.align(p, turned)
    assert found.angle_aligned == pytest.approx(0, abs=0.1)
    assert found.cka == pytest.approx(1)
    assert np.allclose(found.correlation, 1, atol=1e-5)
    split = eccentric.align(z[:200], z[:200], test_a=z[200:], test_b=z[200:])
    assert split.items == 100
    with pytest.raises(ValueError, match="belong together"):
        eccentric.align(z, z, test_a=z)


def test_neighbours(z):
    near = eccentric.neighbours(z, z[:7], k=3)
    distance = np.linalg.norm(z[:7, None].astype(float) - z[None], axis=2)
    assert np.array_equal(near.index, distance.argsort(1, kind="stable")[:, :3])
    assert np.allclose(near.distance, np.sort(distance, 1)[:, :3], atol=1e-5)
    own = eccentric.neighbours(z, k=2)
    assert own.index.shape == (300, 2)
    assert not (own.index == np.arange(300)[:, None]).any()


def test_trees(z):
    labels = np.where(z[:, 1] > 5, "above", "below")
    stump, deep = eccentric.trees(z, labels)
    assert stump.depth == 1 and stump.feature[0] == 1
    assert stump.threshold[0] == pytest.approx(5, abs=0.2)
    assert (deep.predict(z) == labels).all()
    with pytest.raises(ValueError, match="one for each item"):
        eccentric.trees(z, labels[:10])


def test_distances(z):
    same = eccentric.frechet(z, z)
    assert same.distance == pytest.approx(0, abs=1e-6)
    moved = eccentric.frechet(z, z + 2)
    assert float(moved) == pytest.approx(16, rel=1e-4) and moved.spread == pytest.approx(0, abs=1e-4)
    assert eccentric.kid(z, z + 2).value > eccentric.kid(z, z).value
    with pytest.raises(ValueError, match="features"):
        eccentric.frechet(z, z[:, :2])


def test_frames(z):
    pandas = pytest.importorskip("pandas")
    table = eccentric.Components.fit(z).to_frame()
    assert isinstance(table, pandas.DataFrame) and len(table) == 4
    assert len(eccentric.align(z, z).to_frame()) == 4
    assert "threshold" in eccentric.Tree.fit(z, z[:, 0] > 5, 2).to_frame().columns
