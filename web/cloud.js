// cloud.js: the items on the map, as dots or as their density.  A graphics card redraws dots in every frame. Without one, and for
// density, each frame shows the last picture, moved and stretched, and spends a few milliseconds on the next one.
import {Density} from './density.js';
import {Raster} from './raster.js';
import {PointsGl} from './points_gl.js';

const BUDGET = 5;      // milliseconds of a frame
const MARGIN = 0.15;   // of the width and height, on each side, so that panning has something to show

export class Cloud {
    /* redraw(): requests another frame. */
    constructor(redraw) {
        this.redraw = redraw;
        this.shown = this.next = null;
        try {
            this.card = new PointsGl();
            this.card.canvas.addEventListener('webglcontextlost', () => {
                this.card = null;
                redraw();
            });
        } catch {
            this.card = null;
        }
        this.drawers = {dots: new Raster(), density: new Density()};
    }

    get busy() {
        return this.next !== null;
    }

    /* items: {xs, ys, rgb, rings (1: a ring, 0: a disc) or null, ids, front, faint, as ('dots' or 'density'), key}, the key of all of these; place: {width, height, ratio, centre, scale, radius}. */
    draw(context, items, place) {
        if (this.card && items.as === 'dots') this.drawByCard(context, items, place);
        else this.drawByHand(context, items, place);
    }

    drawByCard(context, items, {width, height, ratio, centre, scale, radius}) {
        const wide = Math.round(width * ratio), high = Math.round(height * ratio);
        const key = [items.key, width, height, ratio, centre, scale].join();
        this.next = null;
        if (key !== this.shown) {
            this.card.resize(wide, high);
            this.card.points(items.xs, items.ys, items.rgb, {...items, radius: radius * ratio, scale: scale * ratio,
                ox: (width / 2 - centre[0] * scale) * ratio, oy: (height / 2 + centre[1] * scale) * ratio});
            this.shown = key;
        }
        context.drawImage(this.card.canvas, 0, 0, width, height);
    }

    drawByHand(context, items, place) {
        const key = [items.key, place.width, place.height, place.ratio, place.centre, place.scale].join();
        if (this.next && this.next.items !== items.key) this.next = null;
        if (!this.next && this.shown?.key !== key) this.begin(key, items, place);
        if (this.next && this.drawers[this.next.as].step(performance.now() + BUDGET)) {
            this.shown = this.next;
            this.next = null;
        }
        if (this.shown?.key !== key) this.redraw();
        const s = this.shown;
        if (!s?.as) return;
        const by = place.scale / s.scale, wide = s.wide / s.ratio * by, high = s.high / s.ratio * by;
        context.drawImage(this.drawers[s.as].canvas, place.width / 2 + (s.centre[0] - place.centre[0]) * place.scale - wide / 2,
            place.height / 2 - (s.centre[1] - place.centre[1]) * place.scale - high / 2, wide, high);
    }

    begin(key, items, {width, height, ratio, centre, scale, radius}) {
        // whole cells on both sides, so that the picture's pixels match the screen's
        const cell = items.as === 'density' ? Density.cell(ratio) : 1, cells = (length) => cell * Math.ceil(length / cell);
        const wide = cells(Math.round(width * ratio)) + 2 * cells(MARGIN * width * ratio);
        const high = cells(Math.round(height * ratio)) + 2 * cells(MARGIN * height * ratio), drawer = this.drawers[items.as];
        this.next = {key, items: items.key, as: items.as, wide, high, ratio, centre: centre.slice(), scale};
        drawer.resize(wide, high, cell);
        drawer.begin(items.xs, items.ys, items.rgb, {...items, radius: radius * ratio, scale: scale * ratio,
            ox: wide / 2 - centre[0] * scale * ratio, oy: high / 2 + centre[1] * scale * ratio});
    }
}
