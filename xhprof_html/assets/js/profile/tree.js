/**
 * The call-path tree of a run as typed columns in preorder: node 0 is main(), the callees of a node follow it one level
 * deeper, in the order of their first call. Pure: no DOM, no network.
 */

import { SEED, hashOf, markOfPath, mix } from '../core/path-mark.js';
import { BadRun, column, namesIn } from './run-file.js';

/**
 * Figures by metric and node: a node's own, without its callees'. Times in ns, memory in bytes.
 *
 * @typedef {import('./run-file.js').Indexes} Indexes
 * @typedef {import('./run-file.js').Numbers} Numbers
 * @typedef {Map<string, Numbers>} Columns
 *
 * @typedef {{k: string, label: string, unit: 'ns' | 'bytes' | 'count'}} Metric
 *
 * The columns of a tree for one metric. `origin`: see rest.js; null where all paths are here.
 *
 * @typedef {{
 *     fn: Indexes, depth: Indexes, parent: Int32Array, end: Int32Array, levels: number,
 *     ct: Numbers, self: Numbers, inclusive: Float64Array, total: number, origin?: Int32Array | null,
 * }} TreeColumns
 */

/** Largest figure that is accepted: no profile comes near it; beyond, sums would lose whole units. */
const LARGEST = Number.MAX_SAFE_INTEGER;

export class Tree {
    /** Inclusive figures that have been added up, by metric. @type {Map<string, Float64Array>} */
    #sums = new Map();
    /** Own figures below zero, by metric. @type {Map<string, {nodes: number, sum: number}>} */
    #negatives = new Map();
    /** @type {{parent: Int32Array, end: Int32Array} | null} */
    #places = null;

    /**
     * Trusts its columns: from outside, come through of(). Keeps them as they are: a run file has the narrowest types.
     *
     * @param {string[]} names of functions
     * @param {Indexes} fn per node, an index into names
     * @param {Indexes} depth per node, 0 for the first only
     * @param {Columns} self with "ct", how often each node was called
     * @param {Metric[]} known possible metrics, in the order in which they are offered: the server's list
     */
    constructor(names, fn, depth, self, known = []) {
        this.names = names;
        this.fn = fn;
        this.depth = depth;
        this.self = self;
        this.known = known;
        this.n = fn.length;
        /** Number of levels. */
        this.levels = limitOf(depth);
        /** Metrics whose columns come when they are asked for. @type {Set<string>} */
        this.later = new Set();
        /** Version of the run's files, for requests that want more of them. */
        this.version = '';
        /** How many runs this is the mean of. */
        this.runs = 1;
        /** The number of nodes that the server added up, the smallest ones, the number of all, and what the sums are called. */
        this.pruned = { nodes: 0, of: this.n, name: '' };
        /** Call paths that have been left out, where they can be loaded. @type {import('./rest.js').Rest | null} */
        this.rest = null;
    }

    /**
     * @param {any} data the document "tree" of a run file, null for none; from api.php with the metrics that a tree can have
     * @returns {Tree}
     * @throws {BadRun}
     */
    static of(data) {
        if (data === null) {
            throw new BadRun('This run has no call tree.');
        }
        const { names, first } = distinct(data.names);
        // Not in place: other columns may have the same bytes of the file.
        const fn = indexes(data.fn, 'fn', names.length - 1).map((name) => first[name]);
        const n = fn.length;
        if (n === 0) {
            throw new BadRun('The call tree has no nodes.');
        }
        if ((data.n ?? n) !== n) {
            throw new BadRun(`The call tree announces ${String(data.n).slice(0, 20)} nodes and has ${n}.`);
        }
        const depth = indexes(data.depth, 'depth', n - 1, n);
        for (let node = 0, last = -1; node < n; last = depth[node++]) {
            if (depth[node] > last + 1 || (depth[node] === 0) !== (node === 0)) {
                throw new BadRun(`Node ${node} of the call tree has no parent.`);
            }
        }
        const self = new Map(figuresIn(data.self, 'self', n, data.requests));
        if (self.size === 0) {
            throw new BadRun('The call tree has no metrics.');
        }
        addLive(self);
        self.set('ct', figures(data.ct, 'ct', n, 0));
        const tree = new Tree(names, fn, depth, self, metricsIn(data.metrics ?? []));
        tree.addCorrected(data.corrected ?? {});
        // An imported run has them in its tree.
        tree.later = new Set(namesIn(data.correctable ?? [], 'The call tree').map(corrected).filter((key) => !self.has(key)));
        tree.version = String(data.version ?? '');
        tree.runs = Number.isInteger(data.runs) ? data.runs : 1;
        tree.pruned = { nodes: Number(data.pruned?.nodes) || 0, of: Number(data.pruned?.of) || n, name: String(data.pruned?.name ?? '') };

        return tree;
    }

    /**
     * @param {any} columns times without the profiler's own, by metric
     * @throws {BadRun}
     */
    addCorrected(columns) {
        for (const [key, column] of figuresIn(columns, 'corrected', this.n)) {
            this.self.set(corrected(key), column);
        }
        this.later.clear();
    }

    /** @returns {Metric[]} known ones first, in their order */
    metrics() {
        const known = this.known.filter(({ k }) => this.self.has(k) || this.later.has(k));
        const others = [...this.self.keys()].filter((key) => !known.some(({ k }) => k === key));

        return [...known, ...others.map((k) => ({ k, label: k, unit: /** @type {const} */ ('count') }))];
    }

    /** Per node its caller, -1 for the first. */
    get parent() {
        return (this.#places ??= placesOf(this.depth)).parent;
    }

    /** Per node the first node behind it that is not below it. */
    get end() {
        return (this.#places ??= placesOf(this.depth)).end;
    }

    /** Forgets what follows from the columns: it takes more memory than they do, and is soon computed again. */
    forget() {
        this.#places = null;
        this.#sums.clear();
        this.#negatives.clear();
    }

    /** @returns {ArrayBufferView[]} what forget() leaves */
    kept() {
        this.forget();

        return [this.fn, this.depth, ...this.self.values(), ...(this.rest === null ? [] : [this.rest.origin])];
    }

    /**
     * @param {string} metric
     * @returns {Numbers} per node, without its callees': sums and differences may need a wider type
     */
    exclusive(metric) {
        const column = this.self.get(metric);
        if (column === undefined) {
            throw new BadRun(`This run has no metric ${metric.slice(0, 40)}.`);
        }

        return column;
    }

    /**
     * @param {string} metric
     * @returns {Float64Array} per node, with everything below it
     */
    inclusive(metric) {
        return this.#addedUp(metric, () => new Float64Array(this.exclusive(metric)));
    }

    /**
     * Widths of frames: inclusive figures that sum only own ones above zero. A call that freed memory would otherwise be narrower
     * than its callees together.
     *
     * @param {string} metric
     * @returns {Float64Array}
     */
    widths(metric) {
        return this.negative(metric).nodes === 0
            ? this.inclusive(metric)
            : this.#addedUp(`widths of ${metric}`, () => new Float64Array(this.exclusive(metric)).map((value) => Math.max(0, value)));
    }

    /**
     * @param {string} metric
     * @returns {{nodes: number, sum: number}} own figures below zero
     */
    negative(metric) {
        const known = this.#negatives.get(metric);
        if (known !== undefined) {
            return known;
        }
        let nodes = 0;
        let sum = 0;
        for (const value of this.exclusive(metric)) {
            if (value < 0) {
                nodes++;
                sum += value;
            }
        }

        const negative = { nodes, sum };
        this.#negatives.set(metric, negative);

        return negative;
    }

    /**
     * @param {string} key
     * @param {() => Float64Array} make own figures, which are added up in place
     * @returns {Float64Array}
     */
    #addedUp(key, make) {
        const known = this.#sums.get(key);
        if (known !== undefined) {
            return known;
        }
        const { parent } = this;
        const values = make();
        for (let node = this.n - 1; node > 0; node--) {
            values[parent[node]] += values[node];
        }
        this.#sums.set(key, values);

        return values;
    }
}

/**
 * @param {Indexes} indexes levels, functions
 * @returns {number} the least number above them
 */
export function limitOf(indexes) {
    let limit = 0;
    for (let at = 0; at < indexes.length; at++) {
        limit = Math.max(limit, indexes[at] + 1);
    }

    return limit;
}

/**
 * @param {Indexes} depth
 * @returns {{parent: Int32Array, end: Int32Array}}
 */
export function placesOf(depth) {
    const n = depth.length;
    const parent = new Int32Array(n);
    const end = new Int32Array(n);
    const open = new Int32Array(limitOf(depth) + 1);
    for (let node = 0, last = -1; node < n; last = depth[node++]) {
        for (let level = depth[node]; level <= last; level++) {
            end[open[level]] = node;
        }
        parent[node] = node === 0 ? -1 : open[depth[node] - 1];
        open[depth[node]] = node;
    }
    for (let level = 0; n > 0 && level <= depth[n - 1]; level++) {
        end[open[level]] = n;
    }

    return { parent, end };
}

/**
 * @param {Int32Array} parent per node, -1 for the first
 * @param {number} node
 * @returns {number[]} nodes from the first one to this
 */
export function pathTo(parent, node) {
    const path = [];
    for (let at = node; at >= 0; at = parent[at]) {
        path.push(at);
    }

    return path.reverse();
}

/**
 * A name for the path to a node, valid after a reload and in another run of the same program.
 *
 * @param {string[]} names
 * @param {{fn: Indexes, parent: Int32Array, depth: Indexes}} tree
 * @param {number} node
 * @returns {string}
 */
export function markOf(names, tree, node) {
    return markOfPath(pathTo(tree.parent, node).map((at) => names[tree.fn[at]]));
}

/**
 * @param {string[]} names
 * @param {{fn: Indexes, depth: Indexes, levels: number}} tree
 * @param {string} mark
 * @returns {number} the first node of that mark, -1 for none
 */
export function findMark(names, tree, mark) {
    return markedNodes(names, tree, [mark]).indexOf(1);
}

/**
 * @param {string[]} names
 * @param {{fn: Indexes, depth: Indexes, levels: number}} tree
 * @param {string[]} marks
 * @returns {Uint8Array} per node 1 where it has one of these
 */
export function markedNodes(names, { fn, depth, levels }, marks) {
    const found = new Uint8Array(fn.length);
    /** Hashes by depth. @type {Map<number, Set<number>>} */
    const wanted = new Map();
    for (const mark of marks) {
        const [, level, hash = ''] = /^(\d{1,9})-([0-9a-f]{1,8})$/.exec(mark) ?? [];
        if (level !== undefined) {
            wanted.set(Number(level), (wanted.get(Number(level)) ?? new Set()).add(Number.parseInt(hash, 16) | 0));
        }
    }
    const hashes = Int32Array.from(wanted.size === 0 ? [] : names, hashOf);
    const open = new Int32Array(levels + 1).fill(SEED);
    for (let node = 0; node < (hashes.length && fn.length); node++) {
        const level = depth[node];
        open[level + 1] = mix(open[level], hashes[fn[node]]);
        found[node] = wanted.get(level)?.has(open[level + 1]) ? 1 : 0;
    }

    return found;
}

/**
 * @param {string} metric
 * @returns {string}
 */
function corrected(metric) {
    return `corrected_${metric}`;
}

/**
 * @param {any} metrics
 * @returns {Metric[]}
 */
function metricsIn(metrics) {
    const isMetric = (/** @type {any} */ metric) => typeof metric?.k === 'string' && typeof metric.label === 'string'
        && ['ns', 'bytes', 'count'].includes(metric.unit);
    if (!Array.isArray(metrics) || !metrics.every(isMetric)) {
        throw new BadRun('The call tree has no list of metrics.');
    }

    return metrics.map(({ k, label, unit }) => ({ k, label, unit }));
}

/**
 * Two entries of the same name are one function.
 *
 * @param {any} texts
 * @returns {{names: string[], first: Int32Array}}
 */
function distinct(texts) {
    const names = namesIn(texts, 'The call tree').map(escaped);
    /** @type {Map<string, number>} */
    const seen = new Map();
    const first = Int32Array.from(names, (name, index) => {
        const known = seen.get(name) ?? index;
        seen.set(name, known);

        return known;
    });

    return { names, first };
}

/**
 * The rule of the library's EdgeKey::escaped(), for files of other tools.
 *
 * @param {string} name
 */
export function escaped(name) {
    return name.replaceAll('==>', '\\x3D=>').replace(/@(?=[0-9]+$)/, '\\x40');
}

/**
 * @param {any} values
 * @param {string} name
 * @param {number} least
 * @param {number} most
 * @param {number} [n]
 */
function treeColumn(values, name, least, most, n) {
    return column(values, `The column "${name.slice(0, 40)}" of the call tree`, least, most, n);
}

/**
 * @param {any} values
 * @param {string} name
 * @param {number} most
 * @param {number} [n]
 * @returns {Indexes}
 */
function indexes(values, name, most, n) {
    const all = treeColumn(values, name, 0, most, n);

    return all instanceof Float64Array ? new Int32Array(all) : all;
}

/**
 * @param {any} columns by metric
 * @param {string} what
 * @param {number} n
 * @param {any} [requests] for figures of one: how many they are of together
 * @returns {[string, Numbers][]}
 */
function figuresIn(columns, what, n, requests = 1) {
    if (columns === null || typeof columns !== 'object') {
        throw new BadRun(`The call tree has no columns "${what}".`);
    }

    return Object.entries(columns).map(([key, values]) => {
        const all = figures(values, `${what}.${key}`, n);

        return [key, requests > 1 ? new Float64Array(all).map((value) => value / requests) : all];
    });
}

/**
 * Adds what is still live, which no file has: allocated less freed.
 *
 * @param {Columns} self
 */
function addLive(self) {
    for (const unit of ['bytes', 'blocks']) {
        const [allocated, freed] = [self.get(`allocated_${unit}`), self.get(`freed_${unit}`)];
        if (allocated !== undefined && freed !== undefined) {
            self.set(`live_${unit}`, Float64Array.from(allocated, (value, node) => value - freed[node]));
        }
    }
}

/**
 * @param {any} values
 * @param {string} name
 * @param {number} n
 * @param {number} [least]
 * @returns {Numbers}
 */
function figures(values, name, n, least = -LARGEST) {
    const all = treeColumn(values, name, least, LARGEST, n);
    let sum = 0;
    for (let node = 0; node < n; node++) {
        sum += Math.abs(all[node]);
    }
    if (sum > LARGEST) {
        throw new BadRun(`The figures of the column "${name.slice(0, 40)}" of the call tree are too large.`);
    }

    return all;
}
