// paint.js: draws images; sheets of items; colours.
import {about} from './state.js';
import {cardSheet} from './cards.js';

export const dark = matchMedia('(prefers-color-scheme: dark)');

const light = ['#1a5fc8', '#d43d0a', '#0aae8c', '#bc6fd0', '#dd9401', '#7fd3f5', '#7b152c', '#746d70', '#b5d92c', '#35106f'];
const night = ['#5b97f2', '#f0642f', '#16c09b', '#cf8be0', '#e9a722', '#a5e0f8', '#d6506e', '#9d9699', '#c3e343', '#8f72e6'];
const steps = ['#440154', '#482475', '#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151', '#bddf26'];

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
/* Ten colours; more classes are rings in the same ones, then darker or paler discs, and rings again. Missing values are grey. */
export const MISSING = -1;
const TONES = 10, greys = ['#b9b6ae', '#5d5f66'];
export const isRing = (c) => c >= 0 && Math.floor(c / TONES) % 2 === 1;
function mixed(hex, share) {
    const other = dark.matches ? 255 : 0;
    return `#${rgb(hex).map((v) => Math.round(v + share * (other - v)).toString(16).padStart(2, '0')).join('')}`;
}
export function category(c) {
    if (c < 0) return greys[dark.matches ? 1 : 0];
    const hex = (dark.matches ? night : light)[c % TONES];
    return c < 2 * TONES ? hex : mixed(hex, Math.min(0.75, 0.25 * Math.floor(c / (2 * TONES))));
}
export const categoryRgb = (c) => rgb(category(c));
/* t from 0 to 1. */
export function sequenceRgb(t) {
    const at = Math.min(Math.max(t, 0), 1) * (steps.length - 1), i = Math.min(Math.floor(at), steps.length - 2);
    const a = rgb(steps[i]), b = rgb(steps[i + 1]);
    return a.map((v, c) => Math.round(v + (at - i) * (b[c] - v)));
}

/* Latents from elsewhere cannot be decoded, and may have no pictures. */
export const hasDecoder = () => about.runs[0].decoder;
export const hasPictures = () => !isTable() && about.items?.pictures !== false;
export const isTable = () => about.runs[0].table !== null;
export const itemBytes = () => about.channels * about.height * about.width * (isTable() ? 4 : 1);
/* Pixels of an item's picture. */
export const pictureSize = () => [about.width, about.height];

/* Items first .. first + count - 1 side by side; reuses its memory. */
const scratch = new Map();
function imageData(buffer, first, count) {
    const {width, height, channels} = about, wide = count * width;
    if (!scratch.has(count)) scratch.set(count, new ImageData(wide, height));
    const image = scratch.get(count), to = new Uint32Array(image.data.buffer);
    for (let i = 0; i < count; i++) {
        const from = new Uint8Array(buffer, (first + i) * itemBytes(), width * height * channels);
        for (let y = 0, p = 0; y < height; y++) {
            for (let at = y * wide + i * width, end = at + width; at < end; at++, p += channels) {
                to[at] = channels === 3 ? from[p] | from[p + 1] << 8 | from[p + 2] << 16 | 0xff000000 : from[p] * 0x10101 | 0xff000000;
            }
        }
    }
    return image;
}

export const rowValues = (buffer, i) => new Float32Array(buffer.slice(i * itemBytes(), (i + 1) * itemBytes()));

/* Items first .. first + count - 1 of a buffer side by side. */
export function paint(canvas, buffer, first = 0, count = 1) {
    const [width, height] = pictureSize();
    if (canvas.width !== width * count || canvas.height !== height) {
        canvas.width = width * count;
        canvas.height = height;
    }
    const context = canvas.getContext('2d');
    context.putImageData(imageData(buffer, first, count), 0, 0);
}

/* An element with attributes, properties and children. */
export function make(tag, options = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(options)) {
        if (key in element && !key.startsWith('aria')) element[key] = value;
        else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
}

/* A sheet of pictures to choose from; calls pick(i) when picture i is clicked. */
export function sheet(container, buffer, count, columns, describe, pick) {
    container.replaceChildren();
    container.classList.add('sheet');
    container.style.setProperty('--columns', columns);
    if (isTable()) return cardSheet(container, buffer, count, describe, pick);
    container.classList.toggle('words', !hasPictures());
    for (let i = 0; i < count; i++) {
        const canvas = make('canvas');
        if (hasPictures()) paint(canvas, buffer, i);
        const button = make('button', {className: 'picture', 'aria-label': describe(i), title: describe(i)}, hasPictures() ? canvas : describe(i));
        button.addEventListener('click', () => pick(i));
        container.append(button);
    }
}
