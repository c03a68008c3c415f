"""Arrays on their way into the library and out of it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]


def as_array(x: Any) -> NDArray[Any]:
    """Any array: NumPy, torch on the CPU (also with a gradient), JAX, pandas, lists.  Shares memory where
    the other side allows it; bfloat16, which NumPy lacks, becomes float32."""
    if isinstance(x, np.ndarray):
        return x
    if hasattr(x, "detach"):  # torch: neither __array__ nor DLPack pass on a gradient
        x = x.detach()
        if str(x.dtype) == "torch.bfloat16":
            x = x.float()
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        return np.from_dlpack(x)
    try:
        array = np.asarray(x)
    except ValueError:
        raise ValueError("the parts of a list have different shapes, expected an array, or equal parts") from None
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def is_missing(value: Any) -> bool:
    """None, NaN, and pandas' NA and NaT."""
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def floats(x: Any, what: str = "z", ndim: int = 2, columns: int | None = None) -> Float32:
    """x as float32, contiguous, of this many dimensions: without a copy where it is so already."""
    array = as_array(x)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{what} has the type {array.dtype}, expected numbers")
    if array.ndim != ndim:
        shape = ("n", "d") if ndim == 2 else tuple("nchw"[:ndim])
        raise ValueError(f"{what} has shape {array.shape}, expected {ndim} dimensions, [{', '.join(shape)}]")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{what} has shape {array.shape}, expected {columns} columns")
    return np.ascontiguousarray(array, dtype=np.float32)


def classes(labels: Any, n: int, what: str = "labels") -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Labels of any kind as numbers from 0, and what each number stands for."""
    array = as_array(labels)
    if array.shape != (n,):
        raise ValueError(f"{what} has shape {array.shape}, expected {(n,)}: one for each item")
    missing = None
    if array.dtype.kind in "fO":
        missing = next((i for i, label in enumerate(array.tolist()) if is_missing(label)), None)
    if missing is not None:
        raise ValueError(
            f"{what}[{missing}] is missing, expected a class for each item: leave such items out, or give them a "
            "class of their own"
        )
    if array.dtype.kind == "O" and len({type(label) for label in array.tolist()}) > 1:
        array = array.astype(str)
    names, numbers = np.unique(array, return_inverse=True)
    return np.ascontiguousarray(numbers.reshape(n), dtype=np.int32), names


def address(array: NDArray[Any] | None) -> int | None:
    return None if array is None else array.ctypes.data


def copied(at: int | None, kind: Any, shape: int | tuple[int, ...]) -> NDArray[Any]:
    """A copy of an array that the library owns; kind: of ctypes."""
    shape = (shape,) if isinstance(shape, int) else shape
    count = int(np.prod(shape))
    if not at or count == 0:
        return np.zeros(shape, np.dtype(kind))
    return np.frombuffer((kind * count).from_address(at), np.dtype(kind)).reshape(shape).copy()


def doubles(at: int | None, shape: int | tuple[int, ...]) -> Float64:
    return copied(at, ctypes.c_double, shape)


def sizes(at: int | None, shape: int | tuple[int, ...]) -> NDArray[np.int64]:
    return copied(at, ctypes.c_size_t, shape).astype(np.int64)


def texts(at: int | None, count: int) -> list[str]:
    """[count] texts that the library owns."""
    if not at:
        return []
    return [(text or b"").decode(errors="replace") for text in (ctypes.c_char_p * count).from_address(at)]


def text_array(names: list[str]) -> Any:
    """For the library to read, as long as it is referenced."""
    return (ctypes.c_char_p * len(names))(*(str(name).encode() for name in names))
