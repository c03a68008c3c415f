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


def test_torch(run):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: its arrays are not tried")
    x = torch.from_numpy(numbers()).requires_grad_()
    assert floats(x).ctypes.data == x.data_ptr()  # no copy
    check_taken(x, numbers(), run)
    check_taken(x.bfloat16(), x.detach().bfloat16().float().numpy(), run)
    check_taken(x.T.contiguous().T, numbers(), run)
