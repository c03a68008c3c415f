// row.js: a decoded row of a table as a list of its columns, beside the mean or an item's own values. Of thousands of columns, only the
// lines in sight are elements of the page.
import {make} from './paint.js';
import {columnsOf, cell, difference, findColumns} from './columns.js';

const HIGH = 25;         // pixels of a line: style.css has the same
const FEW = 40;          // columns up to which the order of the file is the first choice
const NOTHING = 0.05;    // deviations that are shown as no change
const PATIENCE = 200;    // milliseconds at rest until lines change places

export class Row {
    constructor(r, title) {
        this.r = r;
        this.columns = columnsOf(r);
        this.order = this.columns.map((_, c) => c);
        this.values = this.own = null;
        this.sorting = this.columns.length > FEW ? 'change' : 'file';
        this.build(title);
    }

    build(title) {
        this.find = make('input', {type: 'search', placeholder: `Find among ${this.columns.length.toLocaleString('en')} columns`, 'aria-label': 'Find a column'});
        this.find.addEventListener('input', () => this.arrange());
        const names = [['file', 'as in the file'], ['change', 'by difference'], ['name', 'by name']];
        this.select = make('select', {'aria-label': 'Order of the columns'}, ...names.map(([value, textContent]) => make('option', {value, textContent})));
        this.select.value = this.sorting;
        this.select.addEventListener('change', () => { this.sorting = this.select.value; this.arrange(); });
        this.head = make('tr', {}, ...['Column', 'Decoded', 'From mean', ''].map((textContent) => make('th', {scope: 'col', textContent})));
        this.body = make('tbody');
        this.table = make('table', {className: 'row'}, make('thead', {}, this.head), this.body);
        this.space = make('div', {className: 'space'}, this.table);
        this.box = make('div', {className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': title}, this.space);
        this.note = make('p', {className: 'hint', hidden: true});
        this.none = make('p', {className: 'hint', textContent: 'No column has this name.', hidden: true});
        this.box.addEventListener('scroll', () => this.draw(), {passive: true});
        new ResizeObserver(() => this.draw()).observe(this.box);
        const controls = make('div', {className: 'row-controls', hidden: this.columns.length < 8}, this.find, this.select);
        this.element = make('div', {className: 'row-list'}, controls, this.box, this.none, this.note);
    }

    /* values: features of the decoded row; own: of the item that it is beside, or null; name: of that item. */
    show(values, own, name) {
        const first = this.values === null, other = own !== this.own;
        this.values = values;
        this.own = own;
        this.head.cells[2].textContent = own ? name : 'From mean';
        this.head.cells[2].title = own ? 'its own value' : 'how far the decoded value is from the mean of the training rows';
        this.head.cells[3].textContent = 'Range';
        this.head.cells[3].title = `from the least to the largest value of the training rows; the mark is ${own ? 'the item’s own value' : 'the mean'}`;
        if (other) this.countGaps(name);
        if (first || other) return this.arrange();
        this.draw();
        clearTimeout(this.timer);
        if (this.sorting === 'change') this.timer = setTimeout(() => this.arrange(), PATIENCE);
    }

    countGaps(name) {
        const gaps = this.own ? this.columns.filter((column) => !Number.isFinite(this.own[column.first])).length : 0;
        this.note.hidden = gaps === 0;
        this.note.textContent = `${name} has ${gaps.toLocaleString('en')} missing ${gaps === 1 ? 'cell' : 'cells'}; the decoded values fill them, in italics.`;
    }

    arrange() {
        clearTimeout(this.timer);
        if (!this.values) return;
        this.order = findColumns(this.find.value, Infinity, this.r);
        if (this.sorting === 'name') this.order.sort((a, b) => this.columns[a].name.localeCompare(this.columns[b].name, 'en', {numeric: true}));
        if (this.sorting === 'change') {
            const by = this.columns.map((column) => Math.abs(difference(column, this.values, this.own)));
            // at the mean nothing differs but by rounding, which is no order
            if (by.some((amount) => amount > NOTHING)) this.order.sort((a, b) => by[b] - by[a] || a - b);
        }
        this.space.style.height = `${(this.order.length + 1) * HIGH}px`;
        this.table.setAttribute('aria-rowcount', this.order.length + 1);
        this.none.hidden = this.order.length > 0;
        this.draw();
    }

    draw() {
        if (!this.values) return;
        const seen = Math.ceil((this.box.clientHeight || 600) / HIGH) + 2, most = Math.max(0, this.order.length - seen);
        const first = Math.min(most, Math.floor(this.box.scrollTop / HIGH)), count = Math.min(seen, this.order.length - first);
        this.table.style.marginTop = `${first * HIGH}px`;
        while (this.body.rows.length > count) this.body.lastChild.remove();
        while (this.body.rows.length < count) {
            this.body.append(make('tr', {}, make('th', {scope: 'row'}), make('td'), make('td'), make('td', {}, make('span', {className: 'range', 'aria-hidden': 'true'}))));
        }
        for (let i = 0; i < count; i++) this.fill(this.body.rows[i], this.order[first + i], first + i);
    }

    fill(line, c, place) {
        const column = this.columns[c], [name, value, other] = line.cells, bar = line.cells[3].firstChild;
        const now = cell(column, this.values), own = this.own ? cell(column, this.own, true) : null;
        line.setAttribute('aria-rowindex', place + 2);
        if (name.textContent !== column.name) name.textContent = name.title = column.name;
        value.textContent = value.title = now.text;
        value.classList.toggle('imputed', own?.missing === true);
        if (own?.missing) value.title = `${now.text}: filled in by the decoder`;
        other.textContent = other.title = own ? own.text : now.changed;
        other.classList.toggle('muted', own ? own.missing === true : Math.abs(now.change) < 0.1);
        line.classList.toggle('off', own !== null && !own.missing && Math.abs(difference(column, this.values, this.own)) > 1);
        const within = (t) => Math.max(0, Math.min(1, t));
        const mark = within(own && !own.missing && column.kind !== 'category' ? own.at : now.mean), at = within(now.at);
        bar.style.setProperty('--mark', mark);
        bar.style.setProperty('--from', Math.min(at, mark));
        bar.style.setProperty('--to', Math.max(at, mark));
    }
}
