"""Writes the golden values of tests/unit/test_net_golden.c: ten training steps in PyTorch.

usage: python3 tests/golden/make_golden.py        (needs PyTorch 2 and NumPy; about ten seconds)

For each NAME.net beside this script it writes NAME.txt.  Weights and batches come from the same
counter-based generator as in src/base/rng.c, so neither has to be stored.  It computes in double:
Adam turns the smallest gradients into steps of the full rate, so that at the rate of 1e-4 float and
double part by more than 1e-4 within ten steps, in PyTorch as well; at 1e-5 they do not.  How far
rounding carries also depends on the seed: weights changed by 1e-6 of themselves change the loss
after ten steps of `mnist` by 1.0e-4 with seed 7 and by 4e-5 with seed 9, in PyTorch's double.
"""
import pathlib
import sys

import numpy as np
import torch
from torch import nn

STEPS, SEED, RATE, DECAY, LAMBDA = 10, 9, 1e-5, 1e-6, 1e-3
CASES = {"mnist": dict(shape=(1, 28, 28), latent=8, batch=50), "celeba": dict(shape=(3, 64, 64), latent=8, batch=16)}
FIRST_STREAM = 0x6E65740000000000  # of the tensors, see src/nn/tensors.c


def philox(seed, stream, blocks):
    """Words [blocks, 4] of Philox4x32-10, as ecc_philox gives them for blocks 0, 1, ..."""
    mask = np.uint64(0xFFFFFFFF)
    block = np.arange(blocks, dtype=np.uint64)
    x = [block & mask, block >> np.uint64(32), np.full(blocks, stream & 0xFFFFFFFF, np.uint64),
         np.full(blocks, stream >> 32, np.uint64)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        p0, p1 = x[0] * np.uint64(0xD2511F53), x[2] * np.uint64(0xCD9E8D57)
        x = [(p1 >> np.uint64(32)) ^ x[1] ^ np.uint64(key[0]), p1 & mask,
             (p0 >> np.uint64(32)) ^ x[3] ^ np.uint64(key[1]), p0 & mask]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(x, axis=1)


def uniform(seed, stream, count):
    """As ecc_rng_uniform_f32."""
    words = philox(seed, stream, (count + 3) // 4).reshape(-1)[:count].astype(np.uint32)
    return ((words >> 9) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1) + np.float32(2.0**-24)


def waves(step, batch, shape):
    """A batch of plane waves of random direction, length and phase; noise would teach nothing."""
    channels, height, width = shape
    a, b, c = 2 * uniform(SEED, step, 3 * batch).astype(np.float64).reshape(batch, 3).T[:, :, None, None, None] - 1
    phase = np.arange(channels)[:, None, None] + 0.6 * a * np.arange(height)[:, None] + 0.6 * b * np.arange(width)
    return torch.from_numpy((0.5 + 0.5 * np.sin(phase + np.pi * c)).astype(np.float32)).double()


def layer_of(words, shape, latent):
    """A module for one line of a net, and the shape [c, h, w] that it gives."""
    number = lambda word: latent if word == "latent" else int(word)
    pair = lambda word: tuple(int(w) for w in word.split("x")) * (1 if "x" in word else 2)
    kind, c = words[0], shape[0]
    if kind in ("conv", "deconv"):
        options = dict(zip(words[2::2], map(pair, words[3::2])))
        make = nn.Conv2d if kind == "conv" else nn.ConvTranspose2d
        return make(c, number(words[1]), options["kernel"], options.get("stride", 1), options.get("padding", 0))
    if kind == "dense":
        return nn.Linear(c, number(words[1]))
    if kind == "batchnorm":
        return nn.BatchNorm2d(c) if len(shape) == 3 else nn.BatchNorm1d(c)
    if kind == "reshape":
        return nn.Unflatten(1, tuple(number(word) for word in words[1:]))
    return {"leakyrelu": lambda: nn.LeakyReLU(float(words[1])), "relu": nn.ReLU, "sigmoid": nn.Sigmoid,
            "flatten": nn.Flatten, "pad": lambda: nn.ZeroPad2d(int(words[1]))}[kind]()


def read_net(path, shape, latent, outputs=None):
    """outputs: of the encoder, if they are not the latents."""
    parts, now = {}, None
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] in ("encoder", "decoder"):
            part, now = words[0], torch.zeros(2, *(shape if words[0] == "encoder" else (latent,)))
            parts[part] = nn.Sequential()
            continue
        module = layer_of(words, now.shape[1:], outputs or latent if part == "encoder" else latent)
        now = module.eval()(now)
        parts[part].append(module.train())
    return nn.ModuleDict(parts)


def draw_parameters(net):
    """As ecc_tensor_draw: by the number of the tensor; PyTorch's own bounds."""
    state = {name: value for name, value in net.state_dict().items() if "num_batches" not in name}
    for number, (name, value) in enumerate(state.items()):
        part, index, role = name.split(".")
        weight = state[f"{part}.{index}.weight"]
        if weight.dim() == 1:
            continue
        fan = weight[0].numel()
        noise = uniform(SEED, FIRST_STREAM + number, value.numel())
        value.copy_(torch.from_numpy((2 * noise - 1) * np.float32(fan**-0.5)).view_as(value))


def eccentric_loss(z, mu=1.0):
    """Appendix A.3 of the paper."""
    n, d = z.shape
    m = 2 * d * (1 + 1 / (2 * mu * (d - 1))) / (2 * mu - 1)
    squares = (z * z).sum(1)
    distances = squares[:, None] + squares[None, :] - 2 * z @ z.T
    return (squares.sum() - mu * m * torch.log(1 + distances / m).sum() / n) / (n - 1)


def train(name, shape, latent, batch):
    folder = pathlib.Path(__file__).parent
    net = read_net(folder / f"{name}.net", shape, latent)
    draw_parameters(net)
    net = net.double()
    adam = torch.optim.Adam(net.parameters(), lr=RATE, weight_decay=DECAY)
    lines = [f"# by make_golden.py, PyTorch {torch.__version__}",
             f"case {name} {' '.join(map(str, shape))} {latent} {batch} {SEED} {RATE:g} {DECAY:g} {LAMBDA:g}"]
    for step in range(1, STEPS + 1):
        x = waves(step, batch, shape)
        z = net["encoder"](x)
        error = torch.mean((net["decoder"](z) - x) ** 2)
        loss = eccentric_loss(z)
        adam.zero_grad()
        (error + LAMBDA * loss).backward()
        adam.step()
        lines.append(f"step {step} {error.item():.9g} {loss.item():.9g}")
    for tensor, value in net.state_dict().items():
        if "num_batches" in tensor:
            continue
        flat = value.reshape(-1)
        places = sorted({0, flat.numel() // 3, flat.numel() // 2, flat.numel() - 1})
        lines += [f"value {tensor} {place} {flat[place].item():.9g}" for place in places]
        lines.append(f"norm {tensor} {flat.double().norm().item():.9g}")
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    for case, settings in CASES.items():
        if len(sys.argv) < 2 or case in sys.argv[1:]:
            train(case, **settings)
