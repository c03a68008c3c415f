"""map.py: the map of the explorer's page: clicks, dragging, hovering, panning and zooming, and its dots.

usage: map.py ECCENTRIC, in the directory of the runs (see page.py)"""
import numpy as np
from page import centre_of, decoded, load, pixels, position, run_tests, same, url

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
run_tests(map_of_items, pan_and_zoom, dots)
