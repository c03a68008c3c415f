"""What people do wrong gets one sentence that says what, and what to do."""

import os
import signal
import threading

import numpy as np
import pytest

import eccentric
from eccentric._library import has_pictures

SETTINGS = {"latent": 2, "epochs": 2, "threads": 1, "progress": False}


def rows(n=60):
    return np.random.default_rng(0).normal(size=(n, 4))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.arange(10.0), r"has shape \(10,\), expected a table \[n, columns\], or images"),
        (np.zeros((4, 1, 2, 2, 2)), r"has shape \(4, 1, 2, 2, 2\), expected a table"),
        (np.zeros((0, 5)), "of at least one item"),
        (np.array([["a", "b"]] * 9), "has the type <U1, expected numbers; a data frame or a CSV file may hold words"),
        (np.ones((50, 3)), "the array has no columns to learn from"),
        (np.full((50, 8, 8), 254.0), "pixels from 254 to 254, expected numbers from 0 to 1, or bytes"),
        (np.full((50, 8, 8), np.nan), "pixels from nan to nan, expected numbers from 0 to 1"),
        ([np.zeros((8, 8)), np.zeros((9, 8))], "the parts of a list have different shapes"),
        (np.full((9, 3), np.inf), "has an infinite number"),
    ],
)
def test_data(data, message):
    with pytest.raises(ValueError, match=message):
        eccentric.train(data, **SETTINGS)


def test_settings():
    with pytest.raises(TypeError, match=r"no setting 'latents' \(did you mean latent\?\)"):
        eccentric.train(rows(), latents=2)
    with pytest.raises(ValueError, match="latent is 'two', expected a number"):
        eccentric.train(rows(), latent="two")


def test_whole_numbers_are_bytes():
    x = np.random.default_rng(0).integers(0, 256, (40, 8, 8))
    run = eccentric.train(x, **SETTINGS)
    assert np.array_equal(run.encode(x), run.encode(x.astype(np.uint8)))
    with pytest.raises(ValueError, match="pixels from 0 to 255, expected numbers from 0 to 1"):
        run.encode(x * 1.0)


def test_a_run(tmp_path):
    run = eccentric.train(rows(), **SETTINGS)
    with pytest.raises(ValueError, match=r"x is 'x.csv', expected an array; run.latents\('x.csv'\) reads files"):
        run.encode("x.csv")
    with pytest.raises(ValueError, match=r"x has shape \(5, 3\), expected \[n, 4\]"):
        run.encode(np.zeros((5, 3)))
    with pytest.raises(ValueError, match="n is -1"):
        run.sample(-1)
    with pytest.raises(ValueError, match="the array has no labels, expected a class for each item"):
        run.classify(progress=False)
    with pytest.raises(FileNotFoundError, match="does not exist, expected a run directory"):
        eccentric.open_run(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError, match=r"cannot open 'nothing.csv'"):
        eccentric.train("nothing.csv", **SETTINGS)


@pytest.mark.skipif(not has_pictures, reason="this library has no pictures")
def test_options_are_keywords(tmp_path):
    for count in (1, 9):
        eccentric.images(np.zeros((count, 8, 8))).save_picture(tmp_path / f"{count}.png")
    with pytest.raises(ValueError, match="use size= to resize them, such as size="):
        eccentric.train(tmp_path, **SETTINGS)


def press(seconds):
    """Ctrl-C, after a while."""
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_a_simulation_keeps_what_it_has():
    press(0.5)
    with pytest.warns(UserWarning, match="these are the points so far"):
        found = eccentric.simulate(3000, 8, steps=100_000, tolerance=0, threads=1, progress=False)
    assert found.interrupted and found.points.shape == (3000, 8)


def test_no_key_is_lost():
    """Pressed in a call that is too short to notice it."""
    from eccentric._watch import Watch

    with pytest.raises(KeyboardInterrupt), Watch(False):
        signal.raise_signal(signal.SIGINT)
