"""Data frames of pandas and polars: columns by name, words and dates."""

from __future__ import annotations

import csv
import tempfile
from ctypes import sizeof
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _declarations as c
from ._arrays import Float64, is_missing, texts
from ._library import lib

DAY = np.timedelta64(1, "D")


def is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "__getitem__")


def names_of(frame: Any) -> list[str]:
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"two columns are named {twice!r}, expected names that differ")
    return names


def column_of(frame: Any, name: str) -> NDArray[Any]:
    """A column by the text of its name."""
    return np.asarray(next(frame[own] for own in frame.columns if str(own) == name))


def numbers_of(column: NDArray[Any]) -> Float64 | None:
    """A column as numbers, NaN where one is missing; None if it holds something else."""
    if column.dtype.kind in "fiub":
        return column.astype(float)
    if column.dtype.kind != "O":
        return None
    found = np.full(len(column), np.nan)
    for i, value in enumerate(column):
        if is_missing(value):
            continue
        if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
            return None
        found[i] = float(value)
    return found


def days_of(column: NDArray[Any], name: str) -> Float64:
    """Dates as days since 1970-01-01."""
    try:
        missing = np.array([is_missing(value) for value in column]) if column.dtype.kind == "O" else np.isnat(column)
        dates = np.where(missing, np.datetime64("NaT"), column).astype("datetime64[us]")
    except (TypeError, ValueError):
        raise ValueError(f"column {name!r} does not hold dates, expected them as in training") from None
    return (dates - np.datetime64("1970-01-01")) / DAY


def has_words(frame: Any) -> bool:
    """Whether a column holds words or dates."""
    return any(numbers_of(column_of(frame, name)) is None for name in names_of(frame))


# ---- To a file, which the library reads as any other -----------------------------------------------------


def cells(column: NDArray[Any]) -> list[str]:
    """A column as the cells of a text table; empty: missing."""
    if column.dtype.kind == "M":
        dates: NDArray[np.datetime64] = column.astype("datetime64[s]")
        unit: Literal["D", "s"] = "D" if (dates.astype("datetime64[D]") == dates)[~np.isnat(dates)].all() else "s"
        return ["" if text == "NaT" else text.replace("T", " ") for text in np.datetime_as_string(dates, unit)]
    return ["" if is_missing(value) else str(value) for value in column.tolist()]


class Written:
    """A data frame with words, as a temporary text table; gone with this object."""

    def __init__(self, frame: Any, labels: Any, names: list[str] | None) -> None:
        own = names_of(frame)
        names = own if names is None else names
        if len(names) != len(own):
            raise ValueError(f"{len(names)} names for {len(own)} columns of a table")
        columns = [cells(column_of(frame, name)) for name in own]
        self.label = "none"
        if labels is not None:
            self.label = "label"
            while self.label in names:
                self.label += "_"
            columns.append([str(label) for label in labels])
            names = [*names, self.label]
        self.folder = tempfile.TemporaryDirectory(prefix="eccentric-")
        self.path = str(Path(self.folder.name) / "frame.csv")
        with open(self.path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(zip(*columns, strict=True))

    def __del__(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def data(self, part: str = "train") -> str:
        return self.path + ("" if part == "train" else f":{part}")


# ---- What the columns of a model are ---------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a text table, and the features that it becomes."""

    name: str
    kind: int
    first: int
    features: int
    decimals: int
    levels: list[str]
    clip: float


def columns_of(model: int) -> list[Column]:
    """The columns that are part of an item; of tables that were no text, none."""
    at = lib.ecc_model_schema(model)
    if not at:
        return []
    schema = c.ecc_schema.from_address(at)
    found = [c.ecc_column.from_address(schema.columns + k * sizeof(c.ecc_column)) for k in range(schema.count)]
    return [
        Column(
            column.name.decode(errors="replace"),
            column.kind,
            column.first,
            column.features,
            column.decimals,
            texts(column.levels, column.level_count),
            column.clip,
        )
        for column in found
        if column.features > 0
    ]


def found_in(frame: Any, name: str, names: list[str]) -> NDArray[Any]:
    if name not in names:
        raise ValueError(f"x has no column {name!r}, which the model was trained on; it has: {', '.join(names)}")
    return column_of(frame, name)


def plain_rows(frame: Any, columns: list[str]) -> Float64:
    """The columns of these names: [n, columns]."""
    names, parts = names_of(frame), []
    for name in columns:
        numbers = numbers_of(found_in(frame, name, names))
        if numbers is None:
            raise ValueError(f"column {name!r} does not hold numbers, as in training")
        parts.append(numbers)
    return np.stack(parts, 1)


def schema_rows(frame: Any, columns: list[Column]) -> Float64:
    """The features of a frame's rows, in their own units: [n, features]."""
    names = names_of(frame)
    rows = np.empty((len(frame), sum(column.features for column in columns)))
    for column in columns:
        found = found_in(frame, column.name, names)
        place = slice(column.first, column.first + column.features)
        if column.kind == c.ECC_COLUMN_CATEGORY:
            rows[:, place] = indicators(found, column.levels)
        elif column.kind == c.ECC_COLUMN_DATE:
            rows[:, column.first] = days_of(found, column.name)
        else:
            rows[:, [column.first]] = plain_rows(frame, [column.name])
    return rows


def indicators(column: NDArray[Any], levels: list[str]) -> Float64:
    """1 for the level of a cell, 0 for the others; NaN where it is missing."""
    words = np.array(cells(column), dtype=object)
    found = (words[:, None] == np.array(levels, dtype=object)).astype(float)
    found[words == ""] = np.nan
    return found


def schema_cells(rows: NDArray[Any], columns: list[Column]) -> dict[str, Any]:
    """The other way: columns by name, of features [n, features] in their own units."""
    found: dict[str, Any] = {}
    for column in columns:
        part = np.asarray(rows[:, column.first : column.first + column.features], float)
        if column.kind == c.ECC_COLUMN_CATEGORY:
            found[column.name] = np.array(column.levels, dtype=object)[part.argmax(1)]
        elif column.kind == c.ECC_COLUMN_DATE:
            unit = "s" if column.decimals else "D"
            steps = np.round(part[:, 0] * (86400 if column.decimals else 1)).astype(np.int64)
            found[column.name] = steps.astype(f"datetime64[{unit}]").astype("datetime64[s]")
        else:
            found[column.name] = part[:, 0]
    return found
