/**
 * A table of any number of rows of one height; only those in sight are in the document. Screen readers and keyboards get a
 * table too: rows are counted and numbered, arrows move the selection.
 */
import { h } from '../core/dom.js';
import { grouped } from '../core/format.js';

/** Rows in the document above and below those in sight. */
const MARGIN = 12;

/** Most rows that are printed: some hundred pages. */
const PRINTED = 5000;

/**
 * @typedef {object} VirtualTableOptions
 * @property {string} label name of the table
 * @property {string} className of the table
 * @property {(index: number) => HTMLTableRowElement} row makes one, by its place among those that match
 * @property {(index: number) => void} onSelect by arrows or a click
 * @property {(index: number) => void} onOpen by Enter
 * @property {'grid' | 'treegrid'} [role] grid unless given
 * @property {(event: KeyboardEvent) => boolean} [onKey] whether it has handled the key; asked first
 */

export class VirtualTable {
    #isPrinting = false;

    /** @param {VirtualTableOptions} options */
    constructor(options) {
        this.options = options;
        this.count = 0;
        this.selected = -1;
        /** @type {Map<number, HTMLTableRowElement>} rows in the document by their place */
        this.shown = new Map();
        this.head = h('thead');
        this.columns = h('colgroup');
        this.body = h('tbody');
        this.above = h('tbody', { class: 'spacer', 'aria-hidden': 'true' }, h('tr', {}, h('td')));
        this.below = h('tbody', { class: 'spacer', 'aria-hidden': 'true' }, h('tr', {}, h('td')));
        this.table = h(
            'table',
            { class: options.className, role: options.role ?? 'grid', tabindex: 0, 'aria-label': options.label },
            this.columns, this.head, this.above, this.body, this.below,
        );
        /** The number of rows that are missing on paper. */
        this.unprinted = h('p', { class: 'on-paper' });
        this.element = h('div', { class: 'scroll virtual' }, this.table, this.unprinted);
        this.rowHeight = 24;
        this.frame = 0;
        this.element.addEventListener('scroll', () => this.#later(), { passive: true });
        new ResizeObserver(() => this.#later()).observe(this.element);
        this.table.addEventListener('keydown', (event) => this.#key(event));
        this.body.addEventListener('click', (event) => this.#click(event));
        addEventListener('beforeprint', () => this.#print());
        addEventListener('afterprint', () => this.#printed());
        this.paper = matchMedia('print');
        this.paper.addEventListener('change', ({ matches }) => matches ? this.#print() : this.#printed());
    }

    /** Makes the rows in sight anew, after their order, number or columns have changed. */
    update(/** @type {number} */ count) {
        this.count = count;
        this.selected = Math.min(this.selected, count - 1);
        for (const row of this.shown.values()) {
            row.remove();
        }
        this.shown.clear();
        this.table.setAttribute('aria-rowcount', String(count + this.head.rows.length));
        if (this.#isPrinting) {
            this.#print();
        }
        this.render();
    }

    /** Shows the rows in sight. */
    render() {
        // On paper the table is as high as its rows: all would be in sight.
        if (this.#isPrinting || this.paper.matches) {
            return;
        }
        const top = this.element.scrollTop;
        const height = this.element.clientHeight || 600;
        this.#show(
            Math.max(0, Math.floor(top / this.rowHeight) - MARGIN),
            Math.min(this.count, Math.ceil((top + height) / this.rowHeight) + MARGIN),
        );
        this.above.hidden = this.above.style.height === '0px';
        this.below.hidden = this.below.style.height === '0px';
        this.#measure();
    }

    /** Shows the first rows and no room for others, and how many are missing: on paper nothing scrolls. */
    #print() {
        this.#isPrinting = true;
        this.unprinted.textContent = this.count <= PRINTED ? '' : `The first ${grouped(PRINTED)} of ${grouped(this.count)} rows are printed. `
            + 'Search for some of them to print these only.';
        this.#show(0, Math.min(this.count, PRINTED));
        this.above.hidden = true;
        this.below.hidden = true;
    }

    #printed() {
        this.#isPrinting = false;
        this.render();
    }

    /**
     * @param {number} first
     * @param {number} last
     */
    #show(first, last) {
        for (const [index, row] of this.shown) {
            if (index < first || index >= last) {
                row.remove();
                this.shown.delete(index);
            }
        }
        let before = this.body.firstElementChild;
        for (let index = first; index < last; index++) {
            const known = this.shown.get(index);
            if (known !== undefined) {
                before = known.nextElementSibling;
                continue;
            }
            const row = this.options.row(index);
            row.id = `row-${index}`;
            row.setAttribute('aria-rowindex', String(index + 1 + this.head.rows.length));
            row.dataset.index = String(index);
            row.setAttribute('aria-selected', String(index === this.selected));
            this.body.insertBefore(row, before);
            this.shown.set(index, row);
        }
        this.above.style.height = `${first * this.rowHeight}px`;
        this.below.style.height = `${Math.max(0, this.count - last) * this.rowHeight}px`;
    }

    /**
     * @param {number} index -1 for none
     * @param {boolean} [reveal] scroll to it
     */
    select(index, reveal = true) {
        this.shown.get(this.selected)?.setAttribute('aria-selected', 'false');
        this.selected = index;
        if (index >= 0 && reveal) {
            this.#reveal(index);
        }
        const row = this.shown.get(index);
        if (row === undefined) {
            this.table.removeAttribute('aria-activedescendant');
        } else {
            row.setAttribute('aria-selected', 'true');
            this.table.setAttribute('aria-activedescendant', row.id);
        }
    }

    /** @param {number} index */
    #reveal(index) {
        const top = index * this.rowHeight;
        const bottom = top + this.rowHeight;
        const room = this.element.clientHeight - this.head.offsetHeight;
        if (top < this.element.scrollTop) {
            this.element.scrollTop = top;
        } else if (bottom > this.element.scrollTop + room) {
            this.element.scrollTop = bottom - room;
        }
        this.render();
    }

    #later() {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.render());
    }

    /** Measures the height of a row, which the style sheet defines. */
    #measure() {
        const height = this.shown.values().next().value?.getBoundingClientRect().height ?? 0;
        if (height > 0 && Math.abs(height - this.rowHeight) > 0.01) {
            this.rowHeight = height;
            this.#later();
        }
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.table) {
            return;
        }
        if (this.options.onKey?.(event) === true) {
            event.preventDefault();
            return;
        }
        const page = Math.max(1, Math.floor((this.element.clientHeight - this.head.offsetHeight) / this.rowHeight) - 1);
        const moves = /** @type {Record<string, number>} */ ({
            ArrowDown: this.selected + 1,
            ArrowUp: this.selected - 1,
            PageDown: this.selected + page,
            PageUp: this.selected - page,
            Home: 0,
            End: this.count - 1,
        });
        const to = moves[event.key];
        if (to !== undefined && this.count > 0) {
            event.preventDefault();
            const index = Math.max(0, Math.min(this.count - 1, to));
            this.select(index);
            this.options.onSelect(index);
        } else if (event.key === 'Enter' && this.selected >= 0) {
            event.preventDefault();
            this.options.onOpen(this.selected);
        }
    }

    /** @param {MouseEvent} event */
    #click(event) {
        const row = event.target instanceof Element ? event.target.closest('tr') : null;
        if (row === null || event.target instanceof Element && event.target.closest('a') !== null) {
            return;
        }
        const index = Number(row.dataset.index);
        this.select(index, false);
        this.options.onSelect(index);
    }
}
