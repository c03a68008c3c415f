// items_data.js: numbers of all items of a table: its columns, and how unusual each item is; asked for once.
import {getBytes} from './api.js';
import {about} from './state.js';

const MOST = 16;    // columns kept
const columns = new Map();
let measured = null;

/* A column in its own unit, or the number of the level: one for each item. */
export async function cellsOf(c) {
    if (!columns.has(c)) columns.set(c, new Float32Array(await getBytes(`cells?k=${c}`)));
    for (const other of columns.keys()) if (columns.size > MOST && other !== c) columns.delete(other);
    return columns.get(c);
}

async function measure() {
    const both = new Float32Array(await getBytes('unusual')), n = about.items.count;
    return {t2: both.subarray(0, n), q: both.subarray(n)};
}
/* T2 and Q of all items. */
export const unusual = () => measured ??= measure();
