/** Two trees laid over each other by call path. Pure. */
import { Merger } from './merge.js';
import { Tree } from './tree.js';

/**
 * The union of two trees. Each metric that both have loaded has three columns of the union's tree: "a.wt", "b.wt" and "max.wt", own figures
 * of the first, of the second, and the larger one per node.
 *
 * @param {Tree} a before
 * @param {Tree} b after
 * @param {Map<string, string>} [renamed] names of functions before => after, where they differ
 * @returns {{tree: Tree, metrics: import('./tree.js').Metric[], only: Uint8Array}} only, per node: 0 in both, 1 in a alone, 2 in b alone
 */
export function union(a, b, renamed = new Map()) {
    const ofB = new Set(b.metrics().map(({ k }) => k));
    const common = a.metrics().filter(({ k }) => ofB.has(k));
    const metrics = common.map(({ k }) => k).filter((k) => a.self.has(k) && b.self.has(k));
    const { names, fromB } = mergeNames(a.names.map((name) => renamed.get(name) ?? name), b.names);
    // The last column holds the sides a node is on: 1, 2, or both.
    const merger = new Merger(2 * metrics.length + 1);
    add(merger, a, metrics, 0, (fn) => fn);
    add(merger, b, metrics, 1, (fn) => fromB[fn]);
    const { fn, depth, values } = merger.finish();
    /** @type {import('./tree.js').Columns} */
    const self = new Map();
    metrics.forEach((key, index) => {
        const [before, after] = [values[2 * index], values[2 * index + 1]];
        self.set(`a.${key}`, before);
        self.set(`b.${key}`, after);
        self.set(`max.${key}`, before.map((value, node) => Math.max(value, after[node])));
    });

    return {
        tree: new Tree(names, fn, depth, self),
        metrics: common,
        only: Uint8Array.from(values[2 * metrics.length], (sides) => (sides === 3 ? 0 : sides)),
    };
}

/**
 * @param {Merger} merger
 * @param {Tree} tree
 * @param {string[]} metrics
 * @param {0 | 1} side
 * @param {(fn: number) => number} nameOf
 */
function add(merger, tree, metrics, side, nameOf) {
    const columns = metrics.map((metric) => tree.exclusive(metric));
    const merged = new Int32Array(tree.n);
    const sides = 2 * metrics.length;
    for (let node = 0; node < tree.n; node++) {
        // The roots of both are the same place, whatever their names.
        const at = node === 0 && merger.n > 0 ? 0
            : merger.node(node === 0 ? -1 : merged[tree.parent[node]], nameOf(tree.fn[node]));
        merged[node] = at;
        for (let column = 0; column < columns.length; column++) {
            merger.values[2 * column + side][at] += columns[column][node];
        }
        const met = merger.values[sides][at];
        merger.values[sides][at] = met === 0 || met === side + 1 ? side + 1 : 3;
    }
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
 * The end of a symmetric scale of changes: the 99th percentile of their sizes in visible frames, so that one frame does not
 * make all others pale.
 *
 * @param {Float64Array} changes
 * @param {Float64Array[]} inclusive values of both sides
 * @returns {number} 0 where nothing changed
 */
export function scaleOf(changes, inclusive) {
    const least = Math.max(...inclusive.map((column) => column[0])) * VISIBLE_SHARE;
    const isSeen = (/** @type {number} */ node) => inclusive.some((column) => column[node] >= least);
    const sizes = changes.map((change, node) => (isSeen(node) ? Math.abs(change) : 0)).filter((size) => size > 0).sort();

    return sizes.length === 0 ? 0 : sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.99))];
}
