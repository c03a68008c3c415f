// selection_panel.js: what the selected items have in common: their mean, their spectrum, and what separates them from the others.
import {decode, getBytes, readItems} from './api.js';
import {about, moveTo, select, everywhere, name, signed, say, sayError} from './state.js';
import {paint, make, isTable, hasDecoder, hasPictures, itemBytes} from './paint.js';
import {card, unusualColumns} from './cards.js';
import {columnsOf, valueText} from './columns.js';
import {numbersOf, levelsOf, itemNumber, fileName} from './items_data.js';
import {firstColumns, roomFor} from './latents.js';
import {selection, onSelect, selectedItems, selectionWords} from './selection.js';
import {bestSplit, bitsOfCounts} from './separates.js';
import {spectrumOf, effectiveRank} from './spectrum.js';
import {saveFile} from './save.js';

const READ = 1 << 22, MOST_READ = 2048;    // bytes and items that are read for a mean
const AXES = 64, BARS = 16, LINES = 8;     // of a spectrum, shown of it; what separates it
let box, how, working = Promise.resolve(), told = null;

export const panelIdle = () => working;
const percent = (share) => `${(100 * share).toFixed(share >= 0.0005 && share < 0.0995 ? 1 : 0)}%`;
const clear = (text) => text.replaceAll('_', ' ');
const plain = (v) => Number.isFinite(v) ? Number(v.toPrecision(3)).toLocaleString('en').replace('-', '−') : '–';

/* ---- Reading items ---- */

/* Some of the items, evenly, no more than it is reasonable to read. */
function some(items) {
    const most = Math.max(64, Math.min(MOST_READ, Math.floor(READ / itemBytes()))), step = items.length / Math.min(most, items.length);
    return Array.from({length: Math.min(most, items.length)}, (_, i) => items[Math.floor(i * step)]);
}

/* Calls each(values of an item) for all of them, until `over`. */
async function readEach(items, over, each) {
    const Kind = isTable() ? Float32Array : Uint8Array, size = itemBytes() / Kind.BYTES_PER_ELEMENT;
    for (let first = 0; first < items.length; first += about.most) {
        const part = items.slice(first, first + about.most), values = new Kind(await readItems(part));
        if (over()) return;
        for (let i = 0; i < part.length; i++) each(values.subarray(i * size, (i + 1) * size));
    }
}

/* ---- The mean ---- */

/* NaN where none of the items has a value. */
async function meanItem(items, over) {
    const size = itemBytes() / (isTable() ? 4 : 1), sums = new Float64Array(size), counts = new Float64Array(size);
    await readEach(items, over, (x) => {
        for (let f = 0; f < size; f++) {
            if (Number.isNaN(x[f])) continue;
            sums[f] += x[f];
            counts[f]++;
        }
    });
    return sums.map((v, f) => v / counts[f]);
}

function figure(canvas, text, title) {
    return make('figure', {title}, canvas, make('figcaption', {textContent: text}));
}

async function showMean(place, items, amounts, over) {
    if (!isTable() && !hasPictures()) return;
    const read = some(items), of = read.length < items.length ? `, of ${read.length} of them` : '';
    const mean = await meanItem(read, over);
    if (over()) return;
    if (isTable()) {
        const x = Float32Array.from(mean);
        place.append(figure(card(x, unusualColumns(x, LINES), false), `Mean row${of}: where it differs most`, 'The means of the columns in which these rows differ most from the training rows'));
        return;
    }
    const canvas = make('canvas', {role: 'img', 'aria-label': 'Mean of the selected images'});
    paint(canvas, Uint8Array.from(mean, Math.round).buffer);
    place.append(figure(canvas, `Mean image${of}`, 'Each pixel is the mean over the selected images'));
    if (!hasDecoder()) return;
    const decoded = make('canvas', {role: 'img', 'aria-label': 'Decoded mean of the latents'}), buffer = await decode(0, amounts);
    if (over()) return;
    paint(decoded, buffer);
    place.append(figure(decoded, 'Decoded mean', 'What the decoder makes of the mean of their latents'));
}

/* ---- The spectrum ---- */

let spectrumOfAll = null;

function bars(mine, all) {
    const n = Math.min(BARS, mine.length), high = 64, step = 14, most = Math.max(mine[0], all[0], 1e-30);
    const bar = (v, i, shift, kind) => `<rect class="${kind}" x="${i * step + shift}" y="${high - high * v / most}" width="5" height="${high * v / most}"/>`;
    const picture = make('div', {role: 'img', className: 'bars', 'aria-label': `Variances along the principal axes: ${mine.slice(0, 5).map((v, i) => `${plain(v)}, of all ${plain(all[i])}`).join('; ')}`});
    picture.innerHTML = `<svg viewBox="0 0 ${n * step} ${high + 1}" width="${n * step}" height="${high + 1}" aria-hidden="true"><line x1="0" x2="${n * step}" y1="${high + 0.5}" y2="${high + 0.5}"/>${
        Array.from({length: n}, (_, i) => bar(all[i], i, 1, 'all') + bar(mine[i], i, 6, 'mine')).join('')}</svg>`;
    return picture;
}

function showSpectrum(place, columns, items) {
    const some = columns.slice(0, AXES), scales = about.runs[0].deviations, total = (values) => values.reduce((sum, v) => sum + v, 0);
    const all = spectrumOfAll ??= spectrumOf(some, scales, null), mine = spectrumOf(some, scales, items);
    const share = total(all) > 0 ? total(mine) / total(all) : 0;
    const words = make('p', {className: 'spectrum-words'}, make('span', {className: 'key mine'}), 'selection ', make('span', {className: 'key all'}), 'all items', make('br'),
        `${percent(share)} of the variance of all; effective rank ${items.length > 1 ? effectiveRank(mine).toFixed(1) : '–'} (all: ${effectiveRank(all).toFixed(1)})`);
    place.append(make('figure', {className: 'spectrum', title: 'The spectrum: variances of the latents along their own principal axes, largest first'},
        make('figcaption', {textContent: `Spectrum${about.d > AXES ? `, within the first ${AXES} components` : ''}`}), bars(mine, all), words));
}

/* ---- What separates it ---- */

/* Lines: {text, here, elsewhere, bits, show()}. */
function componentLines(columns, inside, shape) {
    return columns.map((values, k) => ({k, ...bestSplit(values, inside)})).filter(({k}) => !shape.axes.includes(k))
        .map(({k, bits, here, elsewhere}) => ({text: name(k), here: signed(here), elsewhere: signed(elsewhere), bits, show: () => how.axis(k)}));
}

function shareLine(text, yes, inside, count, show) {
    const counts = [0, 0];
    for (let i = 0; i < inside.length; i++) if (yes(i)) counts[inside[i]]++;
    const others = inside.length - count;
    return {text, here: percent(counts[1] / count), elsewhere: percent(others > 0 ? counts[0] / others : 0), bits: bitsOfCounts(counts[1], count, counts[0], others), show};
}

async function knownLines({inside, count}) {
    const {classes, attributes, numbers, words, factors, labelled} = about.items, lines = [];
    if (labelled) {
        const labels = new Int32Array(await getBytes('labels'));
        classes.forEach((text, c) => lines.push(shareLine(`label ${text}`, (i) => labels[i] === c, inside, count, () => how.colour('label'))));
    }
    for (const [k, text] of attributes.entries()) {
        const has = new Uint8Array(await getBytes(`attribute?k=${k}`));
        lines.push(shareLine(clear(text), (i) => has[i] === 1, inside, count, () => how.colour(`attribute.${k}`)));
    }
    for (const [k, {name: column, levels}] of words.entries()) {
        const of = await levelsOf(k);
        levels.forEach((text, level) => lines.push(shareLine(`${clear(column)} = ${text}`, (i) => of[i] === level, inside, count, () => how.colour(`words.${k}`))));
    }
    const number = (text, values, show) => {
        const {bits, here, elsewhere} = bestSplit(values, inside);
        lines.push({text: clear(text), here: plain(here), elsewhere: plain(elsewhere), bits, show});
    };
    for (const [k, text] of factors.entries()) number(text, new Float32Array(await getBytes(`factor?k=${k}`)), () => how.colour(`factor.${k}`));
    for (const [k, text] of numbers.entries()) number(text, await numbersOf(k), () => how.colour(`number.${k}`));
    return lines;
}

/* Of a table: its columns, by some rows on both sides, each side with the weight of all its rows. */
async function columnLines({inside, count}, over) {
    const others = Array.from(inside.keys()).filter((i) => !inside[i]), mine = some(selectedItems()), rest = some(others), rows = [];
    await readEach([...mine, ...rest], over, (x) => rows.push(x.slice()));
    if (over()) return [];
    const sides = Uint8Array.from(rows, (_, i) => i < mine.length ? 1 : 0), weights = [count / mine.length, others.length / Math.max(1, rest.length)];
    return columnsOf().flatMap((column, c) => Array.from({length: column.features}, (_, level) => {
        const {bits, here, elsewhere} = bestSplit(Float32Array.from(rows, (x) => x[column.first + level]), sides, weights), show = () => how.colour(`cells.${c}`);
        if (column.kind === 'category') {
            const share = (v) => percent(Math.max(0, Math.min(1, column.shares[level] + column.deviation * v)));
            return {text: `${column.name} = ${column.levels[level]}`, here: share(here), elsewhere: share(elsewhere), bits, show};
        }
        const value = (v) => valueText(column, column.mean + column.deviation * v);
        return {text: column.name, here: value(here), elsewhere: value(elsewhere), bits, show};
    }));
}

function table(lines, shape) {
    const cells = (line) => {
        const button = make('button', {textContent: line.text, title: 'Show it on the map'}), bar = make('span', {className: 'bar', 'aria-hidden': 'true'});
        button.addEventListener('click', line.show);
        bar.style.setProperty('--share', line.bits / Math.max(lines[0].bits, 0.05));
        return make('tr', {}, make('th', {scope: 'row'}, button), make('td', {textContent: line.here}), make('td', {textContent: line.elsewhere}), make('td', {}, bar, line.bits.toFixed(line.bits < 0.0995 ? 3 : 2)));
    };
    const head = make('tr', {}, ...['What separates it', 'here', 'elsewhere', 'bits'].map((textContent) => make('th', {scope: 'col', textContent})));
    return [make('table', {className: 'separates'}, make('thead', {}, head), make('tbody', {}, ...lines.map(cells))),
        make('p', {className: 'hint', textContent: `Bits: what one split by this alone tells about being selected. Means or shares of the items here and elsewhere; ${[...new Set(shape.axes)].map(name).join(' and ')}, which it was drawn along, left out. Click one to see it on the map.`})];
}

async function showSeparates(place, chosen, columns, over) {
    const lines = [...componentLines(columns, chosen.inside, chosen.shape), ...await knownLines(chosen), ...isTable() ? await columnLines(chosen, over) : []];
    if (over()) return null;
    const best = lines.filter((line) => line.bits > 5e-4).sort((a, b) => b.bits - a.bits).slice(0, LINES);
    place.append(...best.length ? table(best, chosen.shape) : [make('p', {className: 'hint', textContent: 'Nothing that is known of the items separates it from the others.'})]);
    return best[0] ?? null;
}

/* ---- All of it ---- */

/* The ids: items from 0, or rows of the file from 1, with their file names and labels. */
function csv() {
    const labels = how.labels(), classes = about.items.classes, quote = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const named = about.items.named, line = (i) => [itemNumber(i), ...named ? [quote(fileName(i))] : [], ...labels ? [quote(classes[labels[i]] ?? '')] : []].join();
    return [`${isTable() ? 'row' : 'item'}${named ? ',file' : ''}${labels ? ',label' : ''}`, ...selectedItems().map(line), ''].join('\n');
}

function button(text, work, id) {
    const b = make('button', {textContent: text, id});
    b.addEventListener('click', work);
    return b;
}

const meanOf = (columns, items) => Float32Array.from({length: about.d}, (_, k) => columns[k] ? items.reduce((sum, i) => sum + columns[k][i], 0) / items.length : 0);

async function show() {
    const chosen = selection(), over = () => chosen !== selection();
    box.hidden = !chosen;
    box.replaceChildren();
    told = chosen;
    if (!chosen) return say('Nothing is selected', true);
    const items = selectedItems(), words = selectionWords(), buttons = make('span', {className: 'buttons'}, button('Clear', () => select(null), 'select-none'));
    box.append(make('div', {className: 'heading'}, make('h3', {textContent: words}), buttons));
    say(`Selected: ${words}`, true);
    if (items.length === 0) return;
    const columns = await firstColumns(roomFor());
    if (over()) return;
    const mean = meanOf(columns, items);
    buttons.prepend(button('Go to its mean', () => moveTo(everywhere(mean), {kind: 'selection', count: items.length}), 'select-mean'),
        button('Save ids (CSV)', () => saveFile('selection.csv', csv()), 'select-csv'));
    const means = make('div', {className: 'means'}), facts = make('div', {className: 'facts'});
    box.append(means, facts);
    showSpectrum(means, columns, items);
    const best = await showSeparates(facts, chosen, columns, over);
    if (over()) return;
    if (best) say(`Selected: ${words}. Most separated by ${best.text}: ${best.here} here, ${best.elsewhere} elsewhere`, true);
    await showMean(means, items, mean, over);
}

/* actions: {axis(k), colour(value), labels()}, for what is clicked here. */
export function buildSelectionPanel(actions) {
    how = actions;
    box = make('section', {className: 'selection', hidden: true, 'aria-label': 'Selection'});
    onSelect(() => {
        if (selection() === null && told === null) return;
        working = working.then(show).catch(sayError);
    });
    return box;
}
