// columns.js: the columns of a table: what the features of an item say of each, in its own unit, and how it differs from the mean.
import {decode} from './api.js';
import {about} from './state.js';

export const columnsOf = (r = 0) => about.runs[r].table.columns;

/* ---- Numbers as text ---- */

const minus = (text) => text.replaceAll('-', '−');

function dateText(days, {decimals, hours}) {
    const time = new Date(Math.round(days * 1440) * 60000);
    if (Number.isNaN(time.getTime())) return '';
    const text = time.toISOString();
    if (hours) return text.slice(11, 16);
    return decimals > 0 ? text.slice(0, 16).replace('T', ' ') : text.slice(0, 10);
}

/* A value of a column in its own unit; `exact`: as its file has it, otherwise with the digits that count. */
export function valueText(column, value, exact = false, digits = 2) {
    if (!Number.isFinite(value)) return '–';
    if (column.kind === 'date') return dateText(value, column);
    const counting = Math.max(0, Math.min(6, Math.ceil(digits - Math.log10(column.deviation || 1))));
    const known = column.decimals ?? 6, decimals = exact ? Math.min(known, counting + 1) : Math.min(counting, known + 2);
    if (Math.abs(value) >= 1e9 || (value !== 0 && Math.max(Math.abs(value), column.deviation) < 1e-5)) return minus(value.toExponential(2));
    const text = value.toFixed(decimals);
    return minus(Number(text) === 0 ? text.replace('-', '') : text);
}

/* "+0.62", "−251", "+12 pp", "+30 days": as `eccentric components` writes changes. */
export function changeText(column, change) {
    const unit = {date: ' days', category: ' pp'}[column.kind] ?? '', deviation = (column.kind === 'category' ? 100 : 1) * column.deviation;
    const amount = Math.max(Math.abs(change), deviation / 10), sign = change < 0 ? '−' : '+';
    let decimals = amount > 0 ? Math.max(0, 1 - Math.floor(Math.log10(amount))) : 0;
    if (unit) decimals = Math.min(decimals, 1);
    const text = decimals > 6 || amount >= 1e9 ? minus(Math.abs(change).toExponential(1)) : Math.abs(change).toFixed(decimals);
    return Number.parseFloat(text) === 0 ? '0' : sign + text + unit;
}

/* ---- Cells ---- */

/* The share of a level, from 0 to 1. */
const share = (column, x, level) => column.shares[level] + column.deviation * x[column.first + level];

function likeliest(column, x) {
    let best = 0;
    for (let l = 1; l < column.features; l++) if (share(column, x, l) > share(column, x, best)) best = l;
    return best;
}

/* What the features x of an item say of a column: text; place in its range (0 to 1) and that of the mean; change against the mean in
 * deviations, and as text. `exact`: an item as it is in its file. */
export function cell(column, x, exact = false, digits = 2) {
    if (!Number.isFinite(x[column.first])) return {text: 'missing', missing: true, at: 0, mean: 0, change: 0, changed: ''};
    if (column.kind === 'category') {
        const level = likeliest(column, x), s = share(column, x, level), percent = Math.round(100 * Math.max(0, Math.min(1, s)));
        return {text: column.levels[level] + (exact ? '' : ` ${percent}%`), at: s, mean: column.shares[level], level,
            change: x[column.first + level], changed: changeText(column, 100 * (s - column.shares[level]))};
    }
    const v = x[column.first], value = column.mean + column.deviation * v;
    const ranged = column.high > column.low;    // not known of arrays and of older runs
    const low = ranged ? column.low : column.mean - 3 * column.deviation, high = ranged ? column.high : column.mean + 3 * column.deviation, wide = high - low || 1;
    return {text: valueText(column, value, exact, digits), at: (value - low) / wide, mean: (column.mean - low) / wide, change: v,
        changed: changeText(column, column.deviation * v)};
}

/* How far an item differs from another, or from the mean (null), in a column: in deviations, of the level that differs most. */
export function difference(column, x, from) {
    let most = 0;
    for (let f = column.first; f < column.first + column.features; f++) {
        const by = x[f] - (from && Number.isFinite(from[f]) ? from[f] : 0);
        if (Math.abs(by) > Math.abs(most)) most = by;
    }
    return most;
}

/* ---- Effects: the columns, or levels, that change most ---- */

/* Of each feature: its column, and the level of a category. */
const owners = [];
function ownersOf(r) {
    owners[r] ??= columnsOf(r).flatMap((column, c) => Array.from({length: column.features}, (_, level) => ({c, column, level})));
    return owners[r];
}

const FAR_LESS = 0.2;   // of the first: not worth a line

/* amount(f): the change of feature f in deviations. At most `most` of {c, column, f, name, standard, text}, largest first. */
export function effects(amount, most, r = 0) {
    const top = [];
    ownersOf(r).forEach((owner, f) => {
        const standard = amount(f), size = Math.abs(standard);
        if (!(size > 1e-4) || (top.length === most && size <= Math.abs(top[most - 1].standard))) return;
        let at = top.length;
        while (at > 0 && Math.abs(top[at - 1].standard) < size) at--;
        top.splice(at, 0, {...owner, f, standard});
        if (top.length > most) top.pop();
    });
    return top.filter((e) => Math.abs(e.standard) >= FAR_LESS * Math.abs(top[0].standard)).map((e) => ({...e,
        name: e.column.kind === 'category' ? `${e.column.name}=${e.column.levels[e.level]}` : e.column.name,
        text: changeText(e.column, (e.column.kind === 'category' ? 100 : 1) * e.column.deviation * e.standard)}));
}

/* The value of one feature: of a number its value, of a level its share. */
export function featureText({column, level}, v) {
    if (column.kind !== 'category') return valueText(column, column.mean + column.deviation * v, false, 1);
    return `${Math.round(100 * Math.max(0, Math.min(1, column.shares[level] + column.deviation * v)))}%`;
}

/* ---- What the components of the first run mean, around the mean ---- */

const COMPONENTS = 16;
let means = null;
async function loadMeanings() {
    const n = Math.min(about.d, COMPONENTS), size = about.width * about.height * about.channels, amounts = new Float32Array(2 * n * about.d);
    for (let k = 0; k < n; k++) {
        amounts[2 * k * about.d + k] = -1;
        amounts[(2 * k + 1) * about.d + k] = 1;
    }
    const x = new Float32Array(await decode(0, amounts));
    return Array.from({length: n}, (_, k) => effects((f) => (x[(2 * k + 1) * size + f] - x[2 * k * size + f]) / 2, 12));
}
/* For each of the first components, its effects: one deviation more of it. */
export const meanings = () => means ??= loadMeanings();

/* Numbers of the columns that say most: each component's first, then each one's second, ...; in the order of the file if all fit. */
export async function mainColumns(most) {
    const all = columnsOf();
    if (all.length <= most) return all.map((_, c) => c);
    const lists = await meanings(), found = new Set();
    for (let i = 0; i < 12; i++) for (const list of lists) if (list[i] && found.size < most) found.add(list[i].c);
    for (let c = 0; found.size < most; c++) found.add(c);
    return [...found];
}

/* Numbers of the columns whose names contain all words of a text, at most `most`. */
export function findColumns(text, most = Infinity, r = 0) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), found = [];
    const all = columnsOf(r);
    for (let c = 0; c < all.length && found.length < most; c++) {
        const name = all[c].name.toLowerCase();
        if (words.every((word) => name.includes(word))) found.push(c);
    }
    return found;
}
