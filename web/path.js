// path.js: kept places, and the path between two of them.
import {decode} from './api.js';
import {about, view, moveTo, say, sayError} from './state.js';
import {make, sheet, paint, isTable, itemBytes} from './paint.js';
import {card, unusualColumns} from './cards.js';
import {effectLines, heatLines} from './effects.js';

const STEPS = 9;
const kept = [];    // {position, origin, picture}
let tray, box, from, to, spherical, slider, hint, loading = Promise.resolve();

/* t from 0 (a) to 1 (b), along a straight line, or on an arc around the mean; in the units of the latents. */
export function between(a, b, deviations, t, turning) {
    const mix = () => a.map((v, k) => v + t * (b[k] - v));
    if (!turning) return mix();
    let aa = 0, bb = 0, ab = 0;
    for (let k = 0; k < a.length; k++) {
        const x = a[k] * deviations[k], y = b[k] * deviations[k];
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    const la = Math.sqrt(aa), lb = Math.sqrt(bb), cosine = ab / (la * lb), angle = Math.acos(Math.max(-1, Math.min(1, cosine)));
    if (!(la > 0 && lb > 0) || Math.sin(angle) < 1e-6) return mix();
    const length = la + t * (lb - la), wa = Math.sin((1 - t) * angle) / Math.sin(angle) * length / la;
    const wb = Math.sin(t * angle) / Math.sin(angle) * length / lb;
    return a.map((v, k) => wa * v + wb * b[k]);
}

const at = (t) => {
    const a = kept[from.value], b = kept[to.value];
    return a.position.map((p, r) => between(p, b.position[r], about.runs[r].deviations, t, spherical.checked));
};

/* Of a table: the columns that differ most between the two ends. */
function tableWay(buffer, r) {
    const x = new Float32Array(buffer), last = (STEPS - 1) * itemBytes() / 4;
    const lines = effectLines(about.runs.length > 1 ? about.runs[r].name : '', (i) => { slider.value = i / (STEPS - 1); travel(); });
    lines.classList.add('way');
    lines.append(...heatLines(x, STEPS, (f) => x[last + f] - x[f], 12, r)[1]);
    return lines;
}

async function show() {
    const ready = kept.length >= 2;
    for (const control of [from, to, spherical, slider]) control.disabled = !ready;
    hint.hidden = ready;
    if (!ready) return box.replaceChildren();
    const steps = Array.from({length: STEPS}, (_, i) => at(i / (STEPS - 1)));
    const ways = await Promise.all(about.runs.map(async (run, r) => {
        const amounts = new Float32Array(STEPS * about.d), way = make('div', {className: 'way'});
        steps.forEach((place, i) => amounts.set(place[r], i * about.d));
        const of = about.runs.length > 1 ? ` of ${run.name}` : '';
        if (isTable()) return tableWay(await decode(r, amounts), r);
        sheet(way, await decode(r, amounts), STEPS, STEPS, (i) => `Step ${i + 1} of ${STEPS}${of}`, (i) => { slider.value = i / (STEPS - 1); travel(); });
        return way;
    }));
    box.replaceChildren(...ways);
}

function travel() {
    const there = at(Number(slider.value));
    moveTo(there, {kind: 'path'}, 'path');
}

const refresh = () => { loading = loading.then(show).catch(sayError); };
export const pathIdle = () => loading;

function list() {
    const options = () => kept.map((_, i) => make('option', {value: i, textContent: i + 1}));
    const [a, b] = [from.value, to.value];
    from.replaceChildren(...options());
    to.replaceChildren(...options());
    from.value = a === '' ? 0 : a;
    to.value = b === '' || kept.length === 2 ? kept.length - 1 : b;
    tray.replaceChildren(...kept.map((k, i) => {
        const canvas = isTable() ? card(new Float32Array(k.picture), unusualColumns(new Float32Array(k.picture), 3)) : make('canvas');
        if (!isTable()) paint(canvas, k.picture);
        const button = make('button', {className: 'picture', 'aria-label': `Kept ${i + 1}: go there`}, canvas, make('span', {textContent: i + 1}));
        button.addEventListener('click', () => moveTo(k.position, k.origin));
        return button;
    }));
}

export async function keep() {
    const position = view.position.map((p) => p.slice());
    const picture = await decode(0, position[0]);
    kept.push({position, picture, origin: {...view.origin, kind: view.origin.kind}});
    list();
    refresh();
    say(`Kept as ${kept.length}`);
}

export function buildPath(panel) {
    tray = make('div', {className: 'tray'});
    box = make('div');
    from = make('select');
    to = make('select');
    spherical = make('input', {type: 'checkbox'});
    slider = make('input', {type: 'range', min: 0, max: 1, step: 0.005, value: 0, 'aria-label': 'Along the path'});
    hint = make('p', {className: 'hint', textContent: 'Keep two places (the Keep button or the K key), then move between them.'});
    for (const control of [from, to, spherical]) control.addEventListener('change', refresh);
    slider.addEventListener('input', travel);
    panel.append(hint, tray, make('div', {className: 'controls'}, make('label', {}, 'From ', from), make('label', {}, 'to ', to),
        make('label', {className: 'check'}, spherical, ' on an arc around the mean')), box, slider);
    return refresh;
}
