"""The peer of bench_step: the same networks in PyTorch, one training step, encoding and decoding.

usage: step_torch.py NET BATCH [NET BATCH ...]    prints one line of JSON per measurement: the best over repeats,
thread counts and memory formats
"""
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


def paper_celeba(d=64):
    encoder, decoder, c = [], [nn.Linear(d, 65536), nn.Unflatten(1, (1024, 8, 8))], 3
    for out in (128, 256, 512, 1024):
        encoder += stage(nn.Conv2d(c, out, 4, 2, 1), nn.ReLU)
        c = out
    encoder += [nn.Flatten(), nn.Linear(16384, d)]
    for out in (512, 256, 128):
        decoder += stage(nn.ConvTranspose2d(c, out, 4, 2, 1), nn.ReLU)
        c = out
    decoder += [nn.ConvTranspose2d(128, 3, 1), nn.Sigmoid()]
    return nn.Sequential(*encoder), nn.Sequential(*decoder), (3, 64, 64), d


def eccentric_loss(z, mu=1.0):
    n, d = z.shape
    m = 2 * d * (1 + 1 / (2 * mu * (d - 1))) / (2 * mu - 1)
    squares = (z * z).sum(1)
    distances = squares[:, None] + squares[None, :] - 2 * z @ z.T
    return (squares.sum() - mu * m * torch.log(1 + distances / m).sum() / n) / (n - 1)


class Job:
    def __init__(self, net, batch, layout):
        make = {"paper-mnist": paper_mnist, "paper-celeba": paper_celeba}[net]
        encoder, decoder, shape, d = make()
        self.encoder, self.decoder = encoder.to(memory_format=layout), decoder.to(memory_format=layout)
        self.x = torch.rand(batch, *shape).to(memory_format=layout)
        self.z = torch.randn(batch, d)
        parameters = list(encoder.parameters()) + list(decoder.parameters())
        self.adam = torch.optim.Adam(parameters, lr=1e-4, weight_decay=1e-6)

    def step(self):
        self.encoder.train(), self.decoder.train()
        z = self.encoder(self.x)
        error = torch.mean((self.decoder(z) - self.x) ** 2)
        self.adam.zero_grad()
        (error + 1e-3 * eccentric_loss(z)).backward()
        self.adam.step()

    @torch.inference_mode()
    def encode(self):
        self.encoder.eval()(self.x)

    @torch.inference_mode()
    def decode(self):
        self.decoder.eval()(self.z)


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


def measure(net, batch):
    best = {}
    cores = torch.get_num_threads()
    for layout in (torch.contiguous_format, torch.channels_last):
        job = Job(net, batch, layout)
        for threads in sorted({1, cores}):
            torch.set_num_threads(threads)
            for name in ("step", "encode", "decode"):
                seconds = best_time(getattr(job, name), 4 if net == "paper-mnist" else 1)
                if seconds < best.get(name, (float("inf"),))[0]:
                    best[name] = (seconds, threads, str(layout).split(".")[1])
        torch.set_num_threads(cores)
    for name, (seconds, threads, layout) in best.items():
        print(json.dumps({"bench": name, "net": net, "batch": batch, "seconds": seconds, "threads": threads,
                          "layout": layout, "torch": torch.__version__}), flush=True)


def main():
    for net, batch in zip(sys.argv[1::2], sys.argv[2::2]):
        measure(net, int(batch))


main()
