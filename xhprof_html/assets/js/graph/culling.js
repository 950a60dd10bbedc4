/** Removes the parts out of sight from the drawing: moving a large one costs as much as its visible part. */
import { HEIGHT, WIDTH } from './boxes.js';

/** Room above a box for its label. */
const HEADROOM = 16;

export class Culling {
    /** Nodes, then edges. */
    #elements;
    /** @type {number[][]} left, top, right, bottom of each */
    #bounds;
    /** @type {Set<number>} */
    #hidden = new Set();

    /**
     * @param {import('./draw.js').Drawing} drawing
     * @param {import('./geometry.js').Layout} layout
     */
    constructor(drawing, layout) {
        this.#elements = [...drawing.nodes, ...drawing.edges];
        this.#bounds = [
            ...layout.nodes.map(({ x, y }) => [x - WIDTH / 2, y - HEIGHT / 2 - HEADROOM, x + WIDTH / 2, y + HEIGHT / 2]),
            // A curve stays between its points.
            ...drawing.edges.map((_, at) => {
                const [x, y] = [(layout.edges[at] ?? []).map((point) => point.x), (layout.edges[at] ?? []).map((point) => point.y)];

                return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
            }),
        ];
    }

    /**
     * @param {{ left: number, top: number, right: number, bottom: number }} sight
     * @param {number} kept a node that is never removed
     */
    hide({ left, top, right, bottom }, kept) {
        this.#bounds.forEach(([x0 = 0, y0 = 0, x1 = 0, y1 = 0], at) => {
            const isHidden = at !== kept && (x1 < left || x0 > right || y1 < top || y0 > bottom);
            if (!isHidden) {
                this.show(at);
            } else if (!this.#hidden.has(at)) {
                this.#elements[at]?.setAttribute('display', 'none');
                this.#hidden.add(at);
            }
        });
    }

    /** @param {number} at */
    show(at) {
        if (this.#hidden.delete(at)) {
            this.#elements[at]?.removeAttribute('display');
        }
    }
}
