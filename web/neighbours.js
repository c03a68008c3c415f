// neighbours.js: the items that are nearest to the current place in latent space, over all components.
import {readItems, Newest} from './api.js';
import {about, view, onMove, hasMoved, sayError} from './state.js';
import {paint, make, isTable, hasPictures} from './paint.js';
import {card, rowsOf} from './cards.js';
import {mainColumns} from './columns.js';
import {itemName} from './items_data.js';
import {firstColumns, roomFor} from './latents.js';
import {goItem} from './stage.js';

const COUNT = 12, LINES = 4, REST = 150;    // items; columns of a row; milliseconds at rest until they are looked for
let details, box, hint, settled = null, found = [], labelsOf = () => null, changed = () => {};

/* The numbers of those that are shown. */
export const neighbours = () => details?.open ? found.map(({item}) => item) : [];

/* The items nearest to a place, without `except`: [{item, distance}], nearest first; columns: of amounts, scales: their deviations. */
export function nearestItems(columns, scales, place, count, except = -1) {
    const squares = new Float64Array(columns[0].length), top = [];
    columns.forEach((values, k) => {
        for (let i = 0; i < values.length; i++) squares[i] += ((values[i] - place[k]) * scales[k]) ** 2;
    });
    for (let i = 0; i < squares.length; i++) {
        if (i === except || (top.length === count && squares[i] >= top[count - 1].square)) continue;
        let at = top.length;
        while (at > 0 && top[at - 1].square > squares[i]) at--;
        top.splice(at, 0, {item: i, square: squares[i]});
        if (top.length > count) top.pop();
    }
    return top.map(({item, square}) => ({item, distance: Math.sqrt(square)}));
}

async function picture(buffer, i) {
    if (isTable()) return card(rowsOf(buffer, COUNT)[i], await mainColumns(LINES), true);
    if (!hasPictures()) return itemName(found[i].item);
    const canvas = make('canvas');
    paint(canvas, buffer, i);
    return canvas;
}

async function show() {
    const columns = await firstColumns(), scales = about.runs[0].deviations, {kind, item} = view.origin;
    const own = kind === 'item' && !hasMoved() ? item : -1, labels = labelsOf(), classes = about.items.classes;
    const list = nearestItems(columns, scales, view.position[0], Math.min(COUNT, about.items.count - (own >= 0 ? 1 : 0)), own);
    found = list;
    const buffer = await readItems(list.map((n) => n.item));
    const cards = await Promise.all(list.map(async ({item, distance}, i) => {
        const label = labels ? classes[labels[item]] ?? '' : '', words = `${itemName(item)}${label ? `, ${label}` : ''}, distance ${distance.toFixed(2)}`;
        const button = make('button', {className: 'picture', title: words, 'aria-label': `${words}: start from it`}, await picture(buffer, i));
        button.addEventListener('click', () => goItem(item, labels).catch(sayError));
        return make('li', {}, button, make('span', {textContent: distance.toFixed(2)}), make('small', {textContent: label || itemName(item)}));
    }));
    box.replaceChildren(...cards);
    const apart = Math.sqrt(2 * scales.reduce((sum, v) => sum + v * v, 0));
    hint.textContent = `Nearest to ${own >= 0 ? itemName(own) : 'the current place'} by their distance in latent space${roomFor() < about.d ? `, along the first ${roomFor()} components` : ''}; `
        + `two items drawn at random are about ${apart.toFixed(2)} apart. Rings show them on the map.`;
    changed();
}

const searching = new Newest(() => show().catch(sayError));

function refresh(wait) {
    clearTimeout(settled);
    settled = null;
    if (!details.open) return;
    settled = setTimeout(() => {
        settled = null;
        searching.ask();
    }, wait);
}

export async function neighboursIdle() {
    while (settled !== null) await new Promise((done) => setTimeout(done, 20));
    await searching.idle();
}

export const isOpen = () => Boolean(details?.open);
export function setOpen(open) {
    details.open = open;
}

/* labels(): of the items, or null; redraw(): called when there are others. */
export function buildNeighbours(labels, redraw) {
    labelsOf = labels;
    changed = redraw;
    box = make('ol', {className: 'near'});
    hint = make('p', {className: 'hint'});
    details = make('details', {className: 'neighbours'}, make('summary', {textContent: 'Nearest items'}), box, hint);
    details.addEventListener('toggle', () => { refresh(0); redraw(); });
    onMove(() => refresh(REST));
    return details;
}
