// items.js: the data set, to browse and to start from.
import {readItems} from './api.js';
import {about, sayError} from './state.js';
import {make, sheet, isTable} from './paint.js';
import {rowTable, rowsOf, columnsThatFit} from './cards.js';
import {mainColumns, findColumns} from './columns.js';
import {cellsOf, numbersOf, levelsOf, unusual, itemName, itemNumber, itemOf, fileName} from './items_data.js';
import {goItem} from './stage.js';
import {itemLabels} from './map.js';
import {selection, onSelect} from './selection.js';
import {firstColumns} from './latents.js';

const PAGE = 100;
let sorted = {by: 'number', down: false}, finding = '', naming = '', order = null;
let first = 0, wanted = null, list = null, box, range, loading = Promise.resolve();

/* The items to show: all (null), or those of one class or word, or selected on the map, or both. */
function choose() {
    const inside = onlySelected.checked ? selection()?.inside : null;
    const all = Array.from({length: about.items.count}, (_, i) => i);
    const parts = naming.toLowerCase().split(/\s+/).filter(Boolean), called = (i) => parts.every((part) => fileName(i).toLowerCase().includes(part));
    list = wanted || inside || parts.length ? all.filter((i) => (!wanted || wanted.of[i] === wanted.value) && (!inside || inside[i]) && called(i)) : null;
}

const onlySelected = make('input', {type: 'checkbox'});
function selectedChoice() {
    const label = make('label', {hidden: true}, onlySelected, 'selected on the map'), again = () => { first = 0; choose(); refresh(); };
    onlySelected.addEventListener('change', again);
    onSelect(() => {
        const before = onlySelected.checked;
        label.hidden = !selection();
        if (!selection()) onlySelected.checked = false;
        if (before) again();
    });
    return label;
}

/* "": all; a class; or K.L: level L of column K of words. */
async function want(text) {
    const [k, level] = text.split('.').map(Number);
    wanted = text === '' ? null : level === undefined ? {of: itemLabels(), value: k} : {of: await levelsOf(k), value: level};
    first = 0;
    choose();
}

/* What to show only: classes and words, with their columns where there are several. */
function classChoice() {
    const option = (value, textContent) => make('option', {value, textContent}), {classes, labelled, words} = about.items;
    const groups = [...labelled ? [['label', classes.map((text, c) => option(c, text))]] : [],
        ...words.map(({name, levels}, k) => [name.replaceAll('_', ' '), levels.map((text, level) => option(`${k}.${level}`, text))])];
    if (groups.length === 0) return [];
    const select = make('select', {}, option('', 'all'), ...words.length ? groups.map(([label, options]) => make('optgroup', {label}, ...options)) : groups[0][1]);
    select.addEventListener('change', () => {
        loading = loading.then(() => want(select.value)).catch(sayError);
        refresh();
    });
    return [make('label', {}, words.length ? 'Only ' : 'Label ', select)];
}

/* ---- Of a table: the order, and the columns shown ---- */

const MOST_NUMBERS = 2;    // known of the items, in the table
async function measured(which) {
    await unusual().all;
    return unusual()[which];
}
/* Of images: the squared distance from the mean, in deviations. */
async function farFromMean() {
    const squares = new Float64Array(about.items.count);
    for (const values of await firstColumns()) for (let i = 0; i < squares.length; i++) squares[i] += values[i] ** 2;
    return squares;
}
const keys = {t2: () => isTable() ? measured('t2') : farFromMean(), q: () => measured('q')};
const shownNumbers = () => about.items.numbers.slice(0, MOST_NUMBERS);

/* by: 't2', 'q', 'known.K' or the number of a column. */
const valuesOf = (by) => keys[by]?.() ?? (Number.isInteger(by) ? cellsOf(by) : numbersOf(Number(by.slice(6))));

/* Sorts the items of `list`; items without a value come last. */
async function arrange() {
    if (sorted.by === 'number' && !sorted.down) { order = list; return; }
    const all = list ?? Array.from({length: about.items.count}, (_, i) => i);
    const values = sorted.by === 'number' ? null : await valuesOf(sorted.by), sign = sorted.down ? -1 : 1;
    const key = (i) => values ? values[i] : i, rank = (v) => Number.isNaN(v) ? 1 : 0;
    order = all.slice().sort((a, b) => rank(key(a)) - rank(key(b)) || sign * (key(a) - key(b)) || a - b);
}

/* Another click on the same head turns the order round; values start with the largest. */
function sort(by) {
    sorted = sorted.by === by ? {by, down: !sorted.down} : {by, down: by !== 'number'};
    first = 0;
    refresh();
}

async function shownColumns() {
    const most = columnsThatFit(box, (about.items.labelled ? 250 : 170) + 70 * shownNumbers().length), pinned = Number.isInteger(sorted.by) ? [sorted.by] : [];
    const some = finding ? findColumns(finding, most) : await mainColumns(most);
    return [...pinned, ...some.filter((c) => !pinned.includes(c))].slice(0, most);
}

async function showTable(numbers, buffer) {
    const labels = itemLabels(), classes = about.items.classes, {t2, q, all, done} = unusual(), own = await Promise.all(shownNumbers().map((_, k) => numbersOf(k)));
    const heads = [{text: 'Row', order: 'number'}, ...(labels ? [{text: 'Label'}] : []), ...shownNumbers().map((text, k) => ({text, order: `known.${k}`, wide: true, title: `${text}: known of the rows, not part of them`})),
        {text: 'T²', order: 't2', title: 'how far the row is from the middle of the training rows, within the model'},
        {text: 'Q', order: 'q', title: 'how far the row is from what the model can express'}];
    rowTable(box, rowsOf(buffer, numbers.length), {heads, exact: true, sorted, sort, list: await shownColumns(),
        before: (i) => [String(itemNumber(numbers[i])), ...(labels ? [classes[labels[numbers[i]]] ?? '–'] : []), ...own.map((values) => Number.isNaN(values[numbers[i]]) ? 'missing' : compact(values[numbers[i]])),
            measure(t2[numbers[i]], about.items.limits?.t2), measure(q[numbers[i]], about.items.limits?.q)],
        describe: (i) => `${itemName(numbers[i])}: start from it`, pick: (i) => goItem(numbers[i], labels).catch(sayError)});
    box.prepend(limitsHint());
    if (!done) all.then(refresh, sayError);
}

/* Three digits, at most four of them decimals, and no exponent where that fits. */
const compact = (v) => Math.abs(v) < 0.1 ? v.toFixed(4) : Math.abs(v) < 1000 ? v.toPrecision(3) : Math.abs(v) < 1e7 ? v.toFixed(0) : v.toExponential(1);

/* T2 or Q with a mark above its limits: [95%, 99%]. */
function measure(value, limits) {
    if (Number.isNaN(value)) return {text: '…'};
    const above = (k) => Number.isFinite(limits?.[k]) && value > limits[k];
    return {text: compact(value), className: above(1) ? 'above far' : above(0) ? 'above' : ''};
}

function limitsHint() {
    const {t2, q} = about.items.limits ?? {}, known = (l) => Number.isFinite(l?.[0]);
    const words = (k) => [known(t2) ? `T² ${compact(t2[k])}` : '', known(q) ? `Q ${compact(q[k])}` : ''].filter(Boolean).join(', ');
    return make('p', {className: 'hint', textContent: !known(t2) && !known(q) ? 'The limits of T² and Q are not known.'
        : `Orange: above the 95% limits (${words(0)}); bold: above the 99% limits (${words(1)}).`, title: 'The limit of T² is that of Hotelling’s T² for new rows, by the F distribution; that of Q is the quantile of the training rows.'});
}

function orderChoice(kinds) {
    const select = make('select', {'aria-label': 'Order of the items'}, ...kinds.map(([value, textContent]) => make('option', {value, textContent})));
    select.addEventListener('change', () => { sorted = {by: select.value, down: select.value !== 'number'}; first = 0; refresh(); });
    return make('label', {}, 'Order ', select);
}

function imageControls() {
    const order = orderChoice([['number', 'by number'], ['t2', 'farthest from the mean (T²)']]);
    if (!about.items.named) return [order];
    const find = make('input', {type: 'search', placeholder: 'parts of names', size: 14});
    find.addEventListener('input', () => { naming = find.value; first = 0; choose(); refresh(); });
    return [order, make('label', {}, 'File ', find)];
}

function tableControls() {
    const order = orderChoice([['number', 'as in the file'], ['t2', 'most unusual (T²)'], ['q', 'least explained (Q)']]);
    const find = make('input', {type: 'search', placeholder: 'parts of names', size: 14});
    find.addEventListener('input', () => { finding = find.value; refresh(); });
    return [order, make('label', {}, 'Columns ', find)];
}

const count = () => list ? list.length : about.items.count;
const item = (i) => order ? order[i] : list ? list[i] : i;

async function show() {
    await arrange();
    const n = Math.min(PAGE, count() - first), numbers = Array.from({length: n}, (_, i) => item(first + i));
    range.textContent = n > 0 ? `${first + 1}–${first + n} of ${count().toLocaleString('en')}` : 'none';
    if (n <= 0) return box.replaceChildren();
    const labels = itemLabels(), classes = about.items.classes;
    const buffer = await readItems(numbers);
    if (isTable()) return showTable(numbers, buffer);
    sheet(box, buffer, n, 10, (i) => `${fileName(numbers[i]) ?? itemName(numbers[i])}${labels ? `, ${classes[labels[numbers[i]]] ?? 'no label'}` : ''}`,
        (i) => goItem(numbers[i], labels).catch(sayError));
}

const refresh = () => { loading = loading.then(show).catch(sayError); };
export const itemsIdle = () => loading;

function turn(by) {
    first = Math.max(0, Math.min(first + by, Math.floor((count() - 1) / PAGE) * PAGE));
    refresh();
}

export function buildItems(panel) {
    box = make('div');
    range = make('output');
    const back = make('button', {textContent: 'Previous'}), on = make('button', {textContent: 'Next'});
    back.addEventListener('click', () => turn(-PAGE));
    on.addEventListener('click', () => turn(PAGE));
    const controls = make('div', {className: 'controls'}, ...classChoice());
    const number = make('input', {type: 'number', min: 0, placeholder: 'number'});
    number.addEventListener('change', () => {
        const i = itemOf(Math.round(Number(number.value)));
        if (number.value !== '' && i >= 0) goItem(i, itemLabels()).catch(sayError);
        else if (number.value !== '') sayError(new Error(`no ${isTable() ? 'row' : 'item'} here has this number`));
    });
    controls.append(selectedChoice());
    controls.append(...isTable() ? tableControls() : imageControls());
    controls.append(make('label', {}, isTable() ? 'Row ' : 'Item ', number), make('span', {className: 'pager'}, back, on, range));
    panel.append(controls, box);
    return refresh;
}
