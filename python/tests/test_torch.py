"""EccentricLoss: the C code, the operator and the version in torch agree, with each other and with differences.
Models: to a run directory and back."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: eccentric.torch is not tested")

from torch import nn  # noqa: E402

import eccentric  # noqa: E402
from eccentric.torch import Bypass, EccentricLoss, _op, load_run, save_run  # noqa: E402
from eccentric.torch import _chunked as chunked  # noqa: E402

SETTINGS = [{}, {"mu": 3.0, "m": "exact"}, {"mu": 0.7, "m": 5.0, "pairs": "distinct"}]
OPERATOR = (1.0, 0, 0.0, False)


def program():
    built = Path(__file__).resolve().parents[2] / "build" / "eccentric"
    named = os.environ.get("ECCENTRIC_PROGRAM", str(built))
    return named if Path(named).exists() else None


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


# ---- Runs ----------------------------------------------------------------------------------------------


def disturbed(net):
    """Batch norm as after a training."""
    for layer in net.modules():
        if isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d)):
            layer.running_mean.normal_()
            layer.running_var.uniform_(0.5, 2)
            if layer.affine:
                nn.init.normal_(layer.weight)
                nn.init.normal_(layer.bias)
    return net.eval()


def image_nets():
    torch.manual_seed(1)
    convolve = nn.Sequential(nn.Conv2d(8, 8, (4, 3), stride=2, padding=(1, 0)), nn.ReLU())
    first = [nn.ZeroPad2d(2), nn.Conv2d(1, 8, 5, bias=False), nn.BatchNorm2d(8, eps=1e-3), nn.LeakyReLU(0.1)]
    last = [nn.Flatten(), nn.Linear(8 * 14 * 13, 16), nn.BatchNorm1d(16, affine=False), nn.Linear(16, 4)]
    encoder = nn.Sequential(*first, nn.Dropout(), convolve, *last)
    up = [nn.ConvTranspose2d(4, 8, 7), nn.ReLU(), nn.ConvTranspose2d(8, 8, 4, stride=2, padding=1), nn.LeakyReLU(0.2)]
    decoder = nn.Sequential(nn.Unflatten(1, (4, 1, 1)), *up, nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Sigmoid())
    return disturbed(encoder), disturbed(decoder)


def table_nets(width=5):
    torch.manual_seed(1)
    encoder = nn.Sequential(nn.Linear(width, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
    return disturbed(encoder), nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.3), nn.Linear(16, width))


@torch.no_grad()
def check_same(run, encoder, decoder, x):
    z = encoder(x)
    y = decoder(z)
    assert np.abs(run.encode(x) - z.numpy()).max() < 1e-5 * (1 + z.abs().max().item())
    assert np.abs(run.decode(z).reshape(y.shape) - y.numpy()).max() < 1e-5 * (1 + y.abs().max().item())


def test_images_become_a_run_and_come_back(tmp_path):
    encoder, decoder = image_nets()
    run = save_run(encoder, decoder, "glyphs", tmp_path / "run", items=300, regularizer="eccentric", lambda_=0.01)
    x = torch.rand(20, 1, 28, 28)
    check_same(run, encoder, decoder, x)
    assert run.finished and run.latent == 4 and (tmp_path / "run" / "components.npz").exists()
    assert run.components().axes.shape == (4, 4)
    back = load_run(tmp_path / "run")
    assert all(isinstance(net, nn.Sequential) and not net.training for net in back)
    check_same(run, *back, x)
    check_same(save_run(*back, "glyphs", tmp_path / "again", items=300), encoder, decoder, x)
    with pytest.raises(FileExistsError, match="already holds a run"):
        save_run(encoder, decoder, "glyphs", tmp_path / "run")


def test_arrays_are_kept_in_the_run(tmp_path):
    encoder, decoder = image_nets()
    x = torch.rand(200, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    labels = torch.arange(200) % 3
    run = save_run(encoder, decoder, x, tmp_path / "run", labels=labels)
    check_same(run, encoder, decoder, x[:30])
    assert run.data == str(tmp_path / "run" / "data.npz")
    assert len(run.classify(progress=False).names) == 3


@pytest.mark.parametrize("standardized", [False, True])
def test_tables_in_their_own_units(tmp_path, table, standardized):
    encoder, decoder = table_nets()
    run = save_run(encoder, decoder, table, tmp_path / "run", columns=list("abcde"), standardized=standardized)
    assert run.columns == list("abcde")
    rows = torch.from_numpy(table).float()
    if standardized:
        scaled = ((table - run.mean) / run.deviation).astype(np.float32)
        with torch.no_grad():
            torch.testing.assert_close(torch.from_numpy(run.encode(table)), encoder(torch.from_numpy(scaled)))
    else:
        check_same(run, encoder, decoder, rows)
    back = load_run(tmp_path / "run")
    check_same(run, *back, rows)
    check_same(save_run(*back, table, tmp_path / "again"), *back, rows)


def test_our_own_trainings(tmp_path, table):
    images = np.random.default_rng(0).uniform(size=(150, 12, 12)).astype(np.float32)
    own = eccentric.train(images, latent=3, epochs=1, threads=1, progress=False)
    own.save(tmp_path / "images")
    check_same(own, *load_run(tmp_path / "images"), torch.from_numpy(images[:20, None]))
    bypassed = eccentric.train(table, latent=2, epochs=5, threads=1, progress=False)
    bypassed.save(tmp_path / "table")
    nets = load_run(tmp_path / "table")
    assert isinstance(nets[0][1], Bypass)
    check_same(bypassed, *nets, torch.from_numpy(table).float())
    check_same(save_run(*nets, table, tmp_path / "again"), *nets, torch.from_numpy(table).float())
    vae = eccentric.train(images, latent=3, epochs=1, regularizer="kl", threads=1, progress=False)
    vae.save(tmp_path / "vae")
    check_same(vae, *load_run(tmp_path / "vae"), torch.from_numpy(images[:20, None]))
    ball = eccentric.train(images, latent=3, epochs=1, regularizer="sphere", threads=1, progress=False)
    ball.save(tmp_path / "sphere")
    with pytest.raises(ValueError, match="the regularizer 'sphere'"):
        load_run(tmp_path / "sphere")


def test_what_a_run_does_not_have_is_named(tmp_path, table):
    encoder, decoder = table_nets()
    for layer, words in [
        (nn.Tanh(), r"encoder.4 is Tanh\(\), a layer that a run does not have; it has Sequential of Conv2d"),
        (nn.Conv2d(4, 4, 3, groups=2), "encoder.4 is Conv2d.*groups or dilation"),
        (nn.Conv2d(4, 4, 3, padding="same"), "padding other than a number of zeros"),
        (nn.ConvTranspose2d(4, 4, 3, stride=2, output_padding=1), "output_padding"),
        (nn.BatchNorm1d(2, track_running_stats=False), "without running statistics"),
        (nn.ZeroPad2d((1, 0, 1, 0)), "differs from side to side"),
        (nn.Unflatten(1, (2, 1)), "Unflatten other than"),
        (nn.Flatten(0), "Flatten other than"),
    ]:
        with pytest.raises(ValueError, match=words):
            save_run(nn.Sequential(*encoder, layer), decoder, "glyphs", tmp_path / "run")
    with pytest.raises(ValueError, match="decoder"):  # the library's own sentence: the shapes do not fit
        save_run(encoder, nn.Sequential(nn.Linear(2, 7)), table, tmp_path / "run", standardized=True)
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not program(), reason="the program eccentric is not built: ECCENTRIC_PROGRAM names it")
def test_the_commands_work_on_it(tmp_path):
    encoder, decoder = image_nets()
    for name in ("a", "b"):
        save_run(encoder, decoder, "glyphs", tmp_path / name, items=300)
    for words in (
        ["components", "a"],
        ["align", "a", "b", "--data", "glyphs:test", "--items", "50"],
        ["classify", "a", "--items", "200"],
        ["fid", "a", "glyphs:test", "--features", "pixels", "--items", "100"],
        ["report", "a"],
        ["encode", "a", "glyphs:test", "--items", "20", "--out", "z.npy"],
    ):
        done = subprocess.run([program(), *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stderr)


EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


def write_idx(path, array):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
    path.write_bytes(head + array.astype(np.uint8).tobytes())


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the examples are not here")
@pytest.mark.parametrize("name", ["classifier", "bigan", "recurrent"])
def test_the_examples_run(tmp_path, name):
    rng = np.random.default_rng(0)
    for part, count in (("train", 250), ("t10k", 100)):
        write_idx(tmp_path / f"{part}-images-idx3-ubyte", rng.integers(0, 256, (count, 28, 28)))
        write_idx(tmp_path / f"{part}-labels-idx1-ubyte", np.arange(count) % 10)
    words = [sys.executable, EXAMPLES / f"{name}.py", tmp_path, "--seeds", "1", "--epochs", "1"]
    paths = os.pathsep.join([str(Path(eccentric.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths})
    assert done.returncode == 0, done.stderr
    assert "\n| without | " in done.stdout and "\n| eccentric 0.01 | " in done.stdout
