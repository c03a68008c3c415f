"""Writes the golden values of tests/unit/test_steps_golden.c: ten training steps with each method, as its authors' loss is
written in PyTorch.

usage: python3 tests/golden/steps_golden.py        (needs PyTorch 2 and NumPy; a few seconds)

It writes steps.txt beside this script.  Weights, batches and every random draw come from the same counter-based generator as in
src/base/rng.c, so that noise is fed in and none has to be stored.  It computes in double.

What is not here: the exact gradient of `svae` above three dimensions, and its power spherical distribution, whose derivatives
along a draw are quadratures that PyTorch does not have (tests/unit/test_svae.c compares them with differences of the mean);
restarts of `vq`, which no author's code has in this form.
"""
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from torch.func import functional_call

import make_golden
import methods_golden
from make_golden import draw_parameters, eccentric_loss, philox, read_net, uniform, waves
from methods_golden import normal

STEPS, SEED, RATE, DECAY, ITEMS, BATCH, SHAPE = 10, make_golden.SEED, 1e-3, 1e-6, 24, 12, (1, 6, 6)
PIXELS = math.prod(SHAPE)
STREAMS = {"order": 0x6F72646572 << 24, "validation": 0x76616C << 40, "kl": 0x6B6C << 40, "uae": 0x756165 << 40, "nested": 0x6E7374 << 40,
           "mmd": 0x6D6D64 << 40, "tangent": 0x737674 << 40, "height": 0x737668 << 40, "critic": 0x637274 << 40,
           "wae-gan": 0x776761 << 40, "simvq": 0x737671 << 40, "spectral": 0x737063 << 40}


# ---- The random numbers of the program ----

def bits(stream, count):
    words = philox(SEED, stream, (count + 1) // 2).reshape(-1, 2)[:count]
    return words[:, 0] | words[:, 1] << np.uint64(32)


def uniform_double(stream, count):
    """As ecc_rng_uniform."""
    return (bits(stream, count) >> np.uint64(12)).astype(np.float64) * 2.0**-52 + 2.0**-53


def normal_double(stream, count):
    """As ecc_rng_normal."""
    u = uniform_double(stream, count + count % 2).reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log(u[:, 0])), 2 * np.pi * u[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)[:count]


def permutation(stream, count):
    """As ecc_rng_permutation."""
    order = [0] * count
    for i, b in enumerate(bits(stream, count)):
        j = int(b) * (i + 1) >> 64
        order[i] = order[j]
        order[j] = i
    return order


def noise(name, step, *shape):
    return torch.from_numpy(normal(SEED, STREAMS[name] + step, math.prod(shape))).double().reshape(shape)


# ---- Methods ----

class Method:
    """Latents from outputs, a value that lambda multiplies, and what else there is."""
    outputs_more, outputs_per_latent = 0, 1

    def __init__(self, latent, loss=None):
        self.latent, self.loss, self.tensors = latent, loss, {}

    def start(self, net):
        """Before the first step."""

    def latents(self, x, step):
        return x

    def value(self, x, z, step):
        return self.loss(x) if self.loss else x.sum() * 0

    def weight(self, weight, error, step):
        return weight

    def penalty(self, net, z):
        return 0

    def gradients(self, parameters, error, value, weight, penalty):
        (error + weight * value + penalty).backward()

    def learn(self, x, step):
        """After the gradients, before the weights change."""

    def kernels(self, net, part):
        return sum((w**2).sum() for name, w in net.named_parameters() if name.startswith(part) and w.dim() > 1)


class Shared(Method):
    """The losses of methods_golden.py."""
    def value(self, x, z, step):
        methods_golden.SEED, methods_golden.STEP, methods_golden.D = SEED, step, self.latent
        return self.loss(x)


def pairs_of(z):
    """Squared distances of pairs of directions.  Latents are short here, so that the program's own 1e-4 under the root and
    floor of 1e-6 are seen: methods_golden.py compares long ones with what the authors write."""
    u = z / torch.sqrt((z**2).sum(1, keepdim=True) + 1e-4)
    return torch.pdist(u) ** 2


def mhe(z, s, half):
    q = pairs_of(torch.cat([z, -z]) if half else z) + 1e-6
    return (-torch.log(q) if s == 0 else q ** (-s / 2)).mean()


def uniformity(z, t):
    return pairs_of(z).mul(-t).exp().mean().log()


def cosine(z):
    u = z / torch.sqrt((z**2).sum(1, keepdim=True) + 1e-4)
    i, j = torch.triu_indices(len(z), len(z), 1)
    return ((u[i] * u[j]).sum(1) ** 2).mean()


class Rae(Method):  # models/rae/loss_functions.py, Keras' l2
    def penalty(self, net, z):
        return 0.01 * self.kernels(net, "decoder")


class Mmd(Method):  # tolstikhin/wae wae.py, IMQ kernel
    def value(self, x, z, step):
        n, d = x.shape
        prior = noise("mmd", step, n, d)
        square = lambda a, b: ((a[:, None] - b[None]) ** 2).sum(2)
        value = 0
        for scale in (0.1, 0.2, 0.5, 1, 2, 5, 10):
            c = 2 * d * scale
            kernel = lambda a, b: c / (c + square(a, b))
            within = (1 - torch.eye(n)) * (kernel(x, x) + kernel(prior, prior))
            value = value + within.sum() / (n * (n - 1)) - 2 * kernel(x, prior).mean()
        return value


class Kl(Method):
    outputs_per_latent = 2

    def latents(self, x, step):
        mean, log_variance = x.chunk(2, dim=1)
        return mean + torch.exp(0.5 * log_variance) * noise("kl", step, *mean.shape)

    def value(self, x, z, step):
        mean, log_variance = x.chunk(2, dim=1)
        return -0.5 * (1 + log_variance - mean**2 - log_variance.exp()).sum(1).mean()


class Capacity(Kl):  # google-research/disentanglement_lib vae.py, AnnealedVAE
    def value(self, x, z, step):
        return 3 * torch.abs(super().value(x, z, step) - 0.2 * min(1, step / 5))


class Warm(Kl):
    def weight(self, weight, error, step):
        return weight * min(1, step / 6)


class LearnedNoise(Kl):  # daib13/TwoStageVAE network/two_stage_vae_model.py
    def __init__(self, latent):
        super().__init__(latent)
        self.tensors = {"log_deviation": torch.zeros(1).double().requires_grad_()}

    def weight(self, weight, error, step):
        return 2 * math.exp(2 * self.tensors["log_deviation"].item()) / PIXELS

    def gradients(self, parameters, error, value, weight, penalty):
        """Of the authors' loss, times 2 g^2 / P for the net and 1 / P for log g: factors that Adam does not see."""
        log_g = self.tensors["log_deviation"]
        loss = value + (PIXELS * error / (2 * torch.exp(2 * log_g)) + PIXELS * log_g).sum()
        loss.backward()
        for p in parameters:
            p.grad *= 1 / PIXELS if p is log_g else weight


class Svae(Method):  # nicola-decao/s-vae-pytorch von_mises_fisher.py, its gradient along a draw
    outputs_more = 1

    def split(self, x):
        return F.normalize(x[:, :-1], dim=1), F.softplus(x[:, -1]) + 1

    def height(self, k, step):
        n, m, stream = len(k), self.latent, STREAMS["height"] + step
        if m == 3:
            u = torch.from_numpy(uniform_double(stream, n))
            return 1 + torch.log(u + (1 - u) * torch.exp(-2 * k)) / k
        attempts = 4096  # that the program allows
        draws = uniform_double(stream, 4 * attempts * n).reshape(n, attempts, 4)[:, :50]
        b = (-2 * k + torch.sqrt(4 * k**2 + (m - 1) ** 2)) / (m - 1)
        a = (m - 1 + 2 * k + torch.sqrt(4 * k**2 + (m - 1) ** 2)) / 4
        w = []
        for i in range(n):
            with torch.no_grad():
                radius = np.sqrt(1 - draws[i, :, 1] ** (2 / (m - 2)))
                eps = torch.from_numpy(0.5 + 0.5 * radius * np.cos(2 * np.pi * draws[i, :, 0]))
                t = 2 * a[i] * b[i] / (1 - (1 - b[i]) * eps)
                ok = (m - 1) * torch.log(t) - t + 4 * a[i] * b[i] / (1 + b[i]) - (m - 1) * math.log(m - 1) >= \
                    torch.from_numpy(np.log(draws[i, :, 2]))
                eps = eps[ok.nonzero()[0, 0]]
            w.append((1 - (1 + b[i]) * eps) / (1 - (1 - b[i]) * eps))
        return torch.stack(w)

    def latents(self, x, step):
        mu, k = self.split(x)
        n, m = mu.shape
        tangent = F.normalize(torch.from_numpy(normal_double(STREAMS["tangent"] + step, n * (m - 1))).reshape(n, m - 1), dim=1)
        w = self.height(k, step)
        sign = torch.where(mu[:, 0] > 0, -1.0, 1.0).double()
        x = torch.cat([(sign * w)[:, None], torch.sqrt(1 - w**2)[:, None] * tangent], dim=1)
        q = F.normalize(sign[:, None] * torch.eye(m).double()[0] - mu, dim=1)
        return x - 2 * (x * q).sum(1, keepdim=True) * q

    def value(self, x, z, step):
        _, k = self.split(x)
        if self.latent == 3:
            return (torch.log(k / torch.sinh(k)) + k / torch.tanh(k) - 1).mean()
        assert self.latent == 4  # nu = 1
        i1, i0 = torch.special.i1(k), torch.special.i0(k)
        ratio = i0 / i1 - 2 / k  # I_2 / I_1
        area = math.log(2) + 2 * math.log(math.pi) - math.lgamma(2)
        return (k * ratio + torch.log(k) - 2 * math.log(2 * math.pi) - torch.log(i1) + area).mean()


class Uae(Method):  # aditya-grover/uae src/uae.py
    def latents(self, x, step):
        return x + 0.5 * noise("uae", step, *x.shape)

    def penalty(self, net, z):
        return 0.01 * self.kernels(net, "encoder") / 2


class Sphere(Method):
    def latents(self, x, step):
        return math.sqrt(self.latent) * F.normalize(x, dim=1)


class Nested(Method):
    def latents(self, x, step):
        u = uniform_double(STREAMS["nested"] + step, len(x))
        kept = np.minimum(1 + np.floor(np.log(u) / np.log(0.5)), self.latent)
        return x * torch.from_numpy(np.arange(self.latent) < kept[:, None])


class Irmae(Method):  # facebookresearch/irmae model.py
    def start(self, net):
        first = sum("num_batches" not in name for name in net.state_dict())
        d = self.latent
        for i in range(3):
            w = (2 * uniform(SEED, make_golden.FIRST_STREAM + first + i, d * d) - 1) * np.float32(d**-0.5)
            self.tensors[f"{i}.weight"] = torch.from_numpy(w).double().reshape(d, d).requires_grad_()

    def latents(self, x, step):
        for w in self.tensors.values():
            x = F.linear(x, w)
        return x


class Vq(Method):  # google-deepmind/sonnet sonnet/src/nets/vqvae.py
    codes, dim, decay, by_gradient = 6, 2, 0.99, False

    def start(self, net):
        first = sum("num_batches" not in name for name in net.state_dict())
        e = (2 * uniform(SEED, make_golden.FIRST_STREAM + first, self.codes * self.dim) - 1) * np.float32(math.sqrt(3 / self.dim))
        e = torch.from_numpy(e).double().reshape(self.codes, self.dim)
        self.tensors["codebook"] = e.requires_grad_(self.by_gradient)
        self.counts, self.sums = torch.zeros(self.codes).double(), torch.zeros(self.codes, self.dim).double()

    def quantized(self, x):
        flat, e = x.reshape(-1, self.dim), self.tensors["codebook"]
        nearest = ((flat[:, None] - e[None]) ** 2).sum(2).argmin(1)
        return flat, nearest, e[nearest].reshape(x.shape)

    def latents(self, x, step):
        _, _, e = self.quantized(x)
        return x + (e - x).detach()

    def value(self, x, z, step):
        _, _, e = self.quantized(x)
        value = 0.25 * torch.mean((e.detach() - x) ** 2)
        return value + torch.mean((e - x.detach()) ** 2) if self.by_gradient else value

    def learn(self, x, step):
        if self.by_gradient:
            return
        with torch.no_grad():
            flat, nearest, _ = self.quantized(x)
            one_hot = F.one_hot(nearest, self.codes).double()
            self.counts += (1 - self.decay) * (one_hot.sum(0) - self.counts)
            self.sums += (1 - self.decay) * (one_hot.T @ flat - self.sums)
            correction = 1 - self.decay ** (step + 1)
            counts, sums = self.counts / correction, self.sums / correction
            n = counts.sum()
            self.tensors["codebook"] = sums / ((counts + 1e-5) / (n + self.codes * 1e-5) * n)[:, None]


class VqByGradient(Vq):
    by_gradient = True


class SimVq(Vq):  # youngsheen/SimVQ taming/modules/vqvae/quantize.py, not `legacy`
    by_gradient = True

    def start(self, net):
        first = sum("num_batches" not in name for name in net.state_dict())
        draw = lambda number, *shape: torch.from_numpy((2 * uniform(SEED, make_golden.FIRST_STREAM + first + number, math.prod(shape)) - 1)
                                                       * np.float32(self.dim**-0.5)).double().reshape(shape).requires_grad_()
        self.frozen = noise("simvq", 0, self.codes, self.dim) / math.sqrt(self.dim)
        self.tensors = {"codebook": None, "projection.weight": draw(1, self.dim, self.dim), "projection.bias": draw(2, self.dim)}

    def quantized(self, x):
        e = F.linear(self.frozen, self.tensors["projection.weight"], self.tensors["projection.bias"])
        self.tensors["codebook"] = e.detach()
        flat = x.reshape(-1, self.dim)
        nearest = ((flat[:, None] - e[None]) ** 2).sum(2).argmin(1)
        return flat, nearest, e[nearest].reshape(x.shape)


class Fsq(Method):
    def latents(self, x, step):  # google-research fsq/fsq.ipynb, 4 levels
        half = 3 * (1 - 1e-3) / 2
        bounded = torch.tanh(x + math.tan(0.5 / half)) * half - 0.5
        return (bounded + (torch.round(bounded) - bounded).detach()) / 2


class WaeGan(Method):  # tolstikhin/wae wae.py; the prior trick as the paper describes it
    layers, width = 2, 16

    def __init__(self, latent, trick):
        super().__init__(latent)
        self.trick = trick

    def start(self, net):
        sizes = [self.latent] + [self.width] * self.layers + [1]
        at, self.weights = 0, []
        for size, to in zip(sizes, sizes[1:]):
            kernel = normal(SEED, STREAMS["critic"], at + size * to)[at:] * np.float32(0.00999)
            self.weights += [torch.from_numpy(kernel).double().reshape(to, size).requires_grad_(), torch.zeros(to).double().requires_grad_()]
            at += size * to + to
        self.adam = torch.optim.Adam(self.weights, lr=1e-3, betas=(0.5, 0.999))

    def logits(self, z):
        x = z
        for i in range(0, len(self.weights), 2):
            x = F.linear(F.relu(x) if i else x, *self.weights[i:i + 2])
        return x[:, 0] - ((z**2).sum(1) / 2 + 0.5 * math.log(2 * math.pi) if self.trick else 0)

    def value(self, x, z, step):
        return F.binary_cross_entropy_with_logits(self.logits(x), torch.ones(len(x)).double())

    def learn(self, x, step):
        prior, n = noise("wae-gan", step, *x.shape), len(x)
        self.adam.zero_grad()
        (F.binary_cross_entropy_with_logits(self.logits(prior), torch.ones(n).double())
         + F.binary_cross_entropy_with_logits(self.logits(x.detach()), torch.zeros(n).double())).backward()
        self.adam.step()


class RaeGp(Method):  # models/rae/loss_functions.py
    def penalty(self, net, z):
        g, = torch.autograd.grad((net["decoder"](z) ** 2).sum(), z, create_graph=True)
        return 1e-3 * (g**2).mean()


class RaeSn(Method):  # models/my_layers/spectral_normalized_dense_conv.py; u and v are constants
    def start(self, net):
        self.vectors = {}
        kernels = [(name, w) for name, w in net.named_parameters() if w.dim() > 1]
        for i, (name, w) in enumerate(kernels):
            self.vectors[name] = [F.normalize(torch.from_numpy(normal(SEED, STREAMS["spectral"] + i, len(w))).double(), dim=0), None]
        self.iterate(net)

    def iterate(self, net):
        with torch.no_grad():
            for name, w in net.named_parameters():
                if name in self.vectors:
                    v = F.normalize(w.T @ self.vectors[name][0], dim=0)
                    self.vectors[name] = [F.normalize(w @ v, dim=0), v]

    def normalized(self, net):
        return {name: w / (self.vectors[name][0] @ w @ self.vectors[name][1]) if name in self.vectors else w
                for name, w in net.named_parameters()}


L = methods_golden
CASES = [  # as the program names them, latents, lambda
    ("eccentric", 1e-1, Method(4, eccentric_loss)), ("none", 1, Method(4)),
    ("kl", 1e-2, Kl(4)), ("vae", 1e-2, Kl(4)), ("vae:beta=3:capacity=0.2:growth=5", 1e-2, Capacity(4)),
    ("vae:warmup=6", 1e-1, Warm(4)), ("vae:gamma=learned", 1, LearnedNoise(4)),
    ("svae", 1e-2, Svae(3)), ("svae:gradient=published", 1e-2, Svae(4)),
    ("mmd", 1e-1, Mmd(4)), ("mmd:kernel=info", 1, Shared(4, L.info)), ("cwae", 1e-1, Shared(4, L.cwae)),
    ("swae", 1, Shared(4, L.swae)), ("sigreg:slices=20", 1e-1, Shared(4, lambda z: L.sigreg(z, 20))),
    ("rae:l2=0.01", 1e-1, Rae(4, L.rae)), ("rae-gp:weight=0.001", 1e-1, RaeGp(4, L.rae)), ("rae-sn", 1e-1, RaeSn(4, L.rae)),
    ("uae:sigma=0.5:l2=0.01", 1, Uae(4)), ("sphere", 1, Sphere(4)),
    ("mhe", 1e-1, Method(4, lambda z: mhe(z, 2, False))), ("mhe:s=0", 1e-1, Method(4, lambda z: mhe(z, 0, False))),
    ("mhe:s=1:half=yes", 1e-1, Method(4, lambda z: mhe(z, 1, True))),
    ("uniform", 1e-1, Method(4, lambda z: uniformity(z, 2))), ("cosine", 1e-1, Method(4, cosine)),
    ("evenness", 1e-1, Shared(4, L.evenness)), ("vicreg", 1e-1, Shared(4, L.vicreg)), ("dip", 1e-1, Shared(4, L.dip)),
    ("irmae:layers=3", 1, Irmae(4)), ("nested:keep=0.5", 1, Nested(4)),
    ("vq:codes=6:dim=2", 1e-1, Vq(4)), ("vq:codes=6:dim=2:update=gradient", 1e-1, VqByGradient(4)),
    ("vq:codes=6:dim=2:update=simvq", 1e-1, SimVq(4)),
    ("fsq:levels=4", 1, Fsq(4)),
    ("wae-gan:layers=2:width=16", 1e-1, WaeGan(4, False)), ("wae-gan:layers=2:width=16:trick=yes", 1e-1, WaeGan(4, True)),
]


def batches():
    items = waves(1, ITEMS, SHAPE)
    order = permutation(STREAMS["validation"], ITEMS)
    for step in range(STEPS):
        epoch, batch = divmod(step, ITEMS // BATCH)
        places = permutation(STREAMS["order"] + epoch, ITEMS)[batch * BATCH:(batch + 1) * BATCH]
        yield items[[order[place] for place in places]]


def run(net, parameters, method, lam):
    """Yields error, value and lambda of each step."""
    spectral = isinstance(method, RaeSn)
    adam = torch.optim.Adam(parameters, lr=RATE, weight_decay=DECAY)
    for step, x in enumerate(batches()):
        shown = method.normalized(net) if spectral else dict(net.named_parameters())
        part = lambda name: {key[len(name) + 1:]: w for key, w in shown.items() if key.startswith(name)}
        outputs = functional_call(net["encoder"], part("encoder"), x)
        z = method.latents(outputs, step)
        error = torch.mean((functional_call(net["decoder"], part("decoder"), z) - x) ** 2)
        value = method.value(outputs, z, step)
        weight = method.weight(lam, error.item(), step)
        adam.zero_grad()
        method.gradients(parameters, error, value, weight, method.penalty(net, z))
        method.learn(outputs, step)
        adam.step()
        if spectral:
            method.iterate(net)
        yield error.item(), value.item(), weight


def train(text, lam, method):
    d = method.latent
    folder = pathlib.Path(__file__).parent
    net = read_net(folder / "steps.net", SHAPE, d, d * method.outputs_per_latent + method.outputs_more)
    draw_parameters(net)
    net = net.double()
    method.start(net)
    parameters = list(net.parameters()) + [t for t in method.tensors.values() if t is not None and t.requires_grad]
    lines, sums = [f"case {text} {d} {lam:g}"], np.zeros(2)
    for step, (error, value, weight) in enumerate(run(net, parameters, method, lam), 1):
        sums += error, value
        lines.append(f"step {step} {sums[0] / step:.9g} {sums[1] / step:.9g} {weight:.9g}")
    shown = method.normalized(net) if isinstance(method, RaeSn) else dict(net.named_parameters())
    for name, value in list(shown.items()) + [(f"latent.{name}", t) for name, t in method.tensors.items()]:
        flat = value.detach().reshape(-1)
        places = sorted({0, flat.numel() // 2, flat.numel() - 1})
        lines.append(f"tensor {name} {flat.norm().item():.9g} {len(places)} " + " ".join(f"{p} {flat[p].item():.9g}" for p in places))
    return lines


def main():
    torch.set_num_threads(1)
    lines = [f"# by steps_golden.py, PyTorch {torch.__version__}; means of error and value over the steps so far, lambda",
             f"{SEED} {ITEMS} {BATCH} {STEPS} {RATE:g} {DECAY:g} {' '.join(map(str, SHAPE))}"]
    for text, lam, method in CASES:
        lines += train(text, lam, method)
    (pathlib.Path(__file__).parent / "steps.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
