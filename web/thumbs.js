// thumbs.js: pictures of the items on the map instead of dots, where there is room: none overlaps another.
import {readItems, Newest} from './api.js';
import {about, sayError} from './state.js';
import {paint, make} from './paint.js';

const MOST = 3000;       // pictures kept
const TRIED = 200000;    // items that are tried for a place
const ENOUGH = 1 / 3;    // of the items in sight: by zoom, pictures appear when so many of them have room
const GAP = 3, EDGE = 2; // pixels between two, and of the border

export class Thumbs {
    /* redraw(): requests another frame, when pictures have arrived. */
    constructor(redraw) {
        this.pictures = new Map();
        this.high = about.width >= 48 ? 56 : 36;
        this.wide = Math.round(this.high * about.width / about.height);
        this.asking = new Newest(async (items) => {
            try {
                const buffer = await readItems(items);
                items.forEach((item, i) => this.keep(item, buffer, i));
                redraw();
            } catch (error) {
                sayError(error);
            }
        });
    }

    keep(item, buffer, i) {
        const canvas = make('canvas');
        paint(canvas, buffer, i);
        this.pictures.set(item, canvas);
        for (const other of this.pictures.keys()) if (this.pictures.size > MOST) this.pictures.delete(other);
    }

    /* Items in a fixed order that mixes them, so that those with a picture are a fair sample, and mostly stay when the map moves. */
    order(count) {
        if (this.mixed?.length !== count) {
            const when = Float64Array.from({length: count}, (_, i) => i * 0.6180339887 % 1);
            this.mixed = Uint32Array.from(when, (_, i) => i).sort((a, b) => when[a] - when[b]);
        }
        return this.mixed;
    }

    /* Which items have a picture, and where: each takes its place unless another is in the way. among(item): whether it is to be seen. */
    layout(xs, ys, {width, height, centre, scale}, among) {
        const wide = this.wide + GAP, high = this.high + GAP, across = Math.ceil(width / wide) + 3, down = Math.ceil(height / high) + 3;
        const cells = new Int32Array(across * down).fill(-1), placed = [], order = this.order(xs.length);
        let inSight = 0;
        for (let n = 0; n < Math.min(order.length, TRIED); n++) {
            const item = order[n], x = width / 2 + (xs[item] - centre[0]) * scale, y = height / 2 - (ys[item] - centre[1]) * scale;
            if (!(x > -wide && y > -high && x < width + wide && y < height + high) || !among(item)) continue;
            inSight++;
            const at = (Math.floor(y / high) + 1) * across + Math.floor(x / wide) + 1;
            if (cells[at] >= 0 || this.isTaken(cells, placed, at, across, x, y, wide, high)) continue;
            cells[at] = placed.length;
            placed.push({item, x, y});
        }
        return {placed, enough: placed.length >= ENOUGH * inSight};
    }

    isTaken(cells, placed, at, across, x, y, wide, high) {
        for (const by of [-across - 1, -across, -across + 1, -1, 1, across - 1, across, across + 1]) {
            const other = placed[cells[at + by]];
            if (other && Math.abs(other.x - x) < wide && Math.abs(other.y - y) < high) return true;
        }
        return false;
    }

    /* mode: 'zoom', 'always' or 'never'; colour(item): of its border. Returns the items that are shown. */
    draw(context, mode, xs, ys, place, among, colour) {
        if (mode === 'never') return [];
        const {placed, enough} = this.layout(xs, ys, place, among);
        if (mode === 'zoom' && !enough) return [];
        const missing = placed.filter(({item}) => !this.pictures.has(item)).map(({item}) => item);
        if (missing.length > 0) this.asking.ask(missing.slice(0, about.most));
        context.imageSmoothingEnabled = about.width >= 48;
        const ready = placed.filter(({item}) => this.pictures.has(item));
        for (const {item, x, y} of ready) {
            context.fillStyle = `rgb(${colour(item)})`;
            context.fillRect(x - this.wide / 2, y - this.high / 2, this.wide, this.high);
            context.drawImage(this.pictures.get(item), x - this.wide / 2 + EDGE, y - this.high / 2 + EDGE, this.wide - 2 * EDGE, this.high - 2 * EDGE);
        }
        context.imageSmoothingEnabled = true;
        return ready.map(({item}) => item);
    }
}
