/** The flame graph of a run: index.php?view=flame. */
import { busy, loadJson } from '../core/api.js';
import { h } from '../core/dom.js';
import { figure, share } from '../core/format.js';
import { inspector } from '../core/inspector.js';
import { onKey } from '../core/keys.js';
import { baseName } from '../core/names.js';
import { state } from '../core/state.js';
import { byCost, byNamespace } from '../flame/colours.js';
import { HEADS, aboutNegative, choice, fitHeight, framePath, inSight, legend, line, list, table, tell } from '../flame/controls.js';
import { Engine } from '../flame/engine.js';
import { FlameView, ROW } from '../flame/view.js';
import { matchNames, matchedShare } from '../profile/search.js';
import { findMark, markOf } from '../profile/tree.js';

/**
 * @typedef {import('../flame/layout.js').Picture} Picture
 * @typedef {import('../profile/tree.js').Metric} Metric
 */

const GROUP = 'Flame graph';
/** px that the legend and the notes take. */
const BELOW = 84;

class FlamePage {
    /** @type {import('../flame/jobs.js').Opened} */
    run = { names: [], metrics: [], n: 0, runs: 1, pruned: 0 };
    /** @type {Metric} */
    metric = { k: 'wt', label: 'Wall time', unit: 'ns' };
    /** @type {Uint8Array | null} */
    matches = null;
    engine = new Engine();
    /** A newer question makes the answers to older ones stale. */
    asked = 0;

    /** @param {HTMLElement} island */
    constructor(island) {
        this.island = island;
        this.metrics = list('Width', (value) => state.set({ metric: value }));
        this.order = choice('Order', [
            ['time', 'Time order', 'Callees in the order of their first call'],
            ['heavy', 'Left heavy', 'The widest callee first'],
        ], (value) => state.set({ order: value === 'time' ? null : value }));
        this.flip = choice('Direction', [
            ['', 'Icicle', 'Callers above callees'],
            ['1', 'Flame', 'Callees above callers'],
        ], (value) => state.set({ flip: value }));
        this.colours = list('Colour', (value) => state.set({ colour: value }));
        this.colours.fill([['', 'by cost'], ['space', 'by namespace']]);
        this.tableButton = h('button', { type: 'button', 'aria-pressed': 'false' }, 'Table');
        this.tableButton.addEventListener('click', () => state.set({ table: state.get('table') === '1' ? null : '1' }));
        this.status = h('span', { class: 'flame-status', role: 'status' });
        this.path = h('ol', { class: 'frame-path' });
        this.legend = h('p', { class: 'flame-legend' });
        this.note = h('p', { class: 'flame-note' });
        this.table = h('div', { class: 'flame-table scroll', tabindex: 0, role: 'region', 'aria-label': 'Frames as a table', hidden: true });
        const host = h('div');
        const aside = h('aside', { class: 'inspector', 'aria-label': 'Selected function' });
        island.replaceChildren(h(
            'div',
            { class: 'flame-layout' },
            h(
                'div',
                {},
                h('div', { class: 'flame-bar' }, this.metrics.element, this.order.element, this.flip.element, this.colours.element, this.tableButton),
                h('div', { class: 'flame-head' }, h('nav', { 'aria-label': 'Path of the zoomed frame' }, this.path), this.status),
                host,
                this.legend,
                this.note,
                this.table,
            ),
            aside,
        ));
        this.view = new FlameView(host, {
            label: 'Call paths: arrows move, Enter zooms in, Backspace out',
            overview: true,
            tell: (node) => tell(/** @type {Picture} */ (this.view.picture), this.metric, node, this.view.root),
            select: (fn) => state.set({ sel: this.run.names[fn] }),
            zoomed: (settled) => this.zoomed(settled),
        });
        inspector(aside, (name, signal) => loadJson(`${island.dataset.symbol ?? ''}&symbol=${encodeURIComponent(name)}`, { signal }));
        this.keys();
    }

    keys() {
        onKey('i', 'Icicle or flame', () => state.set({ flip: state.get('flip') === '1' ? null : '1' }), GROUP);
        onKey('o', 'Time order or left heavy', () => state.set({ order: state.get('order') === 'heavy' ? null : 'heavy' }), GROUP);
        onKey('c', 'Colour by cost or by namespace', () => state.set({ colour: state.get('colour') === 'space' ? null : 'space' }), GROUP);
    }

    async open() {
        const wait = busy(this.island, 'Loading the call tree…');
        try {
            this.run = await this.engine.ask('open', { url: this.island.dataset.tree ?? '' }, (text, part = 0, whole = 0) => {
                wait.say(text);
                wait.progress(part, whole);
            });
            this.metrics.fill(this.run.metrics.map(({ k, label }) => [k, label]));
            await this.refresh();
            wait.done();
        } catch (error) {
            wait.fail(error instanceof Error ? error.message : String(error));
            return;
        }
        state.watch(['metric', 'sort', 'order'], () => void this.refresh());
        state.watch(['colour'], () => this.recolour());
        state.watch(['flip'], () => this.direct());
        state.watch(['q'], () => this.search());
        state.watch(['sel'], () => this.select());
        state.watch(['table'], () => this.tabulate());
        state.watch(['root', 'zoom'], () => this.zoomFromAddress());
        window.addEventListener('resize', () => this.fit());
    }

    async refresh() {
        const asked = ++this.asked;
        const wait = busy(this.view.host, 'Laying out the frames…');
        const before = this.view.picture === null ? state.get('root') : this.mark();
        try {
            const metric = state.metric(this.run.metrics.map(({ k }) => k));
            const order = state.get('order') === 'heavy' ? 'heavy' : 'time';
            const picture = await this.engine.ask('picture', { metric, order });
            wait.done();
            if (asked !== this.asked) {
                return;
            }
            this.metric = this.run.metrics.find(({ k }) => k === metric) ?? this.metric;
            this.metrics.show(metric);
            this.order.show(order);
            this.show(picture, before);
        } catch (error) {
            wait.fail(error instanceof Error ? error.message : String(error));
        }
    }

    /**
     * @param {Picture} picture
     * @param {string} mark of the zoomed frame
     */
    show(picture, mark) {
        const { view } = this;
        fitHeight(view, picture.levels, ROW, BELOW);
        const colouring = this.colouring(picture);
        legend(this.legend, colouring);
        view.up = state.get('flip') === '1';
        const root = Math.max(0, findMark(this.run.names, picture, mark));
        view.show(picture, this.run.names, colouring, { root, ...(view.picture === null ? this.windowInAddress(picture) : {}) });
        this.note.textContent = [
            aboutNegative(picture, this.metric),
            this.run.pruned > 0 ? `${figure(this.run.pruned, 'count')} of the smallest frames were left out.` : '',
            this.run.runs > 1 ? `The mean of ${this.run.runs} runs, path by path.` : '',
            picture.width[0] > 0 ? '' : 'No call of this run has any of this metric.',
        ].filter((text) => text !== '').join(' ');
        this.direct();
        this.search();
        this.select();
    }

    /** @param {Picture} picture */
    colouring(picture) {
        const space = state.get('colour') === 'space';
        this.colours.show(space ? 'space' : '');

        return space ? byNamespace(picture, this.run.names) : byCost(picture, this.metric);
    }

    recolour() {
        const { picture } = this.view;
        if (picture !== null) {
            const colouring = this.colouring(picture);
            legend(this.legend, colouring);
            this.view.recolour(colouring);
        }
    }

    direct() {
        const flip = state.get('flip') === '1' ? '1' : '';
        this.flip.show(flip);
        this.view.direct(flip === '1');
    }

    search() {
        const text = state.get('q');
        this.matches = text.trim() === '' ? null : matchNames(this.run.names, text);
        this.view.highlight(this.matches);
        this.told();
    }

    select() {
        const name = state.get('sel');
        this.view.select(name === '' ? -1 : Math.max(this.run.names.indexOf(name), this.run.names.indexOf(baseName(name))));
    }

    /** What the search found, or how much there is. */
    told() {
        const { picture, root } = this.view;
        if (picture === null) {
            return;
        }
        if (this.matches === null) {
            this.status.textContent = `${figure(picture.fn.length, 'count')} frames, ${picture.levels} levels`;
            return;
        }
        const { nodes, sum } = matchedShare(picture, this.matches, picture.inclusive, root);
        const whole = picture.inclusive[root];
        this.status.textContent = nodes === 0 ? 'No frame matches' : `${figure(nodes, 'count')} ${nodes === 1 ? 'frame matches' : 'frames match'}: `
            + `${figure(sum, this.metric.unit)}, ${share(sum, whole)} of ${root === 0 ? 'all' : 'the zoomed frame'}`;
    }

    mark() {
        const { picture, root } = this.view;

        return picture === null || root === 0 ? '' : markOf(this.run.names, picture, root);
    }

    /** @param {boolean} settled */
    zoomed(settled) {
        const { view } = this;
        const { picture } = view;
        if (picture === null || !settled) {
            return;
        }
        framePath(this.path, this.run.names, picture, view.root, (node) => view.zoom(node));
        const whole = picture.width[0];
        const size = view.to - view.from;
        const exactly = Math.abs(view.from - picture.x[view.root]) + Math.abs(size - picture.width[view.root]) < size * 1e-6;
        this.own = true;
        state.set({
            root: this.mark(),
            zoom: exactly || !(whole > 0) ? null : `${(view.from / whole).toPrecision(9)}~${(view.to / whole).toPrecision(9)}`,
        });
        this.own = false;
        this.told();
        this.tabulate();
    }

    own = false;

    /** Somebody went back. */
    zoomFromAddress() {
        const { picture } = this.view;
        if (this.own || picture === null) {
            return;
        }
        const root = Math.max(0, findMark(this.run.names, picture, state.get('root')));
        const { from, to } = this.windowInAddress(picture);
        this.view.zoom(root);
        if (from !== undefined && to !== undefined) {
            this.view.range(from, to);
        }
    }

    /**
     * @param {Picture} picture
     * @returns {{from?: number, to?: number}}
     */
    windowInAddress(picture) {
        const [from = NaN, to = NaN] = state.get('zoom').split('~').map(Number);

        return from >= 0 && to > from && to <= 1 ? { from: from * picture.width[0], to: to * picture.width[0] } : {};
    }

    tabulate() {
        const { picture } = this.view;
        const shown = state.get('table') === '1';
        this.tableButton.setAttribute('aria-pressed', String(shown));
        this.table.hidden = !shown;
        if (!shown || picture === null) {
            this.table.replaceChildren();
            return;
        }
        const { root } = this.view;
        const nodes = inSight(this.view);
        table(this.table, {
            caption: `${this.metric.label} of the ${nodes.length} widest frames in sight, in the order of the picture`,
            heads: HEADS,
            lines: nodes.map((node) => line(picture, this.metric, node)),
            nameOf: (node) => ({ name: this.run.names[picture.fn[node]], indent: picture.depth[node] - picture.depth[root] }),
            choose: (node) => {
                state.set({ sel: this.run.names[picture.fn[node]] });
                this.view.zoom(node);
            },
        });
    }

    fit() {
        if (this.view.picture !== null) {
            fitHeight(this.view, this.view.picture.levels, ROW, BELOW);
        }
    }
}

for (const island of document.querySelectorAll('[data-view="flame"]')) {
    if (island instanceof HTMLElement) {
        void new FlamePage(island).open();
    }
}
