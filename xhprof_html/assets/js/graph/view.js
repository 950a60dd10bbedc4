/**
 * The call graph of a run, or of two compared: loads the part worth drawing, has it laid out, draws it, and moves about in it.
 * The address holds all choices.
 */
import { busy, messageOf } from '../core/api.js';
import { h, isPlain, svg } from '../core/dom.js';
import { counts, grouped } from '../core/format.js';
import { baseName, score } from '../core/names.js';
import { state } from '../core/state.js';
import { Matching } from '../profile/matching.js';
import { patternIn } from '../profile/search.js';
import { nodeInDirection } from './arrow-keys.js';
import { box, HEIGHT, WIDTH } from './boxes.js';
import { buttons } from './buttons.js';
import { Culling } from './culling.js';
import { draw, lineLabels, lineTexts } from './draw.js';
import { GraphData } from './graph-data.js';
import { graphLegend } from './legend.js';
import { Notes } from './notes.js';
import { config, SETTING_KEYS } from './settings.js';
import { Viewport } from './viewport.js';

/** @typedef {import('./graph-data.js').Choice} Choice */
/** @typedef {import('./draw.js').Drawing} Drawing */
/** @typedef {import('./boxes.js').Scale} Scale */

/** Least readable scale: a picture that fits only below it is shown from its beginning. */
const READABLE_SCALE = 0.7;
const START_SCALE = 0.85;

/** Most labels of lines shown at once. */
const LABELS = 7;

/** Layouts that take longer report it, in ms. */
const SLOW_MS = 1000;

export class GraphView {
    /** @type {Choice | undefined} */
    choice;
    /** @type {Drawing | undefined} */
    drawing;
    /** @type {Scale | undefined} */
    scale;
    #turn = 0;
    #current = 0;
    /** @type {number | undefined} */
    #lit;
    /** @type {Culling | undefined} */
    #culling;

    /**
     * @param {HTMLElement} element with the data-* attributes of graph.html.twig
     * @param {{ onChoice?: (view: GraphView) => void, onSelect?: (view: GraphView) => void }} [listeners] after each drawing; after
     *     another function is selected
     */
    constructor(element, { onChoice = () => undefined, onSelect = () => undefined } = {}) {
        this.element = element;
        this.onChoice = onChoice;
        this.onSelect = onSelect;
        const { graph = '', names = '', comparison, functionUrl = '', graphviz = '' } = element.dataset;
        this.isComparison = comparison !== undefined;
        this.data = new GraphData(graph, names.split(' '));
        this.hasGraphviz = graphviz !== '';
        this.link = (/** @type {string} */ name) => {
            const hash = this.choice?.hashes[String(this.choice.graph.nodes.findIndex((node) => node.name === name))];

            return `${functionUrl}&${hash === undefined ? `symbol=${encodeURIComponent(name.replace(/\p{Cs}/gu, '\uFFFD'))}` : `symbol_hash=${hash}`}`;
        };

        const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
        const family = getComputedStyle(document.documentElement).fontFamily;
        this.measure = (/** @type {string} */ text, /** @type {string} */ font) => {
            context.font = `${font} ${family}`;

            return context.measureText(text).width;
        };

        this.moving = svg('g');
        this.svg = svg('svg', { class: 'graph', id: 'picture', role: 'group', 'aria-label': 'Call graph' }, this.moving);
        this.map = svg('svg', { class: 'graph-map', 'aria-hidden': 'true', hidden: '' });
        this.status = h('p', { class: 'graph-status', role: 'status' });
        this.notes = new Notes();
        this.legend = graphLegend(this.isComparison);
        const bar = h('div', { class: 'graph-bar' }, this.legend, buttons(this));
        const canvas = h('div', { class: 'graph-canvas' }, bar, this.svg, this.map);
        element.prepend(this.notes.element, canvas, this.status);
        this.canvas = canvas;
        this.viewport = new Viewport(this.svg, this.moving, this.map, () => {
            const selected = this.layout?.nodes[this.indexOf(state.get('sel'))];
            if (selected !== undefined) {
                // The function beside the picture takes room: the rest stays where it is.
                this.viewport.reveal(selected, { width: WIDTH, height: HEIGHT });
            } else if (!this.viewport.touched) {
                this.showStart();
            }
        });
        this.#listen();
        state.watch([...SETTING_KEYS, 'flow'], () => void this.update());
        state.watch(['change'], () => this.paint());
        state.watch(['q'], () => void this.search());
        state.watch(['sel'], () => this.select());
        void this.update();
    }

    /** Chooses, lays out and draws anew. */
    async update() {
        const turn = ++this.#turn;
        this.canvas.hidden = !this.hasGraphviz;
        const waiting = busy(this.canvas, 'Reading the run…', () => this.data.cancel());
        try {
            const choice = await this.data.choose(config());
            if (turn !== this.#turn) {
                return;
            }
            const { graph } = choice;
            waiting.setText(`Laying out ${graph.nodes.length} functions…`);
            const isAcross = state.get('flow') !== 'down';
            const critical = criticalNodes(graph);
            const laid = await this.#laidOut({
                nodes: graph.nodes.map((_, at) => ({ width: WIDTH, height: HEIGHT, isMain: critical.has(at) })),
                edges: [
                    ...graph.edges.map(({ from, to, weight, critical }) => ({
                        from, to, weight: (critical ? 1 : 0) + (graph.total === 0 ? 0 : Math.min(1, weight / Math.abs(graph.total))),
                    })),
                    ...graph.vias.map(({ from, to }) => ({ from, to, weight: 0 })),
                ],
                isAcross,
            });
            if (turn !== this.#turn) {
                return;
            }
            this.choice = choice;
            this.isAcross = isAcross;
            this.layout = laid.layout;
            this.canvas.hidden = laid.layout === undefined;
            if (laid.layout !== undefined) {
                this.viewport.show(laid.layout, laid.layout.nodes, { width: WIDTH, height: HEIGHT });
            }
            this.paint();
            this.showStart();
            const words = graph.nodes.length === 0
                ? 'No function reaches this share of the total.'
                : `${grouped(graph.nodes.length)} of ${grouped(graph.functions)} functions, ${grouped(graph.edges.length)} calls between them`;
            this.status.textContent = words + (laid.milliseconds > SLOW_MS ? `; laid out in ${(laid.milliseconds / 1000).toFixed(1)} s` : '');
            this.notes.focus(choice.settings.focus, graph.focus !== null);
            if (laid.layout === undefined) {
                this.notes.failed(...laid.problem, ' The table below has the same figures.');
            }
            this.onChoice(this);
            void this.search();
        } catch (error) {
            if (turn === this.#turn && error instanceof Error) {
                this.notes.failed(error.name === 'AbortError' ? 'The layout was cancelled: choose fewer functions.' : error.message);
            }
        } finally {
            waiting.done();
        }
    }

    /**
     * Lays out a graph, or says why that cannot be done.
     *
     * @param {import('./geometry.js').Spec} spec
     * @returns {Promise<{ layout?: import('./geometry.js').Layout, milliseconds: number, problem: (Node | string)[] }>}
     */
    async #laidOut(spec) {
        if (!this.hasGraphviz) {
            return { milliseconds: 0, problem: [
                'The picture needs Graphviz, which is not installed with these pages: run ', h('code', {}, 'make assets'), ' in the sources of XHProf, and ',
                h('code', {}, 'make install'), ' again where that has installed the pages.',
            ] };
        }
        try {
            return { ...await this.data.layOut(spec), problem: [] };
        } catch (error) {
            if (error instanceof DOMException) {
                throw error;
            }

            return { milliseconds: 0, problem: [messageOf(error)] };
        }
    }

    /** Draws the layout: after a choice, and when only the colours change. Without a layout it sets the scale alone. */
    paint() {
        if (this.choice === undefined) {
            return;
        }
        const { graph, metrics, metric } = this.choice;
        const { unit = 'count', label = metric } = metrics.find((one) => one.k === metric) ?? {};
        const scale = { label, unit, total: graph.total, counted: counts(), byPercent: state.get('change') === 'percent', machine: this.choice.machine ?? '' };
        this.scale = scale;
        if (this.layout === undefined) {
            this.drawing = undefined;
            this.moving.replaceChildren();
            this.select();
            return;
        }
        const key = graphLegend(this.isComparison, unit === 'bytes' ? 'memory' : 'time', scale.machine);
        this.legend.replaceWith(key);
        this.legend = key;
        this.drawing = draw(graph, this.layout, graph.nodes.map((node) => box(node, scale, this.measure)), scale, this.link);
        this.#culling = new Culling(this.drawing, this.layout);
        this.#cull();
        this.moving.replaceChildren(this.drawing.root);
        this.svg.setAttribute('aria-label', `Call graph of ${graph.nodes.length} functions by ${label.toLowerCase()}; the table below has the same figures`);
        this.#lit = undefined;
        this.select(false);
    }

    /** Shows the whole picture if that is readable, else its beginning, or the function that is selected or in the focus. */
    showStart() {
        const { viewport, choice, layout } = this;
        if (choice === undefined || layout === undefined) {
            return;
        }
        // The small map stands below a picture that is larger than the window: no box is below it.
        this.canvas.classList.remove('wide');
        viewport.measure();
        if (viewport.fitting >= READABLE_SCALE) {
            viewport.fit();
        } else {
            const { nodes, edges, vias, focus } = choice.graph;
            const called = new Set([...edges, ...vias].map((edge) => edge.to));
            const root = edges.find((edge) => edge.critical && !called.has(edge.from))?.from ?? Math.max(0, nodes.findIndex((_, at) => !called.has(at)));
            const at = layout.nodes[focus ?? root] ?? { x: 0, y: 0 };
            this.canvas.classList.add('wide');
            viewport.measure();
            const path = [...criticalNodes(choice.graph)].map((one) => layout.nodes[one] ?? at);
            const length = path.length === 0 ? 0 : Math.max(...path.map(({ x, y }) => (this.isAcross ? x - at.x : y - at.y)));
            const room = this.isAcross ? (viewport.width - 48) / (length + WIDTH) : (viewport.height - 48) / (length + HEIGHT);
            const scale = Math.max(viewport.fitting, room >= READABLE_SCALE ? Math.min(START_SCALE, room) : START_SCALE);
            // The start is at an edge of the window, so that its callees are visible.
            const inset = { x: (24 + WIDTH * scale / 2) / viewport.width, y: (32 + HEIGHT * scale / 2) / viewport.height };
            viewport.lookAt(at, scale, {
                x: this.isAcross && focus === null ? Math.min(0.5, inset.x) : 0.5,
                y: !this.isAcross && focus === null ? inset.y : 0.5,
            });
            viewport.keepFull();
            viewport.touched = false;
        }
        const selected = this.indexOf(state.get('sel'));
        if (selected >= 0) {
            viewport.reveal(layout.nodes[selected] ?? { x: 0, y: 0 }, { width: WIDTH, height: HEIGHT });
        }
    }

    /**
     * @param {string} name
     * @returns {number} -1 where it is not drawn
     */
    indexOf(name) {
        const nodes = this.choice?.graph.nodes ?? [];
        const at = nodes.findIndex((node) => node.name === name);

        return at >= 0 || name === '' ? at : nodes.findIndex((node) => node.name === baseName(name));
    }

    /**
     * Shows the selection of the address.
     *
     * @param {boolean} [move] whether to bring it into sight
     */
    select(move = true) {
        if (this.choice === undefined) {
            return;
        }
        const name = state.get('sel');
        const at = this.indexOf(name);
        this.#markSelected(at, move);
        this.notes.missing(name !== '' && at < 0 ? name : '');
        this.onSelect(this);
    }

    /**
     * Marks the selected box of the drawing.
     *
     * @param {number} at -1 for none
     * @param {boolean} move
     */
    #markSelected(at, move) {
        const { drawing, layout } = this;
        if (drawing === undefined || layout === undefined) {
            return;
        }
        for (const node of drawing.nodes) {
            node.classList.remove('selected');
        }
        this.#setTabStop(at >= 0 ? at : Math.min(this.#current, drawing.nodes.length - 1));
        if (at >= 0) {
            drawing.nodes[at]?.classList.add('selected');
            if (move) {
                this.viewport.reveal(layout.nodes[at] ?? { x: 0, y: 0 }, { width: WIDTH, height: HEIGHT });
            }
        }
        this.highlight(undefined);
    }

    /** Dims boxes that do not match the search; lists matches that are not drawn. */
    async search() {
        const query = state.get('q').trim();
        const { drawing, choice } = this;
        if (drawing === undefined || choice === undefined) {
            return;
        }
        this.svg.classList.toggle('searching', query !== '');
        const drawn = choice.graph.nodes.map(({ name }) => name);
        const found = patternIn(query) === null ? null : await new Matching(drawn).find(query);
        if (query !== state.get('q').trim() || drawing !== this.drawing) {
            return;
        }
        const matches = drawn.map((name, at) => (found === null ? query !== '' && score(name, query) > 0 : found.matches?.[at] === 1));
        drawing.nodes.forEach((node, at) => node.classList.toggle('match', matches[at] ?? false));
        if (query === '') {
            this.notes.found('', 0, []);
            return;
        }
        const first = matches.indexOf(true);
        if (first >= 0 && state.get('sel') === '') {
            this.viewport.reveal(this.layout?.nodes[first] ?? { x: 0, y: 0 }, { width: WIDTH, height: HEIGHT });
        }
        const names = await this.data.find(query);
        if (query === state.get('q').trim()) {
            this.notes.found(query, matches.filter(Boolean).length, names.filter((name) => this.indexOf(name) < 0));
        }
    }

    /**
     * Marks a function's calls and the functions at their other ends.
     *
     * @param {number | undefined} node under the pointer; else the selected one
     * @param {number} [edge] a single call instead
     */
    highlight(node, edge) {
        const { drawing, choice, scale } = this;
        if (drawing === undefined || choice === undefined || scale === undefined) {
            return;
        }
        const selected = this.indexOf(state.get('sel'));
        const at = node ?? (edge === undefined && selected >= 0 ? selected : undefined);
        const { edges } = choice.graph;
        const isLit = (/** @type {number} */ index) => index === edge || (at !== undefined && (edges[index]?.from === at || edges[index]?.to === at));
        const near = new Set(edges.flatMap((one, index) => (isLit(index) ? [one.from, one.to] : [])));
        if (at !== undefined) {
            near.add(at);
        }
        drawing.edges.forEach((group, index) => group.classList.toggle('lit', isLit(index)));
        drawing.nodes.forEach((group, index) => group.classList.toggle('near', near.has(index)));
        this.svg.classList.toggle('lighting', node !== undefined || edge !== undefined);
        const labelled = node === undefined && edge === undefined ? [] : edges.flatMap((_, index) => (isLit(index) ? [index] : [])).slice(0, LABELS);
        drawing.root.querySelector('.edge-labels')?.replaceChildren(...lineLabels(labelled.map((index) => {
            const one = /** @type {import('./graph-data.js').GraphEdge} */ (edges[index]);

            return { points: drawing.layout.edges[index] ?? [], words: lineTexts(one, choice.graph, scale)[0] ?? '' };
        }), drawing.layout.nodes, this.measure));
    }

    #cull() {
        this.#culling?.hide(this.viewport.sight, this.#current);
    }

    /** @param {number} at becomes the only box that the Tab key reaches */
    #setTabStop(at) {
        const nodes = this.drawing?.nodes ?? [];
        nodes[this.#current]?.setAttribute('tabindex', '-1');
        this.#current = Math.max(0, at);
        nodes[this.#current]?.setAttribute('tabindex', '0');
        // An element must be in the document to get the focus.
        this.#culling?.show(this.#current);
    }

    #listen() {
        const nodeOf = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest?.('.node');
        const index = (/** @type {Element | null | undefined} */ node) => Number(node?.getAttribute('data-node') ?? -1);
        this.svg.addEventListener('dragstart', (event) => event.preventDefault());
        this.svg.addEventListener('click', (event) => {
            const node = nodeOf(event);
            if (this.viewport.moved) {
                event.preventDefault();
            } else if (node && isPlain(event)) {
                // Enter makes a click without coordinates: it follows the link.
                if (event.detail > 0) {
                    event.preventDefault();
                    this.#choose(index(node));
                }
            } else if (!node) {
                state.set({ sel: null });
            }
        });
        this.svg.addEventListener('dblclick', (event) => {
            const node = nodeOf(event);
            if (node) {
                location.assign(this.link(this.choice?.graph.nodes[index(node)]?.name ?? ''));
            }
        });
        this.svg.addEventListener('pointerover', (event) => {
            if (event.pointerType === 'touch') {
                return;
            }
            const node = nodeOf(event);
            const edge = /** @type {Element} */ (event.target).closest('.edge');
            const at = node ? index(node) : (edge ? -2 - Number(edge.getAttribute('data-edge')) : undefined);
            if (at !== this.#lit) {
                this.#lit = at;
                this.highlight(at === undefined || at < 0 ? undefined : at, at !== undefined && at < -1 ? -2 - at : undefined);
            }
        });
        this.svg.addEventListener('pointerleave', () => {
            this.#lit = undefined;
            this.highlight(undefined);
        });
        this.svg.addEventListener('focusin', (event) => {
            const node = nodeOf(event);
            if (node?.matches(':focus-visible')) {
                this.highlight(index(node));
            }
        });
        this.svg.addEventListener('keydown', (event) => this.#key(event));
        this.svg.addEventListener('viewport', () => this.#cull());
    }

    /** @param {number} at */
    #choose(at) {
        const name = this.choice?.graph.nodes[at]?.name;
        if (name !== undefined) {
            this.#setTabStop(at);
            /** @type {SVGAElement | undefined} */ (this.drawing?.nodes[at])?.focus({ preventScroll: true });
            state.set({ sel: name });
        }
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const { choice, layout } = this;
        const to = event.key.startsWith('Arrow') && choice !== undefined && layout !== undefined
            ? nodeInDirection(event.key, this.#current, { edges: choice.graph.edges, positions: layout.nodes, isAcross: this.isAcross === true })
            : undefined;
        if (to !== undefined) {
            event.preventDefault();
            this.#choose(to);
            this.highlight(to);
        } else if (event.key.startsWith('Arrow')) {
            event.preventDefault();
        } else if (event.key === 'Escape' && state.get('sel') !== '') {
            state.set({ sel: null });
        }
    }
}

/**
 * @param {import('./graph-data.js').Graph} graph
 * @returns {Set<number>} indexes of the functions on the path of the heaviest calls
 */
function criticalNodes({ edges }) {
    return new Set(edges.filter((edge) => edge.critical).flatMap(({ from, to }) => [from, to]));
}
