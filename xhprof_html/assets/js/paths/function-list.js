/** The functions of a tree beside its pictures: any number of them, sorted by any column, filtered by the search. */
import { bar, h, nameElement } from '../core/dom.js';
import { exact, figure } from '../core/format.js';
import { visible } from '../core/names.js';
import { VirtualTable } from '../table/virtual-table.js';

/**
 * @typedef {'name' | 'exclusive' | 'inclusive' | 'ct'} Column
 * @typedef {import('./tree-jobs.js').Rows} Rows
 */

export class FunctionList {
    /** @type {Rows} */
    #rows = { fn: new Int32Array(0), exclusive: new Float64Array(0), inclusive: new Float64Array(0), ct: new Float64Array(0) };
    /** @type {string[]} */
    #names = [];
    /** @type {import('../profile/tree.js').Metric} */
    #metric = { k: '', label: '', unit: 'count' };
    /** @type {Uint8Array | null} */
    #matches = null;
    /** Rows in their order. */
    #order = new Int32Array(0);
    /** @type {Column} */
    #by;
    #descending = true;
    #total = 0;
    /** @type {import('../core/format.js').Counted} */
    #counted = { label: '', isCalls: true };

    /**
     * @param {HTMLElement} host
     * @param {string} label
     * @param {(fn: number) => void} select
     * @param {Column} [by] the column that they are sorted by at first
     */
    constructor(host, label, select, by = 'inclusive') {
        this.#by = by;
        this.table = new VirtualTable({
            label,
            className: 'data functions single function-list',
            row: (index) => this.#row(this.#order[index]),
            onSelect: (index) => select(this.#rows.fn[this.#order[index]]),
            onOpen: (index) => select(this.#rows.fn[this.#order[index]]),
        });
        host.append(this.table.element);
    }

    /**
     * @param {Rows} rows
     * @param {string[]} names
     * @param {import('../profile/tree.js').Metric} metric
     * @param {number} total figure of a full bar
     * @param {import('../core/format.js').Counted} counted
     */
    show(rows, names, metric, total, counted) {
        [this.#rows, this.#names, this.#metric, this.#total, this.#counted] = [rows, names, metric, total, counted];
        this.#heads();
        this.#arrange();
    }

    /** @param {Uint8Array | null} matches per function */
    filter(matches) {
        this.#matches = matches;
        this.#arrange();
    }

    /** @param {number} fn -1 for none */
    select(fn) {
        this.table.select(fn < 0 ? -1 : this.#order.findIndex((row) => this.#rows.fn[row] === fn));
    }

    #heads() {
        const { label, exclusive = 'Self', inclusive = 'Total' } = this.#counted;
        /** @type {[Column, string][]} */
        const heads = [['name', 'Function'], ['exclusive', exclusive], ['inclusive', inclusive], ['ct', label]];
        const shown = heads.filter(([column]) => column !== 'ct' || this.#metric.k !== 'ct');
        this.table.columns.replaceChildren(...shown.map(([column]) => h('col', { class: this.#classOf(column) })));
        this.table.head.replaceChildren(h('tr', {}, ...shown.map(([column, text]) => {
            const isMain = column === this.#by;
            const arrow = isMain ? h('span', { class: 'arrow', 'aria-hidden': 'true' }, this.#descending ? ' ▼' : ' ▲') : null;
            const button = h('button', { type: 'button', class: 'plain' }, text, arrow);
            button.addEventListener('click', () => {
                this.#descending = isMain ? !this.#descending : column !== 'name';
                this.#by = column;
                this.#heads();
                this.#arrange();
            });

            return h('th', {
                scope: 'col', class: column === 'name' ? 'text' : this.#classOf(column),
                'aria-sort': isMain ? (this.#descending ? 'descending' : 'ascending') : null,
            }, button);
        })));
    }

    /**
     * @param {Column} column
     * @returns {string} "main" is the class of the column that narrow screens keep
     */
    #classOf(column) {
        return column === 'name' ? 'c-name' : `num c-${column}${column === this.#main() ? ' main' : ''}`;
    }

    /** @returns {Column} the one with the bars */
    #main() {
        return this.#by === 'exclusive' ? 'exclusive' : 'inclusive';
    }

    #arrange() {
        const { fn } = this.#rows;
        const matches = this.#matches;
        const order = Int32Array.from(fn.keys()).filter((row) => matches === null || matches[fn[row]] === 1);
        const by = this.#by;
        const sign = this.#descending ? -1 : 1;
        const names = this.#names;
        if (by === 'name') {
            order.sort((a, b) => sign * (names[fn[a]] < names[fn[b]] ? -1 : 1));
        } else {
            const column = this.#rows[by];
            order.sort((a, b) => sign * (column[a] - column[b]) || a - b);
        }
        this.#order = order;
        this.table.update(order.length);
    }

    /** @param {number} row */
    #row(row) {
        const name = this.#names[this.#rows.fn[row]];
        const { unit } = this.#metric;
        const cell = (/** @type {'exclusive' | 'inclusive'} */ column) => {
            const value = this.#rows[column][row];
            const isMain = column === this.#main();
            const share = this.#total > 0 ? value / this.#total : 0;

            return h(
                'td',
                { class: `num c-${column}${isMain ? ' main' : ''}`, title: exact(value, unit) },
                ...(isMain && share > 0 ? [bar(share, unit === 'bytes' ? 'memory' : 'time')] : []),
                h('span', { class: 'v' }, figure(value, unit)),
            );
        };
        const ct = this.#rows.ct[row];

        return h(
            'tr',
            {},
            h('th', { scope: 'row', class: 'text', title: visible(name, 500) }, nameElement(name, { short: true, breaks: false })),
            cell('exclusive'),
            cell('inclusive'),
            this.#metric.k === 'ct' ? null : h('td', { class: 'num c-ct', title: exact(ct, 'count') }, figure(ct, 'count')),
        );
    }
}
