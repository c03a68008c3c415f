"""native.cpp, compiled on request for the PyTorch that is installed: the loss without Python's share of a call.

PyTorch's stable binary interface has no autograd, so that no library made beforehand would serve every version.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from .. import _declarations as c
from .._library import PACKAGE, lib

NAME = "eccentric_native"
SOURCE = Path(__file__).with_name("native.cpp")
FUNCTIONS = ("ecc_loss_plan_create", "ecc_loss_plan_evaluate", "ecc_loss_plan_free")

Native = Callable[..., Any]  # (z, settings) -> the loss, or None for what it does not take


def headers() -> Path:
    """Where eccentric.h is: in the wheel, or in the source tree."""
    inside = PACKAGE / "include"
    return inside if inside.exists() else PACKAGE.parents[1] / "include"


def folder() -> Path:
    """Of what is compiled: one for each version of everything that it depends on."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    source = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:8]
    return caches / "eccentric" / f"{c.VERSION}-torch-{torch.__version__}-{sys.implementation.cache_tag}-{source}"


def connected(module: Any) -> Native:
    module.use(*(ctypes.cast(getattr(lib, name), ctypes.c_void_p).value for name in FUNCTIONS))
    return module.loss


def load() -> Native | None:
    """What an earlier build_native() made, or None."""
    try:
        path = folder() / f"{NAME}.so"
    except RuntimeError:  # no home
        return None
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(NAME, path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return connected(module)


def build() -> Native:
    from torch.utils import cpp_extension

    if not cpp_extension.is_ninja_available():
        raise RuntimeError("ninja is not installed, and PyTorch compiles with it: pip install ninja")
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    module = cpp_extension.load(
        NAME,
        [str(SOURCE)],
        extra_cflags=["-O3"],
        extra_include_paths=[str(headers())],
        build_directory=str(place),
    )
    return connected(module)
