/** A page with a function between its callers and callees: what a run's and a comparison's have in common. */
import { working } from '../core/api.js';
import { h, nameElement } from '../core/dom.js';
import { figure } from '../core/format.js';
import { state } from '../core/state.js';
import { FlameView, ROW } from '../flame/view.js';
import { Search, metricChoice, selectedFunction, showLegend, tableToggle } from './controls.js';
import { prunedNote, table, widestInSight } from './frame-table.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {'callers' | 'callees'} Side
 * @typedef {(text: string, part?: number, whole?: number) => void} Progress
 * @typedef {import('./tree-jobs.js').Opened} Opened
 */

/**
 * @template {{fn: Int32Array}} Rows
 * @template {FrameLayout} L
 */
export class SandwichPage {
    /** @type {Opened} */
    run = { names: [], metrics: [], n: 0, runs: 1, pruned: { nodes: 0, of: 0, name: '' } };
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'count' };
    /** @type {Rows | null} */
    rows = null;
    asked = 0;
    total = 0;

    /**
     * @param {HTMLElement} island
     * @param {HTMLElement[]} controls behind the choice of the metric
     * @param {(host: HTMLElement, select: (fn: number) => void) => import('./function-list.js').FunctionsBeside<Rows>} list
     */
    constructor(island, controls, list) {
        this.island = island;
        this.metrics = metricChoice(island);
        this.tableButton = tableToggle();
        this.title = h('h3', { class: 'filling' });
        this.legend = h('p', { class: 'flame-legend' });
        this.note = h('p', { class: 'flame-note', role: 'status' });
        const functions = h('div', { class: 'functions-side' });
        const sides = { callers: h('div'), callees: h('div') };
        this.tables = {
            callers: h('div', { class: 'flame-table scroll', tabindex: 0, role: 'region', 'aria-label': 'Callers as a table', hidden: true }),
            callees: h('div', { class: 'flame-table scroll', tabindex: 0, role: 'region', 'aria-label': 'Callees as a table', hidden: true }),
        };
        island.replaceChildren(h(
            'div',
            { class: 'sandwich-layout' },
            functions,
            h(
                'div',
                { class: 'sandwich' },
                h('div', { class: 'flame-bar' }, this.metrics.element, ...controls, this.tableButton),
                h('p', { class: 'side' }, 'Callers'),
                sides.callers,
                this.title,
                sides.callees,
                h('p', { class: 'side' }, 'Callees'),
                this.legend,
                this.note,
                this.tables.callers,
                this.tables.callees,
            ),
        ));
        this.list = list(functions, (fn) => state.set({ sel: this.run.names[fn] }));
        this.views = { callers: this.view(sides.callers, 'callers'), callees: this.view(sides.callees, 'callees') };
        this.views.callers.up = true;
    }

    /**
     * @param {HTMLElement} host
     * @param {Side} side
     */
    view(host, side) {
        /** @type {FlameView} */
        const view = new FlameView(host, {
            label: `${side === 'callers' ? 'Callers' : 'Callees'} of the selected function: arrows move, Enter zooms in, Backspace out`,
            details: (node) => this.details(side, /** @type {L} */ (view.layout), node),
            pick: (fn) => state.set({ sel: this.run.names[fn] }, { push: true }),
            zoomed: (settled) => settled && this.tabulate(),
        });

        return view;
    }

    /**
     * Loads the tree or trees.
     *
     * @param {Progress} _progress
     * @returns {Promise<Opened>}
     */
    load(_progress) {
        throw new Error('A page loads its own tree.');
    }

    /**
     * @param {string} _metric
     * @returns {Promise<{rows: Rows, total: number}>} the functions, and the figure of the whole
     */
    rowsOf(_metric) {
        throw new Error('A page has its own functions.');
    }

    /**
     * @param {Rows} _rows
     * @returns {ArrayLike<number>} the function of the largest figure is selected at first
     */
    weights(_rows) {
        return [];
    }

    /**
     * @param {number} _fn
     * @returns {Promise<{callers: L | null, callees: L | null, calls: number, inner: number}>}
     */
    pictures(_fn) {
        throw new Error('A page merges its own paths.');
    }

    /**
     * @param {L} _layout
     * @param {Side} _side
     * @returns {import('../flame/colours.js').Colouring}
     */
    colouring(_layout, _side) {
        throw new Error('A page has its own colours.');
    }

    /**
     * @param {Side} _side
     * @param {L} _layout
     * @param {number} _node
     * @returns {import('../flame/view.js').FrameDetails}
     */
    details(_side, _layout, _node) {
        return { title: '', lines: [] };
    }

    /**
     * @param {number} _fn
     * @param {L | null} _callees
     * @returns {string} figures behind its name
     */
    words(_fn, _callees) {
        return '';
    }

    /**
     * @param {L | null} _callees
     * @returns {string[]} more sentences below the picture
     */
    notes(_callees) {
        return [];
    }

    /**
     * @param {Side} _side
     * @returns {string[]} heads of the table of frames
     */
    heads(_side) {
        return [];
    }

    /**
     * @param {Side} _side
     * @param {L} _layout
     * @param {number} _node
     * @returns {[text: string, title: string][]} under the heads
     */
    cells(_side, _layout, _node) {
        return [];
    }

    /** @returns {string} why there is nothing to select */
    nothing() {
        return `This run has no ${state.get('sel') === '' ? 'functions' : 'such function'}.`;
    }

    async open() {
        const isOpen = await working(this.island, 'Loading the call tree…', async (progress) => {
            this.run = await this.load(progress);
            this.metrics.fill(this.run.metrics);
            await this.functions();
        });
        if (!isOpen) {
            return;
        }
        state.watch(['metric', 'sort'], () => void working(this.island, 'Loading the figures…', () => this.functions()));
        state.watch(['sel'], () => void this.layOut());
        state.watch(['q'], () => this.search.update(this.run.names));
        state.watch(['table'], () => this.tabulate());
        window.addEventListener('resize', () => this.fit());
    }

    async functions() {
        const metric = state.metric(this.run.metrics.map(({ k }) => k));
        const { rows, total } = await this.rowsOf(metric);
        this.rows = rows;
        this.metric = this.run.metrics.find(({ k }) => k === metric) ?? this.metric;
        this.metrics.show(metric);
        this.total = total;
        this.list.show(rows, this.run.names, this.metric, total);
        this.search.update(this.run.names);
        await this.layOut();
    }

    /** @returns {number} the selected function; while none is selected, the heaviest; -1 for none */
    selected() {
        const { rows } = this;
        if (state.get('sel') !== '' || rows === null || rows.fn.length === 0) {
            return selectedFunction(this.run.names);
        }
        const weights = this.weights(rows);

        return rows.fn[rows.fn.reduce((most, _, row) => (weights[row] > weights[most] ? row : most), 0)];
    }

    async layOut() {
        const fn = this.selected();
        const asked = ++this.asked;
        this.list.select(fn);
        this.island.classList.toggle('nothing', fn < 0);
        if (fn < 0) {
            this.title.replaceChildren(this.nothing());
            this.note.textContent = '';
            return;
        }
        await working(this.views.callees.host, 'Merging call paths…', async () => {
            const { callers, callees, calls, inner } = await this.pictures(fn);
            if (asked !== this.asked) {
                return;
            }
            for (const [side, layout] of /** @type {[Side, L | null][]} */ ([['callees', callees], ['callers', callers]])) {
                if (layout !== null) {
                    this.size(side, layout);
                    this.views[side].show(layout, this.run.names, this.colouring(layout, side));
                    this.views[side].setDirection(side === 'callers');
                }
            }
            this.describe(fn, callees, calls, inner);
            this.search.update(this.run.names);
        });
    }

    /**
     * @param {number} fn
     * @param {L | null} callees
     * @param {number} calls
     * @param {number} inner
     */
    describe(fn, callees, calls, inner) {
        const { function: url } = this.island.dataset;
        const name = this.run.names[fn] ?? '';
        this.title.replaceChildren(
            nameElement(name, { limit: 200 }),
            h('span', { class: 'hint' }, ` ${this.words(fn, callees)}; on ${figure(calls, 'count')} call ${calls === 1 ? 'path' : 'paths'}`),
            // The frames of added up paths have no page.
            ...(url === undefined || name.length >= 1000 || name.startsWith('(') ? [] : [' ', h('a', { href: `${url}&symbol=${encodeURIComponent(name)}` }, 'Function page')]),
        );
        this.note.textContent = [
            'Double-click a frame to select its function.',
            inner === 0 ? '' : `Recursive: ${figure(inner, 'count')} inner ${inner === 1 ? 'frame is' : 'frames are'} counted once, with the outermost call.`,
            ...this.notes(callees),
            prunedNote(this.run),
        ].filter((text) => text !== '').join(' ');
        if (callees !== null) {
            showLegend(this.legend, this.colouring(callees, 'callees'));
        }
        this.tabulate();
    }

    recolour() {
        for (const side of /** @type {Side[]} */ (['callers', 'callees'])) {
            const layout = /** @type {L | null} */ (this.views[side].layout);
            if (layout !== null) {
                const colouring = this.colouring(layout, side);
                this.views[side].recolour(colouring);
                if (side === 'callees') {
                    showLegend(this.legend, colouring);
                }
            }
        }
    }

    search = new Search(() => {
        const { matches } = this.search;
        this.list.filter(matches);
        this.list.select(this.selected());
        this.views.callers.highlight(matches);
        this.views.callees.highlight(matches);
    });

    /**
     * @param {Side} side
     * @param {FrameLayout} layout
     */
    size(side, layout) {
        const room = Math.max(300, window.innerHeight - 330);
        const most = Math.round(room * (side === 'callers' ? 0.4 : 0.6));
        this.views[side].scroller.style.height = `${Math.min(most, Math.max(3, layout.levels) * ROW + 4)}px`;
    }

    fit() {
        for (const side of /** @type {Side[]} */ (['callers', 'callees'])) {
            const { layout } = this.views[side];
            if (layout !== null) {
                this.size(side, layout);
            }
        }
    }

    tabulate() {
        const shown = state.get('table') === '1';
        this.tableButton.setAttribute('aria-pressed', String(shown));
        for (const side of /** @type {Side[]} */ (['callers', 'callees'])) {
            const view = this.views[side];
            const layout = /** @type {L | null} */ (view.layout);
            this.tables[side].hidden = !shown || layout === null;
            if (!shown || layout === null) {
                continue;
            }
            table(this.tables[side], {
                caption: side === 'callers' ? 'Callers, from the function outwards, with its cost on their paths' : 'Callees of all its calls, merged',
                heads: this.heads(side),
                rows: widestInSight(view).map((node) => ({ node, cells: this.cells(side, layout, node) })),
                nameOf: (node) => ({ name: this.run.names[layout.fn[node]], indent: layout.depth[node] }),
                choose: (node) => state.set({ sel: this.run.names[layout.fn[node]] }),
            });
        }
    }
}
