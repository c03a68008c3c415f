// selection.js: the selected part of the map, and the items in it.
//
// A selection is a shape along two components, in deviations: {axes: [j, k], points: [[x, y], ...]}. Two points are opposite corners of
// a box, more are a lasso. So it has a short form for links, and stays the same items when the map shows other components.
import {about, view, onMove, name, sayError} from './state.js';
import {column} from './latents.js';

const MOST = 40;    // points of a lasso in a link
let chosen = null, followed = null, loading = Promise.resolve();
const listeners = [];

/* {shape, inside: 1 for each item that is selected, count}, or null. */
export const selection = () => chosen;
export const onSelect = (listener) => listeners.push(listener);
export const selectionIdle = () => loading;

/* ---- Shapes ---- */

const isBox = (points) => points.length === 2;

/* Whether a point is within a lasso: a line from it to the right crosses its border an odd number of times. */
function surrounds(points, x, y) {
    let odd = false;
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
        const [ax, ay] = points[i], [bx, by] = points[j];
        if ((ay > y) !== (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)) odd = !odd;
    }
    return odd;
}

export function inShape(points, xs, ys) {
    const inside = new Uint8Array(xs.length), box = isBox(points), lows = [0, 1].map((c) => Math.min(...points.map((p) => p[c])));
    const highs = [0, 1].map((c) => Math.max(...points.map((p) => p[c])));
    for (let i = 0; i < xs.length; i++) {
        const x = xs[i], y = ys[i];
        if (x < lows[0] || x > highs[0] || y < lows[1] || y > highs[1]) continue;
        inside[i] = box || surrounds(points, x, y) ? 1 : 0;
    }
    return inside;
}

/* How far p is from the line between a and b. */
function apart(p, a, b) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]], square = dx * dx + dy * dy;
    const t = square > 0 ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)) : 0;
    return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

/* Douglas and Peucker: the points of a line without which it would be off by more than `most`. */
function simplified(points, most) {
    let worst = 0, at = 0;
    for (let i = 1; i < points.length - 1; i++) {
        const by = apart(points[i], points[0], points.at(-1));
        if (by > worst) [worst, at] = [by, i];
    }
    if (worst <= most) return [points[0], points.at(-1)];
    return [...simplified(points.slice(0, at + 1), most).slice(0, -1), ...simplified(points.slice(at), most)];
}

/* A drawn line as a shape; scale: pixels of a deviation. Null if it is too small to be meant. */
export function shapeOf(axes, points, scale, kind) {
    const wide = (c) => scale * (Math.max(...points.map((p) => p[c])) - Math.min(...points.map((p) => p[c])));
    if (Math.max(wide(0), wide(1)) < 4) return null;
    const digits = Math.max(2, Math.ceil(Math.log10(scale)) + 1), round = (p) => p.map((v) => Number(v.toFixed(digits)));
    let few = points;
    for (let pixels = 1; kind === 'lasso' && (few === points || few.length > MOST); pixels *= 1.5) few = simplified(points, pixels / scale);
    return kind === 'lasso' && few.length < 3 ? null : {axes: axes.slice(), points: few.map(round)};
}

/* ---- Links: "1,2,x,y,x,y" with the numbers of the components from 1 ---- */

export const textOfSelection = () => view.selection && [...view.selection.axes.map((k) => k + 1), ...view.selection.points.flat()].join();

export function selectionOfText(text) {
    const numbers = (text ?? '').split(',').map(Number), axes = numbers.slice(0, 2).map((k) => k - 1);
    const good = text && numbers.length >= 6 && numbers.length <= 2 + 2 * 200 && numbers.length % 2 === 0
        && numbers.every(Number.isFinite) && axes.every((k) => Number.isInteger(k) && k >= 0 && k < about.d);
    return good ? {axes, points: Array.from({length: numbers.length / 2 - 1}, (_, i) => numbers.slice(2 + 2 * i, 4 + 2 * i))} : null;
}

/* ---- The items ---- */

async function resolve(shape) {
    const [xs, ys] = await Promise.all(shape.axes.map(column)), inside = inShape(shape.points, xs, ys);
    return {shape, inside, count: inside.reduce((sum, v) => sum + v, 0)};
}

function follow() {
    const shape = view.selection;
    if (shape === followed) return;
    followed = shape;
    loading = loading.then(async () => {
        if (shape !== view.selection) return;    // another one by now
        chosen = shape && await resolve(shape);
        for (const listener of listeners) listener();
    }).catch(sayError);
}

export const selectedItems = () => chosen ? Array.from(chosen.inside.keys()).filter((i) => chosen.inside[i]) : [];

export function selectionWords() {
    const all = about.items.count, {count, shape} = chosen, share = 100 * count / all;
    return `${count.toLocaleString('en')} of ${all.toLocaleString('en')} items (${share.toFixed(share < 10 ? 1 : 0)}%), `
        + `by a ${isBox(shape.points) ? 'box' : 'lasso'} along ${name(shape.axes[0])} and ${name(shape.axes[1])}`;
}

export const watchSelection = () => onMove(follow);
