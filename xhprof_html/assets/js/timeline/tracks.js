/**
 * Tracks above the frames of a timeline: the ruler of real time, the memory, and marks. The part in sight is that of the frames
 * below; a drag selects another one.
 */
import { h } from '../core/dom.js';
import { figure } from '../core/format.js';
import { visible } from '../core/names.js';
import { inkOn, onTheme, resolveColours, startBlank } from '../core/theme.js';
import { visibleMarks } from './marks.js';
import { MemoryCurve } from './memory-curve.js';
import { ticks } from './ruler.js';

/**
 * @typedef {import('../profile/timeline.js').Track} Track
 * @typedef {import('../flame/view.js').FlameView} FlameView
 * @typedef {import('./parts-track.js').Buckets} Buckets
 *
 * Data of a timeline of calls beside its frames.
 *
 * @typedef {{tracks: Track[], memory: import('./memory-curve.js').Levels | null, count: number, threshold: number, asked: number, folded: number}} Shown
 */

const RULER = 22;
const MEMORY = 40;
const TRACK = 16;
/** Its name stands above it. */
const PARTS = 40;
const NAME = 14;
/** CSS pixels between two ticks. */
const TICK = 110;
/** Pixels of a drag; a shorter one is a click. */
const CLICK = 4;

export class Tracks {
    /** @type {Track[]} */
    #tracks = [];
    /** @type {MemoryCurve | null} */
    #memory = null;
    /** @type {{from: number, to: number} | null} the range that is being selected */
    #drag = null;
    #frame = 0;
    #ink = '';
    #soft = '';
    #line = '';
    #ground = '';
    #fill = '';
    #hit = '';

    /** Where the time was: colours of the parts, and how ranges are divided among them, those to be drawn last at the end. */
    #parts = { colours: /** @type {string[]} */ ([]), fills: /** @type {string[]} */ ([]), ranges: /** @type {Buckets[]} */ ([]) };

    /** @param {FlameView} view of the frames, above which this stands */
    constructor(view) {
        this.view = view;
        this.canvas = h('canvas', { class: 'timeline-tracks', title: 'Drag to select a range, turn the wheel to zoom', 'aria-hidden': 'true' });
        this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { alpha: false }));
        view.host.insertBefore(this.canvas, view.scroller);
        this.#listen();
        startBlank(this.context, () => view.layout === null);
    }

    /**
     * @param {Track[]} tracks
     * @param {import('./memory-curve.js').Levels | null} memory
     */
    show(tracks, memory) {
        this.#tracks = tracks;
        this.#memory = memory === null ? null : new MemoryCurve(memory);
        this.canvas.style.height = `${this.height}px`;
        this.restyle();
    }

    /** @param {Track | null} track calls of a finding, above the others; null for none */
    light(track) {
        this.#tracks = [...(track === null ? [] : [track]), ...this.#tracks.filter(({ key }) => key !== 'lit')];
        this.canvas.style.height = `${this.height}px`;
        this.redraw();
    }

    /**
     * @param {string[]} colours of the parts
     * @param {Buckets[]} ranges
     */
    showParts(colours, ranges) {
        this.#parts = { colours, fills: [], ranges };
        this.canvas.style.height = `${this.height}px`;
        this.restyle();
    }

    get height() {
        return RULER + (this.#parts.ranges.length === 0 ? 0 : PARTS) + (this.#memory === null ? 0 : MEMORY) + this.#tracks.length * TRACK;
    }

    restyle() {
        const names = ['--ink', '--ink-soft', '--line', '--raised', '--frame-memory-1', '--frame-hit'];
        [this.#ink = '', this.#soft = '', this.#line = '', this.#ground = '', this.#fill = '', this.#hit = ''] = resolveColours(this.view.host, names.map((name) => `var(${name})`));
        this.#parts.fills = resolveColours(this.view.host, this.#parts.colours.map((name) => `var(${name})`));
        this.redraw();
    }

    redraw() {
        if (this.#frame === 0) {
            this.#frame = requestAnimationFrame(() => {
                this.#frame = 0;
                this.paint();
            });
        }
    }

    /** Draws now. */
    paint() {
        const { context, canvas, view } = this;
        const ratio = window.devicePixelRatio || 1;
        const width = view.scroller.clientWidth;
        if (view.layout === null || width === 0) {
            return;
        }
        const begun = performance.now();
        const [deviceWidth, deviceHeight] = [Math.round(canvas.clientWidth * ratio), Math.round(this.height * ratio)];
        if (canvas.width !== deviceWidth || canvas.height !== deviceHeight) {
            canvas.width = deviceWidth;
            canvas.height = deviceHeight;
        }
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = this.#ground;
        context.fillRect(0, 0, canvas.clientWidth, this.height);
        context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
        context.textBaseline = 'middle';
        this.#ruler(width);
        let top = RULER;
        if (this.#parts.ranges.length > 0) {
            this.#parts.ranges.forEach((range) => this.#divided(range, width, top));
            this.#name('Where the time was', 2, top + 7);
            top += PARTS;
        }
        if (this.#memory !== null) {
            this.#curve(this.#memory, width, top);
            top += MEMORY;
        }
        for (const track of this.#tracks) {
            this.#track(track, width, top);
            top += TRACK;
        }
        if (this.#drag !== null) {
            const [left, right] = [this.#x(this.#drag.from, width), this.#x(this.#drag.to, width)];
            context.globalAlpha = 0.2;
            context.fillStyle = this.#ink;
            context.fillRect(Math.min(left, right), 0, Math.abs(right - left), this.height);
            context.globalAlpha = 1;
        }
        performance.measure('tracks-draw', { start: begun });
    }

    /**
     * @param {number} time
     * @param {number} width
     * @returns {number}
     */
    #x(time, width) {
        const { from, to } = this.view;

        return (time - from) / (to - from) * width;
    }

    /** @param {number} width */
    #ruler(width) {
        const { context } = this;
        const { from, to } = this.view;
        for (const { at, text } of ticks(from, to, Math.max(2, Math.floor(width / TICK)))) {
            const x = Math.round(this.#x(at, width)) + 0.5;
            context.fillStyle = this.#line;
            context.fillRect(x - 0.5, 0, 1, this.height);
            context.fillStyle = this.#soft;
            if (x + 4 + context.measureText(text).width <= width) {
                context.fillText(text, x + 4, RULER / 2);
            }
        }
        context.fillStyle = this.#line;
        context.fillRect(0, RULER - 1, width, 1);
    }

    /**
     * @param {Buckets} range
     * @param {number} width
     * @param {number} top
     */
    #divided({ from, to, count, sums }, width, top) {
        const { context } = this;
        const { fills } = this.#parts;
        const size = (to - from) / count;
        const whole = PARTS - NAME - 2;
        const first = Math.max(0, Math.floor((this.view.from - from) / size));
        for (let bucket = first; bucket < count && from + bucket * size < this.view.to; bucket++) {
            const left = Math.round(this.#x(from + bucket * size, width));
            const right = Math.max(left + 1, Math.round(this.#x(from + (bucket + 1) * size, width)));
            context.fillStyle = this.#ground;
            context.fillRect(left, top + NAME, right - left, whole);
            let bottom = top + NAME + whole;
            for (let part = 0; part < fills.length; part++) {
                const height = sums[bucket * fills.length + part] / size * whole;
                if (height > 0) {
                    context.fillStyle = fills[part];
                    context.fillRect(left, bottom - height, right - left, height);
                    bottom -= height;
                }
            }
        }
    }

    /**
     * @param {MemoryCurve} curve
     * @param {number} width
     * @param {number} top
     */
    #curve(curve, width, top) {
        const { context } = this;
        const { from, to } = this.view;
        const parts = curve.parts(from, to, width);
        const y = (/** @type {number} */ bytes) => top + MEMORY - 2 - bytes / Math.max(1, curve.top) * (MEMORY - 6);
        const at = (/** @type {number} */ t) => Math.max(0, Math.min(width, this.#x(t, width)));
        context.beginPath();
        // The memory in use before the first point is not known.
        context.moveTo(parts.length === 0 ? 0 : at(parts[0].t), top + MEMORY - 2);
        let last = parts.length === 0 ? 0 : parts[0].most;
        for (const { t, most } of parts) {
            const x = at(t);
            context.lineTo(x, y(last));
            context.lineTo(x, y(most));
            last = most;
        }
        context.lineTo(width, y(last));
        context.lineTo(width, top + MEMORY - 2);
        context.fillStyle = this.#fill;
        context.fill();
        this.#name(`Memory, up to ${figure(curve.top, 'bytes')}`, 2, top + 8);
    }

    /**
     * @param {Track} track
     * @param {number} width
     * @param {number} top
     */
    #track(track, width, top) {
        const { context } = this;
        const { label, text, texts } = track;
        const marks = visibleMarks(track, this.view.from, this.view.to, width);
        const fill = track.key === 'lit' ? this.#hit : this.#fill;
        context.fillStyle = fill;
        for (const { left, right } of marks) {
            context.fillRect(left, top + 2, Math.max(1, right - left - 1), TRACK - 4);
        }
        context.fillStyle = inkOn(fill);
        for (const { left, right, mark } of marks) {
            if (mark >= 0 && right - left > 40) {
                context.save();
                context.beginPath();
                context.rect(left, top, right - left - 4, TRACK);
                context.clip();
                context.fillText(visible(texts[text[mark]], 80), left + 4, top + TRACK / 2 + 0.5);
                context.restore();
            }
        }
        const [first, right] = marks.length === 0 ? [-1, -1] : [marks[0].left, marks[marks.length - 1].right];
        const room = context.measureText(label).width + 16;
        // Marks that are too narrow have no text that it would cover; those of a finding are to be seen.
        if (first < 0 || first > room || (marks[0].mark < 0 && track.key !== 'lit')) {
            this.#name(label, 2, top + TRACK / 2);
        } else if (right + room < width) {
            this.#name(label, right + 4, top + TRACK / 2);
        }
    }

    /**
     * @param {string} text
     * @param {number} x
     * @param {number} y
     */
    #name(text, x, y) {
        const { context } = this;
        context.fillStyle = this.#ground;
        context.globalAlpha = 0.75;
        context.fillRect(x, y - 7, context.measureText(text).width + 6, 14);
        context.globalAlpha = 1;
        context.fillStyle = this.#soft;
        context.fillText(text, x + 3, y + 0.5);
    }

    #listen() {
        const { canvas, view } = this;
        const at = (/** @type {MouseEvent} */ event) => {
            const box = canvas.getBoundingClientRect();

            return view.from + Math.min(1, Math.max(0, (event.clientX - box.left) / view.scroller.clientWidth)) * (view.to - view.from);
        };
        let pressed = 0;
        canvas.addEventListener('pointerdown', (event) => {
            if (event.button === 0) {
                pressed = event.clientX;
                this.#drag = { from: at(event), to: at(event) };
                canvas.setPointerCapture(event.pointerId);
            }
        });
        canvas.addEventListener('pointermove', (event) => {
            if (this.#drag !== null) {
                this.#drag.to = at(event);
                this.redraw();
            }
        });
        const end = (/** @type {PointerEvent} */ event) => {
            const drag = this.#drag;
            this.#drag = null;
            if (drag !== null && event.type === 'pointerup' && Math.abs(event.clientX - pressed) >= CLICK) {
                view.range(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to), true);
            }
            this.redraw();
        };
        canvas.addEventListener('pointerup', end);
        canvas.addEventListener('pointercancel', end);
        canvas.addEventListener('dblclick', () => view.zoom(0));
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        let settling;
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            const by = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
            view.scale(Math.exp(Math.max(-120, Math.min(120, by)) / 300), (at(event) - view.from) / (view.to - view.from));
            clearTimeout(settling);
            settling = setTimeout(() => view.settle(), 150);
        }, { passive: false });
        onTheme(() => this.restyle());
        new ResizeObserver(() => this.redraw()).observe(view.scroller);
    }
}
