"""Training from Python and what comes out: the same numbers as the command's, bytes, errors, Ctrl-C."""

import copy
import json
import os
import pickle
import signal
import subprocess
import threading
import time
import warnings

import numpy as np
import pytest

import eccentric
from eccentric import _explore

from .conftest import bent


def program():
    try:
        return _explore.program()
    except FileNotFoundError as error:
        pytest.skip(str(error))


def test_a_table(run, table):
    assert run.is_table and run.shape == (5,) and run.latent == 2
    assert run.columns == ["a", "b", "c", "d", "e"]
    assert run.training.items == 108 and run.training.unseen.items == 12
    assert run.training.unseen.items_are == "test"
    z = run.encode(table)
    assert z.shape == (120, 2) and z.dtype == np.float32
    back = run.decode(z)
    assert np.allclose(back, run.reconstruct(table))
    share = 1 - ((back - table) ** 2).sum() / ((table - table.mean(0)) ** 2).sum()
    assert share > 0.8
    assert "Run(latent=2" in repr(run)


def test_what_is_measured(run, table):
    found = run.measure(table)
    assert np.array_equal(found.z, run.encode(table))
    c = run.components(explained=True)
    assert np.allclose(found.p, c.project(found.z))
    assert np.allclose(found.t2, (found.p**2 / c.eigenvalues).sum(1), rtol=1e-3)
    assert 0.5 < c.of_mean + c.of_data.sum() <= 1
    limits = run.limits()
    assert limits.t2[0] < limits.t2[1] and limits.items == 108
    assert limits.excess(2 * limits.t2[1], 0) == pytest.approx(2)
    meaning = run.meaning()
    assert meaning.columns == run.columns and meaning.change.shape == (2, 5)
    assert len(meaning.words) == 2 and "p1 " in repr(meaning)
    classified = run.classify(progress=False)
    assert classified.names == ["high", "low"]
    assert classified.confusion.sum() == classified.test_items == 12
    z, labels = run.latents()
    assert len(z) == 108 and set(labels) == {0, 1}


def test_missing_cells(run, table):
    gaps = table.copy()
    gaps[::3, 1] = np.nan
    found = eccentric.train(gaps, latent=2, epochs=20, threads=1, progress=False, hold_out=False)
    assert found.training.items == 120
    filled = found.reconstruct(gaps)
    assert np.isfinite(filled).all()
    with pytest.raises(ValueError, match="infinite"):
        found.encode(np.full((1, 5), np.inf))


def test_a_run_whose_array_is_gone(run, table):
    """It must not take another one for its own."""
    again = pickle.loads(pickle.dumps(run))
    for function in (again.limits, again.latents):
        with pytest.raises(ValueError, match="are not in memory any more: give data="):
            function(progress=False)
    assert again.limits(data=table, progress=False).items == len(table)
    z, labels = again.latents(table, progress=False)
    assert labels is None and np.allclose(z, run.encode(table), atol=1e-6)
    assert len(run.latents(progress=False)[0]) < len(table)


def test_samples(run, table):
    drawn = run.sample(500, seed=3)
    assert drawn.shape == (500, 5)
    assert np.abs(drawn.mean(0) - table.mean(0)).max() < 2 * table.std(0).max()
    assert np.allclose(run.sample(5, seed=3, first=10), drawn[10:15])
    assert run.sample(5, distribution="mixture").shape == (5, 5)


def test_images(image_run):
    found, images = image_run
    assert found.shape == (12, 12) and not found.is_table
    z = found.encode(images)
    assert found.decode(z).shape == images.shape
    assert np.array_equal(found.encode(images[:, None]), z)
    bytes_of = np.round(images * 255).astype(np.uint8)
    assert np.allclose(found.encode(bytes_of), z, atol=0.2)
    assert found.sample(3).shape == (3, 12, 12)
    with pytest.raises(ValueError, match="expected \\(1, 12, 12\\)"):
        found.encode(images[:, :6])


def test_bytes_pickles_and_directories(run, table, tmp_path):
    z = run.encode(table)
    again = eccentric.Run.from_bytes(run.to_bytes())
    assert np.array_equal(again.encode(table), z)
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert np.array_equal(other.encode(table), z)
        assert other.training == run.training
    run.save(tmp_path / "run")
    opened = eccentric.open_run(tmp_path / "run")
    assert np.array_equal(opened.encode(table), z)
    assert opened.columns == run.columns and opened.finished
    with pytest.raises(FileNotFoundError, match="does not exist, expected a run directory"):
        eccentric.open_run(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="not a"):
        eccentric.Run.from_bytes(b"nothing at all")
    opened.close()
    with pytest.raises(ValueError, match="closed"):
        opened.encode(table)


def test_a_row_gives_the_same_bits_anywhere(run, table):
    steady = run.steady()
    z = steady.encode(table)
    order = np.random.default_rng(0).permutation(len(table))
    assert np.array_equal(steady.encode(table[order]), z[order])
    assert np.array_equal(np.concatenate([steady.encode(table[i : i + 1]) for i in range(20)]), z[:20])
    assert np.allclose(z, run.encode(table), atol=1e-5)


def test_the_same_as_the_command(table, tmp_path):
    rows = table.astype(np.float32)
    np.save(tmp_path / "x.npy", rows)
    words = ["--latent", "2", "--epochs", "5", "--threads", "1", "--seed", "3", "--mu", "2", "--schedule", "constant"]
    command = [
        program(),
        "train",
        str(tmp_path / "x.npy"),
        *words,
        "--quiet",
        "--json",
        "--out",
        str(tmp_path / "run"),
    ]
    theirs = json.loads(subprocess.check_output(command))
    settings = {"latent": 2, "epochs": 5, "threads": 1, "seed": 3, "mu": 2, "schedule": "constant"}
    ours = eccentric.train(rows, progress=False, **settings)
    digits = 1e-14  # of JSON
    assert ours.training.error == pytest.approx(theirs["error"], rel=digits)
    assert ours.training.loss == pytest.approx(theirs["loss"], rel=digits)
    assert np.array_equal(ours.encode(rows), eccentric.open_run(tmp_path / "run").encode(rows))
    named = eccentric.train(str(tmp_path / "x.npy"), progress=False, **settings)
    assert named.training.error == ours.training.error


def test_double_precision_counts(table):
    far = table + 1e9
    found = eccentric.train(far, latent=2, epochs=5, threads=1, progress=False)
    near = eccentric.train(table, latent=2, epochs=5, threads=1, progress=False)
    assert np.allclose(found.mean - 1e9, near.mean, atol=1e-5)
    assert found.training.error == pytest.approx(near.training.error, rel=1e-3)


def test_wrong_settings(table):
    with pytest.raises(TypeError, match="no setting 'latents'"):
        eccentric.train(table, latents=2)
    with pytest.raises(ValueError, match="expected one of: constant, cosine, fall"):
        eccentric.train(table, schedule="linear")
    with pytest.raises(ValueError, match="expected a whole number"):
        eccentric.train(table, latent=2.5)
    with pytest.raises(ValueError, match="kll"):
        eccentric.train(table, regularizer="kll")
    with pytest.raises(ValueError, match="learning rate"):
        eccentric.train(table, lr=-1)
    with pytest.raises(OSError, match="nowhere"):
        eccentric.train("/nowhere/at/all.csv")
    with pytest.raises(ValueError, match="one for each item"):
        eccentric.train(table, labels=[1, 2])


def test_settings(table):
    found = eccentric.train(
        table, regularizer="sigreg", m="exact", latent=2, epochs=2, threads=1, average=0, progress=False
    )
    assert found.training.lambda_ != 1e-3  # its own default
    assert "lambda_" in eccentric.train.__doc__ and "final_lr" in eccentric.train.__doc__
    given = eccentric.train(table, lambda_=0.5, latent=2, epochs=2, threads=1, progress=False)
    assert given.training.lambda_ == 0.5
    paper = eccentric.train(table, preset="paper", latent=2, epochs=2, batch=16, threads=1, progress=False)
    assert paper.training.validation_items == 0


def test_a_callback_stops(table):
    steps = []

    def stop_at_seven(step):
        steps.append(step)
        return step.step < 7

    with pytest.warns(UserWarning, match="stopped after step 7"):
        found = eccentric.train(table, latent=2, threads=1, callback=stop_at_seven, progress=False)
    assert found.training.stopped and found.training.steps == 7
    assert found.encode(table).shape == (120, 2)
    assert steps[-1].rate > 0 and steps[-1].error > 0

    def fails(step):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        eccentric.train(table, latent=2, threads=1, callback=fails, progress=False)


def interrupt_soon():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_stops_with_what_there_is(tmp_path):
    x = bent(2000)
    for out in (None, tmp_path / "run"):
        thread = threading.Thread(target=interrupt_soon)
        thread.start()
        with pytest.warns(UserWarning, match="stopped"):
            found = eccentric.train(x, latent=2, epochs=1e6, patience=0, out=out, progress=False)
        thread.join()
        assert found.encode(x).shape == (2000, 2)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_threads_run_at_the_same_time(run, table):
    """ctypes releases the GIL, and a model takes one thread at a time."""
    found = [None] * 4

    def encode(i):
        found[i] = run.encode(table)

    workers = [threading.Thread(target=encode, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(z, found[0]) for z in found)


def test_frames(run, table):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(table, columns=["u", "v", "w", "x", "y"])
    found = eccentric.train(frame, latent=2, epochs=2, threads=1, progress=False)
    assert found.columns == ["u", "v", "w", "x", "y"]
    assert np.array_equal(found.encode(frame), found.encode(table))
    assert list(run.measure(table).to_frame().columns) == ["p1", "p2", "error", "T2", "Q"]
    assert "column" in run.meaning().to_frame().columns


def test_a_file_with_words(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["size,colour,weight"]
    for _ in range(60):
        size = rng.normal()
        lines.append(f"{size:.3f},{'red' if size > 0 else 'blue'},{size * 2 + rng.normal() / 9:.3f}")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = eccentric.train(tmp_path / "t.csv", latent=2, epochs=5, threads=1, progress=False, label="none")
    assert any("colour" in name for name in found.meaning().columns)


def test_explorer(run, image_run):
    from urllib.request import urlopen

    program()
    for found in (run, image_run[0]):
        with found.explore(open_browser=False) as explorer:
            page = urlopen(explorer.url)
            assert b"<html" in page.read().lower()
            # else a notebook shows an empty frame
            assert "frame-ancestors http://localhost:*" in page.headers["Content-Security-Policy"]
            assert explorer.url in explorer._repr_html_()
        assert explorer.process.poll() is not None
