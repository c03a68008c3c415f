// labels.js: which components carry which label or attribute, and a slider towards each.
import {getJson} from './api.js';
import {about, view, onMove, shift, name, signed, sayError} from './state.js';
import {make} from './paint.js';
import {reveal} from './sliders.js';

let targets = [], rows = [], loading = Promise.resolve(), panelOf = null;

/* From the mean of the other items (0) to the mean of these (1), measured along the line between them in latent space. */
function direction(target) {
    const lengths = about.runs[0].deviations, v = target.inside.map((x, k) => (x - target.beside[k]) * lengths[k]);
    const square = v.reduce((sum, x) => sum + x * x, 0);
    return {
        step: target.inside.map((x, k) => x - target.beside[k]),
        at: (p) => square > 0 ? v.reduce((sum, x, k) => sum + x * (p[k] - target.beside[k]) * lengths[k], 0) / square : 0,
    };
}

function set(row, value) {
    const p = view.position[0], by = value - row.direction.at(p);
    shift(row.direction.step.map((x, k) => [k, p[k] + by * x]), `label ${row.target.name}`);
}

function chips(target) {
    const order = target.gains.map((gain, k) => [k, gain]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 3);
    const strongest = Math.max(...targets.flatMap((t) => t.gains.map(Math.abs)), 1e-9);
    return order.map(([k, gain]) => {
        const chip = make('button', {className: 'chip', title: `${name(k)}: ${Math.abs(gain).toFixed(3)} bits, ${gain > 0 ? 'more' : 'less'} likely where it is high`},
            make('b', {textContent: (gain < 0 ? '−' : '+') + name(k)}), make('span', {textContent: Math.abs(gain).toFixed(2)}));
        chip.style.setProperty('--gain', Math.abs(gain) / strongest);
        chip.addEventListener('click', () => reveal(k));
        return chip;
    });
}

function addRow(body, target, i) {
    const row = {target, direction: direction(target)};
    row.slider = make('input', {type: 'range', min: -1, max: 2, step: 0.01, id: `target-${i}`, 'aria-label': `more ${target.name.replaceAll('_', ' ')}`});
    row.value = make('output', {htmlFor: `target-${i}`});
    row.slider.addEventListener('input', () => set(row, Number(row.slider.value)));
    rows.push(row);
    body.append(make('tr', {}, make('th', {scope: 'row', title: target.name}, make('span', {textContent: target.name.replaceAll('_', ' ')}), make('small', {textContent: `${(100 * target.count / about.items.count).toFixed(target.count < 0.1 * about.items.count ? 1 : 0)}%`})),
        make('td', {className: 'toward'}, row.slider, row.value), make('td', {className: 'chips'}, ...chips(target))));
}

function follow() {
    if (panelOf?.hidden) return;
    for (const row of rows) {
        const t = row.direction.at(view.position[0]);
        row.slider.value = t;
        row.value.textContent = signed(t);
        row.slider.setAttribute('aria-valuetext', `${signed(t)}, 0 is the mean of the other items, 1 the mean of ${row.target.name}`);
    }
}

async function load() {
    if (rows.length === 0) {
        targets = await getJson('targets');
        const best = (t) => Math.max(...t.gains.map(Math.abs));
        if (!about.items.labelled) targets.sort((a, b) => best(b) - best(a));
        const body = make('tbody');
        targets.forEach((target, i) => addRow(body, target, i));
        const head = make('tr', {}, make('th', {scope: 'col', textContent: about.items.labelled ? 'Label' : 'Attribute'}),
            make('th', {scope: 'col', textContent: '0: mean of the others, 1: of these'}), make('th', {scope: 'col', textContent: 'Best components (bits)'}));
        panelOf.append(make('table', {className: 'targets'}, make('thead', {}, head), body),
            make('p', {className: 'hint', textContent: `Bits: the information gain of the best split by that component alone${about.items.count > 20000 ? ', on the first 20,000 items' : ''}; the sign shows which side of the split has more of these items. Click a component to see its slider.`}));
    }
    follow();
}

const refresh = () => { loading = loading.then(load).catch(sayError); };
export const labelsIdle = () => loading;

export function buildLabels(panel) {
    panelOf = panel;
    onMove(follow);
    return refresh;
}
