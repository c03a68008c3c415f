#!/usr/bin/env python3
"""latency.py URL|PAGE.html: how long a moved slider takes to its decoded picture on the page, in headless Chromium (software
rendering), and what is in it: of a server's page the request alone, of a page without one the net alone.  Median, 90% and 99% of
200 moves, in milliseconds, as JSON.  Wants a quiet machine, or `chrt -r 1` before it (root)."""
import json
import os
import sys

from devtools import Browser

url = sys.argv[1] if "://" in sys.argv[1] else "file://" + os.path.abspath(sys.argv[1])
# what decodes one place, without the page
alone = "(await import('page/inside.js')).answer('decode?run=0', {body: new Float32Array(explorer.about.d)})" if url.startswith("file:") else \
    "(await fetch('api/decode', {method: 'POST', body: new Float32Array(explorer.about.d)})).arrayBuffer()"
browser = Browser(1400, 900)
try:
    browser.open(url)
    browser.wait("document.documentElement?.dataset.ready === 'true'", "the page")
    browser.run("explorer.idle()")
    print(json.dumps(browser.run("""(async () => {
        const slider = document.getElementById('slider-0'), whole = [], frame = [], request = [];
        // as a hand does: a move with each frame, in the frame's own time
        const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
        for (let i = 0; i < 200; i++) {
            await nextFrame();
            const start = performance.now();
            slider.value = -3 + 0.03 * i;
            slider.dispatchEvent(new Event('input'));
            await explorer.frames.idle();
            whole.push(performance.now() - start);
            frame.push(explorer.speed.last);
        }
        for (let i = 0; i < 200; i++) {
            await nextFrame();
            const start = performance.now();
            await ALONE;
            request.push(performance.now() - start);
        }
        const figures = (t) => { t.sort((x, y) => x - y); return {median: t[100], p90: t[180], p99: t[198]}; };
        return {move_to_picture: figures(whole), frame: figures(frame), alone: figures(request)};
    })()""".replace("ALONE", alone))))
finally:
    browser.close()
