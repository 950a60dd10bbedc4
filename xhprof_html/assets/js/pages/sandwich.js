/** A function between its callers and callees: index.php?view=sandwich. */
import { working } from '../core/api.js';
import { h, nameElement } from '../core/dom.js';
import { counts, figure, share } from '../core/format.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { FlameView, ROW } from '../flame/view.js';
import { ColourChoice } from '../paths/colour-choice.js';
import { Search, frameDetails, kindsOf, metricChoice, selectedFunction, showLegend, startIslands, tableToggle } from '../paths/controls.js';
import { cellsOf, headsOf, negativeNote, prunedNote, table, widestInSight } from '../paths/frame-table.js';
import { FunctionList } from '../paths/function-list.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {'callers' | 'callees'} Side
 */

class SandwichPage {
    /** @type {import('../paths/tree-jobs.js').Opened} */
    run = { names: [], metrics: [], n: 0, runs: 1, pruned: { nodes: 0, of: 0, name: '' } };
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'count' };
    /** @type {import('../paths/tree-jobs.js').Rows | null} */
    rows = null;
    /** @type {WorkerClient<import('../paths/tree-jobs.js').TreeJobs>} */
    worker = new WorkerClient(new Worker(new URL('../paths/tree-worker.js', import.meta.url), { type: 'module' }));
    asked = 0;
    total = 0;

    /** @param {HTMLElement} island */
    constructor(island) {
        this.island = island;
        this.counted = counts();
        this.metrics = metricChoice(island);
        this.colours = new ColourChoice(() => this.recolour(), 'Sandwich', island.dataset.kinds !== undefined);
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
                h('div', { class: 'flame-bar' }, this.metrics.element, this.colours.element, this.tableButton),
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
        this.list = new FunctionList(functions, 'Functions of this run', (fn) => state.set({ sel: this.run.names[fn] }), 'exclusive');
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
            details: (node) => {
                const details = frameDetails(/** @type {FrameLayout} */ (view.layout), this.metric, node, view.root, this.counted);

                // Frames between the function and main() have no own figures here.
                return side === 'callees' ? details : { title: '', lines: details.lines.filter(([term]) => ['Total', 'Of the zoomed frame'].includes(term)) };
            },
            pick: (fn) => state.set({ sel: this.run.names[fn] }, { push: true }),
            zoomed: (settled) => settled && this.tabulate(),
        });

        return view;
    }

    async open() {
        const isOpen = await working(this.island, 'Loading the call tree…', async (progress) => {
            this.run = await this.worker.call('open', { url: absolute(this.island.dataset.tree), kinds: await kindsOf(this.island) }, progress);
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
        this.rows = await this.worker.call('functions', { metric });
        this.metric = this.run.metrics.find(({ k }) => k === metric) ?? this.metric;
        this.metrics.show(metric);
        const root = this.rows.inclusive.reduce((most, value) => Math.max(most, value), 0);
        this.list.show(this.rows, this.run.names, this.metric, root, this.counted);
        this.total = root;
        this.search.update(this.run.names);
        await this.layOut();
    }

    /** @returns {number} the selected function; while none is selected, the one that takes most itself; -1 for none */
    selected() {
        const { fn = new Int32Array(0), exclusive = new Float64Array(0) } = this.rows ?? {};
        if (state.get('sel') !== '' || fn.length === 0) {
            return selectedFunction(this.run.names);
        }

        return fn[exclusive.reduce((most, value, row) => (value > exclusive[most] ? row : most), 0)];
    }

    async layOut() {
        const fn = this.selected();
        const asked = ++this.asked;
        this.list.select(fn);
        this.island.classList.toggle('nothing', fn < 0);
        if (fn < 0) {
            this.title.replaceChildren(state.get('sel') === '' ? 'This run has no functions.' : 'This run has no such function.');
            this.note.textContent = '';
            return;
        }
        await working(this.views.callees.host, 'Merging call paths…', async () => {
            const { callers, callees, calls, inner } = await this.worker.call('sandwich', { fn, metric: this.metric.k, order: 'heavy', where: this.colours.isWhere() });
            if (asked !== this.asked) {
                return;
            }
            for (const [side, layout] of /** @type {[Side, FrameLayout | null][]} */ ([['callees', callees], ['callers', callers]])) {
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
     * @param {FrameLayout | null} callees
     * @param {number} calls
     * @param {number} inner
     */
    describe(fn, callees, calls, inner) {
        const { function: url } = this.island.dataset;
        const name = this.run.names[fn] ?? '';
        const inclusive = callees?.inclusive[0] ?? 0;
        const own = this.rows?.exclusive[this.rows.fn.indexOf(fn)] ?? 0;
        this.title.replaceChildren(
            nameElement(name, { limit: 200 }),
            h('span', { class: 'hint' }, ` ${figure(inclusive, this.metric.unit)}, ${share(inclusive, this.total)} of all; `
                + `self ${figure(own, this.metric.unit)}; on ${figure(calls, 'count')} call ${calls === 1 ? 'path' : 'paths'}`),
            // The frames of added up paths have no page.
            ...(url === undefined || name.length >= 1000 || name.startsWith('(') ? [] : [' ', h('a', { href: `${url}&symbol=${encodeURIComponent(name)}` }, 'Function page')]),
        );
        this.note.textContent = [
            'Double-click a frame to select its function.',
            inner === 0 ? '' : `Recursive: ${figure(inner, 'count')} inner ${inner === 1 ? 'frame is' : 'frames are'} counted once, with the outermost call.`,
            callees === null ? '' : negativeNote(callees, this.metric),
            prunedNote(this.run),
        ].join(' ');
        if (callees !== null) {
            showLegend(this.legend, this.colouring(callees, 'callees'));
        }
        this.tabulate();
    }

    /**
     * @param {FrameLayout} layout
     * @param {Side} side
     */
    colouring(layout, side) {
        // Callers have no own figures here: their width is the function's cost on the paths through them.
        const { where } = this.views.callees.layout ?? layout;
        const shown = side === 'callees' ? layout : {
            ...layout, self: new Float64Array(layout.fn.length), where: where && { ...where, of: new Uint8Array(layout.fn.length) },
        };

        return this.colours.of(shown, this.run.names, this.metric, { inherits: side === 'callees' });
    }

    recolour() {
        const { layout: callees } = this.views.callees;
        if (callees !== null && this.colours.lacks(callees)) {
            void this.layOut();
            return;
        }
        for (const side of /** @type {Side[]} */ (['callers', 'callees'])) {
            const { layout } = this.views[side];
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
            const { layout } = view;
            this.tables[side].hidden = !shown || layout === null;
            if (!shown || layout === null) {
                continue;
            }
            const heads = headsOf(this.counted);
            const columns = side === 'callees' ? heads.length : 2;
            table(this.tables[side], {
                caption: side === 'callers' ? 'Callers, from the function outwards, with its cost on their paths' : 'Callees of all its calls, merged',
                heads: heads.slice(0, columns),
                rows: widestInSight(view).map((node) => ({ node, cells: cellsOf(layout, this.metric, node).slice(0, columns) })),
                nameOf: (node) => ({ name: this.run.names[layout.fn[node]], indent: layout.depth[node] }),
                choose: (node) => state.set({ sel: this.run.names[layout.fn[node]] }),
            });
        }
    }
}

startIslands('sandwich', (island) => void new SandwichPage(island).open());
