"""The peer of bench_inception: Inception-v3 in PyTorch, with the pools of the 2015 FID network and its tensor names.

usage: inception_torch.py [--compile] BATCH [SIDE]    prints one line of JSON: the best over repeats, thread counts, memory
formats, batch norm as it is or folded and, with --compile, torch.compile; random weights, images of SIDE x SIDE in memory.
"""
import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.fusion import fuse_conv_bn_eval


class Unit(nn.Module):
    """Convolution, batch norm, ReLU."""

    def __init__(self, inputs, outputs, kernel, stride=1, padding=0):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False)
        self.bn = nn.BatchNorm2d(outputs, eps=1e-3)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)), inplace=True)


def mean_pool(x):
    return F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)


def max_pool(x):
    return F.max_pool2d(x, 3, 1, 1)


def shrink(x):
    return F.max_pool2d(x, 3, 2)


def square(c, out, k, stride=1):
    return Unit(c, out, k, stride, k // 2 if stride == 1 else 0)


def flat(c, out, k):
    return Unit(c, out, (1, k), 1, (0, k // 2))


def tall(c, out, k):
    return Unit(c, out, (k, 1), 1, (k // 2, 0))


class Block(nn.Module):
    """Branches: lists of a name or a function each; a tuple of two names is a fork whose halves stand side by side."""

    def __init__(self, branches, **units):
        super().__init__()
        self.branches = branches
        for name, unit in units.items():
            self.add_module(name, unit)

    def step(self, word, x):
        if isinstance(word, tuple):
            return torch.cat([getattr(self, name)(x) for name in word], 1)
        return word(x) if callable(word) else getattr(self, word)(x)

    def forward(self, x):
        outputs = []
        for branch in self.branches:
            y = x
            for word in branch:
                y = self.step(word, y)
            outputs.append(y)
        return torch.cat(outputs, 1)


def block_a(c, pool):
    return Block([["branch1x1"], ["branch5x5_1", "branch5x5_2"], ["branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"],
                  [mean_pool, "branch_pool"]],
                 branch1x1=square(c, 64, 1), branch5x5_1=square(c, 48, 1), branch5x5_2=square(48, 64, 5),
                 branch3x3dbl_1=square(c, 64, 1), branch3x3dbl_2=square(64, 96, 3), branch3x3dbl_3=square(96, 96, 3),
                 branch_pool=square(c, pool, 1))


def block_b(c):
    return Block([["branch3x3"], ["branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"], [shrink]],
                 branch3x3=square(c, 384, 3, 2), branch3x3dbl_1=square(c, 64, 1), branch3x3dbl_2=square(64, 96, 3),
                 branch3x3dbl_3=square(96, 96, 3, 2))


def block_c(c, m):
    return Block([["branch1x1"], ["branch7x7_1", "branch7x7_2", "branch7x7_3"],
                  ["branch7x7dbl_1", "branch7x7dbl_2", "branch7x7dbl_3", "branch7x7dbl_4", "branch7x7dbl_5"],
                  [mean_pool, "branch_pool"]],
                 branch1x1=square(c, 192, 1), branch7x7_1=square(c, m, 1), branch7x7_2=flat(m, m, 7), branch7x7_3=tall(m, 192, 7),
                 branch7x7dbl_1=square(c, m, 1), branch7x7dbl_2=tall(m, m, 7), branch7x7dbl_3=flat(m, m, 7),
                 branch7x7dbl_4=tall(m, m, 7), branch7x7dbl_5=flat(m, 192, 7), branch_pool=square(c, 192, 1))


def block_d(c):
    return Block([["branch3x3_1", "branch3x3_2"], ["branch7x7x3_1", "branch7x7x3_2", "branch7x7x3_3", "branch7x7x3_4"], [shrink]],
                 branch3x3_1=square(c, 192, 1), branch3x3_2=square(192, 320, 3, 2), branch7x7x3_1=square(c, 192, 1),
                 branch7x7x3_2=flat(192, 192, 7), branch7x7x3_3=tall(192, 192, 7), branch7x7x3_4=square(192, 192, 3, 2))


def block_e(c, pool):
    return Block([["branch1x1"], ["branch3x3_1", ("branch3x3_2a", "branch3x3_2b")],
                  ["branch3x3dbl_1", "branch3x3dbl_2", ("branch3x3dbl_3a", "branch3x3dbl_3b")], [pool, "branch_pool"]],
                 branch1x1=square(c, 320, 1), branch3x3_1=square(c, 384, 1), branch3x3_2a=flat(384, 384, 3),
                 branch3x3_2b=tall(384, 384, 3), branch3x3dbl_1=square(c, 448, 1), branch3x3dbl_2=square(448, 384, 3),
                 branch3x3dbl_3a=flat(384, 384, 3), branch3x3dbl_3b=tall(384, 384, 3), branch_pool=square(c, 192, 1))


class Inception(nn.Module):
    """x: [n, 3, h, w], already scaled to -1 .. 1; last_pool: max_pool for the 2015 FID network, mean_pool for Keras."""

    def __init__(self, last_pool=max_pool):
        super().__init__()
        self.Conv2d_1a_3x3 = Unit(3, 32, 3, 2)
        self.Conv2d_2a_3x3 = Unit(32, 32, 3)
        self.Conv2d_2b_3x3 = Unit(32, 64, 3, 1, 1)
        self.Conv2d_3b_1x1 = Unit(64, 80, 1)
        self.Conv2d_4a_3x3 = Unit(80, 192, 3)
        self.Mixed_5b, self.Mixed_5c, self.Mixed_5d = block_a(192, 32), block_a(256, 64), block_a(288, 64)
        self.Mixed_6a = block_b(288)
        self.Mixed_6b, self.Mixed_6c, self.Mixed_6d, self.Mixed_6e = (block_c(768, m) for m in (128, 160, 160, 192))
        self.Mixed_7a = block_d(768)
        self.Mixed_7b, self.Mixed_7c = block_e(1280, mean_pool), block_e(2048, last_pool)

    def forward(self, x):
        x = shrink(self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x))))
        x = shrink(self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x)))
        for name, block in self.named_children():
            if name.startswith("Mixed"):
                x = block(x)
        return x.mean((2, 3))


def randomise(net, seed=1):
    """Weights that keep the signal's size, and batch norms that are not the identity."""
    generator = torch.Generator().manual_seed(seed)
    for unit in net.modules():
        if isinstance(unit, Unit):
            nn.init.kaiming_normal_(unit.conv.weight, nonlinearity="relu", generator=generator)
            for values, low, high in ((unit.bn.weight, 0.5, 1.5), (unit.bn.bias, -0.2, 0.2), (unit.bn.running_mean, -0.2, 0.2),
                                      (unit.bn.running_var, 0.5, 1.5)):
                values.data.uniform_(low, high, generator=generator)
    return net.eval()


def fold(net):
    for unit in net.modules():
        if isinstance(unit, Unit):
            unit.conv = fuse_conv_bn_eval(unit.conv, unit.bn)
            unit.bn = nn.Identity()
    return net


def best_time(run, seconds):
    """Best of as many calls as fit, at least two after a warm-up."""
    run()
    best, until, calls = float("inf"), time.perf_counter() + seconds, 0
    while calls < 2 or time.perf_counter() < until:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
        calls += 1
    return best


def configurations(cores, compiled):
    for layout in (torch.contiguous_format, torch.channels_last):
        for folded in (False, True):
            for threads in sorted({1, cores}):
                yield layout, folded, threads, False
        if compiled:
            yield layout, True, cores, True


@torch.inference_mode()
def measure(batch, side, layout, folded, threads, compiled):
    torch.set_num_threads(threads)
    net = randomise(Inception())
    net = (fold(net) if folded else net).to(memory_format=layout)
    x = torch.rand(batch, 3, side, side).mul_(2).sub_(1).contiguous(memory_format=layout)
    run = torch.compile(net) if compiled else net
    return best_time(lambda: run(x), 5)


def main():
    words = [word for word in sys.argv[1:] if word != "--compile"]
    batch, side = int(words[0]), int(words[1]) if len(words) > 1 else 299
    best = {"seconds": float("inf")}
    for layout, folded, threads, compiled in configurations(torch.get_num_threads(), "--compile" in sys.argv):
        try:
            seconds = measure(batch, side, layout, folded, threads, compiled)
        except Exception as reason:  # the compiler wants a C++ compiler, and does not manage every net
            if not compiled:
                raise
            print(f"torch.compile failed, going on without: {str(reason).splitlines()[0]}", file=sys.stderr)
            continue
        if seconds < best["seconds"]:
            best = {"bench": "features", "net": "inception", "batch": batch, "side": side, "seconds": seconds,
                    "threads": threads, "layout": str(layout).split(".")[1], "folded": folded, "compiled": compiled,
                    "torch": torch.__version__}
    print(json.dumps(best), flush=True)


if __name__ == "__main__":
    main()
