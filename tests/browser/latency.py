#!/usr/bin/env python3
"""latency.py URL: how long a moved slider takes to its decoded picture on the page, in headless Chromium (software
rendering), and the request alone.  Median, 90% and 99% of 200 moves, in milliseconds, as JSON.  Wants a quiet machine."""
import json
import sys

from devtools import Browser

browser = Browser(1400, 900)
try:
    browser.open(sys.argv[1])
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
            await (await fetch('api/decode', {method: 'POST', body: new Float32Array(explorer.about.d)})).arrayBuffer();
            request.push(performance.now() - start);
        }
        const figures = (t) => { t.sort((x, y) => x - y); return {median: t[100], p90: t[180], p99: t[198]}; };
        return {move_to_picture: figures(whole), frame: figures(frame), request_alone: figures(request)};
    })()""")))
finally:
    browser.close()
