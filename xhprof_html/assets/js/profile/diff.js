/** Two trees laid over each other by call path. Pure. */
import { Merger, functionsOf } from './merge.js';
import { Tree } from './tree.js';

/**
 * @typedef {import('./run-file.js').Numbers} Numbers
 *
 * Figures of both sides per node of a tree, for one metric: with callees, own ones, calls.
 *
 * @typedef {{
 *     a: Float64Array, b: Float64Array, ownA: Numbers, ownB: Numbers, ctA: Numbers, ctB: Numbers,
 *     only: Uint8Array, machine: Uint8Array, chance: Uint8Array, totals: {a: number, b: number},
 * }} SideFigures
 *
 * only: 0 in both, 1 in a alone, 2 in b alone. machine: 1 for a path whose change is the machine's. chance: 1 for a path of both
 * whose function's change may be chance.
 *
 * @typedef {import('./tree.js').TreeColumns & SideFigures} DiffColumns
 */

/** Columns that say on which sides a path is, see Union.mark(). */
const MARKS = { a: 'a.is', b: 'b.is' };

/**
 * The union of two trees. Of a metric it has the columns "a.wt", "b.wt" and "max.wt", own figures of the first, of the second, and the
 * larger one per node; figures() makes them.
 */
export class Union extends Tree {
    #sides;

    /**
     * @param {Tree} a before
     * @param {Tree} b after
     * @param {Map<string, string>} [renamed] names of functions before => after, where they differ
     */
    constructor(a, b, renamed = new Map()) {
        const { names, fromB } = mergeNames(a.names.map((name) => renamed.get(name) ?? name), b.names);
        const merger = new Merger(0);
        const placed = [place(merger, a, (fn) => fn), place(merger, b, (fn) => fromB[fn])];
        const { fn, depth, position } = merger.finish();
        super(names, narrowed(fn, names.length), narrowed(depth, depth.length), new Map());
        /** Per node: 0 in both, 1 in a alone, 2 in b alone. */
        this.only = new Uint8Array(this.n);
        for (const [side, places] of placed.entries()) {
            for (let node = 0; node < places.length; node++) {
                places[node] = position[places[node]];
                this.only[places[node]] |= side + 1;
            }
        }
        for (let node = 0; node < this.n; node++) {
            this.only[node] %= 3;
        }
        this.#sides = [a, b].map((tree, side) => ({ tree, places: placed[side] }));
        a.forget();
        b.forget();
        const ofB = new Set(b.metrics().map(({ k }) => k));
        /** Metrics that both have, now or later. */
        this.common = a.metrics().filter(({ k }) => ofB.has(k));
    }

    /**
     * Makes the columns of these metrics, and forgets those of others.
     *
     * @param {string[]} metrics that both have loaded
     */
    figures(metrics) {
        this.forget();
        this.self.clear();
        for (const metric of metrics) {
            const [before, after] = this.#sides.map(({ tree, places }) => spread(tree.exclusive(metric), places, this.n));
            this.self.set(`a.${metric}`, before);
            this.self.set(`b.${metric}`, after);
            this.self.set(`max.${metric}`, larger(before, after));
        }
    }

    /** Adds columns of figures that say on which sides a path is: what is merged of this tree has them too. */
    mark() {
        this.self.set(MARKS.a, this.only.map((side) => (side === 2 ? 0 : 1)));
        this.self.set(MARKS.b, this.only.map((side) => (side === 1 ? 0 : 1)));
    }

    /**
     * @param {string} metric
     * @returns {string[]} columns that a tree needs which is merged of this one, for finished()
     */
    columnsFor(metric) {
        return [...new Set([metric, 'ct'])].flatMap((key) => [`a.${key}`, `b.${key}`]).concat(MARKS.a, MARKS.b);
    }

    /**
     * The functions of both sides.
     *
     * @param {string} metric
     * @param {'own' | 'incl'} by
     * @returns {{fn: Int32Array, a: Float64Array, b: Float64Array, only: Uint8Array, ctA: Float64Array, ctB: Float64Array}}
     */
    functions(metric, by) {
        const [a, b] = (/** @type {const} */ (['a', 'b'])).map((side) => functionsOf(this, `${side}.${metric}`, 0, `${side}.ct`));
        const [inA, inB] = [MARKS.a, MARKS.b].map((mark) => functionsOf(this, `a.${metric}`, 0, mark).ct);
        const column = by === 'own' ? 'exclusive' : 'inclusive';

        return { fn: a.fn, a: a[column], b: b[column], only: sidesOf(inA, inB), ctA: a.ct, ctB: b.ct };
    }
}

/**
 * Adds to a tree that was merged of a union what its frames are as wide as.
 *
 * @param {Tree} tree
 * @param {string} metric
 * @returns {Uint8Array} per node: 0 in both, 1 in a alone, 2 in b alone
 */
export function finished(tree, metric) {
    tree.self.set(`max.${metric}`, larger(tree.exclusive(`a.${metric}`), tree.exclusive(`b.${metric}`)));

    return sidesOf(tree.inclusive(MARKS.a), tree.inclusive(MARKS.b));
}

/**
 * @param {Float64Array} inA above 0 for what the side has
 * @param {Float64Array} inB
 * @returns {Uint8Array} 0 in both, 1 in a alone, 2 in b alone
 */
function sidesOf(inA, inB) {
    return Uint8Array.from(inA, (count, at) => (inB[at] > 0 ? (count > 0 ? 0 : 2) : 1));
}

/**
 * @param {Numbers} a
 * @param {Numbers} b
 * @returns {Float64Array}
 */
function larger(a, b) {
    return new Float64Array(a).map((value, node) => Math.max(value, b[node]));
}

/**
 * @param {Merger} merger
 * @param {Tree} tree
 * @param {(fn: number) => number} nameOf
 * @returns {Int32Array} the merger's node for each of the tree's
 */
function place(merger, { n, fn, parent }, nameOf) {
    const places = new Int32Array(n);
    const isFirst = merger.n === 0;
    for (let node = 0; node < n; node++) {
        // The roots of both are the same place, whatever their names.
        places[node] = node > 0 ? merger.node(places[parent[node]], nameOf(fn[node])) : (isFirst ? merger.node(-1, nameOf(fn[0])) : 0);
    }

    return places;
}

/**
 * @param {Numbers} values
 * @param {Int32Array} places where they go: several may go to one
 * @param {number} n
 * @returns {Numbers}
 */
function spread(values, places, n) {
    const sums = new Float64Array(n);
    for (let node = 0; node < places.length; node++) {
        sums[places[node]] += values[node];
    }
    /** @type {Numbers} */
    const narrow = new /** @type {any} */ (values.constructor)(sums);

    return sums.every((sum, node) => sum === narrow[node]) ? narrow : sums;
}

/**
 * @param {Int32Array} indexes
 * @param {number} limit they are below it
 * @returns {import('./run-file.js').Indexes}
 */
function narrowed(indexes, limit) {
    return limit <= 1 << 16 ? new Uint16Array(indexes) : indexes;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @returns {{names: string[], fromB: Int32Array}}
 */
function mergeNames(a, b) {
    const names = [...a];
    /** @type {Map<string, number>} */
    const index = new Map();
    for (let i = a.length - 1; i >= 0; i--) {
        index.set(a[i], i);
    }
    const fromB = Int32Array.from(b, (name) => {
        const known = index.get(name) ?? names.length;
        if (known === names.length) {
            names.push(name);
            index.set(name, known);
        }

        return known;
    });

    return { names, fromB };
}

/** Least share of the whole that is visible: the many small changes of narrower frames would dominate the scale. */
const VISIBLE_SHARE = 1 / 1000;

/**
 * @param {{a: Float64Array, b: Float64Array, ownA: Numbers, ownB: Numbers}} sides figures of both
 * @param {'own' | 'incl'} by
 * @returns {(node: number) => number}
 */
export function changeOf({ a, b, ownA, ownB }, by) {
    const [before, after] = by === 'own' ? [ownA, ownB] : [a, b];

    return (node) => after[node] - before[node];
}

/**
 * The end of a symmetric scale of changes: the 99th percentile of their sizes in visible frames, so that one frame does not
 * make all others pale.
 *
 * @param {(node: number) => number} change
 * @param {Float64Array[]} inclusive values of both sides
 * @returns {number} 0 where nothing changed
 */
export function scaleOf(change, [a, b]) {
    const least = Math.max(a[0], b[0]) * VISIBLE_SHARE;
    const found = [];
    for (let node = 0; node < a.length; node++) {
        if ((a[node] >= least || b[node] >= least) && change(node) !== 0) {
            found.push(Math.abs(change(node)));
        }
    }
    const sizes = Float64Array.from(found).sort();

    return sizes.length === 0 ? 0 : sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.99))];
}
