/**
 * Tables that have all their rows, marked data-sortable, are sorted here, by `sort` and `dir` of the address. A head names its column
 * (data-sort), each cell has its figure (data-v). One that has the first rows only (data-sortable="first") asks the server for more.
 */
import { h, isPlain } from '../core/dom.js';
import { pageAddress, replaced, state } from '../core/state.js';
import { ARROWS, BY_NAME, ariaOf, nextDirection, parseColumnKey } from './column-order.js';

/** @param {ParentNode} page */
export function sortableTables(page) {
    for (const table of /** @type {NodeListOf<HTMLTableElement>} */ (page.querySelectorAll('table[data-sortable]'))) {
        const heads = [...table.tHead?.querySelectorAll('th:not([scope=colgroup])') ?? []].map((head, at) => new Head(table, head, at));
        const sort = () => {
            // These tables hold inclusive figures only: "excl_wt", kept from the functions' table, means "wt" here.
            const sorted = state.get('sort').replace(/^([abp]_)?(?:excl|per)_/, '$1');
            const wanted = heads.find(({ key }) => key !== '' && key === sorted);
            const shown = wanted ?? heads.find(({ isServed }) => isServed);
            if (shown !== undefined) {
                // The direction of another table's column does not apply to this one.
                shown.sort(wanted === undefined ? '' : state.get('dir'));
                heads.forEach((head) => head.show(head === shown ? shown.direction : null));
            }
        };
        state.watch(['sort', 'dir'], sort);
        sort();
    }
}

/** @typedef {'' | 'asc' | 'desc'} Direction '' is the natural one: the largest first, of changes whatever their sign; names ascending */

class Head {
    /** @type {Direction} */
    direction = '';

    /**
     * @param {HTMLTableElement} table
     * @param {Element} head
     * @param {number} at its cells' place in a row
     */
    constructor(table, head, at) {
        this.table = table;
        this.head = head;
        this.at = at;
        this.key = head.getAttribute('data-sort') ?? '';
        /** Whether the server has sorted by it. */
        this.isServed = head.hasAttribute('aria-sort');
        const [part, column] = table.classList.contains('compare') ? parseColumnKey(this.key) : [this.key === BY_NAME ? BY_NAME : 'a', this.key];
        this.part = part;
        this.column = column;
        const words = head.querySelector('[title]');
        const label = (words?.textContent ?? '').replace(/ [▲▼◆]$/, '');
        if (this.key !== '') {
            this.link = h('a', { href: '', title: `Sort by: ${(words?.getAttribute('title') ?? '').toLowerCase()}` });
            this.link.addEventListener('click', (event) => this.#click(event));
            words?.replaceWith(this.link);
        }
        this.label = label;
        this.show(null);
    }

    /**
     * @param {string} direction
     */
    sort(direction) {
        this.direction = direction === 'asc' || direction === 'desc' ? direction : '';
        // "desc" of a figure, "asc" of a name are natural.
        if (this.direction === (this.part === BY_NAME ? 'asc' : (this.#isChange() ? null : 'desc'))) {
            this.direction = '';
        }
        const body = this.table.tBodies[0];
        const rows = [...body?.rows ?? []].map((row) => ({ row, name: row.cells[0]?.textContent ?? '', value: this.#value(row) }));
        const sign = this.direction === 'asc' ? 1 : -1;
        rows.sort((one, two) => {
            if (this.part === BY_NAME) {
                return (one.name < two.name ? -1 : Number(one.name > two.name)) * (this.direction === 'desc' ? -1 : 1);
            }

            return Number(Number.isNaN(one.value)) - Number(Number.isNaN(two.value)) || (one.value - two.value) * sign;
        });
        body?.append(...rows.map(({ row }) => row));
        this.#lead();
        for (const link of body?.querySelectorAll('th a') ?? []) {
            const [path = '', query = ''] = (link.getAttribute('href') ?? '').split('?', 2);
            link.setAttribute('href', `${path}?${replaced(query, { sort: this.key })}`);
        }
    }

    /** @param {Direction | null} direction null: another column is sorted by */
    show(direction) {
        const isSorted = direction !== null;
        const aria = ariaOf(this.part, direction ?? '');
        this.head.classList.toggle('main', isSorted);
        this.head.toggleAttribute('aria-sort', isSorted);
        if (isSorted) {
            this.head.setAttribute('aria-sort', aria);
        }
        this.link?.replaceChildren(this.label, ...(isSorted ? [h('span', { class: 'arrow', 'aria-hidden': 'true' }, ARROWS[aria])] : []));
        this.link?.setAttribute('href', `${pageAddress('index')}?${replaced(location.search, this.#next(direction))}`);
    }

    #isChange() {
        return this.part === 'd' || this.part === 'p';
    }

    /** @param {Direction | null} direction */
    #next(direction) {
        return { sort: this.key, dir: direction === null ? null : nextDirection(this.part, direction) };
    }

    /**
     * @param {HTMLTableRowElement} row
     * @returns {number} NaN where there is no figure: those come last
     */
    #value(row) {
        const text = row.cells[this.at]?.dataset.v ?? '';
        const value = text === '' ? NaN : Number(text);

        return this.#isChange() && this.direction === '' ? Math.abs(value) : value;
    }

    /** Marks the main figures: those that the rows are sorted by; of a comparison the changes of that column. */
    #lead() {
        if (this.part === BY_NAME) {
            return;
        }
        const isCompared = this.table.classList.contains('compare');
        const group = /g-(\w+)/.exec(this.head.className)?.[1] ?? '';
        if (isCompared) {
            this.table.className = this.table.className.replace(/lead-\w+/, `lead-${group}`);
        } else if (this.column !== 'ct') {
            // Phones have this column and the calls.
            const gives = [...this.table.tHead?.rows[0]?.cells ?? []].map(({ dataset }) => ![BY_NAME, 'ct', this.column].includes(dataset.sort ?? ''));
            for (const row of this.table.rows) {
                [...row.cells].forEach((cell, at) => cell.classList.toggle('k-mid', gives[at]));
            }
        }
        for (const row of this.table.tBodies[0]?.rows ?? []) {
            for (const [at, cell] of [...row.cells].entries()) {
                cell.classList.toggle('main', isCompared ? cell.matches(`.g-${group}.k-d`) : at === this.at && at > 0);
            }
            if (isCompared) {
                const why = row.querySelector('.main')?.getAttribute('data-why') ?? '';
                row.classList.toggle('faint', why !== '');
                row.cells[0]?.toggleAttribute('title', why !== '');
                if (why !== '') {
                    row.cells[0]?.setAttribute('title', why);
                }
            }
        }
    }

    /** @param {MouseEvent} event */
    #click(event) {
        if (!isPlain(event)) {
            return;
        }
        event.preventDefault();
        const isSorted = this.head.hasAttribute('aria-sort');
        const next = this.#next(isSorted ? this.direction : null);
        if (this.table.dataset.sortable === 'first') {
            location.assign(`${pageAddress('index')}?${replaced(location.search, { ...next, all: '1' })}`);
        } else {
            state.set(next);
            this.link?.focus();
        }
    }
}
