/**
 * A run over time, by its calls or by its samples. The part of the time in sight is the range of everything below: the flame graph
 * of its call paths and the table of its functions.
 */
import { loadJson, working } from '../core/api.js';
import { buttonFor, h } from '../core/dom.js';
import { figure, share } from '../core/format.js';
import { onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { absolute } from '../core/worker.js';
import { FlameView, ROW } from '../flame/view.js';
import { ColourChoice } from '../paths/colour-choice.js';
import { Search, frameDetails, kindsOf, litIn, orderChoice, selectedFunction, showLegend, startIslands, toggleState } from '../paths/controls.js';
import { FunctionList } from '../paths/function-list.js';
import { Tracks } from './tracks.js';

/** @typedef {import('../flame/layout.js').FrameLayout} FrameLayout */

/** Time without a change of the range after which it is loaded, in ms. */
const PAUSE = 120;
/** ns per µs, the unit of x0 and x1. */
const US = 1000;

/**
 * What is shown over time. The first of `counted` is of all, the last of calls of which the shorter ones were left out.
 *
 * @typedef {object} Kind
 * @property {string} loading what is loaded, in words
 * @property {[string, string]} noun of one and of several
 * @property {import('../core/format.js').Counted[]} counted
 * @property {string} url of its data
 * @property {(source: import('./range-jobs.js').Source, progress: import('../paths/loading.js').Progress) => Promise<import('./range-jobs.js').Opened & Partial<import('./tracks.js').Shown>>} open
 * @property {(lit: import('../profile/lit.js').Lit) => Promise<{frames: Uint8Array, track: import('../profile/timeline.js').Track}>} lit
 * @property {(range: {from: number, to: number, metric: string, order: 'time' | 'heavy'}) => Promise<{layout: FrameLayout, rows: import('../paths/tree-jobs.js').Rows, samples: number}>} range
 * @property {(kinds: import('../profile/time-parts.js').Kinds) => Promise<import('../profile/time-parts.js').Where | null>} divide
 * @property {(range: {from: number, to: number, count: number}) => Promise<Float64Array>} parts
 * @property {(of: {name: string, from: number, to: number}) => Promise<import('../core/inspector.js').TimeParts>} partsOf
 */

class TimelinePage {
    /** @type {string[]} */
    names = [];
    duration = 0;
    /** Calls of the finding in the address. @type {import('../profile/timeline.js').Track | null} */
    lit = null;
    /** What finds the calls of a finding, once one is lit. @type {typeof import('../profile/lit.js') | undefined} */
    lighting;
    /** @type {import('./parts-track.js').PartsTrack | null} */
    parts = null;
    /** Shows the selected function in a range of the address. @type {{range: string, destroy: () => void} | null} */
    inspected = null;
    /** Metric of the times: CPU time where its clock sampled. @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'ns' };
    asked = 0;
    /** @type {Promise<void> | null} */
    divided = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    timer = undefined;

    /**
     * @param {HTMLElement} island
     * @param {Kind} kind
     */
    constructor(island, kind) {
        this.island = island;
        this.kind = kind;
        this.counted = kind.counted[0];
        this.colours = new ColourChoice(() => this.recolour(), 'Timeline', island.dataset.kinds !== undefined);
        this.order = orderChoice('heavy');
        this.all = buttonFor(() => this.time.zoom(0), {}, 'Show all');
        this.toLit = buttonFor(() => this.zoomToLit(), { hidden: true }, 'Zoom to what is lit');
        this.range = h('span', { class: 'flame-status', role: 'status' });
        this.legend = h('p', { class: 'flame-legend' });
        this.side = h('aside', { class: 'inspector', 'aria-label': 'Selected function', 'data-closes': '' });
        const [time, paths, functions] = [h('div'), h('div'), h('div', { class: 'functions-side' })];
        island.replaceChildren(
            h('div', { class: 'flame-bar' }, this.colours.element, this.all, this.toLit, this.range),
            time,
            this.legend,
            h('div', { class: 'with-inspector' }, h(
                'div',
                { class: 'sandwich-layout range' },
                functions,
                h('div', {}, h('div', { class: 'flame-bar' }, h('h3', { class: 'filling' }, 'Call paths of this range'), this.order.element), paths),
            ), this.side),
        );
        const select = (/** @type {number} */ fn) => state.set({ sel: this.names[fn] });
        this.time = new FlameView(time, {
            label: 'Timeline: arrows move, Enter zooms in, Backspace out',
            overview: true,
            details: (node) => this.details(node),
            select,
            zoomed: (settled) => this.moved(settled),
        });
        this.tracks = new Tracks(this.time);
        this.note = h('p', { class: 'flame-note', hidden: true });
        this.legend.after(this.note);
        this.paths = new FlameView(paths, {
            label: 'Call paths of the range: arrows move, Enter zooms in, Backspace out',
            details: (node) => frameDetails(/** @type {FrameLayout} */ (this.paths.layout), this.metric, node, this.paths.root, this.counted),
            select,
        });
        this.list = new FunctionList(functions, 'Functions of this range', select);
        // In an exported file other views are on the same page.
        onKey('x', 'Back to the whole run', () => island.offsetParent !== null && this.time.zoom(0), 'Timeline');
        onKey('o', 'Left heavy or first-call order', () => island.offsetParent !== null && toggleState('order', 'time'), 'Timeline');
    }

    async open() {
        const isOpen = await working(this.island, this.kind.loading, async (progress) => {
            const opened = await this.kind.open({ url: absolute(this.kind.url) }, progress);
            const { names, metric, layout, duration } = opened;
            if ((opened.threshold ?? 0) > 0 || (opened.folded ?? 0) > 0) {
                this.counted = this.kind.counted[this.kind.counted.length - 1];
            }
            this.names = names;
            this.duration = duration;
            this.metric = metric;
            this.time.scroller.style.height = `${Math.min(window.innerHeight * 0.36, Math.max(4, layout.levels) * ROW + 4)}px`;
            const from = Number(state.get('x0')) * US;
            const to = Number(state.get('x1')) * US;
            const colouring = this.colouring(layout);
            this.time.show(layout, names, colouring, to > from && from >= 0 ? { from, to } : {});
            showLegend(this.legend, colouring);
            this.tracks.show(opened.tracks ?? [], opened.memory ?? null);
            this.describe(opened);
            await this.light();
            await this.refresh();
        });
        if (!isOpen) {
            return;
        }
        // The picture is there without it.
        this.divided = this.divide().catch(() => undefined);
        void this.inspect();
        state.watch(['order'], () => void this.refresh());
        state.watch(['q', 'sel'], () => this.mark());
        state.watch(['lit'], () => void this.light());
        state.watch(['x0', 'x1'], () => this.followAddress());
    }

    /** Shows the selected function beside its range, from the first one on. */
    async inspect() {
        const range = this.isWhole() ? '' : `&x0=${this.chosen().from / US}&x1=${this.chosen().to / US}`;
        const symbol = this.island.dataset.symbol ?? '';
        if (symbol === '' || this.divided === null || this.inspected?.range === range || (this.inspected === null && state.get('sel') === '')) {
            return;
        }
        this.inspected?.destroy();
        const shown = { range, destroy: () => {} };
        this.inspected = shown;
        const [{ inspector }] = await Promise.all([import('../core/inspector.js'), this.divided]);
        if (this.inspected === shown) {
            const { from, to } = this.chosen();
            shown.destroy = inspector(this.side, async (name, signal) => {
                const data = await loadJson(`${symbol}${range}&symbol=${encodeURIComponent(name)}`, { signal });

                return this.parts === null ? data : { ...data, where: await this.kind.partsOf({ name: data.name, from, to }) };
            }).destroy;
        }
    }

    /** Adds where the time was, when the picture is there. */
    async divide() {
        const kinds = await kindsOf(this.island);
        const divided = kinds === null ? null : await this.kind.divide(kinds);
        if (divided === null) {
            return;
        }
        const { PartsTrack } = await import('./parts-track.js');
        /** @type {FrameLayout} */ (this.time.layout).where = divided;
        this.parts = new PartsTrack(this.tracks, this.kind, divided.parts);
        this.legend.after(this.parts.legend);
        await this.parts.load({ from: 0, to: this.duration });
        await this.refresh();
        this.recolour();
    }

    /** Shows the calls of the finding in the address, in a track of their own too: the deep ones may be out of sight. */
    async light() {
        const lit = litIn(this.island);
        const found = lit === null ? null : await this.kind.lit(lit);
        if (lit !== null) {
            this.lighting ??= await import('../profile/lit.js');
        }
        this.lit = found?.track ?? null;
        this.toLit.hidden = (this.lit?.t.length ?? 0) === 0;
        this.time.light(found?.frames ?? null);
        this.tracks.light(this.lit);
        this.lightPaths();
    }

    /** Shows the time from the first to the last of the finding's calls. */
    zoomToLit() {
        const { t, d } = /** @type {import('../profile/timeline.js').Track} */ (this.lit);
        const last = t.length - 1;
        this.time.range(t[0], t[last] + Math.max(1, d[last]), true);
    }

    lightPaths() {
        const lit = litIn(this.island);
        const { layout } = this.paths;
        this.paths.light(lit === null || layout === null ? null : this.lighting?.litNodes(this.names, layout, lit) ?? null);
    }

    /** @param {FrameLayout} layout */
    colouring(layout) {
        return this.colours.of(layout, this.names, this.metric);
    }

    recolour() {
        for (const view of [this.paths, this.time]) {
            if (view.layout !== null) {
                const colouring = this.colouring(view.layout);
                view.recolour(colouring);
                showLegend(this.legend, colouring);
            }
        }
    }

    /**
     * @param {number} node
     * @returns {import('../flame/view.js').FrameDetails}
     */
    details(node) {
        const layout = /** @type {FrameLayout} */ (this.time.layout);
        const from = layout.x[node];

        return {
            title: '',
            lines: [
                ['From', figure(from, 'ns')],
                ['To', figure(from + layout.width[node], 'ns')],
                ['Duration', `${figure(layout.width[node], 'ns')}, ${share(layout.width[node], this.duration)}`],
                [this.counted.exclusive ?? 'Self', figure(layout.self[node], 'ns')],
                ...(this.counted.isCalls ? [] : [/** @type {[string, string]} */ ([this.counted.label, figure(layout.ct[node], 'count')])]),
            ],
        };
    }

    /**
     * The tracks in words, and what is not there.
     *
     * @param {Partial<import('../timeline/tracks.js').Shown>} opened
     */
    describe({ tracks = [], count = 0, threshold, asked = 0, folded = 0 }) {
        this.note.hidden = false;
        // In an exported file the other views are of the whole run.
        const follow = this.island.closest('[data-pane]') === null ? '; all views of this run follow it' : '';
        const hint = `Drag on the ruler to select a range of time${follow}. Turn the wheel there to zoom.`;
        if (threshold === undefined) {
            this.note.textContent = `Each sample stands for the time since the one before it. ${hint}`;
            return;
        }
        const isEvery = threshold === 0 && folded === 0;
        const kept = isEvery ? 'Every call of the run is here' : `Calls of ${figure(threshold, 'ns')} or more are here; shorter ones are part of their callers' time`;
        const raised = threshold > asked ? ` The threshold was ${figure(asked, 'ns')} at first: there were more calls than fit.` : '';
        const out = folded > 0 ? ` ${figure(folded, 'count')} ${folded === 1 ? 'call was' : 'calls were'} left out: the run has more call paths than xhprof.max_nodes.` : '';
        const above = tracks.map(({ label, t, count: all = t.length }) => `${label}: ${figure(all, 'count')}`).join(', ');
        this.note.textContent = `${figure(count, 'count')} ${this.kind.noun[count === 1 ? 0 : 1]}${isEvery ? '' : ' kept'}. ${kept}.${raised}${out}${above === '' ? '' : ` Above them: ${above}.`} ${hint}`;
    }

    /** @param {boolean} settled */
    moved(settled) {
        clearTimeout(this.timer);
        this.tracks.redraw();
        this.showRange();
        if (!settled) {
            return;
        }
        const whole = this.isWhole();
        const { from, to } = this.chosen();
        this.isWritingAddress = true;
        state.set({ x0: whole ? null : String(from / US), x1: whole ? null : String(to / US) });
        this.isWritingAddress = false;
        this.timer = setTimeout(() => void this.refresh(), PAUSE);
    }

    /** The part in sight, to whole µs as the address has it: all views show the same range. */
    chosen() {
        if (this.isWhole()) {
            return { from: 0, to: this.duration };
        }

        return { from: Math.floor(this.time.from / US + 1e-6) * US, to: Math.ceil(this.time.to / US - 1e-6) * US };
    }

    isWhole() {
        return this.time.to - this.time.from >= this.duration * 0.999999;
    }

    isWritingAddress = false;

    /** Follows the address after "back". */
    followAddress() {
        if (!this.isWritingAddress) {
            const to = Number(state.get('x1')) * US;
            this.time.range(Number(state.get('x0')) * US, to > 0 ? to : this.duration);
            this.time.settle();
        }
    }

    showRange() {
        const { from, to } = this.time;
        const whole = figure(this.duration, 'ns');
        this.range.textContent = this.isWhole() ? whole : `${figure(from, 'ns')} to ${figure(to, 'ns')}: ${figure(to - from, 'ns')} of ${whole}`;
    }

    async refresh() {
        if (this.names.length === 0) {
            return;
        }
        const asked = ++this.asked;
        const order = state.get('order') === 'time' ? 'time' : 'heavy';
        this.order.show(order);
        const [{ layout, rows, samples }] = await Promise.all([
            this.kind.range({ ...this.chosen(), metric: 'wt', order }),
            this.parts?.load(this.chosen()),
        ]);
        if (asked !== this.asked) {
            return;
        }
        this.showRange();
        this.range.textContent += `, ${figure(samples, 'count')} ${this.kind.noun[samples === 1 ? 0 : 1]}`;
        this.paths.scroller.style.height = `${Math.min(window.innerHeight * 0.5, Math.max(6, layout.levels) * ROW + 4)}px`;
        this.paths.show(layout, this.names, this.colouring(layout));
        this.lightPaths();
        this.list.show(rows, this.names, this.metric, layout.total, this.counted);
        this.mark();
    }

    search = new Search(() => {
        const { matches } = this.search;
        this.time.highlight(matches);
        this.paths.highlight(matches);
        this.list.filter(matches);
        this.list.select(selectedFunction(this.names));
    });

    mark() {
        const chosen = selectedFunction(this.names);
        this.time.select(chosen);
        this.paths.select(chosen);
        this.search.update(this.names);
        void this.inspect();
    }
}

/**
 * @param {string} view
 * @param {(island: HTMLElement) => Kind} kindOf
 */
export function startTimelines(view, kindOf) {
    startIslands(view, (island) => void new TimelinePage(island, kindOf(island)).open());
}
