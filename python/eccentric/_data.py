"""Arrays as data of the library: lent to it under a name, "memory:NAME"."""

from __future__ import annotations

import uuid
from ctypes import addressof, byref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import Float32, address, as_array, classes, text_array
from ._frames import is_frame, names_of, plain_rows
from ._library import call, lib


def pixels(x: Any) -> Float32:
    """Images as [n, channels, height, width] from 0 to 1.  Takes [n, h, w], [n, c, h, w] or, where the last
    axis has 1 or 3 and the second has not, [n, h, w, c]; bytes, and whole numbers up to 255, are divided by 255."""
    array = as_array(x)
    if array.dtype.kind not in "fub" and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"the images have the type {array.dtype}, expected numbers")
    if array.ndim == 3:
        array = array[:, None]
    if array.ndim != 4:
        raise ValueError(
            f"the images have shape {array.shape}, expected [n, height, width] or [n, channels, height, width]"
        )
    if array.shape[3] in (1, 3) and array.shape[1] not in (1, 3):
        array = np.moveaxis(array, 3, 1)
    low, high = (array.min(), array.max()) if array.size else (0, 0)
    if array.dtype == np.uint8 or (array.dtype.kind in "iu" and low >= 0 and 1 < high <= 255):
        return np.ascontiguousarray(array, np.float32) / np.float32(255)
    if not (low >= -1 and high <= 2):  # what a decoder gives may leave the range a little
        raise ValueError(
            f"the images have pixels from {low:g} to {high:g}, expected numbers from 0 to 1, or bytes (uint8)"
            + (f": divide them by {high:g}" if low >= 0 else "")
        )
    return np.ascontiguousarray(array, np.float32)


def table(x: Any) -> tuple[NDArray[Any], list[str] | None]:
    """A table [n, columns] of float32 or float64, and the names of its columns if it is a data frame."""
    names = names_of(x) if is_frame(x) else None
    array = as_array(x)
    if array.dtype.kind == "O" and names is not None:
        array = plain_rows(x, names)
    if array.dtype.kind not in "fiub":
        raise ValueError(
            f"the table has the type {array.dtype}, expected numbers; a data frame or a CSV file may hold words"
        )
    if np.isinf(array).any():
        raise ValueError("the table has an infinite number, expected numbers, or NaN where one is missing")
    kind = np.float64 if array.dtype == np.float64 else np.float32
    return np.ascontiguousarray(array, kind), names


class Lent:
    """Arrays that the library may read until this object is gone."""

    def __init__(
        self,
        x: Any,
        labels: Any = None,
        *,
        columns: list[str] | None = None,
        numbers: dict[str, Any] | None = None,
    ) -> None:
        self.name = f"python-{uuid.uuid4().hex}"  # which no run from another session has
        shape = as_array(x).shape
        if len(shape) not in (2, 3, 4) or 0 in shape:
            raise ValueError(
                f"the data has shape {shape}, expected a table [n, columns], or images [n, height, width] or "
                "[n, channels, height, width], of at least one item"
            )
        self.is_table = len(shape) == 2
        self.x: NDArray[Any]
        self.x, names = table(x) if self.is_table else (pixels(x), None)
        columns = columns or names
        item = (1, 1, self.x.shape[1]) if self.is_table else self.x.shape[1:]
        struct = c.ecc_array_data(None, len(self.x), *item, is_table=self.is_table)
        wide = self.x.dtype == np.float64
        setattr(struct, "cells" if wide else "x", address(self.x))
        self.kept: list[Any] = []
        self.labels: NDArray[np.int32] | None = None
        self.classes: NDArray[Any] | None = None
        if labels is not None:
            self.labels, self.classes = classes(labels, len(self.x))
            words = text_array([str(name) for name in self.classes])
            self.kept.append(words)
            struct.labels, struct.classes = address(self.labels), len(self.classes)
            struct.class_names = addressof(words)
        if columns is not None:
            if len(columns) != self.x.shape[-1] or not self.is_table:
                raise ValueError(f"{len(columns)} names for {self.x.shape[-1]} columns of a table")
            words = text_array(columns)
            self.kept.append(words)
            struct.column_names = addressof(words)
        if numbers:
            self.add_numbers(struct, numbers)
        call(lib.ecc_data_lend, self.name.encode(), byref(struct))
        self.lent = True

    def add_numbers(self, struct: c.ecc_array_data, numbers: dict[str, Any]) -> None:
        array = np.ascontiguousarray(np.stack([np.asarray(v, float) for v in numbers.values()], 1))
        if len(array) != len(self.x):
            raise ValueError(f"numbers has {len(array)} rows, expected {len(self.x)}")
        words = text_array(list(numbers))
        self.kept += [array, words]
        struct.numbers, struct.number_count = address(array), len(numbers)
        struct.number_names = addressof(words)

    def data(self, part: str = "train") -> str:
        return f"memory:{self.name}" + ("" if part == "train" else f":{part}")

    def __del__(self) -> None:
        if getattr(self, "lent", False):
            lib.ecc_data_return(self.name.encode())
            self.lent = False
