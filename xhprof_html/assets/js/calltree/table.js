/** The rows of a call tree as a table: opened and closed, sorted, read by screen readers as a tree. */
import { bar, buttonFor, h, nameElement } from '../core/dom.js';
import { exact, figure, partOf } from '../core/format.js';
import { byName, visible } from '../core/names.js';
import { VirtualTable } from '../table/virtual-table.js';
import { Outline } from './outline.js';

/**
 * @typedef {import('./outline.js').AnySource} AnySource
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {'name' | 'total' | 'self' | 'calls' | 'first' | 'a' | 'b' | 'change'} Column first: in the order of first calls, which has no
 *     column; a, b, change: of two sides, see ChangesTable
 * @typedef {{by: Column, descending: boolean}} Order
 *
 * @typedef {object} Parts
 * @property {(row: number) => void} select a row was selected by arrows or a click
 * @property {(order: Order) => void} sort a head was chosen
 * @property {(index: number, event: MouseEvent | KeyboardEvent) => void} menu a menu of the row was asked for
 * @property {(row: number) => void} load what a row stands for, which must be loaded, was asked for
 */

/** px by which a level is indented; less where many are open. */
const INDENT = 14;
const LEAST_INDENT = 2;

/** px that the indents of a row take at most, wide and narrow. */
const ROOM = { wide: 360, narrow: 90 };

/** Columns behind the name. @type {[Column, string][]} */
const FIGURES = [['total', 'Total'], ['self', 'Self'], ['calls', 'Calls']];

export class CallTreeTable {
    /** @type {Outline | null} */
    outline = null;
    /** @type {string[]} */
    names = [];
    /** @type {Metric} */
    metric = { k: '', label: '', unit: 'count' };
    total = 0;
    /** @type {Order} */
    order = { by: 'total', descending: true };
    /** @type {Uint8Array | null} */
    matches = null;
    #indent = INDENT;

    /**
     * @param {HTMLElement} host
     * @param {import('../core/format.js').Counted} counted
     * @param {Parts} parts
     * @param {string} [className] of the table
     */
    constructor(host, counted, parts, className = '') {
        this.counted = counted;
        this.parts = parts;
        this.narrow = matchMedia('screen and (max-width: 760px)');
        this.table = new VirtualTable({
            label: 'Call tree',
            className: `data functions single call-tree ${className}`.trim(),
            role: 'treegrid',
            row: (index) => this.#row(index),
            onSelect: (index) => this.#selected(index),
            onOpen: (index) => this.toggle(index),
            onKey: (event) => this.#key(event),
        });
        this.table.body.addEventListener('click', (event) => isTwisty(event.target) && this.toggle(this.#indexAt(event.target)));
        this.table.body.addEventListener('dblclick', (event) => {
            if (!isTwisty(event.target)) {
                this.toggle(this.#indexAt(event.target));
            }
        });
        this.table.body.addEventListener('contextmenu', (event) => {
            const index = this.#indexAt(event.target);
            if (index >= 0) {
                event.preventDefault();
                this.table.select(index, false);
                this.#selected(index);
                parts.menu(index, event);
            }
        });
        this.narrow.addEventListener('change', () => this.update());
        host.append(this.table.element);
    }

    /** @returns {number} the row that is selected, -1 for none */
    get selected() {
        return this.outline === null || this.table.selected < 0 ? -1 : this.outline.rows[this.table.selected];
    }

    /**
     * @param {AnySource} source
     * @param {string[]} names
     * @param {Metric} metric
     * @param {number} total figure of a full bar
     * @param {Order} order
     */
    show(source, names, metric, total, order) {
        [this.names, this.metric, this.total, this.order] = [names, metric, total, order];
        this.outline = new Outline(source, this.#compare(source));
        this.table.selected = -1;
    }

    /**
     * Shows the same tree, to which paths have come; what was open is open still.
     *
     * @param {import('./sources.js').TopDown} source
     * @param {import('../profile/graft.js').Change} change
     */
    change(source, change) {
        const { outline } = this;
        if (outline !== null) {
            this.outline = new Outline(source, this.#compare(source));
            this.outline.goOn(outline, change);
            this.outline.filter(this.matches);
            this.reveal(change.at);
        }
    }

    /** @param {Order} order */
    sort(order) {
        this.order = order;
        if (this.outline !== null) {
            this.#keeping(() => this.outline?.sort(this.#compare(this.outline.source)));
        }
    }

    /** @param {Uint8Array | null} matches per function */
    filter(matches) {
        this.matches = matches;
        this.#keeping(() => this.outline?.filter(matches));
    }

    /** Shows the rows anew. */
    update() {
        const room = this.narrow.matches ? ROOM.narrow : ROOM.wide;
        this.#indent = Math.max(LEAST_INDENT, Math.min(INDENT, room / Math.max(1, this.outline?.deepest() ?? 1)));
        this.#heads();
        this.table.update(this.outline?.count ?? 0);
    }

    /** @param {number} row is selected and brought into sight; -1 for none */
    reveal(row) {
        const index = row < 0 ? -1 : this.outline?.reveal(row) ?? -1;
        this.update();
        this.table.select(index);
    }

    /**
     * Opens a row, or closes it.
     *
     * @param {number} index
     */
    toggle(index) {
        const { outline } = this;
        if (outline === null || index < 0) {
            return;
        }
        if (outline.source.isRest(outline.rows[index])) {
            this.parts.load(outline.rows[index]);
            return;
        }
        if (outline.isOpen(outline.rows[index])) {
            outline.close(index);
        } else {
            outline.open(index);
        }
        this.#again(index);
    }

    /** Opens the costliest path below the selected row, or below the first. */
    hotPath() {
        const { outline } = this;
        if (outline !== null && outline.count > 0) {
            const end = outline.hotPath(Math.max(0, this.table.selected));
            this.update();
            this.#move(end);
        }
    }

    /** @param {number} index whose rows below it all show */
    openAll(index) {
        if (index >= 0) {
            this.outline?.openAll(index);
            this.#again(index);
        }
    }

    closeAll() {
        const { outline } = this;
        if (outline !== null && outline.count > 0) {
            let row = this.selected;
            while (row >= 0 && outline.source.parent(row) >= 0) {
                row = outline.source.parent(row);
            }
            outline.closeAll();
            this.update();
            this.table.select(row < 0 ? -1 : outline.indexOf(row));
        }
    }

    /** @param {-1 | 1} step to the next row whose function matches the search */
    toMatch(step) {
        const { outline } = this;
        const matches = this.matches;
        if (outline !== null && matches !== null) {
            const index = outline.next(this.table.selected, step, (row) => matches[outline.source.fn(row)] === 1);
            if (index >= 0) {
                this.#move(index);
            }
        }
    }

    /**
     * @param {number} row
     * @returns {number[]} rows from it to its root
     */
    path(row) {
        const path = [];
        for (let at = row; at >= 0; at = this.outline?.source.parent(at) ?? -1) {
            path.push(at);
        }

        return path;
    }

    /** @param {() => void} change of the rows, after which the selected one is selected still */
    #keeping(change) {
        const row = this.selected;
        change();
        this.update();
        this.table.select(row < 0 ? -1 : this.outline?.indexOf(row) ?? -1, true);
    }

    /** @param {number} index of a row whose kids have changed */
    #again(index) {
        const { selected } = this.table;
        const row = this.selected;
        this.update();
        this.table.select(row >= 0 && selected > index ? this.outline?.indexOf(row) ?? -1 : selected, false);
    }

    /** @param {number} index */
    #move(index) {
        this.table.select(index);
        this.#selected(index);
    }

    /** @param {number} index */
    #selected(index) {
        if (this.outline !== null && index >= 0 && index < this.outline.count) {
            this.parts.select(this.outline.rows[index]);
        }
    }

    /**
     * @param {AnySource} source
     * @returns {(a: number, b: number) => number}
     */
    #compare(source) {
        const { by, descending } = this.order;
        const sign = descending ? -1 : 1;
        const names = this.names;
        if (by === 'first') {
            return (a, b) => sign * (a - b);
        }
        if (by === 'name') {
            return (a, b) => sign * byName(names[source.fn(a)], names[source.fn(b)]) || a - b;
        }
        const figure = this.figureOf(source, by);

        return (a, b) => sign * (figure(a) - figure(b)) || a - b;
    }

    /**
     * @param {AnySource} source
     * @param {Column} by
     * @returns {(row: number) => number} by which rows are sorted
     */
    figureOf(source, by) {
        return by === 'self' || by === 'calls' ? source[by] : source.total;
    }

    /**
     * @param {number} _row
     * @returns {{badge: HTMLElement | null, className: string}} what stands before its name, and a class of the row
     */
    marksOf(_row) {
        return { badge: null, className: '' };
    }

    /** @returns {[Column, string][]} those behind the name, with their heads */
    columns() {
        const { by } = this.order;
        const all = FIGURES.filter(([column]) => column !== 'calls' || this.metric.k !== 'ct')
            .map(([column, text]) => /** @type {[Column, string]} */ ([column, column === 'calls' ? this.counted.label : text]));
        // A narrow screen has room for the figure that rows are sorted by.
        const main = all.some(([column]) => column === by) ? by : 'total';

        return this.narrow.matches ? all.filter(([column]) => column === main) : all;
    }

    /** @param {Column} column @returns {string} */
    classOf(column) {
        const isMain = column === this.order.by || (column === 'total' && !['self', 'calls'].includes(this.order.by));

        return `num c-${column}${column === 'calls' ? '' : ' wide'}${isMain ? ' main' : ''}`;
    }

    #heads() {
        const { by, descending } = this.order;
        /** @type {[Column, string][]} */
        const columns = [['name', this.outline?.source.isWhole === false ? 'Function, and callers below' : 'Function, and callees below'], ...this.columns()];
        const focused = this.table.head.contains(document.activeElement) ? document.activeElement?.closest('th')?.cellIndex ?? -1 : -1;
        this.table.columns.replaceChildren(...columns.map(([column]) => h('col', { class: column === 'name' ? 'c-name' : this.classOf(column) })));
        this.table.head.replaceChildren(h('tr', { 'aria-rowindex': 1 }, ...columns.map(([column, text]) => {
            const isSorted = column === by;
            const arrow = isSorted ? h('span', { class: 'arrow', 'aria-hidden': 'true' }, descending ? ' ▼' : ' ▲') : null;
            const button = buttonFor(() => this.parts.sort({ by: column, descending: isSorted ? !descending : column !== 'name' }), { class: 'plain' }, text, arrow);

            return h('th', {
                scope: 'col', class: column === 'name' ? 'text' : this.classOf(column),
                'aria-sort': isSorted ? (descending ? 'descending' : 'ascending') : null,
            }, button);
        })));
        if (focused >= 0) {
            this.table.head.querySelectorAll('button')[focused]?.focus();
        }
    }

    /** @param {number} index */
    #row(index) {
        const outline = /** @type {Outline} */ (this.outline);
        const { source } = outline;
        const row = outline.rows[index];
        const fn = source.fn(row);
        const name = this.names[fn] ?? '';
        const level = source.level(row);
        const opens = source.opens(row);
        const isOpen = opens && !source.isRest(row) && outline.isOpen(row);
        const twisty = h('span', { class: `twisty${opens ? '' : ' none'}`, 'aria-hidden': 'true' }, opens ? (isOpen ? '▾' : '▸') : '');
        const { badge, className } = this.marksOf(row);
        const first = h(
            'th',
            { scope: 'row', class: 'text', title: visible(name, 1000) },
            twisty,
            badge,
            nameElement(name, { breaks: false, short: this.narrow.matches }),
        );
        first.style.paddingLeft = `${6 + Math.round(level * this.#indent)}px`;
        const isFound = this.matches !== null && this.matches[fn] === 1;

        return h(
            'tr',
            { 'aria-level': level + 1, 'aria-expanded': opens ? String(isOpen) : null, class: [isFound ? 'found' : '', className].filter((one) => one !== '').join(' ') || null },
            first,
            ...this.columns().map(([column]) => this.cell(row, column)),
        );
    }

    /**
     * @param {number} row
     * @param {Column} column
     */
    cell(row, column) {
        const { source } = /** @type {Outline} */ (this.outline);
        const className = this.classOf(column);
        if (column === 'calls') {
            const calls = source.calls(row);

            return h('td', { class: className, title: exact(calls, 'count') }, h('span', { class: 'v' }, figure(calls, 'count')));
        }
        const value = column === 'self' ? source.self(row) : source.total(row);
        const { unit } = this.metric;
        const words = partOf(value, this.total);

        return h(
            'td',
            { class: className, title: exact(value, unit) },
            ...(words !== '' && value > 0 ? [bar(value / this.total, unit === 'bytes' ? 'memory' : 'time')] : []),
            h('span', { class: 'v' }, figure(value, unit)),
            words === '' ? null : h('span', { class: 'p' }, words),
        );
    }

    /** @param {EventTarget | null} target @returns {number} -1 where there is no row */
    #indexAt(target) {
        const row = target instanceof Element ? target.closest('tr') : null;

        return row === null ? -1 : Number(row.dataset.index ?? -1);
    }

    /**
     * @param {KeyboardEvent} event
     * @returns {boolean}
     */
    #key(event) {
        const { outline } = this;
        const index = this.table.selected;
        if (outline === null || outline.count === 0) {
            return false;
        }
        if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
            if (index >= 0) {
                this.parts.menu(index, event);
            }

            return true;
        }
        const row = index < 0 ? -1 : outline.rows[index];
        const opens = row >= 0 && outline.source.opens(row);
        switch (event.key) {
            case 'ArrowRight':
                if (row < 0) {
                    this.#move(0);
                } else if (opens && !outline.isOpen(row)) {
                    this.toggle(index);
                } else if (opens) {
                    this.#move(Math.min(index + 1, outline.count - 1));
                }

                return true;
            case 'ArrowLeft':
                if (opens && outline.isOpen(row)) {
                    this.toggle(index);
                } else if (row >= 0 && outline.parentOf(index) >= 0) {
                    this.#move(outline.parentOf(index));
                }

                return true;
            case '*':
                this.openAll(index);

                return true;
            default:
                return false;
        }
    }
}

/** @param {EventTarget | null} target */
function isTwisty(target) {
    return target instanceof Element && target.classList.contains('twisty');
}
