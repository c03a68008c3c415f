// stage.js: the decoded picture, where it came from, and the actions for it.
import {getBytes, decode, postBytes, readItems, Newest} from './api.js';
import {about, view, onMove, onMoveAtOnce, tellRest, moveTo, everywhere, meanPosition, undo, redo, canUndo, canRedo, reset, hasMoved, say, sayError} from './state.js';
import {paint, make, isTable, hasDecoder, hasPictures, rowValues, itemBytes} from './paint.js';
import {Row} from './row.js';
import {linkOfView} from './link.js';
import {itemName, fileName} from './items_data.js';
import {saveFile} from './save.js';

const $ = (id) => document.getElementById(id);
let canvases = [], original = null, tables = [], shownOrigin = null, shownText = '', saidSpeed = 0;
const distance = make('span');
export const speed = {last: 0, count: 0, total: 0};

/* Updates at most four times a second, to stay readable. */
function saySpeed() {
    const now = performance.now();
    if (now - saidSpeed < 250 || speed.count < 2) return;   // the first one includes loading the page
    saidSpeed = now;
    $('speed').textContent = `decoded in ${speed.last.toFixed(1)} ms${about.precision ? `; ${about.precision}` : ''}`;
}

/* One request at a time; then decodes the newest of the positions that came in the meantime. */
export const frames = new Newest(async () => {
    const position = view.position.map((p) => p.slice()), start = performance.now();
    try {
        const buffers = await Promise.all(position.map((p, r) => decode(r, p)));
        buffers.forEach(show);
        speed.last = performance.now() - start;
        speed.count++;
        speed.total += speed.last;
        saySpeed();
        tellRest();
    } catch (error) {
        sayError(error);
    }
});

function show(buffer, r) {
    if (isTable()) showRow(buffer, r);
    else paint(canvases[r], buffer);
}

/* Items are standardised as the first run's are: only its row can stand beside an item's own values. */
function showRow(buffer, r) {
    const {kind, item, pixels} = view.origin, beside = kind === 'item' && r === 0 ? pixels : null;
    if (beside && !beside.row) beside.row = rowValues(beside, 0);
    tables[r].show(rowValues(buffer, 0), beside?.row ?? null, kind === 'item' ? itemName(item) : '');
}

/* ---- Building ---- */

/* The files that can be saved, for each run. */
function saveButtons(run, r) {
    const of = about.runs.length > 1 ? ` of ${run.name}` : '', file = run.name.replace(/[^\w.-]+/g, '_') || 'run';
    const kinds = [['PNG', 'png', `${file}.png`, `Save the image${of} as PNG`],
        ['npy', 'npy', `${file}.npy`, `Save the ${isTable() ? 'row' : 'pixels'}${of} as npy`],
        ['latent', 'latent', `${file}-latent.npy`, `Save the latent${of} as npy, for eccentric decode`]];
    return make('span', {className: 'save'}, ...kinds.slice(isTable() ? 1 : 0).map(([text, as, name, label]) => {
        const button = make('button', {textContent: text, 'aria-label': label, title: label});
        button.dataset.save = as;
        button.addEventListener('click', () => download(r, as, name).catch(sayError));
        return button;
    }));
}

function figure(run, r) {
    const figure = make('figure');
    let canvas = null;
    if (isTable()) {
        const row = new Row(r, `Decoded row${about.runs.length > 1 ? ` of ${run.name}` : ''}`);
        tables.push(row);
        figure.append(row.element);
    } else {
        canvas = make('canvas', {className: 'decoded', role: 'img', 'aria-label': 'Decoded image'});
        canvases.push(canvas);
        figure.append(canvas);
    }
    figure.append(make('figcaption', {}, make('span', {textContent: about.runs.length > 1 ? run.name : 'Save'}), saveButtons(run, r)));
    return figure;
}

export function buildStage() {
    const pictures = $('pictures');
    const two = about.runs.length > 1;
    pictures.classList.toggle('two', two);
    if (hasDecoder()) {
        about.runs.forEach((run, r) => pictures.append(figure(run, r)));
        onMoveAtOnce(() => frames.ask());
    }
    if (hasPictures()) original = $('original');
    onMove(describe);
    connect();
}

/* ---- The current place ---- */

const words = {
    mean: () => 'The mean',
    random: (o) => `Random sample ${o.seed}`,
    sample: (o) => `Sample ${o.number + 1} of seed ${o.seed}`,
    item: (o) => `${itemName(o.item)}${fileName(o.item) ? `, ${fileName(o.item)}` : ''}${about.items.classes.length && o.label !== undefined ? `, ${about.items.classes[o.label] ?? 'no label'}` : ''}`,
    own: (o) => o.name,
    place: () => 'A place on the map',
    grid: () => 'From a grid',
    path: () => 'On a path',
    selection: (o) => `The mean of ${o.count.toLocaleString('en')} selected ${o.count === 1 ? 'item' : 'items'}`,
    kept: (o) => `Kept ${o.number}`,
    link: () => 'From a link',
};

function describe() {
    const o = view.origin, p = view.position[0];
    let length = 0;
    for (let k = 0; k < p.length; k++) length += p[k] * p[k];
    const moved = hasMoved(), text = `${words[o.kind](o)}${moved ? ', moved' : ''}`;
    $('undo').disabled = !canUndo();
    $('redo').disabled = !canRedo();
    $('reset').disabled = !moved;
    distance.textContent = length === 0 ? 'All components at 0' : `Distance from the mean ${Math.sqrt(length).toFixed(2)} (typical: ${Math.sqrt(about.d).toFixed(1)})`;
    if (shownOrigin === o && shownText === text) return;
    shownOrigin = o;
    shownText = text;
    distance.title = `In standard deviations; a typical item is about √${about.d} from the mean`;
    $('origin').replaceChildren(make('strong', {textContent: text}), make('br'), distance);
    if (o.kind === 'own') $('origin').append(invertButton(o));
    if (!original) return;
    original.hidden = !o.pixels;
    if (o.pixels) paint(original.firstElementChild, o.pixels);
    canvases.forEach((c, r) => c.setAttribute('aria-label', `Decoded image${canvases.length > 1 ? ` of ${about.runs[r].name}` : ''}: ${text}`));
}

function invertButton(o) {
    const button = make('button', {textContent: o.inverted ? 'Light on dark' : 'Invert', title: 'Swap dark and light, then encode again'});
    button.addEventListener('click', () => openFile(o.file, !o.inverted));
    return button;
}

/* ---- Starting points ---- */

export function goMean() {
    moveTo(meanPosition(), {kind: 'mean'});
}

export async function goRandom() {
    const seed = Math.floor(Math.random() * 1e9);
    const amounts = new Float32Array((await getBytes(`sample?n=1&seed=${seed}`)).slice(0, 4 * about.d));
    moveTo(everywhere(amounts), {kind: 'random', seed});
}

const split = (buffer) => about.runs.map((_, r) => new Float32Array(buffer.slice(4 * r * about.d, 4 * (r + 1) * about.d)));

export async function itemOrigin(item, labels = null) {
    const [place, pixels] = await Promise.all([getBytes(`place?item=${item}`), readItems([item])]);
    const position = split(place);
    return [position, {kind: 'item', item, label: labels?.[item], pixels, home: position}];
}

export async function goItem(item, labels = null) {
    moveTo(...await itemOrigin(item, labels));
    say(itemName(item), true);
}

export async function openFile(file, inverted = false) {
    if (!hasDecoder()) return say('These are latents without a model: it takes one to encode an image');
    if (isTable()) return say('This run was trained on a table: it cannot encode an image');
    if (file.size > 1 << 24) throw new Error('the file is larger than 16 MB');
    const reply = await postBytes(`upload${inverted ? '?invert=1' : ''}`, file);
    const position = split(reply), pixels = reply.slice(4 * about.d * about.runs.length);
    if (pixels.byteLength !== itemBytes()) throw new Error('the server sent an item of the wrong size');
    moveTo(position, {kind: 'own', name: file.name || 'Your image', file, inverted, pixels, home: position});
    say(`${file.name || 'Your image'} encoded`, true);
}

/* ---- Copying and saving ---- */

async function toClipboard(text, what) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // the old way, for pages without permission or on plain http from another machine
        const area = make('textarea', {value: text, className: 'hidden-input'});
        document.body.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
    }
    say(`${what} copied`);
}

async function download(run, as, fileName) {
    const bytes = await postBytes(`export?run=${run}&as=${as}`, view.position[run]);
    saveFile(fileName, bytes);
}

function connect() {
    const on = (id, work) => $(id).addEventListener('click', async () => {
        try {
            await work();
        } catch (error) {
            sayError(error);
        }
    });
    on('mean', goMean);
    on('random', goRandom);
    on('undo', undo);
    on('redo', redo);
    on('reset', reset);
    on('copy', () => toClipboard(view.position.map((p) => Array.from(p, (v) => Number(v.toFixed(4))).join(', ')).join('\n'), 'Numbers'));
    on('link', () => toClipboard(linkOfView(), 'Link'));
    $('file').addEventListener('change', () => {
        if ($('file').files[0]) openFile($('file').files[0]).catch(sayError);
        $('file').value = '';
    });
    connectDrop();
}

function connectDrop() {
    let depth = 0;
    const files = (event) => Array.from(event.dataTransfer?.types ?? []).includes('Files');
    const cover = (on) => $('drop').classList.toggle('shown', on);
    addEventListener('dragenter', (event) => { if (files(event)) cover(++depth > 0); });
    addEventListener('dragleave', (event) => { if (files(event)) cover(--depth > 0); });
    addEventListener('dragover', (event) => { if (files(event)) event.preventDefault(); });
    addEventListener('drop', (event) => {
        depth = 0;
        cover(false);
        if (!files(event)) return;
        event.preventDefault();
        openFile(event.dataTransfer.files[0]).catch(sayError);
    });
    addEventListener('paste', (event) => {
        const file = Array.from(event.clipboardData?.files ?? []).find((f) => f.type.startsWith('image/'));
        if (file) openFile(file).catch(sayError);
    });
}
