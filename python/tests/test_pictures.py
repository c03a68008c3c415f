"""Pictures of results in notebooks, drawn by the library's own figures."""

import numpy as np
import pytest

import eccentric
from eccentric._library import has_pictures

pytestmark = pytest.mark.skipif(not has_pictures, reason="this library has no pictures")


def is_svg(text):
    return text.startswith("<?xml") and "<svg" in text


def is_png(picture):
    """And its size on the screen."""
    data, size = picture
    assert 50 < size["width"] < 2000 and 20 < size["height"] < 2000
    return data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) > 500


def test_pictures(run, image_run, table, tmp_path):
    z = np.random.default_rng(0).normal(size=(100, 4))
    components = eccentric.Components.fit(z)
    assert is_svg(components._repr_svg_()) and components._repr_png_() is None
    assert is_svg(eccentric.align(z, z)._repr_svg_())
    assert is_png(eccentric.simulate(50, 2, progress=False)._repr_png_())
    assert is_svg(run.meaning()._repr_svg_())
    assert is_svg(run.classify(progress=False)._repr_svg_())
    assert is_png(run._repr_png_())
    assert is_png(image_run[0]._repr_png_())
    components.save_picture(tmp_path / "spectrum.pdf")
    assert (tmp_path / "spectrum.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ValueError, match="must end in"):
        components.save_picture(tmp_path / "spectrum.gif")


def test_scatter_and_sheets(image_run, tmp_path):
    images = image_run[1]
    sheet = eccentric.images(images[:12])
    assert is_png(sheet._repr_png_())
    z = np.random.default_rng(0).normal(size=(60, 2))
    plot = eccentric.scatter(z, ["a", "b"] * 30, title="two", x_label="T2")
    assert is_png(plot._repr_png_()) and (plot.x_label, plot.y_label) == ("T2", "p2")
    assert len(eccentric.scatter(np.where(z > 2, np.nan, z), ["a", "b"] * 30).points) == (z <= 2).all(1).sum()
    with pytest.raises(ValueError, match="no row of finite numbers"):
        eccentric.scatter(z * np.nan)
    with pytest.raises(ValueError, match="counted from 0"):
        eccentric.scatter(z, x=-1)
    plot.save_picture(tmp_path / "plot.svg")
    assert "two" in (tmp_path / "plot.svg").read_text() or (tmp_path / "plot.svg").stat().st_size > 1000
