/** The call paths of a run as a tree: index.php?view=calltree. */
import { working } from '../core/api.js';
import { buttonFor, h } from '../core/dom.js';
import { counts, figure, share } from '../core/format.js';
import { describeKey, onKey } from '../core/keys.js';
import { openMenu } from '../core/menu.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { BottomUp, TopDown } from '../calltree/sources.js';
import { CallTreeTable } from '../calltree/table.js';
import { aside, startAside } from '../paths/aside.js';
import { Search, choice, kindsOf, metricChoice, selectedFunction, showMissing, startIslands, stepper } from '../paths/controls.js';
import { prunedNote } from '../paths/frame-table.js';
import { copyItems, viewItems } from '../paths/path-menu.js';
import { matchedShare } from '../profile/search.js';
import { findMark, markOf } from '../profile/tree.js';

/**
 * @typedef {import('../calltree/table.js').Order} Order
 * @typedef {import('../calltree/table.js').Column} Column
 */

/** Columns that rows can be sorted by. @type {Column[]} */
const COLUMNS = ['name', 'total', 'self', 'calls', 'first'];

const GROUP = 'Call tree';

class CallTreePage {
    /** @type {import('../paths/tree-jobs.js').Opened} */
    run = { names: [], metrics: [], n: 0, runs: 1, pruned: { nodes: 0, of: 0, name: '' } };
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'count' };
    /** @type {import('../profile/tree.js').TreeColumns | null} */
    columns = null;
    /** @type {WorkerClient<import('../paths/tree-jobs.js').TreeJobs>} */
    worker = new WorkerClient(new Worker(new URL('../paths/tree-worker.js', import.meta.url), { type: 'module' }));
    /** Counts requests: an answer to an older one is dropped. */
    #asked = 0;
    /** Whether the address is being written here. */
    #isWritingAddress = false;
    #isLoading = false;

    /** @param {HTMLElement} island */
    constructor(island) {
        this.island = island;
        this.metrics = metricChoice(island);
        this.direction = choice('Direction', [
            ['', 'Top-down', 'From main() to what it calls'],
            ['up', 'Bottom-up', 'From each function to its callers'],
        ], (value) => state.set({ tree: value }, { push: true }));
        const hot = buttonFor(() => this.table.hotPath(), { title: 'Open the most expensive path below the selected row (h)' }, 'Hot path');
        const close = buttonFor(() => this.table.closeAll(), { title: 'Close all rows' }, 'Close all');
        this.status = h('span', { class: 'flame-status', role: 'status' });
        this.matchButtons = stepper('match of the search', (step) => this.table.toMatch(step));
        this.note = h('p', { class: 'flame-note' });
        this.problem = h('p', { class: 'warning', role: 'alert', hidden: true });
        this.side = aside();
        const host = h('div', { class: 'call-tree-host' });
        island.replaceChildren(h(
            'div',
            { class: 'flame-layout' },
            h('div', {}, h('div', { class: 'flame-bar' }, this.metrics.element, this.direction.element, hot, close, h('span', { class: 'flame-found' }, this.status, this.matchButtons)), host, this.problem, this.note),
            this.side,
        ));
        this.table = new CallTreeTable(host, counts(), {
            select: (row) => this.#select(row),
            sort: ({ by, descending }) => state.set({ by: by === this.#usual() && descending ? null : (descending === (by !== 'name') ? by : `-${by}`) }),
            menu: (index, event) => this.#menu(index, event),
            load: (row) => void this.#loadMore(row),
        });
        // In an exported file other views are on the same page.
        const isShown = () => island.offsetParent !== null;
        onKey('h', 'Hot path: open the most expensive path', () => isShown() && this.table.hotPath(), GROUP);
        onKey('b', 'Top-down or bottom-up', () => isShown() && state.set({ tree: isBottomUp() ? null : 'up' }, { push: true }), GROUP);
        onKey('.', 'Next match of the search', () => isShown() && this.table.toMatch(1), GROUP);
        onKey(',', 'Previous match of the search', () => isShown() && this.table.toMatch(-1), GROUP);
        describeKey('ArrowUp / ArrowDown', 'To the row above or below', GROUP);
        describeKey('ArrowRight / ArrowLeft', 'Open and enter a row, close it and leave', GROUP);
        describeKey('Enter', 'Open or close a row', GROUP);
        describeKey('Shift+F10', 'Menu of the row, also by the right button', GROUP);
        describeKey('*', 'Open a row and all below it', GROUP);
    }

    async open() {
        const opened = working(this.island, 'Loading the call tree…', async (progress) => {
            this.run = await this.worker.call('open', { url: absolute(this.island.dataset.tree), kinds: await kindsOf(this.island) }, progress);
            this.metrics.fill(this.run.metrics);
            await this.refresh();
        });
        startAside(this.side, this.island, this.worker, opened, () => this.run.names);
        if (!await opened) {
            return;
        }
        state.watch(['metric', 'sort'], () => void working(this.island, 'Loading the figures…', () => this.refresh()));
        state.watch(['tree'], () => this.show());
        state.watch(['by'], () => this.table.sort(this.#order()));
        state.watch(['q'], () => this.search.update(this.run.names));
        state.watch(['sel', 'root'], () => {
            if (!this.#isWritingAddress) {
                this.#followAddress();
            }
        });
    }

    async refresh() {
        const asked = ++this.#asked;
        const metric = state.metric(this.run.metrics.map(({ k }) => k));
        const columns = await this.worker.call('columns', { metric });
        if (asked === this.#asked) {
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
        this.direction.show(isBottomUp() ? 'up' : '');
        const source = isBottomUp() ? new BottomUp(columns) : new TopDown(columns);
        this.table.show(source, this.run.names, this.metric, columns.total, this.#order());
        if (!isBottomUp()) {
            this.table.outline?.open(0);
        }
        this.search.update(this.run.names);
        this.#followAddress();
        this.#showNote();
    }

    #showNote() {
        const canLoad = !isBottomUp() && (this.columns?.origin ?? null) !== null;
        this.note.textContent = [
            isBottomUp() ? 'Self is the cost of the function itself on the paths through a row; calls are those of the function.' : '',
            prunedNote(this.run, canLoad ? 'Open such a row to load them.' : ''),
            this.run.runs > 1 ? `The mean of ${this.run.runs} runs, path by path.` : '',
        ].filter((text) => text !== '').join(' ');
    }

    /** The search in the address; its matches show when they are known. */
    search = new Search(() => {
        this.table.filter(this.search.matches);
        this.matchButtons.hidden = this.search.matches === null;
        this.status.textContent = this.#statusText(this.search);
    });

    /** @param {number} row that stands for paths which were left out */
    async #loadMore(row) {
        const { columns } = this;
        if (columns === null || this.#isLoading) {
            return;
        }
        this.#isLoading = true;
        await working(this.island, 'Loading more call paths…', async (progress) => {
            const what = { node: row, n: columns.fn.length, metric: this.metric.k, order: /** @type {const} */ ('time') };
            const found = await this.worker.call('more', what, progress);
            this.problem.hidden = true;
            if (found !== null) {
                this.run = { ...this.run, ...found.run };
                const asked = ++this.#asked;
                const larger = await this.worker.call('columns', { metric: this.metric.k });
                if (asked === this.#asked && !isBottomUp()) {
                    this.columns = larger;
                    this.table.change(new TopDown(larger), found.change);
                    this.status.textContent = this.#statusText(this.search);
                    this.#showNote();
                } else {
                    await this.refresh();
                }
            }
        }, (message) => showMissing(this.problem, message));
        this.#isLoading = false;
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
        const { nodes, sum } = matchedShare(columns, matches, columns.inclusive);

        return nodes === 0 ? 'No function matches' : `${figure(nodes, 'count')} ${nodes === 1 ? 'path matches' : 'paths match'}: `
            + `${figure(sum, this.metric.unit)}, ${share(sum, columns.total)} of all`;
    }

    /** @returns {Column} the column that rows are sorted by unless the address has another */
    #usual() {
        return isBottomUp() ? 'self' : 'total';
    }

    /** @returns {Order} */
    #order() {
        const text = state.get('by');
        const by = COLUMNS.find((column) => column === text.replace(/^-/, '')) ?? this.#usual();
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
            ...viewItems(name, isBottomUp() ? '' : 'calltree', source.isWhole ? stack : []),
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
            this.table.reveal(source.isWhole ? costliest(columns, fn) : source.roots.find((row) => source.fn(row) === fn) ?? -1);
        }
    }
}

/** @returns {boolean} whether the rows are functions with their callers below */
function isBottomUp() {
    return state.get('tree') === 'up';
}

/**
 * @param {import('../profile/tree.js').TreeColumns} columns
 * @param {number} fn
 * @returns {number} its call path with the largest total, -1 for none
 */
function costliest({ fn: functions, inclusive }, fn) {
    let found = -1;
    for (let node = 0; node < functions.length; node++) {
        if (functions[node] === fn && (found < 0 || inclusive[node] > inclusive[found])) {
            found = node;
        }
    }

    return found;
}

startIslands('calltree', (island) => void new CallTreePage(island).open());
