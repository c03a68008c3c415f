"""The peer of bench_step: the same networks in PyTorch, one training step, encoding and decoding.

usage: step_torch.py [--compile] NET[:WIDTH] BATCH [NET[:WIDTH] BATCH ...]    prints one line of JSON per measurement:
WIDTH scales the channels of paper-celeba; the best over repeats, thread counts, memory formats and, with --compile, torch.compile.  No data are loaded: the batch is in memory.
"""
import functools
import json
import sys
import time

import torch
from torch import nn


def stage(layer, act):
    return [layer, nn.BatchNorm2d(layer.out_channels), act()]


def paper_mnist(d=8):
    act = lambda: nn.LeakyReLU(0.1)
    encoder, decoder, c = [nn.ZeroPad2d(2)], [nn.Unflatten(1, (d, 1, 1))], 1
    for out, kernel, stride in [(16, 5, 1), (24, 4, 2), (32, 4, 1), (48, 4, 2)]:
        encoder += stage(nn.Conv2d(c, out, kernel, stride), act)
        c = out
    encoder += [nn.Flatten(), nn.Linear(768, 64), nn.Linear(64, d)]
    c = d
    for out, kernel, stride in [(48, 3, 1), (32, 4, 2), (24, 4, 1), (16, 4, 2), (16, 5, 1), (16, 1, 1)]:
        decoder += stage(nn.ConvTranspose2d(c, out, kernel, stride), act)
        c = out
    decoder += [nn.ConvTranspose2d(16, 1, 1), nn.Sigmoid()]
    return nn.Sequential(*encoder), nn.Sequential(*decoder), (1, 28, 28), d


def paper_celeba(width=1.0, d=64):
    channels = [int(width * out) for out in (128, 256, 512, 1024)]
    encoder, c = [], 3
    decoder = [nn.Linear(d, 64 * channels[3]), nn.Unflatten(1, (channels[3], 8, 8))]
    for out in channels:
        encoder += stage(nn.Conv2d(c, out, 4, 2, 1), nn.ReLU)
        c = out
    encoder += [nn.Flatten(), nn.Linear(16 * c, d)]
    for out in channels[2::-1]:
        decoder += stage(nn.ConvTranspose2d(c, out, 4, 2, 1), nn.ReLU)
        c = out
    decoder += [nn.ConvTranspose2d(c, 3, 1), nn.Sigmoid()]
    return nn.Sequential(*encoder), nn.Sequential(*decoder), (3, 64, 64), d


def eccentric_loss(z, mu=1.0):
    n, d = z.shape
    m = 2 * d * (1 + 1 / (2 * mu * (d - 1))) / (2 * mu - 1)
    squares = (z * z).sum(1)
    distances = squares[:, None] + squares[None, :] - 2 * z @ z.T
    return (squares.sum() - mu * m * torch.log(1 + distances / m).sum() / n) / (n - 1)


def make_adam(parameters):
    """Adam in one kernel where this version of PyTorch has it."""
    try:
        return torch.optim.Adam(parameters, lr=1e-4, weight_decay=1e-6, fused=True)
    except (RuntimeError, TypeError):
        return torch.optim.Adam(parameters, lr=1e-4, weight_decay=1e-6)


class Job:
    """One net in one memory format, eager or compiled."""

    def __init__(self, net, batch, layout, compiled):
        name, _, width = net.partition(":")
        encoder, decoder, shape, d = paper_celeba(float(width or 1)) if name == "paper-celeba" else paper_mnist()
        self.encoder, self.decoder = encoder.to(memory_format=layout), decoder.to(memory_format=layout)
        self.x = torch.rand(batch, *shape).to(memory_format=layout)
        self.z = torch.randn(batch, d)
        self.adam = make_adam(list(encoder.parameters()) + list(decoder.parameters()))
        torch.compiler.reset()  # else the second batch size is compiled for any size, and the ninth net not at all
        compiler = functools.partial(torch.compile, dynamic=False) if compiled else lambda function: function
        self.loss, self.run_encoder, self.run_decoder = map(compiler, (self.both_losses, self.encoder, self.decoder))

    def both_losses(self, x):
        z = self.encoder(x)
        return torch.mean((self.decoder(z) - x) ** 2) + 1e-3 * eccentric_loss(z)

    def mode(self, name):
        self.encoder.train(name == "step"), self.decoder.train(name == "step")

    def step(self):
        self.adam.zero_grad()
        self.loss(self.x).backward()
        self.adam.step()

    @torch.inference_mode()
    def encode(self):
        self.run_encoder(self.x)

    @torch.inference_mode()
    def decode(self):
        self.run_decoder(self.z)


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


def measure(net, batch, layout, threads, compiled):
    """Best seconds of step, encode and decode in one configuration."""
    torch.set_num_threads(threads)
    job = Job(net, batch, layout, compiled)
    best = {}
    for name in ("step", "encode", "decode"):
        job.mode(name)
        best[name] = best_time(getattr(job, name), 2 if net.startswith("paper-mnist") else 1)
    return best


def configurations(cores, compiled, wide):
    """A wide net is never fastest with one thread, and takes long."""
    for layout in (torch.contiguous_format, torch.channels_last):
        for threads in {cores} if wide else sorted({1, cores}):
            yield layout, threads, False
        if compiled:
            yield layout, cores, True


def bench(net, batch, compiled):
    best = {}
    for layout, threads, compiled in configurations(torch.get_num_threads(), compiled, net == "paper-celeba"):
        try:
            times = measure(net, batch, layout, threads, compiled)
        except Exception as reason:  # the compiler wants a C++ compiler, and does not manage every net
            if not compiled:
                raise
            print(f"torch.compile failed, going on without: {str(reason).splitlines()[0]}", file=sys.stderr)
            continue
        for name, seconds in times.items():
            if seconds < best.get(name, {"seconds": float("inf")})["seconds"]:
                best[name] = {"bench": name, "net": net, "batch": batch, "seconds": seconds, "threads": threads,
                              "layout": str(layout).split(".")[1], "compiled": compiled, "torch": torch.__version__}
    for record in best.values():
        print(json.dumps(record), flush=True)


def main():
    words = sys.argv[1:]
    compiled = "--compile" in words
    words = [word for word in words if word != "--compile"]
    for net, batch in zip(words[::2], words[1::2]):
        bench(net, int(batch), compiled)


if __name__ == "__main__":
    main()
