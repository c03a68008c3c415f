"""Writes tests/golden/inception.txt: the features that PyTorch computes with a narrow Inception-v3.

usage: python tests/golden/inception_golden.py > tests/golden/inception.txt     (needs torch and numpy)

Weights and image are the numbers that tests/unit/test_inception.c makes with the same arithmetic.  The first row is the FID
network of 2015, the second the one of Keras.
"""
import pathlib
import sys

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).parent / "../../bench"))
import inception_torch  # noqa: E402

DIVIDE, HEIGHT, WIDTH = 16, 139, 171


class NarrowUnit(inception_torch.Unit):
    def __init__(self, inputs, outputs, kernel, stride=1, padding=0):
        nn.Module.__init__(self)
        outputs = (outputs // DIVIDE + 15) // 16 * 16
        self.conv = nn.LazyConv2d(outputs, kernel, stride, padding, bias=False)
        self.bn = nn.BatchNorm2d(outputs, eps=1e-3)


def noise(stream, shape):
    """Numbers from -1 to 1: a hash of (stream, index)."""
    x = np.arange(np.prod(shape), dtype=np.uint32) + np.uint32(stream * 0x9E3779B9 & 0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        x = (x ^ x >> np.uint32(shift)) * np.uint32(factor)
    x ^= x >> np.uint32(16)
    return torch.tensor((x.astype(np.float64) / 2**31 - 1).reshape(shape).astype(np.float32))


def fill(net):
    units = [unit for unit in net.modules() if isinstance(unit, NarrowUnit)]
    for number, unit in enumerate(units, 1):
        shape, stream, channels = unit.conv.weight.shape, 8 * number, unit.bn.num_features
        unit.conv.weight.data = noise(stream, shape) * np.sqrt(6 / (shape[1] * shape[2] * shape[3]))
        unit.bn.weight.data = 1 + 0.5 * noise(stream + 1, channels)
        unit.bn.bias.data = 0.2 * noise(stream + 2, channels)
        unit.bn.running_mean.data = 0.2 * noise(stream + 3, channels)
        unit.bn.running_var.data = 1 + 0.5 * noise(stream + 4, channels)


inception_torch.Unit = NarrowUnit
torch.set_num_threads(1)
image = noise(0, (1, 3, HEIGHT, WIDTH)).double()
with torch.inference_mode():
    for pool in (inception_torch.max_pool, inception_torch.mean_pool):
        net = inception_torch.Inception(pool).eval()
        net(image.float())
        fill(net)
        print(*(f"{value:.9g}" for value in net.double()(image)[0].tolist()))
