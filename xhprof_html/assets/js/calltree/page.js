/** A page with call paths as a table whose rows open: what a run's and a comparison's have in common. */
import { working } from '../core/api.js';
import { buttonFor, h } from '../core/dom.js';
import { figure } from '../core/format.js';
import { describeKey, onKey } from '../core/keys.js';
import { openMenu } from '../core/menu.js';
import { state } from '../core/state.js';
import { Search, metricChoice, selectedFunction, stepper } from '../paths/controls.js';
import { copyItems } from '../paths/path-menu.js';
import { findMark, markOf } from '../profile/tree.js';

/**
 * @typedef {import('./table.js').Order} Order
 * @typedef {import('./table.js').Column} Column
 * @typedef {import('./table.js').CallTreeTable} CallTreeTable
 * @typedef {import('../profile/tree.js').TreeColumns} TreeColumns
 * @typedef {(text: string, part?: number, whole?: number) => void} Progress
 *
 * @typedef {object} Kind of call tree
 * @property {Column[]} columns that rows can be sorted by
 * @property {HTMLElement[]} controls behind the choice of the metric
 * @property {(host: HTMLElement, parts: import('./table.js').Parts) => CallTreeTable} table
 * @property {HTMLElement | null} side beside the table
 */

const GROUP = 'Call tree';

/** @template {TreeColumns} C */
export class CallTreePage {
    /** @type {import('../paths/tree-jobs.js').Opened} */
    run = { names: [], metrics: [], n: 0, runs: 1, pruned: { nodes: 0, of: 0, name: '' } };
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'count' };
    /** @type {C | null} */
    columns = null;
    /** Counts requests: an answer to an older one is dropped. */
    asked = 0;
    /** Whether the address is being written here. */
    #isWritingAddress = false;

    /**
     * @param {HTMLElement} island
     * @param {Kind} kind
     */
    constructor(island, kind) {
        this.island = island;
        this.kind = kind;
        this.metrics = metricChoice(island);
        const hot = buttonFor(() => this.table.hotPath(), { title: 'Open the most expensive path below the selected row (h)' }, 'Hot path');
        const close = buttonFor(() => this.table.closeAll(), { title: 'Close all rows' }, 'Close all');
        this.status = h('span', { class: 'flame-status', role: 'status' });
        this.matchButtons = stepper('match of the search', (step) => this.table.toMatch(step));
        this.note = h('p', { class: 'flame-note' });
        this.problem = h('p', { class: 'warning', role: 'alert', hidden: true });
        const host = h('div', { class: 'call-tree-host' });
        island.replaceChildren(h(
            'div',
            { class: 'flame-layout' },
            h('div', {}, h('div', { class: 'flame-bar' }, this.metrics.element, ...kind.controls, hot, close, h('span', { class: 'flame-found' }, this.status, this.matchButtons)), host, this.problem, this.note),
            kind.side,
        ));
        this.table = kind.table(host, {
            select: (row) => this.#select(row),
            sort: ({ by, descending }) => state.set({ by: by === this.usual() && descending ? null : (descending === (by !== 'name') ? by : `-${by}`) }),
            menu: (index, event) => this.#menu(index, event),
            load: (row) => void this.loadMore(row),
        });
        // In an exported file other views are on the same page.
        this.isShown = () => island.offsetParent !== null;
        const { isShown } = this;
        onKey('h', 'Hot path: open the most expensive path', () => isShown() && this.table.hotPath(), GROUP);
        onKey('.', 'Next match of the search', () => isShown() && this.table.toMatch(1), GROUP);
        onKey(',', 'Previous match of the search', () => isShown() && this.table.toMatch(-1), GROUP);
        describeKey('ArrowUp / ArrowDown', 'To the row above or below', GROUP);
        describeKey('ArrowRight / ArrowLeft', 'Open and enter a row, close it and leave', GROUP);
        describeKey('Enter', 'Open or close a row', GROUP);
        describeKey('Shift+F10', 'Menu of the row, also by the right button', GROUP);
        describeKey('*', 'Open a row and all below it', GROUP);
    }

    /**
     * Loads the tree or trees.
     *
     * @param {Progress} _progress
     * @returns {Promise<import('../paths/tree-jobs.js').Opened>}
     */
    load(_progress) {
        throw new Error('A page loads its own tree.');
    }

    /**
     * @param {string} _metric
     * @returns {Promise<C>}
     */
    figures(_metric) {
        throw new Error('A page has its own figures.');
    }

    /**
     * @param {C} _columns
     * @returns {import('./sources.js').TopDown | import('./sources.js').BottomUp}
     */
    source(_columns) {
        throw new Error('A page makes its own rows.');
    }

    /** @returns {Column} the column that rows are sorted by unless the address has another */
    usual() {
        return 'total';
    }

    /**
     * @param {C} columns
     * @param {number} node
     * @returns {number} how much a path is worth a look among those of its function
     */
    weight({ inclusive }, node) {
        return inclusive[node];
    }

    /** @returns {string[]} sentences below the table */
    notes() {
        return [];
    }

    /**
     * @param {C} _columns
     * @param {Uint8Array} _matches
     * @returns {string} what a search has found
     */
    found(_columns, _matches) {
        return '';
    }

    /**
     * Loads paths that were left out.
     *
     * @param {number} _row that stands for them
     */
    async loadMore(_row) {}

    /**
     * @param {string} _name
     * @param {string[]} _stack names from main() to it; [] where the row is no path
     * @returns {import('../core/menu.js').Item[]} links to other views
     */
    links(_name, _stack) {
        return [];
    }

    /** @returns {Promise<boolean>} whether the tree is there */
    async open() {
        const isOpen = await working(this.island, 'Loading the call tree…', async (progress) => {
            this.run = await this.load(progress);
            this.metrics.fill(this.run.metrics);
            await this.refresh();
        });
        if (!isOpen) {
            return false;
        }
        state.watch(['metric', 'sort'], () => void working(this.island, 'Loading the figures…', () => this.refresh()));
        state.watch(['by'], () => this.table.sort(this.#order()));
        state.watch(['q'], () => this.search.update(this.run.names));
        state.watch(['sel', 'root'], () => {
            if (!this.#isWritingAddress) {
                this.#followAddress();
            }
        });

        return true;
    }

    async refresh() {
        const asked = ++this.asked;
        const metric = state.metric(this.run.metrics.map(({ k }) => k));
        const columns = await this.figures(metric);
        if (asked === this.asked) {
            this.metric = this.run.metrics.find(({ k }) => k === metric) ?? this.metric;
            this.columns = columns;
            this.metrics.show(metric);
            this.show();
        }
    }

    /** Shows the rows of the direction in the address. */
    show() {
        const { columns } = this;
        if (columns === null) {
            return;
        }
        const source = this.source(columns);
        this.table.show(source, this.run.names, this.metric, columns.total, this.#order());
        if (source.isWhole) {
            this.table.outline?.open(0);
        }
        this.search.update(this.run.names);
        this.#followAddress();
        this.showNote();
    }

    /** @param {Partial<import('../paths/tree-jobs.js').Opened>} changed what is known of the tree anew */
    grown(changed) {
        this.run = { ...this.run, ...changed };
    }

    /**
     * Shows the same tree, to which paths have come.
     *
     * @param {C} columns
     * @param {import('./sources.js').TopDown} source
     * @param {import('../profile/graft.js').Change} change
     */
    goOn(columns, source, change) {
        this.columns = columns;
        this.table.change(source, change);
        this.showStatus();
        this.showNote();
    }

    showNote() {
        this.note.textContent = this.notes().filter((text) => text !== '').join(' ');
    }

    /** The search in the address; its matches show when they are known. */
    search = new Search(() => {
        this.table.filter(this.search.matches);
        this.matchButtons.hidden = this.search.matches === null;
        this.showStatus();
    });

    showStatus() {
        this.status.textContent = this.#statusText(this.search);
    }

    /**
     * @param {Search} search
     * @returns {string}
     */
    #statusText({ matches, problem }) {
        const { columns } = this;
        if (columns === null) {
            return '';
        }
        if (matches === null) {
            return `${figure(columns.fn.length, 'count')} call paths, ${columns.levels} levels`;
        }
        if (problem !== '') {
            return problem;
        }

        return this.found(columns, matches);
    }

    /** @returns {Order} */
    #order() {
        const text = state.get('by');
        const by = this.kind.columns.find((column) => column === text.replace(/^-/, '')) ?? this.usual();
        const isNatural = !text.startsWith('-');

        return { by, descending: isNatural === (by !== 'name' && by !== 'first') };
    }

    /** @param {number} row */
    #select(row) {
        const source = this.table.outline?.source;
        if (source !== undefined && this.columns !== null) {
            const name = this.run.names[source.fn(row)] ?? null;
            this.#isWritingAddress = true;
            state.set({
                // The sum of several functions is none.
                ...(name === this.run.pruned.name ? {} : { sel: name }),
                ...(source.isWhole ? { root: row === 0 ? null : markOf(this.run.names, this.columns, row) } : {}),
            });
            this.#isWritingAddress = false;
        }
    }

    /**
     * @param {number} index
     * @param {MouseEvent | KeyboardEvent} event
     */
    #menu(index, event) {
        const { outline } = this.table;
        const row = this.table.table.shown.get(index);
        if (outline === null || row === undefined) {
            return;
        }
        const { source } = outline;
        // Bottom-up a row is a caller, and the function stands at its root.
        const names = this.table.path(outline.rows[index]).map((at) => this.run.names[source.fn(at)]);
        const stack = source.isWhole ? names.reverse() : names;
        const name = this.run.names[source.fn(outline.rows[index])];
        const box = row.getBoundingClientRect();
        const isOpen = outline.isOpen(outline.rows[index]);
        const at = event instanceof MouseEvent ? { x: event.clientX, y: event.clientY } : { x: box.left + 40, y: box.bottom };
        openMenu('Row', [
            ...(source.opens(outline.rows[index]) ? [
                { label: isOpen ? 'Close' : 'Open', key: 'Enter', act: () => this.table.toggle(index) },
                { label: 'Open all below', key: '*', act: () => this.table.openAll(index) },
                { label: 'Hot path from here', key: 'h', act: () => this.table.hotPath() },
                null,
            ] : []),
            ...copyItems(name, stack, source.isWhole),
            null,
            ...this.links(name, source.isWhole ? stack : []),
        ], at);
    }

    /** Selects the path in the address, else the function's most expensive row in sight, or its first path. */
    #followAddress() {
        const { columns } = this;
        const source = this.table.outline?.source;
        if (columns === null || source === undefined) {
            return;
        }
        const fn = selectedFunction(this.run.names);
        const marked = source.isWhole ? findMark(this.run.names, columns, state.get('root')) : -1;
        if (marked > 0 && (fn < 0 || columns.fn[marked] === fn)) {
            this.table.reveal(marked);
        } else if (fn < 0) {
            this.table.reveal(-1);
        } else {
            this.table.reveal(source.isWhole ? this.#heaviest(columns, fn) : source.roots.find((row) => source.fn(row) === fn) ?? -1);
        }
    }

    /**
     * @param {C} columns
     * @param {number} fn
     * @returns {number} its call path that is most worth a look, -1 for none
     */
    #heaviest(columns, fn) {
        let found = -1;
        for (let node = 0; node < columns.fn.length; node++) {
            if (columns.fn[node] === fn && (found < 0 || this.weight(columns, node) > this.weight(columns, found))) {
                found = node;
            }
        }

        return found;
    }
}
