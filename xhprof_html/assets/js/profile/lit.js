/** The calls that a finding is about, in a call tree or in the frames of a picture. Pure. */
import { SEED, hashOf, mix } from '../core/path-mark.js';
import { limitOf } from './tree.js';

/**
 * A finding's calls, as XHProf\Web\Run\RunFindings has them: calls of functions, also by the beginnings of their names, where `below` is ''
 * or a function that made them; and call paths, by their marks ('' is main() alone).
 *
 * @typedef {{id: string, label: string, functions: string[], below: string, prefixes: string[], paths: string[]}} Lit
 */

/**
 * @param {string[]} names of functions
 * @param {{fn: import('./run-file.js').Indexes, depth: import('./run-file.js').Indexes}} tree nodes in preorder
 * @param {Lit} lit
 * @returns {Uint8Array} per node 1 where it is one of these calls
 */
export function litNodes(names, { fn, depth }, { functions, below, prefixes, paths }) {
    const found = new Uint8Array(fn.length);
    const known = new Set(functions);
    const isIn = Uint8Array.from(names, (name) => (known.has(name) || prefixes.some((prefix) => name.startsWith(prefix)) ? 1 : 0));
    const maker = below === '' ? -1 : names.indexOf(below);
    const marks = marksOf(paths);
    const hashes = marks.size === 0 ? null : Int32Array.from(names, hashOf);
    const open = hashes === null ? new Int32Array(0) : new Int32Array(limitOf(depth) + 1).fill(SEED);
    // The level of the outermost open call of the maker.
    let level = below === '' ? -1 : Infinity;
    for (let node = 0; node < fn.length; node++) {
        const at = depth[node];
        if (below !== '' && at <= level) {
            level = fn[node] === maker ? at : Infinity;
        }
        if (isIn[fn[node]] === 1 && at > level) {
            found[node] = 1;
        }
        if (hashes !== null) {
            open[at + 1] = mix(open[at], hashes[fn[node]]);
            if (marks.get(at)?.has(at === 0 ? 0 : open[at + 1])) {
                found[node] = 1;
            }
        }
    }

    return found;
}

/**
 * @param {string[]} paths
 * @returns {Map<number, Set<number>>} hashes by depth
 */
function marksOf(paths) {
    /** @type {Map<number, Set<number>>} */
    const marks = new Map();
    for (const path of paths) {
        const [depth = '0', hash = '0'] = path === '' ? [] : path.split('-');
        const some = marks.get(Number(depth)) ?? new Set();
        marks.set(Number(depth), some.add(Number.parseInt(hash, 16) | 0));
    }

    return marks;
}

/**
 * @param {{end: Int32Array, width: Float64Array, ct: import('./run-file.js').Numbers}} frames
 * @param {Uint8Array} lit per frame
 * @returns {{frames: number, calls: number, sum: number, outer: number[]}} frames: how many are lit, with their calls; sum: the figure of
 *     those that lie in no other one, which are outer
 */
export function litSum({ end, width, ct }, lit) {
    const outer = [];
    let [frames, calls, sum, until] = [0, 0, 0, 0];
    for (let frame = 0; frame < lit.length; frame++) {
        if (lit[frame] === 1) {
            frames++;
            calls += ct[frame];
            if (frame >= until) {
                sum += width[frame];
                until = end[frame];
                outer.push(frame);
            }
        }
    }

    return { frames, calls, sum, outer };
}
