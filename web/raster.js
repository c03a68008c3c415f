// raster.js: tens of thousands of smooth dots, blended straight into pixels.

export class Raster {
    constructor() {
        this.canvas = document.createElement('canvas');
        this.context = this.canvas.getContext('2d');
        this.image = null;
        this.kernels = new Map();
    }

    resize(width, height) {
        if (this.image && this.canvas.width === width && this.canvas.height === height) return;
        this.canvas.width = width;
        this.canvas.height = height;
        this.image = this.context.createImageData(width, height);
    }

    /* How much of each pixel a dot covers: [side, side] of 0 to 255. */
    kernel(radius) {
        const key = Math.round(radius * 8);
        if (this.kernels.has(key)) return this.kernels.get(key);
        const half = Math.ceil(radius), side = 2 * half + 1, weights = new Uint8Array(side * side);
        for (let y = -half; y <= half; y++) {
            for (let x = -half; x <= half; x++) {
                const cover = radius + 0.5 - Math.hypot(x, y);
                weights[(y + half) * side + x + half] = 255 * Math.max(0, Math.min(1, cover));
            }
        }
        this.kernels.set(key, {half, side, weights});
        return this.kernels.get(key);
    }

    /* xs, ys: places; rgb: 3 bytes each; picked: only these ids in full, the others faint. */
    points(xs, ys, rgb, {ox, oy, scale, every, radius, ids, picked}) {
        const {half, side, weights} = this.kernel(radius);
        const {width, height, data} = this.image;
        data.fill(0);
        for (const front of picked === null ? [true] : [false, true]) {
            for (let i = 0; i < xs.length; i += every) {
                if (picked !== null && (ids[i] === picked) !== front) continue;
                const cx = Math.round(ox + xs[i] * scale) - half, cy = Math.round(oy - ys[i] * scale) - half;
                if (cx < 0 || cy < 0 || cx + side > width || cy + side > height) continue;
                const strength = front ? 0.82 / 255 : 0.12 / 255, r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
                for (let y = 0, w = 0; y < side; y++) {
                    for (let x = 0, at = 4 * ((cy + y) * width + cx); x < side; x++, w++, at += 4) {
                        if (weights[w] === 0) continue;
                        const a = weights[w] * strength, under = data[at + 3] / 255 * (1 - a), whole = a + under;
                        const own = a / whole, rest = under / whole;
                        data[at] = r * own + data[at] * rest;
                        data[at + 1] = g * own + data[at + 1] * rest;
                        data[at + 2] = b * own + data[at + 2] * rest;
                        data[at + 3] = 255 * whole;
                    }
                }
            }
        }
        this.context.putImageData(this.image, 0, 0);
    }
}
