"""Pictures of one's own: points in a plane, sheets of images."""

from __future__ import annotations

from ctypes import addressof, byref
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import Float32, address, as_array, classes, text_array
from ._data import pixels
from ._results import Result, drawn


@dataclass(frozen=True, eq=False)
class Scatter(Result):
    """Items as points."""

    points: NDArray[np.float64] = field(repr=False)  # [n, 2]
    labels: NDArray[np.int32] | None = field(repr=False)
    classes: NDArray[Any] | None = field(repr=False)
    x_label: str
    y_label: str
    title: str | None

    _ending = "png"

    def _draw(self, ending: str) -> bytes | None:
        x, y = (np.ascontiguousarray(column) for column in self.points.T)
        plane = c.ecc_plane(x=address(x), y=address(y), n=len(x))
        plane.x_label, plane.y_label = self.x_label.encode(), self.y_label.encode()
        plane.title = self.title.encode() if self.title else None
        names = None
        if self.labels is not None and self.classes is not None:
            names = text_array([str(name) for name in self.classes])
            plane.category, plane.category_count = address(self.labels), len(names)
            plane.category_names = addressof(names)
        return drawn("ecc_draw_plane", byref(plane), ending=ending)


def scatter(
    points: Any,
    labels: Any = None,
    *,
    x: int = 0,
    y: int = 1,
    x_label: str | None = None,
    y_label: str | None = None,
    title: str | None = None,
) -> Scatter:
    """Columns x and y of points: [n, d], such as coordinates along components, coloured by labels: [n].  A data
    frame's columns give their names to the axes; else they are p1, p2, ...  Points that are missing are left out."""
    names_of = [str(name) for name in points.columns] if hasattr(points, "columns") else None
    array = np.asarray(as_array(points), float)
    if array.ndim != 2 or array.shape[1] <= max(x, y) or len(array) == 0:
        raise ValueError(f"points has shape {array.shape}, expected [n, d] with columns {x} and {y}")
    if min(x, y) < 0:
        raise ValueError(f"x is {x} and y is {y}, expected columns counted from 0")
    numbers, names = (None, None) if labels is None else classes(labels, len(array))
    there = np.isfinite(array[:, [x, y]]).all(1)
    if not there.any():
        raise ValueError("points has no row of finite numbers")
    array, numbers = array[there], None if numbers is None else np.ascontiguousarray(numbers[there])
    usual_x, usual_y = (names_of[k] if names_of else f"p{k + 1}" for k in (x, y))
    return Scatter(array[:, [x, y]], numbers, names, x_label or usual_x, y_label or usual_y, title)


@dataclass(frozen=True, eq=False)
class Sheet(Result):
    """Images side by side."""

    pixels: Float32 = field(repr=False)  # [n, channels, height, width]
    columns: int

    _ending = "png"

    def _draw(self, ending: str) -> bytes | None:
        return drawn("ecc_draw_images", address(self.pixels), *self.pixels.shape, self.columns, ending=ending)


def images(x: Any, columns: int = 0) -> Sheet:
    """A sheet of images [n, height, width] or [n, channels, height, width]; columns 0: about square."""
    return Sheet(pixels(x), columns)
