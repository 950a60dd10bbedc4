/**
 * Places of frames: left edges along the axis of figures, and per level the frames from left to right. Pure.
 */
import { firstNot } from '../core/bisect.js';
import { limitOf, placesOf } from '../profile/tree.js';

/**
 * @typedef {import('../profile/run-file.js').Indexes} Indexes
 * @typedef {import('../profile/run-file.js').Numbers} Numbers
 *
 * Places and figures of frames. Figures are in the metric's unit; a frame reaches from x to x + width.
 *
 * @typedef {{
 *     fn: Indexes, depth: Indexes, parent: Int32Array, end: Int32Array, levels: number,
 *     ct: Numbers, self: Numbers, inclusive: Float64Array,
 *     x: Float64Array, width: Float64Array, start: Int32Array, index: Int32Array,
 *     total: number, negative: {nodes: number, sum: number}, where?: import('../profile/time-parts.js').Where,
 * }} FrameLayout
 *
 * start: per level where it begins in index, and a last entry behind them all; index: nodes level by level, left to right.
 * total: 100 % of shares. negative: own figures below zero, which no width shows. where: where the frames' own time was, if asked for.
 */

/**
 * @param {import('../profile/tree.js').Tree} tree
 * @param {Float64Array} width per node; at least the sum of the callees' widths
 * @param {'time' | 'heavy'} order callees by first call, or the widest first
 * @returns {{x: Float64Array, start: Int32Array, index: Int32Array}}
 */
export function arrange(tree, width, order) {
    const { n, parent, levels } = tree;
    const { first, kids } = childrenOf(parent, n);
    if (order === 'heavy') {
        sortSiblings(first, kids, width);
    }
    const x = new Float64Array(n);
    const start = new Int32Array(levels + 1);
    const index = new Int32Array(n);
    let filled = 1;
    start[1] = 1;
    for (let level = 1; level < levels; level++) {
        for (let i = start[level - 1]; i < start[level]; i++) {
            const node = index[i];
            let left = x[node];
            for (let k = first[node]; k < first[node + 1]; k++) {
                const kid = kids[k];
                x[kid] = left;
                left += width[kid];
                index[filled++] = kid;
            }
        }
        start[level + 1] = filled;
    }

    return { x, start, index };
}

/**
 * @param {import('../profile/tree.js').Tree} tree
 * @param {string} metric
 * @param {'time' | 'heavy'} order
 * @returns {FrameLayout}
 */
export function layoutOf(tree, metric, order) {
    const width = tree.widths(metric);

    return {
        fn: tree.fn,
        depth: tree.depth,
        parent: tree.parent,
        end: tree.end,
        levels: tree.levels,
        ct: tree.exclusive(tree.self.has('ct') ? 'ct' : metric),
        self: tree.exclusive(metric),
        inclusive: tree.inclusive(metric),
        width,
        ...arrange(tree, width, order),
        total: tree.inclusive(metric)[0],
        negative: tree.negative(metric),
    };
}

/**
 * Lays out frames whose places are given: those of one level from left to right in preorder.
 *
 * @param {{fn: Indexes, depth: Indexes, x: Float64Array, width: Float64Array, self: Float64Array, ct: Float64Array}} frames
 * @returns {FrameLayout}
 */
export function layoutOfFrames({ fn, depth, x, width, self, ct }) {
    const levels = limitOf(depth);
    const start = new Int32Array(levels + 1);
    for (const level of depth) {
        start[level + 1]++;
    }
    for (let level = 0; level < levels; level++) {
        start[level + 1] += start[level];
    }
    const next = start.slice();
    const index = new Int32Array(fn.length);
    for (let node = 0; node < fn.length; node++) {
        index[next[depth[node]]++] = node;
    }

    return {
        fn, depth, ...placesOf(depth), levels, ct, self, inclusive: width, x, width, start, index,
        total: width[0] ?? 0, negative: { nodes: 0, sum: 0 },
    };
}

/**
 * @param {FrameLayout} layout
 * @param {number} level
 * @param {number} at along the axis
 * @returns {number} position in layout.index of the last frame of that level which begins at or before; start[level] - 1
 *     where none does
 */
export function lastBefore(layout, level, at) {
    const { x, index, start } = layout;

    return firstNot(start[level], start[level + 1], (place) => x[index[place]] <= at) - 1;
}

/**
 * @param {FrameLayout} layout
 * @param {number} level
 * @param {number} at along the axis
 * @param {number} [slack] how far beside a frame still counts as on it
 * @returns {number} the frame there, -1 for none
 */
export function frameAt(layout, level, at, slack = 0) {
    if (level < 0 || level >= layout.levels) {
        return -1;
    }
    // Of frames that begin at the same place only the last can have a width.
    const found = lastBefore(layout, level, at);
    for (const i of [found, found + 1]) {
        if (i < layout.start[level] || i >= layout.start[level + 1]) {
            continue;
        }
        const node = layout.index[i];
        if (at >= layout.x[node] - slack && at < layout.x[node] + layout.width[node] + slack) {
            return node;
        }
    }

    return -1;
}

/**
 * @param {Int32Array} parent
 * @param {number} n
 * @returns {{first: Int32Array, kids: Int32Array}} the callees of node i are kids[first[i]] to kids[first[i + 1] - 1]
 */
function childrenOf(parent, n) {
    const first = new Int32Array(n + 1);
    for (let node = 1; node < n; node++) {
        first[parent[node] + 1]++;
    }
    for (let node = 0; node < n; node++) {
        first[node + 1] += first[node];
    }
    const next = first.slice();
    const kids = new Int32Array(n);
    for (let node = 1; node < n; node++) {
        kids[next[parent[node]]++] = node;
    }

    return { first, kids };
}

/** Most nodes have few callees: up to this many are sorted in place, without a comparison function. */
const FEW = 12;

/**
 * @param {Int32Array} first
 * @param {Int32Array} kids
 * @param {Float64Array} width
 */
function sortSiblings(first, kids, width) {
    for (let node = 0; node + 1 < first.length; node++) {
        const [from, to] = [first[node], first[node + 1]];
        if (to - from > FEW) {
            kids.subarray(from, to).sort((a, b) => width[b] - width[a] || a - b);
            continue;
        }
        for (let i = from + 1; i < to; i++) {
            const kid = kids[i];
            let at = i;
            while (at > from && width[kids[at - 1]] < width[kid]) {
                kids[at] = kids[at - 1];
                at--;
            }
            kids[at] = kid;
        }
    }
}

/**
 * @param {FrameLayout} layout
 * @param {number} node
 * @returns {number} its widest callee, -1 for none
 */
export function widestCallee(layout, node) {
    let widest = -1;
    for (let kid = node + 1; kid < layout.end[node]; kid = layout.end[kid]) {
        if (layout.width[kid] > (widest < 0 ? 0 : layout.width[widest])) {
            widest = kid;
        }
    }

    return widest;
}

/**
 * @param {FrameLayout} layout
 * @param {number} node
 * @param {-1 | 1} step
 * @returns {number} the next frame of the level that has a width, -1 for none
 */
export function frameBeside(layout, node, step) {
    const level = layout.depth[node];
    const [least, behind] = [layout.start[level], layout.start[level + 1]];
    let at = lastBefore(layout, level, layout.x[node]);
    while (at > least && layout.index[at] !== node) {
        at--;
    }
    for (at += step; at >= least && at < behind; at += step) {
        if (layout.width[layout.index[at]] > 0) {
            return layout.index[at];
        }
    }

    return -1;
}

/**
 * The next frame of a search, from left to right, callers before callees that begin where they do; around the ends too.
 *
 * @param {FrameLayout} layout
 * @param {(node: number) => boolean} isMatch
 * @param {number} root only below this frame, itself included
 * @param {number} from the frame to go on from
 * @param {-1 | 1} step
 * @returns {{node: number, place: number, count: number}} the frame, -1 for none; its place among the matches, from 1; their number
 */
export function nextMatch(layout, isMatch, root, from, step) {
    const { x, depth, width, end } = layout;
    const isBefore = (/** @type {number} */ a, /** @type {number} */ b) => x[a] < x[b] || (x[a] === x[b] && depth[a] < depth[b]);
    let [next, first, count] = [-1, -1, 0];
    const goesBefore = step > 0 ? isBefore : (/** @type {number} */ a, /** @type {number} */ b) => isBefore(b, a);
    for (let node = root; node < end[root]; node++) {
        if (!isMatch(node) || !(width[node] > 0)) {
            continue;
        }
        count++;
        if (first < 0 || goesBefore(node, first)) {
            first = node;
        }
        if (goesBefore(from, node) && (next < 0 || goesBefore(node, next))) {
            next = node;
        }
    }
    const node = next < 0 ? first : next;
    let place = 0;
    for (let other = root; node >= 0 && other < end[root]; other++) {
        place += isMatch(other) && width[other] > 0 && !isBefore(node, other) ? 1 : 0;
    }

    return { node, place, count };
}
