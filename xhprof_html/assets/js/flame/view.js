/**
 * Frames on a canvas, with zoom, pan, focus and tooltip. This view does not know where the frames come from, and does not
 * touch the address.
 */
import { h } from '../core/dom.js';
import { onTheme, startBlank } from '../core/theme.js';
import { tooltip } from '../core/tooltip.js';
import { resolvePalette } from './colours.js';
import { draw, levelAt, ring, runningCount, topOf } from './draw.js';
import { dragging, wheeling } from './gestures.js';
import { keys } from './keys.js';
import { labels } from './labels.js';
import { frameAt } from './layout.js';
import { overview } from './overview.js';

/**
 * @typedef {import('./layout.js').FrameLayout} FrameLayout
 * @typedef {{title: string, lines: [string, string][]}} FrameDetails text of a frame's tooltip
 *
 * @typedef {object} Options
 * @property {string} label what the canvas shows, for screen readers
 * @property {boolean} [overview] whether a strip above shows the whole graph
 * @property {boolean} [framed] whether the selection is drawn as a border, so that frames keep their colours
 * @property {(node: number) => FrameDetails} details
 * @property {(fn: number) => void} [select] a frame was chosen
 * @property {(fn: number) => void} [pick] a frame was double-clicked or chosen with Space, where that does more than select it
 * @property {(node: number, at: {x: number, y: number}) => void} [menu] a frame's menu was asked for, at a place in the window
 * @property {(node: number) => void} [copy] Ctrl+C on a frame
 * @property {(settled: boolean) => void} [zoomed] another part is in sight; settled is false while it moves
 */

export const ROW = 18;
/** Duration of a zoom, in ms. */
const ZOOM_MS = 200;
/** Least width of a visible frame, in px. */
const VISIBLE = 4;
/** Share of the canvas that a frame gets when it is focused and was too narrow to be seen. */
const BROUGHT = 1 / 16;
/** Levels above the zoomed frame that stay in sight. */
const LEVELS_ABOVE = 2;

export class FlameView {
    /** @type {FrameLayout | null} */
    layout = null;
    /** @type {string[]} */
    names = [];
    /** The zoomed frame. */
    root = 0;
    from = 0;
    to = 1;
    /** Whether callees are drawn above their callers. */
    up = false;

    /** The frame that has the keyboard focus; -1 for none. */
    #focus = -1;
    #hover = -1;
    #frame = 0;
    #animation = 0;
    #height = 0;
    #width = 0;
    /** @type {import('./colours.js').Colouring | null} */
    #colouring = null;
    #font = '11px sans-serif';
    #ink = '';
    /** @type {import('./draw.js').Skin} */
    #skin = { colour: new Uint8Array(0), fills: [], inks: [], ground: '', matches: null, lit: null, selected: -1, root: 0, matched: null, chosen: null };
    #label = (/** @type {number} */ _fn, /** @type {number} */ _room) => '';

    /**
     * @param {HTMLElement} host
     * @param {Options} options
     */
    constructor(host, options) {
        this.host = host;
        this.options = options;
        // The first of a page is what the link to the picture leads to.
        this.canvas = h('canvas', { class: 'flame-canvas', id: document.getElementById('picture') === null ? 'picture' : null, tabindex: 0, role: 'application', 'aria-label': options.label });
        this.space = h('div', { class: 'flame-space' }, this.canvas);
        this.scroller = h('div', { class: 'flame-scroll' }, this.space);
        this.live = h('p', { class: 'sr', 'aria-live': 'polite' });
        this.tip = tooltip(host);
        this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { alpha: false }));
        this.strip = options.overview ? overview(this) : null;
        host.classList.add('flame-view');
        host.append(...(this.strip === null ? [] : [this.strip.canvas]), this.scroller, this.live, this.tip.element);
        this.#listen();
        startBlank(this.context, () => this.layout === null);
    }

    /**
     * @param {FrameLayout} layout
     * @param {string[]} names
     * @param {import('./colours.js').Colouring} colouring
     * @param {{root?: number, from?: number, to?: number}} [zoom]
     */
    show(layout, names, colouring, zoom = {}) {
        cancelAnimationFrame(this.#animation);
        const isOther = this.names !== names;
        this.#skin.lit = null;
        this.layout = layout;
        this.names = names;
        this.#focus = -1;
        this.#hover = -1;
        this.tip.hide();
        this.recolour(colouring);
        if (isOther) {
            this.#font = `11px ${getComputedStyle(this.host).fontFamily}`;
            this.context.font = this.#font;
            this.#label = labels(names, (text) => this.context.measureText(text).width);
        }
        this.#recount();
        this.#resize();
        const root = zoom.root ?? 0;
        this.root = root < layout.fn.length && root >= 0 ? root : 0;
        this.#window(zoom.from ?? layout.x[this.root], zoom.to ?? layout.x[this.root] + layout.width[this.root]);
        this.#reveal(this.root);
        this.options.zoomed?.(true);
        this.redraw(true);
    }

    /** @param {import('./colours.js').Colouring} colouring */
    recolour(colouring) {
        this.#colouring = colouring;
        this.#skin = { ...this.#skin, colour: colouring.colour, gone: colouring.gone, ...resolvePalette(this.scroller, colouring.variables) };
        this.#ink = getComputedStyle(this.host).color;
        this.redraw(true);
    }

    /** Redraws in the colours of a theme that has changed. */
    restyle() {
        this.strip?.restyle();
        if (this.#colouring !== null) {
            this.recolour(this.#colouring);
        }
    }

    /** @param {Uint8Array | null} matches per function */
    highlight(matches) {
        this.#skin.matches = matches;
        this.#recount();
        this.redraw(true);
    }

    /** @param {Uint8Array | null} lit per frame of the layout 1 for those that stand out while nothing is searched for */
    light(lit) {
        this.#skin.lit = lit;
        this.#recount();
        this.redraw(true);
    }

    /** @param {number} fn -1 for none */
    select(fn) {
        if (fn !== this.#skin.selected) {
            this.#skin.selected = fn;
            this.#recount();
            this.redraw(true);
        }
    }

    /** @param {boolean} up */
    setDirection(up) {
        this.up = up;
        this.scroller.scrollTop = up ? this.space.offsetHeight : 0;
        this.#reveal(this.root);
        this.redraw(true);
    }

    /** @returns {import('./draw.js').Camera} */
    camera() {
        return {
            from: this.from, to: this.to, width: this.#width, height: this.#height, scroll: this.scroller.scrollTop, row: ROW,
            up: this.up, ratio: window.devicePixelRatio || 1,
        };
    }

    /** @returns {import('./draw.js').Skin} */
    skin() {
        return { ...this.#skin, root: this.root, framed: this.options.framed };
    }

    /** @param {number} node */
    zoom(node) {
        const { layout } = this;
        if (layout === null || !(layout.width[node] > 0)) {
            return;
        }
        this.root = node;
        this.#reveal(node);
        this.#animate(layout.x[node], layout.x[node] + layout.width[node]);
    }

    /** Zooms out by one level. */
    zoomOut() {
        const { layout } = this;
        if (layout === null) {
            return;
        }
        const whole = this.from <= layout.x[this.root] && this.to >= layout.x[this.root] + layout.width[this.root];
        let node = this.root;
        // Zooming to a caller as wide as its callee would change nothing visible.
        while (whole && node > 0 && layout.width[node] <= layout.width[this.root]) {
            node = layout.parent[node];
        }
        this.zoom(node);
    }

    /**
     * @param {number} from
     * @param {number} to
     * @param {boolean} [animated]
     */
    range(from, to, animated = false) {
        if (animated) {
            this.#animate(from, to);
        } else {
            cancelAnimationFrame(this.#animation);
            this.#window(from, to);
            this.#widenRoot();
            this.#moved(false);
        }
    }

    /**
     * @param {number} factor below 1 to zoom in
     * @param {number} [at] the place that stays fixed, 0 to 1 of the width
     */
    scale(factor, at = 0.5) {
        const size = this.to - this.from;
        const pin = this.from + size * at;
        const next = size * factor;
        this.range(pin - next * at, pin + next * (1 - at));
    }

    /** Reports that the visible part has stopped changing. */
    settle() {
        this.options.zoomed?.(true);
    }

    /**
     * Draws in the next animation frame.
     *
     * @param {boolean} [all] whether the strip is drawn too
     */
    redraw(all = false) {
        if (all) {
            this.strip?.stale();
        }
        if (this.#frame === 0) {
            this.#frame = requestAnimationFrame(() => {
                this.#frame = 0;
                this.paint();
            });
        }
    }

    /** Draws at once. */
    paint() {
        const { layout } = this;
        if (layout === null || this.#width === 0) {
            return;
        }
        const begun = performance.now();
        this.#fit();
        const camera = this.camera();
        const skin = this.skin();
        draw(this.context, layout, camera, skin, (node, room) => this.#label(layout.fn[node], room));
        if (this.#hover >= 0) {
            ring(this.context, layout, camera, this.#hover, { thickness: 1, ink: this.#ink });
        }
        if (this.#focus >= 0 && document.activeElement === this.canvas) {
            ring(this.context, layout, camera, this.#focus, { thickness: 2, ink: this.#ink });
        }
        this.strip?.draw();
        performance.measure('flame-draw', { start: begun });
    }

    /** @param {number} node */
    #announcement(node) {
        const { lines } = this.options.details(node);
        const { layout } = this;
        const name = this.names[layout?.fn[node] ?? 0] ?? '';

        return [name, `level ${layout?.depth[node] ?? 0}`, ...lines.map(([term, text]) => `${term} ${text}`)].join(', ');
    }

    #recount() {
        const { layout } = this;
        const { matches, lit, selected } = this.#skin;
        this.#skin.matched = layout === null || (matches ?? lit) === null ? null
            : runningCount(layout, (fn, node) => (matches === null ? lit?.[node] : matches[fn]) === 1);
        this.#skin.chosen = layout === null || selected < 0 ? null : runningCount(layout, (fn) => fn === selected);
    }

    #resize() {
        const height = this.scroller.clientHeight;
        this.space.style.height = `${Math.max(height, (this.layout?.levels ?? 0) * ROW)}px`;
        // A scroll bar that appears takes some of the width.
        this.#width = this.scroller.clientWidth;
        this.#height = height;
        this.strip?.restyle();
    }

    /** Sizes a canvas to its place on the page, in device pixels; setting the size clears it and resets the font. */
    #fit() {
        const ratio = window.devicePixelRatio || 1;
        const [width, height] = [Math.round(this.#width * ratio), Math.round(this.#height * ratio)];
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
            this.canvas.style.height = `${this.#height}px`;
            this.context.font = this.#font;
        }
    }

    /**
     * @param {number} from
     * @param {number} to
     */
    #window(from, to) {
        const { layout } = this;
        const whole = Math.max(layout?.width[0] ?? 1, Number.MIN_VALUE);
        const size = Math.min(whole, Math.max(to - from, whole * 1e-12, Number.MIN_VALUE));
        this.from = Math.min(Math.max(0, from), Math.max(0, whole - size));
        this.to = this.from + size;
    }

    /** Sets the zoomed frame: the innermost one that contains the whole visible part. */
    #widenRoot() {
        const { layout } = this;
        const slack = (this.to - this.from) * 1e-6;
        while (layout !== null && this.root > 0
            && (layout.x[this.root] > this.from + slack || layout.x[this.root] + layout.width[this.root] < this.to - slack)) {
            this.root = layout.parent[this.root];
        }
    }

    /** @param {boolean} settled */
    #moved(settled) {
        this.options.zoomed?.(settled);
        this.redraw();
    }

    /**
     * @param {number} from
     * @param {number} to
     */
    #animate(from, to) {
        cancelAnimationFrame(this.#animation);
        const [left, right] = [this.from, this.to];
        const begun = performance.now();
        const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
        const step = () => {
            const part = still ? 1 : Math.min(1, (performance.now() - begun) / ZOOM_MS);
            const eased = 1 - (1 - part) ** 3;
            this.#window(left + (from - left) * eased, right + (to - right) * eased);
            if (part < 1) {
                this.#moved(false);
                this.#animation = requestAnimationFrame(step);
            } else {
                this.#widenRoot();
                this.#moved(true);
            }
        };
        step();
    }

    /**
     * Scrolls so that a frame and some of its callers are in sight.
     *
     * @param {number} node
     * @param {number} [margin] rows
     */
    #reveal(node, margin = LEVELS_ABOVE) {
        const { layout } = this;
        if (layout === null) {
            return;
        }
        const top = topOf(this.camera(), layout.levels, layout.depth[node]);
        const [least, most] = this.up ? [0, this.#height - ROW * (margin + 1)] : [ROW * margin, this.#height - ROW * 4];
        if (top < least || top > most) {
            this.scroller.scrollTop += top - (this.up ? most : least);
        }
    }

    /**
     * @param {MouseEvent} event
     * @returns {number} the frame under the pointer, -1 for none
     */
    frameUnder(event) {
        if (this.layout === null) {
            return -1;
        }
        const box = this.canvas.getBoundingClientRect();
        const camera = this.camera();
        const level = levelAt(camera, this.layout.levels, event.clientY - box.top);
        const scale = (camera.to - camera.from) / camera.width;

        return frameAt(this.layout, level, camera.from + (event.clientX - box.left) * scale, scale / 2);
    }

    #listen() {
        const { canvas, scroller } = this;
        new ResizeObserver(() => {
            this.#resize();
            this.redraw(true);
        }).observe(scroller);
        scroller.addEventListener('scroll', () => this.redraw());
        canvas.addEventListener('focus', () => {
            if (this.#focus < 0) {
                this.focusOn(this.root);
            }
            this.redraw();
        });
        canvas.addEventListener('blur', () => this.redraw());
        canvas.addEventListener('pointerleave', () => this.hover(-1));
        canvas.addEventListener('dblclick', (event) => {
            const node = this.frameUnder(event);
            if (node >= 0 && this.layout !== null) {
                this.options.pick?.(this.layout.fn[node]);
            }
        });
        canvas.addEventListener('contextmenu', (event) => {
            const node = this.frameUnder(event);
            if (node >= 0 && this.options.menu !== undefined) {
                event.preventDefault();
                this.openMenu(node, { x: event.clientX, y: event.clientY });
            }
        });
        dragging(this);
        wheeling(this);
        keys(this);
        onTheme(() => this.restyle());
    }

    /** @returns {number} the frame that has the keyboard focus */
    get focused() {
        return this.#focus < 0 ? this.root : this.#focus;
    }

    /**
     * @param {number} node gets the focus ring
     * @param {{x: number, y: number}} [at] in the window; at the frame unless given
     */
    openMenu(node, at) {
        const { layout } = this;
        if (layout === null) {
            return;
        }
        this.#focus = node;
        this.hover(-1);
        this.canvas.focus({ preventScroll: true });
        this.redraw();
        const box = this.canvas.getBoundingClientRect();
        const left = Math.max(this.from, layout.x[node]);
        this.options.menu?.(node, at ?? {
            x: box.left + Math.min(this.#width, (left - this.from) / (this.to - this.from) * this.#width + ROW),
            y: box.top + topOf(this.camera(), layout.levels, layout.depth[node]) + ROW,
        });
    }

    /** @param {number} node is selected and zoomed into; -1 for none */
    choose(node) {
        const { layout } = this;
        if (layout === null || node < 0) {
            return;
        }
        this.#focus = node;
        this.options.select?.(layout.fn[node]);
        this.zoom(node);
    }

    /**
     * @param {number} node that the pointer is at, -1 for none
     * @param {MouseEvent} [event]
     */
    hover(node, event) {
        if (node !== this.#hover) {
            this.#hover = node;
            this.canvas.classList.toggle('over', node >= 0);
            this.redraw();
            if (node < 0) {
                this.tip.hide();
            } else {
                this.tip.show(this.names[this.layout?.fn[node] ?? 0] ?? '', this.options.details(node));
            }
        }
        if (node >= 0 && event !== undefined) {
            this.tip.moveTo(event);
        }
    }

    /** @param {number} node gets the focus ring, and screen readers announce it; -1 for none */
    focusOn(node) {
        const { layout } = this;
        if (layout === null || node < 0) {
            return;
        }
        this.#focus = node;
        const size = this.to - this.from;
        const [left, right] = [layout.x[node], layout.x[node] + layout.width[node]];
        if (right <= this.from || left >= this.to) {
            const middle = (left + right) / 2;
            this.range(middle - size / 2, middle + size / 2);
            this.settle();
        }
        this.#reveal(node, 0);
        this.live.textContent = this.#announcement(node);
        this.redraw();
    }

    /**
     * Moves the focus to a frame. The view zooms in on a frame that is too narrow to be seen, so that it has at least the
     * share BROUGHT of the width.
     *
     * @param {number} node
     */
    bring(node) {
        const { layout } = this;
        if (layout === null || layout.width[node] / (this.to - this.from) * this.#width >= VISIBLE) {
            this.focusOn(node);
            return;
        }
        let around = node;
        while (around > 0 && layout.width[layout.parent[around]] * BROUGHT <= layout.width[node]) {
            around = layout.parent[around];
        }
        this.zoom(around);
        this.#focus = node;
        this.#reveal(node);
        this.live.textContent = this.#announcement(node);
        this.redraw();
    }
}
