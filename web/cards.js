// cards.js: rows of a table to choose from: small cards with a few columns, or lines of a larger table.
import {make, itemBytes} from './paint.js';
import {columnsOf, cell, difference} from './columns.js';
import {shade} from './effects.js';

const LINES = 5;    // of a card
const TAIL = 5;     // characters at the end of a name that are always shown: many names differ only there

function shortened(name) {
    const letters = Array.from(name), cut = letters.length > TAIL + 2 ? letters.length - TAIL : letters.length;
    return make('span', {}, make('span', {textContent: letters.slice(0, cut).join('')}), make('span', {textContent: letters.slice(cut).join('')}));
}

/* The columns c of a row x, each with its name, its value and a shade for how far that is from the mean. */
export function card(x, list, exact = false, digits = 2) {
    return make('span', {className: 'card'}, ...list.map((c) => {
        const column = columnsOf()[c], {text, change, missing} = cell(column, x, exact, digits);
        const line = make('span', {title: `${column.name} ${text}`}, shortened(column.name), make('b', {textContent: text}));
        if (!missing) line.style.setProperty('--shade', shade(change));
        return line;
    }));
}

function largest(amount, most) {
    const by = columnsOf().map((column, c) => [c, amount(column)]);
    return by.sort((a, b) => b[1] - a[1]).slice(0, most).map(([c]) => c);
}

/* The columns in which a row differs most from the mean. */
export const unusualColumns = (x, most = LINES) => largest((column) => Math.abs(difference(column, x, null)), most);

/* The columns that differ most among rows. */
function spreadColumns(rows, most) {
    return largest((column) => {
        let most = 0;
        for (let f = column.first; f < column.first + column.features; f++) {
            let low = Infinity, high = -Infinity;
            for (const x of rows) {
                if (x[f] < low) low = x[f];
                if (x[f] > high) high = x[f];
            }
            most = Math.max(most, high - low);
        }
        return most;
    }, most).sort((a, b) => a - b);
}

export const rowsOf = (buffer, count) => Array.from({length: count}, (_, i) => new Float32Array(buffer, i * itemBytes(), itemBytes() / 4));

/* As paint.js's sheet, of cards with the same columns. Returns a line that explains them. */
export function cardSheet(container, buffer, count, describe, pick) {
    const rows = rowsOf(buffer, count), list = spreadColumns(rows, LINES);
    rows.forEach((x, i) => {
        const button = make('button', {className: 'picture', 'aria-label': describe(i), title: describe(i)}, card(x, list, false, 1));
        button.addEventListener('click', () => pick(i));
        container.append(button);
    });
    return make('p', {className: 'hint', textContent: `From top to bottom: ${list.map((c) => columnsOf()[c].name).join(', ')}`
        + `${columnsOf().length > LINES ? ', which differ most here' : ''}. Blue is below the mean, orange above.`});
}

/* ---- A table of rows ---- */

const WIDE = 78;    // pixels of a column
/* reserved: pixels of what stands before the columns. */
export const columnsThatFit = (container, reserved) => Math.max(2, Math.floor((Math.max(container.clientWidth, 600) - reserved) / WIDE));

/* rows: [features]; heads: [{text, title, order}] of what stands before the columns; before(i): the texts of these, or {text, className}; list: columns;
 * sorted: {by, down} by an order or a column; sort(by), pick(i): called for clicks. */
export function rowTable(container, rows, {heads, before, list, exact, sorted, sort, pick, describe}) {
    const head = (text, title, by) => {
        const th = make('th', {scope: 'col', title});
        if (by === undefined || !sort) th.append(text);
        else {
            const button = make('button', {textContent: text + (sorted.by === by ? (sorted.down ? ' ↓' : ' ↑') : '')});
            button.addEventListener('click', () => sort(by));
            th.append(button);
            th.setAttribute('aria-sort', sorted.by !== by ? 'none' : sorted.down ? 'descending' : 'ascending');
        }
        return th;
    };
    const columns = list.map((c) => columnsOf()[c]);
    const top = make('tr', {}, ...heads.map((h) => { const th = head(h.text, h.title ?? '', h.order); th.className = h.order === undefined || h.wide ? 'label' : 'narrow'; return th; }), ...list.map((c, i) => { const th = head(columns[i].name, columns[i].name, c); th.className = columns[i].kind === 'date' ? (columns[i].decimals > 0 ? 'time' : 'date') : ''; return th; }));
    const lines = rows.map((x, i) => {
        const [first, ...more] = before(i), button = make('button', {className: 'picture', textContent: first, 'aria-label': describe(i)});
        const line = make('tr', {}, make('th', {scope: 'row'}, button), ...more.map((m) => ({text: m.text ?? m, className: m.className ?? ''})).map(({text, className}) => make('td', {textContent: text, title: text, className})),
            ...columns.map((column) => {
                const {text, change, missing} = cell(column, x, exact), td = make('td', {textContent: text, title: `${column.name} ${text}`, className: missing ? 'gap' : ''});
                if (!missing) td.style.setProperty('--shade', shade(change));
                return td;
            }));
        line.addEventListener('click', () => pick(i));
        return line;
    });
    container.replaceChildren(make('table', {className: 'rows'}, make('thead', {}, top), make('tbody', {}, ...lines)));
}
