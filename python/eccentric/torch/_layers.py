"""Layers of torch as lines of a net's text with their tensors, and back.

nn.Conv2d(1, 16, 5)  <->  "conv 16 kernel 5x5 stride 1x1 padding 0x0", weight, bias
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

Tensors = dict[str, Tensor]
Module = TypeVar("Module", bound=nn.Module)
EPSILON = 1e-5  # of batch norm in a run
AFFINE = "affine"  # not a line of a net: save_run puts it into the layer beside it


class Bypass(nn.Module):
    """Layers, and beside them a linear map of their input, added to what they give."""

    def __init__(self, layers: nn.Sequential, linear: nn.Linear) -> None:
        super().__init__()
        self.layers, self.linear = layers, linear

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x) + self.linear(x)


class Affine(nn.Module):
    """x times a factor plus a shift, for each column: rows of a table in their own units become what a net was
    trained on, or come back."""

    factor: Tensor
    shift: Tensor

    def __init__(self, factor: Any, shift: Any) -> None:
        super().__init__()
        self.register_buffer("factor", torch.as_tensor(factor, dtype=torch.float32))
        self.register_buffer("shift", torch.as_tensor(shift, dtype=torch.float32))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor + self.shift

    def extra_repr(self) -> str:
        return f"{len(self.factor)} columns"


class First(nn.Module):
    """The first d numbers: of a VAE's encoder, the posterior means."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.d = d

    def forward(self, x: Tensor) -> Tensor:
        return x[:, : self.d]

    def extra_repr(self) -> str:
        return str(self.d)


# ---- From torch ----------------------------------------------------------------------------------------


def unlike(where: str, layer: nn.Module, why: str) -> ValueError:
    return ValueError(f"{where} is {layer}: a run cannot hold {why}")


def pair(value: Any) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else (value[0], value[1])


def times(value: Any) -> str:
    return "{}x{}".format(*pair(value))


def linear_tensors(layer: Any, outputs: int) -> Tensors:
    bias = torch.zeros(outputs) if layer.bias is None else layer.bias
    return {"weight": layer.weight, "bias": bias}


def conv(layer: nn.Conv2d | nn.ConvTranspose2d, where: str) -> tuple[str, Tensors]:
    if layer.groups != 1 or pair(layer.dilation) != (1, 1):
        raise unlike(where, layer, "groups or dilation")
    if layer.padding_mode != "zeros" or isinstance(layer.padding, str):
        raise unlike(where, layer, "padding other than a number of zeros")
    if pair(layer.output_padding) != (0, 0):
        raise unlike(where, layer, "output_padding")
    name = "deconv" if layer.transposed else "conv"
    size = f"kernel {times(layer.kernel_size)} stride {times(layer.stride)} padding {times(layer.padding)}"
    return f"{name} {layer.out_channels} {size}", linear_tensors(layer, layer.out_channels)


def dense(layer: nn.Linear, where: str) -> tuple[str, Tensors]:
    return f"dense {layer.out_features}", linear_tensors(layer, layer.out_features)


def batch_norm(layer: nn.BatchNorm1d | nn.BatchNorm2d, where: str) -> tuple[str, Tensors]:
    mean, variance = layer.running_mean, layer.running_var
    if mean is None or variance is None:
        raise unlike(where, layer, "batch norm without running statistics")
    variance = variance.double() + layer.eps - EPSILON
    if bool((variance < 0).any()):
        raise unlike(where, layer, f"an eps below {EPSILON:g} where the variance is almost 0")
    weight = torch.ones_like(mean) if layer.weight is None else layer.weight
    bias = torch.zeros_like(mean) if layer.bias is None else layer.bias
    return "batchnorm", {"weight": weight, "bias": bias, "running_mean": mean, "running_var": variance}


def pad(layer: nn.ZeroPad2d, where: str) -> tuple[str, Tensors]:
    left, right, top, bottom = layer.padding
    if left != right or top != bottom:
        raise unlike(where, layer, "padding that differs from side to side")
    return f"pad {top}x{left}", {}


def flatten(layer: nn.Flatten, where: str) -> tuple[str, Tensors]:
    if layer.start_dim != 1 or layer.end_dim != -1:
        raise unlike(where, layer, "Flatten other than of all axes but the first")
    return "flatten", {}


def unflatten(layer: nn.Unflatten, where: str) -> tuple[str, Tensors]:
    sizes = [int(size) for size in layer.unflattened_size]
    if layer.dim not in (1, -1) or len(sizes) != 3 or min(sizes) < 1:
        raise unlike(where, layer, "Unflatten other than Unflatten(1, (channels, height, width))")
    return "reshape {} {} {}".format(*sizes), {}


LAYERS: dict[type[nn.Module], Callable[[Any, str], tuple[str, Tensors]]] = {
    nn.Conv2d: conv,
    nn.ConvTranspose2d: conv,
    nn.Linear: dense,
    nn.BatchNorm1d: batch_norm,
    nn.BatchNorm2d: batch_norm,
    nn.LeakyReLU: lambda layer, where: (f"leakyrelu {layer.negative_slope!r}", {}),
    nn.ReLU: lambda layer, where: ("relu", {}),
    nn.Sigmoid: lambda layer, where: ("sigmoid", {}),
    nn.Flatten: flatten,
    nn.Unflatten: unflatten,
    nn.ZeroPad2d: pad,
    Affine: lambda layer, where: (AFFINE, {"factor": layer.factor, "shift": layer.shift}),
}
NOTHING = (nn.Identity, nn.Dropout, nn.Dropout1d, nn.Dropout2d)  # in use, as opposed to training


def described(net: nn.Module, where: str) -> Iterator[tuple[str, Tensors]]:
    """The lines of a net and their tensors.  where: "encoder", for messages."""
    if isinstance(net, nn.Sequential):
        for name, layer in net.named_children():
            yield from described(layer, f"{where}.{name}")
    elif isinstance(net, Bypass):
        yield from described(net.layers, f"{where}.layers")
        if net.linear.bias is not None:
            raise unlike(where, net, "a bypass with a bias")
        yield "bypass", {"bypass": net.linear.weight}
    elif type(net) in LAYERS:
        yield LAYERS[type(net)](net, where)
    elif not isinstance(net, NOTHING):
        known = ", ".join(kind.__name__ for kind in LAYERS)
        raise ValueError(f"{where} is {net}, a layer that a run does not have; it has Sequential of {known}, Dropout")


# ---- To torch --------------------------------------------------------------------------------------------


def read_pair(text: str) -> tuple[int, int]:
    sizes = [int(word) for word in text.split("x")]
    return sizes[0], sizes[-1]


def layer_of(words: list[str], tensors: Tensors, sizes: dict[str, int]) -> nn.Module:
    """The layer of a line, with its tensors."""
    name, rest = words[0], words[1:]
    if name in ("conv", "deconv"):
        options: dict[str, Any] = {key: read_pair(value) for key, value in zip(rest[1::2], rest[2::2], strict=True)}
        kind = nn.Conv2d if name == "conv" else nn.ConvTranspose2d
        first, second = tensors["weight"].shape[:2]
        channels = (second, first) if name == "conv" else (first, second)
        return filled(kind(*channels, options.pop("kernel"), **options), tensors)
    if name == "dense":
        outputs, inputs = tensors["weight"].shape
        return filled(nn.Linear(inputs, outputs), tensors)
    if name == "leakyrelu":
        return nn.LeakyReLU(float(rest[0]))
    if name == "reshape":
        return nn.Unflatten(1, tuple(sizes[word] if word in sizes else int(word) for word in rest))
    if name == "pad":
        rows, columns = read_pair(rest[0])
        return nn.ZeroPad2d((columns, columns, rows, rows))
    return {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "flatten": nn.Flatten}[name]()


def filled(layer: Module, tensors: Tensors) -> Module:
    layer.load_state_dict(tensors, strict=False)
    return layer


def built(lines: list[str], tensors: list[Tensors], sizes: dict[str, int], flat: bool) -> nn.Sequential:
    """The net of a part's lines.  flat: its input is a vector."""
    layers: list[nn.Module] = []
    for line, own in zip(lines, tensors, strict=True):
        words = line.split()
        if words[0] == "bypass":
            outputs, inputs = own["bypass"].shape
            linear = filled(nn.Linear(inputs, outputs, bias=False), {"weight": own["bypass"]})
            layers = [Bypass(nn.Sequential(*layers), linear)]
            continue
        if words[0] == "batchnorm":
            norm = nn.BatchNorm1d if flat else nn.BatchNorm2d
            layers.append(filled(norm(len(own["weight"])), own))
        else:
            layers.append(layer_of(words, own, sizes))
        flat = words[0] in ("dense", "flatten") or (flat and words[0] not in ("reshape", "conv", "deconv", "pad"))
    return nn.Sequential(*layers).eval()
