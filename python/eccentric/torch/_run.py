"""Models of torch as run directories, and back."""

from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .._data import pixels, table
from .._library import call, lib
from .._run import Run, open_run
from .._train import Options
from ._layers import AFFINE, Affine, First, Tensors, built, described

NET, ITEMS = "net.txt", "data.npz"
TOLERANCE = 1e-4  # of what a net gives, over its largest number


# ---- safetensors -------------------------------------------------------------------------------------------


def packed(tensors: Tensors) -> bytes:
    """A safetensors file of float32."""
    arrays = {name: t.detach().cpu().to(torch.float32).contiguous().numpy() for name, t in tensors.items()}
    header, at = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(array.tobytes() for array in arrays.values())


def unpacked(data: bytes) -> tuple[dict[str, Any], Tensors]:
    """The config and the float32 tensors of `Run.to_bytes()`."""
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), memoryview(data)[8 + size :]
    config = json.loads(header.pop("__metadata__")["config"])
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] == "F32":
            array = np.frombuffer(body[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
            tensors[name] = torch.from_numpy(array.copy())
    return config, tensors


# ---- Saving ------------------------------------------------------------------------------------------------


def save_run(
    encoder: nn.Module,
    decoder: nn.Module,
    data: Any,
    out: str | os.PathLike[str],
    *,
    labels: Any = None,
    columns: list[str] | None = None,
    standardized: bool = False,
    **settings: Any,
) -> Run:
    """Makes a run directory of an autoencoder that was trained in torch, and opens it: `eccentric components`,
    `explore`, `align`, `classify`, `fid` and `report` then work on it.

    encoder, decoder: nn.Sequential of Linear, Conv2d, ConvTranspose2d, BatchNorm, ReLU, LeakyReLU, Sigmoid,
    Flatten, Unflatten, ZeroPad2d; what else is in them is named in the error.  Dropout is left out, and batch
    norm uses its running statistics.
    data: what it was trained on: DATA as the commands name it ("mnist", a path), or an array, which is kept in
    the run as data.npz, with labels: [n].  Images are [n, channels, height, width] with pixels from 0 to 1, and
    so the encoder must take them; of a table [n, columns], rows in their own units, or, if `standardized`, with
    columns of mean 0 and deviation 1.
    settings: of `eccentric.train`, where they say how data is read (items, size, crop, ...), and what else is
    worth keeping in the run, such as regularizer="eccentric", lambda_=1e-3.
    """
    folder = Path(out)
    if (folder / "config.json").exists():
        raise FileExistsError(f"{folder} already holds a run: choose another directory")
    parts = {"encoder": list(described(encoder, "encoder")), "decoder": list(described(decoder, "decoder"))}
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return adopt(parts, kept_data(data, labels, columns, folder), folder, standardized, settings)
    except BaseException:
        for name in (NET, ITEMS):
            (folder / name).unlink(missing_ok=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()
        raise


def kept_data(data: Any, labels: Any, columns: list[str] | None, folder: Path) -> Any:
    """DATA as the commands name it: arrays become a file of the run."""
    if isinstance(data, (str, os.PathLike)):
        if labels is not None:
            raise ValueError("labels= belongs to an array; for DATA by name there is the setting labels_file=")
        return data
    shape = tuple(data.shape)
    x, names = table(data) if len(shape) == 2 else (pixels(data), None)
    arrays: dict[str, Any] = {"x": x}
    if labels is not None:
        arrays["y"] = np.asarray(labels.cpu() if isinstance(labels, Tensor) else labels)
    if columns or names:
        arrays["columns"] = np.array(columns or names)
    np.savez(folder / ITEMS, **arrays)
    return (folder / ITEMS).resolve()


Parts = dict[str, list[tuple[str, Tensors]]]


def net_text(parts: Parts) -> str:
    lines = ["# from PyTorch"]
    for part, layers in parts.items():
        lines += [part, *(f"  {line}" for line, _ in layers)]
    return "\n".join(lines) + "\n"


def all_tensors(parts: Parts) -> Tensors:
    return {
        f"{part}.{number}.{name}": tensor
        for part, layers in parts.items()
        for number, (_, tensors) in enumerate(layers)
        for name, tensor in tensors.items()
    }


def latent_size(parts: Parts) -> int:
    dense = [line.split()[1] for line, _ in parts["encoder"] if line.startswith("dense ")]
    if not dense:
        raise ValueError("the encoder has no Linear layer: expected one at its end, with d outputs")
    return int(dense[-1])


def adopt(parts: Parts, data: Any, folder: Path, standardized: bool, settings: dict[str, Any]) -> Run:
    parts, before, after = without_ends(parts)
    (folder / NET).write_text(net_text(parts))
    options = Options()
    options.struct.data = options.text(data)
    options.fill({"regularizer": "none", **settings, "net": folder / NET, "latent": latent_size(parts)})
    found = model_of(options, parts)
    mean, deviation = (0.0, 1.0) if standardized or not found.is_table else (found.mean, found.deviation)
    enter, leave = map_between(before, mean, deviation), map_between(after, mean, deviation, leaving=True)
    if not (same(*enter) and same(*leave)):
        found = model_of(options, scaled(parts, enter, leave))
    found.components()
    found.save(folder)
    found.close()
    return open_run(folder)


def model_of(options: Options, parts: Parts) -> Run:
    handle, weights = ctypes.c_void_p(), packed(all_tensors(parts))
    buffer = (ctypes.c_ubyte * len(weights)).from_buffer_copy(weights)
    call(lib.ecc_train_adopt, byref(handle), byref(options.struct), ctypes.addressof(buffer), len(weights))
    return Run(handle.value or 0)


# ---- Tables in their own units: a run's nets take and give standardised rows --------------------------------

Map = tuple[Tensor, Tensor]  # factor and shift of each column


def without_ends(parts: Parts) -> tuple[Parts, Tensors, Tensors]:
    """Without an Affine at the begin of the encoder and at the end of the decoder, which are given apart."""
    encoder, decoder = parts["encoder"], parts["decoder"]
    before = after = {"factor": torch.ones(1), "shift": torch.zeros(1)}
    if encoder and encoder[0][0] == AFFINE:
        before, encoder = encoder[0][1], encoder[1:]
    if decoder and decoder[-1][0] == AFFINE:
        after, decoder = decoder[-1][1], decoder[:-1]
    if any(line == AFFINE for line, _ in encoder + decoder):
        raise ValueError("a run has Affine at the begin of the encoder and at the end of the decoder only")
    return {"encoder": encoder, "decoder": decoder}, before, after


def map_between(affine: Tensors, mean: Any, deviation: Any, leaving: bool = False) -> Map:
    """From a standardised row to what the first layer takes; leaving: from what the last gives to such a row."""
    factor, shift = (affine[name].detach().double().cpu() for name in ("factor", "shift"))
    mean, deviation = torch.as_tensor(mean).double(), torch.as_tensor(deviation).double()
    if leaving:
        return factor / deviation, (shift - mean) / deviation
    return factor * deviation, factor * mean + shift


def same(factor: Tensor, shift: Tensor) -> bool:
    """Whether a map changes nothing, but for rounding in float32."""
    return bool(((factor - 1).abs() < 1e-6).all() and (shift.abs() < 1e-6).all())


def scaled(parts: Parts, enter: Map, leave: Map) -> Parts:
    """The nets with a map in their first layer and another in the last."""
    encoder, decoder = list(parts["encoder"]), list(parts["decoder"])
    kinds = [line.split()[0] for line, _ in encoder + decoder]
    if kinds[0] != "dense" or kinds[-1] != "dense" or "bypass" in kinds:
        raise ValueError(
            "the encoder of a table in its own units must begin with Linear, and the decoder end with it: "
            "train on standardised columns, and save with standardized=True"
        )
    line, first = encoder[0]
    weight, bias = (first[name].detach().double().cpu() for name in ("weight", "bias"))
    shift = enter[1].expand(weight.shape[1])
    encoder[0] = (line, {"weight": weight * enter[0], "bias": bias + weight @ shift})
    line, last = decoder[-1]
    weight, bias = (last[name].detach().double().cpu() for name in ("weight", "bias"))
    factor = leave[0].expand(len(bias))
    decoder[-1] = (line, {"weight": weight * factor[:, None], "bias": bias * factor + leave[1]})
    return {"encoder": encoder, "decoder": decoder}


# ---- Loading -------------------------------------------------------------------------------------------------


def load_run(path: str | os.PathLike[str]) -> tuple[nn.Sequential, nn.Sequential]:
    """Encoder and decoder of a run directory as two nn.Sequential, in eval mode.

    Images are [n, channels, height, width] with pixels from 0 to 1; rows of a table are in their own units.
    """
    run = open_run(path)
    config, tensors = unpacked(run.to_bytes())
    lines = read_lines(config["net"]["text"])
    sizes = {name: config["data"][name] for name in ("channels", "height", "width")} | {"latent": run.latent}
    nets = []
    for part, flat in (("encoder", run.is_table), ("decoder", True)):
        own = [tensors_of(tensors, f"{part}.{i}.") for i in range(len(lines[part]))]
        nets.append(built(lines[part], own, sizes, flat))
    encoder, decoder = nets
    check_decoder(run, decoder)
    encoder = checked_encoder(run, encoder, config)
    if run.is_table:
        assert run.mean is not None and run.deviation is not None
        encoder.insert(0, Affine(1 / run.deviation, -run.mean / run.deviation))
        decoder.append(Affine(run.deviation, run.mean))
    return encoder, decoder


def read_lines(text: str) -> dict[str, list[str]]:
    """The layers of each part."""
    found: dict[str, list[str]] = {}
    for raw in text.splitlines():
        line = raw.split("#")[0].strip()
        if line in ("encoder", "decoder"):
            part = found.setdefault(line, [])
        elif line:
            part.append(line)
    return found


def tensors_of(tensors: Tensors, prefix: str) -> Tensors:
    return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}


def close(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and bool((a - b).abs().max() <= TOLERANCE * (1 + b.abs().max()))


def raw(function: Any, run: Run, x: Tensor, columns: int) -> Tensor:
    """What the library's own net gives: [n, columns], without the scaling of a table."""
    found = torch.empty(len(x), columns)
    with run._model() as model:
        call(function, model, found.data_ptr(), x.data_ptr(), len(x))
    return found


def check_decoder(run: Run, decoder: nn.Sequential) -> None:
    z = torch.randn(2, run.latent, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        found = decoder(z).reshape(2, -1)
    if not close(found, raw(lib.ecc_model_decode, run, z, run._size)):
        raise ValueError("the decoder of this run gives something else in torch: it has a layer that torch has not")


def checked_encoder(run: Run, encoder: nn.Sequential, config: dict[str, Any]) -> nn.Sequential:
    """Compared with the library: some regularizers make latents of the encoder's outputs."""
    shape = (run._size,) if run.is_table else run._image
    x = torch.rand(2, *shape, generator=torch.Generator().manual_seed(1))
    expected = raw(lib.ecc_model_encode, run, x, run.latent)
    with torch.no_grad():
        found = encoder(x)
    if found.shape[1] > run.latent:
        encoder.append(First(run.latent))
        found = found[:, : run.latent]
    if not close(found, expected):
        name = config["regularizer"]["name"]
        raise ValueError(f"the regularizer {name!r} makes latents of the encoder's outputs in a way torch has not")
    return encoder
