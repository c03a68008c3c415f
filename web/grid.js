// grid.js: all combinations of signs of some components (the paper's Figure 8).
import {decode, Newest} from './api.js';
import {about, view, onMove, moveTo, everywhere, meanPosition, name, sayError} from './state.js';
import {make, sheet, isTable} from './paint.js';

let across = [0, 1], up = [2, 3], amount = 1.5, around = 'mean', box, visible = false;
const most = 4;

/* "p1, p3" as numbers from 0, or null. */
function read(text) {
    const list = text.split(/[\s,]+/).filter(Boolean).map((word) => Number(word.replace(/^p/i, '')) - 1);
    const good = list.length > 0 && list.length <= most && new Set(list).size === list.length
        && list.every((k) => Number.isInteger(k) && k >= 0 && k < about.d);
    return good ? list : null;
}

const signs = (list, at) => list.map((k, i) => [k, (at >> (list.length - 1 - i)) & 1 ? 1 : -1]);
const words = (pairs) => pairs.map(([k, s]) => (s > 0 ? '+' : '−') + name(k)).join(' ');

async function show() {
    const wide = across, high = up;    // these may change while the pictures are on their way
    const columns = 1 << wide.length, rows = 1 << high.length, n = rows * columns;
    const right = (i) => signs(wide, i % columns), above = (i) => signs(high, Math.floor(i / columns));
    const base = around === 'mean' ? meanPosition()[0] : view.position[0], amounts = new Float32Array(n * about.d);
    for (let i = 0; i < n; i++) {
        amounts.set(base, i * about.d);
        for (const [k, s] of [...right(i), ...above(i)]) amounts[i * about.d + k] = s * amount;
    }
    const buffer = await decode(0, amounts);
    const pictures = make('div');
    const caption = sheet(pictures, buffer, n, columns, (i) => `${words(above(i))} ${words(right(i))}`, (i) => {
        const there = amounts.slice(i * about.d, (i + 1) * about.d);
        moveTo(everywhere(there), {kind: 'grid'});
    });
    const head = (count, list, className) => make('div', {className}, ...Array.from({length: count}, (_, i) => make('span', {textContent: words(signs(list, i))})));
    box.style.setProperty('--columns', columns);
    box.replaceChildren(head(columns, wide, 'grid-columns'), head(rows, high, 'grid-rows'), pictures, ...(caption ? [caption] : []));
}

const sheets = new Newest(() => show().catch(sayError));
const refresh = () => { visible = true; sheets.ask(); };
export const gridIdle = () => sheets.idle();

function listField(label, list, set) {
    const field = make('input', {type: 'text', value: list.map(name).join(', '), size: 12, spellcheck: false});
    field.addEventListener('change', () => {
        const chosen = read(field.value);
        field.setAttribute('aria-invalid', String(!chosen));
        if (!chosen) return sayError(new Error(`expected 1 to ${most} different components, such as p1, p3`));
        set(chosen);
        refresh();
    });
    return make('label', {}, label, field);
}

export function buildGrid(panel) {
    [across, up] = about.d > 2 ? [[0, 1], [2, 3].filter((k) => k < about.d)] : [[0], [about.d - 1]];
    box = make('div', {className: 'grid'});
    const size = make('input', {type: 'range', min: 0.25, max: 3, step: 0.25, value: amount});
    const shown = make('output', {textContent: `±${amount}`});
    size.addEventListener('input', () => { amount = Number(size.value); shown.textContent = `±${amount}`; refresh(); });
    const base = make('select', {}, make('option', {value: 'mean', textContent: 'the mean'}), make('option', {value: 'here', textContent: 'the current place'}));
    base.addEventListener('change', () => { around = base.value; refresh(); });
    let timer = null;
    onMove(() => {
        clearTimeout(timer);
        if (around === 'here' && visible && !panel.hidden) timer = setTimeout(refresh, 150);
    });
    panel.append(make('div', {className: 'controls'}, listField('Across ', across, (list) => { across = list; }), listField('Up ', up, (list) => { up = list; }),
        make('label', {}, 'Deviations ', size, shown), make('label', {}, 'Around ', base)), box,
    make('p', {className: 'hint', textContent: `All combinations of signs, minus first; the other components keep their values. Click ${isTable() ? 'a card' : 'an image'} to start from it.`}));
    return refresh;
}
