// items_data.js: numbers of all items: columns of a table, how unusual each row is, what else is known; asked for once. Names of items.
import {getBytes} from './api.js';
import {about} from './state.js';
import {isTable} from './paint.js';

const MOST = 16;    // columns kept
const columns = new Map();
let measured = null, rows = null, files = null;

/* ---- Names: rows of a table are numbered as in their file, from 1; other items from 0, as they were before some were chosen ---- */

export async function loadNames() {
    if (about.items?.named) files = new TextDecoder().decode(await getBytes('names')).split('\n');
    if (about.items && (isTable() || about.items.some)) rows = new Uint32Array(await getBytes('rows'));
}
/* Of images that are files: "cats/003.png"; otherwise null. */
export const fileName = (i) => files ? files[i] : null;
export const itemNumber = (i) => rows ? rows[i] : i;
export const itemName = (i) => `${isTable() ? 'Row' : 'Item'} ${itemNumber(i)}`;
/* The item with this number, or -1. */
export const itemOf = (number) => rows ? rows.indexOf(number) : number >= 0 && number < about.items.count ? number : -1;

/* ---- Values ---- */

/* A column in its own unit, or the number of the level: one for each item. */
export async function cellsOf(c) {
    if (!columns.has(c)) columns.set(c, new Float32Array(await getBytes(`cells?k=${c}`)));
    for (const other of columns.keys()) if (columns.size > MOST && other !== c) columns.delete(other);
    return columns.get(c);
}

/* A number that is known of the items beside their features. */
const known = new Map();
export async function numbersOf(k) {
    if (!known.has(k)) known.set(k, new Float32Array(await getBytes(`number?k=${k}`)));
    return known.get(k);
}

/* The levels of a column of words that are known of the items: one for each item, which is the number of levels where it is missing. */
const levels = new Map();
export async function levelsOf(k) {
    const missing = about.items.words[k].levels.length;
    if (!levels.has(k)) levels.set(k, new Uint8Array(await getBytes(`word?k=${k}`)).map((level) => Math.min(level, missing)));
    return levels.get(k);
}

/* The server measures some items at a time, so that a slider need not wait for all of them. */
async function measure(so) {
    for (let first = 0, n; first < about.items.count; first += n) {
        const both = new Float32Array(await getBytes(`unusual?first=${first}`));
        n = both.length / 2;
        so.t2.set(both.subarray(0, n), first);
        so.q.set(both.subarray(n), first);
    }
}
/* T2 and Q of the items; NaN until they are known: wait for `all` of them. */
export function unusual() {
    if (!measured) {
        const empty = () => new Float32Array(about.items.count).fill(NaN);
        measured = {t2: empty(), q: empty(), done: false};
        measured.all = measure(measured).then(() => { measured.done = true; });
    }
    return measured;
}
