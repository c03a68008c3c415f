"""page.py: what the tests of the explorer's page share.

Tests are started as FILE.py ECCENTRIC, in a directory with runs and, for each server, its address in NAME.json."""
import base64
import json
import os
import subprocess
import sys
import traceback

import numpy as np
from devtools import Browser

eccentric = sys.argv[1]


def url(name):
    return json.load(open(name + ".json"))["url"]


def test(function):
    print(f"{function.__name__}:", end=" ", flush=True)
    browser = Browser(1400, 1000, webgl=getattr(function, "webgl", False))
    try:
        browser.size(1400, 1000)
        function(browser)
        assert not browser.problems, browser.problems
        print("ok", flush=True)
        return True
    except Exception as problem:  # every test is tried
        where = [f for f in traceback.extract_tb(problem.__traceback__) if f.name == function.__name__]
        print("FAILED:", type(problem).__name__, problem, *(f"at line {f.lineno}: {f.line}" for f in where), flush=True)
        return False
    finally:
        browser.close()


def run_tests(*functions):
    only, without = os.environ.get("ONLY"), os.environ.get("WITHOUT", "")  # names of tests, with commas
    wanted = [f for f in functions if (not only or f.__name__ in only.split(",")) and f.__name__ not in without.split(",")]
    sys.exit(0 if all([test(f) for f in wanted]) else 1)


def load(b, address):
    b.open("about:blank")
    b.open(address)
    b.wait("document.documentElement?.dataset.ready === 'true'", "the page")
    b.run("explorer.idle()")
    b.run("explorer.state.say.patience = 1e9")    # sentences stay until the test has looked
    # a module of the page, from the server or from the page itself
    b.run("window.part = (name) => import((document.getElementById('inside') ? 'page/' : './') + name); 0")


def pixels(b, selector="canvas.decoded", number=0):
    """A canvas: its red channel, [height, width], which is all there is of a grey image."""
    data = b.run(f"""(() => {{
        const c = document.querySelectorAll({selector!r})[{number}];
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let s = '';
        for (let i = 0; i < d.length; i += 4) s += String.fromCharCode(d[i]);
        return [c.width, c.height, btoa(s)];
    }})()""")
    return np.frombuffer(base64.b64decode(data[2]), np.uint8).reshape(data[1], data[0])


def decoded(position, run="run"):
    """What `eccentric decode` makes of amounts, as bytes."""
    c = np.load(f"{run}/components.npz")
    p = np.float32(position).astype(float) * np.sqrt(c["eigenvalues"])
    np.save("z.npy", (c["mean"] + p @ c["components"]).astype(np.float32)[None])
    subprocess.run([eccentric, "decode", run, "z.npy", "--out", "x.npy", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return np.rint(np.clip(np.load("x.npy")[0], 0, 1) * 255).astype(np.uint8)


def position(b, run=0):
    return b.run(f"Array.from(explorer.view.position[{run}])")


def same(a, b):
    # the plan for one latent and that for a hundred may round the last bit of a float differently
    assert a.shape == b.shape and np.abs(a.astype(int) - b).max() <= 1 and (a != b).mean() < 0.01, np.abs(a.astype(int) - b).max()


def slide(b, k, value):
    b.run(f"(() => {{ const s = document.getElementById('slider-{k}'); s.value = {value};"
          " s.dispatchEvent(new Event('input', {bubbles: true})); })()")
    b.run("explorer.idle()")


def choose(b, selector, value):
    """A choice in a select, or an entry in a field."""
    b.run(f"(() => {{ const s = document.querySelector({selector!r}); s.value = {str(value)!r}; s.dispatchEvent(new Event('change')); }})()")
    b.run("explorer.idle()")


def open_tab(b, name):
    b.run(f"explorer.choose({name!r})")
    b.run("explorer.idle()")


def centre_of(b, selector, number=0):
    left, top, width, height = b.run(f"(() => {{ const r = document.querySelectorAll({selector!r})[{number}].getBoundingClientRect();"
                                     " return [r.left, r.top, r.width, r.height]; })()")
    return left + width / 2, top + height / 2


def press(b, selector):
    """As a person does, which counts for what a page may do."""
    x, y = centre_of(b, selector)
    b.mouse("mousePressed", x, y, 1)
    b.mouse("mouseReleased", x, y)


def saved(b, selector, number=0):
    """The name and the bytes of the file that a button saves."""
    name, data = b.run(f"""(async () => {{
        const make = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
        let blob = null, name = null;
        URL.createObjectURL = (b) => {{ blob = b; return 'data:,'; }};
        HTMLAnchorElement.prototype.click = function () {{ name = this.download; }};
        document.querySelectorAll({selector!r})[{number}].click();
        for (let i = 0; i < 5000 && name === null; i++) await new Promise((done) => setTimeout(done, 20));
        URL.createObjectURL = make;
        HTMLAnchorElement.prototype.click = click;
        return [name, btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())))];
    }})()""")
    return name, base64.b64decode(data)
