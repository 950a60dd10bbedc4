/** The table of a comparison with all its rows, sorted and filtered here. */
import { exactly, growth, sides, signed, tone } from '../core/difference.js';
import { h, isPlain, nameElement, svg } from '../core/dom.js';
import { counts, exact, figure, grouped, labelInSentence, share } from '../core/format.js';
import { visible } from '../core/names.js';
import { pageAddress, replaced, state } from '../core/state.js';
import { ARROWS, BY_NAME, ariaOf, nextDirection, parseColumnKey } from '../table/column-order.js';
import { VirtualTable } from '../table/virtual-table.js';
import { DiffModel } from './diff-model.js';

/** @typedef {import('../core/format.js').Unit} Unit */
/** @typedef {{ key: string, column: string, part: string, group: string, label: string, title: string, unit: Unit }} Column */

/** The parts shown of a column's two figures, as in XHProf\Compare\Web\DiffTables. */
const PARTS = /** @type {Record<string, [string, string]>} */ ({
    d: ['Change', 'change'],
    p: ['%', 'change in percent'],
    s: ['Share', "share of the whole run's change"],
});

/** Characters for which the stylesheet's widths have room. */
const USUAL = 8;

export class DiffView {
    /**
     * @param {HTMLElement} element whose table is replaced
     * @param {import('./diff-model.js').DiffData} data
     */
    constructor(element, data) {
        this.element = element;
        this.model = new DiffModel(data);
        this.metric = element.dataset.metric ?? 'ct';
        this.noun = element.dataset.noun ?? 'function';
        this.groups = this.#groups();
        this.columns = this.groups.flatMap(({ columns }) => columns);
        this.largest = 0;
        this.middling = matchMedia('screen and (max-width: 1100px)');
        this.small = matchMedia('screen and (max-width: 900px)');
        for (const width of [this.middling, this.small]) {
            width.addEventListener('change', () => this.#head());
        }
        this.narrow = matchMedia('screen and (max-width: 760px)');
        this.narrow.addEventListener('change', () => this.table.update(this.model.rows.length));
        this.table = new VirtualTable({
            label: `${this.noun.charAt(0).toUpperCase()}${this.noun.slice(1)}s of the comparison`,
            className: 'data functions compare',
            row: (index) => this.#row(index),
            onSelect: (index) => {
                const name = this.model.data.names[this.model.rows[index] ?? 0] ?? '';
                state.set({ sel: name.length > 1500 ? null : name });
            },
            onOpen: (index) => location.assign(this.#url(this.model.rows[index] ?? 0)),
        });
        this.table.columns.append(h('col', { class: 'c-name' }), ...this.columns.map(({ part, group }) => h('col', { class: `g-${group} k-${part}` })));
        this.#widen();
        this.count = h('p', { class: 'count', 'aria-live': 'polite' });
        const explanation = [...element.querySelectorAll('[data-noise]')];
        element.replaceChildren(this.count, this.table.element, ...explanation);
        this.#arrange();
        state.watch(['sort', 'dir', 'q', 'changed', 'noise'], () => {
            this.table.element.scrollTop = 0;
            this.#arrange();
        });
    }

    #groups() {
        const metric = this.model.data.metrics.find(({ k }) => k === this.metric);
        const words = metric === undefined ? '' : labelInSentence(metric);
        const groups = [{ group: 'ct', label: counts().label, title: counts().label, column: 'ct', unit: /** @type {Unit} */ ('count'), parts: 'abd' }];
        if (metric !== undefined && this.metric !== 'ct') {
            groups.push(
                { group: 'excl', label: 'Self', title: `Self ${words}`, column: `excl_${this.metric}`, unit: metric.unit, parts: 'abdps' },
                { group: 'incl', label: 'Total', title: `Total ${words}`, column: this.metric, unit: metric.unit, parts: 'abdp' },
            );
        }

        const side = sides();

        return groups.map((one) => ({
            ...one,
            columns: [...one.parts].map((part) => /** @type {Column} */ ({
                key: (part === 'd' || part === 's' ? '' : `${part}_`) + one.column,
                column: one.column,
                part,
                group: one.group,
                label: part === 'a' || part === 'b' ? side[part] : PARTS[part]?.[0] ?? '',
                title: `${one.title}, ${part === 'a' || part === 'b' ? side[part].toLowerCase() : PARTS[part]?.[1] ?? ''}`,
                unit: one.unit,
            })),
        }));
    }

    #arrange() {
        const wanted = state.get('sort');
        const isKnown = wanted === BY_NAME || this.columns.some(({ key }) => key === wanted);
        this.sort = isKnown ? wanted : (this.columns.some(({ group }) => group === 'excl') ? `excl_${this.metric}` : 'ct');
        this.direction = ['asc', 'desc'].includes(state.get('dir')) ? state.get('dir') : '';
        const query = state.get('q').trim();
        const changed = state.get('changed') === '1';
        this.model.arrange({ sort: this.sort, direction: this.direction, query, changed, mixed: state.get('noise') === 'mixed', metric: this.metric });
        this.largest = 0;
        for (const row of this.model.rows) {
            this.largest = Math.max(this.largest, Math.abs(this.model.delta(row, this.model.lead)));
        }
        this.#head();
        this.#counts(query, changed);
        this.table.update(this.model.rows.length);
        const selected = this.model.data.names.indexOf(state.get('sel'));
        this.table.select(selected < 0 ? -1 : this.model.rows.indexOf(selected), false);
    }

    /**
     * @param {string} query
     * @param {boolean} changed
     */
    #counts(query, changed) {
        const all = this.model.data.names.length;
        const shown = this.model.rows.length;
        const words = query === '' && !changed
            ? `${grouped(all)} ${all === 1 ? 'row' : 'rows'}`
            : `${grouped(shown)} of ${grouped(all)} rows ${query === '' ? 'changed' : 'match '}`;
        this.count.replaceChildren(words);
        if (query !== '') {
            this.count.append(h('q', {}, visible(query, 80)));
        }
        this.count.append(' · ', h('span', { class: 'up' }, '▲ more'), ' ', h('span', { class: 'down' }, '▼ less than before'));
        this.table.element.hidden = shown === 0;
    }

    #head() {
        const focused = this.table.head.contains(document.activeElement);
        const first = h('tr', { 'aria-rowindex': 1 }, this.#heading({ key: BY_NAME, label: this.noun.charAt(0).toUpperCase() + this.noun.slice(1), title: `Name of the ${this.noun}` }, 'text', 2));
        const second = h('tr', { 'aria-rowindex': 2 });
        const lead = this.model.lead === 'ct' ? 'ct' : (this.model.lead.startsWith('excl_') ? 'excl' : 'incl');
        for (const { group, label, title, columns } of this.groups) {
            // By these rules compare.css hides columns: a heading must not span hidden ones.
            const hidesSides = this.middling.matches && group !== lead && !(group === 'excl' && lead === 'ct');
            const hidesAll = this.small.matches && group === 'ct' && lead !== 'ct';
            const shown = columns.filter(({ part }) => !hidesAll && !(hidesSides && 'ab'.includes(part)) && !(this.small.matches && part === 's')).length;
            if (shown > 0) {
                first.append(h('th', { scope: 'colgroup', colspan: shown, class: `group g-${group}`, title }, label));
            }
            second.append(...columns.map((column) => this.#heading(column, `num g-${group} k-${column.part}`, 1)));
        }
        this.table.head.replaceChildren(first, second);
        this.table.table.className = `data functions compare lead-${lead}`;
        if (focused) {
            /** @type {HTMLElement | null} */ (this.table.head.querySelector('th[aria-sort] a'))?.focus();
        }
    }

    /**
     * @param {{ key: string, label: string, title: string, part?: string }} column
     * @param {string} className
     * @param {number} rows
     * @returns {HTMLTableCellElement}
     */
    #heading({ key, label, title, part }, className, rows) {
        // The share has the order of the change.
        if (part === 's') {
            return h('th', { scope: 'col', class: className }, h('span', { title }, label));
        }
        const isSorted = key === this.sort;
        const next = { sort: key, dir: isSorted ? nextDirection(parseColumnKey(key)[0], this.direction ?? '') : null };
        const link = h('a', { href: `${pageAddress('index')}?${replaced(location.search, next)}`, title: `Sort by: ${title}` }, label);
        const aria = isSorted ? ariaOf(parseColumnKey(key)[0], this.direction ?? '') : null;
        if (aria !== null) {
            link.append(h('span', { class: 'arrow', 'aria-hidden': 'true' }, ARROWS[aria]));
        }
        link.addEventListener('click', (event) => {
            if (isPlain(event)) {
                event.preventDefault();
                state.set(next);
            }
        });

        return h('th', { scope: 'col', rowspan: rows > 1 ? rows : null, class: className + (isSorted ? ' main' : ''), 'aria-sort': aria }, link);
    }

    /**
     * @param {number} index
     * @returns {HTMLTableRowElement}
     */
    #row(index) {
        const row = this.model.rows[index] ?? 0;
        const { names, only } = this.model.data;
        const name = names[row] ?? '';
        const isNoise = this.model.noisy[row] === 1;
        const badge = only[row] === 2 ? h('span', { class: 'badge new' }, 'new') : (only[row] === 1 ? h('span', { class: 'badge gone' }, 'gone') : null);
        const was = this.model.data.before?.[String(row)];
        const moved = was === undefined ? null : h('span', { class: 'badge was', title: `Before: ${visible(was, 1000)}` }, 'moved');
        const link = h('a', { href: this.#url(row), tabindex: -1 }, nameElement(name, { short: this.narrow.matches, breaks: false }));
        const words = isNoise ? `${visible(name, 1000)}: ${this.#why(row)}` : visible(name, 1000);
        const tr = h('tr', { class: isNoise ? 'faint' : null }, h('th', { scope: 'row', class: 'text', title: was === undefined ? words : `${words}\nBefore: ${visible(was, 1000)}` }, badge, link, moved));
        for (const column of this.columns) {
            tr.append(this.#cell(row, column));
        }

        return tr;
    }

    /** @param {number} row */
    #why(row) {
        const { lead } = this.model;
        if (this.model.isSmall(lead, this.model.delta(row, lead))) {
            return 'under 1 % of the total';
        }
        if (this.model.isMachine(row, lead)) {
            return this.model.data.machine?.words ?? '';
        }
        const p = this.model.chance(row, lead) ?? 1;

        return `may be chance, p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
    }

    /**
     * @param {number} row
     * @param {Column} column
     * @returns {HTMLTableCellElement}
     */
    #cell(row, { column, part, group, unit, title }) {
        const a = this.model.data.a[column]?.[row] ?? 0;
        const b = this.model.data.b[column]?.[row] ?? 0;
        const delta = b - a;
        const isLead = part === 'd' && column === this.model.lead;
        const colour = tone(a, b);
        const td = h('td', {
            class: `num g-${group} k-${part}${part === 'd' ? ` delta ${colour}` : ''}${isLead ? ' main' : ''}`,
            title: `${title.split(',')[0]}: ${exactly(a, b, unit)}, change ${delta > 0 ? '+' : ''}${exact(delta, unit)}`,
        });
        const arrow = part === 'd' && delta !== 0 ? h('span', { class: 'arrow', 'aria-hidden': 'true' }, delta > 0 ? '▲' : '▼') : null;
        const text = h('span', { class: 'v' }, arrow, this.#text(row, { column, part, unit }));
        if (isLead && delta !== 0 && this.largest > 0) {
            const width = Math.round(Math.abs(delta) / this.largest * 1e4) / 100;
            td.append(svg('svg', { class: `share ${colour}`, viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect', { width, height: 1 })));
        }
        td.append(text);

        return td;
    }

    /**
     * @param {number} row
     * @param {{ column: string, part: string, unit: Unit }} column
     * @returns {string}
     */
    #text(row, { column, part, unit }) {
        const a = this.model.data.a[column]?.[row] ?? 0;
        const b = this.model.data.b[column]?.[row] ?? 0;
        const only = this.model.data.only[row];
        const whole = this.model.wholeChange(column);
        switch (part) {
            case 'a':
                return only === 2 ? '' : figure(a, unit);
            case 'b':
                return only === 1 ? '' : figure(b, unit);
            case 'p':
                return growth(a, b);
            case 's':
                return a === b || this.model.isSmall(this.metric, whole) ? '' : share(b - a, whole);
            default:
                return a === b ? '=' : signed(b - a, unit);
        }
    }

    /** Columns of long figures are wider: only the rows in sight are there to be measured by the browser. */
    #widen() {
        const cols = [...this.table.columns.children].slice(1);
        this.columns.forEach((column, index) => {
            let longest = 0;
            for (let row = 0; row < this.model.data.names.length; row++) {
                longest = Math.max(longest, this.#text(row, column).length);
            }
            if (longest >= USUAL) {
                /** @type {HTMLElement} */ (cols[index]).style.width = `${longest + (column.part === 'd' ? 4 : 2)}ch`;
            }
        });
    }

    /** @param {number} row */
    #url(row) {
        const hash = this.model.data.hashes?.[String(row)];
        const symbol = hash === undefined ? `symbol=${encodeURIComponent(this.model.data.names[row] ?? '')}` : `symbol_hash=${hash}`;

        return `${this.element.dataset.link ?? ''}&sort=${this.sort}&${symbol}`;
    }
}
