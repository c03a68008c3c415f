// density.js: how many items lie where, instead of dots that hide one another: of any number of items, in parts if time is short.
//
// Each cell of a grid has the mean colour of its items and is the more opaque the more there are, by the logarithm of their number.

const PART = 8192;                     // items between two looks at the clock
const CELL = 2;                        // CSS pixels of a side
const FAINTEST = 0.2, ENOUGH = 0.25;   // how opaque cells with few items are; what is as opaque as that, of an item spread by blur()
const CHANNELS = 4;                    // count, red, green, blue

/* The margin-free blur (1 2 1)/4 along both sides of a grid of CHANNELS numbers. */
function blur(grid, width, height) {
    const once = (from, to, count, lines, step, stride) => {
        for (let line = 0; line < lines; line++) {
            for (let i = 0; i < count; i++) {
                const at = (line * stride + i * step) * CHANNELS, before = i > 0 ? at - step * CHANNELS : at, after = i < count - 1 ? at + step * CHANNELS : at;
                for (let c = 0; c < CHANNELS; c++) to[at + c] = (from[before + c] + 2 * from[at + c] + from[after + c]) / 4;
            }
        }
    };
    const half = new Float32Array(grid.length);
    once(grid, half, width, height, 1, width);
    once(half, grid, height, width, width, 1);
}

/* As Raster (raster.js): begin(), then step() until it is done. */
export class Density {
    constructor() {
        this.canvas = document.createElement('canvas');
        this.context = this.canvas.getContext('2d');
        this.passes = [];
    }

    /* Pixels of a cell's side on a screen with `ratio` pixels to a CSS pixel; pictures are multiples of it. */
    static cell(ratio) {
        return Math.max(1, Math.round(CELL * ratio));
    }

    resize(width, height, cell = 1) {
        this.cell = cell;
        this.width = Math.ceil(width / cell);
        this.height = Math.ceil(height / cell);
        this.image = new ImageData(this.width, this.height);
    }

    begin(xs, ys, rgb, how) {
        this.work = {xs, ys, rgb, ...how};
        this.passes = how.front === null ? [{all: true, strength: 1}] : [{mine: false, strength: how.faint}, {mine: true, strength: 1}];
        this.at = 0;
    }

    step(until = Infinity) {
        while (this.passes.length > 0) {
            const pass = this.passes[0], end = Math.min(this.at + PART, this.work.xs.length);
            this.count(pass, end);
            if (end === this.work.xs.length) {
                this.paint(this.passes.shift());
                this.at = 0;
            }
            if (this.passes.length > 0 && performance.now() >= until) return false;
        }
        this.canvas.width = this.width;
        this.canvas.height = this.height;
        this.context.putImageData(this.image, 0, 0);
        return true;
    }

    /* Items up to `end`. */
    count(pass, end) {
        const {xs, ys, rgb, ids, front, ox, oy, scale} = this.work, {width, height, cell} = this;
        const grid = pass.grid ??= new Float32Array(CHANNELS * width * height), left = ox / cell, top = oy / cell, by = scale / cell;
        for (let i = this.at; i < end; i++) {
            if (!pass.all && (ids[i] === front) !== pass.mine) continue;
            const x = Math.floor(left + xs[i] * by), y = Math.floor(top - ys[i] * by);
            if (x < 0 || y < 0 || x >= width || y >= height) continue;
            const at = CHANNELS * (y * width + x);
            grid[at]++;
            grid[at + 1] += rgb[3 * i];
            grid[at + 2] += rgb[3 * i + 1];
            grid[at + 3] += rgb[3 * i + 2];
        }
        this.at = end;
    }

    /* Over what is there. */
    paint({grid, strength}) {
        const {data} = this.image;
        blur(grid, this.width, this.height);
        let most = 0;
        for (let at = 0; at < grid.length; at += CHANNELS) most = Math.max(most, grid[at]);
        for (let at = 0; at < grid.length; at += CHANNELS) {
            const n = grid[at];
            if (n === 0) continue;
            const much = Math.log1p(n) / Math.log1p(most), opaque = strength * Math.min(1, n / ENOUGH) * (FAINTEST + (1 - FAINTEST) * much);
            const under = data[at + 3] / 255 * (1 - opaque), all = opaque + under;
            for (let c = 0; c < 3; c++) data[at + c] = (opaque * grid[at + 1 + c] / n + under * data[at + c]) / all;
            data[at + 3] = 255 * all;
        }
    }
}
