// api.js: requests to the server that this page came from, or to the page itself, if that holds everything (inside.js).
const inside = document.getElementById('inside') ? import('./inside.js') : null;
const base = inside ? null : new URL('api/', document.baseURI);

async function ask(path, options) {
    if (inside) return (await inside).answer(path, options);
    let reply;
    try {
        reply = await fetch(new URL(path, base), options);
    } catch {
        throw new Error('the server does not answer: is “eccentric explore” still running?');
    }
    if (reply.ok) return reply;
    let sentence = `the server answered ${reply.status}`;
    try {
        sentence = (await reply.json()).error ?? sentence;
    } catch {
        // not JSON: show the status
    }
    throw new Error(sentence);
}

export const getJson = async (path) => (await ask(path)).json();
export const getBytes = async (path) => (await ask(path)).arrayBuffer();
export const postBytes = async (path, body) =>
    (await ask(path, {method: 'POST', body, headers: {'Content-Type': 'application/octet-stream'}}))
        .arrayBuffer();

/* What the weights of a page without a server cost, in words; null where they are exact, and with a server. */
export const precisionWords = async () => inside && (await inside).precisionWords();

/* amounts: [n, d] as one Float32Array; returns the bytes of n items. */
export const decode = (run, amounts) => postBytes(`decode?run=${run}`, amounts);

export const readItems = (numbers) => postBytes('items', new Uint32Array(numbers));

/* Runs one request at a time and skips to the newest one when it is done. */
export class Newest {
    constructor(work) {
        this.work = work;
        this.waiting = null;
        this.running = null;
    }
    ask(...question) {
        this.waiting = question;
        this.running ??= this.pump();
        return this.running;
    }
    async pump() {
        try {
            while (this.waiting) {
                const question = this.waiting;
                this.waiting = null;
                await this.work(...question);
            }
        } finally {
            this.running = null;
        }
    }
    idle() {
        return this.running ?? Promise.resolve();
    }
}
