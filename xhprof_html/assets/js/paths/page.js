/** The frame of a page with one picture of call paths: switches, search, the zoom in the address, the table. */
import { working } from '../core/api.js';
import { copy } from '../core/copy.js';
import { buttonFor, h, nameElement } from '../core/dom.js';
import { figure } from '../core/format.js';
import { onKey } from '../core/keys.js';
import { openMenu } from '../core/menu.js';
import { visible } from '../core/names.js';
import { state } from '../core/state.js';
import { nextMatch } from '../flame/layout.js';
import { FlameView, ROW } from '../flame/view.js';
import { findMark, markOf, pathTo } from '../profile/tree.js';
import { Search, choice, litIn, metricChoice, orderChoice, selectedFunction, showLegend, showMissing, stepper, tableToggle, toggleState } from './controls.js';
import { table, widestInSight } from './frame-table.js';
import { copyItems } from './path-menu.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('./tree-jobs.js').Opened} Opened
 * @typedef {(text: string, part?: number, whole?: number) => void} Progress
 *
 * @typedef {object} Parts of a page's own
 * @property {string} label of the canvas
 * @property {HTMLElement[]} controls more switches
 * @property {HTMLElement} [aside]
 * @property {boolean} [framed] see FlameView
 * @property {string[]} watched keys of the address on which the picture depends, besides metric and order
 * @property {(progress: Progress) => Promise<Opened>} load
 * @property {(metric: string, order: 'time' | 'heavy') => Promise<FrameLayout>} layout
 * @property {(node: number, progress: Progress) => Promise<{run: import('./tree-jobs.js').More, change: import('../profile/graft.js').Change} | null>} [more]
 *     loads what was left out below a frame, null for nothing: the picture is asked for again then
 * @property {(layout: FrameLayout) => import('../flame/colours.js').Colouring} colouring
 * @property {(node: number) => import('../flame/view.js').FrameDetails} details
 * @property {(node: number, path: string[]) => import('../core/menu.js').Item[]} [menu] more for the menu of a frame, by its path
 * @property {(node: number) => string} [figure] of the zoomed frame, beside its path
 * @property {() => string} status in a few words, how much there is or was found
 * @property {(layout: FrameLayout) => string} note
 * @property {string[]} heads of the table
 * @property {'time' | 'heavy'} [usual] order, time unless given
 * @property {(node: number) => [text: string, title: string][]} cells
 */

const GROUP = 'Flame graph';

/** Frames that are shown at each end of a long path. */
const SHOWN = [1, 4];

export class PathsPage {
    /** @type {Opened} */
    run = { names: [], metrics: [], n: 0, runs: 1, pruned: { nodes: 0, of: 0, name: '' } };
    /** @type {import('../profile/tree.js').Metric} */
    metric = { k: '', label: '', unit: 'count' };
    /** @type {FrameLayout | null} */
    layout = null;
    /** Whether the picture's callees stand by their widths. */
    isHeavy = false;
    /** The search in the address; its matches show when they are known. */
    search = new Search(() => {
        this.view.highlight(this.search.matches);
        this.matchButtons.hidden = (this.search.matches ?? this.lit) === null;
        this.#showStatus();
    });
    /** Per frame 1 for the calls of the finding in the address; null for none. @type {Uint8Array | null} */
    lit = null;
    /** What finds the calls of a finding, once one is lit. @type {typeof import('../profile/lit.js') | undefined} */
    lighting;
    /** Counts requests: an answer to an older one is dropped. */
    #asked = 0;
    /** Whether the address is being written here. */
    #isWritingAddress = false;
    /** Whether the address has chosen what is in sight: no entry of the history is made for it. */
    #isFollowing = true;
    /** Whether the selection has just made an entry, which the zoom that goes with it shares. */
    #hasEntry = false;
    /** Whether the last entry is a movement, which the next one goes on with. */
    #isMoving = false;
    /** Whether more call paths are being loaded. */
    #isLoading = false;

    /**
     * @param {HTMLElement} island
     * @param {Parts} parts
     */
    constructor(island, parts) {
        this.island = island;
        this.parts = parts;
        this.metrics = metricChoice(island);
        this.usual = parts.usual ?? 'time';
        this.order = orderChoice(this.usual);
        this.flip = choice('Direction', [
            ['', 'Icicle', 'Callers above callees'],
            ['1', 'Flame', 'Callees above callers'],
        ], (value) => state.set({ flip: value }));
        this.tableButton = tableToggle();
        this.status = h('span', { class: 'flame-status', role: 'status' });
        this.matchButtons = stepper('match of the search, or lit call', (step) => this.toMatch(step));
        this.path = h('ol', { class: 'frame-path' });
        this.figure = h('span', { class: 'frame-figure' });
        this.legend = h('p', { class: 'flame-legend' });
        this.note = h('p', { class: 'flame-note' });
        this.problem = h('p', { class: 'warning', role: 'alert', hidden: true });
        this.table = h('div', { class: 'flame-table scroll', tabindex: 0, role: 'region', 'aria-label': 'Frames as a table', hidden: true });
        const host = h('div');
        island.replaceChildren(h(
            'div',
            parts.aside === undefined ? {} : { class: 'flame-layout' },
            h(
                'div',
                {},
                h('div', { class: 'flame-bar' }, this.metrics.element, this.order.element, this.flip.element, ...parts.controls, this.tableButton),
                h('div', { class: 'flame-head' }, h('nav', { 'aria-label': 'Path of the zoomed frame' }, this.path), this.figure, h('span', { class: 'flame-found' }, this.status, this.matchButtons)),
                host,
                this.problem,
                this.legend,
                this.note,
                this.table,
            ),
            parts.aside ?? '',
        ));
        this.view = new FlameView(host, {
            label: `${parts.label}: arrows move, Enter zooms in, Backspace out`,
            overview: true,
            framed: parts.framed,
            details: parts.details,
            select: (fn) => this.#select(fn),
            menu: (node, at) => openMenu('Frame', this.#menu(node), at),
            copy: (node) => void copy(this.#names(node).pop() ?? '', 'Name'),
            zoomed: (settled) => settled && this.#saveZoom(),
        });
        onKey('i', 'Icicle or flame', () => toggleState('flip', '1'), GROUP);
        onKey('.', 'Next match of the search, or lit call', () => this.island.offsetParent !== null && this.toMatch(1), GROUP);
        onKey(',', 'Previous match of the search, or lit call', () => this.island.offsetParent !== null && this.toMatch(-1), GROUP);
        onKey('o', 'First-call order or left heavy', () => this.island.offsetParent !== null && toggleState('order', this.usual === 'heavy' ? 'time' : 'heavy'), GROUP);
    }

    /** @returns {Promise<boolean>} whether the tree has been loaded */
    async open() {
        const isOpen = await working(this.island, 'Loading the call tree…', async (progress) => {
            this.run = await this.parts.load(progress);
            this.metrics.fill(this.run.metrics);
            await this.refresh();
        });
        if (!isOpen) {
            return false;
        }
        state.watch(['metric', 'sort', 'order', ...this.parts.watched], () => void this.refresh());
        state.watch(['flip'], () => this.#showDirection());
        state.watch(['q'], () => this.search.update(this.run.names));
        state.watch(['sel'], () => this.view.select(selectedFunction(this.run.names)));
        state.watch(['table'], () => this.#tabulate());
        state.watch(['lit'], async () => {
            await this.#loadLighting();
            this.#light();
            this.search.update(this.run.names);
        });
        state.watch(['root', 'zoom'], () => this.#followAddress());
        window.addEventListener('resize', () => this.layout !== null && fitHeight(this.view, this.layout.levels));

        return true;
    }

    /** @param {(layout: FrameLayout) => {root: number, from?: number, to?: number}} [where] zooms; to what is in sight unless given */
    async refresh(where) {
        const asked = ++this.#asked;
        this.#isFollowing = true;
        await working(this.view.host, 'Laying out the frames…', async () => {
            const metric = state.metric(this.run.metrics.map(({ k }) => k));
            const wanted = state.get('order');
            const order = wanted === 'heavy' || wanted === 'time' ? wanted : this.usual;
            const [layout] = await Promise.all([this.parts.layout(metric, order), this.#loadLighting()]);
            if (asked === this.#asked) {
                this.metric = this.run.metrics.find(({ k }) => k === metric) ?? this.metric;
                this.metrics.show(metric);
                this.order.show(order);
                this.isHeavy = order === 'heavy';
                this.#show(layout, where);
            }
        });
    }

    recolour() {
        if (this.layout !== null) {
            const colouring = this.parts.colouring(this.layout);
            showLegend(this.legend, colouring);
            this.view.recolour(colouring);
        }
    }

    /**
     * @param {FrameLayout} layout
     * @param {(layout: FrameLayout) => {root: number, from?: number, to?: number}} [where]
     */
    #show(layout, where) {
        const { view } = this;
        const isFirst = this.layout === null;
        const mark = isFirst ? state.get('root') : this.#mark();
        this.layout = layout;
        fitHeight(view, layout.levels);
        const colouring = this.parts.colouring(layout);
        showLegend(this.legend, colouring);
        view.up = state.get('flip') === '1';
        view.show(layout, this.run.names, colouring, where?.(layout)
            ?? { root: Math.max(0, findMark(this.run.names, layout, mark)), ...(isFirst ? this.#windowInAddress(layout) : {}) });
        this.note.textContent = `${this.parts.note(layout)}${layout.width[0] > 0 ? '' : ' No call has this metric.'}`;
        this.#showDirection();
        this.#light();
        this.search.update(this.run.names);
        view.select(selectedFunction(this.run.names));
    }

    async #loadLighting() {
        if (litIn(this.island) !== null) {
            this.lighting ??= await import('../profile/lit.js');
        }
    }

    /** Shows the calls of the finding in the address. */
    #light() {
        const { layout } = this;
        const lit = litIn(this.island);
        this.lit = lit === null || layout === null ? null : this.lighting?.litNodes(this.run.names, layout, lit) ?? null;
        this.view.light(this.lit);
    }

    #showDirection() {
        const flip = state.get('flip') === '1' ? '1' : '';
        this.flip.show(flip);
        this.view.setDirection(flip === '1');
    }

    /** @param {string} [more] */
    #showStatus(more = '') {
        this.status.textContent = (this.search.problem || this.parts.status()) + more;
    }

    /**
     * Gives the focus to the next frame whose function matches the search, or that is lit while there is none, in the order in which frames begin; zooms so that it can
     * be seen.
     *
     * @param {-1 | 1} step
     */
    toMatch(step) {
        const { view, layout } = this;
        const { matches } = this.search;
        const { lit } = this;
        if (layout === null || (matches ?? lit) === null) {
            return;
        }
        const isMatch = (/** @type {number} */ frame) => (matches === null ? lit?.[frame] : matches[layout.fn[frame]]) === 1;
        const { node, place, count } = nextMatch(layout, isMatch, view.root, view.focused, step);
        if (node >= 0) {
            view.canvas.focus({ preventScroll: true });
            view.bring(node);
            this.#showStatus(`; ${figure(place, 'count')} of ${figure(count, 'count')}`);
        }
    }

    #mark() {
        const { root } = this.view;

        return this.layout === null || root === 0 ? '' : markOf(this.run.names, this.layout, root);
    }

    #saveZoom() {
        const { view, layout } = this;
        if (layout === null) {
            return;
        }
        framePath(this.path, this.run.names, layout, view.root, (node) => view.zoom(node));
        this.figure.textContent = this.parts.figure?.(view.root) ?? '';
        const whole = layout.width[0];
        const size = view.to - view.from;
        const exactly = Math.abs(view.from - layout.x[view.root]) + Math.abs(size - layout.width[view.root]) < size * 1e-6;
        const root = this.#mark();
        const isMoving = root === state.get('root');
        const push = !this.#isFollowing && !this.#hasEntry && !(isMoving && this.#isMoving);
        this.#isMoving = !this.#isFollowing && isMoving;
        this.#isFollowing = this.#hasEntry = false;
        this.#isWritingAddress = true;
        state.set({
            root,
            zoom: exactly || !(whole > 0) ? null : `${(view.from / whole).toPrecision(9)}~${(view.to / whole).toPrecision(9)}`,
        }, { push });
        this.#isWritingAddress = false;
        this.#showStatus();
        this.#tabulate();
        void this.#loadMore();
    }

    /** Loads what was left out below the zoomed frame, if that would be seen now. */
    async #loadMore() {
        const { view, layout } = this;
        const { root } = view;
        const { more } = this.parts;
        if (more === undefined || layout === null || this.run.pruned.nodes === 0 || this.#isLoading) {
            return;
        }
        this.#isLoading = true;
        let goesOn = false;
        await working(view.host, 'Loading more call paths…', async (progress) => {
            const found = await more(root, progress);
            this.problem.hidden = true;
            if (found !== null) {
                const isThere = view.root === root && this.layout === layout;
                const shift = { from: view.from - layout.x[root], to: view.to - layout.x[root] };
                this.run = { ...this.run, ...found.run };
                await this.refresh(isThere ? (larger) => placeOf(larger, found.change, root, shift) : undefined);
            }
            goesOn = found !== null || view.root !== root;
        }, (message) => showMissing(this.problem, message));
        this.#isLoading = false;
        if (goesOn) {
            void this.#loadMore();
        }
    }

    /** Follows the address after "back" to another zoom. */
    #followAddress() {
        const { layout } = this;
        if (this.#isWritingAddress || layout === null) {
            return;
        }
        this.#isFollowing = true;
        this.view.zoom(Math.max(0, findMark(this.run.names, layout, state.get('root'))));
        const { from, to } = this.#windowInAddress(layout);
        if (from !== undefined && to !== undefined) {
            this.view.range(from, to);
            this.view.settle();
        }
    }

    /** @param {number} fn */
    #select(fn) {
        if (this.run.names[fn] === this.run.pruned.name) {
            // The sum of several functions is none.
            return;
        }
        this.#hasEntry = state.get('sel') !== this.run.names[fn];
        state.set({ sel: this.run.names[fn] }, { push: true });
    }

    /**
     * @param {number} node
     * @returns {string[]} names from the first frame to it
     */
    #names(node) {
        const { layout } = this;

        return layout === null ? [] : pathTo(layout.parent, node).map((at) => this.run.names[layout.fn[at]]);
    }

    /**
     * @param {number} node
     * @returns {import('../core/menu.js').Item[]}
     */
    #menu(node) {
        const path = this.#names(node);

        return [
            { label: 'Zoom in', key: 'Enter', act: () => this.view.choose(node) },
            ...(this.view.root > 0 ? [{ label: 'Show all', key: '0', act: () => this.view.zoom(0) }] : []),
            null,
            ...copyItems(path[path.length - 1] ?? '', path, true),
            ...(this.parts.menu?.(node, path) ?? []),
        ];
    }

    /**
     * @param {FrameLayout} layout
     * @returns {{from?: number, to?: number}}
     */
    #windowInAddress(layout) {
        const [from = NaN, to = NaN] = state.get('zoom').split('~').map(Number);

        return from >= 0 && to > from && to <= 1 ? { from: from * layout.width[0], to: to * layout.width[0] } : {};
    }

    #tabulate() {
        const { layout, view } = this;
        const shown = state.get('table') === '1';
        this.tableButton.setAttribute('aria-pressed', String(shown));
        this.table.hidden = !shown;
        if (!shown || layout === null) {
            this.table.replaceChildren();
            return;
        }
        const nodes = widestInSight(view);
        table(this.table, {
            caption: `${this.metric.label} of the ${nodes.length} widest visible frames, in the order of the picture`,
            heads: this.parts.heads,
            rows: nodes.map((node) => ({ node, cells: this.parts.cells(node) })),
            nameOf: (node) => ({ name: this.run.names[layout.fn[node]], indent: layout.depth[node] - layout.depth[view.root] }),
            choose: (node) => {
                if (this.run.names[layout.fn[node]] !== this.run.pruned.name) {
                    state.set({ sel: this.run.names[layout.fn[node]] });
                }
                view.zoom(node);
            },
        });
    }
}

/**
 * Finds the reader's place after more paths have come.
 *
 * @param {FrameLayout} layout with them
 * @param {import('../profile/graft.js').Change} change
 * @param {number} was the zoomed frame before
 * @param {{from: number, to: number}} shift what was in sight, from its left edge on
 * @returns {{root: number, from: number, to: number}}
 */
function placeOf({ x, width, end }, { at, added, root }, was, shift) {
    if (root === was) {
        return { root, from: x[root] + shift.from, to: x[root] + shift.to };
    }
    let [from, to] = [Infinity, 0];
    for (let node = at; node < at + added; node = end[node]) {
        from = Math.min(from, x[node]);
        to = Math.max(to, x[node] + width[node]);
    }

    return { root, from, to };
}

/** px that the legend and the notes below a picture take. */
const BELOW = 84;

/**
 * Gives a picture the height that is left on the screen, or less where it has few levels.
 *
 * @param {import('../flame/view.js').FlameView} view
 * @param {number} levels
 */
function fitHeight(view, levels) {
    const top = view.scroller.getBoundingClientRect().top + window.scrollY;
    const room = Math.max(window.innerHeight * 0.45, window.innerHeight - top - BELOW);
    view.scroller.style.height = `${Math.round(Math.min(room, Math.max(5, levels) * ROW + 4))}px`;
}

/**
 * Shows the path to the zoomed frame. The frames in the middle of a long path are replaced by their number.
 *
 * @param {HTMLElement} element an ol
 * @param {string[]} names
 * @param {import('../flame/layout.js').FrameLayout} layout
 * @param {number} root the zoomed frame
 * @param {(node: number) => void} zoom
 */
function framePath(element, names, layout, root, zoom) {
    const path = pathTo(layout.parent, root);
    const left = path.length - SHOWN[0] - SHOWN[1];
    element.replaceChildren(...path.flatMap((node, index) => {
        const name = visible(names[layout.fn[node]], 200);
        if (left > 1 && index >= SHOWN[0] && index < SHOWN[0] + left) {
            return index === SHOWN[0] ? [h('li', {}, `${left} more`)] : [];
        }
        const short = nameElement(names[layout.fn[node]], { limit: 80, short: true });
        if (node === root) {
            return [h('li', { 'aria-current': 'location', title: name }, short)];
        }

        return [h('li', {}, buttonFor(() => zoom(node), { class: 'plain', title: name }, short))];
    }));
}
