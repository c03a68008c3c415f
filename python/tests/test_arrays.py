"""Arrays of other packages: taken as they are, without a copy where that is possible."""

import numpy as np
import pytest

import eccentric
from eccentric._arrays import as_array, floats


def numbers():
    return np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32)


def check_taken(x, expected, run):
    """As latents, as rows of a table and as labels."""
    found, plain = eccentric.loss(x, gradient=True), eccentric.loss(expected, gradient=True)
    assert found.loss == plain.loss and np.array_equal(found.gradient, plain.gradient)
    assert np.array_equal(eccentric.Components.fit(x).axes, eccentric.Components.fit(expected).axes)
    assert np.array_equal(run.encode(x), run.encode(expected))


@pytest.fixture(scope="module")
def run():
    return eccentric.train(numbers(), latent=2, epochs=2, threads=1, progress=False)


class Bare:
    """An array that speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_dlpack(run):
    x = numbers()
    assert np.shares_memory(as_array(Bare(x)), x)
    check_taken(Bare(x), x, run)


def test_no_copy_of_float32():
    x = numbers()
    assert floats(x) is x
    assert np.shares_memory(floats(memoryview(x)), x)


def test_jax(run):
    jax = pytest.importorskip("jax", reason="JAX is not installed: its arrays are not tried")
    x = jax.numpy.asarray(numbers())
    assert floats(x).ctypes.data == x.unsafe_buffer_pointer()  # no copy
    check_taken(x, numbers(), run)
    check_taken(x.astype(jax.numpy.bfloat16), np.asarray(x.astype(jax.numpy.bfloat16), np.float32), run)
    labels = jax.numpy.arange(40) % 3
    trained = eccentric.train(x, labels, latent=2, epochs=2, threads=1, progress=False)
    plain = eccentric.train(numbers(), np.arange(40) % 3, latent=2, epochs=2, threads=1, progress=False)
    assert np.array_equal(trained.encode(x), plain.encode(numbers()))
    with pytest.raises(jax.errors.TracerArrayConversionError):
        jax.jit(lambda z: eccentric.loss(z).loss)(x)


def same(a, b):
    """Of results: every number in them."""
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "__dict__") and not isinstance(a, np.ndarray):
        return all(same(value, getattr(b, name)) for name, value in vars(a).items() if not name.startswith("_"))
    return np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")


def everything(run, x):
    """What takes arrays, with the same array for all."""
    z, labels = x[:, :2], x[:, 0] > 0
    components, tree = eccentric.Components.fit(z), eccentric.Tree.fit(z, labels, 3)
    return [
        eccentric.LossPlan(40, 4).evaluate(x),
        components,
        components.project(z),
        components.restore(z),
        eccentric.Mixture.fit(z, 2),
        eccentric.Mixture.fit(z, 2).score(z),
        eccentric.align(z, x[:, 2:], test_a=z[:9], test_b=z[9:18]),
        eccentric.interpolate(z[0], z[1], x[:5, 3]),
        eccentric.neighbours(x, x[:7]),
        tree,
        tree.predict(z),
        eccentric.trees(z, labels),
        eccentric.frechet(x, x[3:]),
        eccentric.kid(x, x[3:]),
        eccentric.scatter(z, labels),
        run.decode(z),
        run.reconstruct(x),
        run.measure(x),
    ]


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_everywhere(run, package):
    if package == "jax":
        x = pytest.importorskip("jax", reason="JAX is not installed").numpy.asarray(numbers())
    else:
        x = pytest.importorskip("torch", reason="PyTorch is not installed").from_numpy(numbers())
    for found, expected in zip(everything(run, x), everything(run, numbers()), strict=True):
        assert same(found, expected), expected


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_images_and_points(package):
    module = pytest.importorskip(package, reason=f"{package} is not installed")
    convert = module.numpy.asarray if package == "jax" else module.from_numpy
    pixels = np.random.default_rng(0).integers(0, 256, size=(30, 6, 6), dtype=np.uint8)
    taken, plain = (eccentric.images(x).pixels for x in (convert(pixels), pixels))
    assert np.array_equal(taken, plain)
    runs = [eccentric.train(x, latent=2, epochs=1, threads=1, progress=False) for x in (convert(pixels), pixels)]
    assert np.array_equal(runs[0].encode(convert(pixels)), runs[1].encode(pixels))
    moved = [eccentric.simulate(x, steps=5, progress=False) for x in (convert(numbers()), numbers())]
    assert np.array_equal(moved[0].points, moved[1].points)


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_the_estimator(package):
    pytest.importorskip("sklearn")
    module = pytest.importorskip(package, reason=f"{package} is not installed")
    convert = module.numpy.asarray if package == "jax" else module.from_numpy
    x = numbers()
    found, plain = (eccentric.EccentricPCA(2, epochs=2, random_state=0).fit(a) for a in (convert(x), x))
    assert np.array_equal(found.transform(convert(x)), plain.transform(x))
    assert np.array_equal(found.inverse_transform(convert(x[:, :2])), plain.inverse_transform(x[:, :2]))
    assert found.score(convert(x)) == pytest.approx(plain.score(x), rel=1e-6)


def test_torch(run):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: its arrays are not tried")
    x = torch.from_numpy(numbers()).requires_grad_()
    assert floats(x).ctypes.data == x.data_ptr()  # no copy
    check_taken(x, numbers(), run)
    check_taken(x.bfloat16(), x.detach().bfloat16().float().numpy(), run)
    check_taken(x.T.contiguous().T, numbers(), run)
