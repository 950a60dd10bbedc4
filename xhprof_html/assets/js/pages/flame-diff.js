/** Two sides of a comparison laid over each other, path by path: index.php?run1=A&run2=B&view=flame. */
import { busy } from '../core/api.js';
import { h } from '../core/dom.js';
import { exact, figure, share, signed } from '../core/format.js';
import { onKey } from '../core/keys.js';
import { baseName } from '../core/names.js';
import { state } from '../core/state.js';
import { byChange } from '../flame/colours.js';
import { aboutNegative, choice, fitHeight, framePath, inSight, legend, list, table } from '../flame/controls.js';
import { Engine } from '../flame/engine.js';
import { FlameView, ROW } from '../flame/view.js';
import { matchNames, matchedShare } from '../profile/search.js';
import { findMark, markOf } from '../profile/tree.js';

/**
 * @typedef {import('../flame/jobs.js').DiffPicture} DiffPicture
 * @typedef {'a' | 'b' | 'max'} Side
 */

const GROUP = 'Flame graph';
const BELOW = 84;

class FlameDiffPage {
    /** @type {import('../flame/jobs.js').Opened} */
    pair = { names: [], metrics: [], n: 0, runs: 1, pruned: 0 };
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: 'wt', label: 'Wall time', unit: 'ns' };
    /** @type {DiffPicture | null} */
    picture = null;
    /** @type {Uint8Array | null} */
    matches = null;
    engine = new Engine();
    asked = 0;

    /** @param {HTMLElement} island */
    constructor(island) {
        this.island = island;
        this.metrics = list('Metric', (value) => state.set({ metric: value }));
        this.side = choice('Width', [
            ['b', 'After', 'Frames as wide as they are after; what is gone has no width'],
            ['a', 'Before', 'Frames as wide as they were before; what is new has no width'],
            ['max', 'Larger of both', 'The larger own figure of each frame, so that what is gone and what is new show both'],
        ], (value) => state.set({ width: value === 'b' ? null : value }));
        this.by = choice('Colour', [
            ['own', 'Own change', 'Coloured by what changed in the frame itself'],
            ['incl', 'With callees', 'Coloured by what changed in the frame and all below it'],
        ], (value) => state.set({ by: value === 'own' ? null : value }));
        this.order = choice('Order', [
            ['time', 'Time order', 'Callees in the order of their first call'],
            ['heavy', 'Left heavy', 'The widest callee first'],
        ], (value) => state.set({ order: value === 'time' ? null : value }));
        this.flip = choice('Direction', [['', 'Icicle', 'Callers above callees'], ['1', 'Flame', 'Callees above callers']], (value) => state.set({ flip: value }));
        this.tableButton = h('button', { type: 'button', 'aria-pressed': 'false' }, 'Table');
        this.tableButton.addEventListener('click', () => state.set({ table: state.get('table') === '1' ? null : '1' }));
        this.field = h('input', { type: 'search', placeholder: 'Find a function', 'aria-label': 'Find functions by name', 'data-key': '/', spellcheck: 'false' });
        this.field.addEventListener('input', () => state.set({ q: this.field.value }));
        this.status = h('span', { class: 'flame-status', role: 'status' });
        this.path = h('ol', { class: 'frame-path' });
        this.legend = h('p', { class: 'flame-legend' });
        this.note = h('p', { class: 'flame-note' });
        this.table = h('div', { class: 'flame-table scroll', tabindex: 0, role: 'region', 'aria-label': 'Frames as a table', hidden: true });
        const host = h('div');
        island.replaceChildren(
            h('div', { class: 'flame-bar' }, this.metrics.element, this.side.element, this.by.element, this.order.element, this.flip.element, this.tableButton, ...(document.querySelector('.find') === null ? [this.field] : [])),
            h('div', { class: 'flame-head' }, h('nav', { 'aria-label': 'Path of the zoomed frame' }, this.path), this.status),
            host,
            this.legend,
            this.note,
            this.table,
        );
        this.view = new FlameView(host, {
            label: 'Changes of call paths: arrows move, Enter zooms in, Backspace out',
            overview: true,
            tell: (node) => this.tell(node),
            select: (fn) => state.set({ sel: this.pair.names[fn] }),
            zoomed: (settled) => this.zoomed(settled),
        });
        onKey('i', 'Icicle or flame', () => state.set({ flip: state.get('flip') === '1' ? null : '1' }), GROUP);
        onKey('o', 'Time order or left heavy', () => state.set({ order: state.get('order') === 'heavy' ? null : 'heavy' }), GROUP);
        onKey('w', 'Width: after, before, the larger of both', () => {
            const next = { b: 'a', a: 'max', max: 'b' }[this.widths()];
            state.set({ width: next === 'b' ? null : next });
        }, GROUP);
    }

    /** @returns {Side} */
    widths() {
        const side = state.get('width');

        return side === 'a' || side === 'max' ? side : 'b';
    }

    async open() {
        const wait = busy(this.island, 'Loading the call trees…');
        try {
            const { a = '', b = '' } = this.island.dataset;
            this.pair = await this.engine.ask('openPair', { a, b }, (text, part = 0, whole = 0) => {
                wait.say(text);
                wait.progress(part, whole);
            });
            this.metrics.fill(this.pair.metrics.map(({ k, label }) => [k, label]));
            await this.refresh();
            wait.done();
        } catch (error) {
            wait.fail(error instanceof Error ? error.message : String(error));
            return;
        }
        state.watch(['metric', 'sort', 'order', 'width', 'by'], () => void this.refresh());
        state.watch(['flip'], () => this.direct());
        state.watch(['q'], () => this.search());
        state.watch(['sel'], () => this.select());
        state.watch(['table'], () => this.tabulate());
        window.addEventListener('resize', () => this.picture !== null && fitHeight(this.view, this.picture.levels, ROW, BELOW));
    }

    async refresh() {
        const asked = ++this.asked;
        const mark = this.picture === null ? state.get('root') : this.mark();
        const metric = state.metric(this.pair.metrics.map(({ k }) => k));
        const order = state.get('order') === 'heavy' ? 'heavy' : 'time';
        const by = state.get('by') === 'incl' ? 'incl' : 'own';
        const picture = await this.engine.ask('diffPicture', { metric, order, side: this.widths(), by });
        if (asked !== this.asked) {
            return;
        }
        this.picture = picture;
        this.metric = this.pair.metrics.find(({ k }) => k === metric) ?? this.metric;
        this.metrics.show(metric);
        this.order.show(order);
        this.side.show(this.widths());
        this.by.show(by);
        fitHeight(this.view, picture.levels, ROW, BELOW);
        const colouring = byChange(picture, this.metric, by);
        legend(this.legend, colouring);
        this.view.up = state.get('flip') === '1';
        this.view.show(picture, this.pair.names, colouring, { root: Math.max(0, findMark(this.pair.names, picture, mark)) });
        this.note.textContent = this.notes(picture);
        this.direct();
        this.search();
        this.select();
    }

    /** @param {DiffPicture} picture */
    notes(picture) {
        let [gone, added] = [0, 0];
        for (const side of picture.only) {
            gone += side === 1 ? 1 : 0;
            added += side === 2 ? 1 : 0;
        }
        const unseen = { a: added > 0 ? ' What is new has no width here.' : '', b: gone > 0 ? ' What is gone has no width here.' : '', max: '' }[this.widths()];

        return `${figure(added, 'count')} new and ${figure(gone, 'count')} gone of ${figure(picture.fn.length, 'count')} call paths.${unseen}`
            + `${this.pair.runs > 1 ? ' A side of several runs is their mean, path by path.' : ''} ${aboutNegative(picture, this.metric)}`;
    }

    direct() {
        const flip = state.get('flip') === '1' ? '1' : '';
        this.flip.show(flip);
        this.view.direct(flip === '1');
    }

    search() {
        const text = state.get('q');
        if (document.activeElement !== this.field) {
            this.field.value = text;
        }
        this.matches = text.trim() === '' ? null : matchNames(this.pair.names, text);
        this.view.highlight(this.matches);
        this.told();
    }

    select() {
        const name = state.get('sel');
        this.view.select(name === '' ? -1 : Math.max(this.pair.names.indexOf(name), this.pair.names.indexOf(baseName(name))));
    }

    told() {
        const { picture } = this;
        if (picture === null) {
            return;
        }
        const { root } = this.view;
        if (this.matches === null) {
            this.status.textContent = `All: ${this.changed(picture.totals.a, picture.totals.b)}`;
            return;
        }
        const [a, b] = [picture.a, picture.b].map((figures) => matchedShare(picture, /** @type {Uint8Array} */ (this.matches), figures, root));
        this.status.textContent = a.nodes === 0 ? 'No frame matches'
            : `${figure(a.nodes, 'count')} ${a.nodes === 1 ? 'frame matches' : 'frames match'}: ${this.changed(a.sum, b.sum)}`;
    }

    /**
     * @param {number} a
     * @param {number} b
     * @returns {string} "▲ +12.0 ms (+3.1 %)"
     */
    changed(a, b) {
        const { unit } = this.metric;
        if (a === b) {
            return `= ${figure(b, unit)}`;
        }
        const part = a > 0 ? ` (${b > a ? '+' : ''}${share(b - a, a)})` : '';

        return `${b > a ? '▲' : '▼'} ${signed(b - a, unit)}${part}`;
    }

    /**
     * @param {number} node
     * @returns {import('../flame/view.js').Told}
     */
    tell(node) {
        const picture = /** @type {DiffPicture} */ (this.picture);
        const { unit } = this.metric;
        const [a, b, ownA, ownB] = [picture.a[node], picture.b[node], picture.ownA[node], picture.ownB[node]];
        const both = (/** @type {number} */ x, /** @type {number} */ y, /** @type {import('../core/format.js').Unit} */ of) => `${figure(x, of)} → ${figure(y, of)}`;

        return {
            title: ['', 'gone', 'new'][picture.only[node]],
            lines: [
                ['Inclusive', both(a, b, unit)],
                ['Change', this.changed(a, b)],
                ['Exclusive', both(ownA, ownB, unit)],
                ['Own change', this.changed(ownA, ownB)],
                ['Calls', both(picture.ctA[node], picture.ctB[node], 'count')],
            ],
        };
    }

    mark() {
        const { root } = this.view;

        return this.picture === null || root === 0 ? '' : markOf(this.pair.names, this.picture, root);
    }

    /** @param {boolean} settled */
    zoomed(settled) {
        const { view, picture } = this;
        if (picture !== null && settled) {
            framePath(this.path, this.pair.names, picture, view.root, (node) => view.zoom(node));
            state.set({ root: this.mark() });
            this.told();
            this.tabulate();
        }
    }

    tabulate() {
        const { picture } = this;
        const shown = state.get('table') === '1';
        this.tableButton.setAttribute('aria-pressed', String(shown));
        this.table.hidden = !shown;
        if (!shown || picture === null) {
            this.table.replaceChildren();
            return;
        }
        const { unit } = this.metric;
        const nodes = inSight(this.view);
        const cell = (/** @type {number} */ value) => /** @type {[string, string]} */ ([figure(value, unit), exact(value, unit)]);
        table(this.table, {
            caption: `${this.metric.label} of the ${nodes.length} widest frames in sight, in the order of the picture`,
            heads: ['Before', 'After', 'Change', 'Own change', 'Status'],
            lines: nodes.map((node) => ({
                node,
                cells: [
                    cell(picture.a[node]),
                    cell(picture.b[node]),
                    [this.changed(picture.a[node], picture.b[node]), exact(picture.b[node] - picture.a[node], unit)],
                    [this.changed(picture.ownA[node], picture.ownB[node]), exact(picture.ownB[node] - picture.ownA[node], unit)],
                    [['', 'gone', 'new'][picture.only[node]], ''],
                ],
            })),
            nameOf: (node) => ({ name: this.pair.names[picture.fn[node]], indent: picture.depth[node] - picture.depth[this.view.root] }),
            choose: (node) => {
                state.set({ sel: this.pair.names[picture.fn[node]] });
                this.view.zoom(node);
            },
        });
    }
}

for (const island of document.querySelectorAll('[data-view="flame-diff"]')) {
    if (island instanceof HTMLElement) {
        void new FlameDiffPage(island).open();
    }
}
