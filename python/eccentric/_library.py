"""The shared library: where it is, and how it is called.

    from eccentric._library import lib, call

`lib` has every function of the headers with its types (`_declarations`).  `call(lib.ecc_..., ...)` adds the
error as the last argument and raises it as an exception.  ctypes releases the GIL during each call.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import _declarations as c
from ._errors import check

# each has what the next has, and more: pages, pictures
NAMES = ("eccentric_pages", "eccentric_show", "eccentric_train")
OPTIONAL = (  # what the first and the second have, and the third has not
    "ecc_draw_",
    "ecc_report_",
    "ecc_space_",
    "ecc_server_",
    "ecc_one_file_",
    "ecc_projector_",
    "ecc_compare",
    "ecc_reproduce",
)
PACKAGE = Path(__file__).resolve().parent


def places() -> Iterator[str]:
    """Where the library may be, in this order: named by ECCENTRIC_LIBRARY, in the wheel, in the build
    directory of a source tree, where the system keeps libraries."""
    named = os.environ.get("ECCENTRIC_LIBRARY")
    if named:
        yield named
        return
    series = ".".join(c.VERSION.split(".")[:2])
    for folder in (PACKAGE / "lib", PACKAGE.parents[1] / "build"):
        for name in NAMES:
            path = folder / f"lib{name}.so"
            if path.exists():
                yield str(path)
    for name in NAMES:
        yield f"lib{name}.so.{series}"


def use_own_fonts() -> None:
    """The wheel's fonts, where the system has no configuration of fonts at all."""
    ours = PACKAGE / "fonts" / "fonts.conf"
    if ours.exists() and not Path("/etc/fonts/fonts.conf").exists():
        os.environ.setdefault("FONTCONFIG_FILE", str(ours))


def load() -> ctypes.CDLL:
    use_own_fonts()
    tried = []
    for place in places():
        try:
            return declare(ctypes.CDLL(place), place)
        except OSError as error:
            tried.append(str(error))
    raise ImportError(
        "eccentric: its C library was not found. Install the wheel, or build the library (make) and set "
        "ECCENTRIC_LIBRARY to the path of libeccentric_pages.so. Tried: " + "; ".join(tried)
    )


def declare(library: ctypes.CDLL, place: str) -> ctypes.CDLL:
    library.ecc_version.restype = ctypes.c_char_p
    version = library.ecc_version().decode()
    if version.split(".")[:2] != c.VERSION.split(".")[:2]:
        raise ImportError(
            f"eccentric: {place} is version {version}, and this package needs {c.VERSION}: "
            "install both from the same source"
        )
    for name, (result, parameters) in c.FUNCTIONS.items():
        if name.startswith(OPTIONAL) and not hasattr(library, name):
            continue
        function = getattr(library, name)
        function.restype = result
        function.argtypes = parameters
    return library


lib = load()
has_pictures = hasattr(lib, "ecc_draw_spectrum")
has_pages = hasattr(lib, "ecc_report_run")

libc_free = ctypes.CDLL(None).free
libc_free.argtypes = [ctypes.c_void_p]
libc_free.restype = None


def call(function: Callable[..., int], *arguments: Any) -> None:
    """function(*arguments, &error), raising what it reports."""
    error = c.ecc_error()
    check(function(*arguments, ctypes.byref(error)), error)


def kind_of(struct: type[ctypes.Structure], name: str) -> Any:
    """The type of a field: of a callback, what makes one."""
    return next(field[1] for field in struct._fields_ if field[0] == name)


def version() -> str:
    """Version of the C library."""
    return lib.ecc_version().decode()
