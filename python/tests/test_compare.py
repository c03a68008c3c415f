"""Runs aligned, and images scored."""

import numpy as np
import pytest

import eccentric


@pytest.fixture(scope="module")
def digits():
    """Two runs of the built-in digits."""
    settings = {"items": 400, "batch": 50, "epochs": 2, "latent": 3, "threads": 1, "progress": False}
    return [eccentric.train("glyphs", seed=seed, **settings) for seed in (1, 2)]


def test_runs_are_aligned(digits):
    found = eccentric.align_runs(digits, items=200, progress=False)
    assert len(found.pairs) == 1 and found.pairs[0][:2] == (0, 1)
    assert found.angle_aligned <= found.angle_raw
    assert found.stability.shape == (3,) and found.verdict in repr(found)
    same = eccentric.align_runs([digits[0], digits[0]], items=200, progress=False)
    assert same.verdict == "same components" and np.allclose(same.stability, 1)
    assert same._repr_svg_() is None or "<svg" in same._repr_svg_()
    with pytest.raises(ValueError, match="two"):
        eccentric.align_runs(digits[:1])


def test_samples_are_scored(digits):
    score = eccentric.fid(digits[0], "glyphs:test", features="pixels", items=230, progress=False)
    assert score.fid > 0 and score.reference_items == 230 and "pixels" in score.features
    itself = eccentric.fid("glyphs:test", "glyphs:test", features="pixels", items=230, progress=False)
    assert itself.fid < 1e-3 < score.fid
    with pytest.raises(ValueError, match="features"):
        eccentric.fid(digits[0], "glyphs", features="eyes")
