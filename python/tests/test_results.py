"""Every result as a data frame, of pandas and of polars."""

import numpy as np
import pytest

import eccentric


def latents(seed=0):
    return np.random.default_rng(seed).normal(size=(60, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def results(run, table):
    """Each with the rows of its frame."""
    z, labels = latents(), np.arange(60) % 3
    other = eccentric.train(table, np.arange(len(table)) % 2, latent=2, epochs=2, threads=1, progress=False)
    simulation = eccentric.simulate(30, 2, steps=5, progress=False)
    return [
        (eccentric.loss(z, gradient=True), 1),
        (eccentric.theory(8), 1),
        (simulation, simulation.steps + 1),
        (eccentric.Components.fit(z), 3),
        (eccentric.Mixture.fit(z, 2), 2),
        (eccentric.align(z, latents(1)), 3),
        (eccentric.align_runs([run, other], progress=False), 2),
        (eccentric.neighbours(z, k=4), 240),
        (eccentric.trees(z, labels, [2])[0], None),
        (eccentric.frechet(z, latents(1)), 1),
        (eccentric.kid(z, latents(1)), 1),
        (run.training, 1),
        (run.training.unseen, 1),
        (run.measure(table[:7]), 7),
        (run.limits(progress=False), 2),
        (run.meaning(), 5),
        (run.classify(progress=False), 1),
    ]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(results, library):
    module = pytest.importorskip(library)
    for result, rows in results:
        found = result.to_frame(library)
        assert isinstance(found, module.DataFrame)
        assert rows is None or len(found) == rows, result
        assert len(found.columns) >= 2


def test_what_is_in_them():
    pytest.importorskip("pandas")
    z = latents()
    found = eccentric.loss(z, gradient=True)
    assert list(found.to_frame().columns) == ["loss", "attraction", "repulsion", "m"]
    assert found.to_frame()["loss"][0] == found.loss
    near = eccentric.neighbours(z, k=4)
    row = near.to_frame().iloc[4 * 5 + 2]
    assert (row["query"], row["rank"], row["index"], row["distance"]) == (5, 3, near.index[5, 2], near.distance[5, 2])


def test_neither_is_there(monkeypatch):
    import sys

    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="needs pandas or polars: install it"):
        eccentric.theory(8).to_frame()
