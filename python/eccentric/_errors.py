"""What the library reports, as exceptions with the same sentence."""

from __future__ import annotations

import ctypes

from . import _declarations as c


class NumericError(ArithmeticError):
    """A computation that did not converge, or left the range of its numbers."""


EXCEPTIONS: dict[int, type[Exception]] = {
    c.ECC_BAD_ARGUMENT: ValueError,
    c.ECC_BAD_DATA: ValueError,
    c.ECC_NO_MEMORY: MemoryError,
    c.ECC_IO: OSError,
    c.ECC_NUMERIC: NumericError,
}


def check(status: int, error: c.ecc_error) -> None:
    """Raises what a status other than ECC_OK stands for."""
    if status == c.ECC_OK:
        return
    if status == c.ECC_INTERRUPTED:
        raise KeyboardInterrupt(sentence(error))
    raise EXCEPTIONS.get(status, RuntimeError)(sentence(error))


def sentence(error: c.ecc_error) -> str:
    return ctypes.string_at(error.text).decode(errors="replace")
