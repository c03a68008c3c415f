// items.js: the data set, to browse and to start from.
import {readItems} from './api.js';
import {about, sayError} from './state.js';
import {make, sheet} from './paint.js';
import {goItem} from './stage.js';
import {itemLabels} from './map.js';

const PAGE = 100;
let first = 0, wanted = '', list = null, box, range, loading = Promise.resolve();

/* The items to show: all (null), or those of one class. */
function choose() {
    const labels = itemLabels();
    list = wanted === '' || !labels ? null : Array.from(labels.keys()).filter((i) => labels[i] === Number(wanted));
}

const count = () => list ? list.length : about.items.count;
const item = (i) => list ? list[i] : i;

async function show() {
    const n = Math.min(PAGE, count() - first), numbers = Array.from({length: n}, (_, i) => item(first + i));
    range.textContent = n > 0 ? `${first + 1}–${first + n} of ${count().toLocaleString('en')}` : 'none';
    if (n <= 0) return box.replaceChildren();
    const labels = itemLabels(), classes = about.items.classes;
    const buffer = await readItems(numbers);
    sheet(box, buffer, n, 10, (i) => `Item ${numbers[i]}${labels ? `, ${classes[labels[numbers[i]]]}` : ''}`,
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
    const controls = make('div', {className: 'controls'});
    if (about.items.labelled) {
        const select = make('select', {}, make('option', {value: '', textContent: 'all'}),
            ...about.items.classes.map((text, c) => make('option', {value: c, textContent: text})));
        select.addEventListener('change', () => {
            wanted = select.value;
            first = 0;
            choose();
            refresh();
        });
        controls.append(make('label', {}, 'Label ', select));
    }
    const number = make('input', {type: 'number', min: 0, max: about.items.count - 1, placeholder: 'number'});
    number.addEventListener('change', () => {
        const i = Math.round(Number(number.value));
        if (number.value !== '' && i >= 0 && i < about.items.count) goItem(i, itemLabels()).catch(sayError);
    });
    controls.append(make('label', {}, 'Item ', number), make('span', {className: 'pager'}, back, on, range));
    panel.append(controls, box);
    return refresh;
}
