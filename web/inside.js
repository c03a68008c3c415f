// inside.js: what the server would answer, from what the page itself holds (eccentric export --html): recorded answers, items, and
// nets that are run here, by WebAssembly or, where that is missing, in plain JavaScript.
import {PlainNet, half} from './plain_net.js';

const text = document.getElementById('inside').textContent;

async function unpack() {
    const plain = atob(text), packed = new Uint8Array(plain.length);
    for (let i = 0; i < packed.length; i++) packed[i] = plain.charCodeAt(i);
    const bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    const size = new DataView(bytes).getUint32(0, true);
    const index = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
    const start = 4 + size;
    const part = ([at, length, pairs]) => {
        const slice = bytes.slice(start + at, start + at + length);
        return pairs ? together(slice) : slice;
    };
    return {index, part};
}

/* Of numbers of two bytes, the first ones of all come before the second ones. */
function together(apart) {
    const from = new Uint8Array(apart), bytes = new Uint8Array(from.length), second = Math.ceil(from.length / 2);
    for (let i = 0; i < bytes.length; i++) bytes[i] = from[i % 2 * second + (i >> 1)];
    return bytes.buffer;
}

/* The amounts of all items in each run, as 32 or as 16 bits. */
function openAmounts({index, part}) {
    return index.amounts.map((place) => place[2] ? Float32Array.from(new Uint16Array(part(place)), half) : new Float32Array(part(place)));
}

/* ---- Nets ---------------------------------------------------------------------------------- */

/* A net in WebAssembly: input and output lie in its memory, which may move when it grows. */
class FastNet {
    constructor(wasm, bytes) {
        this.wasm = wasm;
        const at = wasm.net_reserve(bytes.byteLength);
        if (!at) throw new Error('there is no memory for the model in this page');
        new Uint8Array(wasm.memory.buffer, at, bytes.byteLength).set(new Uint8Array(bytes));
        this.number = wasm.net_load(at, bytes.byteLength);
        if (!this.number) throw new Error('the model in this page is damaged');
        const words = new DataView(bytes);
        [this.inputs, this.outputs] = [words.getUint32(8, true), words.getUint32(12, true)];
    }
    run(x) {
        new Float32Array(this.wasm.memory.buffer, this.wasm.net_input(this.number), this.inputs).set(x);
        this.wasm.net_run(this.number);
        return new Float32Array(this.wasm.memory.buffer, this.wasm.net_output(this.number), this.outputs);
    }
}

async function openNets({index, part}) {
    const open = (make) => index.nets.map(({decoder, encoder}) => ({decoder: make(part(decoder)), encoder: encoder && make(part(encoder))}));
    if (!location.search.includes('plain')) {
        try {
            const {instance} = await WebAssembly.instantiate(part(index.wasm));
            return open((bytes) => new FastNet(instance.exports, bytes));
        } catch {
            // no WebAssembly, none with vectors, or no memory for it: the same by plain loops, ten times slower
        }
    }
    return open((bytes) => new PlainNet(bytes));
}

const opened = unpack().then(async (store) => ({
    ...store,
    nets: await openNets(store),
    amounts: openAmounts(store),
    about: JSON.parse(new TextDecoder().decode(store.part(store.index.answers.about))),
}));

/* ---- Items --------------------------------------------------------------------------------- */

const isTable = (about) => about.runs[0].table !== null;
const itemSize = (about) => about.channels * about.height * about.width;
const itemBytes = (about) => itemSize(about) * (isTable(about) ? 4 : 1);

/* An item as the server would send it: pixels from 0 to 255, or the numbers of a row. */
function pack(about, y) {
    return isTable(about) ? Float32Array.from(y) : Uint8Array.from(y, (v) => Math.round(255 * Math.min(1, Math.max(0, v))));
}

function decodeAll(store, run, amounts) {
    const {about, nets} = store, n = amounts.length / about.d;
    const bytes = new Uint8Array(n * itemBytes(about));
    for (let i = 0; i < n; i++) {
        const item = pack(about, nets[run].decoder.run(amounts.subarray(i * about.d, (i + 1) * about.d)));
        bytes.set(new Uint8Array(item.buffer), i * itemBytes(about));
    }
    return bytes.buffer;
}

function join(...arrays) {
    const bytes = new Uint8Array(arrays.reduce((sum, a) => sum + a.byteLength, 0));
    let at = 0;
    for (const a of arrays) {
        bytes.set(new Uint8Array(a.buffer ?? a, a.byteOffset ?? 0, a.byteLength), at);
        at += a.byteLength;
    }
    return bytes.buffer;
}

/* The pixels of a sheet, which photographs are stored in: [height, width, 4]; the last few are kept. */
const sheets = new Map(), KEPT = 8;

async function openSheet({index, part}, number) {
    const image = await createImageBitmap(new Blob([part(index.sheets[number])]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
}

function readSheet(store, number) {
    const sheet = sheets.get(number) ?? openSheet(store, number);
    sheets.delete(number);
    sheets.set(number, sheet);
    if (sheets.size > KEPT) sheets.delete(sheets.keys().next().value);
    return sheet;
}

async function itemOf(store, item) {
    const {index, part, about} = store, size = itemBytes(about), [together, columns] = index.sheet;
    const number = Math.floor(item / together), inside = item % together;
    if (!index.sheets) return part([index.items[number][0] + inside * size, size]);
    const {data, width} = await readSheet(store, number), pixels = new Uint8Array(size);
    const left = inside % columns * about.width, top = Math.floor(inside / columns) * about.height;
    for (let p = 0; p < about.width * about.height; p++) {
        const at = 4 * ((top + Math.floor(p / about.width)) * width + left + p % about.width);
        pixels.set(data.subarray(at, at + 3), 3 * p);
    }
    return pixels;
}

/* The amounts of an item in each run. */
function placeOf({amounts, about}, item) {
    return amounts.map((all) => all.subarray(item * about.d, (item + 1) * about.d));
}

/* All items along one component. */
function columnOf({amounts, about}, query) {
    const all = amounts[Number(query.get('run') ?? 0)], k = Number(query.get('k'));
    return Float32Array.from({length: all.length / about.d}, (_, i) => all[i * about.d + k]).buffer;
}

/* ---- Samples ------------------------------------------------------------------------------- */

/* Standard normal numbers, the same for the same seed (mulberry32, Box and Muller). */
function normals(seed) {
    let state = seed >>> 0;
    const uniform = () => {
        state = state + 0x6d2b79f5 >>> 0;
        let t = Math.imul(state ^ state >>> 15, state | 1);
        t ^= t + Math.imul(t ^ t >>> 7, t | 61);
        return ((t ^ t >>> 14) >>> 0) / 4294967296;
    };
    return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

function drawOne(draw, {from, truncation}, {mean, axes, deviations, radius}) {
    const d = mean.length;
    const u = Array.from({length: d}, () => {
        let v = draw();
        while (truncation > 0 && Math.abs(v) > truncation) v = draw();
        return v;
    });
    const varies = (k) => deviations[k] > 1e-9 && deviations[k] > 1e-6 * deviations[0];
    if (from === 'gaussian') return u.map((v, k) => varies(k) ? v : 0);
    const length = Math.hypot(...u), r = radius || Math.sqrt(d);
    const z = from === 'sphere' ? u.map((v) => v * r / length) : u;
    return axes.map((axis, k) => varies(k) ? axis.reduce((sum, a, j) => sum + a * (z[j] - mean[j]), 0) / deviations[k] : 0);
}

function sample(store, query) {
    const run = Number(query.get('run') ?? 0), n = Number(query.get('n') ?? 1);
    const how = {from: query.get('from') ?? 'gaussian', truncation: Number(query.get('truncation') ?? 0)};
    const draw = normals(1 + Number(query.get('seed') ?? 1));
    const amounts = Float32Array.from(Array.from({length: n}, () => drawOne(draw, how, store.index.latents[run])).flat());
    return join(amounts, decodeAll(store, run, amounts));
}

/* ---- An image of one's own ------------------------------------------------------------------ */

/* The side of the square in the middle of an image that becomes an item: as the run's data was cut, else the largest. */
function sideOf({crop, faces}, shorter) {
    if (crop && shorter >= crop && shorter <= 2 * crop) return crop;
    return !crop && faces && shorter > 1 ? Math.floor((shorter * 140 + 89) / 178) : shorter;
}

const LARGEST = 4096; // pixels of a side that are read

/* The pixels of an image on white: [height, width, 4]. */
function read(image, left, top, width, height) {
    const scale = Math.min(1, LARGEST / Math.max(width, height));
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    const context = new OffscreenCanvas(w, h).getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, w, h);
    context.drawImage(image, left, top, width, height, 0, 0, w, h);
    return context.getImageData(0, 0, w, h);
}

/* How much of each number from 0 to n - 1 falls into each of m equal parts: [[first, weights], ...]. */
function shares(n, m) {
    return Array.from({length: m}, (_, i) => {
        const from = i * n / m, to = Math.max((i + 1) * n / m, from + 1e-9), first = Math.floor(from), weights = [];
        for (let k = first; k < Math.min(n, Math.ceil(to)); k++) weights.push((Math.min(k + 1, to) - Math.max(k, from)) / (to - from));
        return [first, weights];
    });
}

/* Means over areas: [height, width, 3]. */
function reduce({data, width: n, height: m}, width, height) {
    const across = shares(n, width), down = shares(m, height), pixels = new Float64Array(3 * width * height);
    down.forEach(([top, rows], y) => across.forEach(([left, columns], x) => {
        rows.forEach((a, i) => columns.forEach((b, j) => {
            for (let c = 0; c < 3; c++) pixels[3 * (y * width + x) + c] += a * b * data[4 * ((top + i) * n + left + j) + c];
        }));
    }));
    return pixels;
}

/* An image as a run takes it: bytes [height, width, channels]. */
function itemFrom(about, how, image, inverted) {
    const {width, height, channels} = about, same = image.width === width && image.height === height;
    if (!same && width !== height) {
        throw new Error(`the image is ${image.width} x ${image.height}, expected ${width} x ${height}: only square items are resized`);
    }
    const side = sideOf(how, Math.min(image.width, image.height));
    const cut = same ? [0, 0, width, height] : [Math.floor((image.width - side) / 2), Math.floor((image.height - side) / 2), side, side];
    const rgb = reduce(read(image, ...cut), width, height), item = new Uint8Array(width * height * channels);
    for (let p = 0; p < width * height; p++) {
        const [r, g, b] = rgb.subarray(3 * p, 3 * p + 3);
        if (channels === 3) item.set([r, g, b].map(Math.round), 3 * p);
        else item[p] = Math.round(0.299 * r + 0.587 * g + 0.114 * b);
    }
    return inverted ? item.map((v) => 255 - v) : item;
}

async function upload(store, query, file) {
    const {about, index, nets} = store;
    if (isTable(about)) throw new Error('this run was trained on a table: it cannot encode an image');
    if (!nets.every(({encoder}) => encoder)) throw new Error('the latents of a run here are codes: the page has no encoder for them');
    let image;
    try {
        image = await createImageBitmap(file);
    } catch {
        throw new Error('your image is not a PNG, JPEG or WebP file');
    }
    const items = index.cuts.map((how) => itemFrom(about, how, image, query.get('invert') === '1'));
    return join(...nets.map(({encoder}, r) => encoder.run(Float32Array.from(items[r], (v) => v / 255)).slice()), items[0]);
}

/* ---- Files --------------------------------------------------------------------------------- */

function npy(values, shape) {
    const words = `{'descr': '<f${values.BYTES_PER_ELEMENT}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
    const header = (words + ' '.repeat(63 - (words.length + 10) % 64) + '\n');
    const start = new Uint8Array([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
    return join(start, new TextEncoder().encode(header), values);
}

async function png(about, pixels) {
    const canvas = new OffscreenCanvas(about.width, about.height), image = new ImageData(about.width, about.height);
    for (let p = 0; p < about.width * about.height; p++) {
        for (let c = 0; c < 3; c++) image.data[4 * p + c] = pixels[p * about.channels + (about.channels === 3 ? c : 0)];
        image.data[4 * p + 3] = 255;
    }
    canvas.getContext('2d').putImageData(image, 0, 0);
    return (await canvas.convertToBlob({type: 'image/png'})).arrayBuffer();
}

async function save(store, query, amounts) {
    const {about, index, nets} = store, run = Number(query.get('run') ?? 0), as = query.get('as');
    const {mean, axes, deviations} = index.latents[run];
    if (as === 'latent') {
        return npy(Float32Array.from(mean, (m, j) => m + axes.reduce((sum, axis, k) => sum + amounts[k] * deviations[k] * axis[j], 0)), [1, about.d]);
    }
    const y = nets[run].decoder.run(amounts);
    if (as === 'png') return png(about, pack(about, y));
    if (!isTable(about)) {
        const {channels, height, width} = about;
        const planes = Float32Array.from({length: y.length}, (_, i) => y[i % (height * width) * channels + Math.floor(i / (height * width))]);
        return npy(planes, channels === 1 ? [1, height, width] : [1, channels, height, width]);
    }
    const table = about.runs[run].table;
    return npy(Float64Array.from(y, (v, j) => v * table.deviation[j] + table.mean[j]), [1, y.length]);
}

/* ---- Answers ------------------------------------------------------------------------------- */

const handlers = {
    decode: (store, query, body) => decodeAll(store, Number(query.get('run') ?? 0), new Float32Array(body.buffer ?? body, body.byteOffset ?? 0, body.byteLength / 4)),
    items: async (store, query, body) => join(...await Promise.all(Array.from(body, (i) => itemOf(store, i)))),
    column: columnOf,
    place: (store, query) => join(...placeOf(store, Number(query.get('item')))),
    sample,
    upload,
    export: save,
};

/* What the weights of this page cost, in words; null where they are exact. */
export async function precisionWords() {
    const {index, about} = await opened, {weights, most, typical} = index.precision ?? {}, digits = (v) => Number(v.toPrecision(2));
    if (!weights || weights === 'float32') return null;
    return `weights in this page are ${weights}: differences from the model’s are at most ${digits(most)}`
        + `${isTable(about) ? ' deviations' : ' of 255'}, typically ${digits(typical)}`;
}

/* As fetch() would answer. */
export async function answer(path, options) {
    const store = await opened, [name, words] = path.split('?');
    const recorded = store.index.answers[path];
    let bytes;
    if (recorded) bytes = store.part(recorded);
    else if (handlers[name]) bytes = await handlers[name](store, new URLSearchParams(words), options?.body);
    else throw new Error('this page does not hold the answer: open the run with “eccentric explore”');
    return {arrayBuffer: async () => bytes, json: async () => JSON.parse(new TextDecoder().decode(bytes))};
}
