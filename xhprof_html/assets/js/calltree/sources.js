/**
 * Rows of a call tree: call paths below their callers (top-down), or functions with their callers below them
 * (bottom-up). Pure: no DOM, no network.
 */

import { limitOf } from '../profile/tree.js';

/**
 * @typedef {import('../profile/tree.js').TreeColumns} TreeColumns
 * @typedef {import('../profile/run-file.js').Numbers} Numbers
 *
 * @typedef {object} Source of rows, named by numbers from 0
 * @property {number} size rows that there are so far
 * @property {boolean} isWhole whether all rows are there from the start
 * @property {Int32Array} roots
 * @property {(row: number) => Int32Array} kids rows below it, one level deeper
 * @property {(row: number) => boolean} opens whether it has kids
 * @property {(row: number) => boolean} isRest whether its kids must be loaded
 * @property {(row: number) => number} parent -1 for a root
 * @property {(row: number) => number} level 0 for a root
 * @property {(row: number) => number} fn
 * @property {(row: number) => number} total
 * @property {(row: number) => number} self
 * @property {(row: number) => number} calls
 * @property {(row: number) => number} cost the figure that a row gets from those above it: the hot path follows the largest
 * @property {(row: number, kid: number) => boolean} continues whether the hot path goes on from a row to its costliest kid
 */

/** Call paths: a row is a node of the tree, its kids are its callees. */
export class TopDown {
    /** @param {TreeColumns} columns */
    constructor(columns) {
        this.columns = columns;
        this.size = columns.fn.length;
        this.isWhole = true;
        this.roots = Int32Array.of(0);
        const of = (/** @type {Numbers} */ column) => (/** @type {number} */ row) => column[row];
        this.parent = of(columns.parent);
        this.level = of(columns.depth);
        this.fn = of(columns.fn);
        this.total = this.cost = of(columns.inclusive);
        this.self = of(columns.self);
        this.calls = of(columns.ct);
    }

    /** @param {number} row */
    kids(row) {
        const { end } = this.columns;
        let count = 0;
        for (let kid = row + 1; kid < end[row]; kid = end[kid]) {
            count++;
        }
        const kids = new Int32Array(count);
        for (let kid = row + 1, at = 0; kid < end[row]; kid = end[kid]) {
            kids[at++] = kid;
        }

        return kids;
    }

    /** @param {number} row */
    opens(row) {
        return this.columns.end[row] > row + 1 || this.isRest(row);
    }

    /**
     * @param {number} row
     * @returns {boolean} whether it stands for call paths that can be loaded
     */
    isRest(row) {
        return (this.columns.origin?.[row] ?? 0) < 0;
    }

    /**
     * Down to the path whose own cost is larger than that of any callee.
     *
     * @param {number} row
     * @param {number} kid
     */
    continues(row, kid) {
        return this.cost(kid) > this.self(row);
    }

    /**
     * @param {Uint8Array} matches per function
     * @returns {{kept: Uint8Array, open: Uint8Array}} per row whether a search keeps it (it matches, or a row above or below it
     *     does), and whether a row below it matches
     */
    found(matches) {
        const { fn, parent } = this.columns;
        const open = new Uint8Array(this.size);
        for (let node = this.size - 1; node > 0; node--) {
            open[parent[node]] |= open[node] | matches[fn[node]];
        }
        const kept = new Uint8Array(this.size);
        const within = new Uint8Array(this.size);
        for (let node = 0; node < this.size; node++) {
            within[node] = node > 0 ? within[parent[node]] | matches[fn[parent[node]]] : 0;
            kept[node] = open[node] | within[node] | matches[fn[node]];
        }

        return { kept, open };
    }
}

/**
 * Functions: below each its callers, below a caller those of the calls that came to the function, and so on to main(). Rows are
 * made when their parent is opened. Self is the function's own cost on the paths through the row, total its cost with callees,
 * that of an inner call of a recursion counted with the outer one.
 */
export class BottomUp {
    /** @type {Row[]} */
    #rows = [];
    /** Per function its row while rows are made, -1 for none. */
    #rowOf;

    /** @param {TreeColumns} columns */
    constructor(columns) {
        this.columns = columns;
        this.isWhole = false;
        this.isRest = (/** @type {number} */ _row) => false;
        const of = (/** @type {'parent' | 'level' | 'fn' | 'total' | 'self' | 'ct'} */ key) => (/** @type {number} */ row) => this.#rows[row][key];
        this.parent = of('parent');
        this.level = of('level');
        this.fn = of('fn');
        this.total = of('total');
        this.self = this.cost = of('self');
        this.calls = of('ct');
        this.#rowOf = new Int32Array(limitOf(columns.fn)).fill(-1);
        this.roots = this.#split(-1, Int32Array.from(columns.fn.keys()), null);
    }

    get size() {
        return this.#rows.length;
    }

    /** @param {number} row */
    kids(row) {
        const one = this.#rows[row];
        if (one.kids === null) {
            const { parent } = this.columns;
            const callers = one.at.map((node) => parent[node]);
            one.kids = this.#split(row, one.calls, callers);
        }

        return one.kids;
    }

    /** @param {number} row */
    opens(row) {
        const { parent } = this.columns;
        const { kids, at } = this.#rows[row];

        return kids === null ? at.some((node) => parent[node] >= 0) : kids.length > 0;
    }

    /**
     * Up to where no caller has half of the function's cost.
     *
     * @param {number} row
     * @param {number} kid
     */
    continues(row, kid) {
        return 2 * this.cost(kid) >= this.cost(row);
    }

    /**
     * @param {Uint8Array} matches per function
     * @returns {{kept: Uint8Array, open: null}} per root whether it matches; what is below one that does is kept
     */
    found(matches) {
        return { kept: Uint8Array.from(this.roots, (row) => matches[this.fn(row)]), open: null };
    }

    /**
     * Groups calls by the function of the node that each has come to on its way to main().
     *
     * @param {number} parent row
     * @param {Int32Array} calls nodes of the function, in preorder
     * @param {Int32Array | null} at per call the node that the way has come to, below 0 for its end; null for the call itself
     * @returns {Int32Array} the rows made
     */
    #split(parent, calls, at) {
        const { fn, end, self, inclusive, ct } = this.columns;
        const level = parent < 0 ? 0 : this.#rows[parent].level + 1;
        const place = at ?? calls;
        const rowOf = this.#rowOf;
        const first = this.#rows.length;
        const groups = new Int32Array(calls.length);
        for (let i = 0; i < calls.length; i++) {
            if (place[i] < 0) {
                groups[i] = -1;
                continue;
            }
            const caller = fn[place[i]];
            let row = rowOf[caller];
            if (row < 0) {
                row = rowOf[caller] = this.#rows.length;
                this.#rows.push({ fn: caller, parent, level, calls: NONE, at: NONE, kids: null, total: 0, self: 0, ct: 0, count: 0, until: 0 });
            }
            groups[i] = row;
            const one = this.#rows[row];
            const node = calls[i];
            one.count++;
            one.self += self[node];
            one.ct += ct[node];
            if (node >= one.until) {
                one.total += inclusive[node];
                one.until = end[node];
            }
        }
        for (let row = first; row < this.#rows.length; row++) {
            const one = this.#rows[row];
            rowOf[one.fn] = -1;
            one.calls = new Int32Array(one.count);
            one.at = at === null ? one.calls : new Int32Array(one.count);
            one.count = 0;
        }
        for (let i = 0; i < calls.length; i++) {
            if (groups[i] >= 0) {
                const one = this.#rows[groups[i]];
                one.calls[one.count] = calls[i];
                one.at[one.count++] = place[i];
            }
        }

        return Int32Array.from({ length: this.#rows.length - first }, (_, i) => first + i);
    }
}

/**
 * @typedef {{
 *     fn: number, parent: number, level: number, calls: Int32Array, at: Int32Array, kids: Int32Array | null,
 *     total: number, self: number, ct: number, count: number, until: number,
 * }} Row
 */

const NONE = new Int32Array(0);
