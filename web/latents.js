// latents.js: the items along the components, in deviations; each component is asked for once, as long as there is room.
import {getBytes} from './api.js';
import {about} from './state.js';

const ROOM = 1 << 24;      // numbers
const TOGETHER = 4;        // requests at once, so that a slider need not wait behind all of them
const columns = new Map();

/* How many components of all items there is room for, strongest first. */
export const roomFor = () => Math.max(2, Math.min(about.d, Math.floor(ROOM / Math.max(1, about.items.count))));

/* Float32Array [count]. Of many, those that were asked for first are forgotten first. */
export function column(k) {
    const wanted = columns.get(k) ?? getBytes(`column?k=${k}`).then((bytes) => new Float32Array(bytes));
    columns.delete(k);
    columns.set(k, wanted);
    wanted.catch(() => columns.delete(k));
    for (const other of columns.keys()) if (columns.size > roomFor() + 2) columns.delete(other);
    return wanted;
}

/* The first n components of all items: [n] of Float32Array [count]. */
export async function firstColumns(n = roomFor()) {
    const found = [];
    while (found.length < n) {
        const some = Array.from({length: Math.min(TOGETHER, n - found.length)}, (_, i) => column(found.length + i));
        found.push(...await Promise.all(some));
    }
    return found;
}
