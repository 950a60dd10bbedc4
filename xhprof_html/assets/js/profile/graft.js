/** Call paths that were left out of a tree, and are loaded later: which ones to load next, and how they come into the tree. Pure. */
import { restOf } from './rest.js';
import { BadRun } from './run-file.js';
import { Tree } from './tree.js';

/**
 * Nodes from `at` on, of which `removed` have gone and `added` have come; `root`: the first of them, where it is still the same
 * path, else the caller of all that have come.
 *
 * @typedef {{at: number, removed: number, added: number, root: number}} Change
 */

/** Part of the zoomed frame's width from which a frame that has been left out is worth loading. */
const VISIBLE = 1 / 1000;

/**
 * @param {Tree} tree
 * @param {number} node that a reader goes into
 * @param {Float64Array} width per node
 * @returns {string} name of the part to load for it, '' for none
 */
export function partFor({ rest, end }, node, width) {
    if (rest === null || node < 0 || node >= rest.origin.length) {
        return '';
    }
    const { origin, part, parts } = rest;
    const own = parts[part[node]];
    if (origin[node] < 0) {
        return `${own}~${~origin[node]}`;
    }
    if (node === 0 || own === String(origin[node])) {
        return '';
    }
    // All largest paths below it are asked for: those that have been loaded before could be missing among them.
    for (let below = node; below < end[node]; below++) {
        if (part[below] !== part[node]) {
            return '';
        }
    }
    const least = Math.max(width[node] * VISIBLE, Number.MIN_VALUE);
    for (let below = node + 1; below < end[node];) {
        if (width[below] < least) {
            below = end[below];
        } else if (origin[below] < 0) {
            return String(origin[node]);
        } else {
            below++;
        }
    }

    return '';
}

/**
 * @param {Tree} tree
 * @param {number} node for which a part was loaded
 * @param {string} name of the part
 * @param {any} data the document "tree" of api.php with that part
 * @returns {{tree: Tree, change: Change}}
 * @throws {BadRun}
 */
export function grafted(tree, node, name, data) {
    const { rest } = tree;
    const loaded = Tree.of({ ...data, names: tree.names });
    const come = restOf(data?.pruned, loaded.n, name);
    const isRest = rest !== null && rest.origin[node] < 0;
    if (rest === null || come === null || come.origin[0] !== (isRest ? ~rest.origin[node] : rest.origin[node])) {
        throw new BadRun('The server has sent other call paths.');
    }
    // What was left out below a caller comes below a stand-in of the caller.
    const from = isRest ? 1 : 0;
    const end = tree.end[node];
    const change = { at: node, removed: end - node, added: loaded.n - from, root: isRest ? tree.parent[node] : node };
    const level = tree.depth[node] - loaded.depth[from];
    const depth = joined(tree.depth, new Int32Array(loaded.depth).map((own) => own + level), change, from);
    /** @type {import('./tree.js').Columns} */
    const self = new Map();
    for (const metric of tree.self.keys()) {
        if (!loaded.self.has(metric)) {
            throw new BadRun('The server has sent other metrics.');
        }
        self.set(metric, joined(tree.exclusive(metric), loaded.exclusive(metric), change, from));
    }
    const result = new Tree(tree.names, joined(tree.fn, loaded.fn, change, from), depth, self, tree.known);
    const place = rest.parts.indexOf(name);
    const parts = place < 0 ? [...rest.parts, name] : rest.parts;
    result.runs = tree.runs;
    result.rest = {
        origin: joined(rest.origin, come.origin, change, from),
        part: joined(rest.part, new Int32Array(loaded.n).fill(place < 0 ? rest.parts.length : place), change, from),
        parts,
    };
    result.version = tree.version;
    result.pruned = { ...tree.pruned, nodes: tree.pruned.of - result.n };

    return { tree: result, change };
}

/**
 * @template {import('./run-file.js').Numbers} T
 * @param {T} values
 * @param {T} more
 * @param {Change} change
 * @param {number} from where what comes begins in `more`
 * @returns {T} of a type that holds both
 */
function joined(values, more, { at, removed, added }, from) {
    const wide = values.BYTES_PER_ELEMENT >= more.BYTES_PER_ELEMENT ? values : more;
    const isEither = values.BYTES_PER_ELEMENT === more.BYTES_PER_ELEMENT && values.constructor !== more.constructor;
    /** @type {any} */
    const Type = isEither ? Float64Array : wide.constructor;
    const made = new Type(values.length - removed + added);
    made.set(values.subarray(0, at));
    made.set(more.subarray(from), at);
    made.set(values.subarray(at + removed), at + added);

    return made;
}
