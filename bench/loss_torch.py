"""The peer of bench_loss: the loss as the paper publishes it (Appendix A.3), value and gradient, in PyTorch.

usage: loss_torch.py N D [N D ...]    prints one line of JSON per size: best time over repeats and thread counts
"""
import json
import resource
import sys
import time

import torch


def eccentric_loss(z, mu=1.0):
    """The definition of Appendix A.3, written out: all n x n distances from the Gram matrix."""
    batch, dim = z.shape
    m = 2 * dim * (1 + 1 / (2 * mu * (dim - 1))) / (2 * mu - 1)
    squares = torch.bmm(z.view(batch, 1, dim), z.view(batch, dim, 1)).squeeze(2)
    rows = squares.expand(batch, batch)
    distances = rows + rows.transpose(0, 1) - 2 * torch.matmul(z, z.transpose(0, 1))
    total = torch.sum(squares) - mu * m * torch.sum(torch.log(1 + distances / m)) / batch
    return total / (batch - 1)


def step(z):
    z.grad = None
    loss = eccentric_loss(z)
    loss.backward()
    return loss


def best_time(z, seconds):
    """Best of as many calls as fit, after a warm-up."""
    step(z)
    best, until = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < until:
        start = time.perf_counter()
        step(z)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    sizes = list(map(int, sys.argv[1:]))
    for n, d in zip(sizes[::2], sizes[1::2]):
        torch.manual_seed(1)
        z = torch.randn(n, d, requires_grad=True)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        times = {}
        for threads in sorted({1, torch.get_num_threads()}):
            torch.set_num_threads(threads)
            times[threads] = best_time(z, 1.0 if n < 1000 else 12.0)
        threads = min(times, key=times.get)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # in kB; sizes grow from row to row
        print(json.dumps({"n": n, "d": d, "seconds": times[threads], "threads": threads, "extra_bytes": 1024 * grown,
                          "torch": torch.__version__}), flush=True)


main()
