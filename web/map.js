// map.js: the encoded items along two components; hovering shows an item, dragging moves through latent space or selects.
import {getBytes, getJson, readItems, Newest} from './api.js';
import {about, view, onMove, shift, select, name, signed, say, sayError} from './state.js';
import {paint, make, isTable, hasDecoder, hasPictures, category, categoryRgb, sequenceRgb, isRing, MISSING, dark} from './paint.js';
import {card, unusualColumns} from './cards.js';
import {columnsOf, findColumns, valueText} from './columns.js';
import {goItem} from './stage.js';
import {cellsOf, numbersOf, levelsOf, itemName, fileName} from './items_data.js';
import {remember} from './link.js';
import {Cloud} from './cloud.js';
import {column} from './latents.js';
import {selection, onSelect, selectionIdle, watchSelection, textOfSelection, selectionOfText} from './selection.js';
import * as selecting from './selecting.js';
import {buildSelectionPanel, panelIdle} from './selection_panel.js';
import {Thumbs} from './thumbs.js';
import {buildNeighbours, neighbours, neighboursIdle, isOpen, setOpen} from './neighbours.js';

let canvas, context, tip, mark, cloud, xs = null, ys = null, colours = null, labels = null;
let axes = [0, 1], colourBy = null, picked = null, hovered = -1, mode = 'travel';
let centre = [0, 0], scale = 60, drawn = null, legend, controls = {};
let loading = Promise.resolve(), thumbs = null, pictures = 'zoom', drawnAs = 'number';

export const itemLabels = () => labels;
export async function mapIdle() {
    await loading;
    await hover.idle();
    await selectionIdle();
    await panelIdle();
    await neighboursIdle();
    do {
        while (drawn !== null) await new Promise((done) => setTimeout(done, 10));
        await thumbs?.asking.idle();
    } while (drawn !== null);
}

/* ---- Data ---- */

async function loadAxes() {
    const wanted = axes.slice();
    const [x, y] = await Promise.all(wanted.map(column));
    if (wanted[0] !== axes[0] || wanted[1] !== axes[1]) return;
    xs = x;
    ys = y;
    redraw();
}

/* ids: category of each item, or shade: 0 to 1; names for the legend. */
async function loadColours() {
    const [kind, k] = colourBy.split('.');
    if (kind === 'label') {
        colours = {ids: labels, names: about.items.classes};
    } else if (kind === 'attribute') {
        const ids = new Uint8Array(await getBytes(`attribute?k=${k}`));
        colours = {ids, names: ['others', words(about.items.attributes[k])], tones: [7, 1], front: 1};
    } else if (kind === 'factor') {
        const values = new Float32Array(await getBytes(`factor?k=${k}`));
        let low = Infinity, high = -Infinity;
        for (const v of values) {
            low = Math.min(low, v);
            high = Math.max(high, v);
        }
        colours = {shade: values.map((v) => (v - low) / (high - low || 1)), low, high, title: about.items.factors[k]};
    } else if (kind === 'number') {
        const values = await numbersOf(Number(k)), text = (v) => Number.isNaN(v) ? 'missing' : Number(v.toPrecision(4)).toLocaleString('en').replace('-', '−');
        colours = {...ramp(values, words(about.items.numbers[k]), text), values, text};
    } else if (kind === 'words') {
        const {name, levels} = about.items.words[k], ids = await levelsOf(Number(k)), colour = levelColours(ids, levels);
        colours = {...colour, values: ids, title: words(name), text: (level) => colour.names[level]};
    } else if (kind === 'cells') {
        colours = await cellColours(Number(k));
    } else {
        colours = {};
    }
    picked = null;
    fillLegend();
    redraw();
}

/* From the 2nd to the 98th percentile, so that a few far values do not hide the rest; NaN where the value is missing. */
function ramp(values, title, text) {
    const known = values.filter((v) => !Number.isNaN(v)).sort(), at = (t) => known[Math.round(t * (known.length - 1))] ?? 0;
    const low = at(0.02), high = at(0.98);
    return {shade: values.map((v) => Math.max(0, Math.min(1, (v - low) / (high - low || 1)))), title, low, high,
        lowText: `≤ ${text(low)}`, highText: `≥ ${text(high)}`, gaps: known.length < values.length};
}

/* By words; ids: the level of each item, levels.length where it is missing. */
function levelColours(ids, levels) {
    const gaps = ids.includes(levels.length);
    return {ids, names: gaps ? [...levels, 'missing'] : levels, tones: gaps ? [...levels.keys(), MISSING] : undefined};
}

/* By a column of a table: a ramp, or its levels. */
async function cellColours(c) {
    const column = columnsOf()[c], values = await cellsOf(c);
    if (column.kind === 'category') {
        const n = column.levels.length;
        return levelColours(Int32Array.from(values, (v) => Number.isNaN(v) ? n : v), column.levels);
    }
    return ramp(values, column.name, (v) => valueText(column, v));
}

const words = (text) => text.replaceAll('_', ' ');
const load = (work) => { loading = loading.then(work).catch(sayError); return loading; };

/* ---- Places ---- */

/* In CSS pixels; read only when they change, since reading them makes the browser lay out the page. */
let width = 0, height = 0, zoomed = false;
function measure() {
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    if (!zoomed && width > 0) fit();
    placeMark();
    redraw();
}

const toScreen = (x, y) => [width / 2 + (x - centre[0]) * scale, height / 2 - (y - centre[1]) * scale];
const toPlace = (sx, sy) => [centre[0] + (sx - width / 2) / scale, centre[1] - (sy - height / 2) / scale];

function fit() {
    zoomed = false;
    centre = [0, 0];
    scale = Math.min(width, height) / 7.4;
    redraw();
}

function zoom(factor, sx = width / 2, sy = height / 2) {
    const before = toPlace(sx, sy);
    zoomed = true;
    scale = Math.min(20000, Math.max(8, scale * factor));
    const after = toPlace(sx, sy);
    centre = [centre[0] + before[0] - after[0], centre[1] + before[1] - after[1]];
    redraw();
}

/* ---- Drawing ---- */

function redraw() {
    drawn ??= requestAnimationFrame(() => { drawn = null; draw(); });
}

/* The page's colours, read once per theme. */
let palette = {};
function css(name) {
    if (palette.dark !== dark.matches) palette = {dark: dark.matches};
    palette[name] ??= getComputedStyle(canvas).getPropertyValue(name).trim();
    return palette[name];
}

function drawFrame() {
    const unit = scale > 300 ? 0.1 : scale > 20 ? 1 : 5;
    const [left, top] = toPlace(0, 0), [right, bottom] = toPlace(width, height);
    context.lineWidth = 1;
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = css('--muted');
    context.textAlign = 'center';
    const label = (v) => v === 0 ? '0' : (v < 0 ? '−' : '') + Math.abs(v).toFixed(unit < 1 ? 1 : 0);
    for (let i = Math.ceil(left / unit); i * unit <= right; i++) {
        const [x] = toScreen(i * unit, 0);
        context.strokeStyle = css(i === 0 ? '--line-strong' : '--line');
        context.beginPath();
        context.moveTo(Math.round(x) + 0.5, 0);
        context.lineTo(Math.round(x) + 0.5, height);
        context.stroke();
        if (x > 30) context.fillText(label(i * unit), x, height - 5);
    }
    context.textAlign = 'left';
    for (let i = Math.ceil(bottom / unit); i * unit <= top; i++) {
        const [, y] = toScreen(0, i * unit);
        context.strokeStyle = css(i === 0 ? '--line-strong' : '--line');
        context.beginPath();
        context.moveTo(0, Math.round(y) + 0.5);
        context.lineTo(width, Math.round(y) + 0.5);
        context.stroke();
        if (y < height - 20 && y > 12) context.fillText(label(i * unit), 5, y - 4);
    }
}

/* The colour of a category. */
const tone = (c) => colours.tones ? colours.tones[c] : c;

function pointColour(i) {
    if (colours?.shade) return Number.isNaN(colours.shade[i]) ? categoryRgb(MISSING) : sequenceRgb(colours.shade[i]);
    return categoryRgb(tone(colours?.ids ? colours.ids[i] : 0));
}

/* Colours as one 3-byte entry for each item; computed again when the colouring changes. */
function pointColours() {
    const key = `${colourBy} ${dark.matches}`;
    if (colours.key === key) return colours.rgb;
    const rgb = new Uint8Array(3 * xs.length), table = new Map();
    for (let i = 0; i < xs.length; i++) {
        const id = colours.ids ? colours.ids[i] : colours.shade ? Math.round(255 * colours.shade[i]) : 0;
        if (!table.has(id)) table.set(id, pointColour(i));
        rgb.set(table.get(id), 3 * i);
    }
    colours.key = key;
    colours.rgb = rgb;
    colours.rings = colours.ids ? Uint8Array.from(colours.ids, (c) => isRing(tone(c)) ? 1 : 0) : null;
    return rgb;
}

/* The current place: an element above the canvas, so that moving redraws nothing. */
function placeMark() {
    const p = view.position[0], [x, y] = toScreen(p[axes[0]], p[axes[1]]);
    mark.hidden = !(x >= 0 && y >= 0 && x <= width && y <= height);
    mark.style.transform = `translate(${x}px, ${y}px)`;
}

/* The order of drawing, as in `eccentric scatter`: the largest class all the time, one with a tenth as many items in the last
   tenth of it, so that rare items do not lie hidden and classes of the same size stay mixed. */
function raresLast(ids) {
    const counts = new Map();
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const when = Float64Array.from(ids, (id, i) => 1 - i * 0.6180339887 % 1 * counts.get(id) / most);
    return Uint32Array.from(ids, (_, i) => i).sort((a, b) => when[a] - when[b]);
}

/* The arrays that are drawn: the items', in the order of drawing; kept until axes or colours change. */
function orderedPoints() {
    const rgb = pointColours(), {ids, rings} = colours, kept = colours.ordered;
    if (!ids) return {xs, ys, rgb, rings, ids};
    if (kept?.of[0] === xs && kept.of[1] === ys && kept.of[2] === rgb) return kept;
    const order = colours.order ??= raresLast(ids), take = (from) => from && from.constructor.from(order, (i) => from[i]);
    const mixed = new Uint8Array(rgb.length);
    for (let n = 0; n < order.length; n++) for (let c = 0; c < 3; c++) mixed[3 * n + c] = rgb[3 * order[n] + c];
    colours.ordered = {of: [xs, ys, rgb], xs: take(xs), ys: take(ys), rgb: mixed, rings: take(rings), ids: take(ids)};
    return colours.ordered;
}

/* The same with all but the selection (and, of it, all but the picked class) in grey; kept until something of that changes. */
let greyed = {};
function selectedPoints() {
    const points = orderedPoints(), {inside, shape} = selection(), of = [points.xs, points.ys, points.rgb, shape, picked];
    if (greyed.of?.every((v, i) => v === of[i])) return greyed;
    const order = points.ids ? colours.order : null, ids = Uint8Array.from(inside, (_, n) => inside[order ? order[n] : n] && (picked === null || points.ids[n] === picked) ? 1 : 0);
    const rgb = points.rgb.slice(), grey = categoryRgb(MISSING);
    for (let n = 0; n < ids.length; n++) if (!ids[n]) rgb.set(grey, 3 * n);
    greyed = {...points, of, rgb, ids, front: 1, faint: 0.3};
    return greyed;
}

/* Whether `most` items or more are in sight. */
function inSight(most) {
    const [left, top] = toPlace(0, 0), [right, bottom] = toPlace(width, height);
    let count = 0;
    for (let i = 0; i < xs.length && count < most; i++) count += xs[i] > left && xs[i] < right && ys[i] > bottom && ys[i] < top ? 1 : 0;
    return count >= most;
}

const TOO_MANY = 100000;    // items in sight, of which dots would hide one another
const asDensity = () => drawnAs === 'density' || (drawnAs === 'number' && xs.length >= TOO_MANY && inSight(TOO_MANY));

function drawPoints(ratio) {
    const as = asDensity() ? 'density' : 'dots', plain = () => ({...orderedPoints(), front: picked ?? colours.front ?? null, faint: picked === null ? 0.5 : 0.12});
    cloud.draw(context, {...(selection() ? selectedPoints() : plain()), as,
        key: [as, axes, colourBy, dark.matches, picked, selection() && textOfSelection()].join()},
    {width, height, ratio, centre, scale,
        radius: Math.min(5, Math.max(1.4, 1.9 * Math.sqrt(scale / 60) * Math.pow(20000 / xs.length, 0.12)))});
}

function drawNames() {
    const share = (k) => `${name(k)}  ${(100 * about.runs[0].explained[k]).toFixed(0)}%`;
    context.font = '600 12px system-ui, sans-serif';
    context.fillStyle = css('--text');
    context.strokeStyle = css('--paper');
    context.lineWidth = 4;
    context.lineJoin = 'round';
    for (const [text, x, y, align] of [[share(axes[0]), width - 10, height / 2 + (centre[1] * scale) - 8, 'right'],
        [share(axes[1]), width / 2 - centre[0] * scale + 8, 18, 'left']]) {
        context.textAlign = align;
        const sx = Math.max(8, Math.min(width - 8, x)), sy = Math.max(18, Math.min(height - 24, y));
        context.strokeText(text, sx, sy);
        context.fillText(text, sx, sy);
    }
}

/* Items that have pictures: those of the picked class and of the selection. */
function drawPictures() {
    const chosen = selection()?.inside, among = (i) => (picked === null || colours.ids[i] === picked) && (!chosen || chosen[i] === 1);
    const rgb = pointColours();
    thumbs.shown = thumbs.draw(context, pictures, xs, ys, {width, height, centre, scale}, among, (i) => rgb.subarray(3 * i, 3 * i + 3));
}

function drawRing(item, radius) {
    const [x, y] = toScreen(xs[item], ys[item]);
    context.lineWidth = 1.5;
    context.strokeStyle = css('--text');
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.stroke();
}

function drawOutline() {
    const points = selecting.outline(axes);
    if (!points || points.length < 2) return;
    context.beginPath();
    for (const [x, y] of points) context.lineTo(...toScreen(x, y));
    context.closePath();
    context.fillStyle = css('--accent');
    context.globalAlpha = 0.07;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeStyle = css('--accent');
    context.setLineDash(selecting.drafting() ? [5, 4] : []);
    context.stroke();
    context.setLineDash([]);
}

function draw() {
    const ratio = devicePixelRatio || 1;
    if (width === 0) return;
    const wide = Math.round(width * ratio), high = Math.round(height * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
        canvas.width = wide;
        canvas.height = high;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    drawFrame();
    if (xs && colours) drawPoints(ratio);
    if (xs && colours && thumbs) drawPictures();
    drawOutline();
    if (xs) for (const item of neighbours()) drawRing(item, 5);
    if (hovered >= 0 && xs) drawRing(hovered, 6);
    drawNames();
    placeMark();
}

/* As the dots on the map: a disc, or a ring. */
function dot(c) {
    const mark = make('span', {className: isRing(c) ? 'dot ring' : 'dot'});
    mark.style.setProperty('--tone', category(c));
    return mark;
}

const LEGEND = 41;    // names in it: as many levels as columns of words have, and 'missing'
function fillLegend() {
    legend.replaceChildren();
    if (colours.shade) {
        const gradient = Array.from({length: 9}, (_, i) => `rgb(${sequenceRgb(i / 8)})`).join(',');
        const bar = make('span', {className: 'gradient'});
        bar.style.background = `linear-gradient(90deg, ${gradient})`;
        legend.append(make('span', {textContent: `${colours.title}: ${colours.lowText ?? colours.low.toFixed(2)}`}), bar,
            make('span', {textContent: colours.highText ?? colours.high.toFixed(2)}));
        if (colours.gaps) legend.append(dot(MISSING), make('span', {textContent: 'missing'}));
    }
    (colours.names ?? []).slice(0, LEGEND).forEach((text, c) => {
        const button = make('button', {'aria-pressed': 'false'}, dot(tone(c)), text);
        button.addEventListener('click', () => {
            picked = picked === c ? null : c;
            for (const [i, other] of Array.from(legend.children).entries()) other.setAttribute('aria-pressed', String(i === picked));
            redraw();
        });
        legend.append(button);
    });
}

/* ---- Hovering ---- */

function nearest(sx, sy, reach) {
    if (!xs) return -1;
    const [px, py] = toPlace(sx, sy);
    let best = (reach / scale) ** 2, found = -1;
    for (let i = 0; i < xs.length; i++) {
        const dx = xs[i] - px, dy = ys[i] - py, square = dx * dx + dy * dy;
        if (square < best && (picked === null || colours.ids[i] === picked)) {
            best = square;
            found = i;
        }
    }
    return found;
}

/* What is most unusual about a row, and what the map is coloured by. */
function tipCard(x) {
    const [kind, c] = (colourBy ?? '').split('.'), own = kind === 'cells' ? [Number(c)] : [];
    return card(x, [...own, ...unusualColumns(x, 6).filter((k) => !own.includes(k))].slice(0, 6), true);
}

const hover = new Newest(async (item) => {
    try {
        const buffer = await readItems([item]);
        if (item !== hovered) return;
        if (isTable()) tip.firstChild.replaceWith(tipCard(new Float32Array(buffer)));
        else if (hasPictures()) paint(tip.firstChild, buffer);
        const label = labels && about.items.classes.length ? `, ${about.items.classes[labels[item]] ?? 'no label'}` : '';
        const known = colours.values ? `, ${colours.title} ${colours.text(colours.values[item])}` : '';
        tip.lastChild.textContent = `${fileName(item) ?? itemName(item)}${label}${known}`;
        const [x, y] = toScreen(xs[item], ys[item]);
        tip.style.left = `${Math.min(Math.max(x, 60), width - 60)}px`;
        tip.style.top = `${y}px`;
        tip.classList.toggle('below', y < 150);
        tip.hidden = false;
    } catch (error) {
        sayError(error);
    }
});

function hoverAt(sx, sy) {
    const item = nearest(sx, sy, 9);
    if (item === hovered) return;
    hovered = item;
    if (item < 0) tip.hidden = true;
    else hover.ask(item);
    redraw();
}

/* ---- Pointers and keys ---- */

const pointers = new Map();
let moving = false, last = null, spread = 0;

function travelTo(sx, sy) {
    const [x, y] = toPlace(sx, sy);
    shift([[axes[0], x], [axes[1], y]], 'map', {kind: 'place'});
}

function onDown(event) {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    last = [event.offsetX, event.offsetY];
    spread = 0;
    const pan = mode === 'pan' || event.shiftKey || event.button !== 0;
    moving = pointers.size === 2 || pan ? 'pan' : mode;
    hovered = -1;
    tip.hidden = true;
    selecting.cancel();
    if (moving === 'travel') travelTo(...last);
    else if (moving !== 'pan') selecting.begin(moving, axes, toPlace(...last));
}

function pinch() {
    const [a, b] = [...pointers.values()];
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], now = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (spread > 0) {
        zoom(now / spread, ...middle);
        pan(middle);
    }
    spread = now;
    last = middle;
}

function pan(to) {
    zoomed = true;
    centre = [centre[0] - (to[0] - last[0]) / scale, centre[1] + (to[1] - last[1]) / scale];
    last = to;
    redraw();
}

function onMovePointer(event) {
    if (!pointers.has(event.pointerId)) {
        if (event.pointerType !== 'touch') hoverAt(event.offsetX, event.offsetY);
        return;
    }
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (pointers.size === 2) pinch();
    else if (moving === 'pan') pan([event.offsetX, event.offsetY]);
    else if (moving === 'travel') travelTo(event.offsetX, event.offsetY);
    else if (selecting.drafting()) {
        selecting.extend(toPlace(event.offsetX, event.offsetY));
        redraw();
    }
}

function onUp(event) {
    pointers.delete(event.pointerId);
    spread = 0;
    if (selecting.drafting() && event.type === 'pointercancel') selecting.cancel();
    else if (selecting.drafting()) selecting.finish(scale);
    if (pointers.size === 0) {
        moving = false;
        redraw();
    } else {
        last = [...pointers.values()][0];
    }
}

const here = () => axes.map((k) => view.position[0][k]);

/* B begins a box at the current place, or selects what is in it: the arrows move its other corner. */
function boxByKeys() {
    if (selecting.byKeys()) return selecting.finish(scale);
    selecting.begin('box', axes, here(), true);
    say('A box begins here: the arrow keys move its other corner, Enter selects, Escape cancels');
}

function extendByKeys() {
    if (!selecting.byKeys()) return;
    selecting.extend(here());
    if (xs) selecting.sayDraft(xs, ys);
    redraw();
}

function onKey(event) {
    const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
    const arrow = arrows[event.key], step = (event.shiftKey ? 2 : 10) / scale, p = view.position[0];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
        shift(axes.map((k, i) => [k, p[k] + step * arrow[i]]), 'map', {kind: 'place'});
        extendByKeys();
    } else if (event.key === 'b') boxByKeys();
    else if (event.key === 'Enter' && selecting.byKeys()) selecting.finish(scale);
    else if (event.key === 'Escape') {
        if (!selecting.drafting()) select(null);
        selecting.cancel();
        redraw();
    } else if (event.key === '+' || event.key === '=') zoom(1.25);
    else if (event.key === '-') zoom(0.8);
    else if (event.key === 'Enter') {
        const item = nearest(...toScreen(p[axes[0]], p[axes[1]]), 1e9);
        if (item >= 0) goItem(item, labels).catch(sayError);
    } else return;
    event.preventDefault();
}

function connect() {
    canvas.addEventListener('pointerdown', onDown);
    canvas.addEventListener('pointermove', onMovePointer);
    canvas.addEventListener('pointerup', onUp);
    canvas.addEventListener('pointercancel', onUp);
    canvas.addEventListener('pointerleave', () => { if (pointers.size === 0) hoverAt(-1e6, -1e6); });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
    }, {passive: false});
    canvas.addEventListener('dblclick', (event) => {
        const item = nearest(event.offsetX, event.offsetY, 14);
        if (item >= 0) goItem(item, labels).catch(sayError);
    });
    canvas.addEventListener('keydown', onKey);
    new ResizeObserver(measure).observe(canvas);
    dark.addEventListener('change', () => { if (colours) { fillLegend(); redraw(); } });
    onMove(placeMark);
    watchSelection();
    onSelect(redraw);
}

/* ---- Building ---- */

function axisChoice(i) {
    const options = about.runs[0].explained.map((_, k) => make('option', {value: k, textContent: name(k)}));
    const select = make('select', {'aria-label': i === 0 ? 'Horizontal component' : 'Vertical component'}, ...options);
    select.value = axes[i];
    select.addEventListener('change', () => setAxis(i, Number(select.value)));
    return select;
}

function setAxis(i, k) {
    if (!Number.isInteger(k) || k < 0 || k >= about.d || k === axes[i]) return;
    axes[i] = k;
    controls.axes[i].value = k;
    load(loadAxes);
}

function colourChoice() {
    const select = make('select', {'aria-label': 'Colour by'});
    const group = (label, kind, names) => {
        if (names.length === 0) return;
        select.append(make('optgroup', {label}, ...names.map((text, k) => make('option', {value: `${kind}.${k}`, textContent: words(text)}))));
    };
    if (about.items.labelled) select.append(make('option', {value: 'label', textContent: 'label'}));
    group('numbers', 'number', about.items.numbers);
    group('words', 'words', about.items.words.map(({name}) => name));
    group('attributes', 'attribute', about.items.attributes);
    group('true factors', 'factor', about.items.factors);
    if (isTable() && columnsOf().length <= LISTED) group('columns', 'cells', columnsOf().map((column) => column.name));
    select.append(make('option', {value: 'one', textContent: 'one colour'}));
    select.addEventListener('change', () => setColour(select.value));
    return select;
}

const LISTED = 60;    // columns in a list; more of them are found by typing

/* A field that finds a column among many by parts of its name. */
function columnField() {
    const options = make('datalist', {id: 'colour-columns'});
    const field = make('input', {type: 'search', 'aria-label': 'Colour by column', placeholder: 'or a column…', size: 14, spellcheck: false});
    field.setAttribute('list', options.id);
    const offer = () => options.replaceChildren(...findColumns(field.value, 50).map((c) => make('option', {value: columnsOf()[c].name})));
    field.addEventListener('focus', offer, {once: true});
    field.addEventListener('input', offer);
    field.addEventListener('change', () => {
        if (field.value.trim() === '') return setColour(controls.colour.options[0].value);
        const exact = columnsOf().findIndex((column) => column.name === field.value.trim()), c = exact >= 0 ? exact : findColumns(field.value, 1)[0];
        if (c === undefined) return sayError(new Error('no column has this name'));
        field.value = columnsOf()[c].name;
        setColour(`cells.${c}`);
    });
    return make('span', {}, field, options);
}

function setColour(value) {
    const c = /^cells\.\d+$/.test(value) ? Number(value.slice(6)) : -1;
    if (isTable() && columnsOf()[c] && columnsOf().length > LISTED && !Array.from(controls.colour.options).some((o) => o.value === value)) {
        controls.colour.append(make('option', {value, textContent: columnsOf()[c].name}));
    }
    controls.colour.value = value;
    if (controls.colour.selectedIndex < 0) controls.colour.selectedIndex = 0;   // a link to what is not there
    colourBy = controls.colour.value;
    load(loadColours);
}

/* What to colour by at first: labels, or else the attribute that the two axes separate best. */
async function firstColour() {
    const {attributes, labelled} = about.items;
    if (labelled || attributes.length === 0) return controls.colour.options[0].value;
    const tells = (t) => Math.max(...axes.map((k) => Math.abs(t.gains[k])));
    const best = (await getJson('targets')).reduce((a, b) => tells(b) > tells(a) ? b : a);
    return `attribute.${Math.max(0, attributes.indexOf(best.name))}`;
}

function modeChoice() {
    const set = make('fieldset', {className: 'choice'}, make('legend', {textContent: 'Drag to'}));
    for (const value of ['travel', 'pan', 'box', 'lasso']) {
        const radio = make('input', {type: 'radio', name: 'drag', value, checked: value === mode});
        radio.addEventListener('change', () => { mode = value; canvas.dataset.mode = value; });
        set.append(make('label', {}, radio, make('span', {textContent: value})));
    }
    return set;
}

/* A choice of how something is drawn: value -> text, the first being the usual one; links keep it under `word`. */
function drawingChoice(title, label, word, values, set) {
    const usual = Object.keys(values)[0], select = make('select', {'aria-label': label},
        ...Object.entries(values).map(([value, textContent]) => make('option', {value, textContent})));
    const change = () => { set(select.value); redraw(); };
    select.addEventListener('change', change);
    remember(word, () => select.value === usual ? null : select.value, (text) => {
        select.value = text in values ? text : usual;
        change();
    });
    return make('label', {}, title, select);
}

const picturesChoice = () => drawingChoice('Pictures ', 'Pictures on the map', 'pictures', {zoom: 'by zoom', always: 'always', never: 'never'},
    (value) => { pictures = value; });
const itemsChoice = () => drawingChoice('Items as ', 'Items on the map', 'as', {number: 'by number', dots: 'dots', density: 'density'},
    (value) => { drawnAs = value; });

export async function buildMap(panel) {
    if (about.d < 2) axes = [0, 0];
    canvas = make('canvas', {className: 'map', tabIndex: 0, role: 'application',
        'aria-label': 'Map of the items: arrow keys move, plus and minus zoom, Enter starts from the nearest item, B begins a box to select, Escape selects nothing'});
    canvas.dataset.mode = mode;
    context = canvas.getContext('2d');
    cloud = new Cloud(redraw);
    if (hasPictures()) thumbs = new Thumbs(redraw);
    mark = make('div', {className: 'mark', hidden: true});
    tip = make('div', {className: 'tip', hidden: true}, make('canvas', {hidden: !hasPictures()}), make('span'));
    legend = make('div', {className: 'legend', role: 'group', 'aria-label': 'Colours'});
    controls = {axes: [axisChoice(0), axisChoice(1)], colour: colourChoice()};
    const button = (text, label, work) => {
        const b = make('button', {textContent: text, 'aria-label': label, title: label});
        b.addEventListener('click', work);
        return b;
    };
    panel.append(make('div', {className: 'controls'},
        make('label', {}, 'Across ', controls.axes[0]), make('label', {}, 'Up ', controls.axes[1]),
        make('label', {}, 'Colour ', controls.colour), ...(isTable() && columnsOf().length > LISTED ? [columnField()] : []), itemsChoice(), ...(thumbs ? [picturesChoice()] : []), modeChoice()),
    make('div', {className: 'map-frame'}, canvas, mark, tip,
        make('span', {className: 'zoom'}, button('+', 'Zoom in', () => zoom(1.4)), button('−', 'Zoom out', () => zoom(1 / 1.4)), button('Fit', 'Show everything', fit))), legend,
    make('p', {className: 'hint', textContent: `${about.items.count.toLocaleString('en')} ${about.items.kind} of ${about.items.name}; the axes are in standard deviations. `
        + `${hasDecoder() ? 'Click or drag to decode a place' : 'Click or drag to move the mark'}, double-click an item to start from it, scroll to zoom, hold Shift and drag to pan. Box and lasso select items.`
        + `${about.items.count >= TOO_MANY ? ' Where many items are in sight, colours show their density: the stronger, the more.' : ''}`}));
    panel.append(buildSelectionPanel({axis: (k) => setAxis(0, k), colour: setColour, labels: itemLabels}), buildNeighbours(itemLabels, redraw));
    connect();
    remember('near', () => isOpen() ? 1 : null, (text) => setOpen(text !== null));
    axes.slice().forEach((first, i) => remember(['x', 'y'][i], () => axes[i] === first ? null : name(axes[i]),
        (text) => setAxis(i, text === null ? first : Number(text.slice(1)) - 1)));
    let usual = null, asked = null;    // the usual one is found later, below
    remember('colour', () => colourBy === usual ? null : colourBy, (text) => {
        asked = text ?? usual;
        if (asked !== null && asked !== colourBy) setColour(asked);
    });
    remember('at', () => !zoomed ? null : [...centre, scale].map((v) => Number(v.toFixed(3))).join(','), (text) => {
        if (text === null) return zoomed && fit();
        const [x, y, s] = text.split(',').map(Number);
        if ([x, y, s].every(Number.isFinite)) { zoomed = true; centre = [x, y]; scale = Math.min(20000, Math.max(8, s)); redraw(); }
    });
    remember('select', textOfSelection, (text) => {
        if ((text ?? '') !== (textOfSelection() ?? '')) view.selection = selectionOfText(text);
    });
    if (about.items.labelled) labels = new Int32Array(await getBytes('labels'));
    usual = await firstColour();
    setColour(asked ?? usual);
    load(loadAxes);
    await loading;
    say(`${about.items.count.toLocaleString('en')} items on the map`, true);
}
