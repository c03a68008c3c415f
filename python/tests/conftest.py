"""Data that several tests use."""

import numpy as np
import pytest


def bent(n=120, columns=5, seed=0):
    """A curved surface of two dimensions in several columns, with some noise."""
    rng = np.random.default_rng(seed)
    t = rng.normal(size=(n, 2))
    parts = [t[:, 0], t[:, 1], t[:, 0] * t[:, 1], np.sin(2 * t[:, 0]), t[:, 1] ** 2]
    return np.stack(parts[:columns], 1) * 3 + 10 + 0.05 * rng.normal(size=(n, columns))


@pytest.fixture(scope="session")
def table():
    return bent()


@pytest.fixture(scope="session")
def run(table):
    """A run of a table, in memory, with labels."""
    import eccentric

    labels = np.where(table[:, 0] > 10, "high", "low")
    names = ["a", "b", "c", "d", "e"]
    return eccentric.train(table, labels, columns=names, latent=2, epochs=100, threads=1, progress=False)


@pytest.fixture(scope="session")
def image_run():
    """A run of small images, in memory."""
    import eccentric

    rng = np.random.default_rng(1)
    y, x = np.mgrid[:12, :12]
    place = rng.uniform(3, 9, (200, 2))
    away = (x - place[:, 0, None, None]) ** 2 + (y - place[:, 1, None, None]) ** 2
    images = np.exp(-away / 6).astype(np.float32)
    found = eccentric.train(images, latent=3, epochs=4, threads=1, progress=False)
    return found, images
