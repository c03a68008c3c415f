"""The loss as a person trains with it: eccentric.torch.EccentricLoss beside the paper's code (Appendix A.3), both through
PyTorch's autograd, value and gradient, with everything that a call costs.

usage: loss_python.py N D [N D ...]    prints a table; PYTHONPATH must have the package

"compiled" is the same after build_native().  All take turns; times are the best of many calls, memory is what the process grows by at its peak.
"""
import multiprocessing
import sys
import time

ROUNDS = 5


def paper_loss(z, mu=1.0):
    """The definition of Appendix A.3, written out: all n x n distances from the Gram matrix."""
    import torch

    batch, dim = z.shape
    m = 2 * dim * (1 + 1 / (2 * mu * (dim - 1))) / (2 * mu - 1)
    squares = torch.bmm(z.view(batch, 1, dim), z.view(batch, dim, 1)).squeeze(2)
    rows = squares.expand(batch, batch)
    distances = rows + rows.transpose(0, 1) - 2 * torch.matmul(z, z.transpose(0, 1))
    total = torch.sum(squares) - mu * m * torch.sum(torch.log(1 + distances / m)) / batch
    return total / (batch - 1)


def function_of(name):
    import torch

    from eccentric.torch import EccentricLoss, _native, _op, _quick

    settings = EccentricLoss()._settings
    _quick.way = _native.load() if name == "compiled" else _quick.in_python
    functions = {
        "paper": lambda: paper_loss,
        "ours": EccentricLoss,
        "compiled": EccentricLoss,
        "operator": lambda: lambda z: torch.ops.eccentric.loss(z, *settings)[0],
        "in torch": lambda: chunked(_op, settings),
        "nothing": lambda: torch.sum,
    }
    return functions[name]()


def chunked(op, settings):
    """The version for GPUs, here on the processor."""
    import torch

    from eccentric.torch._chunked import chunked_loss

    class Chunked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, z):
            mu, rule, given, distinct = settings
            value, ctx.dz = chunked_loss(z, mu, op.m_of(z.shape[1], mu, rule, given), distinct)
            return value

        @staticmethod
        def backward(ctx, dvalue):
            return ctx.dz * dvalue

    return Chunked.apply


def latents(n, d):
    import torch

    torch.manual_seed(1)
    return torch.randn(n, d, requires_grad=True)


def best_time(function, z, seconds):
    """Best of as many calls as fit, after a warm-up; in seconds."""
    best, until = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < until:
        z.grad = None
        start = time.perf_counter()
        function(z).backward()
        best = min(best, time.perf_counter() - start)
    return best


def resident(key):
    """Bytes: VmRSS now, VmHWM at the peak."""
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(key))


def peak(name, n, d, answer):
    """Bytes by which the process grows, at its peak, in three steps; after a first step with few items."""
    import torch

    torch.set_num_threads(1)
    function, z = function_of(name), latents(n, d)
    function(latents(4, d)).backward()
    before = resident("VmRSS")
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins here
    for _ in range(3):
        z.grad = None
        function(z).backward()
    answer.put(max(resident("VmHWM") - before, 4096))


def memory(name, n, d):
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    process = context.Process(target=peak, args=(name, n, d, answer))
    process.start()
    found = answer.get()
    process.join()
    return found


def is_compiled():
    from eccentric.torch import _native

    return _native.load() is not None


def measure(n, d):
    import torch

    z, best = latents(n, d), {}
    names = ["paper", "ours", *(["compiled"] if is_compiled() else []), "in torch"]
    names += ["operator", "nothing"] if n < 1000 else []
    threads = sorted({1, torch.get_num_threads()})
    for _ in range(ROUNDS if n < 1000 else 3):
        for count in threads:
            torch.set_num_threads(count)
            for name in names:
                found = best_time(function_of(name), z, 0.2 if n < 1000 else 1.5)
                best[name] = min(found, best.get(name, float("inf")))
    torch.set_num_threads(threads[-1])
    return best


def main():
    import torch

    from eccentric.torch import build_native

    try:
        build_native()
    except Exception as error:
        print(f"not compiled: {error}", file=sys.stderr)
    sizes = list(map(int, sys.argv[1:]))
    print(f"a call of the loss and backward() in PyTorch {torch.__version__}; peer: the paper's code; 'nothing' is z.sum()")
    print("     n   d  what          ms        paper/it  extra MB  of paper's")
    for n, d in zip(sizes[::2], sizes[1::2]):
        times = measure(n, d)
        grown = {name: memory(name, n, d) for name in times if n >= 1000}
        for name, seconds in times.items():
            words = f"{n:6} {d:3}  {name:10} {1e3 * seconds:10.4f} {times['paper'] / seconds:9.1f}"
            if grown:
                words += f" {grown[name] / 1e6:10.1f} {100 * grown[name] / grown['paper']:9.2f}%"
            print(words, flush=True)


if __name__ == "__main__":
    main()
