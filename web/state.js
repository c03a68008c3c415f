// state.js: the current position in latent space and the selected part of the map, their history, and the listeners to them.
//
// A position is one Float32Array of amounts (standard deviations along each component) for each run.

export const about = {};     // what the server has: filled by main.js
export const view = {position: [], origin: {kind: 'mean'}, selection: null};   // origin.home: where that is; selection: see selection.js
const atOnce = [], soon = [];
const PATIENCE = 24;    // milliseconds that the rest of the page waits for the picture
let waiting = null;
const past = [], future = [];
let lastTag = null, lastTime = 0;

/* Called when the picture of the newest position has arrived, so that the page is drawn once instead of twice, or a little
 * later than the move if that takes long; onMoveAtOnce: called within each move. */
export const onMove = (listener) => soon.push(listener);
export const onMoveAtOnce = (listener) => atOnce.push(listener);
export function tellRest() {
    clearTimeout(waiting);
    waiting = null;
    for (const listener of soon) listener();
}
export async function allTold() {
    while (waiting !== null) await new Promise((done) => setTimeout(done, 5));
}

const copy = (position) => position.map((p) => p.slice());
const snapshot = () => ({position: copy(view.position), origin: view.origin, selection: view.selection});
function remind() {
    past.push(snapshot());
    if (past.length > 500) past.shift();
    future.length = 0;
}

function tell() {
    for (const listener of atOnce) listener();
    waiting ??= setTimeout(tellRest, PATIENCE);
}

export function start() {
    view.position = about.runs.map(() => new Float32Array(about.d));
}

/* Moves there. Moves with the same tag within a second are one undo step. */
export function moveTo(position, origin, tag = null) {
    const now = performance.now();
    if (tag === null || tag !== lastTag || now - lastTime > 1000) remind();
    future.length = 0;
    lastTag = tag;
    lastTime = now;
    view.position = position.map((p) => Float32Array.from(p));
    if (origin) view.origin = {home: copy(view.position), ...origin};
    tell();
}

/* Selects a part of the map, or nothing (null): an undo step of its own. */
export function select(shape) {
    if (shape === view.selection) return;
    remind();
    lastTag = null;
    view.selection = shape;
    tell();
}

const far = (a, b) => a.some((v, k) => Math.abs(v - b[k]) > 5e-4);
/* Whether the position differs from the starting point. */
export const hasMoved = () => Boolean(view.origin.home) && view.position.some((p, r) => far(p, view.origin.home[r]));
export function reset() {
    if (hasMoved()) moveTo(view.origin.home, view.origin);
}

/* Changes the first run's position by `change` ([k, amount] pairs) and the matching components of a second run. */
export function shift(changes, tag, origin = null) {
    const next = copy(view.position);
    for (const [k, amount] of changes) {
        const delta = amount - next[0][k];
        next[0][k] = amount;
        if (next.length > 1) {
            const a = about.alignment;
            next[1][a ? a.partner[k] : k] += delta * (a ? a.sign[k] : 1);
        }
    }
    moveTo(next, origin, tag);
}

/* A place given for the first run; a second run gets the matching amounts. */
export function everywhere(amounts) {
    const first = Float32Array.from(amounts);
    if (about.runs.length < 2) return [first];
    const second = new Float32Array(about.d), a = about.alignment;
    for (let k = 0; k < about.d; k++) second[a ? a.partner[k] : k] = first[k] * (a ? a.sign[k] : 1);
    return [first, second];
}

export const meanPosition = () => about.runs.map(() => new Float32Array(about.d));

function step(from, to) {
    if (from.length === 0) return false;
    to.push(snapshot());
    const there = from.pop();
    view.position = there.position;
    view.origin = there.origin;
    view.selection = there.selection;
    lastTag = null;
    tell();
    return true;
}
export const undo = () => step(past, future);
export const redo = () => step(future, past);
/* The first place cannot be undone. */
export function forget() {
    past.length = future.length = 0;
    tell();
}
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/* Shows a message; if `quietly`, only to screen readers. */
export function say(sentence, quietly = false) {
    const status = document.getElementById('status');
    status.textContent = sentence;
    status.classList.toggle('quiet', quietly);
    clearTimeout(say.timer);
    say.timer = setTimeout(() => { status.textContent = ''; }, say.patience);
}
say.patience = 4000;    // milliseconds; the tests set a longer one, since a busy machine may take that long to look
export const sayError = (error) => say(error.message.charAt(0).toUpperCase() + error.message.slice(1));

export const name = (k) => `p${k + 1}`;
export const signed = (x, digits = 2) => (x < 0 ? '−' : '+') + Math.abs(x).toFixed(digits);
