"""The loss in plain eager code: the way in Python, and the compiled one where build_native() has made it."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: eccentric.torch is not tested")

from torch.autograd import forward_ad  # noqa: E402

import eccentric  # noqa: E402
from eccentric.torch import EccentricLoss, _native, _quick  # noqa: E402

SETTINGS = [{}, {"mu": 3.0, "m": "exact"}, {"mu": 0.7, "m": 5.0, "pairs": "distinct"}]
NATIVE = _native.load()
OPERATOR = (1.0, 0, 0.0, False)


@pytest.fixture(params=["python", "native"], autouse=True)
def way(request, monkeypatch):
    if request.param == "native" and NATIVE is None:
        pytest.skip("eccentric.torch.build_native() was not called")
    found = NATIVE if request.param == "native" else _quick.in_python
    monkeypatch.setattr(_quick, "way", found)
    return found


def latents(*shape, dtype=torch.float32, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype).requires_grad_()


def gradient(value, z, **options):
    return torch.autograd.grad(value, z, **options)[0]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("n", "d"), [(2, 2), (100, 8), (300, 40)])
def test_value_and_gradient(settings, n, d):
    z = latents(n, d)
    expected = eccentric.loss(z, gradient=True, **settings)
    value = EccentricLoss(**settings)(z)
    assert value.item() == np.float32(expected.loss)
    assert np.array_equal(gradient(value, z).numpy(), expected.gradient)


def test_within_a_net():
    z, loss = latents(40, 5), EccentricLoss()
    h = torch.tanh(z)
    found = gradient(h.square().mean() + 0.25 * loss(h), z)
    wide = z.detach().double().requires_grad_()
    h = torch.tanh(wide)
    torch.testing.assert_close(
        found.double(), gradient(h.square().mean() + 0.25 * loss(h), wide), rtol=1e-5, atol=1e-7
    )


def test_second_derivatives():
    z = latents(12, 4)
    bend = gradient(gradient(EccentricLoss()(z), z, create_graph=True).square().sum(), z)
    wide = z.detach().double().requires_grad_()
    expected = gradient(gradient(EccentricLoss()(wide), wide, create_graph=True).square().sum(), wide)
    torch.testing.assert_close(bend.double(), expected, rtol=1e-4, atol=1e-6)


def test_a_graph_twice():
    z = latents(12, 4)
    value = 0.5 * EccentricLoss()(z)
    once = gradient(value, z, retain_graph=True).clone()
    torch.testing.assert_close(gradient(value, z), once)
    with pytest.raises(RuntimeError, match="second time"):
        gradient(value, z)


def test_without_a_gradient():
    z = latents(30, 3)
    expected = EccentricLoss()(z).item()
    with torch.no_grad():
        value = EccentricLoss()(z)
    assert value.item() == expected and not value.requires_grad
    with torch.inference_mode():
        assert EccentricLoss()(z).item() == expected
    assert EccentricLoss()(z.detach()).item() == expected


def test_what_goes_the_other_way(way):
    z = latents(6, 3)
    for other in (z.double(), z.half(), z.T, z[None], z[:1], z[:, :1], z.to("meta")):
        assert way(other, OPERATOR) is None
    with torch._subclasses.FakeTensorMode() as mode:
        assert way(mode.from_tensor(z), OPERATOR) is None
    assert torch.func.vmap(lambda part: part.sum() if way(part, OPERATOR) is None else 0)(z[None]).shape == (1,)


def test_errors_say_the_same():
    z = latents(5, 3).detach()
    z[3, 1] = float("nan")
    with pytest.raises(ValueError, match=r"z\[3, 1\] is NaN, expected finite latents"):
        EccentricLoss()(z)
    with pytest.raises(ValueError, match="sum over pairs of items, and the batch has 1"):
        EccentricLoss()(z[:1])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_no_forward_mode(dtype):
    z = latents(5, 3, dtype=dtype).detach()
    with forward_ad.dual_level(), pytest.raises(NotImplementedError):
        EccentricLoss()(forward_ad.make_dual(z, z))


def test_threads_at_the_same_time():
    loss, batches = EccentricLoss(), [latents(50 + 10 * k, 4, seed=k) for k in range(8)]

    def both(z):
        value = loss(z)
        return value.item(), gradient(value, z)

    expected = [both(z) for z in batches]
    with ThreadPoolExecutor(4) as pool:
        for (value, dz), (again, dagain) in zip(expected, pool.map(both, batches), strict=True):
            assert value == again and torch.equal(dz, dagain)


def test_settings_that_change(way):
    """More settings than plans are kept; larger and smaller batches."""
    z = latents(20, 3)
    for mu in np.linspace(1, 2, 20):
        for n in (20, 3, 11):
            expected = eccentric.loss(z[:n], mu=mu).loss
            assert EccentricLoss(mu=mu)(z[:n]).item() == np.float32(expected)


def test_copies():
    z, loss = latents(9, 3), EccentricLoss(mu=2.0)
    for other in (copy.deepcopy(loss), pickle.loads(pickle.dumps(loss))):
        assert other(z).item() == loss(z).item()
