// samples.js: new items from the fitted Gaussian or another distribution.
import {getBytes, Newest} from './api.js';
import {about, moveTo, everywhere, sayError} from './state.js';
import {make, sheet, isTable} from './paint.js';
import {rowTable, rowsOf, columnsThatFit} from './cards.js';
import {mainColumns} from './columns.js';

const COUNT = 60;
let seed = 1, from = 'gaussian', truncation = '', box, seedField;

async function show() {
    const mine = seed;    // another may be wanted by the time that these come
    const words = `sample?n=${COUNT}&seed=${mine}&from=${from}${truncation && from !== 'sphere' ? `&truncation=${truncation}` : ''}`;
    const reply = await getBytes(words), numbers = COUNT * about.d;
    const amounts = new Float32Array(reply.slice(0, 4 * numbers));
    const items = reply.slice(4 * numbers), describe = (i) => `Sample ${i + 1}`;
    const pick = (i) => {
        const there = amounts.slice(i * about.d, (i + 1) * about.d);
        moveTo(everywhere(there), {kind: 'sample', number: i, seed: mine});
    };
    if (!isTable()) return sheet(box, items, COUNT, 10, describe, pick);
    rowTable(box, rowsOf(items, COUNT), {heads: [{text: 'Sample'}], before: (i) => [String(i + 1)], list: await mainColumns(columnsThatFit(box, 60)), describe, pick});
}

const sheets = new Newest(() => show().catch(sayError));
const refresh = () => { sheets.ask(); };
export const samplesIdle = () => sheets.idle();

export function buildSamples(panel) {
    box = make('div');
    const source = make('select', {}, make('option', {value: 'gaussian', textContent: 'fitted Gaussian'}),
        make('option', {value: 'normal', textContent: 'standard normal'}), make('option', {value: 'sphere', textContent: 'sphere of radius √d'}));
    source.addEventListener('change', () => {
        from = source.value;
        cut.disabled = from === 'sphere';
        cut.title = cut.disabled ? 'Truncation does not apply: all points of a sphere have the same distance from the mean' : '';
        refresh();
    });
    const cut = make('select', {}, ...[['', 'none'], ['3', '3'], ['2', '2'], ['1.5', '1.5'], ['1', '1'], ['0.7', '0.7'], ['0.5', '0.5']]
        .map(([value, textContent]) => make('option', {value, textContent})));
    cut.addEventListener('change', () => { truncation = cut.value; refresh(); });
    seedField = make('input', {type: 'number', min: 0, value: seed});
    seedField.addEventListener('change', () => { seed = Math.max(0, Math.round(Number(seedField.value)) || 0); refresh(); });
    const again = make('button', {textContent: 'New samples', className: 'main'});
    again.addEventListener('click', () => { seedField.value = ++seed; refresh(); });
    panel.append(make('div', {className: 'controls'}, make('label', {}, 'From ', source), make('label', {}, 'Truncation ', cut),
        make('label', {}, 'Seed ', seedField), again), box,
    make('p', {className: 'hint', textContent: 'Truncation redraws values beyond this many standard deviations: less variety, fewer failures. Click a sample to start from it.'}));
    return refresh;
}
