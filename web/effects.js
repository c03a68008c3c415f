// effects.js: what a component does to the columns of a table: those that change most, with their values along it.
import {name} from './state.js';
import {make, itemBytes} from './paint.js';
import {effects, featureText} from './columns.js';

const LINES = 4;    // columns of a component

/* The shade of a value that is v deviations from the mean. */
export function shade(v) {
    const much = Math.round(62 * Math.min(Math.abs(v), 2.5) / 2.5);
    return `color-mix(in srgb, var(--${v < 0 ? 'below' : 'above'}) ${much}%, var(--sunken))`;
}

/* An empty list, to be filled by paintEffects; pick(step) is called for a click on a value. */
export function effectLines(title, pick) {
    const lines = make('div', {className: 'effects'}, ...(title ? [make('b', {textContent: title})] : []));
    lines.addEventListener('click', (event) => {
        if (event.target.dataset.step) pick(Number(event.target.dataset.step));
    });
    return lines;
}

function line(effect, values) {
    const told = [0, (values.length - 1) / 2, values.length - 1];    // where not all fit
    const texts = values.map((v) => featureText(effect, v)), longest = Math.max(...texts.map((text) => text.length));
    const fit = effect.column.kind === 'date' ? ' sparse' : longest > 5 ? ' tight' : '';
    const heat = make('span', {className: `heat${fit}`, 'aria-hidden': 'true'}, ...values.map((v, s) => {
        const text = texts[s];
        const button = make('button', {textContent: text, tabIndex: -1, title: `${effect.name} ${text}`});
        button.classList.toggle('told', told.includes(s));
        button.dataset.step = s;
        button.style.setProperty('--shade', shade(v));
        return button;
    }));
    return make('div', {className: 'effect'}, make('span', {className: 'effect-name', textContent: effect.name, title: effect.name}), heat,
        make('span', {className: 'effect-change', textContent: effect.text, title: 'change for one standard deviation more of this component, or from the first to the last'}));
}

/* The columns that differ most by amount(f), with their values in `steps` rows. */
export function heatLines(x, steps, amount, most, r) {
    const size = itemBytes() / 4, found = effects(amount, most, r);
    return [found, found.map((e) => line(e, Array.from({length: steps}, (_, s) => x[s * size + e.f])))];
}

/* buffer: `steps` rows, one deviation apart, the middle one at 0. Half the difference between 1 and −1 is the effect, as in
 * `eccentric components`. */
export function paintEffects(row, r, buffer, steps) {
    const size = itemBytes() / 4, x = new Float32Array(buffer), middle = (steps - 1) / 2;
    const [found, lines] = heatLines(x, steps, (f) => (x[(middle + 1) * size + f] - x[(middle - 1) * size + f]) / 2, LINES, r);
    const head = row.strips[r].querySelector('b');
    row.strips[r].replaceChildren(...(head ? [head] : []), ...(lines.length ? lines : [make('span', {className: 'effect-name', textContent: 'changes no column'})]));
    if (r === 0) row.slider.setAttribute('aria-description', `${name(row.k)}: ${found.map((e) => `${e.name} ${e.text}`).join(', ')}`);
}
