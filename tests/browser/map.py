"""map.py: the map of the explorer's page: clicks, dragging, hovering, panning and zooming, its dots, its colours, and what is selected on it.

usage: map.py ECCENTRIC, in the directory of the runs (see page.py)"""
import numpy as np
from page import centre_of, choose, decoded, load, open_tab, pixels, position, run_tests, same, saved, url

one = url("one")


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
    columns = b.run("(async () => Promise.all([0, 1].map(async (k) => Array.from(new Float32Array(await (await part('api.js')).getBytes(`column?k=${k}`))))))()")
    scale = (first[0] - then[0]) / 170
    item = int(np.argmin(np.hypot(np.array(columns[0]) - 1, np.array(columns[1]) - 1)))
    b.mouse("mouseMoved", middle[0] + columns[0][item] / scale, middle[1] - columns[1][item] / scale)
    b.wait("!document.querySelector('.tip').hidden", "the item under the pointer")
    assert b.run("document.querySelector('.tip').textContent").startswith(f"Item {item}"), b.run("document.querySelector('.tip').textContent")
    # a double click takes the item
    for clicks in (1, 2):
        for kind, buttons in (("mousePressed", 1), ("mouseReleased", 0)):
            b.mouse(kind, middle[0] + columns[0][item] / scale, middle[1] - columns[1][item] / scale, buttons, clicks)
    b.wait("explorer.view.origin.kind === 'item'", "an item")
    assert b.run("explorer.view.origin.item") == item
    # and so does Enter on the nearest one, after zooming and going elsewhere
    b.mouse("mouseWheel", *middle, deltaX=0, deltaY=-300)
    b.mouse("mousePressed", *middle, 1)
    b.mouse("mouseReleased", *middle)
    assert b.run("explorer.view.origin.kind") == "place"
    b.run("document.querySelector('canvas.map').focus()")
    b.key("Enter")
    b.wait("explorer.view.origin.kind === 'item'", "the nearest item")
    assert b.run("explorer.view.origin.item") == int(np.argmin(np.hypot(*columns)))
    # other axes, another colouring
    b.run("(() => { const s = document.querySelector('select[aria-label=\"Horizontal component\"]'); s.value = 4; s.dispatchEvent(new Event('change')); })()")
    b.run("(() => { const s = document.querySelector('select[aria-label=\"Colour by\"]'); s.value = 'factor.0'; s.dispatchEvent(new Event('change')); })()")
    b.run("explorer.idle()")
    assert b.run("document.querySelector('.gradient') !== null")


def pan_and_zoom(b):
    """Shift and dragging pan by as much as the pointer moves; the wheel zooms around it; a link restores it; so do two fingers."""
    load(b, one)
    x, y = centre_of(b, "canvas.map")
    b.run("""globalThis.at = () => { const words = new URLSearchParams(new URL(explorer.flushLink()).hash.slice(1)).get('at'); return words?.split(',').map(Number); }""")
    dots = lambda: (b.run("explorer.idle()"), pixels(b, "canvas.map"))[1]
    still = dots()
    assert b.run("at()") is None
    b.mouse("mousePressed", x, y, 1, modifiers=8)
    b.mouse("mouseMoved", x + 60, y + 40, 1, modifiers=8)
    b.mouse("mouseReleased", x + 60, y + 40, modifiers=8)
    panned, (cx, cy, scale) = dots(), b.run("at()")
    assert abs(cx * scale + 60) < 0.5 and abs(cy * scale - 40) < 0.5, (cx, cy, scale)
    # the picture has moved by as much, apart from axes and their names
    inner = np.s_[130:-130, 130:-130]
    moved = np.roll(still, (40, 60), (0, 1))[inner]
    assert (np.abs(panned[inner].astype(int) - moved) > 24).mean() < 0.02
    assert not any(position(b)), "panning is no travelling"
    b.mouse("mouseWheel", x + 50, y - 30, deltaX=0, deltaY=-200)
    b.run("explorer.idle()")
    zx, zy, zoomed = b.run("at()")
    assert zoomed > 1.2 * scale and abs(cx + 50 / scale - (zx + 50 / zoomed)) < 0.01 and abs(cy + 30 / scale - (zy + 30 / zoomed)) < 0.01
    picture, address = dots(), b.run("explorer.flushLink()")
    load(b, address)
    assert (np.abs(dots().astype(int) - picture) > 24).mean() < 0.01
    b.run("document.querySelector('.zoom button:last-child').click()")
    assert (np.abs(dots().astype(int) - still) > 24).mean() < 0.01
    # two fingers, twice as far apart
    finger = lambda kind, *points: b.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)])
    finger("touchStart", (x - 40, y), (x + 40, y))
    finger("touchMove", (x - 60, y), (x + 60, y))
    finger("touchMove", (x - 80, y), (x + 80, y))
    finger("touchEnd")
    b.run("globalThis.at = () => new URLSearchParams(new URL(explorer.flushLink()).hash.slice(1)).get('at')?.split(',').map(Number)")
    b.wait("at() !== undefined", "the fingers")
    assert b.run("at()")[2] > 1.5 * scale, (b.run("at()"), scale)


def dots(b):
    """The graphics card's dots are those of the program that draws where there is none."""
    load(b, one)
    result = b.run("""(async () => {
        const {Raster} = await part('raster.js'), {PointsGl} = await part('points_gl.js');
        const xs = new Float32Array(400), ys = new Float32Array(400), rgb = new Uint8Array(1200), ids = new Int32Array(400);
        for (let i = 0; i < 400; i++) { xs[i] = Math.sin(7 * i) * 2; ys[i] = Math.cos(5 * i) * 2; rgb.set([(37 * i) % 256, (91 * i) % 256, 80], 3 * i); ids[i] = i % 3; }
        if (!document.createElement('canvas').getContext('webgl')) return null;
        const gl = new PointsGl(true);
        const worst = [];
        for (const front of [null, 1]) {
            const images = [new Raster(), gl].map((drawer) => {
                drawer.resize(300, 260);
                drawer.points(xs, ys, rgb, {ox: 150, oy: 130, scale: 50, radius: 2.5, ids, front, faint: 0.2});
                const canvas = new OffscreenCanvas(300, 260), context = canvas.getContext('2d');
                context.fillRect(0, 0, 300, 260);
                context.drawImage(drawer.canvas, 0, 0);
                return context.getImageData(0, 0, 300, 260).data;
            });
            let sum = 0, seen = 0;
            images[0].forEach((v, i) => { if (i % 4 < 3) { sum += Math.abs(v - images[1][i]); seen += v; } });
            worst.push(sum / seen);
        }
        // in parts, as between frames, or at once
        const parts = new Raster(), whole = new Raster(), how = {ox: 150, oy: 130, scale: 50, radius: 2.5, ids, front: 1, faint: 0.2};
        parts.resize(300, 260);
        whole.resize(300, 260);
        parts.begin(xs, ys, rgb, how);
        while (!parts.step(0));
        whole.points(xs, ys, rgb, how);
        const [a, c] = [parts, whole].map((r) => r.context.getImageData(0, 0, 300, 260).data);
        worst.push(a.some((v, i) => v !== c[i]) ? 1 : 0);
        return worst;
    })()""")
    print("(no WebGL)" if result is None else "", end="")
    assert result is None or max(result) < 0.02, result


dots.webgl = True


def columns_of(b):
    """The items along all components: [count, d]."""
    return np.array(b.run("(async () => { const {column} = await part('latents.js'); return Promise.all(Array.from({length: explorer.about.d}, async (_, k) => Array.from(await column(k)))); })()")).T


def selected(b):
    b.run("explorer.idle()")
    return np.array(b.run("(async () => (await part('selection.js')).selectedItems())()"), int)


def drag(b, *points):
    b.mouse("mousePressed", *points[0], 1)
    for point in points[1:]:
        b.mouse("mouseMoved", *point, 1)
    b.mouse("mouseReleased", *points[-1])


def use(b, mode):
    b.run(f"document.querySelector('input[name=drag][value={mode}]').click()")


def selection(b):
    """A box selects what is in it; the rest is grey; mean, spectrum and what separates it are as NumPy says; so are ids; undo and links."""
    load(b, one)
    p, (x, y) = columns_of(b), centre_of(b, "canvas.map")
    colourful = "(() => { const c = document.querySelector('canvas.map'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) if (Math.max(d[i], d[i+1], d[i+2]) - Math.min(d[i], d[i+1], d[i+2]) > 60) n++; return n; })()"
    use(b, "box")
    drag(b, (x - 70, y + 60), (x, y), (x + 90, y - 80))
    items = selected(b)
    (left, low), (right, high) = b.run("explorer.view.selection.points")
    assert left < 0 < right and low < 0 < high and not any(position(b)), "a box does not travel"
    expected = np.flatnonzero((p[:, 0] >= left) & (p[:, 0] <= right) & (p[:, 1] >= low) & (p[:, 1] <= high))
    assert 20 < len(expected) < 500 and np.array_equal(items, expected), (len(items), len(expected))
    assert b.run("document.querySelector('.selection h3').textContent").startswith(f"{len(items)} of 600 items")
    # the mean image is that of the items themselves
    pictures = np.array(b.run(f"(async () => {{ const {{readItems}} = await part('api.js'), found = []; for (const i of {items.tolist()}) found.push(Array.from(new Uint8Array(await readItems([i])))); return found; }})()"))
    assert np.abs(pixels(b, ".means canvas", 0).ravel() - pictures.mean(0)).max() <= 0.51
    # its spectrum, beside that of all
    scales = np.array(b.run("explorer.about.runs[0].deviations"))
    shown = b.run("(async () => { const {spectrumOf} = await part('spectrum.js'), {firstColumns} = await part('latents.js'), {selectedItems} = await part('selection.js'); return spectrumOf(await firstColumns(), explorer.about.runs[0].deviations, selectedItems()); })()")
    own = np.linalg.eigvalsh(np.cov((p[items] * scales).T, bias=True))[::-1]
    assert np.allclose(shown, own, rtol=1e-4, atol=1e-6 * own[0]), (shown, own)
    share = own.sum() / np.cov((p * scales).T, bias=True).trace()
    assert f"{100 * share:.0f}% of the variance" in b.run("document.querySelector('.spectrum-words').textContent"), share
    # what separates it: the lines are sorted, without the axes; means are those of the items
    lines = b.run("Array.from(document.querySelectorAll('.separates tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")
    bits = [float(line[3]) for line in lines]
    assert bits == sorted(bits, reverse=True) and not {"p1", "p2"} & {line[0] for line in lines}, lines
    outside = np.setdiff1d(np.arange(600), items)
    for name, here, elsewhere, _ in lines:
        if name.startswith("p"):
            k = int(name[1:]) - 1
            assert abs(float(here.replace("−", "-")) - p[items, k].mean()) < 0.006 and abs(float(elsewhere.replace("−", "-")) - p[outside, k].mean()) < 0.006, (name, here)
    # ids
    name, text = saved(b, "#select-csv")
    head, *rows = text.decode().splitlines()
    assert (name, head) == ("selection.csv", "item,label") and [int(row.split(",")[0]) for row in rows] == items.tolist()
    # its mean as a place
    b.run("document.getElementById('select-mean').click()")
    b.run("explorer.idle()")
    assert np.allclose(position(b), p[items].mean(0), atol=1e-4)
    # only these in the list of items
    open_tab(b, "items")
    b.run("document.querySelector('#panel-items input[type=checkbox]').click()")
    b.run("explorer.idle()")
    assert b.run("document.querySelector('.pager output').textContent").endswith(f" of {len(items)}")
    open_tab(b, "map")
    # other axes keep it; a link holds it; undo takes it back
    choose(b, 'select[aria-label="Horizontal component"]', 3)
    assert np.array_equal(selected(b), items)
    some = b.run(colourful)
    link = b.run("explorer.flushLink()")
    b.run("document.getElementById('select-none').click()")
    assert len(selected(b)) == 0 and some < 0.9 * b.run(colourful), "all but the selection is grey"
    load(b, link)
    assert np.array_equal(selected(b), items) and b.run("!document.querySelector('.selection').hidden")
    load(b, one)
    use(b, "box")
    drag(b, (x - 70, y + 60), (x + 90, y - 80))
    assert len(selected(b)) > 0
    b.run("explorer.state.undo()")
    assert len(selected(b)) == 0 and b.run("document.querySelector('.selection').hidden")
    b.run("explorer.state.redo()")
    assert np.array_equal(selected(b), items)
    b.mouse("mousePressed", x, y, 1)
    b.mouse("mouseReleased", x, y)
    assert len(selected(b)) == 0, "a click selects nothing"


def lasso(b):
    """A lasso around half a circle; a long line has few points in the link, and selects nearly the same."""
    load(b, one)
    p, (x, y) = columns_of(b), centre_of(b, "canvas.map")
    use(b, "lasso")
    drag(b, *[(x + 110 * np.cos(t), y - 110 * np.sin(t)) for t in np.linspace(0, np.pi, 90)])
    items = selected(b)
    scale = b.run("Math.min(document.querySelector('canvas.map').clientWidth, document.querySelector('canvas.map').clientHeight) / 7.4")
    expected = np.flatnonzero((np.hypot(p[:, 0], p[:, 1]) < 110 / scale) & (p[:, 1] > 0))
    assert len(expected) > 50 and len(np.setxor1d(items, expected)) <= 0.05 * len(expected) + 2, (len(items), len(expected))
    link = b.run("explorer.flushLink()")
    assert len(link.split("select=")[1].split("&")[0]) < 700 and len(b.run("explorer.view.selection.points")) <= 40, link
    load(b, link)
    assert np.array_equal(selected(b), items)
    for wrong in ("1,2,3", "1,99,0,0,1,1", "1,2,a,0,1,1", "0,1,0,0,1,1"):
        load(b, f"{one}#select={wrong}")
        assert len(selected(b)) == 0, wrong


def keys(b):
    """A box by keys, with words for those who cannot see it."""
    load(b, one)
    p = columns_of(b)
    b.run("document.querySelector('canvas.map').focus()")
    b.key("b")
    for key in ["ArrowRight"] * 8 + ["ArrowUp"] * 9:
        b.key(key)
    b.wait("/^Box with \\d+ items/.test(document.getElementById('status').textContent)", "words on the box")
    b.key("Enter")
    items, (px, py) = selected(b), position(b)[:2]
    expected = np.flatnonzero((p[:, 0] >= 0) & (p[:, 0] <= px) & (p[:, 1] >= 0) & (p[:, 1] <= py))
    assert len(expected) > 5 and len(np.setxor1d(items, expected)) <= 2, (len(items), len(expected))
    assert b.run("document.getElementById('status').textContent").startswith(f"Selected: {len(items)} of 600 items"), b.run("document.getElementById('status').textContent")
    b.key("Escape")
    assert len(selected(b)) == 0
    b.key("b")
    b.key("ArrowRight")
    b.key("Escape")
    b.key("Enter")
    b.wait("explorer.view.origin.kind === 'item'", "Enter to mean the nearest item again")


def selected_rows(b):
    """Of a table: rows have the numbers of their file; columns separate them, with their means."""
    load(b, url("homes"))
    b.run("explorer.state.select({axes: [0, 1], points: [[0.2, -3], [3, 3]]})")
    items = selected(b)
    assert len(items) > 20
    rows = np.array(b.run("(async () => { const {itemNumber} = await part('items_data.js'), {selectedItems} = await part('selection.js'); return selectedItems().map(itemNumber); })()"))
    assert saved(b, "#select-csv")[1].decode().split() == ["row", *map(str, rows)]
    file = [line.split(",") for line in open("homes.csv").read().splitlines()]
    sizes = np.array([float(file[row][0]) for row in rows])
    lines = {r[0]: r[1:] for r in b.run("Array.from(document.querySelectorAll('.separates tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")}
    assert abs(float(lines["size"][0]) - sizes.mean()) < 0.6, (lines, sizes.mean())
    assert "size" in b.run("document.querySelector('.means .card').textContent")
    b.run("Array.from(document.querySelectorAll('.separates button')).find((e) => e.textContent === 'size').click()")
    b.run("explorer.idle()")
    assert b.run("document.querySelector('.legend').textContent").startswith("size: ")


def pictures(b):
    """Pictures of the items, where there is room: always, never, or when most have room; none overlaps another; they are the items'."""
    load(b, one)
    p = columns_of(b)
    choice = 'select[aria-label="Pictures on the map"]'
    # where the pictures are drawn, and of what
    b.run("""(async () => { const {Thumbs} = await part('thumbs.js'), draw = Thumbs.prototype.draw, layout = Thumbs.prototype.layout;
        Thumbs.prototype.layout = function (...a) { const so = layout.apply(this, a); globalThis.laid = {...so, wide: this.wide, high: this.high}; return so; };
        Thumbs.prototype.draw = function (...a) { const so = draw.apply(this, a); globalThis.drawnItems = so; return so; }; })()""")
    choose(b, choice, "never")
    plain = pixels(b, "canvas.map")
    assert b.run("drawnItems.length") == 0
    choose(b, choice, "always")
    placed, wide, high = b.run("[laid.placed.map((t) => [t.x, t.y, t.item]), laid.wide, laid.high]")
    assert len(placed) > 30 and b.run("drawnItems.length") == len(placed), len(placed)
    for n, (x, y, _) in enumerate(placed):
        for u, v, _ in placed[:n]:
            assert abs(x - u) >= wide or abs(y - v) >= high, "two overlap"
    assert (np.abs(pixels(b, "canvas.map").astype(int) - plain) > 24).mean() > 0.05
    # one that lies within the map is the picture of its item
    width, height = b.run("[document.querySelector('canvas.map').clientWidth, document.querySelector('canvas.map').clientHeight]")
    x, y, item = next(t for t in placed if 60 < t[0] < width - 160 and 60 < t[1] < height - 60 and np.hypot(t[0] - width / 2, t[1] - height / 2) > 60)
    picture = pixels(b, "canvas.map")[round(y - high / 2) + 3:round(y + high / 2) - 3, round(x - wide / 2) + 3:round(x + wide / 2) - 3]
    own = np.array(b.run(f"(async () => Array.from(new Uint8Array(await (await part('api.js')).readItems([{int(item)}]))))()")).reshape(28, 28)
    small = own[np.linspace(0, 27, picture.shape[0]).astype(int)][:, np.linspace(0, 27, picture.shape[1]).astype(int)]
    assert np.corrcoef(picture.ravel(), small.ravel())[0, 1] > 0.8, np.corrcoef(picture.ravel(), small.ravel())
    # a link keeps the choice; by zoom they come when there is room for most
    load(b, b.run("explorer.flushLink()"))
    assert b.run(f"document.querySelector({choice!r}).value") == "always"
    load(b, one)
    b.run("(async () => { const {Thumbs} = await part('thumbs.js'), draw = Thumbs.prototype.draw; Thumbs.prototype.draw = function (...a) { return globalThis.drawnItems = draw.apply(this, a); }; })()")
    counts = []
    for _ in range(9):
        b.run("document.querySelector('.zoom button').click()")
        b.run("explorer.idle()")
        counts.append(b.run("drawnItems.length"))
    assert counts[0] == 0 and counts[-1] > 0, counts
    # of a selection only its own
    choose(b, choice, "always")
    b.run("document.querySelector('.zoom button:last-child').click()")
    b.run("explorer.state.select({axes: [0, 1], points: [[0, 0], [2, 2]]})")
    items = selected(b)
    b.run("explorer.idle()")
    assert b.run("drawnItems.length") > 3 and set(b.run("drawnItems")) <= set(items.tolist())


def neighbours(b):
    """The items nearest in latent space, over all components, with their distances; of an item not itself; they follow; a link keeps them open."""
    load(b, one)
    z = columns_of(b) * np.array(b.run("explorer.about.runs[0].deviations"))
    b.run("document.querySelector('.neighbours summary').click()")
    found = "Array.from(document.querySelectorAll('.near li'), (e) => [Number(e.querySelector('button').title.match(/Item (\\d+)/)[1]), Number(e.querySelector('span').textContent)])"
    for item in (None, 5, 77):
        if item is not None:
            b.run(f"explorer.goItem({item})")
        b.run("explorer.idle()")
        far = np.linalg.norm(z - (0 if item is None else z[item]), axis=1)
        order = [i for i in np.argsort(far, kind="stable") if i != item][:12]
        shown = b.run(found)
        assert [i for i, _ in shown] == order, (item, shown, order)
        assert np.allclose([v for _, v in shown], far[order], atol=0.0051)
    load(b, b.run("explorer.flushLink()"))
    b.run("explorer.idle()")
    assert [i for i, _ in b.run(found)] == order
    b.run("document.querySelectorAll('.near button')[0].click()")
    b.wait(f"explorer.view.origin.item === {order[0]}", "the nearest item")
    load(b, url("homes") + "#near=1")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('.near .card').length") == 12


def items_in_order(b):
    """Images farthest from the mean come first; those that are files are found by their names, which go into the CSV."""
    load(b, one)
    far = (columns_of(b) ** 2).sum(1)
    open_tab(b, "items")
    choose(b, "select[aria-label='Order of the items']", "t2")
    first = [int(t.split()[1].strip(",")) for t in b.run("Array.from(document.querySelectorAll('#panel-items .picture'), (e) => e.title)")]
    assert first == np.argsort(-far, kind="stable")[:100].tolist(), first[:5]
    load(b, url("faces"))
    names = b.run("(async () => { const {fileName} = await part('items_data.js'); return Array.from({length: explorer.about.items.count}, (_, i) => fileName(i)); })()")
    assert len(set(names)) == len(names) and all(name.endswith((".png", ".jpg")) for name in names), names[:3]
    open_tab(b, "items")
    part = names[30][:4]
    b.run(f"(() => {{ const s = document.querySelector('#panel-items input[type=search]'); s.value = {part!r}; s.dispatchEvent(new Event('input')); }})()")
    b.run("explorer.idle()")
    found = b.run("Array.from(document.querySelectorAll('#panel-items .picture'), (e) => e.title)")
    assert found == [name for name in names if part in name][:100] and 0 < len(found) < len(names), (part, found)
    b.run("explorer.state.select({axes: [0, 1], points: [[0, 0], [3, 3]]})")
    items = selected(b)
    rows = saved(b, "#select-csv")[1].decode().split()
    assert rows == ["item,file", *(f"{i},{names[i]}" for i in items)], rows[:3]


def elsewhere(b):
    """Latents from elsewhere: a map with all of it, and nothing of a decoder; with images or without."""
    z = np.load("own.npy")
    for name in ("own", "bare"):
        load(b, url(name))
        assert b.run("Array.from(document.querySelectorAll('[role=tab]'), (e) => e.textContent)") == ["Map", "Items"]
        assert "there is no decoder" in b.run("document.getElementById('alone').textContent")
        assert b.run("['components', 'random', 'keep'].every((id) => document.getElementById(id).hidden) && !document.querySelector('canvas.decoded')")
        # its components are the principal components of these latents
        p = columns_of(b)
        variances = np.linalg.eigvalsh(np.cov(z.T, bias=True))[::-1]
        assert np.allclose(np.array(b.run("explorer.about.runs[0].deviations")) ** 2, variances, rtol=0.02), variances
        far = lambda q: np.linalg.norm(q[:, None] - q[None], axis=2)
        assert np.allclose(far(p * np.array(b.run("explorer.about.runs[0].deviations"))), far(z), atol=1e-3)
        b.run("explorer.goItem(7)")
        b.run("document.querySelector('.neighbours summary').click()")
        b.run("explorer.idle()")
        near = [int(t.split()[1].strip(",")) for t in b.run("Array.from(document.querySelectorAll('.near button'), (e) => e.title)")]
        assert near == [i for i in np.argsort(far(z)[7], kind="stable") if i != 7][:12], near
        b.run("explorer.state.select({axes: [0, 1], points: [[-9, 0.2], [9, 9]]})")
        assert len(selected(b)) > 10
        assert b.run("document.querySelectorAll('.means canvas').length") == (1 if name == "own" else 0)
        open_tab(b, "items")
        assert b.run("document.querySelectorAll('#panel-items .picture').length") == 100
        assert b.run("document.querySelector('#panel-items .picture').textContent") == ("" if name == "own" else "Item 0")
    load(b, url("own"))
    assert b.run("explorer.about.items.classes") == ["blue", "green", "red"] and b.run("explorer.about.items.numbers") == ["weight"]
    b.run("explorer.state.select({axes: [0, 1], points: [[-9, -9], [0, 9]]})")
    items = selected(b)
    lines = {r[0]: r[1:] for r in b.run("Array.from(document.querySelectorAll('.separates tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")}
    weights = np.array([float(line.split(",")[1]) for line in open("own.csv").read().split()[1:]])
    assert abs(float(lines["weight"][0].replace("−", "-")) - weights[items].mean()) < 0.01, lines


def words(b):
    """Words that are known of the items: colours with a legend, gaps, a link, hovering, what separates a selection, and items of one word."""
    load(b, url("own"))
    towns = [line.split(",")[2] for line in open("own.csv").read().split()[1:]]
    names = sorted(set(towns) - {""})
    assert len(names) == 12 and b.run("explorer.about.items.words") == [{"name": "home_town", "levels": names}]
    choose(b, 'select[aria-label="Colour by"]', "words.0")
    assert b.run("Array.from(document.querySelectorAll('.legend button'), (e) => e.textContent)") == [*names, "missing"]
    marks = b.run("Array.from(document.querySelectorAll('.legend .dot'), (e) => [e.className, e.style.getPropertyValue('--tone')].join())")
    assert len(set(marks)) == 13, marks
    before = pixels(b, "canvas.map")
    b.run("document.querySelectorAll('.legend button')[3].click()")
    b.run("explorer.idle()")
    assert (pixels(b, "canvas.map") != before).any(), "the others grow faint"
    item = towns.index(names[3])
    b.run(f"explorer.goItem({item})")
    b.run("explorer.idle()")
    place = b.run("(() => { const m = new DOMMatrix(getComputedStyle(document.querySelector('.mark')).transform), r = document.querySelector('canvas.map').getBoundingClientRect(); return [r.left + m.e, r.top + m.f]; })()")
    b.mouse("mouseMoved", *place)
    b.wait("!document.querySelector('.tip').hidden", "the item under the pointer")
    found = b.run("document.querySelector('.tip').textContent")
    assert found.startswith(f"Item {item}, ") and found.endswith(f", home town {names[3]}"), found
    load(b, b.run("explorer.flushLink()"))
    assert b.run("document.querySelector('select[aria-label=\"Colour by\"]').value") == "words.0"
    b.run("explorer.state.select({axes: [0, 1], points: [[-9, -9], [0, 9]]})")
    items = selected(b)
    lines = b.run("""(async () => { const {levelsOf} = await part('items_data.js'); return Array.from(await levelsOf(0)); })()""")
    assert lines == [names.index(t) if t else 12 for t in towns]
    here = {r[0]: r[1:3] for r in b.run("Array.from(document.querySelectorAll('.separates tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))") if r[0].startswith("home town = ")}
    assert here, "some of twelve towns is more frequent here"
    for name, (inside, _) in here.items():
        share = np.mean([towns[i] == name.split(" = ")[1] for i in items])
        assert abs(float(inside.strip("%")) - 100 * share) < 0.51, (name, inside, share)
    open_tab(b, "items")
    choose(b, "#panel-items select", "0.3")
    assert b.run("document.querySelectorAll('#panel-items .picture').length") == towns.count(names[3])
    choose(b, "#panel-items select", "1")
    assert b.run("document.querySelectorAll('#panel-items .picture').length") == b.run("explorer.idle().then(() => part('map.js')).then((m) => m.itemLabels().filter((l) => l === 1).length)")
    choose(b, "#panel-items select", "")
    assert b.run("document.querySelectorAll('#panel-items .picture').length") == 100


def density(b):
    """Of too many dots their density: as many in each place as there are; dots again where few are in sight; a choice that links keep."""
    load(b, url("many"))
    choice = 'select[aria-label="Items on the map"]'
    b.run("""(async () => { const {Density} = await part('density.js'), begin = Density.prototype.begin;
        Density.prototype.begin = function (...a) { globalThis.dense = (globalThis.dense ?? 0) + 1; return begin.apply(this, a); }; })()""")
    zoom = lambda times, which: (b.run(f"for (let i = 0; i < {times}; i++) document.querySelectorAll('.zoom button')[{which}].click()"), b.run("explorer.idle()"))
    zoom(1, 0)
    assert b.run("dense") > 0, "120,000 items in sight"
    zoom(8, 0)
    few = b.run("dense")
    zoom(1, 1)
    assert b.run("dense") == few, "few of them in sight"
    choose(b, choice, "density")
    assert b.run("dense") > few
    link = b.run("explorer.flushLink()")
    assert "as=density" in link
    load(b, link)
    assert b.run(f"document.querySelector({choice!r}).value") == "density"
    load(b, url("many") + "#as=nothing")
    assert b.run(f"document.querySelector({choice!r}).value") == "number"
    # what is drawn, beside counts by NumPy; in parts or at once
    p = columns_of(b)
    seen = b.run("""(async () => {
        const {Density} = await part('density.js'), {column} = await part('latents.js'), [xs, ys] = [await column(0), await column(1)];
        const rgb = new Uint8Array(3 * xs.length).fill(90), ids = Uint8Array.from(xs, (x) => x > 0 ? 1 : 0), made = [];
        for (const front of [null, 1]) for (const pause of [Infinity, 0]) {
            const d = new Density();
            d.resize(200, 160, 2);
            d.begin(xs, ys, rgb, {ox: 100, oy: 80, scale: 30, ids, front, faint: 0.3});
            while (!d.step(pause));
            made.push(Array.from(d.context.getImageData(0, 0, 100, 80).data).filter((_, i) => i % 4 === 3));
        }
        return made;
    })()""")
    assert seen[0] == seen[1] and seen[2] == seen[3]
    counts = np.histogram2d(np.floor(40 - p[:, 1] * 15), np.floor(50 + p[:, 0] * 15), [np.arange(81), np.arange(101)])[0]
    for side in (0, 1):
        padded = np.pad(counts, [(1, 1) if axis == side else (0, 0) for axis in (0, 1)], mode="edge")
        take = lambda first: padded[first:first + 80] if side == 0 else padded[:, first:first + 100]
        counts = (take(0) + 2 * take(1) + take(2)) / 4
    expected = 255 * np.minimum(1, 4 * counts) * (0.2 + 0.8 * np.log1p(counts) / np.log1p(counts.max())) * (counts > 0)
    # the page has single precision: an item on an edge may be in the next cell
    off = np.abs(np.array(seen[0]).reshape(80, 100) - expected)
    assert np.median(off) <= 1 and (off > 3).mean() < 0.01, (np.median(off), (off > 3).mean())
    greyer = np.array(seen[2]).reshape(80, 100)
    assert greyer[:, :45].max() < 0.35 * 255 and greyer[:, 60:].max() == 255


run_tests(map_of_items, pan_and_zoom, dots, density, selection, lasso, keys, selected_rows, pictures, neighbours, items_in_order, elsewhere, words)
