// selecting.js: draws a box or a lasso on the map, by pointer or by keys.
import {view, select, say} from './state.js';
import {inShape, shapeOf} from './selection.js';

let draft = null;    // {kind, axes, points, keys}

export const drafting = () => draft !== null;
export const byKeys = () => draft?.keys === true;

/* place: [x, y] on the map's axes; keys: its other corner follows the current place. */
export function begin(kind, axes, place, keys = false) {
    draft = {kind, axes: axes.slice(), points: [place], keys};
}

export function extend(place) {
    if (draft.kind === 'box') draft.points = [draft.points[0], place];
    else draft.points.push(place);
}

/* A click selects nothing. */
export function finish(scale) {
    const {axes, points, kind} = draft;
    draft = null;
    select(points.length > 1 ? shapeOf(axes, points, scale, kind) : null);
}

export function cancel() {
    draft = null;
}

/* For those who cannot see the box. */
export function sayDraft(xs, ys) {
    if (!draft || draft.points.length < 2) return;
    const count = inShape(draft.points, xs, ys).reduce((sum, v) => sum + v, 0);
    say(`Box with ${count.toLocaleString('en')} ${count === 1 ? 'item' : 'items'}: Enter selects, Escape cancels`, true);
}

/* The outline of what is being drawn, or else of the selection, if it was drawn along these axes: points in places, or null. */
export function outline(axes) {
    const shape = draft ?? view.selection;
    if (!shape || shape.axes.some((k) => !axes.includes(k))) return null;
    const turned = shape.axes[0] !== axes[0], points = shape.points.map(([x, y]) => turned ? [y, x] : [x, y]);
    if (shape.kind === 'lasso' || points.length !== 2) return points;
    const [[left, top], [right, bottom]] = points;
    return [[left, top], [right, top], [right, bottom], [left, bottom]];
}
