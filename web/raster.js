// raster.js: blends tens of thousands of smooth dots straight into pixels, in parts if time is short.

const PART = 1024;            // dots between two looks at the clock
const RING = 0.6;             // of the radius: the hole of a ring
const LANES = 0x00ff00ff;     // two channels of a pixel at once
const WHOLE = Array.from({length: 256}, (_, a) => a ? 255 / a : 0);

/* The pixels that a dot covers: positions relative to its centre, and the coverage of each, out of 256. */
function dot(radius, strength, width, ring) {
    const half = Math.ceil(radius), places = [], weights = [];
    for (let y = -half; y <= half; y++) {
        for (let x = -half; x <= half; x++) {
            const far = Math.hypot(x, y), hole = ring ? Math.max(0, Math.min(1, far - RING * radius + 0.5)) : 1;
            const weight = Math.round(256 * strength * hole * Math.max(0, Math.min(1, radius + 0.5 - far)));
            if (weight === 0) continue;
            places.push(y * width + x);
            weights.push(weight);
        }
    }
    return {places: Int32Array.from(places), weights: Int32Array.from(weights)};
}

export class Raster {
    constructor() {
        this.canvas = document.createElement('canvas');
        this.context = this.canvas.getContext('2d');
        this.image = null;
        this.passes = [];
    }

    resize(width, height) {
        if (this.image && this.image.width === width && this.image.height === height) return;
        this.image = new ImageData(width, height);
    }

    /* xs, ys: places; rgb: 3 bytes each; with `front`, items with that id are drawn in full over the others, which are faint. */
    begin(xs, ys, rgb, how) {
        this.work = {xs, ys, rgb, ...how, half: Math.ceil(how.radius)};
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.pixels.fill(0);
        this.passes = how.front === null ? [{all: true, strength: 0.82}]
            : [{mine: false, strength: how.faint}, {mine: true, strength: 0.82}];
        this.at = 0;
    }

    /* Draws until done or until the given time; returns whether it is done. */
    step(until = Infinity) {
        while (this.passes.length > 0) {
            this.some(this.passes[0], Math.min(this.at + PART, this.work.xs.length));
            if (this.at === this.work.xs.length) {
                this.passes.shift();
                this.at = 0;
            }
            if (this.passes.length > 0 && performance.now() >= until) return false;
        }
        this.show();
        return true;
    }

    points(xs, ys, rgb, how) {
        this.begin(xs, ys, rgb, how);
        this.step();
    }

    /* Items up to `end`; colours are multiplied by their coverage. */
    some(pass, end) {
        const {xs, ys, rgb, rings, ids, front, ox, oy, scale, radius, half} = this.work, {width, height} = this.image, {pixels} = this;
        const marks = pass.marks ??= [false, true].map((ring) => dot(radius, pass.strength, width, ring));
        for (let i = this.at; i < end; i++) {
            if (!pass.all && (ids[i] === front) !== pass.mine) continue;
            const x = Math.round(ox + xs[i] * scale), y = Math.round(oy - ys[i] * scale);
            if (x < half || y < half || x + half >= width || y + half >= height) continue;
            const {places, weights} = marks[rings ? rings[i] : 0], count = places.length;
            const middle = y * width + x, redBlue = rgb[3 * i] | rgb[3 * i + 2] << 16, greenCover = rgb[3 * i + 1] | 255 << 16;
            for (let p = 0; p < count; p++) {
                const at = middle + places[p], weight = weights[p], under = pixels[at], keep = 256 - weight;
                pixels[at] = (Math.imul(under & LANES, keep) + Math.imul(redBlue, weight) + 0x800080 >>> 8 & LANES)
                    | (Math.imul(under >>> 8 & LANES, keep) + Math.imul(greenCover, weight) + 0x800080 & ~LANES);
            }
        }
        this.at = end;
    }

    show() {
        const {pixels, image} = this, {data} = image;
        for (let p = 0; p < pixels.length; p++) {
            if (pixels[p] === 0) continue;
            const by = WHOLE[data[4 * p + 3]];
            for (let at = 4 * p, end = at + 3; at < end; at++) data[at] *= by;
        }
        if (this.canvas.width !== image.width || this.canvas.height !== image.height) {
            this.canvas.width = image.width;
            this.canvas.height = image.height;
        }
        this.context.putImageData(image, 0, 0);
    }
}
