"""explore.py: sliders, drop, link, two runs: the explorer's page as a person uses it.

usage: explore.py ECCENTRIC, in the directory of the runs (see page.py)"""
import json
import subprocess

import numpy as np
from page import (choose, decoded, eccentric, load, open_tab, pixels, position, press, run_tests, same, saved, slide, url)

one, two = url("one"), url("two")


def sliders(b):
    load(b, one)
    same(pixels(b), decoded([0] * 12))
    mean = pixels(b)
    # nothing comes from elsewhere
    foreign = b.run("performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !n.startsWith(location.origin))")
    assert foreign == [], foreign
    # strongest first, each with its share
    shares = b.run("Array.from(document.querySelectorAll('.component .share'), (e) => parseFloat(e.textContent))")
    explained = b.run("explorer.about.runs[0].explained")
    assert shares == sorted(shares, reverse=True) and np.allclose(shares, np.array(explained[:8]) * 100, atol=0.51), shares
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


def starts(b):
    """The mean, a random sample, an item; reset goes back there, undo step by step."""
    load(b, one)
    press = lambda name: b.run(f"document.getElementById({name!r}).click()")
    assert b.run("document.getElementById('reset').disabled && document.getElementById('undo').disabled")
    press("random")
    b.wait("explorer.view.origin.kind === 'random'", "a random sample")
    b.run("explorer.idle()")
    random = position(b)
    assert any(random)
    same(pixels(b), decoded(random))
    slide(b, 1, 0.5)
    slide(b, 2, -2)
    assert "moved" in b.run("document.getElementById('origin').textContent")
    press("reset")
    b.run("explorer.idle()")
    assert np.allclose(position(b), random) and b.run("document.getElementById('reset').disabled")
    same(pixels(b), decoded(random))
    press("undo")  # the reset itself
    b.run("explorer.idle()")
    assert position(b)[2] == -2
    press("undo")
    assert position(b)[1] == 0.5 and abs(position(b)[2] - random[2]) < 1e-6
    open_tab(b, "items")
    b.run("document.querySelectorAll('#panel-items .picture')[4].click()")
    b.wait("explorer.view.origin.item === 4", "item 4")
    b.run("explorer.idle()")
    same(pixels(b), decoded(position(b)))
    same(pixels(b, "#original canvas"), pixels(b, "#panel-items .picture canvas", 4))
    press("mean")
    assert not any(position(b))


def keyboard(b):
    load(b, one)
    b.run("document.getElementById('slider-1').focus()")
    for _ in range(3):
        b.key("ArrowRight")
    assert abs(position(b)[1] - 0.3) < 1e-6, position(b)
    b.key("ArrowLeft", modifiers=8)
    assert abs(position(b)[1] - 0.29) < 1e-6, position(b)
    b.run("explorer.idle()")
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


def strips_wait(b):
    """While a slider moves, no strip is asked for: the picture comes first."""
    load(b, one)
    for _ in range(20):
        asked, longest = b.run("""(async () => {
            const real = window.fetch, sizes = [];
            window.fetch = (...a) => { if (String(a[0]).includes('decode')) sizes.push(a[1].body.length / explorer.about.d); return real(...a); };
            const s = document.getElementById('slider-0');
            let longest = 0, last = performance.now();
            for (let i = 0; i < 30; i++) {
                s.value = 0.1 * i; s.dispatchEvent(new Event('input'));
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
                await new Promise((r) => setTimeout(r, 5)); await explorer.frames.idle();
            }
            const moving = sizes.slice();
            longest = Math.max(longest, performance.now() - last);
            await explorer.idle();
            window.fetch = real;
            return [[moving, sizes.length], longest];
        })()""")
        # on a busy machine, a pause between two moves may be long enough for a slider at rest
        if longest < 60:
            break
        b.run("explorer.goMean()")
        b.run("explorer.idle()")
    assert longest >= 60 or set(asked[0]) == {1} and asked[1] > len(asked[0]), asked


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
    b.wait("document.getElementById('status').textContent.includes('is not a PNG')", "a sentence")
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
    # every part of the view is in it, also what is nothing in particular, and another address puts all of it back
    load(b, one)
    shown = lambda: b.run("""[document.querySelector('select[aria-label="Colour by"]').value, document.querySelectorAll('.component').length,
        document.querySelector('select[aria-label="Horizontal component"]').value, document.querySelector('select[aria-label="Vertical component"]').value,
        document.querySelector('[role=tab][aria-selected=true]').id, document.querySelectorAll('.legend button').length]""")
    usual = shown()
    assert usual == ["label", 8, "0", "1", "tab-map", 10], usual
    choose(b, 'select[aria-label="Colour by"]', "one")
    choose(b, 'select[aria-label="Horizontal component"]', 4)
    choose(b, 'select[aria-label="Vertical component"]', 2)
    b.run("document.getElementById('more').click()")
    b.run("document.querySelector('.zoom button').click()")
    open_tab(b, "samples")
    other, address = shown(), b.run("explorer.flushLink()")
    assert other == ["one", 12, "4", "2", "tab-samples", 0], other
    load(b, address)
    assert shown() == other, shown()
    b.run("(() => { location.hash = '#p=' + Array(12).fill(1).join(); })()")
    b.wait("explorer.view.position[0][11] === 1", "the other address")
    b.run("explorer.idle()")
    assert shown() == usual and "at=" not in b.run("explorer.flushLink()"), (shown(), b.run("explorer.flushLink()"))
    # a damaged link is the mean, not a broken page
    load(b, one + "#p=1,2,NaN&x=p99&colour=nothing&tab=nowhere&item=-3&sliders=x&at=a")
    assert not any(position(b))


def take_along(b):
    """Numbers, a link, PNG, npy and latent: what is taken along is what is shown."""
    load(b, one)
    slide(b, 0, 1.5)
    slide(b, 5, -0.75)
    b.run("(() => { globalThis.copied = null; navigator.clipboard.writeText = async (text) => { copied = text; }; })()")
    b.run("document.getElementById('copy').click()")
    b.wait("copied !== null", "the numbers")
    assert [float(v) for v in b.run("copied").split(", ")] == [1.5, 0, 0, 0, 0, -0.75] + [0] * 6, b.run("copied")
    # without permission, the old way
    b.run("""(() => { copied = null; navigator.clipboard.writeText = async () => { throw new Error('no'); };
        document.addEventListener('copy', () => { copied = document.activeElement.value; }, {once: true}); })()""")
    press(b, "#link")
    b.wait("copied !== null", "the link")
    address = b.run("copied")
    assert [b.run("document.getElementById('status').textContent")] == ["Link copied"]
    name, latent = saved(b, "[data-save=latent]")
    assert name == "run-latent.npy", name
    open("page-latent.npy", "wb").write(latent)
    subprocess.run([eccentric, "decode", "run", "page-latent.npy", "--out", "again.npy", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    same(pixels(b), np.rint(np.clip(np.load("again.npy")[0], 0, 1) * 255).astype(np.uint8))
    name, floats = saved(b, "[data-save=npy]")
    open("page-x.npy", "wb").write(floats)
    assert name == "run.npy" and np.abs(np.load("page-x.npy") - np.load("again.npy")).max() < 1e-5
    name, png = saved(b, "[data-save=png]")
    shown = b.run(f"""(async () => {{
        const bytes = Uint8Array.from({json.dumps(list(png))}), image = await createImageBitmap(new Blob([bytes]));
        const canvas = document.createElement('canvas');
        canvas.id = 'read';
        canvas.width = image.width;
        canvas.height = image.height;
        canvas.getContext('2d').drawImage(image, 0, 0);
        document.body.append(canvas);
        return true;
    }})()""")
    assert name == "run.png" and shown and (pixels(b, "#read") == pixels(b)).all()
    before, picture = position(b), pixels(b)
    load(b, address)
    assert np.allclose(position(b), before, atol=1e-4)
    same(pixels(b), picture)


def samples(b):
    """On demand, of a seed, cut off where wanted."""
    load(b, one)
    open_tab(b, "samples")
    def places():
        found = []
        for i in range(0, 60, 6):
            b.run(f"document.querySelectorAll('#panel-samples .picture')[{i}].click()")
            found.append(position(b))
        return np.array(found)
    free = places()
    choose(b, "#panel-samples label:nth-of-type(2) select", "1")
    cut = places()
    assert np.abs(free).max() > 1.2 and np.abs(cut).max() <= 1.001 and np.abs(cut).max() > 0.5, (np.abs(free).max(), np.abs(cut).max())
    first = pixels(b, "#panel-samples .picture canvas", 0)
    b.run("document.querySelector('#panel-samples button.main').click()")
    b.run("explorer.idle()")
    assert (pixels(b, "#panel-samples .picture canvas", 0) != first).any()
    choose(b, "#panel-samples input[type=number]", "1")
    assert (pixels(b, "#panel-samples .picture canvas", 0) == first).all(), "a seed gives the same again"
    # a sphere has nothing to truncate: 1 is still chosen, and nothing is refused
    choose(b, "#panel-samples label:nth-of-type(1) select", "sphere")
    assert b.run("document.querySelector('#panel-samples label:nth-of-type(2) select').disabled")
    assert np.abs(places()).max() > 1.2
    choose(b, "#panel-samples label:nth-of-type(1) select", "gaussian")
    assert (pixels(b, "#panel-samples .picture canvas", 0) == first).all()
    # one request on its way, one waiting, and the pictures say the seed that they are of
    asked = b.run("""(async () => {
        const real = window.fetch;
        let count = 0;
        window.fetch = (...a) => { count += String(a[0]).includes('sample'); return real(...a); };
        const button = document.querySelector('#panel-samples button.main');
        for (let i = 0; i < 20; i++) button.click();
        await explorer.idle();
        document.querySelector('#panel-samples .picture').click();
        window.fetch = real;
        return [count, explorer.view.origin.seed];
    })()""")
    assert asked == [0 if one.startswith("file:") else 2, 21], asked


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
    middle = position(b)
    b.run("(() => { const s = document.querySelector('#panel-path > input'); s.value = 1; s.dispatchEvent(new Event('input')); })()")
    end = position(b)
    b.run("(() => { const s = document.querySelector('#panel-path > input'); s.value = 0; s.dispatchEvent(new Event('input')); })()")
    assert np.allclose(middle, (np.array(end) + position(b)) / 2, atol=1e-5) and not np.allclose(end, position(b))
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
    target = b.run("part('api.js').then((m) => m.getJson('targets')).then((list) => list[3])")
    lengths, inside, beside = np.array(b.run("explorer.about.runs[0].deviations")), np.array(target["inside"]), np.array(target["beside"])
    way = (inside - beside) * lengths
    start = way @ (-beside * lengths) / (way @ way)
    assert np.allclose(position(b), (1 - start) * (inside - beside), atol=1e-4)
    same(pixels(b), decoded(position(b)))
    # a chip brings its component's slider
    b.run("document.querySelector('.chip').click()")
    assert b.run("document.activeElement.id").startswith("slider-")


def paths(b):
    """The page's ways between places are those of `eccentric sample --path`: ecc_interpolate."""
    load(b, one)
    deviations = np.array(b.run("explorer.about.runs[0].deviations"))
    r = np.random.default_rng(2)
    x, y = r.normal(size=(2, 12))
    for t in (0, 0.3, 1):
        for turning in (False, True):
            way = np.array(b.run(f"part('path.js').then((m) => m.between({x.tolist()}, {y.tolist()}, {deviations.tolist()}, {t}, {str(turning).lower()}))"))
            a, c = x * deviations, y * deviations
            if turning:
                la, lc = np.linalg.norm(a), np.linalg.norm(c)
                angle = np.arccos(a @ c / la / lc)
                expected = ((1 - t) * la + t * lc) * (np.sin((1 - t) * angle) * a / la + np.sin(t * angle) * c / lc) / np.sin(angle)
            else:
                expected = (1 - t) * a + t * c
            assert np.allclose(way * deviations, expected, atol=1e-9), (t, turning)


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
    # each run's own files, and the numbers of both
    for r, run in enumerate(("run", "other")):
        name, floats = saved(b, "[data-save=npy]", r)
        open("two.npy", "wb").write(floats)
        assert name == run + ".npy"
        same(np.rint(np.clip(np.load("two.npy")[0], 0, 1) * 255).astype(np.uint8), decoded(after[r], run))
        name, latent = saved(b, "[data-save=latent]", r)
        open("two.npy", "wb").write(latent)
        c = np.load(f"{run}/components.npz")
        assert name == run + "-latent.npy"
        assert np.allclose(np.load("two.npy")[0], c["mean"] + after[r] * np.sqrt(c["eigenvalues"]) @ c["components"], atol=1e-4)
    b.run("(() => { globalThis.copied = null; navigator.clipboard.writeText = async (text) => { copied = text; }; })()")
    b.run("document.getElementById('copy').click()")
    b.wait("copied !== null", "the numbers")
    assert np.allclose([[float(v) for v in line.split(", ")] for line in b.run("copied").splitlines()], after, atol=1e-4)
    # a link brings both back
    address = b.run("explorer.flushLink()")
    load(b, address)
    assert np.allclose([position(b, r) for r in (0, 1)], after, atol=1e-4)
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


run_tests(sliders, starts, keyboard, newest_wins, strips_wait, drop, link, take_along, views, samples,
          paths, gone, two_runs, shapes)
