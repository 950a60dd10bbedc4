/** Moves and scales a picture inside an SVG element: drag, wheel, pinch, and a small map that marks the visible part. */
import { svg } from '../core/dom.js';

/** Scales. Below VALUES_SCALE values are hidden, below TEXTS_SCALE all texts. */
const MIN_SCALE = 0.04;
const MAX_SCALE = 3;
const VALUES_SCALE = 0.6;
const TEXTS_SCALE = 0.22;

/** Most pixels that a pointer may move during a click. */
const SLACK = 4;

export class Viewport {
    x = 0;
    y = 0;
    scale = 1;
    width = 1;
    height = 1;
    /** Size of the picture, in its own pixels. */
    content = { width: 1, height: 1 };
    /** Whether the last press moved the picture: then it is not a click. */
    moved = false;
    /** Whether the user has moved the picture: then a resize of the window keeps the place. */
    touched = false;

    /** @type {Map<number, { x: number, y: number }>} */
    #pointers = new Map();
    #frame = 0;
    #map;

    /**
     * @param {SVGElement} element
     * @param {SVGElement} group that moves
     * @param {SVGElement} map the small one
     * @param {() => void} onResize after the first time
     */
    constructor(element, group, map, onResize) {
        this.element = element;
        this.group = group;
        this.#map = map;
        element.addEventListener('wheel', (event) => {
            event.preventDefault();
            const pixels = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
            this.zoom(Math.exp(-Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.0022)), this.#at(event));
        }, { passive: false });
        element.addEventListener('pointerdown', (event) => {
            if (event.button === 0) {
                this.moved = this.#pointers.size > 0;
                this.#pointers.set(event.pointerId, this.#at(event));
            }
        });
        element.addEventListener('pointermove', (event) => this.#move(event));
        for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) {
            element.addEventListener(name, ({ pointerId }) => {
                this.#pointers.delete(pointerId);
                element.classList.remove('moving');
            });
        }
        map.addEventListener('pointerdown', (event) => {
            map.setPointerCapture(event.pointerId);
            this.#jump(event);
        });
        map.addEventListener('pointermove', (event) => {
            if (map.hasPointerCapture(event.pointerId)) {
                this.#jump(event);
            }
        });
        let isFirst = true;
        new ResizeObserver(() => {
            this.measure();
            if (!isFirst) {
                onResize();
            }
            isFirst = false;
            this.#paint();
        }).observe(element);
        this.measure();
    }

    measure() {
        const { width, height } = this.element.getBoundingClientRect();
        this.width = Math.max(1, width);
        this.height = Math.max(1, height);
    }

    /**
     * @param {{ width: number, height: number }} content
     * @param {import('./geometry.js').Point[]} nodes
     * @param {{ width: number, height: number }} size of a node
     */
    show(content, nodes, size) {
        this.content = content;
        const { width, height } = content;
        this.#map.setAttribute('viewBox', `0 0 ${width} ${height}`);
        this.#map.replaceChildren(
            ...nodes.map(({ x, y }) => svg('rect', { class: 'dot', x: x - size.width / 2, y: y - size.height / 2, ...size })),
            svg('rect', { class: 'seen' }),
        );
    }

    /** The part of the picture that is in the window, and a little around it. */
    get sight() {
        const around = 80;

        return {
            left: (-this.x - around) / this.scale,
            top: (-this.y - around) / this.scale,
            right: (this.width - this.x + around) / this.scale,
            bottom: (this.height - this.y + around) / this.scale,
        };
    }

    /** The scale at which all of it can be seen. */
    get fitting() {
        const margin = 32;

        return Math.min(1.15, Math.max(MIN_SCALE, Math.min((this.width - margin) / this.content.width, (this.height - margin) / this.content.height)));
    }

    fit() {
        this.touched = true;
        this.scale = this.fitting;
        this.x = (this.width - this.content.width * this.scale) / 2;
        this.y = (this.height - this.content.height * this.scale) / 2;
        this.#later();
    }

    /**
     * Puts a point of the picture at a place of the window.
     *
     * @param {{ x: number, y: number }} point
     * @param {number} scale
     * @param {{ x: number, y: number }} anchor shares of the window
     */
    lookAt(point, scale, anchor) {
        this.scale = scale;
        this.x = this.width * anchor.x - point.x * scale;
        this.y = this.height * anchor.y - point.y * scale;
        this.#later();
    }

    /** Moves the picture so that it fills the window as far as it can. */
    keepFull() {
        const margin = 24;
        const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ window) =>
            (size + 2 * margin > window ? Math.min(margin, Math.max(window - size - margin, at)) : (window - size) / 2);
        this.x = within(this.x, this.content.width * this.scale, this.width);
        this.y = within(this.y, this.content.height * this.scale, this.height);
        this.#later();
    }

    /**
     * Makes a box visible with the least movement.
     *
     * @param {{ x: number, y: number }} point its middle
     * @param {{ width: number, height: number }} size
     */
    reveal(point, size) {
        const x = this.x + point.x * this.scale;
        const y = this.y + point.y * this.scale;
        const over = (/** @type {number} */ at, /** @type {number} */ half, /** @type {number} */ whole) =>
            Math.max(0, half + 12 - at) - Math.max(0, at + half + 12 - whole);
        this.x += over(x, size.width * this.scale / 2, this.width);
        this.y += over(y, size.height * this.scale / 2, this.height);
        this.#later();
    }

    /**
     * @param {number} factor
     * @param {{ x: number, y: number }} [at] pixels of the window that stay where they are
     */
    zoom(factor, at = { x: this.width / 2, y: this.height / 2 }) {
        const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, this.scale * factor));
        this.x = at.x - (at.x - this.x) * scale / this.scale;
        this.y = at.y - (at.y - this.y) * scale / this.scale;
        this.scale = scale;
        this.touched = true;
        this.#later();
    }

    /**
     * @param {number} dx
     * @param {number} dy
     */
    pan(dx, dy) {
        this.x += dx;
        this.y += dy;
        this.touched = true;
        this.#later();
    }

    /** Draws once with the next frame, for all movements until then. */
    #later() {
        if (this.#frame === 0) {
            this.#frame = requestAnimationFrame(() => this.#paint());
        }
    }

    #paint() {
        this.#frame = 0;
        // Some of the picture always stays in sight.
        const keep = 80;
        this.x = Math.min(this.width - keep, Math.max(keep - this.content.width * this.scale, this.x));
        this.y = Math.min(this.height - keep, Math.max(keep - this.content.height * this.scale, this.y));
        this.group.setAttribute('transform', `translate(${this.x.toFixed(1)} ${this.y.toFixed(1)}) scale(${this.scale.toFixed(4)})`);
        this.element.classList.toggle('far', this.scale < VALUES_SCALE);
        this.element.classList.toggle('dust', this.scale < TEXTS_SCALE);
        const seen = this.#map.querySelector('.seen');
        const sides = { x: -this.x / this.scale, y: -this.y / this.scale, width: this.width / this.scale, height: this.height / this.scale };
        for (const [name, value] of Object.entries(sides)) {
            seen?.setAttribute(name, value.toFixed(1));
        }
        this.#map.toggleAttribute('hidden', sides.x <= 0 && sides.y <= 0 && sides.x + sides.width >= this.content.width && sides.y + sides.height >= this.content.height);
        this.element.dispatchEvent(new CustomEvent('viewport', { detail: this.scale }));
    }

    /**
     * @param {MouseEvent} event
     * @returns {{ x: number, y: number }}
     */
    #at(event) {
        const { left, top } = this.element.getBoundingClientRect();

        return { x: event.clientX - left, y: event.clientY - top };
    }

    /** @param {PointerEvent} event */
    #move(event) {
        const was = this.#pointers.get(event.pointerId);
        if (was === undefined) {
            return;
        }
        const is = this.#at(event);
        const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (other !== undefined) {
            this.zoom(Math.hypot(is.x - other.x, is.y - other.y) / Math.max(1, Math.hypot(was.x - other.x, was.y - other.y)), {
                x: (is.x + other.x) / 2, y: (is.y + other.y) / 2,
            });
            this.pan((is.x - was.x) / 2, (is.y - was.y) / 2);
        } else if (this.moved || Math.hypot(is.x - was.x, is.y - was.y) > SLACK) {
            if (!this.moved) {
                // Captured only now: a captured click would go to the window, not to the box.
                this.element.setPointerCapture(event.pointerId);
                this.element.classList.add('moving');
            }
            this.moved = true;
            this.pan(is.x - was.x, is.y - was.y);
        } else {
            return;
        }
        this.#pointers.set(event.pointerId, is);
    }

    /** @param {PointerEvent} event on the map */
    #jump(event) {
        const matrix = /** @type {SVGSVGElement} */ (this.#map).getScreenCTM();
        if (matrix !== null) {
            const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
            this.touched = true;
            this.lookAt({ x, y }, this.scale, { x: 0.5, y: 0.5 });
        }
    }
}
