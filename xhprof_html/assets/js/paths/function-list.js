/** The functions of a tree beside its pictures: any number of them, sorted by any column, filtered by the search. */
import { bar, h, nameElement } from '../core/dom.js';
import { counts, exact, figure } from '../core/format.js';
import { visible } from '../core/names.js';
import { VirtualTable } from '../table/virtual-table.js';

/**
 * @typedef {'name' | 'exclusive' | 'inclusive' | 'ct' | 'a' | 'b' | 'change'} Column a, b, change: of two sides, see ChangeList
 * @typedef {import('./tree-jobs.js').Rows} RunRows
 */

/** @template {{fn: Int32Array}} Rows */

export class FunctionsBeside {
    /** @type {Rows | null} */
    rows = null;
    /** @type {string[]} */
    names = [];
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'count' };
    /** @type {Uint8Array | null} */
    #matches = null;
    /** Rows in their order. */
    #order = new Int32Array(0);
    /** @type {Column} */
    by;
    #descending = true;
    total = 0;
    /** @type {import('../core/format.js').Counted} */
    counted = { label: '', isCalls: true };

    /**
     * @param {HTMLElement} host
     * @param {string} label
     * @param {(fn: number) => void} select
     * @param {Column} by the column that they are sorted by at first
     */
    constructor(host, label, select, by) {
        this.by = by;
        this.table = new VirtualTable({
            label,
            className: 'data functions single function-list',
            row: (index) => this.#row(this.#order[index]),
            onSelect: (index) => select(this.#fn(index)),
            onOpen: (index) => select(this.#fn(index)),
        });
        host.append(this.table.element);
    }

    /**
     * @param {Rows} rows
     * @param {string[]} names
     * @param {import('../profile/tree.js').Metric} metric
     * @param {number} total figure of a full bar
     * @param {import('../core/format.js').Counted} [counted]
     */
    show(rows, names, metric, total, counted = counts()) {
        [this.rows, this.names, this.metric, this.total, this.counted] = [rows, names, metric, total, counted];
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
        this.table.select(fn < 0 ? -1 : this.#order.findIndex((row) => this.rows?.fn[row] === fn));
    }

    /** @returns {[Column, string][]} columns with their heads, the name first */
    heads() {
        return [['name', 'Function']];
    }

    /**
     * @param {Rows} _rows
     * @param {Column} _column
     * @returns {ArrayLike<number>} what rows are sorted by
     */
    figures(_rows, _column) {
        return [];
    }

    /**
     * @param {Rows} _rows
     * @param {number} _row
     * @returns {(HTMLElement | null)[]} cells behind the name
     */
    cells(_rows, _row) {
        return [];
    }

    /**
     * @param {Rows} _rows
     * @param {number} _row
     * @returns {{badge: HTMLElement | null, className: string}} what stands before its name, and a class of the row
     */
    marks(_rows, _row) {
        return { badge: null, className: '' };
    }

    /** @returns {Column} the one that narrow screens keep */
    main() {
        return this.by;
    }

    #heads() {
        const shown = this.heads();
        this.table.columns.replaceChildren(...shown.map(([column]) => h('col', { class: this.#classOf(column) })));
        this.table.head.replaceChildren(h('tr', {}, ...shown.map(([column, text]) => {
            const isMain = column === this.by;
            const arrow = isMain ? h('span', { class: 'arrow', 'aria-hidden': 'true' }, this.#descending ? ' ▼' : ' ▲') : null;
            const button = h('button', { type: 'button', class: 'plain' }, text, arrow);
            button.addEventListener('click', () => {
                this.#descending = isMain ? !this.#descending : column !== 'name';
                this.by = column;
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
        return column === 'name' ? 'c-name' : this.classOf(column);
    }

    /** @param {Column} column */
    classOf(column) {
        return `num c-${column}${column === this.main() ? ' main' : ''}`;
    }

    #arrange() {
        const { rows, names, by } = this;
        const fn = rows?.fn ?? new Int32Array(0);
        const matches = this.#matches;
        const order = Int32Array.from(fn.keys()).filter((row) => matches === null || matches[fn[row]] === 1);
        const sign = this.#descending ? -1 : 1;
        if (by === 'name') {
            order.sort((a, b) => sign * (names[fn[a]] < names[fn[b]] ? -1 : 1));
        } else if (rows !== null) {
            const column = this.figures(rows, by);
            order.sort((a, b) => sign * (column[a] - column[b]) || a - b);
        }
        this.#order = order;
        this.table.update(order.length);
    }

    /** @param {number} index of a row in sight */
    #fn(index) {
        return this.rows?.fn[this.#order[index]] ?? -1;
    }

    /** @param {number} row */
    #row(row) {
        const rows = /** @type {Rows} */ (this.rows);
        const name = this.names[rows.fn[row]];
        const { badge, className } = this.marks(rows, row);

        return h(
            'tr',
            className === '' ? {} : { class: className },
            h('th', { scope: 'row', class: 'text', title: visible(name, 500) }, badge, nameElement(name, { short: true, breaks: false })),
            ...this.cells(rows, row),
        );
    }
}

/** @extends {FunctionsBeside<RunRows>} */
export class FunctionList extends FunctionsBeside {
    /**
     * @param {HTMLElement} host
     * @param {string} label
     * @param {(fn: number) => void} select
     * @param {Column} [by]
     */
    constructor(host, label, select, by = 'inclusive') {
        super(host, label, select, by);
    }

    /** @returns {[Column, string][]} */
    heads() {
        const { label, exclusive = 'Self', inclusive = 'Total' } = this.counted;
        /** @type {[Column, string][]} */
        const heads = [['name', 'Function'], ['exclusive', exclusive], ['inclusive', inclusive], ['ct', label]];

        return heads.filter(([column]) => column !== 'ct' || this.metric.k !== 'ct');
    }

    /**
     * @param {RunRows} rows
     * @param {Column} column
     */
    figures(rows, column) {
        return column === 'exclusive' || column === 'ct' ? rows[column] : rows.inclusive;
    }

    /** @returns {Column} the one with the bars */
    main() {
        return this.by === 'exclusive' ? 'exclusive' : 'inclusive';
    }

    /**
     * @param {RunRows} rows
     * @param {number} row
     */
    cells(rows, row) {
        const { unit } = this.metric;
        const cell = (/** @type {'exclusive' | 'inclusive'} */ column) => {
            const value = rows[column][row];
            const share = this.total > 0 ? value / this.total : 0;

            return h(
                'td',
                { class: this.classOf(column), title: exact(value, unit) },
                ...(column === this.main() && share > 0 ? [bar(share, unit === 'bytes' ? 'memory' : 'time')] : []),
                h('span', { class: 'v' }, figure(value, unit)),
            );
        };
        const ct = rows.ct[row];

        return [
            cell('exclusive'),
            cell('inclusive'),
            this.metric.k === 'ct' ? null : h('td', { class: 'num c-ct', title: exact(ct, 'count') }, figure(ct, 'count')),
        ];
    }
}
