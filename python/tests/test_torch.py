"""EccentricLoss: the C code, the operator and the version in torch agree, with each other and with differences."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: eccentric.torch is not tested")

import eccentric  # noqa: E402
from eccentric.torch import EccentricLoss, _op  # noqa: E402
from eccentric.torch import _chunked as chunked  # noqa: E402

SETTINGS = [{}, {"mu": 3.0, "m": "exact"}, {"mu": 0.7, "m": 5.0, "pairs": "distinct"}]
OPERATOR = (1.0, 0, 0.0, False)


def latents(*shape, dtype=torch.float32, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype).requires_grad_()


def value_and_gradient(function, z):
    z.grad = None
    value = function(z)
    value.backward()
    return value.detach(), z.grad


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("n", "d"), [(2, 2), (100, 8), (300, 40)])
def test_the_c_code_and_torch_agree(settings, n, d):
    z, plain = latents(n, d), eccentric.loss(latents(n, d), gradient=True, **settings)
    value, dz = value_and_gradient(EccentricLoss(**settings), z)
    assert value.dtype == torch.float32 and value.shape == ()
    assert value.item() == np.float32(plain.loss)
    assert np.array_equal(dz.numpy(), plain.gradient)
    wide, dwide = value_and_gradient(EccentricLoss(**settings), z.detach().double().requires_grad_())
    assert wide.dtype == torch.float64
    assert value.item() == pytest.approx(wide.item(), rel=1e-5, abs=1e-6)
    torch.testing.assert_close(dz.double(), dwide, rtol=1e-5, atol=1e-7)


def test_chunks_of_rows_give_the_same(monkeypatch):
    z = latents(50, 3, dtype=torch.float64)
    value, dz = chunked.chunked_loss(z.detach(), 1.0, 9.0, False)
    bend = chunked.chunked_curvature(z.detach(), dz, 1.0, 9.0, False)
    monkeypatch.setitem(chunked.CHUNK, "cpu", 350)
    assert chunked.chunk_rows(z) == 7
    again, dagain = chunked.chunked_loss(z.detach(), 1.0, 9.0, False)
    torch.testing.assert_close((again, dagain), (value, dz))
    torch.testing.assert_close(chunked.chunked_curvature(z.detach(), dz, 1.0, 9.0, False), bend)


def test_of_float32_in_torch_too():
    """As a GPU computes it."""
    z = latents(500, 16)
    m = _op.m_of(16, *OPERATOR[:3])
    value, dz = chunked.chunked_loss(z.detach(), 1.0, m, False)
    expected, dexpected = value_and_gradient(EccentricLoss(), z)
    assert value.item() == pytest.approx(expected.item(), rel=1e-5)
    torch.testing.assert_close(dz, dexpected, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("shape", [(6, 3), (2, 5, 3)])
def test_derivatives_against_differences(settings, shape):
    loss, z = EccentricLoss(**settings), latents(*shape, dtype=torch.float64)
    assert torch.autograd.gradcheck(loss, z)
    assert torch.autograd.gradgradcheck(loss, z)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", [(9, 3), (4, 9, 3)])
def test_the_operator_keeps_the_rules(dtype, shape):
    torch.library.opcheck(torch.ops.eccentric.loss.default, (latents(*shape, dtype=dtype), *OPERATOR))


def test_second_derivatives_after_the_quick_way():
    z = latents(12, 4)
    (dz,) = torch.autograd.grad(EccentricLoss()(z), z, create_graph=True)
    (bend,) = torch.autograd.grad(dz.square().sum(), z)
    wide = z.detach().double().requires_grad_()
    (dwide,) = torch.autograd.grad(EccentricLoss()(wide), wide, create_graph=True)
    (expected,) = torch.autograd.grad(dwide.square().sum(), wide)
    torch.testing.assert_close(bend.double(), expected, rtol=1e-4, atol=1e-6)


def test_a_graph_twice():
    z = latents(12, 4)
    value = 0.5 * EccentricLoss()(z)
    value.backward(retain_graph=True)
    once = z.grad.clone()
    value.backward()
    torch.testing.assert_close(z.grad, 2 * once)


def test_compiled():
    z, loss = latents(40, 5), EccentricLoss()
    expected = value_and_gradient(lambda z: loss(torch.tanh(z)), z)
    compiled = torch.compile(lambda z: loss(torch.tanh(z)), fullgraph=True, backend="aot_eager", dynamic=True)
    torch.testing.assert_close(value_and_gradient(compiled, z), expected)
    other = latents(30, 5)
    found = value_and_gradient(compiled, other)
    torch.testing.assert_close(found, value_and_gradient(lambda z: loss(torch.tanh(z)), other))


def test_the_axis_that_repels():
    z = latents(3, 20, 4)  # [T, N, d]
    value, dz = value_and_gradient(EccentricLoss(), z)
    value, dz = value.clone(), dz.clone()
    alone = [EccentricLoss()(part) for part in z.detach()]
    assert value.item() == pytest.approx(torch.stack(alone).mean().item(), rel=1e-6)
    turned = z.detach().transpose(0, 1).requires_grad_()  # [N, T, d]
    other, dother = value_and_gradient(EccentricLoss(over=0), turned)
    assert other.item() == value.item()
    torch.testing.assert_close(dother.transpose(0, 1), dz)


def test_layouts_and_types():
    z = latents(30, 4)
    value, dz = value_and_gradient(EccentricLoss(), z)
    columns = z.detach().T.contiguous().T.requires_grad_()
    found, dfound = value_and_gradient(EccentricLoss(), columns)
    assert found.item() == value.item()
    torch.testing.assert_close(dfound, dz)
    for kind in (torch.bfloat16, torch.float16):
        short = z.detach().to(kind).requires_grad_()
        found, dshort = value_and_gradient(EccentricLoss(), short)
        assert found.dtype == torch.float32 and dshort.dtype == kind
        assert found.item() == pytest.approx(eccentric.loss(short.detach().float()).loss, rel=1e-6)


def test_autocast_computes_in_float32():
    net, x = torch.nn.Linear(6, 4), latents(30, 6)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = net(x)
        value = EccentricLoss()(z)
        wide = EccentricLoss()(z.detach().double())
    assert z.dtype == torch.bfloat16 and value.dtype == torch.float32
    assert value.item() == pytest.approx(wide.item(), rel=1e-5)
    value.backward()
    assert net.weight.grad.abs().sum() > 0


def test_what_is_wrong_is_said():
    loss = EccentricLoss()
    for z in (torch.zeros(1, 3), torch.zeros(1, 3).double(), torch.zeros(4, 1, 3)):
        with pytest.raises(ValueError, match="a sum over pairs of items, and the batch has 1"):
            loss(z)
    with pytest.raises(ValueError, match="d is 1, expected at least 2"):
        loss(torch.zeros(3, 1))
    with pytest.raises(ValueError, match=r"z has shape \(3,\)"):
        loss(torch.zeros(3))
    with pytest.raises(ValueError, match="expected floating point"):
        loss(torch.zeros(3, 3, dtype=torch.int64))
    with pytest.raises(ValueError, match="the axis of the d numbers"):
        EccentricLoss(over=2)(torch.zeros(2, 3, 4))
    with pytest.raises(ValueError, match="NaN"):
        loss(torch.full((3, 3), torch.nan))
    with pytest.raises(ValueError, match="mu"):
        EccentricLoss(mu=0.5)
    with pytest.raises(ValueError, match="expected one of: paper, exact"):
        EccentricLoss(m="papers")
    with pytest.raises(ValueError, match="expected one of: published, distinct"):
        EccentricLoss(pairs="all")


def test_described():
    assert repr(EccentricLoss(2, over=0)) == "EccentricLoss(mu=2, m='paper', pairs='published', over=0)"
    assert torch.nn.Sequential(EccentricLoss()).state_dict() == {}


def one_rank(rank, path, counts, x):
    """A linear layer as DistributedDataParallel trains it: this rank's items, the mean of the gradients."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", f"file://{path}/meet", rank=rank, world_size=len(counts))
    net = fixed_layer()
    wrapped = torch.nn.parallel.DistributedDataParallel(net)
    mine = x[sum(counts[:rank]) :][: counts[rank]]
    value = EccentricLoss(gather=True)(wrapped(mine))
    value.backward()
    torch.save((value.detach(), net.weight.grad), f"{path}/{rank}")
    torch.distributed.destroy_process_group()


def fixed_layer():
    torch.manual_seed(3)
    return torch.nn.Linear(5, 4)


@pytest.mark.parametrize("counts", [(20, 20), (25, 15)])
def test_two_processes_are_as_one(tmp_path, counts):
    x, net = latents(40, 5).detach(), fixed_layer()
    value = EccentricLoss(gather=True)(net(x))  # alone: no process group
    value.backward()
    torch.multiprocessing.spawn(one_rank, (str(tmp_path), counts, x), nprocs=2)
    for rank in range(2):
        found, dweight = torch.load(tmp_path / str(rank))
        assert found.item() == pytest.approx(value.item(), rel=1e-6)
        torch.testing.assert_close(dweight, net.weight.grad, rtol=1e-5, atol=1e-6)
