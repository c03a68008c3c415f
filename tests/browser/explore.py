"""explore.py: sliders, map, drop, link, two runs: the explorer's page as a person uses it.

usage: explore.py ECCENTRIC ONE.json TWO.json, in the directory of the runs"""
import base64
import json
import os
import subprocess
import sys

import numpy as np
from devtools import Browser

eccentric, one, two = sys.argv[1], *(json.load(open(f))["url"] for f in sys.argv[2:4])
failed = []


def test(function):
    print(f"{function.__name__}:", end=" ", flush=True)
    browser = Browser(1400, 1000)
    try:
        browser.size(1400, 1000)
        function(browser)
        assert not browser.problems, browser.problems
        print("ok")
    except Exception as problem:  # every test is tried
        print("FAILED:", type(problem).__name__, problem)
        failed.append(function.__name__)
    finally:
        browser.close()


def load(b, url):
    b.open("about:blank")
    b.open(url)
    b.wait("document.documentElement?.dataset.ready === 'true'", "the page")
    b.run("explorer.idle()")


def pixels(b, selector="canvas.decoded", number=0):
    """The red channel of a canvas: [height, width]."""
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


def sliders(b):
    load(b, one)
    same(pixels(b), decoded([0] * 12))
    mean = pixels(b)
    slide(b, 0, 2)
    slide(b, 3, -1.5)
    assert np.allclose(position(b)[:4], [2, 0, 0, -1.5]), position(b)
    same(pixels(b), decoded(position(b)))
    assert (pixels(b) != mean).any()
    # the strip of a component is what its slider shows there
    strip = pixels(b, "canvas.strip")
    assert strip.shape == (28, 7 * 28)
    slide(b, 0, 3)
    same(strip[:, 6 * 28:], pixels(b))
    # undo goes back, redo forth; sliders follow
    b.run("document.getElementById('undo').click()")
    b.run("explorer.idle()")
    assert np.allclose(position(b)[:4], [2, 0, 0, -1.5]) and b.run("document.getElementById('slider-0').value") == "2"
    b.run("document.getElementById('redo').click()")
    assert position(b)[0] == 3
    # more sliders on demand, down to the last
    assert b.run("document.querySelectorAll('.component').length") == 8
    b.run("document.getElementById('more').click()")
    assert b.run("document.querySelectorAll('.component').length") == 12 and b.run("document.getElementById('more').hidden")
    b.run("document.getElementById('mean').click()")
    b.run("explorer.idle()")
    assert (pixels(b) == mean).all() and not any(position(b))


def keyboard(b):
    load(b, one)
    b.run("document.getElementById('slider-1').focus()")
    for _ in range(3):
        b.key("ArrowRight")
    assert abs(position(b)[1] - 0.3) < 1e-6, position(b)
    b.key("ArrowLeft", modifiers=8)
    assert abs(position(b)[1] - 0.29) < 1e-6, position(b)
    assert "0.29" in b.run("document.getElementById('slider-1').getAttribute('aria-valuetext')")
    b.key("0")
    assert position(b)[1] == 0
    b.key("r")
    b.wait("explorer.view.origin.kind === 'random'", "a random sample")
    b.key("z", modifiers=2)
    assert position(b)[1] == 0 and b.run("explorer.view.origin.kind") == "mean"
    # every control has a name that a screen reader can say
    nameless = b.run("""Array.from(document.querySelectorAll('button, input, select, [role=tab], canvas[tabindex]')).filter((e) =>
        !e.hidden && !(e.labels && e.labels.length && e.labels[0].textContent.trim()) && !e.getAttribute('aria-label')
        && !e.textContent.trim()).map((e) => e.outerHTML.slice(0, 80))""")
    assert nameless == [], nameless


def newest_wins(b):
    """A slider that moves faster than the server decodes never has more than one request on its way."""
    load(b, one)
    most = b.run("""(async () => {
        const real = window.fetch;
        let now = 0, most = 0, count = 0;
        window.fetch = async (...a) => {
            const decode = String(a[0]).includes('decode');
            if (decode) { now++; count++; most = Math.max(most, now); }
            try { return await real(...a); } finally { if (decode) now--; }
        };
        const s = document.getElementById('slider-0');
        for (let i = 0; i < 100; i++) { s.value = -3 + 0.06 * i; s.dispatchEvent(new Event('input')); if (i % 10 === 0) await new Promise((r) => setTimeout(r, 1)); }
        await explorer.idle();
        window.fetch = real;
        return [most, count];
    })()""")
    assert most[0] == 1 and most[1] < 100 + 8, most
    assert abs(position(b)[0] - 2.94) < 1e-5
    same(pixels(b), decoded(position(b)))


def map_of_items(b):
    load(b, one)
    box = b.run("(() => { const r = document.querySelector('canvas.map').getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()")
    middle = box[0] + box[2] / 2, box[1] + box[3] / 2
    coloured = b.run("""(() => { const c = document.querySelector('canvas.map'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        const seen = new Set(); for (let i = 0; i < d.length; i += 4) if (Math.max(d[i], d[i+1], d[i+2]) - Math.min(d[i], d[i+1], d[i+2]) > 60) seen.add(d[i] >> 5 << 6 | d[i+1] >> 5 << 3 | d[i+2] >> 5); return seen.size; })()""")
    assert coloured > 20, coloured
    # a click decodes that place
    b.mouse("mousePressed", middle[0] + 80, middle[1] - 60, 1)
    b.run("explorer.idle()")
    first = position(b)
    assert first[0] > 0.3 and first[1] > 0.2 and not any(first[2:]), first
    same(pixels(b), decoded(first))
    # dragging travels
    b.mouse("mouseMoved", middle[0] - 90, middle[1] + 30, 1)
    b.mouse("mouseReleased", middle[0] - 90, middle[1] + 30)
    b.run("explorer.idle()")
    then = position(b)
    assert then[0] < -0.3 and then[1] < -0.1, then
    # hovering shows an item
    columns = b.run("(async () => Promise.all([0, 1].map(async (k) => Array.from(new Float32Array(await (await fetch(`api/column?k=${k}`)).arrayBuffer())))))()")
    scale = (first[0] - then[0]) / 170
    item = int(np.argmin(np.hypot(np.array(columns[0]) - 1, np.array(columns[1]) - 1)))
    b.mouse("mouseMoved", middle[0] + columns[0][item] / scale, middle[1] - columns[1][item] / scale)
    b.wait("!document.querySelector('.tip').hidden", "the item under the pointer")
    assert b.run("document.querySelector('.tip').textContent").startswith(f"Item {item}"), b.run("document.querySelector('.tip').textContent")
    # zooming keeps the place under the pointer; a double click takes the item
    b.mouse("mouseWheel", *middle, deltaX=0, deltaY=-300)
    b.run("document.querySelector('canvas.map').focus()")
    b.key("Enter")
    b.wait("explorer.view.origin.kind === 'item'", "an item")
    # other axes, another colouring
    b.run("(() => { const s = document.querySelector('select[aria-label=\"Component across\"]'); s.value = 4; s.dispatchEvent(new Event('change')); })()")
    b.run("(() => { const s = document.querySelector('select[aria-label=\"Colour by\"]'); s.value = 'factor.0'; s.dispatchEvent(new Event('change')); })()")
    b.run("explorer.idle()")
    assert b.run("document.querySelector('.gradient') !== null")


def drop(b):
    load(b, one)
    b.run("explorer.goItem(5)")
    b.run("explorer.idle()")
    item, place = pixels(b, "#original canvas"), position(b)
    # the same picture as a file, dropped on the page, goes to the same place
    b.run("""(async () => {
        const blob = await new Promise((done) => document.querySelector('#original canvas').toBlob(done));
        explorer.goMean();
        const data = new DataTransfer();
        data.items.add(new File([blob], 'mine.png', {type: 'image/png'}));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    })()""")
    b.wait("explorer.view.origin.kind === 'own'", "the dropped image")
    b.run("explorer.idle()")
    assert np.allclose(position(b), place, atol=2e-3), np.abs(np.array(position(b)) - place).max()
    assert (pixels(b, "#original canvas") == item).all()
    # what is no image is said
    problems = len(b.problems)
    b.run("""(() => { const data = new DataTransfer(); data.items.add(new File(['no image'], 'x.png', {type: 'image/png'}));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); })()""")
    b.wait("document.getElementById('status').textContent.includes('neither')", "a sentence")
    del b.problems[problems:]  # the browser logs the 400


def link(b):
    load(b, one)
    slide(b, 2, 1.25)
    slide(b, 9 - 8, -0.5)
    b.run("explorer.choose('grid')")
    b.run("explorer.idle()")
    before, picture, address = position(b), pixels(b), b.run("explorer.flushLink()")
    assert "#" in address
    load(b, address)
    assert np.allclose(position(b), before, atol=1e-4) and b.run("!document.getElementById('panel-grid').hidden")
    same(pixels(b), picture)
    # a damaged link is the mean, not a broken page
    load(b, one + "#p=1,2,NaN&x=p99&colour=nothing&tab=nowhere&item=-3&sliders=x&at=a")
    assert not any(position(b))


def views(b):
    load(b, one)
    b.run("explorer.choose('items')")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('#panel-items .picture').length") == 100
    b.run("document.querySelectorAll('#panel-items .picture')[7].click()")
    b.wait("explorer.view.origin.item === 7", "item 7")
    b.run("explorer.keep()")
    b.run("explorer.choose('samples')")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('#panel-samples .picture').length") == 60
    b.run("document.querySelectorAll('#panel-samples .picture')[11].click()")
    b.run("explorer.idle()")
    same(pixels(b), pixels(b, "#panel-samples .picture canvas", 11))
    b.run("explorer.keep()")
    b.run("explorer.choose('path')")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('#panel-path .sheet .picture').length") == 9
    b.run("document.querySelectorAll('#panel-path .sheet .picture')[4].click()")
    b.run("explorer.idle()")
    same(pixels(b), pixels(b, "#panel-path .sheet canvas", 4))
    b.run("explorer.choose('grid')")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('#panel-grid .picture').length") == 16
    b.run("document.querySelectorAll('#panel-grid .picture')[2].click()")
    b.run("explorer.idle()")
    assert np.allclose(position(b)[:5], [1.5, -1.5, -1.5, -1.5, 0]), position(b)
    b.run("explorer.choose('labels')")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('.targets tbody tr').length") == 10
    # towards a label: the slider at 1 is where the mean of its items lies, along the line between the means
    b.run("document.getElementById('mean').click()")
    b.run("(() => { const s = document.getElementById('target-3'); s.value = 1; s.dispatchEvent(new Event('input')); })()")
    b.run("explorer.idle()")
    assert abs(float(b.run("document.getElementById('target-3').value")) - 1) < 0.02
    assert any(position(b))


def paths(b):
    """The page's ways between places are those of `eccentric sample --path`: ecc_interpolate."""
    load(b, one)
    deviations = np.array(b.run("explorer.about.runs[0].deviations"))
    r = np.random.default_rng(2)
    x, y = r.normal(size=(2, 12))
    for t in (0, 0.3, 1):
        for turning in (False, True):
            way = np.array(b.run(f"import('./path.js').then((m) => m.between({list(x)}, {list(y)}, {list(deviations)}, {t}, {str(turning).lower()}))"))
            a, c = x * deviations, y * deviations
            if turning:
                la, lc = np.linalg.norm(a), np.linalg.norm(c)
                angle = np.arccos(a @ c / la / lc)
                expected = ((1 - t) * la + t * lc) * (np.sin((1 - t) * angle) * a / la + np.sin(t * angle) * c / lc) / np.sin(angle)
            else:
                expected = (1 - t) * a + t * c
            assert np.allclose(way * deviations, expected, atol=1e-9), (t, turning)


def dots(b):
    """The graphics card's dots are those of the program that draws where there is none."""
    load(b, one)
    result = b.run("""(async () => {
        const {Raster} = await import('./raster.js'), {PointsGl} = await import('./points_gl.js');
        const xs = new Float32Array(400), ys = new Float32Array(400), rgb = new Uint8Array(1200), ids = new Int32Array(400);
        for (let i = 0; i < 400; i++) { xs[i] = Math.sin(7 * i) * 2; ys[i] = Math.cos(5 * i) * 2; rgb.set([(37 * i) % 256, (91 * i) % 256, 80], 3 * i); ids[i] = i % 3; }
        if (!document.createElement('canvas').getContext('webgl')) return null;
        const gl = new PointsGl(true);
        const worst = [];
        for (const picked of [null, 1]) {
            const images = [new Raster(), gl].map((drawer) => {
                drawer.resize(300, 260);
                drawer.points(xs, ys, rgb, {ox: 150, oy: 130, scale: 50, every: 1, radius: 2.5, ids, picked});
                const canvas = new OffscreenCanvas(300, 260), context = canvas.getContext('2d');
                context.fillRect(0, 0, 300, 260);
                context.drawImage(drawer.canvas, 0, 0);
                return context.getImageData(0, 0, 300, 260).data;
            });
            let sum = 0, seen = 0;
            images[0].forEach((v, i) => { if (i % 4 < 3) { sum += Math.abs(v - images[1][i]); seen += v; } });
            worst.push(sum / seen);
        }
        return worst;
    })()""")
    print("(no WebGL)" if result is None else "", end="")
    assert result is None or max(result) < 0.02, result


def gone(b):
    """A server that has ended is said, and the page lives on."""
    load(b, one)
    b.call("Network.enable")
    b.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    slide(b, 0, 1)
    assert "does not answer" in b.run("document.getElementById('status').textContent")
    b.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    slide(b, 0, 2)
    same(pixels(b), decoded(position(b)))
    b.problems.clear()  # the browser logs what it could not load


def two_runs(b):
    load(b, two)
    a = b.run("explorer.about.alignment")
    b.run("explorer.goItem(3)")
    b.run("explorer.idle()")
    for r, run in enumerate(("run", "other")):
        same(pixels(b, "canvas.decoded", r), decoded(position(b, r), run))
    before = [position(b, r) for r in (0, 1)]
    slide(b, 2, 1)
    after = [position(b, r) for r in (0, 1)]
    expected = before[1][a["partner"][2]] + a["sign"][2] * (after[0][2] - before[0][2])
    assert abs(after[1][a["partner"][2]] - expected) < 1e-5
    same(pixels(b, "canvas.decoded", 1), decoded(after[1], "other"))
    assert b.run("document.querySelectorAll('.component')[0].querySelectorAll('.strip').length") == 2


def shapes(b):
    """No width makes the page scroll sideways."""
    for width, height in ((390, 844), (820, 1100), (1280, 800), (1600, 1000)):
        b.size(width, height, 1, width < 500)
        b.dark(width == 390)
        load(b, one)
        for tab in ("map", "items", "samples", "grid", "path", "labels"):
            b.run(f"explorer.choose({tab!r})")
            b.run("explorer.idle()")
            wide = b.run("document.documentElement.scrollWidth")
            assert wide <= width, (width, tab, wide)


only = os.environ.get("ONLY")  # names of tests, with commas
for function in (sliders, keyboard, newest_wins, map_of_items, drop, link, views, paths, dots, gone, two_runs, shapes):
    if not only or function.__name__ in only.split(","):
        test(function)
sys.exit(1 if failed else 0)
