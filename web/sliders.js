// sliders.js: a slider for each component, strongest first, over a strip that shows its effect.
import {decode} from './api.js';
import {about, view, onMove, shift, name, signed, sayError} from './state.js';
import {paint, make, pictureSize, isTable} from './paint.js';
import {effectLines, paintEffects} from './effects.js';

const STEPS = 7;        // pictures of a strip, one deviation apart: from −3 to 3
const RANGE = STEPS / 2;
export const FIRST = 8; // sliders at the start, and how many more on demand
const rows = [];
const container = () => document.getElementById('rows');
let settled = null, generation = 0, working = Promise.resolve();

export const shown = () => rows.length;
const around = () => document.querySelector('input[name=strips]:checked').value;
const percent = (x) => `${(100 * x).toFixed(Math.abs(x) < 0.0995 ? 1 : 0)}%`.replace('-', '−');

/* ---- One row ---- */

function set(row, value) {
    shift([[row.k, value]], `slider ${row.k}`);
}

function onKey(event, row) {
    const steps = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10};
    const step = steps[event.key], value = view.position[0][row.k];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) set(row, Math.round(100 * value + step * (event.shiftKey ? 1 : 10)) / 100);
    else if (event.key === '0') set(row, 0);
    else return;
    event.preventDefault();
}

function strip(row, r) {
    if (isTable()) return effectLines(about.runs.length > 1 ? about.runs[r].name : '', (step) => set(row, step - (STEPS - 1) / 2));
    const canvas = make('canvas', {className: 'strip', 'aria-hidden': 'true'});
    const [width, height] = pictureSize();
    canvas.width = STEPS * width;
    canvas.height = height;
    canvas.addEventListener('click', (event) => {
        const at = event.offsetX / canvas.clientWidth;
        set(row, Math.floor(at * STEPS) - (STEPS - 1) / 2);
    });
    if (r > 0) {
        const a = about.alignment, partner = a ? a.partner[row.k] : row.k;
        canvas.title = `${about.runs[r].name}: ${a && a.sign[row.k] < 0 ? '−' : ''}${name(partner)}`
            + (a ? `, correlation ${a.correlation[row.k].toFixed(2)}` : '');
    }
    return canvas;
}

function addRow(k) {
    const row = {k};
    const share = about.runs[0].explained[k];
    row.slider = make('input', {type: 'range', min: -RANGE, max: RANGE, step: 0.01, value: 0, id: `slider-${k}`});
    row.number = make('input', {type: 'number', step: 0.1, value: 0, 'aria-label': `${name(k)}, standard deviations`});
    row.strips = about.runs.map((_, r) => strip(row, r));
    const bar = make('span', {className: 'bar', 'aria-hidden': 'true'});
    bar.style.setProperty('--share', share / about.runs[0].explained[0]);
    const label = make('label', {htmlFor: `slider-${k}`}, make('b', {textContent: name(k)}),
        make('span', {className: 'share', textContent: percent(share), title: 'share of the variance of the latents'}), bar);
    const data = about.runs[0].explained_data[k];
    if (data !== null) label.append(make('span', {className: 'data-share', textContent: `${percent(data)} of data`,
        title: 'share of the variance of the data: how much better reconstructions become by this component, after those before it'}));
    if (about.alignment) {
        const a = about.alignment;
        label.append(make('span', {className: 'partner', title: 'the matching component of the second run, and the correlation',
            textContent: `≙ ${a.sign[k] < 0 ? '−' : ''}${name(a.partner[k])} ${a.correlation[k].toFixed(2)}`}));
    }
    row.element = isTable() ? make('div', {className: 'component'}, label, make('div', {className: 'track'}, row.slider), row.number, ...row.strips)
        : make('div', {className: 'component'}, label,
            make('div', {className: 'track'}, make('div', {className: 'strips'}, ...row.strips), row.slider), row.number);
    row.slider.addEventListener('input', () => set(row, Number(row.slider.value)));
    row.slider.addEventListener('keydown', (event) => onKey(event, row));
    row.slider.addEventListener('dblclick', () => set(row, 0));
    row.number.addEventListener('change', () => {
        const value = Number(row.number.value);
        set(row, Number.isFinite(value) ? Math.max(-100, Math.min(100, value)) : 0);
    });
    rows.push(row);
    container().append(row.element);
    follow(row);
}

function follow(row) {
    const value = view.position[0][row.k];
    if (value === row.value) return;
    row.value = value;
    if (Number(row.slider.value) !== value) row.slider.value = value;
    row.slider.setAttribute('aria-valuetext', `${signed(value)} standard deviations`);
    row.slider.classList.toggle('beyond', Math.abs(value) > RANGE);
    const at = Math.max(0, Math.min(1, (value + RANGE) / (2 * RANGE)));
    row.element.style.setProperty('--from', Math.min(at, 0.5));
    row.element.style.setProperty('--to', Math.max(at, 0.5));
    row.element.style.setProperty('--at', at);
    if (document.activeElement !== row.number) row.number.value = value.toFixed(2);
}

/* ---- Strips ---- */

/* Draws strips only when the position stops changing, one row after the other; skips outdated positions. */
async function drawStrips(mine) {
    for (const row of rows) {
        for (let r = 0; r < about.runs.length; r++) {
            if (mine !== generation) return;
            const a = about.alignment, partner = r > 0 && a ? a.partner[row.k] : row.k;
            const sign = r > 0 && a ? a.sign[row.k] : 1;
            const base = around() === 'here' ? view.position[r] : new Float32Array(about.d);
            const key = `${around()} ${base.map((v, k) => k === partner ? 0 : v)}`;
            if (row.strips[r].key === key) continue;
            const amounts = new Float32Array(STEPS * about.d);
            for (let s = 0; s < STEPS; s++) {
                amounts.set(base, s * about.d);
                amounts[s * about.d + partner] = sign * (s - (STEPS - 1) / 2);
            }
            const buffer = await decode(r, amounts);
            if (mine !== generation) return;
            if (isTable()) paintEffects(row, r, buffer, STEPS);
            else paint(row.strips[r], buffer, 0, STEPS);
            row.strips[r].key = key;
        }
    }
}

function refresh(wait) {
    clearTimeout(settled);
    const mine = ++generation;
    settled = setTimeout(() => {
        settled = null;
        working = working.then(() => drawStrips(mine)).catch(sayError);
    }, wait);
}

export async function stripsIdle() {
    while (settled !== null) await new Promise((done) => setTimeout(done, 20));
    await working;
}

/* ---- All of them ---- */

export function show(count) {
    while (rows.length > count) rows.pop().element.remove();
    while (rows.length < Math.min(count, about.d)) addRow(rows.length);
    const more = document.getElementById('more'), left = about.d - rows.length;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, FIRST)} more of ${left}`;
    refresh(0);
}

export function buildSliders(count = FIRST) {
    const [width, height] = pictureSize();
    container().style.setProperty('--ratio', STEPS * width / height);
    if (isTable()) container().before(make('p', {className: 'hint', textContent: 'Below each slider: the columns that it changes most, with their values from −3 to +3 standard deviations; on the right, the change for one more.'}));
    document.getElementById('more').addEventListener('click', () => {
        const first = rows.length;
        show(rows.length + FIRST);
        rows[first].slider.focus();
    });
    for (const radio of document.querySelectorAll('input[name=strips]')) {
        radio.addEventListener('change', () => refresh(0));
    }
    onMove(() => {
        rows.forEach(follow);
        if (around() === 'here') refresh(120);
    });
    show(Math.max(count, FIRST));
}

/* Scrolls a component's slider into view. */
export function reveal(k) {
    show(Math.max(k + 1, rows.length));
    rows[k].slider.focus();
    rows[k].element.scrollIntoView({block: 'nearest'});
}
