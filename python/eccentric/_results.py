"""What results have in common: tables of them, and their pictures."""

from __future__ import annotations

import ctypes
import dataclasses
import struct
import tempfile
from pathlib import Path
from typing import Any

from ._library import call, has_pictures, lib


def frame(columns: dict[str, Any], library: str | None = None) -> Any:
    """Columns as a data frame of pandas or polars, whichever is installed."""
    for name in (library,) if library else ("pandas", "polars"):
        try:
            module = __import__(str(name))
        except ImportError:
            continue
        return module.DataFrame(columns)
    raise ImportError(f"to_frame() needs {library or 'pandas or polars'}: install it with pip")


class Record:
    """A result of single numbers and words: a dataclass, and a row of a table."""

    def to_frame(self, library: str | None = None) -> Any:
        """One row, with a column for each field that is a number or a word."""
        names = [field.name for field in dataclasses.fields(self) if field.repr]  # type: ignore[arg-type]
        values = {name: getattr(self, name) for name in names}
        return frame({name: [value] for name, value in values.items() if is_single(value)}, library)


def is_single(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


def drawn(function: str, *arguments: Any, ending: str = "svg") -> bytes | None:
    """What a function of eccentric_show.h draws; None where the library has no pictures."""
    if not has_pictures:
        return None
    with tempfile.TemporaryDirectory(prefix="eccentric-") as folder:
        path = Path(folder) / f"picture.{ending}"
        call(getattr(lib, function), *arguments, str(path).encode())
        return path.read_bytes()


Shown = tuple[bytes, dict[str, int]]
SHARPNESS = 2 / 3  # a PNG has two pixels for each point, and a browser shows a point as 4/3 pixels


def shown(png: bytes | None) -> Shown | None:
    """A PNG as notebooks take it, with the size in which it is shown: that of the same picture as SVG."""
    if png is None:
        return None
    width, height = struct.unpack(">II", png[16:24])
    return png, {"width": round(SHARPNESS * width), "height": round(SHARPNESS * height)}


class Result:
    """A result that notebooks show as a picture.  Subclasses have `_draw(ending)`."""

    _ending = "svg"

    def _draw(self, ending: str) -> bytes | None:
        return None

    def _repr_svg_(self) -> str | None:
        picture = self._draw("svg") if self._ending == "svg" else None
        return picture.decode() if picture else None

    def _repr_png_(self) -> Shown | None:
        return shown(self._draw("png")) if self._ending == "png" else None

    def save_picture(self, path: str | Path) -> None:
        """Draws the picture to a file; its ending, .png, .svg or .pdf, decides the format."""
        ending = Path(path).suffix.lstrip(".")
        if ending not in ("png", "svg", "pdf"):
            raise ValueError(f"{path} must end in .png, .svg or .pdf")
        picture = self._draw(ending)
        if picture is None:
            raise ValueError(f"there is no picture of a {type(self).__name__} here")
        Path(path).write_bytes(picture)


def short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def summary(name: str, **values: Any) -> str:
    """Name(a=1, b=2): for __repr__."""
    return f"{name}({', '.join(f'{key}={short(value)}' for key, value in values.items())})"


class Owned:
    """A struct that the library has filled, released with the last reference to it.  Pickles without it."""

    def __init__(self, struct: Any, release: str) -> None:
        self.struct, self.release = struct, release

    def __del__(self) -> None:
        if self.struct is not None:
            getattr(lib, self.release)(ctypes.byref(self.struct))
            self.struct = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Owned, (None, self.release)
