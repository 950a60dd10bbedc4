/**
 * New trees from a tree: call paths merged, and the callers and callees of one function. Pure.
 */
import { Tree } from './tree.js';

/**
 * Collects nodes by parent and function, with any number of figures, and makes columns in preorder of them. A hash table of
 * integers: handles ten times as many nodes per second as a Map of strings.
 */
export class Merger {
    /** @type {Int32Array} */
    #slots = new Int32Array(1024).fill(-1);
    #capacity = 512;

    /** @param {number} columns figures per node */
    constructor(columns) {
        this.n = 0;
        this.fn = new Int32Array(this.#capacity);
        this.parent = new Int32Array(this.#capacity);
        this.values = Array.from({ length: columns }, () => new Float64Array(this.#capacity));
    }

    /**
     * @param {number} parent -1 for a root
     * @param {number} fn
     * @returns {number} the node of that path, created if needed
     */
    node(parent, fn) {
        const mask = this.#slots.length - 1;
        let slot = hash(parent, fn) & mask;
        for (let at = this.#slots[slot]; at >= 0; at = this.#slots[slot]) {
            if (this.parent[at] === parent && this.fn[at] === fn) {
                return at;
            }
            slot = (slot + 1) & mask;
        }
        if (this.n === this.#capacity) {
            this.#grow();

            return this.node(parent, fn);
        }
        const node = this.n++;
        this.#slots[slot] = node;
        this.parent[node] = parent;
        this.fn[node] = fn;

        return node;
    }

    /**
     * @param {number} node
     * @param {number} fn
     * @returns {number} the node of the function at or above it, -1 for none
     */
    above(node, fn) {
        let at = node;
        while (at >= 0 && this.fn[at] !== fn) {
            at = this.parent[at];
        }

        return at;
    }

    /**
     * The nodes in preorder, callees in the order in which they were made. Node 0 must be the only root.
     *
     * @returns {{fn: Int32Array, depth: Int32Array, values: Float64Array[], position: Int32Array}} position: new index of each
     */
    finish() {
        const n = this.n;
        const { first, next } = this.#children();
        const fn = new Int32Array(n);
        const depth = new Int32Array(n);
        const position = new Int32Array(n);
        const values = this.values.map(() => new Float64Array(n));
        for (let node = 0, at = 0, level = 0; n > 0; at++) {
            position[node] = at;
            fn[at] = this.fn[node];
            depth[at] = level;
            for (let column = 0; column < values.length; column++) {
                values[column][at] = this.values[column][node];
            }
            if (first[node] >= 0) {
                node = first[node];
                level++;
                continue;
            }
            while (node > 0 && next[node] < 0) {
                node = this.parent[node];
                level--;
            }
            if (node <= 0) {
                break;
            }
            node = next[node];
        }

        return { fn, depth, values, position };
    }

    #children() {
        const first = new Int32Array(this.n).fill(-1);
        const next = new Int32Array(this.n).fill(-1);
        for (let node = this.n - 1; node > 0; node--) {
            next[node] = first[this.parent[node]];
            first[this.parent[node]] = node;
        }

        return { first, next };
    }

    #grow() {
        this.#capacity *= 2;
        this.fn = longer(this.fn, this.#capacity);
        this.parent = longer(this.parent, this.#capacity);
        this.values = this.values.map((column) => longer(column, this.#capacity));
        this.#slots = new Int32Array(this.#capacity * 2).fill(-1);
        const mask = this.#slots.length - 1;
        for (let node = 0; node < this.n; node++) {
            let slot = hash(this.parent[node], this.fn[node]) & mask;
            while (this.#slots[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            this.#slots[slot] = node;
        }
    }
}

/**
 * @template {Int32Array | Float64Array | Uint8Array} T
 * @param {T} values
 * @param {number} length
 * @returns {T} a copy with zeros behind them
 */
export function longer(values, length) {
    const copy = /** @type {T} */ (new /** @type {any} */ (values.constructor)(length));
    copy.set(values);

    return copy;
}

/**
 * @param {number} parent
 * @param {number} fn
 */
function hash(parent, fn) {
    const mixed = Math.imul(parent + 1, 0x9e3779b1) ^ Math.imul(fn + 1, 0x85ebca6b);

    return mixed ^ (mixed >>> 15);
}

/**
 * Merges nodes of the same path; returns the tree itself where there are none such.
 *
 * @param {Tree} tree
 * @returns {Tree}
 */
export function mergePaths(tree) {
    const keys = [...tree.self.keys()];
    const merger = mergedBelow(tree, [0], keys);
    if (merger.n === tree.n) {
        return tree;
    }

    const result = fromMerger(tree.names, merger, keys, tree.known);
    result.later = tree.later;

    return result;
}

/**
 * Merges what is below some nodes, path by path.
 *
 * @param {Tree} tree
 * @param {number[]} roots
 * @param {string[]} metrics
 * @param {Uint8Array} [hidden] per function whether it is taken out: what it costs is its caller's, its calls are no one's
 * @param {boolean} [fold] whether a call of a function that is running already is added to the running one
 * @returns {Merger}
 */
export function mergedBelow(tree, roots, metrics, hidden = new Uint8Array(tree.names.length), fold = false) {
    const merger = new Merger(metrics.length);
    const { n, fn, parent, end } = tree;
    const columns = metrics.map((metric) => tree.exclusive(metric));
    const calls = metrics.indexOf('ct');
    const merged = new Int32Array(n);
    for (const root of roots) {
        for (let node = root; node < end[root]; node++) {
            const above = node === root ? -1 : merged[parent[node]];
            const isHidden = node > root && hidden[fn[node]] === 1;
            const running = isHidden ? above : (fold ? merger.above(above, fn[node]) : -1);
            const at = running < 0 ? merger.node(above, fn[node]) : running;
            merged[node] = at;
            for (let column = 0; column < columns.length; column++) {
                if (column !== calls || !isHidden) {
                    merger.values[column][at] += columns[column][node];
                }
            }
        }
    }

    return merger;
}

/**
 * @param {string[]} names
 * @param {Merger} merger
 * @param {string[]} keys metrics of its columns
 * @param {import('./tree.js').Metric[]} [known] what is known of them
 * @returns {Tree}
 */
export function fromMerger(names, merger, keys, known = []) {
    const { fn, depth, values } = merger.finish();

    return new Tree(names, fn, depth, new Map(keys.map((key, column) => [key, values[column]])), known);
}

/**
 * The nodes that were met, and those above them, merged path by path: "wt" is their time, "ct" their count.
 *
 * @param {{names: string[], fn: import('./run-file.js').Indexes, parent: Int32Array}} nodes callers before callees
 * @param {Uint8Array} met per node
 * @param {Float64Array} time
 * @param {Float64Array} count
 * @param {import('./tree.js').Metric[]} [known]
 * @returns {Tree}
 */
export function mergedMet({ names, fn, parent }, met, time, count, known) {
    for (let node = met.length - 1; node > 0; node--) {
        met[parent[node]] |= met[node];
    }
    const merger = new Merger(2);
    const nodes = new Int32Array(met.length);
    for (let node = 0; node < met.length; node++) {
        if (met[node] === 1) {
            nodes[node] = merger.node(node === 0 ? -1 : nodes[parent[node]], fn[node]);
            merger.values[0][nodes[node]] += time[node];
            merger.values[1][nodes[node]] += count[node];
        }
    }

    return fromMerger(names, merger, ['wt', 'ct'], known);
}

/**
 * The outermost calls of a function, with no call of it above them: their cost counts once.
 *
 * @param {Tree} tree
 * @param {number} fn
 * @returns {{nodes: number[], inner: number}} inner: number of its nodes below those
 */
export function outermost(tree, fn) {
    const nodes = [];
    let inner = 0;
    for (let node = 0, until = 0; node < tree.n; node++) {
        if (tree.fn[node] !== fn) {
            continue;
        }
        if (node < until) {
            inner++;
            continue;
        }
        nodes.push(node);
        until = tree.end[node];
    }

    return { nodes, inner };
}

/**
 * Everything below a function, merged over all its outermost calls. Node 0 is the function.
 *
 * @param {Tree} tree
 * @param {number} fn
 * @param {string[]} metrics
 * @returns {Tree | null} null where the function was not called
 */
export function calleesOf(tree, fn, metrics) {
    const merger = mergedBelow(tree, outermost(tree, fn).nodes, metrics);

    return merger.n === 0 ? null : fromMerger(tree.names, merger, metrics);
}

/**
 * The callers of a function, inside out: node 0 is the function, its children are its callers, and so on to main(). A frame's
 * inclusive figure is the function's inclusive cost on the paths through that frame.
 *
 * @param {Tree} tree
 * @param {number} fn
 * @param {string[]} metrics
 * @returns {Tree | null} null where the function was not called
 */
export function callersOf(tree, fn, metrics) {
    const merger = new Merger(metrics.length);
    const inclusive = metrics.map((metric) => (/\bct$/.test(metric) ? tree.exclusive(metric) : tree.inclusive(metric)));
    for (const root of outermost(tree, fn).nodes) {
        let at = -1;
        for (let node = root; node >= 0; node = tree.parent[node]) {
            at = merger.node(at, tree.fn[node]);
        }
        // The whole figure goes to the path's outer end; the frames between add it up from there.
        for (let column = 0; column < inclusive.length; column++) {
            merger.values[column][at] += inclusive[column][root];
        }
    }

    return merger.n === 0 ? null : fromMerger(tree.names, merger, metrics);
}

/**
 * The cost of each function. The time of a path counts once, however often the function is on it.
 *
 * @param {Tree} tree
 * @param {string} metric
 * @param {number} [from] only below this node, itself included
 * @param {string} [counts] the column of what is counted
 * @returns {{fn: Int32Array, exclusive: Float64Array, inclusive: Float64Array, ct: Float64Array}} a row per function called
 */
export function functionsOf(tree, metric, from = 0, counts = 'ct') {
    const count = tree.names.length;
    const self = tree.exclusive(metric);
    const inclusive = tree.inclusive(metric);
    const calls = tree.exclusive(counts);
    const columns = [0, 1, 2].map(() => new Float64Array(count));
    const [own, all, ct] = columns;
    const until = new Int32Array(count);
    const met = new Uint8Array(count);
    for (let node = from; node < tree.end[from]; node++) {
        const fn = tree.fn[node];
        met[fn] = 1;
        own[fn] += self[node];
        ct[fn] += calls[node];
        if (node >= until[fn]) {
            all[fn] += inclusive[node];
            until[fn] = tree.end[node];
        }
    }
    const fn = Int32Array.from(met.keys()).filter((index) => met[index] === 1);
    const [exclusive, sums, ofCalls] = columns.map((column) => Float64Array.from(fn, (index) => column[index]));

    return { fn, exclusive, inclusive: sums, ct: ofCalls };
}
