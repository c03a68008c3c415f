"""The loss against its definition, its gradient against central differences; theory; simulation."""

import math

import numpy as np
import pytest

import eccentric


def plain_loss(z, mu=1.0, pairs="published"):
    z = np.asarray(z, float)
    n, d = z.shape
    m = 2 * d * (1 + 1 / (2 * mu * (d - 1))) / (2 * mu - 1)
    squared = ((z[:, None] - z[None]) ** 2).sum(2)
    attraction = (z**2).sum() / (n - 1 if pairs == "published" else n)
    return attraction - mu * m / (n * (n - 1)) * np.log1p(squared / m).sum()


@pytest.mark.parametrize("mu", [0.7, 1.0, 3.0])
@pytest.mark.parametrize("pairs", ["published", "distinct"])
def test_loss_and_gradient(mu, pairs):
    z = np.random.default_rng(0).normal(size=(12, 4)).astype(np.float32)
    found = eccentric.loss(z, mu=mu, pairs=pairs, gradient=True)
    assert float(found) == pytest.approx(plain_loss(z, mu, pairs), rel=1e-5)
    assert found.loss == pytest.approx(found.attraction - found.repulsion)
    for i, k in [(0, 0), (3, 2), (11, 3)]:
        step = np.zeros(z.shape)
        step[i, k] = 1e-4
        slope = (plain_loss(z + step, mu, pairs) - plain_loss(z - step, mu, pairs)) / 2e-4
        assert found.gradient[i, k] == pytest.approx(slope, abs=1e-5)


def test_a_plan_gives_the_same():
    z = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float32)
    plan = eccentric.LossPlan(100, 8)
    once = eccentric.loss(z, gradient=True)
    dz = np.empty_like(z)
    again = plan.evaluate(z, dz)
    assert again.loss == once.loss
    assert again.gradient is dz
    assert np.array_equal(dz, once.gradient)
    assert plan.bytes > 0
    with pytest.raises(ValueError, match="contiguous float32"):
        plan.evaluate(z, dz[:10])


def test_arrays_of_all_kinds():
    z = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
    expected = eccentric.loss(z).loss
    for other in (z.astype(float), np.asfortranarray(z), z.tolist(), np.repeat(z, 2, 0)[::2]):
        assert eccentric.loss(other).loss == expected
    torch = pytest.importorskip("torch")
    assert eccentric.loss(torch.from_numpy(z)).loss == expected
    assert eccentric.loss(torch.from_numpy(z).requires_grad_()).loss == expected


def test_float32_is_not_copied():
    from eccentric._arrays import floats

    z = np.zeros((4, 3), np.float32)
    assert floats(z) is z


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="n is 1, expected at least 2 items"):
        eccentric.loss(np.zeros((1, 3)))
    with pytest.raises(ValueError, match=r"z has shape \(3,\), expected 2 dimensions"):
        eccentric.loss(np.zeros(3))
    with pytest.raises(ValueError, match="NaN"):
        eccentric.loss(np.full((3, 3), np.nan))
    with pytest.raises(ValueError, match="mu"):
        eccentric.loss(np.zeros((3, 3)), mu=0.5)
    with pytest.raises(ValueError, match="expected one of: published, distinct"):
        eccentric.loss(np.zeros((3, 3)), pairs="all")
    with pytest.raises(ValueError, match="expected numbers"):
        eccentric.loss(np.array([["a", "b"]]))


def test_theory():
    eight = eccentric.theory(8)
    assert eight.radius == pytest.approx(math.sqrt(8), rel=1e-3)
    exact = eccentric.theory(8, m="exact")
    assert exact.radius == pytest.approx(math.sqrt(8), rel=1e-9)
    assert eccentric.theory(8, radius=2.0).radius == pytest.approx(2.0)
    assert eight.force([0, 1])[0] == 0
    percent, mu = eccentric.theory(2).accuracy()
    assert percent == pytest.approx(4.26, abs=0.01) and mu >= 1


def test_simulation_comes_to_rest_on_the_sphere():
    found = eccentric.simulate(100, 3, progress=False)
    assert found.points.shape == (100, 3) and found.at_rest
    assert found.radius == pytest.approx(found.radius_theory, rel=0.02)
    assert len(found.history["loss"]) == found.steps + 1
    again = eccentric.simulate(found.start, progress=False)
    assert np.array_equal(again.points, found.points)
    assert "radius_theory" in repr(found)
