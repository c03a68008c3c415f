"""What the library reports, as exceptions with the same sentence."""

from __future__ import annotations

import ctypes
import errno
import os
import re

from . import _declarations as c
from ._settings import TrainSettings


class NumericError(ArithmeticError):
    """A computation that did not converge, or left the range of its numbers."""


EXCEPTIONS: dict[int, type[Exception]] = {
    c.ECC_BAD_ARGUMENT: ValueError,
    c.ECC_BAD_DATA: ValueError,
    c.ECC_NO_MEMORY: MemoryError,
    c.ECC_IO: OSError,
    c.ECC_NUMERIC: NumericError,
}


FILES: dict[int, type[OSError]] = {
    errno.ENOENT: FileNotFoundError,
    errno.EACCES: PermissionError,
    errno.ENOTDIR: NotADirectoryError,
    errno.EEXIST: FileExistsError,
}
OPTION = re.compile(r"--([a-z]+(?:-[a-z0-9]+)*)(?: (\d[\w.]*))?")
LENT = re.compile(r"'?memory:python-[0-9a-f]+(:\w+)?'?")


def check(status: int, error: c.ecc_error) -> None:
    """Raises what a status other than ECC_OK stands for."""
    if status == c.ECC_OK:
        return
    if status == c.ECC_INTERRUPTED:
        raise KeyboardInterrupt(sentence(error))
    words = sentence(error)
    if status == c.ECC_IO:
        raise next((kind for number, kind in FILES.items() if words.endswith(os.strerror(number))), OSError)(words)
    raise EXCEPTIONS.get(status, RuntimeError)(words)


def sentence(error: c.ecc_error) -> str:
    return plain(ctypes.string_at(error.text))


def plain(words: bytes) -> str:
    """What the library says.  Arrays have names there that nobody else knows, and options are keywords here."""
    return OPTION.sub(keyword, LENT.sub("the array", words.decode(errors="replace")))


def keyword(option: re.Match[str]) -> str:
    """--size 32 as size=32, --size as size=, --strict as strict=True."""
    name = option[1].replace("-", "_")
    name += "_" if name == "lambda" else ""
    kind = TrainSettings.__annotations__.get(name)
    if kind is None:
        return option[0]
    if kind is bool:
        return f"{name}=True" + (f" {option[2]}" if option[2] else "")
    return f"{name}={option[2] or ''}"
