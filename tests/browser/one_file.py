"""one_file.py: the page that needs no server: its nets are eccentric's own, and nothing is fetched.

usage: one_file.py ECCENTRIC, in the directory of the runs, with pages one.html and faces.html (see page.py)"""
import os
import subprocess

import numpy as np
from page import decoded, eccentric, load, pixels, position, run_tests, same, slide, url


def nets(b):
    """WebAssembly, plain JavaScript and `eccentric decode` give the same pictures."""
    found = []
    for words in ("", "?plain"):
        load(b, url("one") + words)
        slide(b, 0, 1.5)
        slide(b, 2, -2)
        same(pixels(b), decoded(position(b)))
        found.append(pixels(b))
    assert np.abs(found[0].astype(int) - found[1]).max() <= 1


def alone(b):
    """Nothing comes from anywhere else, and every tab works."""
    load(b, url("faces"))
    for tab in ("items", "samples", "grid", "path", "labels", "map"):
        b.run(f"explorer.choose({tab!r})")
        b.run("explorer.idle()")
    fetched = b.run("performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !n.startsWith('data:') && !n.startsWith('blob:'))")
    assert fetched == [], fetched


def small(b):
    """Weights of 16 and 8 bits: pictures within 1 and 8 of 255."""
    load(b, url("one"))
    slide(b, 1, 2)
    exact = pixels(b)
    for weights, most in (("float16", 1), ("int8", 8)):
        subprocess.run([eccentric, "export", "run", "--html", "small.html", "--weights", weights, "--items", "50", "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
        load(b, "file://" + os.path.abspath("small.html"))
        slide(b, 1, 2)
        assert np.abs(pixels(b).astype(int) - exact).max() <= most, (weights, np.abs(pixels(b).astype(int) - exact).max())


run_tests(nets, alone, small)
