/** A treemap on a canvas. A table beside it has the same for those who prefer to read one. */
import { firstNot } from '../core/bisect.js';
import { h } from '../core/dom.js';
import { exact, figure, share } from '../core/format.js';
import { describeKey } from '../core/keys.js';
import { middleCut } from '../core/names.js';
import { onTheme, resolveColours } from '../core/theme.js';
import { tooltip } from '../core/tooltip.js';
import { layout, neighbour, tileAt } from './treemap-model.js';

/**
 * @typedef {import('./treemap-model.js').Item} Item
 * @typedef {import('./treemap-model.js').Tile} Tile
 */

const HEIGHT = 380;
const NARROW = 300;

export class Treemap {
    /** @type {Tile[]} */
    #tiles = [];
    #focus = -1;
    #over = -1;
    /** @type {Item[]} */
    #items = [];

    /**
     * @param {HTMLElement} host
     * @param {number} whole bytes that all bytes are shares of
     * @param {(item: Item) => void} open called for an item that has parts, when it is clicked or Enter is pressed
     * @param {() => void} leave called when Escape is pressed
     */
    constructor(host, whole, open, leave) {
        this.host = host;
        this.whole = whole;
        this.open = open;
        this.leave = leave;
        this.canvas = h('canvas', {
            class: 'treemap-canvas', tabindex: 0, role: 'application', 'aria-label': 'Treemap of the heap; its table is below',
        });
        this.colours = coloursOf(host, []);
        this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d', { alpha: false }));
        this.live = h('p', { class: 'sr', 'aria-live': 'polite' });
        this.tip = tooltip(host, 'treemap-tip');
        host.append(this.canvas, this.live, this.tip.element);
        new ResizeObserver(() => this.draw()).observe(host);
        onTheme(() => this.draw());
        this.#listen();
    }

    /** @param {Item[]} items */
    show(items) {
        this.#items = items;
        this.#focus = this.#over = -1;
        this.tip.hide();
        this.draw();
        if (document.activeElement === this.canvas) {
            this.#focusFirst();
        }
    }

    /** Lays out and paints anew, in the current size and colours. */
    draw() {
        const width = Math.max(160, this.host.clientWidth);
        const height = width < 560 ? NARROW : HEIGHT;
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        this.canvas.style.height = `${height}px`;
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.#tiles = layout(this.#items, width, height);
        this.colours = coloursOf(this.host, this.#tiles.map((tile) => tile.item.family));
        this.#paint();
        // For tests and scripts.
        this.canvas.dataset.tiles = String(this.#tiles.length);
    }

    #paint() {
        const { canvas, colours, context } = this;
        context.fillStyle = colours.ground;
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.textBaseline = 'middle';
        for (const [index, tile] of this.#tiles.entries()) {
            this.#paintTile(tile, index === this.#focus || index === this.#over);
        }
        const focused = this.#tiles[this.#focus];
        if (focused !== undefined && document.activeElement === canvas) {
            context.lineWidth = 3;
            context.strokeStyle = colours.focus;
            context.strokeRect(focused.x + 1.5, focused.y + 1.5, Math.max(1, focused.width - 3), Math.max(1, focused.height - 3));
        }
    }

    /**
     * @param {Tile} tile
     * @param {boolean} isMarked
     */
    #paintTile(tile, isMarked) {
        const { x, y, width, height, item, isLeaf } = tile;
        if (width < 0.5 || height < 0.5) {
            return;
        }
        const { colours, context } = this;
        const family = /** @type {{ fill: string, head: string }} */ (colours.families.get(item.family));
        context.fillStyle = isLeaf ? family.fill : family.head;
        context.fillRect(x, y, width, height);
        context.lineWidth = 1;
        context.strokeStyle = isMarked ? colours.ink : colours.ground;
        if (width > 3 && height > 3) {
            context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
        }
        if (width < 28 || height < 15) {
            return;
        }
        context.save();
        context.beginPath();
        context.rect(x + 2, y + 1, width - 4, height - 2);
        context.clip();
        context.fillStyle = colours.ink;
        const bytes = figure(item.value, 'bytes');
        context.font = isLeaf ? `12px ${colours.font}` : `600 12px ${colours.font}`;
        const room = width - 10;
        const short = this.#fitting(item.short, room);
        if (!isLeaf) {
            context.fillText(short, x + 5, y + 10);
            // As wide as it is drawn: bold.
            const end = x + 5 + context.measureText(short).width;
            context.font = `12px ${colours.font}`;
            if (end + 12 + context.measureText(bytes).width <= x + width - 6) {
                context.textAlign = 'right';
                context.fillText(bytes, x + width - 6, y + 10);
                context.textAlign = 'left';
            }
        } else {
            context.fillText(short, x + 5, y + 10);
            if (height > 32) {
                // A figure is whole or not there.
                context.fillText(context.measureText(bytes).width <= room ? bytes : '', x + 5, y + 25);
            }
        }
        context.restore();
    }

    /**
     * @param {string} text
     * @param {number} room
     * @returns {string} '' where nothing of it would be readable
     */
    #fitting(text, room) {
        if (this.context.measureText(text).width <= room) {
            return text;
        }
        const fits = firstNot(1, text.length, (length) => this.context.measureText(middleCut(text, length)).width <= room) - 1;

        return fits < 3 ? '' : middleCut(text, fits);
    }

    /**
     * @param {Tile} tile
     * @returns {[string, string][]}
     */
    #details({ item }) {
        return [
            ['Own bytes', `${figure(item.own, 'bytes')}, ${share(item.own, this.whole)}`],
            ['Retained', `${figure(item.retained, 'bytes')}, ${share(item.retained, this.whole)}`],
            [item.at === '' ? 'Count' : 'Parts', exact(item.count, 'count')],
        ];
    }

    /** @param {number} index */
    #announce(index) {
        const tile = this.#tiles[index];
        this.live.textContent = tile === undefined
            ? '' : `${tile.item.name}: ${this.#details(tile).map(([term, text]) => `${term} ${text}`).join('; ')}`;
    }

    #listen() {
        const { canvas } = this;
        const moves = /** @type {Record<string, [number, number]>} */ ({
            ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
        });
        canvas.addEventListener('focus', () => {
            this.#focusFirst();
        });
        canvas.addEventListener('blur', () => this.#paint());
        canvas.addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) {
                return;
            }
            const move = moves[event.key];
            if (move !== undefined) {
                event.preventDefault();
                this.#focus = neighbour(this.#tiles, this.#focus, ...move);
                this.#announce(this.#focus);
                this.#paint();
            } else if (event.key === 'Enter') {
                event.preventDefault();
                this.#open(this.#focus);
            } else if (event.key === 'Escape') {
                this.leave();
            }
        });
        canvas.addEventListener('pointermove', (event) => this.#point(event));
        canvas.addEventListener('pointerleave', () => this.#leave());
        canvas.addEventListener('click', (event) => {
            const box = canvas.getBoundingClientRect();
            this.#open(tileAt(this.#tiles, event.clientX - box.left, event.clientY - box.top));
        });
        describeKey('ArrowLeft / ArrowRight / ArrowUp / ArrowDown', 'From tile to tile of the treemap', 'Treemap');
        describeKey('Enter', 'Into the tile; a tile without parts opens its page', 'Treemap');
        describeKey('Escape', 'Out again', 'Treemap');
    }

    /** @param {PointerEvent} event */
    #point(event) {
        const box = this.canvas.getBoundingClientRect();
        const index = tileAt(this.#tiles, event.clientX - box.left, event.clientY - box.top);
        const tile = this.#tiles[index];
        if (tile === undefined) {
            this.#leave();
            return;
        }
        if (index !== this.#over) {
            this.#over = index;
            this.tip.show(tile.item.name, { title: '', lines: this.#details(tile) });
            this.canvas.classList.toggle('over', tile.item.url !== '' || tile.item.at !== '');
            this.#paint();
        }
        this.tip.moveTo(event);
    }

    #leave() {
        if (this.#over >= 0) {
            this.#over = -1;
            this.#paint();
        }
        this.tip.hide();
    }

    #focusFirst() {
        this.#focus = this.#focus < 0 ? this.#tiles.findIndex((tile) => tile.isLeaf) : this.#focus;
        this.#announce(this.#focus);
        this.#paint();
    }

    /** @param {number} index */
    #open(index) {
        const item = this.#tiles[index]?.item;
        if (item === undefined) {
            return;
        }
        if (item.at !== '') {
            this.open(item);
        } else if (item.url !== '') {
            location.assign(item.url);
        }
    }
}

/**
 * Colours of heap.css, in the current theme.
 *
 * @param {HTMLElement} host
 * @param {string[]} families
 */
function coloursOf(host, families) {
    const of = (/** @type {string[]} */ names) => resolveColours(host, names.map((name) => `var(--${name})`));
    const [ink = '', ground = '', focus = ''] = of(['ink', 'page', 'focus']);
    const names = [...new Set(families)];
    const fills = of(names.map((name) => `heap-${name}`));
    const heads = of(names.map((name) => `heap-${name}-head`));
    const fillOf = new Map(names.map((name, at) => [name, { fill: fills[at] ?? '', head: heads[at] ?? '' }]));

    return { families: fillOf, ink, ground, focus, font: getComputedStyle(host).fontFamily };
}
