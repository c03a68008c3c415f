// plain_net.js: a net of the one-file page in plain JavaScript: what wasm/net.c does, slower, where there is no WebAssembly; and what
// that is tested against in the browser.
const [DENSE, CONV, DECONV, PAD, BYPASS, NORM, SPHERE, FIRST, PLANES, PIXELS] = Array(10).keys();
const WORDS = 19;

/* A number of 16 bits. */
export function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : fraction * 2 ** -24);
}

function readWeights(view, format, at, scales, count, columns, outputs) {
    return Float32Array.from({length: count}, (_, i) => format === 0 ? view.getFloat32(at + 4 * i, true)
        : format === 1 ? half(view.getUint16(at + 2 * i, true))
            : view.getInt8(at + i) * view.getFloat32(scales + 4 * (i % columns % outputs), true));
}

function readLayer(view, number, inputs) {
    const word = (k) => view.getUint32(16 + 4 * (number * WORDS + k), true);
    const l = {kind: word(0), activation: word(1), in: [word(2), word(3), word(4)], out: [word(5), word(6), word(7)],
        kernel: [word(8), word(9)], stride: [word(10), word(11)], padding: [word(12), word(13)],
        number: view.getFloat32(16 + 4 * (number * WORDS + 18), true)};
    const size = (shape) => shape[0] * shape[1] * shape[2], taps = l.kernel[0] * l.kernel[1];
    l.size = size(l.out);
    const image = l.kind === CONV || l.kind === DECONV, outputs = image || l.kind === NORM ? l.out[0] : l.size;
    const floats = (at, count) => Float32Array.from({length: count}, (_, i) => view.getFloat32(at + 4 * i, true));
    if (l.kind <= DECONV || l.kind === BYPASS || l.kind === NORM) l.bias = floats(word(17), outputs);
    if (l.kind === NORM) l.weights = floats(word(16), outputs);
    if (l.kind <= DECONV || l.kind === BYPASS) {
        l.depth = l.kind === DENSE ? size(l.in) : l.kind === BYPASS ? inputs : l.kind === CONV ? taps * l.in[0] : l.in[0];
        l.columns = l.kind === DECONV ? taps * l.out[0] : l.kind === CONV ? l.out[0] : l.size;
        l.weights = readWeights(view, word(14), word(15), word(16), l.depth * l.columns, l.columns, outputs);
    }
    return l;
}

/* y[o] += sum over k of x[from + k] w[row + k, first + o], for all outputs o */
function addProduct(y, to, outputs, x, from, depth, w, columns, row, first) {
    for (let k = 0; k < depth; k++) {
        const left = x[from + k], at = (row + k) * columns + first;
        for (let o = 0; o < outputs; o++) y[to + o] += left * w[at + o];
    }
}

/* Calls visit(pixel of the large image, pixel of the small one, tap) for all that a convolution connects. */
function visit(l, large, small, connect) {
    for (let h = 0; h < small[1]; h++) for (let v = 0; v < small[2]; v++) for (let i = 0; i < l.kernel[0]; i++) for (let j = 0; j < l.kernel[1]; j++) {
        const row = h * l.stride[0] + i - l.padding[0], column = v * l.stride[1] + j - l.padding[1];
        if (row < 0 || column < 0 || row >= large[1] || column >= large[2]) continue;
        connect(row * large[2] + column, h * small[2] + v, i * l.kernel[1] + j);
    }
}

function runLayer(l, x, input) {
    const y = new Float32Array(l.size), channels = l.in[0], outputs = l.out[0];
    if (l.bias && l.kind !== NORM) for (let i = 0; i < l.size; i++) y[i] = l.bias[i % l.bias.length];
    if (l.kind === DENSE) addProduct(y, 0, l.size, x, 0, l.depth, l.weights, l.columns, 0, 0);
    if (l.kind === BYPASS) {
        addProduct(y, 0, l.size, input, 0, l.depth, l.weights, l.columns, 0, 0);
        for (let i = 0; i < l.size; i++) y[i] += x[i];
    }
    if (l.kind === CONV) {
        visit(l, l.in, l.out, (large, small, tap) =>
            addProduct(y, small * outputs, outputs, x, large * channels, channels, l.weights, l.columns, tap * channels, 0));
    }
    if (l.kind === DECONV) {
        visit(l, l.out, l.in, (large, small, tap) =>
            addProduct(y, large * outputs, outputs, x, small * channels, channels, l.weights, l.columns, 0, tap * outputs));
    }
    if (l.kind === PAD) {
        for (let i = 0; i < x.length; i++) {
            const pixel = Math.floor(i / channels), row = Math.floor(pixel / l.in[2]) + l.padding[0];
            y[(row * l.out[2] + pixel % l.in[2] + l.padding[1]) * channels + i % channels] = x[i];
        }
    }
    if (l.kind === NORM) for (let i = 0; i < l.size; i++) y[i] = x[i] * l.weights[i % outputs] + l.bias[i % outputs];
    if (l.kind === SPHERE) {
        const length = Math.sqrt(x.reduce((sum, v) => sum + v * v, 1e-12));
        for (let i = 0; i < l.size; i++) y[i] = x[i] * l.number / length;
    }
    if (l.kind === FIRST) y.set(x.subarray(0, l.size));
    if (l.kind === PLANES || l.kind === PIXELS) {
        const rows = l.kind === PLANES ? l.size / channels : outputs, columns = l.size / rows;
        for (let i = 0; i < l.size; i++) y[i % columns * rows + Math.floor(i / columns)] = x[i];
    }
    if (l.activation === 1) for (let i = 0; i < l.size; i++) if (y[i] < 0) y[i] *= l.number;
    if (l.activation === 2) for (let i = 0; i < l.size; i++) y[i] = 1 / (1 + Math.exp(-y[i]));
    return y;
}

export class PlainNet {
    constructor(bytes) {
        const view = new DataView(bytes), count = view.getUint32(4, true);
        this.inputs = view.getUint32(8, true);
        this.layers = Array.from({length: count}, (_, i) => readLayer(view, i, this.inputs));
    }
    run(x) {
        return this.layers.reduce((y, l) => runLayer(l, y, x), Float32Array.from(x));
    }
}
