// link.js: writes the view into the address of the page, and reads it back.
import {about, view} from './state.js';

/* Other parts of the view: name -> {get, set}, as text; null stands for the default, which is left out of the link. */
const parts = new Map();
export const remember = (name, get, set) => parts.set(name, {get, set});

const list = (amounts) => Array.from(amounts, (v) => Number(v.toFixed(4))).join(',');

export function hashOfView() {
    const words = new URLSearchParams();
    view.position.forEach((p, r) => {
        if (p.some((v) => v !== 0)) words.set(r === 0 ? 'p' : 'q', list(p));
    });
    if (view.origin.kind === 'item') words.set('item', view.origin.item);
    for (const [name, part] of parts) {
        const value = part.get();
        if (value !== null) words.set(name, value);
    }
    return words.toString().replaceAll('%2C', ',');
}

export const linkOfView = () => `${location.href.split('#')[0]}#${hashOfView()}`;

/* d finite numbers, or null. */
function amounts(text) {
    const numbers = (text ?? '').split(',').map(Number);
    const good = numbers.length === about.d && numbers.every((v) => Number.isFinite(v) && Math.abs(v) <= 100);
    return text && good ? Float32Array.from(numbers) : null;
}

/* Reads an address: positions (null: none), the item, the other parts. */
export function readLink(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ''));
    const position = about.runs.map((_, r) => amounts(words.get(r === 0 ? 'p' : 'q')));
    const item = Number(words.get('item') ?? NaN);
    return {
        position: position.some(Boolean) ? position.map((p) => p ?? new Float32Array(about.d)) : null,
        item: about.items && Number.isInteger(item) && item >= 0 && item < about.items.count ? item : null,
        restore() {
            for (const [name, part] of parts) part.set(words.get(name));
        },
    };
}
